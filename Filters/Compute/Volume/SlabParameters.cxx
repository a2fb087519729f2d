// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Volume/SlabParameters.h"

#include "Shared/Constants.h"

namespace vmc
{

SlabConstants parametersOf(const Volume& volume, const ContourPlan& plan, const Slab& slab)
{
  const Window window = plan.windowOf(slab, bytesOf(volume.type));
  SlabConstants parameters{};
  parameters.sizeX = volume.gridSize()[0];
  parameters.sizeY = volume.gridSize()[1];
  parameters.sizeZ = volume.gridSize()[2];
  for (int axis = 0; axis < 3; ++axis)
    parameters.padding |= volume.padding.low[axis] << (2 * axis) | volume.padding.high[axis] << (2 * axis + 6);
  parameters.border = volume.padding.border;
  parameters.settings = volume.padding.closed ? SETTING_CLOSED : 0;
  parameters.windowLayer = window.firstSampleLayer;
  parameters.windowOffset = window.offsetInValues;
  parameters.ghostOffset = plan.windowOf(slab, 1).offsetInValues;
  parameters.bricksX = plan.bricks()[0];
  parameters.bricksY = plan.bricks()[1];
  parameters.brickLayer = slab.firstLayer;
  parameters.brickCount = plan.bricksOf(slab);
  parameters.ownBrickCount = plan.ownBricksOf(slab);
  parameters.maxGroups = plan.limits().maxGroups;
  return parameters;
}

Specialization specializationOf(SampleType type)
{
  const bool isSigned =
    type == SampleType::Int8 || type == SampleType::Int16 || type == SampleType::Int32 || type == SampleType::Int64;
  const bool isFloat = type == SampleType::Float32 || type == SampleType::Float64;
  const std::uint32_t kind = isFloat ? SAMPLE_FLOAT : isSigned ? SAMPLE_SIGNED : SAMPLE_UNSIGNED;
  return { { SPECIALIZE_SAMPLE_BYTES, static_cast<std::uint32_t>(bytesOf(type)) }, { SPECIALIZE_SAMPLE_KIND, kind } };
}

Specialization specializationOf(const Volume& volume)
{
  Specialization specialization = specializationOf(volume.type);
  specialization[SPECIALIZE_PADDED] = volume.padding.isEmpty() ? 0 : 1;
  return specialization;
}

}
