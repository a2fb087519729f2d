#!/usr/bin/env bash
# SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
# SPDX-License-Identifier: BSD-3-Clause

# Tests HEAD of this checkout on a fresh Debian, as a new user would: makes a system with debootstrap, copies HEAD into
# it, and runs the README's two commands there. It also builds the Debian packages, installs them on a second fresh
# system without the packages of the build, uses them, and removes them. On releases other than bookworm, it also
# installs, uses and removes the Python package by pip. Run it as root; it needs debootstrap, about 10 GB, and on two
# cores about an hour.
#
#   Utilities/test-on.sh bookworm                  or trixie, or forky; the systems are deleted in the end
#   Utilities/test-on.sh trixie FOLDER             keeps the systems and the logs of the steps in FOLDER, a new folder
#   Utilities/test-on.sh trixie FOLDER -L unit     passes the arguments to ctest
#
# VMC_VOLUMES and VMC_VOLUME_FILES name folders of real volumes, as for the tests. Prints for each step the minutes, and
# the megabytes by which the system grew, and in the end the row of the table in Documentation/Testing.md. The exit
# status is that of the first step that fails.
set -euo pipefail
# prepare.sh changes the folder.
folder=${2:+$(realpath --canonicalize-missing -- "$2")}
for name in VMC_VOLUMES VMC_VOLUME_FILES; do
  if [ -n "${!name:-}" ]; then printf -v "$name" %s "$(realpath -- "${!name}")"; fi
done
# shellcheck source=Utilities/prepare.sh
. "$(dirname "$0")/prepare.sh"
case ${1:-} in
  bookworm | trixie | forky) release=$1 ;;
  *) printf 'usage: test-on.sh bookworm|trixie|forky [FOLDER [ARGUMENT...]]\n' >&2; exit 2 ;;
esac
[ "$(id -u)" -eq 0 ] || fail "run as root: debootstrap and chroot need it"
command -v debootstrap >/dev/null || fail "install debootstrap"

if [ -n "$folder" ]; then
  mkdir -- "$folder"
else
  folder=$(mktemp -d /var/tmp/test-on.XXXXXX)
  trap 'rm -rf --one-file-system "$folder"' EXIT
fi
builder=$folder/builder # the system that builds
user=$folder/user       # the system that installs the packages
project=/root/VulkanMarchingCubes

# Runs a command in a system, with a new user's environment. The mounts have a namespace of their own, so the end of the
# command unmounts them.
inside() {
  local system=$1 volumes="" name
  for name in VMC_VOLUMES VMC_VOLUME_FILES; do
    if [ -n "${!name:-}" ]; then volumes+=" $name=${!name}"; fi
  done
  # shellcheck disable=SC2016 # expanded by the inner shell
  unshare --mount bash -euc '
    system=$1 volumes=$2
    shift 2
    cp -L /etc/resolv.conf /etc/hosts /etc/hostname "$system/etc/"
    mount -t proc proc "$system/proc"
    mount --rbind /sys "$system/sys"
    mount --rbind /dev "$system/dev"
    for volume in $volumes; do
      mkdir -p "$system/${volume#*=}"
      mount --bind "${volume#*=}" "$system/${volume#*=}"
      mount -o remount,bind,ro "$system/${volume#*=}"
    done
    exec chroot "$system" /usr/bin/env -i HOME=/root LANG=C.UTF-8 TERM=dumb PATH=/usr/sbin:/usr/bin:/sbin:/bin \
      ${http_proxy:+"http_proxy=$http_proxy"} $volumes "$@"' \
    inside "$system" "$volumes" "${@:2}"
}

in_project() {
  # shellcheck disable=SC2016
  inside "$builder" bash -c 'cd "$0" && "$@"' "$project" "$@"
}

megabytes() {
  du --one-file-system --summarize --block-size=1M "$1" | cut -f1
}

# step(name, system, command...): runs the command with its output in NAME.log; sets `minutes` and `grown`.
step() {
  local name=$1 system=$2 before status=0 start=$SECONDS log=$folder/$1.log
  mkdir -p "$system"
  before=$(megabytes "$system")
  say "$release: $name"
  "${@:3}" >"$log" 2>&1 || status=$?
  minutes=$(awk "BEGIN { printf \"%.1f\", ($SECONDS - $start) / 60 }")
  grown=$(($(megabytes "$system") - before))
  printf '%s minutes, %d MB\n' "$minutes" "$grown"
  if [ "$status" -ne 0 ]; then
    tail -n 40 "$log" >&2
    printf 'test-on.sh: %s failed on %s with status %d\n' "$name" "$release" "$status" >&2
    exit "$status"
  fi
}

# debootstrap of an older Debian does not know the name of a newer one.
make_systems() {
  local script=/usr/share/debootstrap/scripts/$release
  [ -e "$script" ] || script=/usr/share/debootstrap/scripts/sid
  debootstrap --variant=minbase "$release" "$builder" http://deb.debian.org/debian "$script" &&
    cp -a "$builder" "$user" &&
    mkdir "$builder$project" &&
    git -c safe.directory="$root" archive HEAD | tar -x -C "$builder$project"
}

