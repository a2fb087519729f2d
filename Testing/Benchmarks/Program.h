// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Code shared by the benchmark programs: options, the description of the machine, rows of results.
#ifndef vmcProgram_h
#define vmcProgram_h

#include "Cases.h"
#include "Compute/Engine.h"

#include <benchmark/benchmark.h>

#include <functional>
#include <string>
#include <vector>

namespace vmc::benchmarks
{

constexpr int WarmUps = 3;                  // least number of warm-up runs
constexpr double WarmUpMilliseconds = 1000; // least duration of warm-up: an idle GPU has a low clock rate

// The approximate time of the CPU engine per sample on one thread, for dense surfaces and histograms; others take less.
constexpr double CpuEngineNanoseconds = 4;

struct Options
{
  bool isSoftware = false;       // the Vulkan device is a CPU
  std::uint32_t largestSize = 0; // --largest=N: samples along an axis
  int repetitions = 20;          // --repetitions=N
};

// One run. Returns its milliseconds by the row's clock; may add counters.
using Run = std::function<double(benchmark::State& state)>;

// Adds a row. Its time and counters are medians of `repetitions` runs.
void addRow(const std::string& name, int repetitions, Run run);

// The number of runs that take about 5 seconds in total, but at least 3 unless `atMost` is less.
int affordableRuns(double nanosecondsPerRun, int atMost);

// Calls `run`, which returns its milliseconds, until the warm-up is complete.
template <class RunOnce>
void warmUp(const RunOnce& run)
{
  double elapsed = 0;
  for (int runs = 0; runs < WarmUps || elapsed < WarmUpMilliseconds; ++runs)
    elapsed += run();
}

// Registers the rows of a program.
using AddRows = std::function<void(const Options& options)>;

// The body of main. Reads the options, including those of Google Benchmark, describes the machine in the output and
// runs the rows. Returns 0, or 1 after an error, which is printed on the error stream. A wrong surface is an error.
int runProgram(int argc, char** argv, const Engine& engine, const AddRows& addRows);

// Lists the cases that are not measured and the reasons, in the output and on the error stream.
void leaveOut(const std::vector<std::string>& leftOut);

}

#endif
