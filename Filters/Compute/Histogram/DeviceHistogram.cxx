// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Histogram/DeviceHistogram.h"

#include "Compute/Context.h"
#include "Compute/Histogram/CountOnDevice.h"
#include "Compute/Histogram/CpuHistogram.h"
#include "Compute/Vulkan/Instance.h"

#include <utility>

namespace vmc
{

class DeviceHistogram::Implementation
{
public:
  Implementation(const std::shared_ptr<Context>& context, std::shared_ptr<VolumeCache> volumes)
    : session(context, std::move(volumes))
    , buffers(context->allocator())
  {
  }

  DeviceSession session;
  CountBuffers buffers;
  std::optional<DeviceSession::Call> call; // of the enclosing pass
};

DeviceHistogram::DeviceHistogram(std::shared_ptr<Context> context, std::shared_ptr<VolumeCache> volumes)
{
  translated(context->device(), [&] { this->Impl = std::make_unique<Implementation>(context, std::move(volumes)); });
}

DeviceHistogram::~DeviceHistogram()
{
  if (!mayUseVulkan())
    static_cast<void>(this->Impl.release()); // left to the operating system
}

void DeviceHistogram::beginPass()
{
  if (mayUseVulkan())
    this->Impl->call.emplace(this->Impl->session);
}

void DeviceHistogram::endPass()
{
  if (mayUseVulkan())
    this->Impl->call.reset();
}

void DeviceHistogram::releaseVolumes(std::uint64_t identity)
{
  if (mayUseVulkan())
    this->Impl->session.releaseVolumes(identity);
}

std::optional<SampleRange> DeviceHistogram::range(const Volume& volume, const CountLimits& limits, Report& report)
{
  const Device& device = this->Impl->session.context()->device();
  report.device = device.traits().name;
  const auto range =
    translated(device, [&] { return findRangeOnDevice(this->Impl->session, volume, limits.memoryLimit, report); });
  return range ? range : CpuHistogram().range(volume, limits, report);
}

ValueCounts DeviceHistogram::count(const Volume& volume, const Bins& bins, const CountLimits& limits, Report& report)
{
  const Device& device = this->Impl->session.context()->device();
  report.device = device.traits().name;
  const auto counts = translated(device,
    [&] { return countOnDevice(this->Impl->session, this->Impl->buffers, volume, bins, limits.memoryLimit, report); });
  return counts ? *counts : CpuHistogram().count(volume, bins, limits, report);
}

}
