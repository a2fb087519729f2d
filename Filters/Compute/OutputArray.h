// One array of the mesh: written by kernels, read on the host.
#ifndef vmcOutputArray_h
#define vmcOutputArray_h

#include "Buffer.h"
#include "Commands.h"

namespace vmc
{

// Chooses the shortest way to the host. Host and device share memory: kernels write into the host block itself, which
// is then given away. Otherwise into device memory, which is kept from run to run and grows as needed; a copy goes into
// a host block, imported, or through a staging buffer.
class OutputArray
{
public:
  OutputArray(const Device& device, MemoryBudget& budget, std::string name);

  // Room for so many bytes at least.
  void reserve(std::uint64_t sizeInBytes);
  void release();

  // What kernels write to. Not for an empty array.
  const Buffer& target() const { return this->Target; }

  // Copies the first so many bytes to the host, if they are not there.
  void recordDownload(Commands& commands, std::uint64_t sizeInBytes);

  // These bytes on the host, once the recorded commands have run.
  HostBlock take(std::uint64_t sizeInBytes);

private:
  bool importInto(Buffer& buffer, const std::string& name) const;
  HostBlock takeShared(std::uint64_t sizeInBytes);

  const Device* Owner;
  MemoryBudget* Budget;
  std::string Name;
  HostBlock Block;
  Buffer Target;         // device memory, or the block
  Buffer Landing;        // the block, or staging memory; empty if Target is the block
  bool IsShared = false; // Target is the block
};

}

#endif
