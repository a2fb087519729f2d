// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Brings a surface from a device to the host.
#ifndef vmcDownloadSurface_h
#define vmcDownloadSurface_h

#include "Compute/Contour/Surface.h"
#include "Compute/System/Stage.h"
#include "Compute/Vulkan/CommandRecorder.h"

namespace vmc
{

// Returns the part of an array of a surface on a device that belongs to a mesh: without a buffer if there are no
// elements.
Region regionOf(const Surface& surface, std::size_t row, std::size_t mesh);

// Moves the arrays of a surface on a device, which has shared points, to the blocks of its meshes. Where host and
// device share memory, only arrays with much unused memory are copied. Does not add the arrays that depend on sizes
// alone. Throws OutOfMemory, OutOfHostMemory; then the surface is on the device as before.
void downloadSurface(Surface& surface, CommandRecorder& recorder, StageTimes& times);

}

#endif
