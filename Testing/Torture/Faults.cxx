// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Lets calls of Vulkan and allocations of host memory fail, one after the other, while the core works. Each execution
// must give the right results or a clear error, and the next one must be right. Writes a table of outcomes in Markdown
// to the standard output, and failures to the standard error stream. Status 0: all are as they must be; 1: some are
// not; 2: wrong arguments; 77: no device, or the loader of Vulkan loads no layer.
//
// usage: vmcFaults [--seed=N] [--first=K] [--faults=N] [--only=CASE ...] [--verbose]
#include "Compute/System/Error.h"
#include "FaultCases.h"
#include "HostFaults.h"
#include "OutcomeTable.h"

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include <dlfcn.h>
#include <unistd.h>

namespace
{

using namespace vmc;
using namespace vmc::torture;

constexpr int Skipped = 77;                 // the SKIP_RETURN_CODE of the test
constexpr unsigned SecondsPerCase = 10;     // after which an execution counts as hanging
constexpr unsigned SecondsToOpen = 60;      // for a device and the kernels of all scenarios
constexpr std::size_t ShortestMessage = 20; // of an error, in characters

struct Arguments
{
  std::uint64_t seed = 1, first = 0, faults = 200;
  std::vector<FaultCase> only; // empty: those that the seed selects
  bool isVerbose = false;
};

FaultLayer* layer = nullptr;
char current[512]; // what the process does, for the handler of signals

void setCurrent(const FaultCase& failure)
{
  const HostFaults::Pause pause;
  const std::string text = "vmcFaults --only=" + failure.text() + "\n";
  std::strncpy(current, text.c_str(), sizeof(current) - 1);
}

extern "C" void endOnSignal(int signal)
{
  const char* const text = signal == SIGALRM ? "The execution hangs: " : "The process crashes: ";
  static_cast<void>(!write(STDERR_FILENO, text, std::strlen(text)));
  static_cast<void>(!write(STDERR_FILENO, current, std::strlen(current)));
  _exit(1);
}

// How an execution has ended.
struct Outcome
{
  enum class Kind
  {
    Right,
    ClearError,
    Other
  };
  Kind kind = Kind::Right;
  std::string text; // of the error, or of what is wrong
  bool isLost = false;
};

// Runs the cases, with one open engine at a time.
class Runner
{
public:
  ~Runner() { this->close(); }

  // Runs a scenario without a failure, and counts.
  CleanRun count(const FaultCase& base)
  {
    setCurrent(base);
    alarm(SecondsToOpen);
    CleanRun run;
    run.base = base;
    this->prepare(base);
    if (base.isCold)
      this->close();
    begin(base, /*hidesFences*/ true);
    const Outcome outcome = this->execute(base);
    run.calls = layer ? layer->counts() : FaultLayer::Counts();
    run.allocations = HostFaults::allocations();
    end();
    alarm(0);
    this->Last.reset();
    if (outcome.kind != Outcome::Kind::Right)
      std::cerr << "Without a failure, " << base.text() << ": " << outcome.text << "\n";
    this->AreCleanRunsRight &= outcome.kind == Outcome::Kind::Right;
    return run;
  }

  Outcome run(const FaultCase& failure)
  {
    alarm(SecondsToOpen);
    setCurrent(failure);
    this->prepare(failure);
    if (failure.isCold)
      this->close();
    alarm(failure.isCold ? SecondsToOpen : SecondsPerCase);
    begin(failure, failure.fault.call == VulkanCall::WaitForFences);
    Outcome outcome = this->execute(failure);
    end();
    alarm(SecondsToOpen);
    this->checkNext(failure, outcome);
    alarm(0);
    return outcome;
  }

  // Closes the engine. Returns what is wrong afterwards.
  std::string close()
  {
    this->Last.reset();
    this->Opened.reset();
    this->Prepared.clear();
    this->Usual = {};
    if (layer && objects() != FaultLayer::Objects{})
      return "Objects of Vulkan are left after the engine was closed: " + text(objects());
    return misuses();
  }

  bool areCleanRunsRight() const { return this->AreCleanRunsRight; }

private:
  static void begin(const FaultCase& failure, bool hidesFences)
  {
    if (layer)
      layer->begin(failure.isOnHost ? VulkanFault() : failure.fault, hidesFences);
    // Where all later allocations fail, small ones do not: without any memory, an error has no message.
    const std::size_t smallest = failure.fault.count < 1000 ? 0 : 1024;
    HostFaults::begin(failure.fault.number, failure.isOnHost ? failure.fault.count : 0, smallest);
  }

  static void end()
  {
    HostFaults::end();
    if (layer)
      layer->end();
  }

  static FaultLayer::Objects objects() { return layer ? layer->objects() : FaultLayer::Objects(); }

  static std::string misuses()
  {
    std::string text;
    for (const std::string& misuse : layer ? layer->takeMisuses() : std::vector<std::string>())
      text += (text.empty() ? "" : " ") + misuse;
    return text;
  }

