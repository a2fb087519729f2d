// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Runs the kernels of this room on a mesh of a surface on a device.
#ifndef vmcMeshPasses_h
#define vmcMeshPasses_h

#include "Compute/Context.h"
#include "Compute/Contour/DownloadSurface.h"
#include "Compute/Vulkan/CommandRecorder.h"
#include "Compute/Vulkan/Kernel.h"
#include "Shared/Bindings.h"
#include "Shared/Structs.h"

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <vector>

namespace vmc
{

// Words that the device has written, on the host.
class WordsOnHost
{
public:
  // Forgets the words of a recording that has failed.
  void clear();
  // Records the copy of a region. Returns the number of its first word.
  std::size_t add(const Region& region);
  // The same for one word of a region.
  std::size_t add(const Region& region, std::uint64_t word)
  {
    return this->add(Region(*region.buffer, region.offset + 4 * word, 4));
  }
  // Submits the recording with the copies. The words exist until the next call.
  const std::uint32_t* fetch(Context& context, CommandRecorder& recorder, StageTimes& times);

private:
  std::vector<Region> Regions; // to copy
  std::uint64_t Words = 0;     // of the regions
  Buffer Memory;
};

// The kernels read and write the buffers that are bound by their numbers.
class MeshPasses
{
public:
  // mesh: the number of a mesh with triangles. All must outlive this object.
  MeshPasses(CommandRecorder& recorder, const Surface& surface, std::size_t mesh);

  MeshConstants push{};
  Bindings bound;

  // Begins a recording of this stage.
  void begin(Stage stage, WordsOnHost& words);

  Context& context() const { return this->DeviceContext; }
  const Mesh& mesh() const { return this->InputMesh; }

  void bind(std::uint32_t binding, const Region& region) { this->bound.set({ binding, region }); }
  // An array of words for a binding.
  struct Array
  {
    std::uint32_t binding;
    std::uint64_t words;
  };
  // Allocates the arrays in one buffer, in this order, and binds them.
  PooledBuffer bind(std::initializer_list<Array> arrays, const char* name);
  // Records that the words of the buffer from its beginning up to the first one of an array become 0.
  void clearUpTo(const PooledBuffer& buffer, std::uint32_t binding);

  // Records one invocation per element. elementsOfGroup: handled by one workgroup.
  void run(const kernels::Words& kernel, std::uint64_t elements, std::uint32_t elementsOfGroup,
    const Specialization& specialization = {});
  // Records CountElements, ScanCounts and NumberElements for these elements (ELEMENT_...). BINDING_BLOCK_COUNT has room
  // for their blocks. writesRegion: NumberElements writes BINDING_REGION_ID.
  void number(std::uint32_t element, std::uint64_t elements, bool writesRegion);
  // The blocks of so many elements.
  static std::uint64_t blocksOf(std::uint64_t elements) { return groupsFor(elements, SCAN_BLOCK_SIZE); }

private:
  Context& DeviceContext;
  CommandRecorder& Recorder;
  const Mesh& InputMesh;
  PooledBuffer Nothing; // bound where a variant of a kernel neither reads nor writes
};

}

#endif
