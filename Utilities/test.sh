#!/usr/bin/env bash
# Builds everything and runs the tests, on a fresh Debian 12 too (as root, or with sudo).
#
#   Utilities/test.sh                 all tests
#   Utilities/test.sh -L unit         arguments go to ctest
#
# The exit status is ctest's. Tests that need a display bring their own.
set -euo pipefail
# shellcheck source=Utilities/prepare.sh
. "$(dirname "$0")/prepare.sh"

install_packages
build dev
say "testing"
exec ctest --preset dev "$@"
