#!/usr/bin/env bash
# Measures how fast the plugin, its core and its peers are, on a fresh Debian 12 too (as root, or with sudo). Best on a
# machine that does nothing else; takes about 20 minutes without a GPU.
#
#   Utilities/benchmark.sh [OPTION...]              options for both programs: --largest=1536, --repetitions=20,
#                                                   and those of Google Benchmark
#   Utilities/benchmark.sh MEASURED.json...         instead, what both programs measured elsewhere
#                                                   (--benchmark_out=MEASURED.json --benchmark_out_format=json)
#
# VMC_VOLUMES names a folder of raw volumes, VMC_VOLUME_FILES one of .vti and .vtk files; what needs them is left out
# without. Writes Documentation/Performance.md with one chart a machine, from Documentation/performance, which keeps the
# medians of every machine that was measured. Fails, and leaves these as they were, if a surface is wrong.
set -euo pipefail
measured=()
if [[ ${1:-} == *.json ]]; then
  mapfile -t measured < <(realpath -- "$@")
fi
# shellcheck source=Utilities/prepare.sh
. "$(dirname "$0")/prepare.sh"

install_packages
if [ ${#measured[@]} -eq 0 ]; then
  build benchmark vmcCoreBenchmarks vmcFilterBenchmarks
  for program in vmcCoreBenchmarks vmcFilterBenchmarks; do
    say "measuring with $program"
    "build/benchmark/bin/$program" "$@" \
      --benchmark_out="build/benchmark/$program.json" --benchmark_out_format=json
    measured+=("build/benchmark/$program.json")
  done
fi
say "writing"
performance=Testing/Benchmarks/performance.py
summary=$(/usr/bin/python3 "$performance" summarize Documentation/performance "${measured[@]}")
/usr/bin/python3 "$performance" write Documentation/performance Documentation/Performance.md
chart=Documentation/images/performance-$(basename "$summary" .json).png
xvfb-run -a pvpython Testing/Benchmarks/performance_chart.py "$summary" "$chart"
say "made Documentation/Performance.md and $chart"
