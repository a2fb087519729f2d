// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The passes over active bricks, on one thread. Ids and order are those of the Vulkan kernels CountBricks, EmitPoints
// and EmitTriangles; a row word is the first word of a row of theirs.
#ifndef vmcBrickKernels_h
#define vmcBrickKernels_h

#include "Compute/Contour/Isovalue.h"
#include "Compute/Cpu/Grid.h"
#include "Compute/Volume/Volume.h"

#include "Shared/Structs.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace vmc
{

// The bricks that the isosurface touches, in ascending order, and what CountBricks writes for each (its slot). Borrows
// the arrays.
struct ActiveBricks
{
  std::uint32_t count = 0;
  std::uint32_t* brick = nullptr;       // [slot]
  std::uint32_t* slotOfBrick = nullptr; // [brick], or NO_SLOT
  std::uint32_t* rowWord = nullptr;     // [slot][BRICK_ROWS]
  std::uint32_t* lowWord = nullptr;   // [slot][BRICK_ROWS]: as rowWord, the crossed edges towards coarser leaves at the
                                      // low sides; null without coarser levels
  std::uint16_t* rowPoints = nullptr; // [slot][BRICK_ROWS]: points of the brick before the row
  std::uint8_t* validCells = nullptr; // [slot][BRICK_ROWS]: one bit per cell of the row; null: all are valid
  std::uint8_t* isPlain = nullptr;    // [slot]: 1 if all samples around the brick are in the image, no flag is set
                                      // and no sample is NaN; null without blanking and measures
  std::uint32_t* points = nullptr;    // [slot]: number of points, then id of the first point
  std::uint32_t* triangles = nullptr; // [slot]: number of triangles, then number of the first triangle
};

// The arrays of the mesh; null if not requested.
struct MeshArrays
{
  float* positions = nullptr;            // [point][3], in world space, or relative to Mesh::origin
  float* positionsLow = nullptr;         // [point][3]: exact position - positions
  float* normals = nullptr;              // [point][3], unit length
  float* gradients = nullptr;            // [point][3], per world unit
  std::vector<float*> attributes;        // [attribute] -> [point][component]
  EdgeCrossing* crossings = nullptr;     // [point]
  std::int64_t* triangleCells = nullptr; // [triangle]: image sample at the cell's minimum corner
  std::uint32_t* triangles = nullptr;    // [triangle][3]: point ids; null if they are wide
  std::int64_t* wideTriangles = nullptr; // the same, if they are wide

  bool needSlopes() const { return this->normals || this->gradients; }
};

// The common part of the passes for one isovalue of a volume, or of a level. Borrows everything.
struct SurfacePass
{
  SampleGeometry toWorld;
  std::array<Vector3, 3> gradientToWorld; // [axis]: the world gradient that is 1 per step along it
  Threshold threshold{};
  ActiveBricks active;
  MeshArrays mesh;
};

// The input and the output of the passes for one isovalue of a volume.
struct BrickPass : SurfacePass
{
  const Volume& volume;
  const Grid& grid;
  bool hasNan = false;      // at least one sample of the volume is NaN
  bool hasBlanking = false; // samples may be NaN or have flags
};

// Handles the active bricks [begin, end), by their slots; LevelKernels::classify, the bricks [begin, end) of a level.
// The pass is of the type that the kernels are for.
using BrickKernel = void (*)(const SurfacePass& pass, std::size_t begin, std::size_t end);

// Adds the ends of open edges (see Mesh::openEnds) among the points of the active bricks [begin, end), after
// emitTriangles.
using OpenEndsKernel = void (*)(
  const BrickPass& pass, std::size_t begin, std::size_t end, std::vector<std::uint32_t>& ends);

struct BrickKernels
{
  BrickKernel count, emitPoints, emitTriangles;
  OpenEndsKernel listOpenEnds;
};

// The functions on a BrickPass for this sample type and this processor.
BrickKernels brickKernelsFor(SampleType type);

}

#endif
