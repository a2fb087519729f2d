// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// A session made of an engine's workers.
#ifndef vmcWorkerSession_h
#define vmcWorkerSession_h

#include "Compute/Contour/MarchingCubes.h"
#include "Compute/Cpu/CpuHistogram.h"
#include "Compute/Engine.h"
#include "Compute/Rays/RayCaster.h"
#include "Compute/Session.h"

#include <memory>

namespace vmc
{

// Passes calls on to a MarchingCubes and a RayCaster of the engine, and to the functions of CpuHistogram.h.
class WorkerSession : public Session
{
public:
  explicit WorkerSession(Engine& engine)
    : Contour(engine.makeMarchingCubes())
    , Caster(engine.makeRayCaster())
  {
  }

  std::optional<Surface> extract(
    const std::vector<Volume>& volumes, const Request& request, Report& report, const Progress& progress = {}) override;
  Picture cast(const Volume& volume, const RayRequest& request, Report& report) override;
  std::vector<std::optional<SampleRange>> findRanges(
    const std::vector<Volume>& volumes, const CountLimits& limits, Report& report) override;
  std::optional<std::vector<ValueCounts>> count(const std::vector<Volume>& volumes, const Bins& bins,
    const CountLimits& limits, Report& report, const Progress& progress = {}) override;
  void releaseVolumes(std::uint64_t identity) override;

private:
  const std::unique_ptr<MarchingCubes> Contour;
  const std::unique_ptr<RayCaster> Caster;
};

}

#endif