  static std::string text(const FaultLayer::Objects& objects)
  {
    std::string text;
    for (std::size_t i = 0; i < objects.size(); ++i)
      if (objects[i] != 0)
        text += std::string(i + 1 == objects.size() ? "vkCreateDevice" : nameOf(VulkanCall(i))) + " " +
                std::to_string(objects[i]) + ", ";
    return text;
  }

  // Opens the engine of the case, makes its kernels and the expected results, where that was not done.
  void prepare(const FaultCase& failure)
  {
    if (this->Opened && this->OpenedSetup != failure.setup)
      this->note(this->close());
    if (!this->Prepared.insert(failure.scenario).second)
      return;
    this->open(failure.setup);
    this->Expected[failure.scenario->name + nameOf(failure.setup)] =
      failure.scenario->run(*this->Opened->makeSession());
    for (std::size_t i = 0; i < this->Usual.size(); ++i)
      this->Usual[i] = std::max(this->Usual[i], objects()[i]);
  }

  void open(Setup setup)
  {
    if (!this->Opened)
      this->Opened = torture::open(setup);
    this->OpenedSetup = setup;
  }

  void note(const std::string& problem)
  {
    this->AreCleanRunsRight &= problem.empty();
    if (!problem.empty())
      std::cerr << problem << "\n";
  }

  // Runs the scenario in a new session, which stays.
  Outcome execute(const FaultCase& failure)
  {
    try
    {
      this->Last.reset();
      this->open(failure.setup);
      this->Last = this->Opened->makeSession();
      return this->judge(failure, failure.scenario->run(*this->Last));
    }
    catch (const Error& error)
    {
      const HostFaults::Pause pause;
      return judge(failure, error);
    }
    catch (const std::exception& error)
    {
      const HostFaults::Pause pause;
      if (failure.isOnHost && failure.fault.count == 2 && dynamic_cast<const std::bad_alloc*>(&error))
        return { Outcome::Kind::ClearError, "The second failure was that of the memory for the message." };
      return { Outcome::Kind::Other, std::string("An exception that is no vmc::Error: ") + error.what() };
    }
  }

  Outcome judge(const FaultCase& failure, const Results& results)
  {
    const HostFaults::Pause pause;
    if (results.equals(this->Expected[failure.scenario->name + nameOf(failure.setup)]))
      return {};
    return { Outcome::Kind::Other, "The results are wrong." };
  }

  static Outcome judge(const FaultCase& failure, const Error& error)
  {
    const std::string text = error.what();
    const bool isSentence = text.size() >= ShortestMessage && text.back() == '.' && text.find(' ') != std::string::npos;
    Outcome outcome{ Outcome::Kind::ClearError, text, error.kind() == Error::Kind::DeviceLost };
    if (!isSentence || !fits(error.kind(), failure))
      outcome = { Outcome::Kind::Other,
        "The error is not clear, kind " + std::to_string(int(error.kind())) + ": " + text };
    return outcome;
  }

  // Runs the scenario in the same session, without a fault. Returns what is wrong.
  std::string repeat(const FaultCase& failure)
  {
    try
    {
      return failure.scenario->run(*this->Last).equals(this->Expected[failure.scenario->name + nameOf(failure.setup)])
               ? ""
               : "The next execution in the same session is wrong.";
    }
    catch (const std::exception& error)
    {
      return std::string("The next execution in the same session fails: ") + error.what();
    }
  }

  // The next execution in the same session, and one in a new session; after a loss, with a new engine. In between, no
  // objects are left.
  void checkNext(const FaultCase& failure, Outcome& outcome)
  {
    FaultCase clean = failure;
    clean.fault = {};
    const bool isLost = failure.fault.result == VK_ERROR_DEVICE_LOST && !failure.isOnHost;
    std::string problem = misuses();
    if (problem.empty() && this->Last && !isLost)
      problem = this->repeat(failure);
    this->Last.reset();
    if (problem.empty() && !failure.isCold && !isLost)
      problem = this->objectsLeft();
    if (problem.empty() && (isLost || failure.isCold))
      problem = this->close();
    if (problem.empty() && !failure.isCold)
      if (const Outcome next = this->execute(clean); next.kind != Outcome::Kind::Right)
        problem = "The next execution: " + next.text;
    this->Last.reset();
    if (problem.empty())
      problem = misuses();
    if (!problem.empty())
      outcome = { Outcome::Kind::Other, problem + (outcome.text.empty() ? "" : " Before: " + outcome.text) };
  }

  // Returns the objects beyond the usual ones. Kernels, and the sets of the recorder that the engine keeps, may be
  // more.
  std::string objectsLeft() const
  {
    FaultLayer::Objects more = objects();
    for (std::size_t i = 0; i < more.size(); ++i)
      more[i] = std::max<std::int64_t>(more[i] - this->Usual[i], 0);
    for (const VulkanCall call : { VulkanCall::CreateComputePipelines, VulkanCall::CreatePipelineLayout,
           VulkanCall::CreateDescriptorSetLayout, VulkanCall::CreateDescriptorPool })
      more[static_cast<std::size_t>(call)] = 0;
    return more == FaultLayer::Objects{} ? "" : "Objects of Vulkan are left after the session: " + text(more);
  }

