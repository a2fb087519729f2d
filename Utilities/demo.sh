#!/usr/bin/env bash
# SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
# SPDX-License-Identifier: BSD-3-Clause

# Extracts and renders an isosurface with the plugin. Also runs on a fresh Debian 12, 13 or forky (as root, or with
# sudo).
#
#   Utilities/demo.sh                    contours a procedural 256^3 CT volume of a chest
#   Utilities/demo.sh VOLUME ISOVALUE    contours your own volume, in a format that isosurface.py reads
#
# Writes demo-output/isosurface.png and demo-output/isosurface.vtp.
set -euo pipefail
case $# in
  0) volume='' isovalue=120 ;;
  2) volume=$(realpath -- "$1") isovalue=$2 ;;
  *) printf 'usage: demo.sh [VOLUME ISOVALUE]\n' >&2; exit 2 ;;
esac
# shellcheck source=Utilities/prepare.sh
. "$(dirname "$0")/prepare.sh"

install_packages
build release
plugin=$(find build/release -name VulkanMarchingCubes.so -print -quit)
output=demo-output
mkdir -p "$output"

if [ -z "$volume" ]; then
  say "making a volume"
  volume=$(pvpython Utilities/make_phantom.py "$output")
  sweep=40:200:20
fi

say "isovalue $isovalue of $(basename "$volume")"
xvfb-run -a pvpython Utilities/isosurface.py "$volume" --isovalue "$isovalue" --plugin "$plugin" \
  --output "$output/isosurface.vtp" --image "$output/isosurface.png"
if [ -n "${sweep:-}" ]; then
  say "a sweep over isovalues of one volume: the times only"
  pvpython Utilities/isosurface.py "$volume" --sweep "$sweep" --plugin "$plugin"
fi
say "wrote $output/isosurface.png and $output/isosurface.vtp"
