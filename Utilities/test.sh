#!/usr/bin/env bash
# SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
# SPDX-License-Identifier: BSD-3-Clause

# Builds everything and runs the tests. Also runs on a fresh Debian 12, 13 or forky (as root, or with sudo).
#
#   Utilities/test.sh                 all tests
#   Utilities/test.sh -L unit         passes the arguments to ctest
#
# One test per processor runs at a time. Unless names are selected (-R, -E), the tests of a suite of GoogleTest share one
# process and are one test of ctest. The exit status is ctest's. Tests that need a display start their own.
set -euo pipefail
# shellcheck source=Utilities/prepare.sh
. "$(dirname "$0")/prepare.sh"

install_test_packages
build dev
say "testing"
[[ " $*" == *" -"[RE]* ]] || export VMC_TESTS_BY_SUITE=1
# The software Vulkan of Mesa 26.1 crashes or computes wrong values on processors with AVX-512 if its compiler optimizes.
mesa=$(dpkg-query --show --showformat='${Version}' mesa-vulkan-drivers 2>/dev/null || true)
if dpkg --compare-versions "$mesa" ge 26; then export GALLIVM_PERF=nopt; fi
exec ctest --preset dev --parallel "$(nproc)" "$@"
