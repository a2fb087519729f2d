// A page-aligned block of ordinary host memory that a device can write to directly.
#ifndef vmcHostBlock_h
#define vmcHostBlock_h

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <utility>

namespace vmc
{

// Owns the memory, and never depends on the device: it stays valid when the device is gone.
class HostBlock
{
public:
  HostBlock() = default;

  // A block of at least `sizeInBytes` bytes, uninitialized, whose address and capacity are multiples of the page size.
  // Size 0 is an empty block. Throws Error OutOfMemory.
  explicit HostBlock(std::size_t sizeInBytes);

  // Leaves `other` empty.
  HostBlock(HostBlock&& other) noexcept { *this = std::move(other); }
  HostBlock& operator=(HostBlock&& other) noexcept
  {
    this->Memory = std::move(other.Memory);
    this->Size = std::exchange(other.Size, 0);
    return *this;
  }

  std::byte* data() const { return this->Memory.get(); } // null if empty
  std::size_t size() const { return this->Size; }
  std::size_t capacity() const; // size rounded up to whole pages

  // Only the first so many bytes count from now on, at most size().
  void shorten(std::size_t sizeInBytes) { this->Size = sizeInBytes; }

  // Gives the memory away; the receiver ends it with std::free. Null if empty.
  std::byte* release();

private:
  struct Free
  {
    void operator()(std::byte* memory) const { std::free(memory); }
  };
  std::unique_ptr<std::byte, Free> Memory;
  std::size_t Size = 0;
};

}

#endif
