// What both benchmark programs share: options, the description of the machine, rows of results.
#ifndef vmcProgram_h
#define vmcProgram_h

#include "Cases.h"
#include "Compute/Vulkan/Device.h"

#include <benchmark/benchmark.h>

#include <functional>
#include <string>
#include <vector>

namespace vmc::benchmarks
{

constexpr int WarmUps = 3;                  // runs before the first one that counts, at least,
constexpr double WarmUpMilliseconds = 1000; // and as many as take so long: an idle GPU has a low clock

struct Options
{
  bool isSoftware = false;       // the Vulkan device is a CPU
  std::uint32_t largestSize = 0; // --largest=N: samples along an axis
  int repetitions = 20;          // --repetitions=N
};

// One run: returns its milliseconds by the clock that the row names, and may add counters.
using Run = std::function<double(benchmark::State& state)>;

// Adds a row; its time and counters are medians of `repetitions` runs.
void addRow(const std::string& name, int repetitions, Run run);

// Calls `run`, which returns the milliseconds that it took, as often as it takes to warm up.
template <class RunOnce>
void warmUp(const RunOnce& run)
{
  double elapsed = 0;
  for (int runs = 0; runs < WarmUps || elapsed < WarmUpMilliseconds; ++runs)
    elapsed += run();
}

// Registers the rows of a program.
using AddRows = std::function<void(const Options& options, const Selection& selection)>;

// The body of main: reads the options, those of Google Benchmark too, describes the machine in the output and runs the
// rows. Status 0; 1 if a surface is wrong or something failed, and the error stream tells what.
int runProgram(int argc, char** argv, const Device& device, const AddRows& addRows);

// Names in the output what is not measured, and why.
void leaveOut(const std::vector<std::string>& leftOut);

}

#endif
