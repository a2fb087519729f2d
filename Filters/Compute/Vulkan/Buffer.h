// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Buffers that kernels and copies read and write.
#ifndef vmcBuffer_h
#define vmcBuffer_h

#include "Compute/Vulkan/Device.h"
#include "Compute/Vulkan/Region.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace vmc
{

// Owns a Vulkan buffer and its memory. The device must outlive it.
class Buffer
{
public:
  enum class Memory
  {
    Device,   // fastest for kernels; mapped only if host and device share memory
    Exported, // as Device, not mapped; other APIs on the device, such as OpenGL, can import it
    Upload,   // mapped, written by the host, read by the device
    Readback  // mapped, written by the device, read by the host
  };

  Buffer() = default; // no memory

  // Memory::Device and Exported count against the device's budget; other kinds are host memory. Exported needs
  // Device::exportsMemory(). `name` appears in messages. Size 0: no memory. Throws OutOfMemory if the size exceeds the
  // budget or the device's free memory.
  Buffer(Device& device, std::uint64_t sizeInBytes, Memory memory, const std::string& name);

  // Imports host memory, which must outlive the buffer. The address and the size must be multiples of the device's
  // hostImportAlignment(), which must not be 0. Throws OutOfMemory if the import fails.
  Buffer(Device& device, void* hostMemory, std::uint64_t sizeInBytes, const std::string& name);

  ~Buffer() { this->clear(); }
  Buffer(Buffer&& other) noexcept { *this = std::move(other); }
  Buffer& operator=(Buffer&& other) noexcept;

  vk::Buffer handle() const { return *this->Handle; }
  // Unique among all buffers that the process has ever had; 0: no memory.
  std::uint64_t identity() const { return this->Identity; }
  std::uint64_t size() const { return this->Size; }   // bytes; 0: no memory
  Memory kind() const { return this->Kind; }          // as constructed
  std::byte* mapped() const { return this->Pointer; } // null if not mapped

  // For Memory::Exported: a new file descriptor of the memory, which the caller owns, of the kind that OpenGL names
  // GL_HANDLE_TYPE_OPAQUE_FD_EXT. The buffer begins at byte 0 of the memory, which has allocationSize() bytes. Throws
  // vk::SystemError.
  int exportMemory(const Device& device) const;
  std::uint64_t allocationSize() const { return this->AllocationSize; }
  static bool isExportable(const vk::raii::PhysicalDevice& device);

private:
  void clear();
  void create(Device& device, const void* next, const std::string& name);

  MemoryBudget* Budget = nullptr; // null: the memory is not counted
  std::uint64_t Identity = 0;
  std::uint64_t Size = 0;
  std::uint64_t AllocationSize = 0;
  Memory Kind = Memory::Device;
  vk::raii::DeviceMemory Allocation = nullptr; // declared first: outlives the buffer bound to it
  vk::raii::Buffer Handle = nullptr;
  std::byte* Pointer = nullptr;
};

inline Region::Region(const Buffer& whole)
  : buffer(&whole)
  , size(whole.size())
{
}

}

#endif
