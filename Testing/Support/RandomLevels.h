// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Random hierarchies of levels.
#ifndef vmcRandomLevels_h
#define vmcRandomLevels_h

#include "Reference/Levels.h"

#include <array>
#include <cstdint>

namespace vmc::test
{

enum class LevelField
{
  Linear,
  Spheres,
  Gyroid,
  Noise
};

// A hierarchy and what is known about its field.
struct RandomLevels
{
  reference::Levels levels;
  double isovalue = 0;
  LevelField field = LevelField::Linear;
  std::array<double, 3> slope{ 0, 0, 0 }; // Linear: the sample of a cell is slope * (its centre in index space)
  bool mayBeMisNested = false;            // patches may end inside a coarser cell
};

// Returns the hierarchy of a seed. It is the same on every machine, but for the last bits of spheres, gyroids and
// oblique steps.
// - It has one to four levels and at most some thousand cells. Ratios are 2, 3 or 4: one for all, one per level, or one
//   per level and axis.
// - A patch of level l refines cells of a patch of level l - 1 or l - 2. Patches touch, overlap, and lie inside the
//   domain or at its border. Overlapping cells have equal samples, so the order of the patches does not matter.
// - Some patches have layers of duplicate cells with wrong samples around them. Some patches are missing.
// - Some hierarchies have NaN and hidden cells. Some noise takes few values, among them the isovalue.
// - Some steps have different lengths, some are oblique to the axes of the world, some are left-handed. Some origins
//   are a million units away.
// One seed in four, those of 4 n + 3, may give a hierarchy that is not well nested (LevelLeaves).
RandomLevels randomLevels(std::uint64_t seed);

// The same hierarchy with its patches in another order.
reference::Levels shuffled(reference::Levels levels, std::uint64_t seed);

}

#endif
