// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Engine.h"

#include "Compute/Engine/CpuEngine.h"
#include "Compute/Engine/DeviceEngine.h"
#include "Compute/System/CpuName.h"
#include "Compute/System/Error.h"
#include "Compute/System/Platform.h"
#include "Compute/Vulkan/Device.h"
#include "Compute/Vulkan/Instance.h"

#include <cstdlib>
#include <map>
#include <mutex>
#include <optional>

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

// Of the Vulkan devices.
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
  usable.push_back(cpuTraits());
  return usable;
}

// All devices. If Vulkan cannot be opened, the CPU alone is left: an automatic name and its number in VMC_DEVICE select
// it, and another name is an error.
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
  devices.push_back(cpuTraits());
  return devices;
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
  const char* const variable = isAutomatic(wantedName) ? std::getenv("VMC_DEVICE") : nullptr;
  const std::string value = variable ? variable : wantedName;
  if (isCpu(value) || (isAutomatic(value) && !(mayUseVulkan() && mayHaveGpu())))
    return CpuEngine::get();
  if (!isAutomatic(value) && Instance::isOfParent())
    Instance::get(); // throws, before the lock that a parent's thread may hold
  SharedEngines& state = sharedEngines();
  const std::string key = variable ? "VMC_DEVICE=" + value : value;
  const std::lock_guard<std::mutex> lock(state.mutex);
  const auto known = state.byWantedName.find(key);
  if (known != state.byWantedName.end()) // listing the devices takes 0.2 ms
    return known->second;
  const std::vector<DeviceTraits> traits = devicesFor(value, variable != nullptr);
  const std::string name = variable ? nameFromEnvironment(traits, value) : value;
  const DeviceTraits& chosen = traits[chooseDevice(traits, name, localRank())];
  DeviceOptions options = state.options;
  options.name = chosen.name;
  std::shared_ptr<Engine>& engine = state.byName[options.name];
  if (!engine)
    engine = chosen.type == DeviceTraits::Type::Threads ? CpuEngine::get() : std::make_shared<DeviceEngine>(options);
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

}
