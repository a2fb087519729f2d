// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The table of the regions of a surface, and the choice among them.
#ifndef vmcRegionTable_h
#define vmcRegionTable_h

#include "Compute/Contour/Mesh.h"
#include "Compute/Contour/SurfaceMeasures.h"
#include "Compute/Measure/Regions.h"
#include "Compute/Measure/TriangleSums.h"
#include "Compute/Volume/Levels.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace vmc
{

// A side of the domain: the points x with normal . x >= offset lie on it.
struct BorderSide
{
  Vector3 normal;
  double offset;
};

// The sides of the grid of a volume with its padding, of the domain of levels, and of a box of cells of a map. Points
// less than 1/1000 of a step within lie on them. They need not be parallel to the axes of the world. A volume without
// samples has none.
std::vector<BorderSide> borderOf(const Volume& volume);
std::vector<BorderSide> borderOf(const Levels& levels);
std::vector<BorderSide> borderOf(const SampleGeometry& geometry, const Vector3& low, const Vector3& high);

// The regions that remain.
struct RegionChoice
{
  enum class Keep
  {
    All,
    Largest,           // `count` regions of each isovalue, by triangles
    LeastTriangles,    // with at least `least` triangles
    LeastArea,         // or area
    LeastVolume,       // or absolute volume
    TouchingBorder,    // with a point on a side of the domain, or with an open edge
    NotTouchingBorder, // all others
    Nearest            // that of each isovalue with the nearest point to `point`
  };
  Keep keep = Keep::All;
  std::size_t count = 1;
  double least = 0;
  Vector3 point{ 0, 0, 0 };

  bool needsMeasures() const { return this->keep == Keep::LeastArea || this->keep == Keep::LeastVolume; }
  bool needsBorder() const { return this->keep == Keep::TouchingBorder || this->keep == Keep::NotTouchingBorder; }
};

// A region. Its number is its index in the list of all regions of a surface.
struct SurfaceRegion
{
  std::size_t isovalue = 0; // index
  SurfaceMeasures measures; // without a request, only the number of triangles
  TriangleSums sums;        // from which the measures follow; in world space
  bool touchesBorder = false;
  double squaredDistance = std::numeric_limits<double>::infinity(); // of its nearest point to RegionChoice::point
};

// Returns the regions of a mesh with shared points, in the order of their numbers, with what the choice needs.
// withMeasures: all measures. border: of the domain. The number of threads does not change the result.
std::vector<SurfaceRegion> regionsOf(const Mesh& mesh, const MeshRegions& regions, const RegionChoice& choice,
  bool withMeasures, const std::vector<BorderSide>& border, unsigned threads);

// Returns 1 for each region that remains, else 0.
std::vector<std::uint8_t> chosenOf(const std::vector<SurfaceRegion>& regions, const RegionChoice& choice);

// Returns the rank of each region by its number of triangles, from 0 on, and the first of equals first. Regions that do
// not remain have none: it is undefined.
std::vector<std::int32_t> ranksOf(const std::vector<SurfaceRegion>& regions, const std::vector<std::uint8_t>& isKept);

}

#endif
