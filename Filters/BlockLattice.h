// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The lattice that blocks of images have in common.
#ifndef vmcBlockLattice_h
#define vmcBlockLattice_h

#include "LeafGaps.h"

#include "Compute/Volume/Levels.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace vmc::filters
{

using CellCounts = std::array<std::uint32_t, 3>; // along each axis

// The cells of a block in space.
struct BlockPlace
{
  ImageSides sides;
  std::array<double, 9> direction; // the matrix, row by row
  std::array<double, 3> spacing;
  CellCounts size;
};

// How a block fits a lattice.
struct LatticeFit
{
  CellCounts ratio{ 1, 1, 1 }; // cells of the block per cell of the lattice's finest level
  vmc::LevelIndex low{};       // of the block's cells, counted from the low corner of the lattice's first block

  // The first axis along which the block does not fit; 3: it fits.
  std::size_t wrongAxis = 3;
  bool hasWrongSpacing = false;    // false: only the corners are wrong
  std::array<double, 2> corners{}; // along that axis, in cells of the block
  double tolerance = 0;            // of the corners

  bool isGood() const { return this->wrongAxis == 3; }
  bool isOfSameLevel() const { return this->ratio == CellCounts{ 1, 1, 1 }; }
};

// Levels of blocks that have one direction matrix. Along each axis, a cell of a level is an integer number of cells of
// the next finer level, and each corner of a block is a lattice point of its level. Blocks are added from the coarsest
// to the finest ones.
class BlockLattice
{
public:
  // A block of the lattice.
  struct Member
  {
    std::size_t block;   // the caller's number
    std::size_t level;   // 0 is the coarsest
    vmc::LevelIndex low; // see LatticeFit::low
  };

  // isAmr: the blocks belong to an AMR, which states that they share a lattice. Therefore the tolerance is larger.
  BlockLattice(std::size_t block, const BlockPlace& first, bool isAmr);

  const std::vector<Member>& members() const { return this->Members; }
  const std::vector<CellCounts>& ratio() const { return this->Ratio; } // see Levels::ratio
  const std::array<double, 9>& direction() const { return this->First.direction; }
  std::array<double, 3> finestSpacing() const;
  double low(std::size_t axis) const { return this->First.sides.low[axis]; } // of the first block

  LatticeFit fit(const BlockPlace& place) const;

  // Returns whether a member has the same cells as a block that fits. Only members of the finest level are compared.
  bool hasCells(const BlockPlace& place, const LatticeFit& fit) const;

  // Adds a block that fits to the finest level, or as the first block of a new one.
  void add(std::size_t block, const BlockPlace& place, const LatticeFit& fit, bool isNewLevel);

private:
  void fitAxis(std::size_t axis, const BlockPlace& place, LatticeFit& fit) const;

  BlockPlace First;
  bool IsAmr;
  std::vector<CellCounts> Ratio{ { 1, 1, 1 } };
  std::array<double, 3> Cells{ 1, 1, 1 };                 // of the finest level per cell of the coarsest one
  std::set<std::pair<vmc::LevelIndex, CellCounts>> Boxes; // of the finest level
  std::vector<Member> Members;
};

// Returns the place of a block by the caller's number.
using PlaceOfBlock = std::function<const BlockPlace&(std::size_t block)>;

// Cuts a lattice, not of an AMR, into parts without common dual cells if each part has a border of its own, or if the
// box around the lattice has so many cells that the core's table of its bricks would be large, as with images far
// apart. Otherwise, returns the lattice.
std::vector<BlockLattice> partsOf(const BlockLattice& lattice, const PlaceOfBlock& placeOf, bool haveBorders);

// Finds the few lattices that a block may fit, among many, by their spacings and lattice points along x. The lattices
// are not of an AMR.
class LatticeLookup
{
public:
  // Adds a lattice, or a new finest level of it. number: the caller's number.
  void add(std::size_t number, const BlockLattice& lattice);

  // Returns all lattices that the block fits, and some others, ascending.
  std::vector<std::size_t> candidates(const BlockPlace& block) const;

private:
  // [finest spacing along x][part of a cell, from 0 to 1, by which lattice points lie beside multiples of that spacing]
  std::map<double, std::multimap<double, std::size_t>> BySpacing;
};

}

#endif
