// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Runs and times the core.
#ifndef vmcBenchmarkExtraction_h
#define vmcBenchmarkExtraction_h

#include "Cases.h"
#include "Compute/Session.h"
#include "Compute/Vulkan/Device.h"

namespace vmc::benchmarks
{

// The memory of the mesh when the clock stops.
enum class MeshPlace
{
  Device,
  Host
};

struct Extraction
{
  Counts counts;
  Report report;
  double milliseconds = 0; // host clock, around the call, including the wait for the device
};

// Extracts with shared points and without normals. If the mesh stays on the device, the passes take less than a tenth
// of a millisecond. Then the timed extraction directly follows another one, because an idle device needs time to start.
// The stages come from a third extraction, because timestamps between the passes take a large part of that time.
Extraction extract(Session& session, const Volume& volume, double isovalue, MeshPlace place);

// Bytes of the mesh that count as device memory: none if kernels write directly to host memory.
std::uint64_t meshBytesOnDevice(const Device& device, const Counts& counts);

}

#endif
