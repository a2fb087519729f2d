// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Histograms of volumes, on a Vulkan device.
#ifndef vmcDeviceHistogram_h
#define vmcDeviceHistogram_h

#include "Compute/Histogram/ValueCounter.h"

#include <memory>

namespace vmc
{

class Context;
class VolumeCache;

// Counts the samples of volumes that the cache holds on the device, or uploads them to it, as DeviceMarchingCubes does:
// both share the uploaded arrays.
class DeviceHistogram : public ValueCounter
{
public:
  DeviceHistogram(std::shared_ptr<Context> context, std::shared_ptr<VolumeCache> volumes);
  ~DeviceHistogram() override;

  void beginPass() override;
  void endPass() override;
  void releaseVolumes(std::uint64_t identity) override;
  // Of a volume that is on the device the range is known, as the device finds it when it builds the brick ranges.
  std::optional<SampleRange> range(const Volume& volume, const CountLimits& limits, Report& report) override;
  ValueCounts count(const Volume& volume, const Bins& bins, const CountLimits& limits, Report& report) override;

private:
  class Implementation;
  std::unique_ptr<Implementation> Impl;
};

}

#endif
