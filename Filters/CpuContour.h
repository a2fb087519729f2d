// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Contouring without Vulkan, by vtkFlyingEdges3D.
#ifndef vmcCpuContour_h
#define vmcCpuContour_h

#include "VolumeFromImage.h"

#include "Compute/Contour/MarchingCubes.h"

#include <cstddef>
#include <string>
#include <vector>

class vtkPolyData;

namespace vmc::filters
{

// The reason why contourOnCpu does not support these samples, as a sentence; empty if it supports them. FlyingEdges
// supports neither a boundary other than open, nor ghosts, nor a geometry that cannot be inverted.
std::string obstacleOnCpu(const ImageSamples& samples);

// Contours the dual image of `samples` with vtkFlyingEdges3D and transforms the result to world space. Points,
// triangles, their winding and the arrays are those of the Vulkan device, but the order is FlyingEdges', and ids have
// 64 bits. Does not support request.computeCells. `progress` gets the completed share; if it returns false, contouring
// stops without an output and returns nothing. Else returns the number of the first point of each isovalue's surface,
// and the number of points. Requires samples for which obstacleOnCpu is empty.
std::vector<std::size_t> contourOnCpu(
  const ImageSamples& samples, const vmc::Request& request, const vmc::Progress& progress, vtkPolyData* output);

}

#endif
