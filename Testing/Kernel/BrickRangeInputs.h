// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Slabs without samples, for the kernels that read brick ranges only.
#ifndef vmcBrickRangeInputs_h
#define vmcBrickRangeInputs_h

#include "Reference/BuildBrickRanges.h"
#include "Shared/Structs.h"
#include "Support/AnalyticVolumes.h"

#include <vector>

namespace vmc::test
{

struct BrickRangeInput
{
  SlabConstants slab{};
  std::vector<reference::BrickRange> range;
};

// `bricks` bricks in a line along z, after `before` bricks of other slabs. The last `halo` bricks are the halo layer.
// About a third of the bricks are active. The samples of some bricks are all NaN.
inline BrickRangeInput brickRangeInput(std::uint32_t bricks, std::uint32_t halo = 0, std::uint32_t before = 0)
{
  BrickRangeInput input;
  input.slab.sizeX = input.slab.sizeY = 1;
  input.slab.sizeZ = BRICK_SIZE * (before + bricks);
  input.slab.brickLayer = input.slab.firstRange = before;
  input.slab.brickCount = bricks;
  input.slab.ownBrickCount = bricks - halo;
  input.slab.thresholdKey = 1000;
  input.slab.selectUpTo = 999;
  const AnalyticVolume chance = noise(7);
  for (std::uint32_t brick = 0; brick < before + bricks; ++brick)
  {
    const std::array<reference::BrickRange, 6> choices = { { { 0, 999 }, { 0, 1000 }, { 999, 0xFFFFFFFFu },
      { 1000, 1000 }, { 0xFFFFFFFFu, 0 }, { 1001, 0xFFFFFFFFu } } };
    input.range.push_back(choices[static_cast<std::size_t>(6 * chance.value({ double(brick), 0, 0 }))]);
  }
  return input;
}

// Numbers of bricks around a run of one invocation, one block and two blocks of the scan.
inline std::vector<std::uint32_t> brickCounts()
{
  return { 1, 2, 3, 4, 5, 1023, 1024, 1025, 2047, 2048, 2049, 5003 };
}

}

#endif
