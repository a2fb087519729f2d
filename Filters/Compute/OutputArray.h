// One array of the mesh: written by kernels, read on the host.
#ifndef vmcOutputArray_h
#define vmcOutputArray_h

#include "Buffer.h"
#include "Commands.h"

namespace vmc
{

// Chooses the shortest way to the host. Host and device share memory: kernels write into the host block itself.
// Otherwise: into device memory, from where a copy goes into the block, imported, or through a staging buffer.
class OutputArray
{
public:
  OutputArray() = default; // empty
  OutputArray(const Device& device, MemoryBudget& budget, std::uint64_t sizeInBytes, const std::string& name);

  // What kernels write to. Not for an empty array.
  const Buffer& target() const { return this->Target; }

  void recordDownload(Commands& commands) const;

  // The array on the host, once the recorded commands have run. Leaves this array empty.
  HostBlock take();

private:
  bool importInto(Buffer& buffer, const Device& device, const std::string& name) const;

  HostBlock Block;
  Buffer Target;  // device memory, or the block
  Buffer Landing; // the block, or staging memory; empty if Target is the block
};

}

#endif
