// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The oracle that compares the mesh of one volume with a search in double, and the positions of meshes.
#ifndef vmcTortureReferenceCheck_h
#define vmcTortureReferenceCheck_h

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
// and one unit in the last place. A cell of an oblique volume has the extent of its steps along the axis of the world.
// Devices may round denormal floats to 0.
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

// Throws Mismatch if the mesh differs from reference::WholeSurface: triangles and values of points. Does nothing if
// doubles cannot hold the samples.
void checkReference(const VolumeInput& input, const Request& request, const Mesh& mesh);

}

#endif
