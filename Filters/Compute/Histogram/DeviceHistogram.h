// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Histograms of volumes, on a Vulkan device.
#ifndef vmcDeviceHistogram_h
#define vmcDeviceHistogram_h

#include "Compute/Contour/Request.h"
#include "Compute/Histogram/HostHistogram.h"
#include "Compute/Histogram/ValueCounts.h"
#include "Compute/Volume/Volume.h"

#include <cstdint>
#include <memory>
#include <optional>

namespace vmc
{

class Context;
class VolumeCache;

// Counts the samples of volumes that the cache holds on the device, or uploads them to it, as MarchingCubes does: both
// share the uploaded arrays. The results equal those of HostHistogram.h. One call at a time per object. The memory
// limit is that of all users of the device, in bytes; 0: the device's limit. The functions throw Unsupported,
// OutOfMemory, DeviceLost, Internal. They add to the report.
// On software Vulkan, threads of the host count instead of kernels: the processor is the same, and they take a tenth of
// the time. With DeviceOptions::isDiscrete, kernels count there too.
class DeviceHistogram
{
public:
  DeviceHistogram(std::shared_ptr<Context> context, std::shared_ptr<VolumeCache> volumes);
  ~DeviceHistogram();
  DeviceHistogram(const DeviceHistogram&) = delete;
  DeviceHistogram& operator=(const DeviceHistogram&) = delete;

  // See MarchingCubes.
  void beginPass();
  void endPass();
  void releaseVolumes(std::uint64_t identity);

  // See rangeOnHost.
  std::optional<SampleRange> range(const Volume& volume, std::uint64_t memoryLimit, Report& report);

  // See countOnHost.
  ValueCounts count(const Volume& volume, const Bins& bins, std::uint64_t memoryLimit, Report& report);

private:
  class Implementation;
  std::unique_ptr<Implementation> Impl;
};

}

#endif
