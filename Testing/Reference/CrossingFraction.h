// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The position of a crossing between two samples.
#ifndef vmcReferenceCrossingFraction_h
#define vmcReferenceCrossingFraction_h

#include <cmath>

namespace vmc::reference
{

// Fraction of the way from value a to value b. For an infinite value: the limit.
inline double crossingFraction(double isovalue, double a, double b)
{
  if (std::isinf(a) && std::isinf(b))
    return 0.5;
  if (std::isinf(a) || std::isinf(b))
    return std::isinf(a) ? 1 : 0;
  return (isovalue - a) / (b - a);
}

}

#endif
