// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The extraction of isosurfaces on Vulkan devices.
#ifndef vmcDeviceExtraction_h
#define vmcDeviceExtraction_h

#include "Compute/Contour/ExtractionState.h"
#include "Compute/Contour/Surface.h"
#include "Compute/Volume/DeviceSession.h"

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace vmc
{

// A device that takes part in an extraction. Its users must not use it meanwhile.
struct ExtractionDevice
{
  DeviceSession* session;
  ExtractionState* state;
  bool hasFailed = false; // the error of the extraction is one of this device
};

// See Session::extract. Two sweeps over all slabs of all volumes for all isovalues: the first one counts; then the host
// sums the counts, so that all ids are known, and allocates each output once; the second one emits every slab into its
// place. While memory is exhausted, begins again as MemoryLadder says. Each device does this for layers of the volumes,
// of a number that is proportional to its memory, in a thread of its own but the first; with several, the output is in
// host memory. blocks: the pool of the output in host memory, of all these devices.
std::optional<Surface> extractOnDevices(std::vector<ExtractionDevice>& devices, HostMemoryPool& blocks,
  const std::vector<Volume>& volumes, const Request& request, Report& report, const Progress& progress);

// Returns the hierarchies of levels on the device. Uploads what is missing.
using AcquireLevels = std::function<std::vector<std::shared_ptr<const LevelArrays>>()>;

// The same on one device for hierarchies of levels, without attributes and cells: see extractOnCpu. If memory is
// exhausted, frees what this call does not use and begins again, once. Throws OutOfMemory.
std::optional<Surface> extractOnDevice(DeviceSession& session, ExtractionState& state, const AcquireLevels& acquire,
  const Request& request, Report& report, const Progress& progress);

}

#endif
