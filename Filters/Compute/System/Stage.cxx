// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/System/Stage.h"

#include <iterator>

namespace vmc
{

namespace
{

constexpr const char* Names[] = { "PrepareSamples", "OpenDevice", "MakeKernels", "Upload", "BuildBrickRanges",
  "SelectBricks", "CountBricks", "ScanBricks", "EmitPoints", "EmitTriangles", "InterpolateAttribute", "RepeatCorners",
  "FindRange", "CountValues", "MarkBricks", "BoundRays", "CastRays", "Download", "WrapOutput", "Other" };
static_assert(std::size(Names) == StageCount);

}

const char* nameOf(Stage stage)
{
  return Names[static_cast<std::size_t>(stage)];
}

void StageTimes::add(Stage stage, double milliseconds)
{
  std::optional<double>& time = this->Times[static_cast<std::size_t>(stage)];
  time = time.value_or(0) + milliseconds;
}

void StageTimes::add(const StageTimes& others)
{
  for (std::size_t stage = 0; stage < StageCount; ++stage)
    if (others.Times[stage])
      this->add(static_cast<Stage>(stage), *others.Times[stage]);
}

double StageTimes::sum() const
{
  double sum = 0;
  for (const std::optional<double>& time : this->Times)
    sum += time.value_or(0);
  return sum;
}

}
