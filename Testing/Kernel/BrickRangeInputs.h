// Slabs that are nothing but brick ranges, for the kernels that look at no sample.
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

// `bricks` bricks in a line along z, of which the last `ahead` are look-ahead, behind `before` bricks of other slabs.
// About a third of the bricks are active; some have no number at all.
inline BrickRangeInput brickRangeInput(std::uint32_t bricks, std::uint32_t ahead = 0, std::uint32_t before = 0)
{
  BrickRangeInput input;
  input.slab.bricksX = 1;
  input.slab.bricksY = 1;
  input.slab.brickLayer = before;
  input.slab.brickCount = bricks;
  input.slab.ownBrickCount = bricks - ahead;
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

// Bricks around a run, a block, two blocks.
inline std::vector<std::uint32_t> brickCounts()
{
  return { 1, 2, 3, 4, 5, 1023, 1024, 1025, 2047, 2048, 2049, 5003 };
}

}

#endif
