// A part of a host array on the device.
#ifndef vmcResidentArray_h
#define vmcResidentArray_h

#include "Compute/Volume/ContourPlan.h"
#include "Compute/Vulkan/Buffer.h"

namespace vmc
{

// The window that was asked for last; a window of the same values within it needs no copy.
class ResidentArray
{
public:
  ResidentArray(const Device& device, MemoryBudget& budget, const char* name);

  // Makes sure that the window is on the device. `values` is the whole array, of `sizeInBytes` bytes; equal identities
  // stand for equal values. True if something was copied.
  bool load(const void* values, std::uint64_t sizeInBytes, std::uint64_t identity, const Window& window);

  // The next load copies: for values without an identity (0), which a new extraction may have changed.
  void forgetUnknown() { this->IsCurrent = this->IsCurrent && this->Identity != 0; }
  // Gives the memory back.
  void release();

  // A window that was loaded, for a kernel to bind.
  Region region(const Window& window) const;

private:
  void copyIn(const std::byte* from, std::uint64_t sizeInBytes);

  const Device* Owner;
  MemoryBudget* Budget;
  const char* Name;
  Buffer Values;
  std::uint64_t Offset = 0; // of the first byte that is there, in the array
  std::uint64_t Identity = 0;
  bool IsCurrent = false;
};

}

#endif
