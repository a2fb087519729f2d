// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Marching cubes on the dual grid of a volume, on threads of the CPU.
#ifndef vmcCpuMarchingCubes_h
#define vmcCpuMarchingCubes_h

#include "Compute/Contour/MarchingCubes.h"

#include <memory>
#include <vector>

namespace vmc
{

class BrickRangeCache;
class HostMemoryPool;
struct SampleRanges;

// Makes the mesh that the Vulkan kernels make, with the same bricks, row words, ids and order. Samples are read in
// place. The bytes of the mesh do not depend on the number of threads. The memory limit of a request is one of
// device memory and has no effect.
class CpuMarchingCubes : public MarchingCubes
{
public:
  // memory: of meshes and of temporary arrays; must outlive this object. ranges: shared with other users of the same
  // arrays.
  CpuMarchingCubes(HostMemoryPool& memory, std::shared_ptr<BrickRangeCache> ranges);
  ~CpuMarchingCubes() override;

  void beginPass() override;
  void endPass() override;
  void releaseVolumes(std::uint64_t identity) override;
  std::optional<Mesh> extractToHost(
    const Volume& volume, const Request& request, Report& report, const Progress& progress = {}) override;

private:
  class Run;
  class User;

  std::shared_ptr<const SampleRanges> rangesOf(const Volume& volume, unsigned threads, StageTimes& times);

  struct KeptVolume
  {
    std::uint64_t identity;
    std::shared_ptr<const SampleRanges> ranges;
    bool isWanted = true; // in this pass
  };

  HostMemoryPool& Memory;
  std::unique_ptr<User> PoolUse;
  std::shared_ptr<BrickRangeCache> Ranges;
  std::vector<KeptVolume> KeptVolumes; // the last one, or those of the pass
  bool InPass = false;
};

}

#endif
