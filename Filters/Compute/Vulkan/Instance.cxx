// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Vulkan/Instance.h"

#include "Compute/System/Background.h"
#include "Compute/System/Error.h"
#include "Compute/System/Platform.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <map>

namespace vmc
{

namespace
{

constexpr const char* ValidationLayer = "VK_LAYER_KHRONOS_validation";

VKAPI_ATTR VkBool32 VKAPI_CALL onMessage(VkDebugUtilsMessageSeverityFlagBitsEXT, VkDebugUtilsMessageTypeFlagsEXT,
  const VkDebugUtilsMessengerCallbackDataEXT* data, void* instance)
{
  static_cast<Instance*>(instance)->addMessage(data->pMessage);
  return VK_FALSE;
}

DeviceTraits::Type typeOf(vk::PhysicalDeviceType type)
{
  switch (type)
  {
    case vk::PhysicalDeviceType::eDiscreteGpu:
      return DeviceTraits::Type::Discrete;
    case vk::PhysicalDeviceType::eVirtualGpu:
      return DeviceTraits::Type::Virtual;
    case vk::PhysicalDeviceType::eIntegratedGpu:
      return DeviceTraits::Type::Integrated;
    case vk::PhysicalDeviceType::eCpu:
      return DeviceTraits::Type::Software;
    default:
      return DeviceTraits::Type::Other;
  }
}

// Without VK_KHR_portability_enumeration, the loader hides devices that lack parts of Vulkan, such as Metal's by
// MoltenVK. Old loaders do not know the extension.
vk::raii::Instance createPortably(
  const vk::raii::Context& context, const vk::InstanceCreateInfo& info, std::vector<const char*> extensions)
{
  extensions.push_back(VK_KHR_PORTABILITY_ENUMERATION_EXTENSION_NAME);
  vk::InstanceCreateInfo portable = info;
  portable.setPEnabledExtensionNames(extensions);
  portable.flags |= vk::InstanceCreateFlagBits::eEnumeratePortabilityKHR;
  try
  {
    return vk::raii::Instance(context, portable);
  }
  catch (const vk::ExtensionNotPresentError&)
  {
    return vk::raii::Instance(context, info);
  }
}

vk::raii::Context openLoader()
{
  try
  {
    return vk::raii::Context();
  }
  catch (const std::exception& error)
  {
    throw Error(
      Error::Kind::NoDevice, std::string("The Vulkan loader cannot be opened: ") + error.what() + ". " + DriverAdvice);
  }
}

std::atomic<std::uint64_t> opener{ 0 }; // id of the process that opened Vulkan; 0: none

}

void noticeEndOfProcess()
{
  [[maybe_unused]] static const int registered = std::atexit(endOfBackground);
}

bool mayUseVulkan()
{
  return !isProcessEnding() && !Instance::isOfParent();
}

bool isValidating()
{
  return Instance::get().isValidating();
}

std::vector<std::string> validationMessages()
{
  return Instance::get().messages();
}

bool Instance::isOfParent()
{
  return opener != 0 && opener != processId();
}

// The process counts as the opener from the beginning: in a process that is forked meanwhile, the initialization never
// ends.
Instance* Instance::make()
{
  const ForkWithoutWaiting drivers;
  opener = processId();
  try
  {
    return new Instance;
  }
  catch (...)
  {
    opener = 0;
    throw;
  }
}

Instance& Instance::get()
{
  if (isOfParent())
    throw Error(Error::Kind::NoDevice,
      "This process was created by fork() after Vulkan was opened. Use Vulkan in the parent process or in a newly "
      "started process.");
  static Instance* const instance = make();
  return *instance;
}

Instance::Instance()
  : Context(openLoader())
{
  const char* validation = std::getenv("VMC_VALIDATION");
  this->Validating = validation && std::strcmp(validation, "1") == 0;
  try
  {
    this->createInstance();
  }
  catch (const vk::SystemError& error)
  {
    const bool noLayer = error.code() == vk::make_error_code(vk::Result::eErrorLayerNotPresent);
    throw Error(Error::Kind::NoDevice,
      noLayer ? "VMC_VALIDATION is 1, but the validation layer is not installed."
              : std::string("The Vulkan loader cannot create an instance: ") + error.what() + ". " + DriverAdvice,
      error.code().value());
  }
}

void Instance::createInstance()
{
  const vk::ApplicationInfo application("VulkanMarchingCubes", 1, "VulkanMarchingCubes", 1, VK_API_VERSION_1_2);
  std::vector<const char*> layers, extensions;
  if (this->Validating)
  {
    layers = { ValidationLayer };
    extensions = { VK_EXT_DEBUG_UTILS_EXTENSION_NAME };
  }
  vk::InstanceCreateInfo info({}, &application, layers, extensions);
  const vk::ValidationFeatureEnableEXT synchronization = vk::ValidationFeatureEnableEXT::eSynchronizationValidation;
  const vk::ValidationFeaturesEXT features(synchronization);
  if (this->Validating)
    info.pNext = &features;
  this->Handle = createPortably(this->Context, info, extensions);
  if (!this->Validating)
    return;
  using Severity = vk::DebugUtilsMessageSeverityFlagBitsEXT;
  using Type = vk::DebugUtilsMessageTypeFlagBitsEXT;
  // The type of the C structure: that of the callback in Vulkan-Hpp's own depends on its version.
  VkDebugUtilsMessengerCreateInfoEXT messenger = vk::DebugUtilsMessengerCreateInfoEXT(
    {}, Severity::eWarning | Severity::eError, Type::eValidation | Type::ePerformance);
  messenger.pfnUserCallback = onMessage;
  messenger.pUserData = this;
  this->Messenger = vk::raii::DebugUtilsMessengerEXT(this->Handle, vk::DebugUtilsMessengerCreateInfoEXT(messenger));
}

std::vector<std::string> Instance::messages() const
{
  const std::lock_guard<std::mutex> lock(this->Mutex);
  return this->Messages;
}

void Instance::addMessage(const std::string& message)
{
  const std::lock_guard<std::mutex> lock(this->Mutex);
  this->Messages.push_back(message);
  std::cerr << "Vulkan validation: " << message << std::endl;
}

std::vector<vk::raii::PhysicalDevice> Instance::devices() const
{
  const ForkWithoutWaiting drivers;
  try
  {
    vk::raii::PhysicalDevices devices(this->Handle);
    return std::vector<vk::raii::PhysicalDevice>(devices.begin(), devices.end());
  }
  catch (const vk::SystemError&)
  {
    return {}; // the loader reports an error if there is no driver
  }
}

std::vector<DeviceTraits> Instance::traitsOf(const std::vector<vk::raii::PhysicalDevice>& devices)
{
  const ForkWithoutWaiting drivers;
  std::vector<DeviceTraits> all;
  std::map<std::string, int> seen;
  for (const vk::raii::PhysicalDevice& device : devices)
  {
    const auto chain = device.getProperties2<vk::PhysicalDeviceProperties2, vk::PhysicalDeviceIDProperties>();
    const vk::PhysicalDeviceProperties& properties = chain.get<vk::PhysicalDeviceProperties2>().properties;
    const vk::PhysicalDeviceIDProperties& ids = chain.get<vk::PhysicalDeviceIDProperties>();
    DeviceTraits traits;
    traits.name = properties.deviceName.data();
    const int number = ++seen[traits.name];
    if (number > 1)
      traits.name += " (" + std::to_string(number) + ")";
    traits.type = typeOf(properties.deviceType);
    traits.apiVersion = properties.apiVersion;
    const auto families = device.getQueueFamilyProperties();
    traits.hasComputeQueue = computeQueueFamily(families) < families.size();
    traits.groupInvocations =
      std::min(properties.limits.maxComputeWorkGroupInvocations, properties.limits.maxComputeWorkGroupSize[0]);
    traits.sharedMemoryBytes = properties.limits.maxComputeSharedMemorySize;
    traits.storageBuffers = properties.limits.maxPerStageDescriptorStorageBuffers;
    std::copy(ids.deviceUUID.begin(), ids.deviceUUID.end(), traits.deviceUuid.begin());
    std::copy(ids.driverUUID.begin(), ids.driverUUID.end(), traits.driverUuid.begin());
    all.push_back(traits);
  }
  return all;
}

std::uint32_t computeQueueFamily(const std::vector<vk::QueueFamilyProperties>& families)
{
  const auto firstWithout = [&](vk::QueueFlags excluded)
  {
    return std::find_if(families.begin(), families.end(),
      [excluded](const vk::QueueFamilyProperties& family)
      { return family.queueFlags & vk::QueueFlagBits::eCompute && !(family.queueFlags & excluded); });
  };
  const auto computeAlone = firstWithout(vk::QueueFlagBits::eGraphics);
  const auto found = computeAlone != families.end() ? computeAlone : firstWithout({});
  return static_cast<std::uint32_t>(found - families.begin());
}

}
