// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

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

// Created at the first use and never destroyed, as drivers unload unreliably while a process ends.
class Instance
{
public:
  // Throws NoDevice if the Vulkan loader cannot be opened or cannot create an instance, and in a process created by
  // fork() after its parent called get(): the driver's threads do not exist there.
  static Instance& get();

  // Returns whether this process was created by fork() after its parent called get().
  static bool isOfParent();

  bool isValidating() const { return this->Validating; }
  std::vector<std::string> messages() const;
  void addMessage(const std::string& message);

  // Physical devices, and their traits in the same order.
  std::vector<vk::raii::PhysicalDevice> devices() const;
  static std::vector<DeviceTraits> traitsOf(const std::vector<vk::raii::PhysicalDevice>& devices);

private:
  Instance();
  static Instance* make();
  void createInstance();

  vk::raii::Context Context;
  vk::raii::Instance Handle = nullptr;
  vk::raii::DebugUtilsMessengerEXT Messenger = nullptr;
  bool Validating = false;
  std::mutex mutable Mutex;
  std::vector<std::string> Messages;
};

// Returns whether Vulkan objects may be used and destroyed. False while the process ends, as drivers and layers may
// unload before the last objects that use them, and in a process created by fork() after its parent opened Vulkan. Then
// Vulkan objects must be leaked; the operating system frees them.
bool mayUseVulkan();

// The messages of Vulkan's validation layer so far, oldest first. They are also written to the standard error stream
// after "Vulkan validation:". Validation, including that of synchronization, is on if the environment variable
// VMC_VALIDATION is 1 when the first device is opened.
std::vector<std::string> validationMessages();
bool isValidating();

// Deletes an object that owns Vulkan objects. If mayUseVulkan() is false, leaves it to the operating system.
template <class Object>
void deleteInProcess(Object* object)
{
  if (mayUseVulkan())
    delete object;
}

// Registers an exit handler that makes mayUseVulkan() false. Call it after a driver has been opened: exit handlers run
// in reverse order, so this one runs before the driver's.
void noticeEndOfProcess();

// Returns the index of the first queue family that has compute but no graphics; else of the first one with compute;
// else the number of families. On an H200, more workgroups run together on a queue without graphics
// (Shaders/README.md).
std::uint32_t computeQueueFamily(const std::vector<vk::QueueFamilyProperties>& families);

}

#endif
