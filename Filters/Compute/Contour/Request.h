// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The request for an extraction, and the report on it.
#ifndef vmcRequest_h
#define vmcRequest_h

#include "Compute/System/Stage.h"

#include <cstdint>
#include <string>
#include <vector>

namespace vmc
{

// The parameters of an extraction.
struct Request
{
  std::vector<double> isovalues; // any number; the mesh is in this order
  bool computeNormals = true;
  bool computeGradients = false;
  bool splitPositions = false;    // write Mesh::positionsLow; positions are relative to Mesh::origin
  bool relativePositions = false; // positions are relative to Mesh::origin, as with splitPositions
  bool computeCells = false;      // write Mesh::triangleCells
  bool mergePoints = true;        // false: triangles share no points
  bool exportArrays = false;      // arrays that stay on the device are exported (see DeviceMarchingCubes)
  bool timeStages = true;         // false: no timestamps, which take time themselves
  unsigned threads = 0;           // of the CPU engine; 0: one per processor
  std::uint64_t memoryLimit = 0;  // bytes of device memory of all users of the device; 0: the device's limit

  bool omitsOrigin() const { return this->splitPositions || this->relativePositions; }
};

// Times and sizes of an extraction.
struct Report
{
  std::string device;             // name of the device that computed the surface, as UsedDevice reports it
  StageTimes stages;              // sums over slabs and isovalues; without timeStages only the host's times
  double totalMilliseconds = 0;   // of the whole call, by the host's clock
  std::uint64_t slabs = 0;        // of the plan
  std::uint64_t bricks = 0;       // of the volume
  std::uint64_t activeBricks = 0; // sum over the isovalues
  std::uint64_t deviceBytes = 0;  // peak of device memory in use by all users, in bytes

  double milliseconds(Stage stage) const { return this->stages[stage].value_or(0); }
  void add(const Report& next); // `next`: of another volume of the same pass
};

}

#endif
