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
  // The device finds the range when it builds the brick ranges, and knows it for a volume that is there. CpuHistogram
  // finds that of 64-bit samples, and of volumes with ghost flags, a closed border or infinite samples.
  std::optional<SampleRange> range(const Volume& volume, const CountLimits& limits, Report& report) override;
  // CpuHistogram counts in bins that are hardly wider than the distance between neighbouring samples.
  ValueCounts count(const Volume& volume, const Bins& bins, const CountLimits& limits, Report& report) override;

private:
  class Implementation;
  std::unique_ptr<Implementation> Impl;
};

}

#endif
