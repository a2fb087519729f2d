// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Runs random cases of the core and compares their results with oracles. Writes a table of outcomes in Markdown to the
// standard output, and failures, reduced, to the standard error stream. Status 0: all results are right or clear
// errors; 1: some are not; 2: wrong arguments; 77: no device.
//
// usage: vmcFuzz [--seed=N] [--first=K] [--executions=N | --seconds=N] [--engine=cpu|device|both] [--verbose]
#include "Compute/Context.h"
#include "Compute/Engine.h"
#include "Compute/Engine/CpuEngine.h"
#include "Compute/Engine/DeviceEngine.h"
#include "Compute/System/Error.h"
#include "Compute/Volume/LevelCache.h"
#include "Compute/Volume/VolumeCache.h"
#include "Mismatch.h"
#include "Oracles.h"
#include "OutcomeTable.h"
#include "Reduce.h"

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <iostream>
#include <map>
#include <string>

#include <unistd.h>

namespace
{

using namespace vmc;
using namespace vmc::torture;

constexpr int Skipped = 77;             // the SKIP_RETURN_CODE of the test
constexpr std::size_t MostReduced = 10; // failures; further ones are counted

struct Arguments
{
  std::uint64_t seed = 1, first = 0, executions = 1000;
  double seconds = 0; // 0: no limit
  std::string engine = "cpu";
  bool isVerbose = false;
};

// Returns false if an argument is not known.
bool parse(int count, char** values, Arguments& arguments)
{
  for (int i = 1; i < count; ++i)
  {
    const std::string argument = values[i];
    const std::size_t at = argument.find('=');
    const std::string name = argument.substr(0, at), value = at == std::string::npos ? "" : argument.substr(at + 1);
    if (name == "--seed")
      arguments.seed = std::strtoull(value.c_str(), nullptr, 10);
    else if (name == "--first")
      arguments.first = std::strtoull(value.c_str(), nullptr, 10);
    else if (name == "--executions")
      arguments.executions = std::strtoull(value.c_str(), nullptr, 10);
    else if (name == "--seconds")
    {
      arguments.seconds = std::strtod(value.c_str(), nullptr);
      arguments.executions = ~std::uint64_t(0);
    }
    else if (name == "--engine" && (value == "cpu" || value == "device" || value == "both"))
      arguments.engine = value;
    else if (argument == "--verbose")
      arguments.isVerbose = true;
    else
      return false;
  }
  return true;
}

// The number of the current execution, for the signal handler.
std::atomic<std::uint64_t> currentNumber{ 0 };

// Writes the number of the execution that crashes. Calls only functions that signal handlers may call.
void writeNumber(int signal)
{
  char text[] = "vmcFuzz: a signal ended execution                     \n";
  char* digit = text + sizeof(text) - 3;
  for (std::uint64_t number = currentNumber; digit == text + sizeof(text) - 3 || number > 0; number /= 10)
    *digit-- = static_cast<char>('0' + number % 10);
  [[maybe_unused]] const auto written = write(2, text, sizeof(text) - 1);
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

Target targetOfCpu()
{
  return { "CPU", false,
    []
    {
      return std::make_unique<CpuSession>(
        Engine::shared("CPU")->hostMemory(), std::make_shared<BrickRangeCache>(), std::make_shared<LevelCache>());
    } };
}

// The first device, as VMC_DEVICE selects it. Never closed: drivers do not unload reliably at the end of a process.
Target targetOfDevice()
{
  static auto* const context = new std::shared_ptr<Context>(std::make_shared<Context>());
  return { (*context)->device().traits().name, true,
    []
    {
      return std::make_unique<VulkanSession>(
        *context, std::make_shared<VolumeCache>(*context), std::make_shared<LevelCache>());
    } };
}

void print(const std::map<std::string, OutcomeCounts>& table, double seconds)
{
  const OutcomeCounts all = printTable(table);
  std::cout << "\n" << double(all.cases) / seconds << " executions per second. Checks:";
  for (const auto& [oracle, count] : Oracle::counts())
    std::cout << " " << oracle << " " << count << ";";
  std::cout << std::endl;
}

// Runs the executions. Returns the number of wrong ones.
std::size_t run(const Arguments& arguments, const std::vector<Target>& targets)
{
  using Clock = std::chrono::steady_clock;
  const Clock::time_point begin = Clock::now();
  const auto seconds = [&] { return std::chrono::duration<double>(Clock::now() - begin).count(); };
  std::map<std::string, OutcomeCounts> table;
  std::size_t wrong = 0;
  for (std::uint64_t i = 0; i < arguments.executions && (arguments.seconds == 0 || seconds() < arguments.seconds); ++i)
  {
    currentNumber = arguments.first + i;
    const Case made = randomCase(arguments.seed, arguments.first + i);
    if (arguments.isVerbose)
      std::cerr << "execution " << made.number << " (" << made.className() << ")\n" << describe(made) << std::endl;
    const Result result = check(made, targets);
    OutcomeCounts& counts = table[made.className()];
    ++counts.cases;
    ++(result.outcome == Outcome::Right        ? counts.right
       : result.outcome == Outcome::ClearError ? counts.clear
                                               : counts.other);
    if (arguments.isVerbose && result.outcome == Outcome::ClearError)
      std::cerr << "refused: " << result.text << std::endl;
    if (result.outcome != Outcome::Wrong)
      continue;
    std::cerr << "\nExecution " << made.number << " of seed " << made.seed << " fails: " << result.oracle << ": "
              << result.text << std::endl;
    if (++wrong <= MostReduced)
      report(made, result, targets, std::cerr);
  }
  print(table, seconds());
  return wrong;
}

}

int main(int count, char** values)
{
  Arguments arguments;
  if (!parse(count, values, arguments))
  {
    std::cerr << "usage: vmcFuzz [--seed=N] [--first=K] [--executions=N | --seconds=N] [--engine=cpu|device|both]"
                 " [--verbose]"
              << std::endl;
    return 2;
  }
  for (const int signal : { SIGSEGV, SIGABRT, SIGFPE, SIGILL, SIGTERM })
    std::signal(signal, writeNumber);
  try
  {
    std::vector<Target> targets;
    if (arguments.engine != "device")
      targets.push_back(targetOfCpu());
    if (arguments.engine != "cpu")
      targets.push_back(targetOfDevice());
    return run(arguments, targets) == 0 ? 0 : 1;
  }
  catch (const Error& error)
  {
    std::cerr << error.what() << std::endl;
    return error.kind() == Error::Kind::NoDevice ? Skipped : 1;
  }
}
