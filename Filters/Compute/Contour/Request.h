// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The request for an extraction.
#ifndef vmcRequest_h
#define vmcRequest_h

#include <cstdint>
#include <vector>

namespace vmc
{

// The memory that an algorithm leaves its output in.
enum class OutputMemory
{
  Host,
  Device,  // of the engine's Vulkan device
  Exported // device memory that other APIs can import; needs Device::exportsMemory()
};

// The parameters of an extraction.
struct Request
{
  std::vector<double> isovalues; // any number; the mesh is in this order
  bool computeNormals = true;
  bool computeGradients = false;
  bool splitPositions = false;              // write Mesh::positionsLow; positions are relative to Mesh::origin
  bool relativePositions = false;           // positions are relative to Mesh::origin, as with splitPositions
  bool computeCells = false;                // write Mesh::triangleCells
  bool mergePoints = true;                  // false: triangles share no points
  bool wideIds = false;                     // Mesh::hasWideIds; ids that do not fit signed 32 bits are wide anyway
  bool writeOffsets = true;                 // write Mesh::offsets
  bool pointIsovalues = false;              // write Mesh::isovalues; only with mergePoints
  OutputMemory memory = OutputMemory::Host; // the CPU's engine always uses Host
  bool computeMeasures = false;             // write Mesh::measures; only with mergePoints
  bool findOpenEnds = false;                // write Mesh::openEnds; only of an unfinished() request; measures need them
  bool countSamples = false;                // the CPU counts inside samples, so that findShares need not read them
  bool nameOpenEdges = false;               // write Mesh::openEdges; only with mergePoints, in host memory
  bool computeRegions = false;              // write Mesh::pointRegions and Mesh::triangleRegions, in finishMesh
  bool isFinished = true;                   // false: finishMesh adds the arrays that depend on sizes alone
  bool timeStages = true;                   // false: no timestamps, which take time themselves
  unsigned threads = 0;                     // of the CPU engine; 0: one per processor
  std::uint64_t memoryLimit = 0;            // bytes of device memory of all users of the device; 0: the device's limit

  // Returns whether the device writes wide ids. Without mergePoints, the host writes the ids.
  bool writesWideIds() const { return this->wideIds && this->mergePoints; }
  // Returns the request for a mesh that finishMesh completes with this request. To find its regions, see
  // RegionRequest::extraction.
  Request unfinished() const
  {
    Request request = *this;
    request.mergePoints = true;
    request.countSamples = this->computeMeasures;
    request.computeMeasures = request.wideIds = request.pointIsovalues = request.isFinished = false;
    if (request.memory == OutputMemory::Exported)
      request.memory = OutputMemory::Device; // other APIs need what remains alone
    return request;
  }
  bool needsOpenEnds() const { return this->computeMeasures || this->findOpenEnds; }
  bool omitsOrigin() const { return this->splitPositions || this->relativePositions; }
};

}

#endif
