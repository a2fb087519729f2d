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
#include <cstring>

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
  std::size_t row;            // 8 * z + y
  std::uint32_t cells;        // one bit per cell
  std::int64_t index;         // in the patch, of the cell at x = 0, which may be outside
  std::int64_t firstX, lastX; // in the domain; the cells before and after repeat these

  // The number of a cell in the patch.
  std::int64_t cellAt(std::size_t x) const
  {
    return this->index + std::clamp(std::int64_t(x), this->firstX, this->lastX);
  }

  // Returns the element of an array of the patch at a cell. elementBytes: its size.
  const std::byte* at(const void* values, std::size_t x, std::size_t elementBytes) const
  {
    return static_cast<const std::byte*>(values) + this->cellAt(x) * static_cast<std::int64_t>(elementBytes);
  }

  // Copies the elements of an array of the patch to those of the row. Inlined, for those of known size.
  [[gnu::always_inline]] void copy(const void* values, std::size_t elementBytes, std::byte* to) const
  {
    if (this->cells == 0xFFu && this->firstX <= 0 && this->lastX >= BRICK_SIZE - 1)
    {
      std::memcpy(to, this->at(values, 0, elementBytes), BRICK_SIZE * elementBytes);
      return;
    }
    for (std::size_t x = 0; x < BRICK_SIZE; ++x)
      if ((this->cells >> x & 1u) != 0)
        std::memcpy(to + x * elementBytes, this->at(values, x, elementBytes), elementBytes);
  }
};

// The cells of a patch in a brick, from the brick's first cell, also those beyond the domain that repeat them.
struct PatchInBrick
{
  const LevelPatch& patch;
  LevelIndex first{};             // the brick's first cell, in the patch
  LevelIndex begin{}, end{};      // of the cells
  LevelIndex firstIn{}, lastIn{}; // of the domain

  PatchInBrick(const LevelPatch& part, const LevelOfBricks& level, std::size_t slot)
    : patch(part)
  {
    const LevelIndex firstCell = level.firstCell(slot);
    for (std::size_t a = 0; a < 3; ++a)
    {
      const std::int64_t low = part.low[a] - firstCell[a], high = low + part.size[a];
      this->first[a] = -low;
      this->firstIn[a] = level.domain.low[a] - firstCell[a];
      this->lastIn[a] = level.domain.high[a] - 1 - firstCell[a];
      const std::int64_t beyond = level.domain.beyond[a];
      const bool hasFirst = low <= this->firstIn[a] && this->firstIn[a] < high,
                 hasLast = low <= this->lastIn[a] && this->lastIn[a] < high;
      this->begin[a] =
        std::clamp<std::int64_t>(hasFirst ? this->firstIn[a] - beyond : std::max(low, this->firstIn[a]), 0, BRICK_SIZE);
      this->end[a] = std::clamp<std::int64_t>(
        hasLast ? this->lastIn[a] + 1 + beyond : std::min(high, this->lastIn[a] + 1), this->begin[a], BRICK_SIZE);
    }
  }

  // The cells of a row that are no duplicates.
  PatchRow row(std::int64_t y, std::int64_t z) const
  {
    const auto all = static_cast<std::uint32_t>((1u << this->end[0]) - (1u << this->begin[0]));
    const std::int64_t fromY = std::clamp(y, this->firstIn[1], this->lastIn[1]),
                       fromZ = std::clamp(z, this->firstIn[2], this->lastIn[2]);
    const std::int64_t index =
      ((this->first[2] + fromZ) * this->patch.size[1] + this->first[1] + fromY) * this->patch.size[0] + this->first[0];
    PatchRow cells{ this->patch, static_cast<std::size_t>(BRICK_SIZE * z + y), all, index, this->firstIn[0],
      this->lastIn[0] };
    for (std::int64_t x = this->begin[0]; this->patch.flags && x < this->end[0]; ++x)
      if (isDuplicate(this->patch, static_cast<std::uint64_t>(cells.cellAt(static_cast<std::size_t>(x)))))
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
    const PatchInBrick part(levels.patches[level.patchOfBrick[i]], level, slot);
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
