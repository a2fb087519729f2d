// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Engine/CpuEngine.h"

#include "Compute/Cpu/BrickRangeCache.h"
#include "Compute/Cpu/CastOnCpu.h"
#include "Compute/Cpu/CountLevelsOnCpu.h"
#include "Compute/Cpu/CountOnCpu.h"
#include "Compute/Cpu/ExtractOnCpu.h"
#include "Compute/Cpu/FindShareOnCpu.h"
#include "Compute/System/Error.h"
#include "Compute/System/Threads.h"

#include <utility>

namespace vmc
{

namespace
{

// Returns work(), with its time in the report.
template <class Work>
auto counted(Report& report, const Work& work)
{
  return reported(report, [&] { return withHostMemory("counting the values of volumes", work); });
}

}

CpuSession::CpuSession(
  HostMemoryPool& memory, std::shared_ptr<BrickRangeCache> ranges, std::shared_ptr<LevelCache> levels)
  : State{ memory, std::move(ranges), std::move(levels) }
{
}

std::optional<Surface> CpuSession::extract(
  const std::vector<Volume>& volumes, const Request& request, Report& report, const Progress& progress)
{
  return reported(report, [&] { return onHost(extractOnCpu(this->State, volumes, request, report, progress)); });
}

std::optional<Surface> CpuSession::extract(
  const std::vector<Levels>& hierarchies, const Request& request, Report& report, const Progress& progress)
{
  return reported(report, [&] { return onHost(extractOnCpu(this->State, hierarchies, request, report, progress)); });
}

std::unique_ptr<FoundRegions> CpuSession::findRegions(
  Surface surface, const Request& request, const RegionRequest& wanted, Report& report)
{
  return withHostMemory("the regions of a surface",
    [&]() -> std::unique_ptr<FoundRegions>
    { return std::make_unique<HostRegions>(std::move(surface), request, wanted, this->State.memory, report); });
}

Picture CpuSession::cast(const Volume& volume, const RayRequest& request, Report& report)
{
  Picture picture;
  picture.onHost = reported(report, [&] { return castOnCpu(this->State, volume, request, report); });
  return picture;
}

std::vector<std::optional<SampleRange>> CpuSession::findRanges(
  const std::vector<Volume>& volumes, const CountLimits& limits, Report& report)
{
  return counted(report,
    [&]
    {
      std::vector<std::optional<SampleRange>> ranges;
      ranges.reserve(volumes.size());
      for (const Volume& volume : volumes)
        ranges.push_back(findRangeOnCpu(volume, limits, report));
      return ranges;
    });
}

std::optional<std::vector<ValueCounts>> CpuSession::count(const std::vector<Volume>& volumes, const Bins& bins,
  const CountLimits& limits, Report& report, const Progress& progress)
{
  return counted(report,
    [&]() -> std::optional<std::vector<ValueCounts>>
    {
      std::vector<ValueCounts> counts;
      for (const Volume& volume : volumes)
      {
        if (progress && !progress(double(counts.size()) / double(volumes.size())))
          return std::nullopt;
        counts.push_back(countOnCpu(volume, bins, limits, report));
        counts.back().volumes = sumVolumesOnCpu(volume, bins, limits, report);
      }
      return counts;
    });
}

std::vector<std::optional<SampleRange>> CpuSession::findRanges(
  const std::vector<Levels>& hierarchies, const CountLimits& limits, Report& report)
{
  return counted(report, [&] { return findRangesOnCpu(this->State, hierarchies, limits, report); });
}

std::optional<std::vector<LevelCounts>> CpuSession::count(const std::vector<Levels>& hierarchies, const Bins& bins,
  const CountLimits& limits, Report& report, const Progress& progress)
{
  return counted(report, [&] { return countOnCpu(this->State, hierarchies, bins, limits, report, progress); });
}

std::vector<DomainShare> CpuSession::findShares(
  const std::vector<Volume>& volumes, const std::vector<double>& isovalues, const CountLimits& limits, Report& report)
{
  return withHostMemory("the shares of domains",
    [&]
    {
      std::vector<DomainShare> shares;
      shares.reserve(volumes.size());
      for (const Volume& volume : volumes)
        shares.push_back(hasEqualSamples(volume) ? findShareOnCpu(&this->State, volume, isovalues, limits, report)
                                                 : Session::findShares({ volume }, isovalues, limits, report).front());
      return shares;
    });
}

const std::shared_ptr<Engine>& CpuEngine::get()
{
  static const auto* const engine = new std::shared_ptr<Engine>(new CpuEngine);
  return *engine;
}

CpuEngine::CpuEngine()
  : Memory(/*isForDevices*/ false)
  , Ranges(std::make_shared<BrickRangeCache>())
  , Hierarchies(std::make_shared<LevelCache>())
{
}

const std::string& CpuEngine::deviceName() const
{
  static const std::string* const name = new std::string(CpuName);
  return *name;
}

std::unique_ptr<Session> CpuEngine::makeSession()
{
  return withHostMemory("a session on the CPU",
    [&]() -> std::unique_ptr<Session>
    { return std::make_unique<CpuSession>(this->Memory, this->Ranges, this->Hierarchies); });
}

}
