// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Program.h"

#include "Compute/Context.h"
#include "Compute/Engine/DeviceEngine.h"
#include "Support/DeviceDescription.h"
#include "Threads.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <fstream>
#include <iostream>
#include <stdexcept>

namespace vmc::benchmarks
{

namespace
{

std::string processorName()
{
  std::ifstream information("/proc/cpuinfo");
  for (std::string line; std::getline(information, line);)
    if (line.rfind("model name", 0) == 0)
      return line.substr(line.find(':') + 2);
  return "unknown processor";
}

// Software devices take minutes beyond 512^3. On all machines, samples take at most a quarter of the host's memory,
// which also has to store the surfaces of vtkFlyingEdges3D.
std::uint32_t defaultLargestSize(bool isSoftware)
{
  constexpr std::uint64_t Software = 512, Largest = 1536;
  const std::uint64_t hostBytes = std::uint64_t(sysconf(_SC_PHYS_PAGES)) * std::uint64_t(sysconf(_SC_PAGESIZE));
  std::uint64_t size = isSoftware ? Software : Largest;
  while (size > 128 && size * size * size * sizeof(float) > hostBytes / 4)
    size /= 2;
  return static_cast<std::uint32_t>(size);
}

// Reads the program's own options and removes them from the arguments.
Options takeOptions(int& argc, char** argv, bool isSoftware)
{
  Options options;
  options.isSoftware = isSoftware;
  options.largestSize = defaultLargestSize(isSoftware);
  int kept = 1;
  for (int i = 1; i < argc; ++i)
    if (std::strncmp(argv[i], "--largest=", 10) == 0)
      options.largestSize = static_cast<std::uint32_t>(std::atoi(argv[i] + 10));
    else if (std::strncmp(argv[i], "--repetitions=", 14) == 0)
      options.repetitions = std::max(1, std::atoi(argv[i] + 14));
    else
      argv[kept++] = argv[i];
  argc = kept;
  return options;
}

}

void addRow(const std::string& name, int repetitions, Run run)
{
  benchmark::RegisterBenchmark(name.c_str(),
    [run](benchmark::State& state)
    {
      for (auto _ : state)
        state.SetIterationTime(run(state) / 1000);
    })
    ->Unit(benchmark::kMillisecond)
    ->UseManualTime()
    ->Iterations(1)
    ->Repetitions(repetitions)
    ->ReportAggregatesOnly();
}

int affordableRuns(double nanosecondsPerRun, int atMost)
{
  const double runs = 5e9 / nanosecondsPerRun;
  return runs >= atMost ? atMost : std::max(std::min(3, atMost), static_cast<int>(runs));
}

void leaveOut(const std::vector<std::string>& leftOut)
{
  std::string all;
  for (const std::string& sentence : leftOut)
  {
    std::cerr << "left out: " << sentence << std::endl;
    all += (all.empty() ? "" : "; ") + sentence;
  }
  benchmark::AddCustomContext("left_out", all);
}

namespace
{

// Destroys the rows before main ends, and with them the devices and filters that they own.
struct EndOfRows
{
  ~EndOfRows() { benchmark::ClearRegisteredBenchmarks(); }
};

}

int runProgram(int argc, char** argv, const Engine& engine, const AddRows& addRows)
{
  const EndOfRows end;
  try
  {
    const auto* const onDevice = dynamic_cast<const DeviceEngine*>(&engine);
    const Device* const device = onDevice ? &onDevice->context()->device() : nullptr;
    const bool isSoftware = !device || device->traits().type == DeviceTraits::Type::Software;
    const Options options = takeOptions(argc, argv, isSoftware);
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv))
      return 1;
    benchmark::AddCustomContext("device", engine.deviceName());
    benchmark::AddCustomContext("driver", device ? test::driverOf(*device) : "");
    benchmark::AddCustomContext("unified_memory", !device || device->hasUnifiedMemory() ? "yes" : "no");
    benchmark::AddCustomContext("processor", processorName());
    benchmark::AddCustomContext("processors", std::to_string(processors()));
    addRows(options);
    benchmark::RunSpecifiedBenchmarks();
    return 0;
  }
  catch (const std::exception& error)
  {
    std::cerr << error.what() << std::endl;
    return 1;
  }
}

}
