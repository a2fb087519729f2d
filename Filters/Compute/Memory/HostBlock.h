// A page-aligned block of ordinary host memory that a device can write to directly.
#ifndef vmcHostBlock_h
#define vmcHostBlock_h

#include <cstddef>
#include <memory>
#include <utility>

namespace vmc
{

// Ends memory that HostBlock::release gave away: what came out of a pool that still exists goes back there, other
// memory is freed, as by std::free. Where Vulkan may not be used any more (see Devices.h) the memory stays. From any
// thread; null is allowed.
void recycle(void* memory) noexcept;

// Owns the memory, and never depends on the device: it stays valid when the device is gone.
class HostBlock
{
public:
  HostBlock() = default;

  // A block of at least `sizeInBytes` bytes, uninitialized, whose address and capacity are multiples of the page size.
  // It belongs to no pool (see HostMemoryPool). Size 0 is an empty block. Throws Error OutOfMemory.
  explicit HostBlock(std::size_t sizeInBytes);

  // Leaves `other` empty.
  HostBlock(HostBlock&& other) noexcept { *this = std::move(other); }
  HostBlock& operator=(HostBlock&& other) noexcept
  {
    this->Memory = std::move(other.Memory);
    this->Size = std::exchange(other.Size, 0);
    this->Capacity = std::exchange(other.Capacity, 0);
    return *this;
  }

  std::byte* data() const { return this->Memory.get(); } // null if empty
  std::size_t size() const { return this->Size; }
  std::size_t capacity() const { return this->Capacity; } // at least size; whole pages

  // Only the first so many bytes count from now on, at most size().
  void shorten(std::size_t sizeInBytes) { this->Size = sizeInBytes; }

  // Gives the memory away; the receiver ends it with recycle. Null if empty.
  std::byte* release();

  // The capacity of a block of this size: whole pages, and few enough different values that blocks find a second use.
  // At most an eighth larger than the size, but for the first page.
  static std::size_t capacityFor(std::size_t sizeInBytes);

private:
  friend class HostMemoryPool;
  HostBlock(std::byte* memory, std::size_t sizeInBytes, std::size_t capacity);

  struct Recycle
  {
    void operator()(std::byte* memory) const { recycle(memory); }
  };
  std::unique_ptr<std::byte, Recycle> Memory;
  std::size_t Size = 0;
  std::size_t Capacity = 0;
};

}

#endif
