// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/System/Stage.h"

namespace vmc
{

const char* nameOf(Stage stage)
{
  switch (stage)
  {
    case Stage::PrepareSamples:
      return "PrepareSamples";
    case Stage::OpenDevice:
      return "OpenDevice";
    case Stage::MakeKernels:
      return "MakeKernels";
    case Stage::Upload:
      return "Upload";
    case Stage::BuildBrickRanges:
      return "BuildBrickRanges";
    case Stage::SelectBricks:
      return "SelectBricks";
    case Stage::CountBricks:
      return "CountBricks";
    case Stage::ScanBricks:
      return "ScanBricks";
    case Stage::EmitPoints:
      return "EmitPoints";
    case Stage::EmitTriangles:
      return "EmitTriangles";
    case Stage::InterpolateAttribute:
      return "InterpolateAttribute";
    case Stage::RepeatCorners:
      return "RepeatCorners";
    case Stage::FindRange:
      return "FindRange";
    case Stage::CountValues:
      return "CountValues";
    case Stage::MarkBricks:
      return "MarkBricks";
    case Stage::BoundRays:
      return "BoundRays";
    case Stage::CastRays:
      return "CastRays";
    case Stage::Download:
      return "Download";
    case Stage::WrapOutput:
      return "WrapOutput";
    case Stage::Other:
      return "Other";
  }
  return "";
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
