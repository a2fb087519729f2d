#include "Compute/Devices.h"

#include "Compute/System/Error.h"
#include "Compute/Vulkan/Device.h"
#include "Compute/Vulkan/Instance.h"

#include <atomic>
#include <cstdlib>
#include <map>

namespace vmc
{

namespace
{

struct Shared
{
  std::mutex mutex;
  std::map<std::string, std::shared_ptr<Device>> byName; // the device's own name
  std::atomic<bool> processIsEnding{ false };
};

// Never destroyed, like the instance.
Shared& shared()
{
  static Shared* const state = new Shared;
  return *state;
}

}

namespace
{

// Number of this process among those that MPI started on this machine, as the usual launchers tell it; 0 without one.
std::size_t localRank()
{
  for (const char* variable :
    { "OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", "MV2_COMM_WORLD_LOCAL_RANK", "SLURM_LOCALID" })
    if (const char* rank = std::getenv(variable))
      return std::strtoul(rank, nullptr, 10);
  return 0;
}

}

std::vector<std::string> deviceNames()
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
    // No loader, no devices: that is an answer, not a failure.
  }
  return names;
}

std::shared_ptr<Device> sharedDevice(const std::string& wantedName)
{
  const Instance& instance = Instance::get(); // before the lock, which a parent's thread may have held at a fork()
  Shared& state = shared();
  const std::lock_guard<std::mutex> lock(state.mutex);
  const std::vector<DeviceTraits> traits = Instance::traitsOf(instance.devices());
  const std::string& name = traits[chooseDevice(traits, wantedName, localRank())].name;
  std::shared_ptr<Device>& device = state.byName[name];
  if (!device)
    device = std::make_shared<Device>(name);
  // Registered once a driver is open, so that it runs before the driver's own end.
  [[maybe_unused]] static const int registered = std::atexit([] { shared().processIsEnding = true; });
  return device;
}

void dropSharedDevice(const Device& device)
{
  const std::lock_guard<std::mutex> lock(shared().mutex);
  const auto found = shared().byName.find(nameOf(device));
  if (found != shared().byName.end() && found->second.get() == &device)
    shared().byName.erase(found);
}

bool mayUseVulkan()
{
  return !shared().processIsEnding && !Instance::isOfParent();
}

const std::string& nameOf(const Device& device)
{
  return device.traits().name;
}

HostMemoryPool& hostBlocksOf(const Device& device)
{
  return device.hostMemory();
}

std::vector<std::string> validationMessages()
{
  return Instance::get().messages();
}

bool isValidating()
{
  return Instance::get().isValidating();
}

}
