#!/usr/bin/env bash
# SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
# SPDX-License-Identifier: BSD-3-Clause

# Times the plugin, its core, the drawing of surfaces, and their peers: all tables of Performance.md. Also runs on a
# fresh Debian 12 or 13 (as root, or with sudo). Run it on an idle machine; takes more than an hour without a GPU.
#
#   Utilities/benchmark.sh [OPTION...]              options for all programs: --largest=1536, --repetitions=20,
#                                                   and those of Google Benchmark
#   Utilities/benchmark.sh MEASURED.json...         uses the output of the programs on another machine instead
#                                                   (--benchmark_out=MEASURED.json --benchmark_out_format=json);
#                                                   vmcCoreBenchmarks and vmcFilterBenchmarks together, others alone
#                                                   or with them, but vmcCpuBenchmarks always alone. What is not
#                                                   measured keeps its earlier values
#
# VMC_VOLUMES names a folder of raw volumes, VMC_VOLUME_FILES a folder of .vti and .vtk files. Cases whose volume is
# missing are left out. Writes Documentation/Performance.md with one chart per machine, from the medians of all measured
# machines in Documentation/performance. If a surface is wrong, fails and does not change these files.
set -euo pipefail
measured=()
if [[ ${1:-} == *.json ]]; then
  mapfile -t measured < <(realpath -- "$@")
fi
# shellcheck source=Utilities/prepare.sh
. "$(dirname "$0")/prepare.sh"

install_packages
if [ ${#measured[@]} -eq 0 ]; then
  programs=(vmcCoreBenchmarks vmcFilterBenchmarks vmcRenderBenchmarks vmcSlabBenchmarks vmcLevelBenchmarks
    vmcMeasureBenchmarks vmcFirstSurfaceBenchmarks)
  build benchmark "${programs[@]}" vmcCpuBenchmarks
  say "measuring with vmcCpuBenchmarks"
  build/benchmark/bin/vmcCpuBenchmarks "$@" \
    --benchmark_out=build/benchmark/vmcCpuBenchmarks.json --benchmark_out_format=json
  /usr/bin/python3 Testing/Benchmarks/performance.py summarize Documentation/performance \
    build/benchmark/vmcCpuBenchmarks.json
  for program in "${programs[@]}"; do
    say "measuring with $program"
    "build/benchmark/bin/$program" "$@" \
      --benchmark_out="build/benchmark/$program.json" --benchmark_out_format=json
    if [ -s "build/benchmark/$program.json" ]; then # empty if the options leave out all its rows
      measured+=("build/benchmark/$program.json")
    fi
  done
fi
say "writing"
performance=Testing/Benchmarks/performance.py
summary=$(/usr/bin/python3 "$performance" summarize Documentation/performance "${measured[@]}")
/usr/bin/python3 "$performance" write Documentation/performance Documentation/Performance.md
case $(basename "$summary") in
  cpu-*)
    say "wrote Documentation/Performance.md"
    exit
    ;;
esac
chart=Documentation/images/performance-$(basename "$summary" .json).png
xvfb-run -a pvpython Testing/Benchmarks/performance_chart.py "$summary" "$chart"
say "wrote Documentation/Performance.md and $chart"
