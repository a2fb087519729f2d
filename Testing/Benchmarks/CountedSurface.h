// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The size of an isosurface, counted on the host without a device.
#ifndef vmcCountedSurface_h
#define vmcCountedSurface_h

#include "Cases.h"

#include <cstdint>

namespace vmc::benchmarks
{

struct CountedSurface
{
  Counts counts;
  double activePercent = 0; // percentage of dual cells that make triangles
};

// Checks every edge and every dual cell, on all processors. It shares only the case table with the timed code. Supports
// UInt8, UInt16 and Float32.
CountedSurface countSurface(const test::Samples& samples, double isovalue);

}

#endif
