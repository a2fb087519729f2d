// The Vulkan instance of this process.
#ifndef vmcInstance_h
#define vmcInstance_h

#include "Compute/Vulkan/DeviceChoice.h"

#include <vulkan/vulkan_raii.hpp>

#include <mutex>
#include <string>
#include <vector>

namespace vmc
{

// Made once, at first use, and never destroyed: drivers unload unreliably while a process ends.
class Instance
{
public:
  // Throws NoDevice if the Vulkan loader cannot be opened or offers no instance, and in a process that fork() made
  // after its parent had called this: the threads of the driver are not there.
  static Instance& get();

  // Whether this process was made by fork() after its parent had called get().
  static bool isOfParent();

  bool isValidating() const { return this->Validating; }
  std::vector<std::string> messages() const;
  void addMessage(const std::string& message);

  // Physical devices and what is known of them, in one order.
  std::vector<vk::raii::PhysicalDevice> devices() const;
  static std::vector<DeviceTraits> traitsOf(const std::vector<vk::raii::PhysicalDevice>& devices);

private:
  Instance();
  void createInstance();

  vk::raii::Context Context;
  vk::raii::Instance Handle = nullptr;
  vk::raii::DebugUtilsMessengerEXT Messenger = nullptr;
  bool Validating = false;
  std::mutex mutable Mutex;
  std::vector<std::string> Messages;
};

// First queue family that can compute, the number of families if there is none.
std::uint32_t computeQueueFamily(const vk::raii::PhysicalDevice& device);

}

#endif
