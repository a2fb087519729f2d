// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Pure functions for the parameters of an extraction's kernels.
#ifndef vmcParameters_h
#define vmcParameters_h

#include "Compute/Contour/Isovalue.h"
#include "Compute/Contour/Outputs.h"
#include "Compute/Contour/Request.h"
#include "Compute/Volume/ContourPlan.h"
#include "Compute/Volume/Volume.h"
#include "Compute/Volume/VolumeArrays.h"
#include "Shared/Structs.h"

#include <cstdint>
#include <vector>

namespace vmc
{

// The push constants of a slab for one isovalue. The capacities and the id of the first point are 0.
SlabConstants parametersOf(
  const Volume& volume, const ContourPlan& plan, const Slab& slab, const Threshold& threshold, const Request& request);

// Splits a value into two floats with the nearest sum.
void splitInTwo(double value, float& high, float& low);

// The map from index space to world space in the layout of the kernels. Throws Unsupported if it cannot be inverted.
Geometry geometryOf(const SampleGeometry& map);

// The specialization of an extraction's kernels that read samples. hasNan: at least one sample is NaN.
Specialization specializationOf(const Volume& volume, const Request& request, bool hasNan);

// All kernels that an extraction with this request from this volume can dispatch. Of the volume, it uses no values.
// hasNan: at least one sample is NaN. SlabPasses dispatches no other kernels.
std::vector<KernelVariant> kernelsOf(const Volume& volume, const Request& request, bool hasNan);

}

#endif
