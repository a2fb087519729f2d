// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The leaves of a hierarchy of levels, by hash maps.
#ifndef vmcReferenceLevelLeaves_h
#define vmcReferenceLevelLeaves_h

#include "Reference/Levels.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

namespace vmc::reference
{

// The largest integer that is not above numerator / denominator: -1 / 2 is -1. The denominator is positive.
inline std::int64_t floorOfQuotient(std::int64_t numerator, std::int64_t denominator)
{
  return numerator / denominator - (numerator % denominator < 0 ? 1 : 0);
}

struct LevelIndexHash
{
  std::size_t operator()(const LevelIndex& index) const
  {
    std::uint64_t bits = 0;
    for (const std::int64_t i : index)
      bits = (bits ^ static_cast<std::uint64_t>(i)) * 0x9E3779B97F4A7C15u; // odd: every index changes the product
    return static_cast<std::size_t>(bits ^ bits >> 32);
  }
};

template <class Value>
using LevelMap = std::unordered_map<LevelIndex, Value, LevelIndexHash>;

// A cell that some patch has and that is no duplicate.
struct CellThere
{
  double sample = 0;
  bool isValid = false; // neither hidden nor NaN
  bool isHidden = false;
};

// Definitions:
// - A cell *is there* if a patch of its level has it and it is no duplicate in this patch. A patch that is not loaded
//   covers nothing. A cell that is there but hidden or NaN covers coarser cells, and is a hole.
// - The *finest lattice* is that of the last level of Levels::ratio. Each of its cells is a *position*.
// - The leaf at a position is the finest cell that is there and contains the position.
// - A cell is a leaf if it is the leaf at some position. A cell that finer cells cover in part is a leaf, whose region
//   is the rest of the cell. A hierarchy without such cells is *well nested*: then the region of each leaf is a box.
class LevelLeaves
{
public:
  // The hierarchy must outlive this object.
  explicit LevelLeaves(const Levels& levels)
    : Input(levels)
    , Cells(levels.ratio.size())
    , Covered(levels.ratio.size())
  {
    for (const LevelPatch& patch : levels.patches)
      this->addPatch(patch);
    for (std::size_t level = levels.ratio.size(); level-- > 1;)
      this->coverParents(level);
  }

  std::size_t finestLevel() const { return this->Input.ratio.size() - 1; }

  // The cells of a level that are there.
  const LevelMap<CellThere>& cellsOf(std::size_t level) const { return this->Cells[level]; }

  // The cell, which must be there.
  const CellThere& at(const LevelCell& cell) const { return this->Cells[cell.level].at(cell.index); }

  // The leaf at a position, or nothing if no cell that is there contains it.
  std::optional<LevelCell> leafAt(const LevelIndex& position) const
  {
    LevelCell cell = { this->finestLevel(), position };
    while (this->Cells[cell.level].count(cell.index) == 0)
    {
      if (cell.level == 0)
        return std::nullopt;
      cell = this->parentOf(cell);
    }
    return cell;
  }

  // All leaves, in ascending order.
  std::vector<LevelCell> leaves() const
  {
    return this->cellsWith([](std::int64_t covered, std::int64_t all) { return covered < all; });
  }

  // The leaves that finer cells cover in part, in ascending order. There are none if the hierarchy is well nested.
  std::vector<LevelCell> partlyCovered() const
  {
    return this->cellsWith([](std::int64_t covered, std::int64_t all) { return covered > 0 && covered < all; });
  }

  // The index in the finest lattice of a lattice point of a level.
  LevelIndex toFinest(std::size_t level, const LevelIndex& point) const
  {
    const LevelIndex cells = this->Input.cellsPerCell(level, this->finestLevel());
    return { point[0] * cells[0], point[1] * cells[1], point[2] * cells[2] };
  }

private:
  void addPatch(const LevelPatch& patch)
  {
    for (std::int64_t i = 0; i < patch.count(); ++i)
    {
      const std::uint8_t flags = patch.flagsAt(i);
      const double sample = patch.samples[static_cast<std::size_t>(i)];
      const bool isHidden = (flags & LevelFlag::Hidden) != 0;
      if ((flags & LevelFlag::Duplicate) == 0) // an earlier patch keeps its cell
        this->Cells[patch.level].insert({ patch.cellAt(i), { sample, !isHidden && !std::isnan(sample), isHidden } });
    }
  }

  LevelCell parentOf(const LevelCell& cell) const
  {
    LevelCell parent = { cell.level - 1, {} };
    for (std::size_t a = 0; a < 3; ++a)
      parent.index[a] = floorOfQuotient(cell.index[a], this->Input.ratio[cell.level][a]);
    return parent;
  }

  std::int64_t positionsPerCell(std::size_t level) const
  {
    const LevelIndex cells = this->toFinest(level, { 1, 1, 1 });
    return cells[0] * cells[1] * cells[2];
  }

  // Adds the positions that cells of this level and of finer ones cover to those of the next coarser level's cells.
  void coverParents(std::size_t level)
  {
    const auto add = [&](const LevelIndex& index, std::int64_t positions) {
      this->Covered[level - 1][this->parentOf({ level, index }).index] += positions;
    };
    for (const auto& [index, cell] : this->Cells[level])
      add(index, this->positionsPerCell(level));
    for (const auto& [index, positions] : this->Covered[level])
      if (this->Cells[level].count(index) == 0)
        add(index, positions);
  }

  // The cells that are there for which use(positions that finer cells cover, all positions) returns true, ascending.
  template <class Use>
  std::vector<LevelCell> cellsWith(const Use& use) const
  {
    std::vector<LevelCell> found;
    for (std::size_t level = 0; level < this->Cells.size(); ++level)
      for (const auto& [index, cell] : this->Cells[level])
      {
        const auto covered = this->Covered[level].find(index);
        if (use(covered == this->Covered[level].end() ? 0 : covered->second, this->positionsPerCell(level)))
          found.push_back({ level, index });
      }
    std::sort(found.begin(), found.end());
    return found;
  }

  const Levels& Input;
  std::vector<LevelMap<CellThere>> Cells;      // [level]
  std::vector<LevelMap<std::int64_t>> Covered; // [level]: positions that finer cells cover
};

}

#endif
