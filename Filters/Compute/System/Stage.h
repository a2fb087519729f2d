// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The timed stages of an extraction, and the clock of the host.
#ifndef vmcStage_h
#define vmcStage_h

#include <array>
#include <chrono>
#include <cstddef>
#include <iterator>
#include <optional>

namespace vmc
{

// The timed stages in the order of execution; a surface may be downloaded. A Vulkan device times the stages
// from BuildBrickRanges to CastRays. Download is the sum of the device's time for the copies and the host's time for
// its work on the arrays. The host times all others, and all stages of the CPU. No two stages run at the same time.
enum class Stage
{
  PrepareSamples, // finds the array, recognizes its values, copies them if they do not lie in one block
  OpenDevice,
  MakeKernels,
  Upload,
  BuildBrickRanges,
  SelectBricks, // includes CompactBricks
  CountBricks,
  ScanBricks,
  EmitSurface, // EmitPoints and EmitTriangles, which run at the same time on a Vulkan device
  InterpolateAttribute,
  RepeatCorners,
  MeasureSurface, // on the CPU, the sums over triangles belong to EmitSurface
  FindRegions,
  KeepRegions,
  FindRange, // on the host; the device finds the range in BuildBrickRanges
  CountValues,
  MarkBricks, // of rays
  BoundRays,
  CastRays,
  Download,
  WrapOutput, // makes VTK arrays
  Other       // the rest of the whole time: records, submits and waits
};

constexpr std::size_t StageCount = static_cast<std::size_t>(Stage::Other) + 1;

// The name of the enumerator.
inline const char* nameOf(Stage stage)
{
  constexpr const char* Names[] = { "PrepareSamples", "OpenDevice", "MakeKernels", "Upload", "BuildBrickRanges",
    "SelectBricks", "CountBricks", "ScanBricks", "EmitSurface", "InterpolateAttribute", "RepeatCorners",
    "MeasureSurface", "FindRegions", "KeepRegions", "FindRange", "CountValues", "MarkBricks", "BoundRays", "CastRays",
    "Download", "WrapOutput", "Other" };
  static_assert(std::size(Names) == StageCount);
  return Names[static_cast<std::size_t>(stage)];
}

// Measures the time since its construction.
class HostClock
{
public:
  double milliseconds() const
  {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - this->Start).count();
  }

private:
  std::chrono::steady_clock::time_point Start = std::chrono::steady_clock::now();
};

// Milliseconds per stage.
class StageTimes
{
public:
  void add(Stage stage, double milliseconds)
  {
    std::optional<double>& time = this->Times[static_cast<std::size_t>(stage)];
    time = time.value_or(0) + milliseconds;
  }
  void add(const StageTimes& others)
  {
    for (std::size_t stage = 0; stage < StageCount; ++stage)
      if (others.Times[stage])
        this->add(static_cast<Stage>(stage), *others.Times[stage]);
  }

  double sum() const
  {
    double sum = 0;
    for (const std::optional<double>& time : this->Times)
      sum += time.value_or(0);
    return sum;
  }

  // Empty if the stage did not run.
  const std::optional<double>& operator[](Stage stage) const { return this->Times[static_cast<std::size_t>(stage)]; }

private:
  std::array<std::optional<double>, StageCount> Times;
};

}

#endif
