#include "Device.h"

#include "Devices.h"
#include "Error.h"
#include "Instance.h"
#include "Kernel.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace vmc
{

namespace
{

bool hasExtension(const vk::raii::PhysicalDevice& device, const char* name)
{
  const auto extensions = device.enumerateDeviceExtensionProperties();
  return std::any_of(extensions.begin(), extensions.end(),
    [&](const vk::ExtensionProperties& extension) { return std::strcmp(extension.extensionName, name) == 0; });
}

}

Device::Device(const std::string& wantedName, const DeviceLimits& within)
{
  auto devices = Instance::get().devices();
  const std::vector<DeviceTraits> traits = Instance::traitsOf(devices);
  const std::size_t chosen = chooseDevice(traits, wantedName);
  this->Physical = std::move(devices[chosen]);
  this->Traits = traits[chosen];
  this->readLimits(within);
  this->createDevice();
  this->KernelSet = std::make_unique<Kernels>(*this);
}

Device::~Device() = default;

void Device::readLimits(const DeviceLimits& within)
{
  const vk::PhysicalDeviceLimits limits = this->Physical.getProperties().limits;
  this->Limits.maxBindingBytes = std::min<std::uint64_t>(limits.maxStorageBufferRange, within.maxBindingBytes);
  this->Limits.bindingAlignment =
    std::max({ std::uint64_t(limits.minStorageBufferOffsetAlignment), within.bindingAlignment, std::uint64_t(4) });
  this->Limits.maxGroups = std::min(limits.maxComputeWorkGroupCount[0], within.maxGroups);
  this->Memory = this->Physical.getMemoryProperties();
  this->UnifiedMemory =
    this->Traits.type == DeviceTraits::Type::Cpu || this->Traits.type == DeviceTraits::Type::Integrated;
  this->QueueFamily = computeQueueFamily(this->Physical);
  const std::uint32_t bits = this->Physical.getQueueFamilyProperties()[this->QueueFamily].timestampValidBits;
  this->TimestampMask = bits >= 64 ? ~0ull : (1ull << bits) - 1;
  this->TimestampMilliseconds = bits == 0 ? 0 : double(limits.timestampPeriod) * 1e-6;
  if (hasExtension(this->Physical, VK_EXT_EXTERNAL_MEMORY_HOST_EXTENSION_NAME))
    this->HostImportAlignment =
      this->Physical.getProperties2<vk::PhysicalDeviceProperties2, vk::PhysicalDeviceExternalMemoryHostPropertiesEXT>()
        .get<vk::PhysicalDeviceExternalMemoryHostPropertiesEXT>()
        .minImportedHostPointerAlignment;
}

void Device::createDevice()
{
  const float priority = 1;
  const vk::DeviceQueueCreateInfo queue({}, this->QueueFamily, 1, &priority);
  std::vector<const char*> extensions;
  if (this->HostImportAlignment != 0)
    extensions.push_back(VK_EXT_EXTERNAL_MEMORY_HOST_EXTENSION_NAME);
  try
  {
    this->Handle = vk::raii::Device(this->Physical, vk::DeviceCreateInfo({}, queue, {}, extensions));
  }
  catch (const vk::SystemError& error)
  {
    throw Error(
      Error::Kind::NoDevice, this->Traits.name + " cannot be opened: " + error.what() + ".", error.code().value());
  }
  this->Queue = vk::raii::Queue(this->Handle, this->QueueFamily, 0);
}

std::uint32_t Device::memoryType(std::uint32_t allowed, vk::MemoryPropertyFlags wanted) const
{
  for (std::uint32_t type = 0; type < this->Memory.memoryTypeCount; ++type)
    if ((allowed >> type & 1u) != 0 && (this->Memory.memoryTypes[type].propertyFlags & wanted) == wanted)
      return type;
  throw Error(Error::Kind::Unsupported, this->Traits.name + " has no memory that is " + vk::to_string(wanted) + ".");
}

void Device::name(vk::ObjectType type, std::uint64_t handle, const std::string& name) const
{
  if (Instance::get().isValidating())
    this->Handle.setDebugUtilsObjectNameEXT({ type, handle, name.c_str() });
}

namespace
{

struct Shared
{
  std::mutex mutex;
  std::shared_ptr<Device> device;
  std::string wantedName;
};

bool processIsEnding = false;

// Never destroyed, like the instance.
Shared& shared()
{
  static Shared* const state = new Shared;
  return *state;
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
  Shared& state = shared();
  const std::lock_guard<std::mutex> lock(state.mutex);
  if (!state.device || state.wantedName != wantedName)
  {
    state.device = std::make_shared<Device>(wantedName);
    state.wantedName = wantedName;
  }
  // Registered once a driver is open, so that it runs before the driver's own end.
  [[maybe_unused]] static const int registered = std::atexit([] { processIsEnding = true; });
  return state.device;
}

bool isProcessEnding()
{
  return processIsEnding;
}

void dropSharedDevice()
{
  const std::lock_guard<std::mutex> lock(shared().mutex);
  shared().device.reset();
}

const std::string& nameOf(const Device& device)
{
  return device.traits().name;
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
