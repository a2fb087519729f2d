// What kernels tell the host.
#ifndef vmcTotals_h
#define vmcTotals_h

#include "Compute/Vulkan/Commands.h"
#include "Shared/Constants.h"

#include <cstdint>

namespace vmc
{

// The words of BINDING_TOTALS (TOTAL_... in Shaders/Shared/Constants.h), on the device and where the host reads them.
class Totals
{
public:
  Totals(const Device& device, MemoryBudget& budget)
    : Owner(device)
    , Budget(budget)
  {
  }

  // Makes the buffers unless they are there. Throws OutOfMemory.
  void reserve()
  {
    if (this->OnDevice.size() == 0)
      this->OnDevice = Buffer(this->Owner, this->Budget, 4 * TOTAL_WORDS, Buffer::Memory::Device, "totals");
    if (this->OnHost.size() == 0)
      this->OnHost = Buffer(this->Owner, this->Budget, 4 * TOTAL_WORDS, Buffer::Memory::Readback, "totals on the host");
  }

  void recordClear(Commands& commands) const { commands.fill(this->OnDevice, 0); }
  void recordFetch(Commands& commands) const { commands.copy(this->OnDevice, this->OnHost); }

  const Buffer& onDevice() const { return this->OnDevice; }
  // As last fetched.
  std::uint32_t operator[](std::size_t word) const
  {
    return reinterpret_cast<const std::uint32_t*>(this->OnHost.mapped())[word];
  }

private:
  const Device& Owner;
  MemoryBudget& Budget;
  Buffer OnDevice, OnHost;
};

}

#endif
