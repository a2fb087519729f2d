// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Blocks with their places.
#ifndef vmcPlacedBlock_h
#define vmcPlacedBlock_h

#include "BlockLattice.h"
#include "LevelsFromData.h"

#include "Compute/Volume/Volume.h"

#include <optional>

namespace vmc::filters
{

// A block, and where it lies.
struct PlacedBlock
{
  LevelBlock block;
  vmc::SampleType type;
  BlockPlace place;
};

// Moves a block that may share a lattice. Returns nothing, and leaves the block as it is, if it can only be contoured
// as an image alone: see LevelGroup::levels.
std::optional<PlacedBlock> placed(LevelBlock& block);

}

#endif
