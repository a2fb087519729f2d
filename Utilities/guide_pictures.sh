#!/usr/bin/env bash
# SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
# SPDX-License-Identifier: BSD-3-Clause

# Makes the pictures of Documentation/UserGuide.md: starts the client with the plugins, shows the volume of
# make_phantom.py, and saves the window. Also runs on a fresh Debian 12 (as root, or with sudo).
#
#   Utilities/guide_pictures.sh
#
# Writes Documentation/images/isovalue-*.png.
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
export VMC_GUIDE_VOLUME VMC_GUIDE_PICTURES PV_PLUGIN_PATH VMC_CLIENT_TEST=choosingAnIsovalue
say "taking pictures"
xvfb-run -a -s "-screen 0 1200x840x24 -noreset" paraview --dr
say "wrote the pictures in Documentation/images"
