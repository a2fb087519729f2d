// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Contour/PatchCells.h"

#include "Compute/Volume/PatchRows.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace vmc
{

namespace
{

constexpr std::size_t TrianglesAtOnce = 1 << 14; // that a thread handles

struct PatchCell
{
  std::int32_t patch;
  std::int64_t cell;
};

// The first patch that has the sample.
PatchCell patchCellOf(const Levels& levels, const LevelBricks& bricks, std::size_t sample)
{
  const auto isAfter = [=](std::size_t number, const LevelOfBricks& level) { return number < level.firstBrick; };
  const std::size_t brick = sample / BrickCells;
  const LevelOfBricks& level = *std::prev(std::upper_bound(bricks.levels.begin(), bricks.levels.end(), brick, isAfter));
  const std::size_t slot = brick - level.firstBrick, x = sample % BRICK_SIZE;
  const auto y = static_cast<std::int64_t>(sample / BRICK_SIZE % BRICK_SIZE),
             z = static_cast<std::int64_t>(sample / BRICK_ROWS % BRICK_SIZE);
  for (std::size_t i = level.firstPatch[slot]; i < level.firstPatch[slot + 1]; ++i)
  {
    const PatchInBrick part(levels.patches[level.patchOfBrick[i]], level, slot);
    const bool hasRow = y >= part.begin[1] && y < part.end[1] && z >= part.begin[2] && z < part.end[2];
    if (!hasRow)
      continue;
    if (const PatchRow row = part.row(y, z); (row.cells >> x & 1u) != 0)
      return { static_cast<std::int32_t>(level.patchOfBrick[i]), row.cellAt(x) };
  }
  return { -1, -1 }; // cannot be: a leaf is a cell of a patch
}

}

void namePatchCells(
  const Levels& levels, const LevelBricks& bricks, HostMemoryPool& memory, unsigned threads, Mesh& mesh)
{
  mesh.trianglePatches = memory.acquire(mesh.triangleCount * sizeof(std::int32_t));
  auto* const patches = reinterpret_cast<std::int32_t*>(mesh.trianglePatches.data());
  auto* const cells = reinterpret_cast<std::int64_t*>(mesh.triangleCells.data());
  inParts(mesh.triangleCount, TrianglesAtOnce, threads,
    [&](std::size_t begin, std::size_t end)
    {
      for (; begin < end; ++begin)
      {
        const PatchCell found = patchCellOf(levels, bricks, static_cast<std::size_t>(cells[begin]));
        patches[begin] = found.patch;
        cells[begin] = found.cell;
      }
    });
}

}
