// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Engine.h"

#include "Compute/Contour/Request.h"
#include "Compute/Engine/AllGpus.h"
#include "Compute/Engine/CpuEngine.h"
#include "Compute/Engine/DeviceEngine.h"
#include "Compute/System/Background.h"
#include "Compute/System/Error.h"
#include "Compute/System/Platform.h"
#include "Compute/System/Threads.h"
#include "Compute/Volume/Volume.h"
#include "Compute/Vulkan/Device.h"
#include "Compute/Vulkan/Instance.h"

#include <algorithm>
#include <condition_variable>
#include <cstdlib>
#include <exception>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

namespace vmc
{

namespace
{

struct SharedEngines
{
  std::mutex mutex;
  std::map<std::string, std::shared_ptr<Engine>> byName;       // by the name that deviceNames() lists
  std::map<std::string, std::shared_ptr<Engine>> byWantedName; // by the names that callers gave, or VMC_DEVICE
  DeviceOptions options;
};

// Returns an object that is never destroyed, like Instance.
SharedEngines& sharedEngines()
{
  static SharedEngines* const state = new SharedEngines;
  return *state;
}

// The value of the first of these variables that is set.
std::size_t numberFrom(const std::vector<const char*>& variables, std::size_t otherwise)
{
  for (const char* variable : variables)
    if (const char* number = std::getenv(variable))
      return std::strtoul(number, nullptr, 10);
  return otherwise;
}

// Rank of this process among the MPI processes on this machine, as common launchers set it; 0 without a launcher.
std::size_t localRank()
{
  return numberFrom(
    { "OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", "MV2_COMM_WORLD_LOCAL_RANK", "SLURM_LOCALID" }, 0);
}

// The number of these processes; 1 without a launcher.
std::size_t localRanks()
{
  return numberFrom(
    { "OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS", "MV2_COMM_WORLD_LOCAL_SIZE", "SLURM_STEP_TASKS_PER_NODE" }, 1);
}

// Returns the usable Vulkan devices: none without a loader.
std::vector<DeviceTraits> listUsableDevices()
{
  std::vector<DeviceTraits> usable;
  try
  {
    for (const DeviceTraits& device : Instance::traitsOf(Instance::get().devices()))
      if (refusalOf(device).empty())
        usable.push_back(device);
  }
  catch (const Error&)
  {
    // Without a loader there are no Vulkan devices.
  }
  return usable;
}

// Adds what a list has after the Vulkan devices.
void addOthers(std::vector<DeviceTraits>& devices)
{
  if (gpusOf(devices).size() > 1 || !sharedEngines().options.gpus.empty())
    devices.push_back(allGpusTraits());
  devices.push_back(cpuTraits());
}

// Lists the Vulkan devices once, also if there are none, because ParaView asks for them after every execution.
std::vector<DeviceTraits> usableDevices()
{
  if (Instance::isOfParent()) // before the lock that a parent's thread may hold
    return { cpuTraits() };
  static std::mutex mutex;
  static std::optional<std::vector<DeviceTraits>> known;
  const std::lock_guard<std::mutex> lock(mutex);
  if (!known)
    known = listUsableDevices();
  std::vector<DeviceTraits> usable = *known;
  addOthers(usable);
  return usable;
}

// All devices, as a list has them. If Vulkan cannot be opened, the CPU alone is left: an automatic name and its number
// in VMC_DEVICE select it, and another name is an error.
std::vector<DeviceTraits> devicesFor(const std::string& name, bool isVariable)
{
  std::vector<DeviceTraits> devices;
  try
  {
    devices = Instance::traitsOf(Instance::get().devices());
  }
  catch (const Error&)
  {
    const bool isCpuNumber = isVariable && nameFromVariable({ cpuTraits() }, name) == CpuName;
    if (!isAutomatic(name) && !isCpuNumber)
      throw;
  }
  addOthers(devices);
  return devices;
}

// Returns the name of the device that this value of VMC_DEVICE selects. Throws NoSuchDevice and NoDevice.
std::string nameFromEnvironment(const std::vector<DeviceTraits>& devices, const std::string& value)
{
  std::string name = nameFromVariable(devices, value);
  try
  {
    chooseDevice(devices, name);
  }
  catch (const Error& error)
  {
    if (error.kind() != Error::Kind::NoSuchDevice)
      throw;
    throw Error(error.kind(), "The environment variable VMC_DEVICE is \"" + value + "\". " + error.what());
  }
  return name;
}

// The name that a caller gave, or the value of VMC_DEVICE in place of an automatic one.
struct WantedEngine
{
  std::string value;
  bool isVariable;

