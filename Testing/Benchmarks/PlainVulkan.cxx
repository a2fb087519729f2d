// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "PlainVulkan.h"

#include <vulkan/vulkan_raii.hpp>

#include <cstring>
#include <stdexcept>
#include <utility>

namespace vmc::benchmarks
{

namespace
{

vk::raii::PhysicalDevice deviceNamed(const vk::raii::Instance& instance, const std::string& name)
{
  for (vk::raii::PhysicalDevice& device : instance.enumeratePhysicalDevices())
    if (name == device.getProperties().deviceName.data())
      return std::move(device);
  throw std::runtime_error("The device " + name + " is missing.");
}

std::uint32_t computeFamily(const vk::raii::PhysicalDevice& device)
{
  const std::vector<vk::QueueFamilyProperties> families = device.getQueueFamilyProperties();
  for (std::uint32_t family = 0; family < families.size(); ++family)
    if (families[family].queueFlags & vk::QueueFlagBits::eCompute)
      return family;
  throw std::runtime_error("The device has no queue for kernels.");
}

struct PlainBuffer
{
  vk::raii::Buffer buffer = nullptr;
  vk::raii::DeviceMemory memory = nullptr;
};

PlainBuffer makeBuffer(const vk::raii::PhysicalDevice& physical, const vk::raii::Device& device, std::uint64_t bytes,
  vk::MemoryPropertyFlags wanted)
{
  const auto usage = vk::BufferUsageFlagBits::eTransferSrc | vk::BufferUsageFlagBits::eTransferDst;
  vk::raii::Buffer buffer(device, { {}, bytes, usage });
  const vk::MemoryRequirements requirements = buffer.getMemoryRequirements();
  const vk::PhysicalDeviceMemoryProperties types = physical.getMemoryProperties();
  for (std::uint32_t type = 0; type < types.memoryTypeCount; ++type)
    if ((requirements.memoryTypeBits >> type & 1u) && (types.memoryTypes[type].propertyFlags & wanted) == wanted)
    {
      vk::raii::DeviceMemory memory(device, { requirements.size, type });
      buffer.bindMemory(*memory, 0);
      return { std::move(buffer), std::move(memory) };
    }
  throw std::runtime_error("The device has no memory of this kind.");
}

}

void copyByPlainVulkan(const std::string& name, std::uint64_t bytes, const std::function<void()>& done)
{
  const vk::raii::Context context;
  const vk::ApplicationInfo application("plain", 1, nullptr, 0, VK_API_VERSION_1_2);
  const vk::raii::Instance instance(context, { {}, &application });
  const vk::raii::PhysicalDevice physical = deviceNamed(instance, name);
  const std::uint32_t family = computeFamily(physical);
  const float priority = 1;
  const vk::DeviceQueueCreateInfo queues({}, family, 1, &priority);
  const vk::raii::Device device(physical, { {}, queues });
  const PlainBuffer onHost = makeBuffer(
    physical, device, 2 * bytes, vk::MemoryPropertyFlagBits::eHostVisible | vk::MemoryPropertyFlagBits::eHostCoherent);
  auto* const there = static_cast<unsigned char*>(onHost.memory.mapMemory(0, 2 * bytes)); // then back
  for (std::uint64_t i = 0; i < bytes; ++i)
    there[i] = static_cast<unsigned char>(i % 251);
  const PlainBuffer onDevice = makeBuffer(physical, device, bytes, vk::MemoryPropertyFlagBits::eDeviceLocal);

  const vk::raii::CommandPool pool(device, { {}, family });
  const vk::raii::CommandBuffer commands =
    std::move(vk::raii::CommandBuffers(device, { *pool, vk::CommandBufferLevel::ePrimary, 1 }).front());
  commands.begin({ vk::CommandBufferUsageFlagBits::eOneTimeSubmit });
  commands.copyBuffer(*onHost.buffer, *onDevice.buffer, vk::BufferCopy(0, 0, bytes));
  const vk::MemoryBarrier written(vk::AccessFlagBits::eTransferWrite, vk::AccessFlagBits::eTransferRead);
  commands.pipelineBarrier(
    vk::PipelineStageFlagBits::eTransfer, vk::PipelineStageFlagBits::eTransfer, {}, written, {}, {});
  commands.copyBuffer(*onDevice.buffer, *onHost.buffer, vk::BufferCopy(0, bytes, bytes));
  commands.end();
  const vk::raii::Queue queue(device, family, 0);
  queue.submit(vk::SubmitInfo({}, {}, *commands));
  queue.waitIdle();
  if (std::memcmp(there, there + bytes, bytes) != 0)
    throw std::runtime_error("Other bytes came back.");
  done();
}

}
