// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The timed stages of an extraction.
#ifndef vmcStage_h
#define vmcStage_h

#include <array>
#include <cstddef>
#include <optional>

namespace vmc
{

// In the order of execution; a surface is exported or downloaded. The host times Upload. Download is the sum of the
// device's time for the copies and the host's time for its work on the arrays. The device times all others.
enum class Stage
{
  Upload,
  BuildBrickRanges,
  SelectBricks, // includes CompactBricks
  CountBricks,
  ScanBricks,
  EmitPoints,
  EmitTriangles,
  InterpolateAttribute,
  RepeatCorners,
  Export,
  Download
};

constexpr std::size_t StageCount = static_cast<std::size_t>(Stage::Download) + 1;

// The name of the enumerator.
const char* nameOf(Stage stage);

// Milliseconds per stage.
class StageTimes
{
public:
  void add(Stage stage, double milliseconds);
  void add(const StageTimes& others);

  // Empty if the stage did not run.
  const std::optional<double>& operator[](Stage stage) const { return this->Times[static_cast<std::size_t>(stage)]; }

private:
  std::array<std::optional<double>, StageCount> Times;
};

}

#endif
