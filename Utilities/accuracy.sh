#!/usr/bin/env bash
# Measures how far the surfaces of this machine's Vulkan device are from exact ones, on a fresh Debian 12 too (as root,
# or with sudo); needs no ParaView.
#
#   Utilities/accuracy.sh
#
# Writes Documentation/Accuracy.md. Fails, and leaves that file as it was, if an error is above the bound stated there.
set -euo pipefail
# shellcheck source=Utilities/prepare.sh
. "$(dirname "$0")/prepare.sh"

install_core_packages
build core vmcMeasureAccuracy
say "measuring"
measured=build/core/Accuracy.md
build/core/bin/vmcMeasureAccuracy >"$measured" || fail "what was measured is in $measured"
mv "$measured" Documentation/Accuracy.md
say "made Documentation/Accuracy.md"
