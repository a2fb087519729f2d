# Installing and building, for the scripts beside this one. Source it: it changes to the root of the checkout.
# shellcheck shell=bash

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root" || exit

say() {
  printf '== %s\n' "$*"
}

fail() {
  printf '%s: %s\n' "$(basename "$0")" "$*" >&2
  exit 2
}

as_root() {
  if [ "$(id -u)" -eq 0 ]; then
    "$@"
  elif command -v sudo >/dev/null; then
    sudo "$@"
  else
    fail "packages have to be installed: run as root, or install sudo"
  fi
}

is_installed() {
  [ "$(dpkg-query --show --showformat='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

# Installs the packages of debian-packages.txt that are missing; asks no server for anything when none is.
install_packages() {
  install_packages_without ''
}

# Likewise, but not those of ParaView: the preset core does without.
install_core_packages() {
  install_packages_without '/^# ParaView/,/^$/d'
}

# Leaves out the lines of the list that a command of sed deletes.
install_packages_without() {
  local package missing=()
  command -v dpkg-query >/dev/null || fail "this is not Debian: install what debian-packages.txt lists, then use CMake"
  while read -r package; do
    is_installed "$package" || missing+=("$package")
  done < <(sed "$1" Utilities/debian-packages.txt | sed 's/#.*//; /^[[:space:]]*$/d')
  [ ${#missing[@]} -gt 0 ] || return 0
  say "installing ${#missing[@]} packages and what they need: ${missing[*]}"
  as_root apt-get update -qq </dev/null
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends \
    -o Acquire::Retries=3 -o Dpkg::Use-Pty=0 "${missing[@]}" </dev/null
}

# Configures a CMake preset and builds it, or only the targets that follow; what CMake says is kept for when it fails.
build() {
  local preset=$1 targets=("${@:2}") log=build/$1-configure.log quiet=(--quiet)
  say "building (preset $preset)"
  mkdir -p build
  cmake --preset "$preset" >"$log" 2>&1 </dev/null || { cat "$log" >&2; exit 1; }
  if [ -t 1 ]; then quiet=(); fi
  cmake --build --preset "$preset" -- "${quiet[@]}" "${targets[@]}"
}
