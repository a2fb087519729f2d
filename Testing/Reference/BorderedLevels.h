// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// A hierarchy with cells beyond the border of its domain, as patches.
#ifndef vmcReferenceBorderedLevels_h
#define vmcReferenceBorderedLevels_h

#include "Reference/LevelLeaves.h"
#include "Reference/Levels.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace vmc::reference
{

// The smallest domain with all cells that are there.
inline LevelBorder borderOf(const Levels& levels, const LevelLeaves& leaves, bool isClosed)
{
  LevelBorder border;
  bool isEmpty = true;
  for (std::size_t level = 0; level <= leaves.finestLevel(); ++level)
  {
    const LevelIndex cells = levels.cellsPerCell(0, level);
    for (const auto& [index, cell] : leaves.cellsOf(level))
    {
      for (std::size_t a = 0; a < 3; ++a)
      {
        const std::int64_t coarse = floorOfQuotient(index[a], cells[a]);
        border.low[a] = isEmpty ? coarse : std::min(border.low[a], coarse);
        border.high[a] = isEmpty ? coarse + 1 : std::max(border.high[a], coarse + 1);
      }
      isEmpty = false;
    }
  }
  border.isClosed = isClosed;
  return border;
}

// The hierarchy with its border as cells: a patch at the border of the domain grows by the cells of its level that two
// cells of level 0 have along each axis. New cells repeat the nearest cell in the domain, but only those of the first
// layer are visible; in a closed domain the others are too, and have the lowest value.
class BorderedLevels
{
public:
  Levels levels;

  BorderedLevels(const Levels& from, const LevelBorder& border)
    : levels(from)
    , Border(border)
  {
    this->levels.border = border;
    for (LevelPatch& patch : this->levels.patches)
      patch = this->grown(patch);
  }

  // The cell of the domain that a cell repeats.
  LevelCell sourceOf(const LevelCell& cell) const
  {
    const LevelIndex cells = this->levels.cellsPerCell(0, cell.level);
    LevelCell source = cell;
    for (std::size_t a = 0; a < 3; ++a)
      source.index[a] = std::clamp(cell.index[a], this->Border.low[a] * cells[a], this->Border.high[a] * cells[a] - 1);
    return source;
  }

private:
  LevelPatch grown(const LevelPatch& from) const
  {
    const LevelIndex cells = this->levels.cellsPerCell(0, from.level);
    LevelPatch patch = { from.level, {}, {}, {}, {} };
    for (std::size_t a = 0; a < 3; ++a)
    {
      const std::int64_t low = this->Border.low[a] * cells[a], high = this->Border.high[a] * cells[a];
      const std::int64_t end = from.low[a] + from.size[a];
      patch.low[a] = from.low[a] <= low ? low - 2 * cells[a] : from.low[a];
      patch.size[a] = (end >= high ? high + 2 * cells[a] : end) - patch.low[a];
    }
    for (std::int64_t i = 0; i < patch.count(); ++i)
      this->addCell(from, patch.cellAt(i), patch);
    return patch;
  }

  void addCell(const LevelPatch& from, const LevelIndex& cell, LevelPatch& patch) const
  {
    const LevelIndex source = this->sourceOf({ from.level, cell }).index;
    std::int64_t layer = 0, number = 0;
    for (std::size_t a = 3; a-- > 0;)
    {
      layer = std::max(layer, std::abs(cell[a] - source[a]));
      number = number * from.size[a] + source[a] - from.low[a];
    }
    const bool isHidden = layer > 1 && !this->Border.isClosed;
    patch.flags.push_back(from.flagsAt(number) | (isHidden ? LevelFlag::Hidden : std::uint8_t(0)));
    const double sample = from.samples[static_cast<std::size_t>(number)];
    patch.samples.push_back(layer > 1 && !std::isnan(sample) ? -std::numeric_limits<double>::infinity() : sample);
  }

  const LevelBorder Border;
};

}

#endif
