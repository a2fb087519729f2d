#!/usr/bin/env bash
# SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
# SPDX-License-Identifier: BSD-3-Clause

# Makes the pictures of Documentation/UserGuide.md. guide_pictures.py shows surfaces side by side; the client with the
# plugins shows its window. Also runs on a fresh Debian 12 or 13 (as root, or with sudo).
#
#   Utilities/guide_pictures.sh
#
# Writes the pictures to Documentation/images: border, boundary, attributes, levels, direction, first-isosurface and isovalue-*.
set -euo pipefail
# shellcheck source=Utilities/prepare.sh
. "$(dirname "$0")/prepare.sh"

install_packages
build dev VulkanMarchingCubes VulkanMarchingCubesWidgets ClientTest
say "making a volume"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
VMC_GUIDE_VOLUME=$(pvpython Utilities/make_phantom.py "$folder")
VMC_GUIDE_PICTURES=$root/Documentation/images
PV_PLUGIN_PATH=$(find build/dev -name 'VulkanMarchingCubes*.so' -o -name ClientTest.so | xargs -n 1 dirname | sort -u | paste -sd:)
export VMC_GUIDE_VOLUME PV_PLUGIN_PATH
say "taking pictures of surfaces"
xvfb-run -a -s "-screen 0 1280x840x24 -noreset" pvpython Utilities/guide_pictures.py "$VMC_GUIDE_PICTURES"
export VMC_GUIDE_PICTURES VMC_CLIENT_TEST="firstIsosurface choosingAnIsovalue"
say "taking pictures of the client"
xvfb-run -a -s "-screen 0 1200x840x24 -noreset" paraview --dr
say "wrote the pictures in Documentation/images"
