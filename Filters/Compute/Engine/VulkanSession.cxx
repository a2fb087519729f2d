// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Engine/VulkanSession.h"

#include "Compute/Context.h"
#include "Compute/Contour/DeviceExtraction.h"
#include "Compute/Cpu/CountOnCpu.h"
#include "Compute/Histogram/CountOnDevice.h"
#include "Compute/Rays/CastOnDevice.h"
#include "Compute/Vulkan/Instance.h"

#include <utility>

namespace vmc
{

struct VulkanSession::State
{
  State(const std::shared_ptr<Context>& context, const std::shared_ptr<VolumeCache>& volumes)
    : device(context, volumes)
  {
  }

  ExtractionState& extractionState()
  {
    return this->extraction ? *this->extraction : this->extraction.emplace(*this->device.context());
  }
  const CountBuffers& countBuffers() { return buffersIn(this->counting); }
  const RayBuffers& rayBuffers() { return buffersIn(this->casting); }

  DeviceSession device;

private:
  template <class Buffers>
  const Buffers& buffersIn(std::optional<Buffers>& buffers)
  {
    return buffers ? *buffers : buffers.emplace(this->device.context()->device());
  }

  // Null: not used yet.
  std::optional<ExtractionState> extraction;
  std::optional<CountBuffers> counting;
  std::optional<RayBuffers> casting;
};

VulkanSession::VulkanSession(std::shared_ptr<Context> context, std::shared_ptr<VolumeCache> volumes)
{
  translated(context->device(), [&] { this->Held = std::make_unique<State>(context, volumes); });
}

VulkanSession::~VulkanSession()
{
  if (!mayUseVulkan())
    static_cast<void>(this->Held.release());
}

// Returns work(), one call of the session. isRun: see DeviceSession::Call.
template <class Work>
auto VulkanSession::call(Report& report, bool isRun, const Work& work)
{
  const Device& device = this->Held->device.context()->device();
  return reported(report,
    [&]
    {
      report.device = device.traits().name;
      return translated(device,
        [&]
        {
          const DeviceSession::Call call(this->Held->device, isRun);
          return work();
        });
    });
}

std::optional<Surface> VulkanSession::extract(
  const std::vector<Volume>& volumes, const Request& request, Report& report, const Progress& progress)
{
  return this->call(report, /*isRun*/ true,
    [&]
    { return extractOnDevice(this->Held->device, this->Held->extractionState(), volumes, request, report, progress); });
}

Picture VulkanSession::cast(const Volume& volume, const RayRequest& request, Report& report)
{
  return this->call(report, /*isRun*/ false,
    [&] { return castOnDevice(this->Held->device, this->Held->rayBuffers(), volume, request, report); });
}

std::vector<std::optional<SampleRange>> VulkanSession::findRanges(
  const std::vector<Volume>& volumes, const CountLimits& limits, Report& report)
{
  return this->call(report, /*isRun*/ true,
    [&]
    {
      std::vector<std::optional<SampleRange>> ranges;
      for (const Volume& volume : volumes)
      {
        std::optional<SampleRange> range = findRangeOnDevice(this->Held->device, volume, limits.memoryLimit, report);
        ranges.push_back(range ? range : findRangeOnCpu(volume, limits, report));
      }
      return ranges;
    });
}

std::optional<std::vector<ValueCounts>> VulkanSession::count(const std::vector<Volume>& volumes, const Bins& bins,
  const CountLimits& limits, Report& report, const Progress& progress)
{
  return this->call(report, /*isRun*/ true,
    [&]() -> std::optional<std::vector<ValueCounts>>
    {
      std::vector<ValueCounts> counts;
      for (const Volume& volume : volumes)
      {
        if (progress && !progress(double(counts.size()) / double(volumes.size())))
          return std::nullopt;
        std::optional<ValueCounts> next =
          countOnDevice(this->Held->device, this->Held->countBuffers(), volume, bins, limits.memoryLimit, report);
        counts.push_back(next ? std::move(*next) : countOnCpu(volume, bins, limits, report));
      }
      return counts;
    });
}

void VulkanSession::releaseVolumes(std::uint64_t identity)
{
  if (!mayUseVulkan())
    return;
  this->Held->device.releaseVolumes(identity);
}

}
