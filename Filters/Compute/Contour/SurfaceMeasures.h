// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The size and the place of a surface, or of a region of it.
#ifndef vmcSurfaceMeasures_h
#define vmcSurfaceMeasures_h

#include "Compute/Volume/Volume.h"

#include <array>
#include <cstddef>
#include <limits>

namespace vmc
{

// The smallest box that contains some points. Without points, low is greater than high.
struct Bounds
{
  Vector3 low = filled(std::numeric_limits<double>::infinity());
  Vector3 high = filled(-std::numeric_limits<double>::infinity());

  bool isEmpty() const { return !(this->low[0] <= this->high[0]); }
  void add(const Bounds& other)
  {
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      this->low[axis] = other.low[axis] < this->low[axis] ? other.low[axis] : this->low[axis];
      this->high[axis] = other.high[axis] > this->high[axis] ? other.high[axis] : this->high[axis];
    }
  }

private:
  static constexpr Vector3 filled(double value) { return { value, value, value }; }
};

// Measures of triangles in world space.
struct SurfaceMeasures
{
  std::size_t triangles = 0;
  std::size_t openEdges = 0; // edges of one triangle alone
  double area = 0;
  // The volume between the triangles, by the divergence theorem: of the cones from the centre of the bounds to them. A
  // closed surface around higher values has a positive volume, one around lower values a negative one.
  double volume = 0;
  Vector3 centroid{ 0, 0, 0 }; // of the area; 0 without area
  Bounds bounds;

  bool isClosed() const { return this->openEdges == 0; }

  void add(const SurfaceMeasures& other)
  {
    const double area = this->area + other.area;
    for (std::size_t axis = 0; axis < 3 && area > 0; ++axis)
      this->centroid[axis] = (this->area * this->centroid[axis] + other.area * other.centroid[axis]) / area;
    this->triangles += other.triangles;
    this->openEdges += other.openEdges;
    this->area = area;
    this->volume += other.volume;
    this->bounds.add(other.bounds);
  }
};

}

#endif
