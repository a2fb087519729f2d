// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The parameters of a slab for all kernels that read samples or bricks.
#ifndef vmcSlabParameters_h
#define vmcSlabParameters_h

#include "Compute/Volume/ContourPlan.h"
#include "Compute/Volume/Volume.h"
#include "Compute/Vulkan/Kernel.h"
#include "Shared/Structs.h"

namespace vmc
{

// The push constants of a slab. Members that depend on an isovalue or on the capacity of buffers are 0.
SlabConstants parametersOf(const Volume& volume, const ContourPlan& plan, const Slab& slab);

// The specialization of kernels that read values of this type.
Specialization specializationOf(SampleType type);

// The specialization of kernels that read the samples of this volume.
Specialization specializationOf(const Volume& volume);

}

#endif
