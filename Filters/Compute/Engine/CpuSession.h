// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The session on the CPU.
#ifndef vmcCpuSession_h
#define vmcCpuSession_h

#include "Compute/Cpu/CpuState.h"
#include "Compute/Session.h"

#include <memory>

namespace vmc
{

// Runs on the threads of each request. The arrays of volumes are not copied, but their brick ranges are held.
class CpuSession : public Session
{
public:
  // memory: of outputs and temporary arrays; must outlive the session. ranges: shared with other sessions.
  CpuSession(HostMemoryPool& memory, std::shared_ptr<BrickRangeCache> ranges);

  std::optional<Surface> extract(
    const std::vector<Volume>& volumes, const Request& request, Report& report, const Progress& progress = {}) override;
  Picture cast(const Volume& volume, const RayRequest& request, Report& report) override;
  std::vector<std::optional<SampleRange>> findRanges(
    const std::vector<Volume>& volumes, const CountLimits& limits, Report& report) override;
  std::optional<std::vector<ValueCounts>> count(const std::vector<Volume>& volumes, const Bins& bins,
    const CountLimits& limits, Report& report, const Progress& progress = {}) override;
  void releaseVolumes(std::uint64_t identity) override { this->State.release(identity); }

private:
  CpuState State;
};

}

#endif
