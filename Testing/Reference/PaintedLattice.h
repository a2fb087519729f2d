// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The leaves of a hierarchy of levels, by painting one level over the other.
#ifndef vmcReferencePaintedLattice_h
#define vmcReferencePaintedLattice_h

#include "Reference/Levels.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <set>
#include <vector>

namespace vmc::reference
{

// The leaves of a hierarchy as numbers in a dense array over the finest lattice: each level is painted over the coarser
// ones. A second implementation of the definitions of LevelLeaves.
class PaintedLattice
{
public:
  explicit PaintedLattice(const Levels& levels)
    : Input(levels)
  {
    for (std::size_t a = 0; a < 3; ++a)
    {
      this->low[a] = std::numeric_limits<std::int64_t>::max();
      this->high[a] = std::numeric_limits<std::int64_t>::min();
      for (const LevelPatch& patch : levels.patches)
      {
        const std::int64_t size = this->cellsOf(patch.level)[a];
        this->low[a] = std::min(this->low[a], patch.low[a] * size);
        this->high[a] = std::max(this->high[a], (patch.low[a] + patch.size[a]) * size);
      }
    }
  }

  LevelIndex low{ 0, 0, 0 }, high{ 0, 0, 0 }; // first position, and the one after the last
  std::vector<LevelCell> cells;               // [number]: all that were painted
  std::vector<bool> isValid;                  // [number]

  std::int64_t count() const
  {
    return (this->high[0] - this->low[0]) * (this->high[1] - this->low[1]) * (this->high[2] - this->low[2]);
  }

  LevelIndex cellsOf(std::size_t level) const { return this->Input.cellsPerCell(level, this->Input.ratio.size() - 1); }

  void paint()
  {
    this->Numbers.assign(static_cast<std::size_t>(this->count()), -1);
    for (std::size_t level = 0; level < this->Input.ratio.size(); ++level)
      for (std::size_t i = this->Input.patches.size(); i-- > 0;) // the first patch is painted last
        if (this->Input.patches[i].level == level)
          this->paintPatch(this->Input.patches[i]);
  }

  // The number of the leaf at a position; -1 if there is none.
  int at(const LevelIndex& p) const
  {
    for (std::size_t a = 0; a < 3; ++a)
      if (p[a] < this->low[a] || p[a] >= this->high[a])
        return -1;
    return this->Numbers[this->placeOf(p)];
  }

  std::set<int> numbers() const
  {
    std::set<int> numbers(this->Numbers.begin(), this->Numbers.end());
    numbers.erase(-1);
    return numbers;
  }

private:
  std::size_t placeOf(const LevelIndex& p) const
  {
    return static_cast<std::size_t>(
      p[0] - this->low[0] +
      (this->high[0] - this->low[0]) * (p[1] - this->low[1] + (this->high[1] - this->low[1]) * (p[2] - this->low[2])));
  }

  void paintPatch(const LevelPatch& patch)
  {
    const LevelIndex size = this->cellsOf(patch.level);
    for (std::int64_t i = 0; i < patch.count(); ++i)
    {
      const unsigned flags = patch.flagsAt(i);
      if ((flags & LevelFlag::Duplicate) != 0)
        continue;
      const LevelIndex cell = patch.cellAt(i);
      for (std::int64_t z = cell[2] * size[2]; z < (cell[2] + 1) * size[2]; ++z)
        for (std::int64_t y = cell[1] * size[1]; y < (cell[1] + 1) * size[1]; ++y)
          for (std::int64_t x = cell[0] * size[0]; x < (cell[0] + 1) * size[0]; ++x)
            this->Numbers[this->placeOf({ x, y, z })] = static_cast<int>(this->cells.size());
      this->cells.push_back({ patch.level, cell });
      this->isValid.push_back(
        (flags & LevelFlag::Hidden) == 0 && !std::isnan(patch.samples[static_cast<std::size_t>(i)]));
    }
  }

  const Levels& Input;
  std::vector<int> Numbers;
};

}

#endif
