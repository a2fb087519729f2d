// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Engine.h"

#include "Compute/Context.h"
#include "Compute/Contour/MarchingCubes.h"
#include "Compute/Histogram/DeviceHistogram.h"
#include "Compute/System/Error.h"
#include "Compute/Volume/VolumeCache.h"
#include "Compute/Vulkan/Instance.h"

#include <cstdlib>
#include <map>
#include <mutex>

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

// Never destroyed, like Instance.
SharedEngines& sharedEngines()
{
  static SharedEngines* const state = new SharedEngines;
  return *state;
}

// Rank of this process among the MPI processes on this machine, as common launchers set it; 0 without a launcher.
std::size_t localRank()
{
  for (const char* variable :
    { "OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", "MV2_COMM_WORLD_LOCAL_RANK", "SLURM_LOCALID" })
    if (const char* rank = std::getenv(variable))
      return std::strtoul(rank, nullptr, 10);
  return 0;
}

// A context that ends with the process, or in a process that fork() made, is left to the operating system.
void deleteContext(Context* context)
{
  if (mayUseVulkan())
    delete context;
}

}

namespace
{

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
    // Without a loader there are no devices.
  }
  return usable;
}

// Lists the devices once, because ParaView asks for them after every execution.
std::vector<DeviceTraits> usableDevices()
{
  if (Instance::isOfParent()) // before the lock that a parent's thread may hold
    return {};
  static std::mutex mutex;
  static std::vector<DeviceTraits> known;
  const std::lock_guard<std::mutex> lock(mutex);
  if (known.empty())
    known = listUsableDevices();
  return known;
}

// Of the device that VMC_DEVICE selects.
std::string nameFromEnvironment(const std::vector<DeviceTraits>& devices, const std::string& value)
{
  const std::string name = nameFromVariable(devices, value);
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
  const Instance& instance = Instance::get(); // throws after fork(), before the lock that a parent's thread may hold
  SharedEngines& state = sharedEngines();
  const char* const variable = isAutomatic(wantedName) ? std::getenv("VMC_DEVICE") : nullptr;
  const std::string key = variable ? std::string("VMC_DEVICE=") + variable : wantedName;
  const std::lock_guard<std::mutex> lock(state.mutex);
  const auto known = state.byWantedName.find(key);
  if (known != state.byWantedName.end()) // listing the devices takes 0.2 ms
    return known->second;
  const std::vector<DeviceTraits> traits = Instance::traitsOf(instance.devices());
  const std::string name = variable ? nameFromEnvironment(traits, variable) : wantedName;
  DeviceOptions options = state.options;
  options.name = traits[chooseDevice(traits, name, localRank())].name;
  std::shared_ptr<Engine>& engine = state.byName[options.name];
  if (!engine)
    engine = std::make_shared<Engine>(options);
  state.byWantedName[key] = engine;
  return engine;
}

void Engine::forget(const Engine& engine)
{
  SharedEngines& state = sharedEngines();
  const std::lock_guard<std::mutex> lock(state.mutex);
  const auto found = state.byName.find(engine.deviceName());
  if (found != state.byName.end() && found->second.get() == &engine)
    state.byName.erase(found);
  for (auto at = state.byWantedName.begin(); at != state.byWantedName.end();)
    at = at->second.get() == &engine ? state.byWantedName.erase(at) : std::next(at);
}

void Engine::setSharedOptions(const DeviceOptions& options)
{
  SharedEngines& state = sharedEngines();
  const std::lock_guard<std::mutex> lock(state.mutex);
  state.options = options;
}

Engine::Engine(const DeviceOptions& options)
  : DeviceContext(new Context(options), deleteContext)
  , Cache(std::make_shared<VolumeCache>(this->DeviceContext))
{
}

const std::string& Engine::deviceName() const
{
  return this->DeviceContext->device().traits().name;
}

std::unique_ptr<MarchingCubes> Engine::makeMarchingCubes() const
{
  return std::make_unique<MarchingCubes>(this->DeviceContext, this->Cache);
}

std::unique_ptr<DeviceHistogram> Engine::makeHistogram() const
{
  return std::make_unique<DeviceHistogram>(this->DeviceContext, this->Cache);
}

HostMemoryPool& Engine::hostMemory() const
{
  return this->DeviceContext->hostMemory();
}

}
