// One array of the mesh: written by kernels, read on the host.
#ifndef vmcOutputArray_h
#define vmcOutputArray_h

#include "Compute/Vulkan/Buffer.h"
#include "Compute/Vulkan/Commands.h"

namespace vmc
{

// Chooses the shortest way to the host. Host and device share memory: kernels write into a block of the device's host
// blocks itself, which is then given away. Otherwise into device memory, which is kept from run to run and grows as
// needed; a copy goes into a block, imported, or through a staging buffer.
class OutputArray
{
public:
  OutputArray(const Device& device, MemoryBudget& budget, std::string name);

  // Room for so many bytes at least.
  void reserve(std::uint64_t sizeInBytes);
  void release();

  // What kernels write to; without a buffer if the array is empty.
  Region target() const;

  // Copies the first so many bytes to the host, if they are not there.
  void recordDownload(Commands& commands, std::uint64_t sizeInBytes);

  // These bytes on the host, once the recorded commands have run.
  HostBlock take(std::uint64_t sizeInBytes);

private:
  HostBlock takeShared(std::uint64_t sizeInBytes);

  const Device* Owner;
  MemoryBudget* Budget;
  std::string Name;
  Buffer Target;                  // device memory; empty if kernels write into the block
  HostBlock Block;                // what kernels or the copy write to
  const Buffer* Import = nullptr; // the block as the device sees it; null: it does not
  Buffer Landing;                 // staging memory; empty if the block is imported
};

}

#endif
