// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The units of fixed-point sums over triangles. Compiled by C++ and GLSL.
#ifndef VMC_SHARED_FIXED_UNITS_H
#define VMC_SHARED_FIXED_UNITS_H

#include "Shared/Constants.h"

// The bits of the float of a key (see Positions.glsl).
#define BITS_OF_KEY(key) (((key)&0x80000000u) != 0u ? (key)&0x7FFFFFFFu : ~(key))

#ifdef __cplusplus
#define VMC_SHARED_FUNCTION inline
namespace vmc
{
#else
#define VMC_SHARED_FUNCTION
#endif

// The exponents of the units: lengths are divided by 2^unit, and what is summed is multiplied by 2^[area, ...].
struct FixedUnits
{
  int unit, area, volume, moment, vectorArea;
};

// edge, extent: the biased exponents of the largest coordinate of an edge of a triangle, and of the largest side of the
// bounds of all points. bits: of the number of triangles.
// The largest coordinate of an edge is below 1 in these units, and those of all vectors between points are below
// 2^size. So the area, the volume and the moment of one triangle, each with its factor, are below 2^2, 2^(3 + size) and
// 2^(4 + size), and what its edges add to the vector area is below 2^(3 + 2 * size). Sums are below 2^FIXED_BITS.
VMC_SHARED_FUNCTION FixedUnits fixedUnitsOf(int edge, int extent, int bits)
{
  FixedUnits units;
  const int least = extent - FIXED_MOST_SIZE, unit = (edge > least ? edge : least) - 126;
  units.unit = unit < 126 ? unit : 126;
  const int size = extent - 126 - units.unit;
  units.area = FIXED_BITS - bits - 2;
  units.volume = FIXED_BITS - bits - 3 - size;
  units.moment = FIXED_BITS - bits - 4 - size;
  units.vectorArea = FIXED_BITS - bits - 3 - 2 * size;
  return units;
}

#ifdef __cplusplus
}
#endif

#endif
