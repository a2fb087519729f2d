// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Oracles for the mesh of one volume. They throw Mismatch.
#ifndef vmcTortureVolumeChecks_h
#define vmcTortureVolumeChecks_h

#include "Compute/Contour/Mesh.h"
#include "Input.h"

#include <array>
#include <cstdint>
#include <vector>

namespace vmc::torture
{

// The ids of the corners of the triangles, of any width.
std::vector<std::int64_t> idsOf(const Mesh& mesh);

// The allowed error of a coordinate of a point at `truth`, as Accuracy.md promises it: the larger of 2^-22 of a cell
// and one unit in the last place. It follows the largest extent of a cell along the axis of the world.
class PositionTolerance
{
public:
  // mesh: tells whether positions are doubles, and their origin.
  PositionTolerance(const VolumeInput& input, const Mesh& mesh);
  long double at(std::size_t axis, long double truth) const;

private:
  std::array<std::vector<double>, 3> Sides; // [axis]: coordinates; empty: the map is affine
  std::array<double, 3> Extent{};           // of a cell of an affine map
  bool IsDouble;
  std::array<double, 3> Origin;
};

// The position of a point, or of a corner, in double.
std::array<long double, 3> positionOf(const Mesh& mesh, std::size_t point);

// Compares with reference::WholeSurface: triangles and, if fits, values of points. Does nothing if doubles cannot hold
// the samples.
void checkReference(const VolumeInput& input, const Request& request, const Mesh& mesh, bool fits);

// Checks sizes, ids, offsets, and the edges of a surface that shares points; if fits, finite positions and unit
// normals.
void checkSound(const VolumeInput& input, const Request& request, const Mesh& mesh, bool fits);

// Compares measures with sums over the triangles.
void checkMeasures(const VolumeInput& input, const Request& request, const Mesh& mesh);

}

#endif
