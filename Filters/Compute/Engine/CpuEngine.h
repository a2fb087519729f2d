// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The engine of the CPU and its sessions.
#ifndef vmcCpuEngine_h
#define vmcCpuEngine_h

#include "Compute/Cpu/CpuState.h"
#include "Compute/Engine.h"
#include "Compute/Memory/HostMemoryPool.h"
#include "Compute/Session.h"

#include <memory>

namespace vmc
{

// The session on the CPU. It runs on the threads of each request. The arrays of volumes are not copied, but their brick
// ranges are held. The values of levels are copied to bricks.
class CpuSession : public Session
{
public:
  // memory: of outputs and temporary arrays; must outlive the session. ranges, levels: shared with other sessions.
  CpuSession(HostMemoryPool& memory, std::shared_ptr<BrickRangeCache> ranges, std::shared_ptr<LevelCache> levels);

  std::optional<Surface> extract(
    const std::vector<Volume>& volumes, const Request& request, Report& report, const Progress& progress = {}) override;
  std::optional<Surface> extract(const std::vector<Levels>& hierarchies, const Request& request, Report& report,
    const Progress& progress = {}) override;
  std::unique_ptr<FoundRegions> findRegions(
    Surface surface, const Request& request, const RegionRequest& wanted, Report& report) override;
  Picture cast(const Volume& volume, const RayRequest& request, Report& report) override;
  std::vector<std::optional<SampleRange>> findRanges(
    const std::vector<Volume>& volumes, const CountLimits& limits, Report& report) override;
  std::optional<std::vector<ValueCounts>> count(const std::vector<Volume>& volumes, const Bins& bins,
    const CountLimits& limits, Report& report, const Progress& progress = {}) override;
  std::vector<std::optional<SampleRange>> findRanges(
    const std::vector<Levels>& hierarchies, const CountLimits& limits, Report& report) override;
  std::optional<std::vector<LevelCounts>> count(const std::vector<Levels>& hierarchies, const Bins& bins,
    const CountLimits& limits, Report& report, const Progress& progress = {}) override;
  std::vector<DomainShare> findShares(const std::vector<Volume>& volumes, const std::vector<double>& isovalues,
    const CountLimits& limits, Report& report) override;
  using Session::findShares;
  void releaseVolumes(std::uint64_t identity) override { this->State.release(identity); }

private:
  CpuState State;
};

// The sessions of the process on the CPU share its memory, brick ranges and levels. The number of threads is part of
// each request.
class CpuEngine : public Engine
{
public:
  // The one engine of the process. Never destroyed, like Instance.
  static const std::shared_ptr<Engine>& get();

  const std::string& deviceName() const override;
  std::unique_ptr<Session> makeSession() override;
  HostMemoryPool& hostMemory() override { return this->Memory; }
  void makeKernels(const Volume&, const Request&) override {}

private:
  CpuEngine();

  HostMemoryPool Memory;
  std::shared_ptr<BrickRangeCache> Ranges;
  std::shared_ptr<LevelCache> Hierarchies;
};

}

#endif
