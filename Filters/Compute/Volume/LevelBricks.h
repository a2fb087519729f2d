// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The leaves of a hierarchy of levels in sparse bricks.
#ifndef vmcLevelBricks_h
#define vmcLevelBricks_h

#include "Compute/Memory/HostMemoryPool.h"
#include "Compute/Volume/Levels.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace vmc
{

// The largest integer that is not above numerator / denominator: -1 / 2 is -1. The denominator is positive.
inline std::int64_t floorOfQuotient(std::int64_t numerator, std::int64_t denominator)
{
  return numerator / denominator - (numerator % denominator < 0 ? 1 : 0);
}

// One bit per cell of a brick: bit 8 * y + x of element z.
using BrickBits = std::array<std::uint64_t, BRICK_SIZE>;

constexpr std::size_t BrickCells = std::size_t(BRICK_SIZE) * BRICK_ROWS;

constexpr std::size_t numberInBrick(std::size_t x, std::size_t y, std::size_t z)
{
  return (z * BRICK_SIZE + y) * BRICK_SIZE + x;
}

// The place of a cell: its brick, and its number in it.
struct CellPlace
{
  std::uint32_t slot; // NO_SLOT: no brick contains the cell
  std::size_t number;

  // Returns whether the bit of the cell is set. bits: [slot]; may be empty.
  bool isIn(const std::vector<BrickBits>& bits) const
  {
    return this->slot != NO_SLOT && !bits.empty() &&
           (bits[this->slot][this->number / BRICK_ROWS] >> this->number % BRICK_ROWS & 1u) != 0;
  }

  std::size_t sample() const { return this->slot * BrickCells + this->number; } // index
};

// Numbers of the bricks of a level: slots. A page has the slots of 8 x 8 x 8 bricks; bricks without a slot need no
// page.
class BrickTable
{
public:
  // A brick along x, y and z, counted from the first one of the level.
  using Brick = std::array<std::uint32_t, 3>;
  static constexpr std::uint32_t MostBricks = 1u << 21; // along each axis

  BrickTable() = default;
  // bricks: their slots are their places in this list. Throws Unsupported if they are too many or too far apart.
  explicit BrickTable(const std::vector<Brick>& bricks);

  // Where a cell of the level is, counted from the first one.
  CellPlace placeOf(const LevelIndex& cell) const
  {
    return { this->slotOf(cell[0] >> 3, cell[1] >> 3, cell[2] >> 3),
      numberInBrick(std::size_t(cell[0] & 7), std::size_t(cell[1] & 7), std::size_t(cell[2] & 7)) };
  }

  const std::array<std::uint64_t, 3>& pages() const { return this->Pages; } // along each axis
  const std::vector<std::uint32_t>& pageOf() const { return this->PageOf; } // see the members
  const std::vector<std::uint32_t>& slotsOfPages() const { return this->SlotOf; }

  std::size_t bytes() const { return sizeof(std::uint32_t) * (this->PageOf.size() + this->SlotOf.size()); }

  // NO_SLOT where there is none, also beyond the level.
  std::uint32_t slotOf(std::int64_t x, std::int64_t y, std::int64_t z) const
  {
    const auto px = static_cast<std::uint64_t>(x >> Shift), py = static_cast<std::uint64_t>(y >> Shift),
               pz = static_cast<std::uint64_t>(z >> Shift);
    if (px >= this->Pages[0] || py >= this->Pages[1] || pz >= this->Pages[2]) // also if negative
      return NO_SLOT;
    const std::uint32_t page = this->PageOf[(pz * this->Pages[1] + py) * this->Pages[0] + px];
    return page == NO_SLOT ? NO_SLOT : this->SlotOf[page + numberInPage(x, y, z)];
  }

  // Sets the slots of a brick and of those around it: x fastest, each from one before the brick.
  void slotsAround(const Brick& brick, std::array<std::uint32_t, 27>& slots) const
  {
    constexpr std::uint32_t Mask = (1u << Shift) - 1;
    const auto isWithin = [&](std::size_t a) { return (brick[a] & Mask) != 0 && (brick[a] & Mask) != Mask; };
    if (isWithin(0) && isWithin(1) && isWithin(2)) // all of them are in one page
    {
      const std::uint32_t* const first =
        this->SlotOf.data() +
        this->PageOf[((brick[2] >> Shift) * this->Pages[1] + (brick[1] >> Shift)) * this->Pages[0] +
                     (brick[0] >> Shift)] +
        numberInPage(brick[0] - 1, brick[1] - 1, brick[2] - 1);
      for (std::size_t i = 0; i < slots.size(); ++i)
        slots[i] = first[(i / 9 << 2 * Shift) + (i / 3 % 3 << Shift) + i % 3];
      return;
    }
    for (std::size_t i = 0; i < slots.size(); ++i)
      slots[i] = this->slotOf(std::int64_t(brick[0]) - 1 + std::int64_t(i % 3),
        std::int64_t(brick[1]) - 1 + std::int64_t(i / 3 % 3), std::int64_t(brick[2]) - 1 + std::int64_t(i / 9));
  }

private:
  static constexpr unsigned Shift = 3;
  static constexpr std::size_t PageBricks = std::size_t(1) << 3 * Shift;

  static std::size_t numberInPage(std::int64_t x, std::int64_t y, std::int64_t z)
  {
    constexpr std::int64_t Mask = (1 << Shift) - 1;
    return static_cast<std::size_t>(((z & Mask) << 2 * Shift) + ((y & Mask) << Shift) + (x & Mask));
  }

  std::array<std::uint64_t, 3> Pages{ 0, 0, 0 }; // along each axis
  std::vector<std::uint32_t> PageOf;             // [page of the level]: its first element of SlotOf, or NO_SLOT
  std::vector<std::uint32_t> SlotOf;
};

// How the dual cells of a brick are made.
enum class BrickKind : std::uint8_t
{
  Plain,    // all cells from one before the brick to two beyond it are leaves
  Bordered, // some are not, but no leaf of another level lies within one cell of the brick
  Masked,   // a finer leaf lies near the brick, but no coarser one within one cell of it
  Stitched  // a coarser leaf lies within one cell of the brick, or a cell that finer cells cover in part
};

// The smallest and the largest of some values of leaves, for each brick. Without a leaf, the smallest is above the
// largest.
struct LeafRanges
{
  std::vector<std::byte> smallest, largest; // Sample[slot]
  std::vector<std::uint8_t> hasOutside;     // [slot]: a leaf counts as below every isovalue; empty: none does

  // Returns whether some values are inside, and others are not. threshold: the smallest one that is inside.
  template <class Sample>
  bool isCut(std::size_t slot, Sample threshold) const
  {
    const bool reachesInside = this->hasInside(slot, threshold);
    const bool hasBelow = reinterpret_cast<const Sample*>(this->smallest.data())[slot] < threshold;
    return reachesInside & (hasBelow | this->reachesOutside(slot)); // without a branch in each brick
  }

  // Returns whether some values are inside.
  template <class Sample>
  bool hasInside(std::size_t slot, Sample threshold) const
  {
    return reinterpret_cast<const Sample*>(this->largest.data())[slot] >= threshold;
  }

  // Copies those of a brick.
  template <class Sample>
  void copy(const LeafRanges& from, std::size_t slot)
  {
    const std::size_t begin = slot * sizeof(Sample);
    std::copy_n(from.smallest.data() + begin, sizeof(Sample), this->smallest.data() + begin);
    std::copy_n(from.largest.data() + begin, sizeof(Sample), this->largest.data() + begin);
    if (!this->hasOutside.empty())
      this->hasOutside[slot] = from.hasOutside[slot];
  }

  bool reachesOutside(std::size_t slot) const { return !this->hasOutside.empty() && this->hasOutside[slot] != 0; }
};

// The cells of a level in the domain. With a border (LevelBorder), `beyond` cells at each side along an axis repeat the
// outermost ones: along the whole of a cell of level 0, so that finer cells cover coarser ones there as they do in the
// domain. The first of them has a value. The others have none, or in a closed domain count as below every isovalue;
// then they are twice as many, so that each cell with a value has neighbours.
struct LevelDomain
{
  static constexpr std::int64_t Far = std::int64_t(1) << 60;

  LevelIndex low{ -Far, -Far, -Far }, high{ Far, Far, Far }; // from cell low to before high
  std::array<std::int64_t, 3> beyond{ 0, 0, 0 };

  // The coordinate of a centre beyond the domain is that of the border.
  double clamped(std::size_t axis, double coordinate) const
  {
    return this->beyond[axis] == 0
             ? coordinate
             : std::clamp(coordinate, double(this->low[axis]) - 0.5, double(this->high[axis]) - 0.5);
  }

  // The number of a cell's layer beyond the domain, from 1; 0: the cell is in the domain. index: along the axis.
  std::int64_t layerOf(std::size_t axis, std::int64_t index) const
  {
    return std::max(this->low[axis] - index, std::max<std::int64_t>(index - this->high[axis] + 1, 0));
  }
};

// A level of the hierarchy. Cells count from `low`.
struct LevelOfBricks
{
  LevelDomain domain;                             // counted from the lattice point (0, 0, 0)
  LevelIndex low{ 0, 0, 0 };                      // the first cell, also beyond the domain
  std::array<std::int64_t, 3> perCell{ 1, 1, 1 }; // cells along each axis of a cell of level 0
  SampleGeometry geometry;                        // of the centres of cells that count from the lattice point (0, 0, 0)
  std::size_t firstBrick = 0;                     // bricks of the coarser levels
  BrickTable table;
  std::vector<BrickTable::Brick> brick; // [slot]: ascending by z, y and x
  // [slot]: where the patches with cells in the brick begin in patchOfBrick, which has numbers of Levels::patches,
  // ascending; at last, its size.
  std::vector<std::size_t> firstPatch;
  std::vector<std::uint32_t> patchOfBrick;
  std::vector<BrickKind> kind; // [slot]
  std::vector<BrickBits> leaf; // [slot]: cells that are leaves and have a value
  // [slot]: cells that hide coarser leaves without being leaves: without a value, or covered; and cells that finer ones
  // cover in part. Empty if the hierarchy is well nested: then the cells above such cells are no leaves.
  std::vector<BrickBits> hiding, partlyCovered;
  // [slot]: cells of other pieces, see LevelPatch::isOwned. Empty if there are none in the hierarchy.
  std::vector<BrickBits> notOwned;
  // [slot]: cells beyond the domain, and leaves that count as below every isovalue. Empty without a border.
  std::vector<BrickBits> beyond, outside;
  // Cells of this piece without a value that finer cells do not cover, or only in part: hidden ones, and others whose
  // sample is NaN.
  std::uint64_t hiddenCells = 0, nanCells = 0;
  HostBlock samples;        // Sample[slot][BrickCells]
  LeafRanges range;         // of the leaves of the brick, and of those that its dual cells touch
  LeafRanges stitchedRange; // of those that its stitched cells touch

  // The first cell of a brick.
  LevelIndex firstCell(std::size_t slot) const
  {
    LevelIndex cell = this->low;
    for (std::size_t a = 0; a < 3; ++a)
      cell[a] += std::int64_t(BRICK_SIZE) * this->brick[slot][a];
    return cell;
  }

  // The cell from which those of the level count in floats: (0, 0, 0), so that positions do not depend on where a piece
  // of a hierarchy begins. Along an axis on which floats cannot hold the numbers and halves of them, it is `low`.
  LevelIndex originOfFloats() const
  {
    constexpr std::int64_t Most = std::int64_t(1) << 23, PageCells = std::int64_t(BRICK_SIZE) * BRICK_SIZE;
    LevelIndex origin{ 0, 0, 0 };
    for (std::size_t a = 0; a < 3; ++a)
      if (this->low[a] < -Most || this->low[a] + PageCells * std::int64_t(this->table.pages()[a]) > Most)
        origin[a] = this->low[a];
    return origin;
  }

  bool hasBorder() const { return this->domain.beyond[0] != 0; } // see LevelBorder

  // Returns whether a side of a cell is at the border of the domain or beyond it: slopes do not cross it.
  bool endsAt(const LevelIndex& cell, std::size_t axis, bool isLow) const
  {
    const std::int64_t index = this->low[axis] + cell[axis];
    return this->domain.beyond[axis] != 0 &&
           (this->domain.layerOf(axis, index) != 0 || this->domain.layerOf(axis, index + (isLow ? -1 : 1)) != 0);
  }

  template <class Sample>
  const Sample* samplesOf() const
  {
    return reinterpret_cast<const Sample*>(this->samples.data());
  }
};

// The leaves of a hierarchy. Patches have no meaning any more: the same cells in other patches give the same bytes.
struct LevelBricks
{
  SampleType type = SampleType::Float32;
  std::vector<LevelOfBricks> levels; // the coarsest first
  bool isWellNested = true;          // no cell is covered in part
  bool isClosed = false;             // see LevelBorder

  // Cells of level `fine` along each axis of a cell of level `coarse`.
  std::array<std::int64_t, 3> cellsPerCell(std::size_t coarse, std::size_t fine) const
  {
    std::array<std::int64_t, 3> cells{};
    for (std::size_t a = 0; a < 3; ++a)
      cells[a] = this->levels[fine].perCell[a] / this->levels[coarse].perCell[a];
    return cells;
  }

  // The cell of level `coarse` that contains a cell of level `fine`. Cells count from those of their levels.
  LevelIndex parentOf(std::size_t fine, const LevelIndex& cell, std::size_t coarse) const
  {
    const std::array<std::int64_t, 3> cells = this->cellsPerCell(coarse, fine);
    LevelIndex parent{};
    for (std::size_t a = 0; a < 3; ++a)
      parent[a] = floorOfQuotient(this->levels[fine].low[a] + cell[a], cells[a]) - this->levels[coarse].low[a];
    return parent;
  }

  // Returns whether a patch of the level has the cell, or finer cells cover it. Only if the hierarchy is not well
  // nested.
  bool hasCell(std::size_t level, const LevelIndex& cell) const;

  // Returns whether a level finer than `coarse`, up to `fine`, has the cell that contains a cell of `fine`.
  bool hasCellBetween(std::size_t coarse, std::size_t fine, const LevelIndex& cell) const;

  std::size_t brickCount() const;

  // The geometry of a level, in the world, or relative to the centre of the cell (0, 0, 0) of level 0.
  SampleGeometry geometryOf(std::size_t level, bool isRelative) const;
};

// The smallest box of cells of level 0, from low to before high, with all cells that are no duplicates. If there are
// none, both are equal. The levels must be valid.
std::pair<LevelIndex, LevelIndex> domainOf(const Levels& levels);

// Bricks of an earlier hierarchy that differs in samples only.
struct EarlierBricks
{
  std::shared_ptr<const LevelBricks> bricks; // null: there are none
  std::vector<std::uint8_t> isChanged;       // [patch]: 0: it has the same samples
};

// Finds the leaves and copies their samples, on at most so many threads. Samples that did not change are copied from
// earlier bricks, not read from their patches. Throws Unsupported if there is no level, a ratio is 0, or a level is too
// large; OutOfHostMemory.
LevelBricks bricksOf(const Levels& levels, unsigned threads, const EarlierBricks& earlier = {});

}

#endif
