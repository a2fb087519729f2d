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

// Records the measures of a mesh, by isovalue or by region, and returns them after the words have been fetched. Binds
// the buffers of the passes.
class DeviceMeasures
{
public:
  // regions: their number; 0: measures by isovalue. withMeasures: not only the number of triangles.
  DeviceMeasures(MeshPasses& passes, std::size_t regions, bool withMeasures, WordsOnHost& words);

  // Returns the measures of each isovalue or region. Submits the search for open edges again if there are more than
  // expected.
  std::vector<SurfaceMeasures> measures(const std::uint32_t* words, CommandRecorder& recorder, StageTimes& times);

private:
  std::size_t wordsOfKey() const { return this->WithMeasures ? SUM_WORDS : 1; }
  void recordSums();
  void recordOpenEdges();
  void addWords();
  template <class Record>
  void forKeys(const Record& record);

  MeshPasses& Passes;
  WordsOnHost& Words;
  const bool ByRegion, WithMeasures;
  const std::size_t Keys, Parts;
  PooledBuffer Memory, EdgeMemory; // EdgeMemory: if there are more open edges than expected
  std::size_t SumsOnHost = 0, EdgesOnHost = 0, OpenSumsOnHost = 0; // words
};

}

#endif
