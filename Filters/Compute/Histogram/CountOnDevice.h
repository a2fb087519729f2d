// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Histograms of volumes, on a Vulkan device.
#ifndef vmcCountOnDevice_h
#define vmcCountOnDevice_h

#include "Compute/Histogram/ValueCounts.h"
#include "Compute/Volume/DeviceSession.h"

#include <cstdint>
#include <optional>

namespace vmc
{

// The buffers of countOnDevice, for bins and counts of any number.
struct CountBuffers
{
  explicit CountBuffers(Device& device); // throws OutOfMemory

  Buffer bins, counts, onHost;
};

// Returns the range of the samples if the brick ranges on the device determine it. Returns nothing for volumes with
// samples of 64 bits, ghost flags, a closed border or infinite samples, and without a finite sample; findRangeOnCpu
// finds their range. A volume that is on the device needs no submission. Adds to the report. Throws as
// DeviceSession::withVolume.
std::optional<SampleRange> findRangeOnDevice(
  DeviceSession& session, const Volume& volume, std::uint64_t memoryLimit, Report& report);

// Returns the counts that countOnCpu returns. Returns nothing if bins are hardly wider than the distance between
// neighbouring samples, and for a volume without samples. Adds to the report. Throws as DeviceSession::withVolume.
std::optional<ValueCounts> countOnDevice(DeviceSession& session, const CountBuffers& buffers, const Volume& volume,
  const Bins& bins, std::uint64_t memoryLimit, Report& report);

}

#endif
