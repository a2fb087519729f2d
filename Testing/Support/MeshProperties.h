// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Properties of triangle meshes whose values mathematics gives.
#ifndef vmcMeshProperties_h
#define vmcMeshProperties_h

#include <array>
#include <cstddef>
#include <cstdint>

namespace vmc::test
{

// A view of a mesh. It does not own the memory.
struct MeshView
{
  const float* positions = nullptr; // [pointCount][3]
  std::size_t pointCount = 0;
  const std::uint32_t* triangles =
    nullptr; // [triangleCount][3], ids of points; badIds() counts those that are not below pointCount
  std::size_t triangleCount = 0;

  std::array<double, 3> position(std::size_t point) const
  {
    return { this->positions[3 * point], this->positions[3 * point + 1], this->positions[3 * point + 2] };
  }
};

// The numbers of undirected edges of a mesh, by the triangles that use them.
struct EdgeUse
{
  std::size_t edges = 0;    // all of them
  std::size_t border = 0;   // used by one triangle
  std::size_t doubled = 0;  // used by two triangles in the same direction: their windings disagree
  std::size_t overused = 0; // used by more than two triangles

  bool isClosed() const { return this->border == 0 && this->isManifold(); }
  bool isManifold() const { return this->doubled == 0 && this->overused == 0; }
};

EdgeUse edgeUseOf(const MeshView& mesh);
double areaOf(const MeshView& mesh);
// The volume that a closed mesh encloses: positive if triangles are counterclockwise seen from outside.
double signedVolumeOf(const MeshView& mesh);
// Points that triangles use, minus edges, plus triangles.
long eulerCharacteristicOf(const MeshView& mesh);

std::size_t badIds(const MeshView& mesh);              // ids beyond the last point
std::size_t degenerateTriangles(const MeshView& mesh); // triangles that use a point twice
std::size_t unreferencedPoints(const MeshView& mesh);
// (b - a) x (c - a): points to the side from which the triangle is counterclockwise; its length is twice the area.
std::array<double, 3> windingNormal(const MeshView& mesh, std::size_t triangle);

}

#endif
