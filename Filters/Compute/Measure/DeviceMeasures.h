// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Measures surfaces on a device.
#ifndef vmcDeviceMeasures_h
#define vmcDeviceMeasures_h

#include "Compute/Contour/Surface.h"
#include "Compute/Measure/MeshPasses.h"
#include "Compute/System/Stage.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace vmc
{

// Returns whether the kernels of this room can read the surface: it is on a device, its triangles share points, and ids
// have the width that its mesh on the host will have.
bool isMeasurableOnDevice(const Surface& surface, const Request& request);

// Sets Mesh::measures of all meshes of a surface on a device. Equal surfaces give equal bytes on one device. Throws
// OutOfMemory.
void measureOnDevice(Surface& surface, CommandRecorder& recorder, WordsOnHost& words, StageTimes& times);

// The steps of measureOnDevice, for the sums by region.

// Records the sums over all triangles, by isovalue or by region. Binds BINDING_EXTENT and BINDING_SUMS.
class DeviceSums
{
public:
  // regions: their number; 0: sums by isovalue. withMeasures: not only the number of triangles.
  DeviceSums(MeshPasses& passes, std::size_t regions, bool withMeasures, WordsOnHost& words);

  // After the words have been fetched: the measures of each isovalue or region, without open edges. meshOrigin: see
  // Mesh::origin.
  std::vector<SurfaceMeasures> measures(const std::uint32_t* words, const Vector3& meshOrigin) const;

private:
  const std::size_t Keys;
  const std::size_t WordsPerKey;
  const std::uint32_t Triangles;
  PooledBuffer Extent, Sums;
  std::size_t FirstExtent = 0, FirstSum = 0; // words on the host
};

// An edge of one triangle alone.
struct OpenEdge
{
  std::uint32_t low, high; // points
  std::uint32_t region;    // 0: not asked for
};

// Records the search for open edges. Binds BINDING_DIFFERENCE and BINDING_OPEN_EDGES.
class OpenEdgeList
{
public:
  OpenEdgeList(MeshPasses& passes, bool byRegion, WordsOnHost& words);

  // After the words have been fetched: the open edges, ordered by their points. Submits the search again if there are
  // more than expected.
  std::vector<OpenEdge> edges(const std::uint32_t* words, CommandRecorder& recorder, StageTimes& times);

private:
  void record(std::uint32_t capacity);

  MeshPasses& Passes;
  const bool ByRegion;
  WordsOnHost& Words;
  PooledBuffer Difference, Edges;
  std::size_t FirstWord = 0; // on the host
};

}

#endif
