// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// A hierarchy of adaptively refined levels of cells (AMR), as plain values.
#ifndef vmcReferenceLevels_h
#define vmcReferenceLevels_h

#include "Compute/Volume/Levels.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <tuple>
#include <vector>

namespace vmc::reference
{

using Vector = std::array<double, 3>;

using vmc::LevelBorder;
using vmc::LevelIndex;

// A cell of a hierarchy.
struct LevelCell
{
  std::size_t level = 0; // 0 is the coarsest
  LevelIndex index{ 0, 0, 0 };

  // The order is: finer levels first, then ascending by z, y and x.
  friend bool operator<(const LevelCell& a, const LevelCell& b)
  {
    return std::tie(b.level, a.index[2], a.index[1], a.index[0]) <
           std::tie(a.level, b.index[2], b.index[1], b.index[0]);
  }
  friend bool operator==(const LevelCell& a, const LevelCell& b) { return a.level == b.level && a.index == b.index; }
  friend bool operator!=(const LevelCell& a, const LevelCell& b) { return !(a == b); }
};

namespace LevelFlag = vmc::LevelFlag;

// A box of cells of one level.
struct LevelPatch
{
  std::size_t level = 0;
  LevelIndex low{ 0, 0, 0 };       // the first cell
  LevelIndex size{ 0, 0, 0 };      // cells per axis
  std::vector<double> samples;     // one per cell, x fastest
  std::vector<std::uint8_t> flags; // one per cell, the same order; empty if no cell has a flag

  std::int64_t count() const { return this->size[0] * this->size[1] * this->size[2]; }

  LevelIndex cellAt(std::int64_t number) const
  {
    return { this->low[0] + number % this->size[0], this->low[1] + number / this->size[0] % this->size[1],
      this->low[2] + number / (this->size[0] * this->size[1]) };
  }

  std::uint8_t flagsAt(std::int64_t number) const
  {
    return this->flags.empty() ? std::uint8_t(0) : this->flags[static_cast<std::size_t>(number)];
  }
};

// Patches in any order. Where patches of one level overlap, the first one in the list whose cell is no duplicate
// counts.
struct Levels
{
  // [level]: cells per cell of the next coarser level, at least 1 along each axis. That of level 0 is { 1, 1, 1 }.
  std::vector<LevelIndex> ratio;
  std::vector<LevelPatch> patches;
  Vector origin{ 0, 0, 0 }; // world position of the lattice point (0, 0, 0), which all levels have in common
  // [axis]: world vector from a lattice point of level 0 to the next one. They are not zero and need not be orthogonal.
  std::array<Vector, 3> steps{ { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } } };
  std::optional<LevelBorder> border; // centres of cells beyond it lie on it

  // Cells of level `fine` along each axis of a cell of level `coarse`.
  LevelIndex cellsPerCell(std::size_t coarse, std::size_t fine) const
  {
    LevelIndex cells = { 1, 1, 1 };
    for (std::size_t level = coarse + 1; level <= fine; ++level)
      for (std::size_t a = 0; a < 3; ++a)
        cells[a] *= this->ratio[level][a];
    return cells;
  }

  // The centre in index space: steps from the origin.
  Vector centerOf(const LevelCell& cell) const
  {
    const LevelIndex perStep = this->cellsPerCell(0, cell.level);
    Vector center{};
    for (std::size_t a = 0; a < 3; ++a)
    {
      center[a] = (double(cell.index[a]) + 0.5) / double(perStep[a]);
      if (this->border)
        center[a] = std::clamp(center[a], double(this->border->low[a]), double(this->border->high[a]));
    }
    return center;
  }

  Vector worldOf(const Vector& index) const
  {
    Vector world{};
    for (std::size_t a = 0; a < 3; ++a)
      world[a] =
        this->origin[a] + (index[0] * this->steps[0][a] + index[1] * this->steps[1][a] + index[2] * this->steps[2][a]);
    return world;
  }

  // Returns whether the steps are left-handed.
  bool isMirrored() const
  {
    const auto& [x, y, z] = this->steps;
    return x[0] * (y[1] * z[2] - y[2] * z[1]) + x[1] * (y[2] * z[0] - y[0] * z[2]) +
             x[2] * (y[0] * z[1] - y[1] * z[0]) <
           0;
  }
};

}

#endif