  std::shared_ptr<Engine> Opened;
  Setup OpenedSetup = Setup::Cpu;
  std::unique_ptr<Session> Last;
  std::set<const Scenario*> Prepared;      // those whose kernels the engine has made
  FaultLayer::Objects Usual{};             // that exist without a session
  std::map<std::string, Results> Expected; // by scenario and setup
  bool AreCleanRunsRight = true;
};

// Returns false if an argument is not known.
bool parse(int count, char** values, Arguments& arguments)
{
  for (int i = 1; i < count; ++i)
  {
    const std::string argument = values[i];
    const std::size_t at = std::min(argument.find('='), argument.size());
    const std::string name = argument.substr(0, at), value = argument.substr(std::min(at + 1, argument.size()));
    const std::map<std::string, std::uint64_t*> numbers = { { "--seed", &arguments.seed },
      { "--first", &arguments.first }, { "--faults", &arguments.faults } };
    if (const auto number = numbers.find(name); number != numbers.end())
      *number->second = std::strtoull(value.c_str(), nullptr, 10);
    else if (const auto only = FaultCase::parse(value); name == "--only" && only)
      arguments.only.push_back(*only);
    else if (name == "--verbose")
      arguments.isVerbose = true;
    else
      return false;
  }
  return true;
}

// Lets the loader of Vulkan load the layer. Returns whether there is a device with it.
bool loadLayer()
{
  const std::string folder = VMC_FAULT_LAYER;
  setenv("VK_LAYER_PATH", (folder + ":/usr/share/vulkan/explicit_layer.d").c_str(), 1);
  setenv("VK_INSTANCE_LAYERS", "VK_LAYER_VMC_faults", 1);
  setenv("VMC_BACKGROUND", "0", 1);     // threads in the background make calls at any time
  setenv("VMC_PIPELINE_CACHE", "0", 0); // that of the user
  void* const library = dlopen((folder + "/libVkLayer_vmc_faults.so").c_str(), RTLD_NOW);
  void* const function = library ? dlsym(library, "vmcFaultLayer") : nullptr;
  if (!function)
    return false;
  layer = reinterpret_cast<decltype(&vmcFaultLayer)>(function)();
  try
  {
    const std::shared_ptr<Engine> engine = open(Setup::Unified);
    return layer->objects().back() != 0;
  }
  catch (const Error& error)
  {
    std::cerr << error.what() << "\n";
    return false;
  }
}

// Runs the cases and fills the rows of the table.
void runAll(
  const std::vector<FaultCase>& cases, bool isVerbose, Runner& runner, std::map<std::string, OutcomeCounts>& rows)
{
  for (const FaultCase& failure : cases)
  {
    if (isVerbose)
      std::cerr << failure.text() << std::flush;
    const Outcome outcome = runner.run(failure);
    OutcomeCounts& row = rows[failure.className()];
    ++row.cases;
    row.right += outcome.kind == Outcome::Kind::Right ? 1 : 0;
    row.clear += outcome.kind == Outcome::Kind::ClearError ? 1 : 0;
    row.other += outcome.kind == Outcome::Kind::Other ? 1 : 0;
    if (isVerbose)
      std::cerr << ": " << (outcome.text.empty() ? "right" : outcome.text) << "\n";
    else if (outcome.kind == Outcome::Kind::Other)
      std::cerr << "vmcFaults --only=" << failure.text() << "\n  " << outcome.text << "\n";
  }
}

}

int main(int count, char** values)
{
  Arguments arguments;
  if (!parse(count, values, arguments))
  {
    std::cerr << "usage: vmcFaults [--seed=N] [--first=K] [--faults=N] [--only=CASE ...] [--verbose]\n";
    return 2;
  }
  for (const int signal : { SIGALRM, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT })
    std::signal(signal, endOnSignal);
  const bool hasDevice = loadLayer(), isRandom = arguments.only.empty();
  HostFaults::initialize([] { return layer && layer->isInVulkan(); });
  if (!hasDevice)
    std::cout << "No usable Vulkan device with the layer: only allocations of the CPU's engine fail.\n";
  if (!hasDevice)
    arguments.only.erase(std::remove_if(arguments.only.begin(), arguments.only.end(),
                           [](const FaultCase& failure) { return failure.setup != Setup::Cpu; }),
      arguments.only.end());
  Runner runner;
  std::vector<CleanRun> runs;
  if (isRandom)
    for (const FaultCase& base : cleanCases(hasDevice))
      runs.push_back(runner.count(base));
  std::map<std::string, OutcomeCounts> rows;
  runAll(isRandom ? faultCases(runs, arguments.seed, arguments.first, arguments.faults) : arguments.only,
    arguments.isVerbose, runner, rows);
  const std::string left = runner.close();
  std::cerr << left << (left.empty() ? "" : "\n");
  const OutcomeCounts all = printTable(rows);
  return all.other != 0 || !left.empty() || !runner.areCleanRunsRight() ? 1 : hasDevice ? 0 : Skipped;
}
