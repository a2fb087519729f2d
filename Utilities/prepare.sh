# SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
# SPDX-License-Identifier: BSD-3-Clause

# Functions of the other scripts: install packages, build. Sourcing this file changes to the root of the checkout.
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
    fail "packages must be installed: run as root, or install sudo"
  fi
}

is_installed() {
  [ "$(dpkg-query --show --showformat='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

# Installs the missing packages of debian-packages.txt but those of lint and fuzzing. Contacts no server if none is
# missing.
install_packages() {
  install_packages_without '/^# lint/,/^$/d; /^# fuzzing/,/^$/d'
}

# The same with those of lint.
install_test_packages() {
  install_packages_without '/^# fuzzing/,/^$/d'
}

# The same without ParaView's, which the preset core does not need.
install_core_packages() {
  install_packages_without '/^# ParaView/,/^$/d; /^# lint/,/^$/d; /^# fuzzing/,/^$/d'
}

# The same with those of fuzzing.
install_torture_packages() {
  install_packages_without '/^# ParaView/,/^$/d; /^# lint/,/^$/d'
}

# The same without the lines of the list that the given sed command deletes.
install_packages_without() {
  local package releases this missing=()
  command -v dpkg-query >/dev/null ||
    fail "this is not Debian: install the packages of debian-packages.txt, then use CMake"
  this=$(. /etc/os-release && printf '%s' "${VERSION_CODENAME:-}")
  while read -r package releases; do
    [ -z "$releases" ] || [[ " $releases " == *" $this "* ]] || continue
    is_installed "$package" || missing+=("$package")
  done < <(sed "$1" Utilities/debian-packages.txt | sed 's/#.*//; /^[[:space:]]*$/d')
  [ ${#missing[@]} -gt 0 ] || return 0
  say "installing ${#missing[@]} packages and their dependencies: ${missing[*]}"
  as_root apt-get update -qq </dev/null
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends \
    -o Acquire::Retries=3 -o Dpkg::Use-Pty=0 "${missing[@]}" </dev/null
}

# Configures a CMake preset and builds it, or only the given targets. Prints CMake's output if configuration fails.
build() {
  local preset=$1 targets=("${@:2}") log=build/$1-configure.log quiet=(--quiet)
  say "building (preset $preset)"
  mkdir -p build
  cmake --preset "$preset" >"$log" 2>&1 </dev/null || { cat "$log" >&2; exit 1; }
  if [ -t 1 ]; then quiet=(); fi
  cmake --build --preset "$preset" -- "${quiet[@]}" "${targets[@]}"
}
