// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Engine.h"

#include "Compute/Context.h"
#include "Compute/Contour/MarchingCubes.h"
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
  std::map<std::string, std::shared_ptr<Engine>> byWantedName; // by the names that callers gave
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

std::vector<std::string> Engine::deviceNames()
{
  std::vector<std::string> names;
  try
  {
    for (const DeviceTraits& device : Instance::traitsOf(Instance::get().devices()))
      if (refusalOf(device).empty())
        names.push_back(device.name);
  }
  catch (const Error&)
  {
    // Without a loader there are no devices.
  }
  return names;
}

std::shared_ptr<Engine> Engine::shared(const std::string& wantedName)
{
  const Instance& instance = Instance::get(); // throws after fork(), before the lock that a parent's thread may hold
  SharedEngines& state = sharedEngines();
  const std::lock_guard<std::mutex> lock(state.mutex);
  const auto known = state.byWantedName.find(wantedName);
  if (known != state.byWantedName.end()) // listing the devices takes 0.2 ms
    return known->second;
  const std::vector<DeviceTraits> traits = Instance::traitsOf(instance.devices());
  DeviceOptions options = state.options;
  options.name = traits[chooseDevice(traits, wantedName, localRank())].name;
  std::shared_ptr<Engine>& engine = state.byName[options.name];
  if (!engine)
    engine = std::make_shared<Engine>(options);
  state.byWantedName[wantedName] = engine;
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

HostMemoryPool& Engine::hostMemory() const
{
  return this->DeviceContext->hostMemory();
}

}
