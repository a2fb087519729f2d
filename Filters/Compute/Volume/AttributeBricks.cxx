// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Volume/AttributeBricks.h"

#include "Compute/System/Error.h"
#include "Compute/System/Parallel.h"
#include "Compute/Volume/PatchRows.h"

#include <new>
#include <string>

namespace vmc
{

namespace
{

constexpr std::size_t BricksAtOnce = 64; // that a thread handles

}

AttributeBricks attributeBricksOf(const Levels& levels, const LevelBricks& bricks, std::size_t number, unsigned threads)
try
{
  const Attribute& attribute = levels.patches.front().attributes[number];
  const std::size_t bytes = attribute.components * bytesOf(attribute.type);
  AttributeBricks copy{ attribute.type, attribute.components, HostBlock(bricks.brickCount() * BrickCells * bytes) };
  for (const LevelOfBricks& level : bricks.levels)
    inParts(level.brick.size(), BricksAtOnce, threads,
      [&](std::size_t begin, std::size_t end)
      {
        for (; begin < end; ++begin)
        {
          std::byte* const brick = copy.values.data() + (level.firstBrick + begin) * BrickCells * bytes;
          forPatchRows(levels, level, begin,
            [&](const PatchRow& row)
            { row.copy(row.patch.attributes[number].values, bytes, brick + row.row * BRICK_SIZE * bytes); });
        }
      });
  return copy;
}
catch (const std::bad_alloc&)
{
  throw Error(Error::Kind::OutOfHostMemory,
    "The host has no memory for an attribute of " + std::to_string(bricks.brickCount()) + " bricks.");
}

}
