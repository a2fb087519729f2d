// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// From the parts of a mesh to arrays that another API can import.
#ifndef vmcMeshExport_h
#define vmcMeshExport_h

#include "Compute/Contour/DeviceMesh.h"
#include "Compute/Contour/Request.h"

namespace vmc
{

// See DeviceMarchingCubes::exported. Records into `commands`.
DeviceMesh exportedMesh(
  CommandRecorder& commands, DeviceMesh mesh, const Request& request, bool withIsovalues, StageTimes& times);

}

#endif
