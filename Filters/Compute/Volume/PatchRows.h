// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The cells of patches in the bricks of a level.
#ifndef vmcPatchRows_h
#define vmcPatchRows_h

#include "Compute/Volume/LevelBricks.h"
#include "Compute/Volume/Levels.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace vmc
{

inline bool isDuplicate(const LevelPatch& patch, std::uint64_t cell)
{
  return patch.flags && (patch.flags[cell] & LevelFlag::Duplicate) != 0;
}

// Cells of a patch in a row of a brick.
struct PatchRow
{
  const LevelPatch& patch;
  std::size_t row;     // 8 * z + y
  std::uint32_t cells; // one bit per cell
  std::int64_t index;  // in the patch, of the cell at x = 0, which may be outside

  // Returns the element of an array of the patch at a cell. elementBytes: its size.
  const std::byte* at(const void* values, std::size_t x, std::size_t elementBytes) const
  {
    return static_cast<const std::byte*>(values) +
           (this->index + std::int64_t(x)) * static_cast<std::int64_t>(elementBytes);
  }
};

// The cells of a patch in a brick, from the brick's first cell.
struct PatchInBrick
{
  const LevelPatch& patch;
  LevelIndex first; // the brick's first cell, in the patch
  LevelIndex begin{}, end{};

  PatchInBrick(const LevelPatch& part, const LevelIndex& firstCell)
    : patch(part)
  {
    for (std::size_t a = 0; a < 3; ++a)
    {
      this->first[a] = firstCell[a] - part.low[a];
      this->begin[a] = std::max<std::int64_t>(0, -this->first[a]);
      this->end[a] = std::min<std::int64_t>(BRICK_SIZE, part.size[a] - this->first[a]);
    }
  }

  // The cells of a row that are no duplicates.
  PatchRow row(std::int64_t y, std::int64_t z) const
  {
    const auto all = static_cast<std::uint32_t>((1u << this->end[0]) - (1u << this->begin[0]));
    const std::int64_t index =
      ((this->first[2] + z) * this->patch.size[1] + this->first[1] + y) * this->patch.size[0] + this->first[0];
    PatchRow cells{ this->patch, static_cast<std::size_t>(BRICK_SIZE * z + y), all, index };
    for (std::int64_t x = this->begin[0]; this->patch.flags && x < this->end[0]; ++x)
      if (isDuplicate(this->patch, static_cast<std::uint64_t>(index + x)))
        cells.cells &= ~(1u << x);
    return cells;
  }
};

// Calls use(row) for the rows of all patches of a brick; each cell is in the row of the first patch that has it.
template <class Use>
void forPatchRows(const Levels& levels, const LevelOfBricks& level, std::size_t slot, const Use& use)
{
  std::array<std::uint8_t, BRICK_ROWS> found{};
  for (std::size_t i = level.firstPatch[slot]; i < level.firstPatch[slot + 1]; ++i)
  {
    const PatchInBrick part(levels.patches[level.patchOfBrick[i]], level.firstCell(slot));
    for (std::int64_t z = part.begin[2]; z < part.end[2]; ++z)
      for (std::int64_t y = part.begin[1]; y < part.end[1]; ++y)
      {
        PatchRow row = part.row(y, z);
        row.cells &= ~std::uint32_t(found[row.row]);
        found[row.row] |= static_cast<std::uint8_t>(row.cells);
        if (row.cells != 0)
          use(row);
      }
  }
}

}

#endif
