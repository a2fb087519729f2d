// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The input of an extraction from adaptively refined levels (AMR), or from blocks of one lattice: views of the caller's
// arrays.
#ifndef vmcLevels_h
#define vmcLevels_h

#include "Compute/Volume/Volume.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace vmc
{

// The index of a cell, or of a lattice point, of one level; negative ones are allowed. Along each axis, cell i lies
// between the lattice points i and i + 1.
using LevelIndex = std::array<std::int64_t, 3>;

// Flags of a cell of a patch. The bits are those of vtkGhostType.
namespace LevelFlag
{
constexpr std::uint8_t Duplicate = 1; // the patch does not own the cell: the cell is not there
constexpr std::uint8_t Hidden = 32;   // the cell is there and covers coarser cells, but it has no value
}

// A box of cells of one level, x fastest, without gaps. All pointers are borrowed; the arrays must outlive the
// extraction.
struct LevelPatch
{
  std::size_t level = 0;
  LevelIndex low{ 0, 0, 0 };                    // the first cell
  std::array<std::uint32_t, 3> size{ 0, 0, 0 }; // cells along each axis
  const void* samples = nullptr;                // one per cell, any alignment
  std::uint64_t identity = 0;                   // see Volume::identity
  const std::uint8_t* flags = nullptr;          // LevelFlag per cell; null: none
  std::uint64_t flagIdentity = 0;               // see Volume::identity
  // false: the cells belong to another piece of the hierarchy, which makes the triangles of their dual cells.
  bool isOwned = true;
  std::vector<Attribute> attributes; // of all patches in the same order, with the same types and components

  std::uint64_t cellCount() const { return std::uint64_t(this->size[0]) * this->size[1] * this->size[2]; }
};

// Makes the surface end at the border of the domain. Beyond it, each cell repeats the outermost cell of its level in
// the domain, and its centre lies on the border.
struct LevelBorder
{
  bool isClosed = false; // beyond the border, everything counts as below every isovalue
  // The domain: from cell low to before high of level 0. If both are equal, it is the smallest such box with all cells
  // that are no duplicates. Pieces of a hierarchy must be told theirs.
  LevelIndex low{ 0, 0, 0 }, high{ 0, 0, 0 };

  friend bool operator==(const LevelBorder& a, const LevelBorder& b)
  {
    return a.low == b.low && a.high == b.high && a.isClosed == b.isClosed;
  }
};

// Patches in any order. Where patches of one level overlap, the first one in the list whose cell is no duplicate
// counts. A cell that finer cells cover in part is a leaf for the rest of its region. What no patch contains covers
// nothing: a coarse cell under data that is not loaded is a leaf.
//
// Pieces of a hierarchy, which may be on several ranks, make each triangle once, if each of them has the cells of the
// others that lie within two cells of the coarsest level from its own ones, and if all pieces have overlapping patches
// in the same order.
struct Levels
{
  SampleType type = SampleType::Float32; // of the samples of all patches
  // [level]: cells per cell of the next coarser level, at least 1 along each axis. That of level 0 is { 1, 1, 1 }.
  std::vector<std::array<std::uint32_t, 3>> ratio;
  std::vector<LevelPatch> patches;
  Vector3 origin{ 0, 0, 0 }; // world position of the lattice point (0, 0, 0), which all levels have in common
  // [axis]: world vector from a lattice point of level 0 to the next one.
  std::array<Vector3, 3> steps{ { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } } };
  // Nothing: the surface ends at the outermost centres. Cells beyond the domain do not count.
  std::optional<LevelBorder> border;

  // The volume of a cell of a level in the world.
  double cellVolume(std::size_t level) const
  {
    double cells = 1; // per cell of level 0
    for (std::size_t i = 0; i <= level; ++i)
      for (const std::uint32_t cellsAlongAxis : this->ratio[i])
        cells *= cellsAlongAxis;
    return std::abs(SampleGeometry(this->origin, this->steps).determinant()) / cells;
  }
};

}

#endif
