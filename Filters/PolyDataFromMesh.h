// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// From the compute core's mesh to vtkPolyData.
#ifndef vmcPolyDataFromMesh_h
#define vmcPolyDataFromMesh_h

#include "VolumeFromImage.h"

#include "Compute/Contour/Mesh.h"
#include "Compute/Contour/Request.h"
#include "Compute/Memory/HostMemoryPool.h"

class vtkPolyData;

namespace vmc::filters
{

// Point and cell arrays with the number of the region.
constexpr const char* RegionIdName = "RegionId";

// Makes the mesh the contents of `output`: points (of double if the request splits positions), triangles, one array per
// output of the request (Outputs.h), the numbers of regions if the request has them, and the isovalue of each point as
// the active scalars if samples.nameOfScalars names them. These have the type of the samples if that type represents
// every isovalue exactly, and type double otherwise or if there are no samples. A mesh without points, such as
// vmc::Mesh(), gives the same arrays without tuples. request, samples: those of the mesh. The arrays own the mesh's
// memory. Only points of double are copied; their memory and that of the scalars comes from `memory`. memory: null only
// for a mesh without points.
void polyDataFromMesh(vmc::Mesh mesh, const vmc::Request& request, const ImageSamples& samples,
  vmc::HostMemoryPool* memory, vtkPolyData* output);

}

#endif
