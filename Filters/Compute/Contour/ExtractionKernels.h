// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The kernels of an extraction.
#ifndef vmcExtractionKernels_h
#define vmcExtractionKernels_h

#include "Compute/Contour/Request.h"
#include "Compute/Volume/Volume.h"
#include "Compute/Vulkan/Kernel.h"

#include <vector>

namespace vmc
{

// All kernels that an extraction with this request from this volume can dispatch. Of the volume, it uses no values.
// hasNan: at least one sample is NaN. SlabPasses dispatches no other kernels.
std::vector<KernelVariant> kernelsOf(const Volume& volume, const Request& request, bool hasNan);

// The variant of this kernel in the list, for values of this type if there are several. Throws Internal if there is
// none.
const KernelVariant& variantOf(const std::vector<KernelVariant>& list, const kernels::Words& spirv);
const KernelVariant& variantOf(const std::vector<KernelVariant>& list, const kernels::Words& spirv, SampleType type);

}

#endif