  std::string key() const { return this->isVariable ? "VMC_DEVICE=" + this->value : this->value; }
  bool isCpuWithoutVulkan() const
  {
    return isCpu(this->value) || (isAutomatic(this->value) && !(mayUseVulkan() && mayHaveGpu()));
  }
};

WantedEngine wantedEngine(const std::string& name)
{
  const char* const variable = isAutomatic(name) ? std::getenv("VMC_DEVICE") : nullptr;
  return { variable ? variable : name, variable != nullptr };
}

// Null if it is not open.
std::shared_ptr<Engine> findEngine(const SharedEngines& state, const WantedEngine& wanted)
{
  const auto known = state.byWantedName.find(wanted.key());
  return known == state.byWantedName.end() ? nullptr : known->second;
}

// Removes the engine from the shared ones if it is one.
void forgetOne(SharedEngines& state, const Engine& engine)
{
  const auto found = state.byName.find(engine.deviceName());
  if (found != state.byName.end() && found->second.get() == &engine)
    state.byName.erase(found);
  for (auto at = state.byWantedName.begin(); at != state.byWantedName.end();)
    at = at->second.get() == &engine ? state.byWantedName.erase(at) : std::next(at);
}

// Returns the open engine of this device, or opens it.
std::shared_ptr<Engine> openDevice(SharedEngines& state, const std::string& name)
{
  DeviceOptions options = state.options;
  options.name = name;
  std::shared_ptr<Engine>& engine = state.byName[name];
  if (!engine)
    engine = isCpu(name) ? CpuEngine::get() : std::make_shared<DeviceEngine>(options);
  return engine;
}

// Opens all GPUs, without those that cannot be opened. With one alone, or for one of several MPI ranks on this machine,
// returns the engine of one.
std::shared_ptr<Engine> openAllGpus(SharedEngines& state, const std::vector<DeviceTraits>& devices)
{
  std::shared_ptr<Engine>& engine = state.byName[AllGpusName];
  if (engine)
    return engine;
  std::vector<std::string> names = state.options.gpus;
  for (const DeviceTraits& gpu : names.empty() ? gpusOf(devices) : std::vector<DeviceTraits>())
    names.push_back(gpu.name);
  if (names.size() == 1 || localRanks() > 1)
    return openDevice(state, names[localRank() % names.size()]);
  std::vector<std::shared_ptr<DeviceEngine>> gpus;
  std::string leftOut;
  for (std::size_t i = 0; i < names.size(); ++i)
    try
    {
      DeviceOptions options = state.options;
      options.name = names[i];
      const bool isAgain = std::find(names.begin(), names.begin() + i, names[i]) != names.begin() + i; // for tests
      gpus.push_back(isAgain ? std::make_shared<DeviceEngine>(options)
                             : std::dynamic_pointer_cast<DeviceEngine>(openDevice(state, names[i])));
    }
    catch (const Error& error)
    {
      leftOut += (leftOut.empty() ? "" : " ") + names[i] + " is left out: " + error.what();
      if (gpus.empty() && i + 1 == names.size())
        throw;
    }
  return engine = std::make_shared<AllGpusEngine>(std::move(gpus), leftOut);
}

std::shared_ptr<Engine> openShared(const WantedEngine& wanted)
{
  SharedEngines& state = sharedEngines();
  const std::lock_guard<std::mutex> lock(state.mutex);
  if (std::shared_ptr<Engine> known = findEngine(state, wanted)) // listing the devices takes 0.2 ms
    return known;
  const std::vector<DeviceTraits> traits = devicesFor(wanted.value, wanted.isVariable);
  if (isAllGpus(wanted.value) && !gpusOf(traits).empty()) // also if a list has one GPU alone, and not this name
    return state.byWantedName[wanted.key()] = openAllGpus(state, traits);
  const std::string name = wanted.isVariable ? nameFromEnvironment(traits, wanted.value) : wanted.value;
  const DeviceTraits& chosen = traits[chooseDevice(traits, name, localRank())];
  std::shared_ptr<Engine> engine =
    chosen.type == DeviceTraits::Type::AllGpus ? openAllGpus(state, traits) : openDevice(state, chosen.name);
  state.byWantedName[wanted.key()] = engine;
  return engine;
}

// The state of the one engine that may be being opened in the background. Never destroyed.
struct Opening
{
  std::mutex mutex; // guards isRunning
  std::condition_variable ended;
  bool isRunning = false;
};

Opening& opening()
{
  static Opening* const state = new Opening;
  return *state;
}

// Sets the state, wakes those that wait for the end, and returns whether it was running.
bool setOpening(bool isRunning)
{
  const std::lock_guard<std::mutex> lock(opening().mutex);
  opening().ended.notify_all();
  return std::exchange(opening().isRunning, isRunning);
}

void openAndMakeKernels(const WantedEngine& wanted, const std::optional<Volume>& example, const Request& request)
{
  try
  {
    const std::shared_ptr<Engine> engine = openShared(wanted);
    if (example && !isProcessEnding())
      engine->makeKernels(*example, request);
  }
  catch (const std::exception&)
  {
    // shared() tries again and reports the error.
  }
  setOpening(false);
}

// Returns the open engine; null also if another thread may be opening one.
std::shared_ptr<Engine> findEngineWithoutWaiting(const WantedEngine& wanted)
{
  SharedEngines& state = sharedEngines();
  const std::unique_lock<std::mutex> lock(state.mutex, std::try_to_lock);
  return lock ? findEngine(state, wanted) : nullptr;
}

}

std::vector<std::string> Engine::deviceNames()
{
  std::vector<std::string> names;
  for (const DeviceTraits& device : usableDevices())
    names.push_back(device.name);
  return names;
}

std::vector<std::string> Engine::deviceKinds()
{
  std::vector<std::string> kinds;
  for (const DeviceTraits& device : usableDevices())
    kinds.push_back(kindOf(device));
  return kinds;
}

std::shared_ptr<Engine> Engine::shared(const std::string& wantedName)
{
  const WantedEngine wanted = wantedEngine(wantedName);
  if (wanted.isCpuWithoutVulkan())
    return CpuEngine::get();
  if (!isAutomatic(wanted.value) && Instance::isOfParent())
    Instance::get(); // throws, before the lock that a parent's thread may hold
  {
    std::unique_lock<std::mutex> lock(opening().mutex);
    opening().ended.wait(lock, [] { return !opening().isRunning; });
  }
  return withHostMemory("opening a device", [&] { return openShared(wanted); });
}

void Engine::openInBackground(const std::string& wantedName, const Volume* example, const Request& request)
{
  const WantedEngine wanted = wantedEngine(wantedName);
  if (wanted.isCpuWithoutVulkan() || !mayUseVulkan())
    return;
  if (const std::shared_ptr<Engine> known = findEngineWithoutWaiting(wanted))
  {
    if (example)
      known->makeKernels(*example, request);
    return;
  }
  const std::optional<Volume> copy = example ? std::optional<Volume>(*example) : std::nullopt;
  std::function<void()> work = [=] { openAndMakeKernels(wanted, copy, request); };
  if (!setOpening(true) && !startInBackground(std::move(work))) // nothing in between may throw
    setOpening(false);
}

void Engine::forget(const Engine& engine)
{
  SharedEngines& state = sharedEngines();
  const std::lock_guard<std::mutex> lock(state.mutex);
  forgetOne(state, engine);
  if (const auto* const all = dynamic_cast<const AllGpusEngine*>(&engine)) // one of them has failed
    for (const std::shared_ptr<DeviceEngine>& gpu : all->gpus())
      forgetOne(state, *gpu);
}

void Engine::setSharedOptions(const DeviceOptions& options)
{
  SharedEngines& state = sharedEngines();
  const std::lock_guard<std::mutex> lock(state.mutex);
  state.options = options;
}

}
