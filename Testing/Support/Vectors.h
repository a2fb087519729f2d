// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Vectors of three doubles.
#ifndef vmcVectors_h
#define vmcVectors_h

#include <array>

namespace vmc::test
{

using Vector = std::array<double, 3>;

inline Vector difference(const Vector& a, const Vector& b)
{
  return { a[0] - b[0], a[1] - b[1], a[2] - b[2] };
}

inline double dot(const Vector& a, const Vector& b)
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

inline Vector cross(const Vector& a, const Vector& b)
{
  return { a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0] };
}

}

#endif
