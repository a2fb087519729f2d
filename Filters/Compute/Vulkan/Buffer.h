// Device memory that kernels read and write.
#ifndef vmcBuffer_h
#define vmcBuffer_h

#include "Compute/Memory/HostBlock.h"
#include "Compute/Vulkan/Device.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace vmc
{

// Counts the bytes of device memory that a group of buffers takes, against a limit.
class MemoryBudget
{
public:
  // limitInBytes ~0: whatever the device has.
  void setLimit(std::uint64_t limitInBytes) { this->Limit = limitInBytes; }
  std::uint64_t used() const { return this->Used; }
  std::uint64_t largest() const { return this->Largest; } // most in use at once since forgetLargest()
  void forgetLargest() { this->Largest = this->Used; }

  // Throws OutOfMemory, naming the buffer, if the limit would be passed.
  void take(std::uint64_t sizeInBytes, const std::string& name);
  void giveBack(std::uint64_t sizeInBytes) { this->Used -= sizeInBytes; }

private:
  std::uint64_t Limit = ~0ull;
  std::uint64_t Used = 0;
  std::uint64_t Largest = 0;
};

class Buffer
{
public:
  enum class Memory
  {
    Device,  // fastest for kernels; mapped only where host and device share memory
    Upload,  // mapped, written by the host, read by the device
    Readback // mapped, written by the device, read by the host
  };

  Buffer() = default; // no memory

  // Throws OutOfMemory: device memory beyond the budget, or refused by the device. `name` shows in messages.
  Buffer(const Device& device, MemoryBudget& budget, std::uint64_t sizeInBytes, Memory memory, const std::string& name);

  // A view of host memory, its whole capacity: the block must live as long as the buffer. Needs
  // device.hostImportAlignment() != 0.
  Buffer(const Device& device, const HostBlock& block, const std::string& name);

  ~Buffer() { this->clear(); }
  Buffer(Buffer&& other) noexcept { *this = std::move(other); }
  Buffer& operator=(Buffer&& other) noexcept;

  vk::Buffer handle() const { return *this->Handle; }
  std::uint64_t identity() const { return this->Identity; } // never that of another buffer of the device; 0: none
  std::uint64_t size() const { return this->Size; }         // bytes; 0: no memory
  std::byte* mapped() const { return this->Pointer; }       // null if the host cannot reach it

private:
  void clear();
  void create(const Device& device, std::uint64_t sizeInBytes, const void* next, const std::string& name);

  MemoryBudget* Budget = nullptr;
  std::uint64_t Identity = 0;
  std::uint64_t Size = 0;
  vk::raii::DeviceMemory Allocation = nullptr; // outlives the buffer bound to it
  vk::raii::Buffer Handle = nullptr;
  std::byte* Pointer = nullptr;
};

// A part of a buffer, as a kernel binds it or a copy moves it.
struct Region
{
  const Buffer* buffer = nullptr;
  std::uint64_t offset = 0; // bytes
  std::uint64_t size = 0;   // bytes
  Region() = default;
  Region(const Buffer& whole)
    : buffer(&whole)
    , size(whole.size())
  {
  }
  Region(const Buffer& whole, std::uint64_t offsetInBytes, std::uint64_t sizeInBytes)
    : buffer(&whole)
    , offset(offsetInBytes)
    , size(sizeInBytes)
  {
  }
};

}

#endif
