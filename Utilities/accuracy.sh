#!/usr/bin/env bash
# SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
# SPDX-License-Identifier: BSD-3-Clause

# Measures the accuracy of the surfaces of the first Vulkan device. Also runs on a fresh Debian 12 or 13 (as root, or
# with sudo). Needs no ParaView.
#
#   Utilities/accuracy.sh
#   VMC_DEVICE=CPU Utilities/accuracy.sh     another device: a name, or a number in the list of devices
#
# Writes Documentation/Accuracy.md. If an error exceeds the bound in that file, fails and does not change the file.
set -euo pipefail
# shellcheck source=Utilities/prepare.sh
. "$(dirname "$0")/prepare.sh"

install_core_packages
build core vmcMeasureAccuracy
say "measuring"
measured=build/core/Accuracy.md
VMC_DEVICE=${VMC_DEVICE:-0} build/core/bin/vmcMeasureAccuracy >"$measured" || fail "the measured errors are in $measured"
mv "$measured" Documentation/Accuracy.md
say "wrote Documentation/Accuracy.md"