# The versions of what the project uses: ParaView, VTK, Qt, Mesa.
versions() {
  # shellcheck disable=SC2016
  inside "$builder" bash -c '
    of() { dpkg-query --show --showformat="\${Version}\n" "$1" | grep . | head -n 1 | sed "s/^[0-9]*://; s/[-+].*//"; }
    vtk=$(pvpython -c "from vtkmodules.vtkCommonCore import vtkVersion; print(vtkVersion.GetVTKVersion())")
    qt=$(ldd "$(command -v paraview)" | sed -n "s/.*libQt\([56]\)Core.*/\1/p" | head -n 1)
    echo "ParaView $(of paraview), VTK $vtk, Qt $(of "libqt${qt}core${qt}*"), Mesa $(of mesa-vulkan-drivers)"'
}

build_packages() {
  in_project cmake --workflow --preset package &&
    cp "$builder$project"/build/package/*.deb "$user/root/"
}

# Writes a script into both systems: the README's lines for numpy arrays, with a volume whose isosurface is a plane.
write_array_script() {
  {
    printf 'import numpy\nlayers = numpy.arange(256, dtype=numpy.uint8)\n'
    printf 'layers.repeat(256 * 256).tofile("phantom_256x256x256_uint8.raw")\n'
    sed -n '/^import numpy, vulkanmarchingcubes$/,/marching_cubes(/p' README.md
    printf 'print(vulkanmarchingcubes.__file__, vertices.shape, faces.shape)\nassert len(faces) == 2 * 255 * 255\n'
  } | tee "$builder/root/array.py" >"$user/root/array.py"
}

# Installs the package of numpy arrays with nothing but what it depends on; Python runs the README's lines without
# ParaView. Then the same with both packages: pvpython, pvbatch and a pvserver extract a surface with the plugin, which
# they load by themselves; so does the batch tool. Removes the packages. Then the system has the same files as without
# them.
use_packages() {
  write_array_script
  cat >"$user/root/surface.py" <<'PYTHON'
import sys
from paraview import simple
if len(sys.argv) > 1:
    simple.Connect(sys.argv[1])
from paraview.simple import PointDatatoCellData, VulkanMarchingCubes, Wavelet
from vulkanmarchingcubes import vtkVulkanMarchingCubes

surface = VulkanMarchingCubes(Input=PointDatatoCellData(Input=Wavelet()), ContourBy=["CELLS", "RTData"], Isosurfaces=[130])
surface.UpdatePipeline()
triangles = surface.GetDataInformation().GetNumberOfCells()
print(triangles, "triangles on", surface.UsedDevice, "by", vtkVulkanMarchingCubes().GetClassName())
sys.exit(triangles == 0)
PYTHON
  # shellcheck disable=SC2016
  inside "$user" bash -euc '
    export DEBIAN_FRONTEND=noninteractive PYTHONDONTWRITEBYTECODE=1
    files() {
      find / -xdev -regextype egrep -regex "/(root|tmp|var|proc|sys|dev)" -prune -o -print | sort
    }
    without() {
      for package; do
        case $(dpkg-query --show --showformat="\${db:Status-Status}" "$package" 2>/dev/null || true) in
          installed) echo "$package is installed"; exit 1 ;;
        esac
      done
    }
    # try(function, package, dependency...): dependencies that are packages of this project, too.
    try() {
      apt-get satisfy -qq -y --no-install-recommends \
        "$(dpkg-deb --field "./$2"_*.deb Depends | sed "s/, [a-z0-9-]*vulkan-marching-cubes ([^)]*)//")"
      files >before
      without cmake libvulkan-dev paraview-dev
      apt-get install -qq -y --no-install-recommends $(printf "./%s_*.deb " "${@:2}")
      "$1"
      apt-get remove -qq -y "${@:2}"
      files | diff before -
    }
    use_arrays() {
      without paraview python3-paraview
      python3 array.py
    }
    use_plugin() {
      python3 array.py
      pvpython surface.py
      pvbatch surface.py
      timeout 120 pvserver &
      pvpython surface.py localhost
      wait $! # it ends with its client
      { head --bytes=13 /dev/zero; printf d; head --bytes=13 /dev/zero; } >peak_3x3x3_uint8.raw
      pvpython /usr/share/vulkan-marching-cubes/isosurface.py peak_3x3x3_uint8.raw --isovalue 50 --output peak.obj
      [ "$(grep --count "^f " peak.obj)" -eq 8 ] # an octahedron around the sample of 100
    }
    cd /root
    apt-get update -qq
    try use_arrays python3-vulkan-marching-cubes
    try use_plugin paraview-plugin-vulkan-marching-cubes python3-vulkan-marching-cubes'
}

# Installs, uses and removes the Python package by pip, which downloads nothing.
use_pip() {
  inside "$builder" apt-get install -qq -y --no-install-recommends python3-pip python3-scikit-build-core &&
    in_project pip install --no-index --no-build-isolation --break-system-packages . &&
    inside "$builder" bash -c "cd && python3 array.py" &&
    in_project pip uninstall --yes --break-system-packages vulkanmarchingcubes
}

step "make systems" "$folder" make_systems
step demo.sh "$builder" in_project Utilities/demo.sh
demo="$minutes min, $grown MB"
step "build the packages" "$builder" build_packages
step "install, use and remove the packages" "$user" use_packages
packages="$minutes min, $grown MB"
if [ "$release" != bookworm ]; then # which has no scikit-build-core
  step "install by pip, use and remove" "$builder" use_pip
fi
step test.sh "$builder" in_project Utilities/test.sh "${@:3}"
tests=$(sed -n 's/^.*% tests passed, //p' "$folder/test.sh.log" | tail -n 1)
printf '| %s | %s | %s | %s | %s | %s | %s |\n' \
  "$release" "$(date --utc +%F)" "$(versions)" "$demo" "$packages" "$minutes min, $grown MB" "$tests"
