#!/usr/bin/env bash
# SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
# SPDX-License-Identifier: BSD-3-Clause

# Tries what can go wrong in the core: random cases, inputs of libFuzzer for code that reads names and files, failures of
# Vulkan and of the host's memory, many executions in one process, and mutants of the sources. Also runs on a fresh
# Debian 12 or 13 (as root, or with sudo). Needs no ParaView.
#
#   Utilities/torture.sh [MINUTES [SEED]]    30 minutes, and a seed from the clock, unless stated
#
# The minutes are those of the programs, after the build: four tenths for random cases on the CPU, two for those on both
# engines, one for libFuzzer, one for failures and many executions, and two for mutants. Writes build/torture/Torture.md:
# the tables of the programs, which Documentation/Testing.md explains. The exit status is 1 if a program has found
# something.
set -euo pipefail
minutes=${1:-30}
seed=${2:-$(date +%s)}
# shellcheck source=Utilities/prepare.sh
. "$(dirname "$0")/prepare.sh"

parsers=(DeviceNames Environment KernelCacheFile Plan) # in Testing/Torture/Parse
install_torture_packages
build core vmcFuzz vmcFaults vmcSoak "${parsers[@]/#/vmcFuzz}"
build fuzz "${parsers[@]/#/vmcFuzz}"
out=build/torture
mkdir -p "$out"
report=$out/Torture.md
printf '# Seed %s, %s minutes, %s\n' "$seed" "$minutes" "$(date -u +%F)" >"$report"
failed=0

# Runs a program for the report. The first argument is its heading.
try() {
  say "$1"
  printf '\n## %s\n\n' "$1" >>"$report"
  shift
  local status=0
  "$@" >>"$report" || status=$?
  case $status in
    0) ;;
    77) say "skipped: there is no Vulkan device" ;;
    *) failed=1; say "this has found something" ;;
  esac
}

# Runs the targets of libFuzzer for so many seconds each. Prints a table. An input that a target fails with is saved in
# build/torture.
fuzz_parsers() {
  local parser found=0
  printf '| target | inputs | end |\n| --- | --- | --- |\n'
  for parser in "${parsers[@]}"; do
    local inputs=$out/inputs/$parser log=$out/$parser.log end=right
    mkdir -p "$inputs"
    build/core/bin/vmcFuzz"$parser" "Testing/Torture/Parse/Inputs/$parser.txt" "$inputs" >/dev/null
    build/fuzz/bin/vmcFuzz"$parser" -max_total_time="$1" -max_len=256 -print_final_stats=1 -seed="$seed" \
      -artifact_prefix="$out/" "$inputs" >"$log" 2>&1 || { found=1 end="FAILED, see $log"; }
    printf '| %s | %s | %s |\n' "$parser" "$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")" "$end"
  done
  return "$found"
}

seconds=$((minutes * 6)) # a tenth
bin=build/core/bin
try "Random cases, CPU" "$bin/vmcFuzz" --seed="$seed" --seconds=$((4 * seconds))
export VMC_DEVICE=${VMC_DEVICE:-0}
VMC_VALIDATION=1 try "Random cases, both engines" "$bin/vmcFuzz" --seed="$seed" --engine=both --seconds=$((2 * seconds))
try "Inputs of libFuzzer" fuzz_parsers $((1 + seconds / ${#parsers[@]}))
try "Failures" "$bin/vmcFaults" --seed="$seed" --faults=$((2 * seconds))
try "Many executions" "$bin/vmcSoak" --executions=$((300 + 10 * seconds))
try "Mutants" /usr/bin/python3 Testing/Torture/mutate.py "$out/mutants" --seed="$seed" --mutants=$((1 + seconds / 45))
say "wrote $report"
exit "$failed"
