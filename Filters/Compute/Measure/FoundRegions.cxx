// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Measure/FoundRegions.h"

#include "Compute/System/Error.h"
#include "Compute/System/Stage.h"
#include "Compute/System/Threads.h"

#include <utility>

namespace vmc
{

HostRegions::HostRegions(
  Surface surface, const Request& request, const RegionRequest& wanted, HostMemoryPool& memory, Report& report)
  : InputSurface(std::move(surface))
  , Outputs(wanted.outputs)
  , InputRequest(request)
  , Memory(memory)
{
  const HostClock clock;
  const unsigned threads = usableThreads(request.threads);
  for (std::size_t i = 0; i < this->InputSurface.meshes.size(); ++i)
  {
    const Mesh& mesh = this->InputSurface.meshes[i];
    this->Regions.push_back(findRegions(mesh, memory, threads));
    this->Table.push_back(
      regionsOf(mesh, this->Regions.back(), wanted.choice, wanted.withMeasures, wanted.borders[i], threads));
  }
  report.stages.add(Stage::FindRegions, clock.milliseconds());
}

void HostRegions::addOpenEdges(
  std::size_t mesh, std::size_t firstRegion, int surface, const std::array<int, 3>& origin, PieceRegions& piece) const
{
  piece.add(this->InputSurface.meshes[mesh], this->Regions[mesh], firstRegion, surface, origin);
}

Surface HostRegions::finish(const std::vector<ChosenRegions>& chosen, Report& report)
{
  return withHostMemory("the regions of a surface",
    [&]
    {
      const HostClock clock;
      const unsigned threads = usableThreads(this->InputRequest.threads);
      std::vector<Mesh>& meshes = this->InputSurface.meshes;
      for (std::size_t i = 0; i < meshes.size(); ++i)
        finishMesh(meshes[i], std::move(this->Regions[i]), chosen[i], this->Outputs[i], this->InputRequest,
          this->Memory, threads);
      addCountedArrays(meshes, this->InputRequest, this->Memory, threads);
      report.stages.add(Stage::KeepRegions, clock.milliseconds());
      return std::move(this->InputSurface);
    });
}

}
