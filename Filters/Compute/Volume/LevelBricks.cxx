// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Volume/LevelBricks.h"

#include "Compute/System/Error.h"
#include "Compute/System/Parallel.h"
#include "Compute/Volume/LevelBlock.h"
#include "Compute/Volume/PatchRows.h"
#include "Compute/Volume/WithType.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <new>
#include <string>
#include <type_traits>
#include <utility>

namespace vmc
{

namespace
{

using Brick = BrickTable::Brick;

constexpr BrickBits NoBits{};
constexpr std::size_t BricksAtOnce = 64; // that a thread handles; each takes about a microsecond

// Throws Unsupported if the description makes no sense, or if numbers of cells would overflow.
void check(const Levels& levels)
{
  constexpr std::size_t MostLevels = 64;
  constexpr std::uint64_t MostCells = 1u << 31;
  const auto refuse = [](const std::string& message) { throw Error(Error::Kind::Unsupported, message); };
  if (levels.ratio.empty() || levels.ratio.size() > MostLevels)
    refuse("The hierarchy has " + std::to_string(levels.ratio.size()) + " levels; it must have 1 to 64.");
  std::array<std::uint64_t, 3> cells = { 1, 1, 1 }; // per cell of level 0
  for (const std::array<std::uint32_t, 3>& ratio : levels.ratio)
  {
    std::uint64_t children = 1;
    for (std::size_t a = 0; a < 3; ++a)
    {
      children = std::min(MostCells, children) * ratio[a];
      cells[a] = std::min(MostCells, cells[a]) * ratio[a];
      if (ratio[a] == 0 || children > MostCells || cells[a] > MostCells)
        refuse("A level of the hierarchy has a ratio of " + std::to_string(ratio[a]) +
               "; it must be at least 1, and cells have at most 2147483648 finer ones.");
    }
  }
  for (const LevelPatch& patch : levels.patches)
    if (patch.level >= levels.ratio.size() || (!patch.samples && patch.cellCount() != 0))
      refuse("A patch is of level " + std::to_string(patch.level) + (patch.samples ? "" : " and has no samples") +
             "; the hierarchy has " + std::to_string(levels.ratio.size()) + " levels.");
}

// A box of cells, from low to before high.
struct Box
{
  LevelIndex low{ 0, 0, 0 }, high{ 0, 0, 0 };

  bool isEmpty() const
  {
    return this->low[0] >= this->high[0] || this->low[1] >= this->high[1] || this->low[2] >= this->high[2];
  }

  Box common(const Box& box) const
  {
    Box inside = *this;
    for (std::size_t a = 0; a < 3; ++a)
    {
      inside.low[a] = std::max(this->low[a], box.low[a]);
      inside.high[a] = std::min(this->high[a], box.high[a]);
    }
    return inside;
  }

  // Grows to contain another box.
  void add(const Box& box)
  {
    if (box.isEmpty())
      return;
    const bool wasEmpty = this->isEmpty();
    for (std::size_t a = 0; a < 3; ++a)
    {
      this->low[a] = wasEmpty ? box.low[a] : std::min(this->low[a], box.low[a]);
      this->high[a] = wasEmpty ? box.high[a] : std::max(this->high[a], box.high[a]);
    }
  }
};

// The cells of a coarser level that contain those of the box. ratio: cells per coarser cell.
Box parentsOf(const Box& box, const std::array<std::uint32_t, 3>& ratio)
{
  Box parents;
  for (std::size_t a = 0; a < 3 && !box.isEmpty(); ++a)
  {
    parents.low[a] = floorOfQuotient(box.low[a], ratio[a]);
    parents.high[a] = floorOfQuotient(box.high[a] - 1, ratio[a]) + 1;
  }
  return parents;
}

// The smallest box with all cells of the patch that are no duplicates.
Box boxOf(const LevelPatch& patch)
{
  Box box{ patch.low, patch.low };
  for (std::size_t a = 0; a < 3; ++a)
    box.high[a] += patch.size[a];
  if (!patch.flags || box.isEmpty())
    return box;
  Box own;
  std::uint64_t cell = 0;
  for (std::int64_t z = box.low[2]; z < box.high[2]; ++z)
    for (std::int64_t y = box.low[1]; y < box.high[1]; ++y)
    {
      std::int64_t first = box.high[0], last = box.low[0] - 1;
      for (std::int64_t x = box.low[0]; x < box.high[0]; ++x, ++cell)
        if (!isDuplicate(patch, cell))
        {
          first = std::min(first, x);
          last = x;
        }
      own.add({ { first, y, z }, { last + 1, y + 1, z + 1 } });
    }
  return own;
}

// The cells of a box that are in the domain, and those beyond it that repeat them.
Box withBorder(const Box& box, const LevelDomain& domain)
{
  Box inside = box.common({ domain.low, domain.high });
  if (inside.isEmpty())
    return {};
  for (std::size_t a = 0; a < 3; ++a)
  {
    inside.low[a] -= inside.low[a] == domain.low[a] ? domain.beyond[a] : 0;
    inside.high[a] += inside.high[a] == domain.high[a] ? domain.beyond[a] : 0;
  }
  return inside;
}

// The cells within two cells of a brick.
Box boxAround(const LevelOfBricks& level, std::size_t slot)
{
  Box box{ level.firstCell(slot), level.firstCell(slot) };
  for (std::size_t a = 0; a < 3; ++a)
  {
    box.low[a] -= 2;
    box.high[a] += BRICK_SIZE + 2;
  }
  return box;
}

// The cells in the domain, and those beyond it that have their values.
Box cellsWithValue(const LevelDomain& domain)
{
  Box box{ domain.low, domain.high };
  for (std::size_t a = 0; a < 3; ++a)
  {
    --box.low[a];
    ++box.high[a];
  }
  return box;
}

// Calls use(brick) for the bricks of a level that contain cells of the box.
template <class Use>
void forBricks(const Box& box, const LevelIndex& low, const Use& use)
{
  if (box.isEmpty())
    return;
  std::array<std::uint32_t, 3> first{}, last{};
  for (std::size_t a = 0; a < 3; ++a)
  {
    first[a] = static_cast<std::uint32_t>((box.low[a] - low[a]) / BRICK_SIZE);
    last[a] = static_cast<std::uint32_t>((box.high[a] - 1 - low[a]) / BRICK_SIZE);
  }
  for (std::uint32_t z = first[2]; z <= last[2]; ++z)
    for (std::uint32_t y = first[1]; y <= last[1]; ++y)
      for (std::uint32_t x = first[0]; x <= last[0]; ++x)
        use(Brick{ x, y, z });
}

// A level while its leaves are found.
struct LevelWork
{
  LevelOfBricks& level;
  Box box{};                                          // of all cells
  std::vector<std::pair<std::uint32_t, Box>> boxes{}; // of the patches of the level, with their numbers, ascending
  // [slot]: the cells that patches have, and those that finer cells cover, wholly and in part.
  std::vector<BrickBits> cells{}, covered{}, partlyCovered{};
  std::vector<std::uint8_t> isNearFiner{}; // [slot]: finer cells lie within two cells of the brick
  std::vector<std::uint8_t> isChanged{};   // [slot]: the samples of one of its patches have changed

  std::size_t slots() const { return this->level.brick.size(); }

  void setBricks(std::vector<Brick> bricks);
};

std::uint64_t orderOf(const Brick& brick)
{
  return (std::uint64_t(brick[2]) * BrickTable::MostBricks + brick[1]) * BrickTable::MostBricks + brick[0];
}

// Sorts the bricks, and lists the patches of each.
void LevelWork::setBricks(std::vector<Brick> bricks)
{
  std::sort(bricks.begin(), bricks.end(), [](const Brick& a, const Brick& b) { return orderOf(a) < orderOf(b); });
  bricks.erase(std::unique(bricks.begin(), bricks.end()), bricks.end());
  this->level.table = BrickTable(bricks);
  this->level.brick = std::move(bricks);
  const auto forPatches = [&](const auto& use)
  {
    for (const auto& [patch, box] : this->boxes)
      forBricks(box, this->level.low,
        [&, number = patch](const Brick& brick)
        {
          if (const std::uint32_t slot = this->level.table.slotOf(brick[0], brick[1], brick[2]); slot != NO_SLOT)
            use(slot, number);
        });
  };
  std::vector<std::size_t>& first = this->level.firstPatch;
  first.assign(this->slots() + 1, 0);
  forPatches([&](std::uint32_t slot, std::uint32_t) { ++first[slot + 1]; });
  for (std::size_t slot = 0; slot < this->slots(); ++slot)
    first[slot + 1] += first[slot];
  this->level.patchOfBrick.resize(first.back());
  std::vector<std::size_t> next = first;
  forPatches([&](std::uint32_t slot, std::uint32_t patch) { this->level.patchOfBrick[next[slot]++] = patch; });
}

// Returns the cells of a row whose samples are no NaN.
template <class Sample>
std::uint32_t validCells(const Sample* row)
{
  std::uint32_t valid = 0xFFu;
  if constexpr (std::is_floating_point_v<Sample>)
    for (std::uint32_t x = 0; x < BRICK_SIZE; ++x)
      valid &= ~(row[x] != row[x] ? 1u << x : 0u);
  return valid;
}

// Returns whether a sample of the brick is NaN, which may be one that is not initialized.
template <class Sample>
bool hasNan(const Sample* samples)
{
  int isNan = 0;
  if constexpr (std::is_floating_point_v<Sample>)
    for (std::size_t i = 0; i < BrickCells; ++i)
      isNan |= samples[i] != samples[i] ? 1 : 0;
  return isNan != 0;
}

// The cells of a row that are not hidden.
std::uint32_t visibleCells(const PatchRow& row)
{
  std::uint32_t visible = row.cells;
  for (std::uint32_t x = 0; row.patch.flags && x < BRICK_SIZE; ++x)
    if ((row.cells >> x & 1u) != 0 && (row.patch.flags[row.cellAt(x)] & LevelFlag::Hidden) != 0)
      visible &= ~(1u << x);
  return visible;
}

// Finds the leaves of all levels.
class LeafFinder
{
public:
  LeafFinder(const Levels& levels, unsigned threads, const EarlierBricks& earlier)
    : Input(levels)
    , Threads(threads)
    , Earlier(earlier)
  {
  }

  LevelBricks run();

private:
  void setGeometry();
  void placeLevels();
  void uniteBoxes();
  void addBorder(const LevelBorder& border);
  void listBricks();
  void findCells();
  void coverLevel(std::size_t coarse);
  void coverBrick(std::size_t coarse, std::size_t slot);
  void addCover(std::size_t coarse, const LevelIndex& first, std::size_t fineSlot,
    std::array<std::uint32_t, BrickCells>& covered, BrickBits& partlyCovered) const;
  bool keepPartlyCoveredLeaves(std::size_t level, std::size_t slot);
  void findFiner(std::size_t level);
  bool hasCellAbove(std::size_t level, std::size_t slot, const LevelIndex& inBrick) const;
  bool isNearValue(std::size_t number, std::size_t slot) const;
  void dropUnusedBricks();
  template <class Sample>
  void allocate(LevelWork& work);
  void findChanged(LevelWork& work) const;
  bool isNearChanged(std::size_t number, std::size_t slot) const;
  void findBeyond(LevelOfBricks& level, std::size_t slot) const;
  template <class Sample>
  void copySamples(std::size_t number, std::size_t slot);
  template <class Sample>
  void classify(std::size_t level, std::size_t slot);

  template <class Use>
  void forSlots(std::size_t level, const Use& use) const
  {
    inParts(this->Works[level].slots(), BricksAtOnce, this->Threads,
      [&](std::size_t begin, std::size_t end)
      {
        for (; begin < end; ++begin)
          use(begin);
      });
  }

  const Levels& Input;
  const unsigned Threads;
  const EarlierBricks& Earlier;
  LevelBricks Output;
  std::vector<LevelWork> Works; // [level]
};

// Finds the steps of the levels.
void LeafFinder::setGeometry()
{
  std::array<std::int64_t, 3> perCell = { 1, 1, 1 };
  for (std::size_t number = 0; number < this->Output.levels.size(); ++number)
  {
    std::array<Vector3, 3> steps = this->Input.steps;
    for (std::size_t a = 0; a < 3; ++a)
    {
      perCell[a] *= this->Input.ratio[number][a];
      for (double& component : steps[a])
        component /= double(perCell[a]);
    }
    LevelOfBricks& level = this->Output.levels[number];
    level.perCell = perCell;
    level.geometry = SampleGeometry(SampleGeometry(this->Input.origin, steps).position({ 0.5, 0.5, 0.5 }), steps);
  }
}

// Finds the boxes of the levels.
void LeafFinder::placeLevels()
{
  for (std::size_t i = 0; i < this->Input.patches.size(); ++i)
    this->Works[this->Input.patches[i].level].boxes.emplace_back(
      static_cast<std::uint32_t>(i), boxOf(this->Input.patches[i]));
  this->uniteBoxes();
  if (this->Input.border)
  {
    this->addBorder(*this->Input.border);
    this->uniteBoxes();
  }
  for (LevelWork& work : this->Works)
    work.level.low = work.box.low;
}

void LeafFinder::uniteBoxes()
{
  for (std::size_t level = this->Works.size(); level-- > 0;)
  {
    LevelWork& work = this->Works[level];
    work.box = {};
    for (const auto& [patch, box] : work.boxes)
      work.box.add(box);
    if (level + 1 < this->Works.size())
      work.box.add(parentsOf(this->Works[level + 1].box, this->Input.ratio[level + 1]));
  }
}

// Finds the domain, and adds the cells beyond it to the boxes of patches.
void LeafFinder::addBorder(const LevelBorder& border)
{
  const Box coarse = border.low == border.high ? this->Works.front().box : Box{ border.low, border.high };
  this->Output.isClosed = border.isClosed;
  for (LevelWork& work : this->Works)
  {
    LevelDomain& domain = work.level.domain;
    for (std::size_t a = 0; a < 3; ++a)
    {
      domain.low[a] = coarse.low[a] * work.level.perCell[a];
      domain.high[a] = coarse.high[a] * work.level.perCell[a];
      domain.beyond[a] = work.level.perCell[a] * (border.isClosed ? 2 : 1);
    }
    for (auto& [patch, box] : work.boxes)
      box = withBorder(box, domain);
  }
}

// A brick has a slot if a patch has cells in it, or if finer bricks lie in it.
void LeafFinder::listBricks()
{
  std::vector<Box> finer; // bricks of the next finer level
  for (std::size_t level = this->Works.size(); level-- > 0;)
  {
    LevelWork& work = this->Works[level];
    for (std::size_t a = 0; a < 3; ++a)
      if (work.box.high[a] - work.box.low[a] > std::int64_t(BrickTable::MostBricks) * BRICK_SIZE)
        throw Error(Error::Kind::Unsupported, "Level " + std::to_string(level) + " has " +
                                                std::to_string(work.box.high[a] - work.box.low[a]) +
                                                " cells along an axis; at most 16777216 are allowed.");
    std::vector<Brick> bricks;
    const auto add = [&](const Brick& brick) { bricks.push_back(brick); };
    for (const auto& [patch, box] : work.boxes)
      forBricks(box, work.level.low, add);
    for (const Box& box : finer)
      forBricks(parentsOf(box, this->Input.ratio[level + 1]), work.level.low, add);
    work.setBricks(std::move(bricks));
    finer.clear();
    for (std::size_t slot = 0; level > 0 && slot < work.slots(); ++slot)
    {
      Box box{ work.level.firstCell(slot), work.level.firstCell(slot) };
      for (std::size_t a = 0; a < 3; ++a)
        box.high[a] = std::min<std::int64_t>(box.low[a] + BRICK_SIZE, work.box.high[a]);
      finer.push_back(box);
    }
  }
}

void LeafFinder::findCells()
{
  for (std::size_t level = 0; level < this->Works.size(); ++level)
  {
    LevelWork& work = this->Works[level];
    work.cells.assign(work.slots(), NoBits);
    this->forSlots(level,
      [&](std::size_t slot)
      {
        forPatchRows(this->Input, work.level, slot,
          [&](const PatchRow& row)
          { work.cells[slot][row.row / BRICK_SIZE] |= std::uint64_t(row.cells) << 8 * (row.row % BRICK_SIZE); });
      });
  }
}

// Finds the cells of a level that finer cells cover. The next finer level must be done.
void LeafFinder::coverLevel(std::size_t coarse)
{
  LevelWork& work = this->Works[coarse];
  work.covered.assign(work.slots(), NoBits);
  work.partlyCovered.assign(work.slots(), NoBits);
  if (coarse + 1 < this->Works.size() && this->Works[coarse + 1].slots() != 0)
    this->forSlots(coarse, [&](std::size_t slot) { this->coverBrick(coarse, slot); });
}

void LeafFinder::coverBrick(std::size_t coarse, std::size_t slot)
{
  LevelWork& work = this->Works[coarse];
  const LevelWork& fine = this->Works[coarse + 1];
  const std::array<std::uint32_t, 3>& ratio = this->Input.ratio[coarse + 1];
  const LevelIndex first = work.level.firstCell(slot);
  Box children;
  for (std::size_t a = 0; a < 3; ++a)
  {
    children.low[a] = std::max(fine.box.low[a], first[a] * ratio[a]);
    children.high[a] = std::min(fine.box.high[a], (first[a] + BRICK_SIZE) * ratio[a]);
  }
  std::array<std::uint32_t, BrickCells> covered{}; // children of each cell that patches have or finer cells cover
  BrickBits& partlyCovered = work.partlyCovered[slot];
  bool hasChildren = false;
  forBricks(children, fine.level.low,
    [&](const Brick& brick)
    {
      const std::uint32_t child = fine.level.table.slotOf(brick[0], brick[1], brick[2]);
      if (child == NO_SLOT)
        return;
      hasChildren = true;
      this->addCover(coarse, first, child, covered, partlyCovered);
    });
  const std::uint32_t all = ratio[0] * ratio[1] * ratio[2];
  for (std::size_t cell = 0; cell < BrickCells && hasChildren; ++cell)
  {
    const std::uint64_t bit = 1ull << cell % BRICK_ROWS;
    if (covered[cell] == all)
      work.covered[slot][cell / BRICK_ROWS] |= bit;
    else if (covered[cell] != 0)
      partlyCovered[cell / BRICK_ROWS] |= bit;
  }
}

// Adds the cells of a brick of the next finer level to their parents in the brick that begins with cell `first`.
void LeafFinder::addCover(std::size_t coarse, const LevelIndex& first, std::size_t fineSlot,
  std::array<std::uint32_t, BrickCells>& covered, BrickBits& partlyCovered) const
{
  const LevelWork& fine = this->Works[coarse + 1];
  const LevelIndex firstChild = fine.level.firstCell(fineSlot);
  std::array<std::array<std::int64_t, BRICK_SIZE>, 3> parent{}; // [axis][cell]: in the brick, if not outside
  for (std::size_t a = 0; a < 3; ++a)
    for (std::int64_t i = 0; i < BRICK_SIZE; ++i)
      parent[a][std::size_t(i)] = floorOfQuotient(firstChild[a] + i, this->Input.ratio[coarse + 1][a]) - first[a];
  const auto isInside = [](std::int64_t i) { return i >= 0 && i < BRICK_SIZE; };
  std::uint64_t common = ~std::uint64_t(0);
  for (std::size_t z = 0; z < BRICK_SIZE; ++z)
    common &= fine.cells[fineSlot][z] | fine.covered[fineSlot][z];
  if (common == ~std::uint64_t(0)) // the whole brick
  {
    std::array<std::array<std::uint32_t, BRICK_SIZE>, 3> children{}; // [axis][cell]
    for (std::size_t a = 0; a < 3; ++a)
      for (const std::int64_t i : parent[a])
        if (isInside(i))
          ++children[a][std::size_t(i)];
    for (std::size_t row = 0; row < BRICK_ROWS; ++row)
      if (const std::uint32_t ofRow = children[1][row % BRICK_SIZE] * children[2][row / BRICK_SIZE]; ofRow != 0)
        for (std::size_t x = 0; x < BRICK_SIZE; ++x)
          covered[row * BRICK_SIZE + x] += children[0][x] * ofRow;
    return;
  }
  for (std::size_t z = 0; z < BRICK_SIZE; ++z)
  {
    const std::uint64_t solid = fine.cells[fineSlot][z] | fine.covered[fineSlot][z],
                        some = fine.partlyCovered[fineSlot][z];
    if ((solid | some) == 0 || !isInside(parent[2][z]))
      continue;
    for (std::size_t cell = 0; cell < BRICK_ROWS; ++cell)
    {
      const std::int64_t x = parent[0][cell % BRICK_SIZE], y = parent[1][cell / BRICK_SIZE];
      if (((solid | some) >> cell & 1u) == 0 || !isInside(x) || !isInside(y))
        continue;
      if ((solid >> cell & 1u) != 0)
        ++covered[numberInBrick(std::size_t(x), std::size_t(y), std::size_t(parent[2][z]))];
      else
        partlyCovered[std::size_t(parent[2][z])] |= 1ull << (8 * y + x);
    }
  }
}

// Returns whether a patch has a coarser cell that contains the cell of a brick.
bool LeafFinder::hasCellAbove(std::size_t level, std::size_t slot, const LevelIndex& inBrick) const
{
  LevelIndex cell = inBrick;
  for (std::size_t a = 0; a < 3; ++a)
    cell[a] += std::int64_t(BRICK_SIZE) * this->Works[level].level.brick[slot][a];
  for (std::size_t coarse = level; coarse-- > 0;)
    if (const LevelWork& work = this->Works[coarse];
        work.level.table.placeOf(this->Output.parentOf(level, cell, coarse)).isIn(work.cells))
      return true;
  return false;
}

// Forgets the cells of a brick that are covered in part but whose rest belongs to no cell. Returns whether others are
// left.
bool LeafFinder::keepPartlyCoveredLeaves(std::size_t level, std::size_t slot)
{
  LevelWork& work = this->Works[level];
  bool isLeft = false;
  for (std::size_t z = 0; z < BRICK_SIZE; ++z)
  {
    std::uint64_t& bits = work.partlyCovered[slot][z];
    for (std::uint64_t rest = bits & ~work.cells[slot][z]; rest != 0; rest &= rest - 1)
    {
      const int cell = __builtin_ctzll(rest);
      if (!this->hasCellAbove(level, slot, { cell % BRICK_SIZE, cell / BRICK_SIZE, std::int64_t(z) }))
        bits &= ~(1ull << cell);
    }
    isLeft = isLeft || bits != 0;
  }
  return isLeft;
}

// Returns whether the bits of a brick or of one around it are set.
bool hasBits(const SlotsAround& around, const std::vector<BrickBits>& bits)
{
  return std::any_of(around.slot.begin(), around.slot.end(),
    [&](std::uint32_t slot) { return slot != NO_SLOT && bits[slot] != NoBits; });
}

// Finds the bricks that have finer cells within two cells of them.
void LeafFinder::findFiner(std::size_t level)
{
  LevelWork& work = this->Works[level];
  work.isNearFiner.assign(work.slots(), 0);
  if (level + 1 == this->Works.size())
    return;
  this->forSlots(level,
    [&](std::size_t slot)
    {
      const SlotsAround around(work.level, slot);
      for (const std::vector<BrickBits>* const bits : { &work.covered, &work.partlyCovered })
      {
        if (!hasBits(around, *bits))
          continue;
        for (const std::uint16_t row : gatherBits<2, 2>(around, *bits))
          if (row != 0)
            work.isNearFiner[slot] = 1;
      }
    });
}

// Returns whether cells within two cells of a brick, or coarser ones there, may have a value. Far beyond the border, no
// triangle depends on the cells.
bool LeafFinder::isNearValue(std::size_t number, std::size_t slot) const
{
  Box box = boxAround(this->Works[number].level, slot);
  if (!box.common(cellsWithValue(this->Works[number].level.domain)).isEmpty())
    return true;
  for (std::size_t coarse = number; coarse-- > 0;)
  {
    box = parentsOf(box, this->Input.ratio[coarse + 1]);
    const LevelWork& work = this->Works[coarse];
    const Box inside = box.common(cellsWithValue(work.level.domain)).common(work.box);
    for (std::int64_t z = inside.low[2]; z < inside.high[2]; ++z)
      for (std::int64_t y = inside.low[1]; y < inside.high[1]; ++y)
        for (std::int64_t x = inside.low[0]; x < inside.high[0]; ++x)
        {
          const LevelIndex& low = work.level.low;
          const CellPlace place = work.level.table.placeOf({ x - low[0], y - low[1], z - low[2] });
          if (place.isIn(work.cells) && !place.isIn(work.covered))
            return true;
        }
  }
  return false;
}

// Keeps the bricks with a leaf that a triangle may depend on.
void LeafFinder::dropUnusedBricks()
{
  for (std::size_t level = 0; level < this->Works.size(); ++level)
  {
    LevelWork& work = this->Works[level];
    std::vector<Brick> kept;
    std::vector<BrickBits> cells, covered;
    std::vector<std::uint8_t> isNearFiner;
    for (std::size_t slot = 0; slot < work.slots(); ++slot)
    {
      bool hasLeaf = false;
      for (std::size_t z = 0; z < BRICK_SIZE; ++z)
        hasLeaf |= (work.cells[slot][z] & ~work.covered[slot][z]) != 0;
      if (!hasLeaf || (this->Input.border && !this->isNearValue(level, slot)))
        continue;
      kept.push_back(work.level.brick[slot]);
      cells.push_back(work.cells[slot]);
      covered.push_back(work.covered[slot]);
      isNearFiner.push_back(work.isNearFiner[slot]);
    }
    if (kept.size() == work.slots())
      continue;
    work.setBricks(std::move(kept));
    work.cells = std::move(cells);
    work.covered = std::move(covered);
    work.isNearFiner = std::move(isNearFiner);
  }
}

// Finds the bricks that have patches with changed samples.
void LeafFinder::findChanged(LevelWork& work) const
{
  work.isChanged.assign(work.slots(), this->Earlier.bricks ? 0 : 1);
  for (std::size_t slot = 0; this->Earlier.bricks && slot < work.slots(); ++slot)
    for (std::size_t i = work.level.firstPatch[slot]; i < work.level.firstPatch[slot + 1]; ++i)
      work.isChanged[slot] |= this->Earlier.isChanged[work.level.patchOfBrick[i]];
}

// Returns whether samples have changed in bricks with cells that are within two cells of the brick, or with coarser
// cells that contain such cells. If not, its kind and its ranges are those of the earlier brick.
bool LeafFinder::isNearChanged(std::size_t number, std::size_t slot) const
{
  Box box = boxAround(this->Works[number].level, slot);
  bool isChanged = !this->Earlier.bricks;
  for (std::size_t coarse = number + 1; coarse-- > 0 && !isChanged;)
  {
    const LevelWork& work = this->Works[coarse];
    forBricks(work.box.common(box), work.level.low,
      [&](const Brick& brick)
      {
        const std::uint32_t near = work.level.table.slotOf(brick[0], brick[1], brick[2]);
        isChanged = isChanged || (near != NO_SLOT && work.isChanged[near] != 0);
      });
    box = parentsOf(box, this->Input.ratio[coarse]);
  }
  return isChanged;
}

// Finds the cells of a brick that are beyond the domain.
void LeafFinder::findBeyond(LevelOfBricks& level, std::size_t slot) const
{
  const LevelIndex first = level.firstCell(slot);
  bool isInDomain = true;
  for (std::size_t a = 0; a < 3; ++a)
    isInDomain =
      isInDomain && level.domain.layerOf(a, first[a]) == 0 && level.domain.layerOf(a, first[a] + BRICK_SIZE - 1) == 0;
  for (std::size_t cell = 0; !isInDomain && cell < BrickCells; ++cell)
  {
    const std::array<std::size_t, 3> at = { cell % BRICK_SIZE, cell / BRICK_SIZE % BRICK_SIZE, cell / BRICK_ROWS };
    std::int64_t layer = 0;
    for (std::size_t a = 0; a < 3; ++a)
      layer = std::max(layer, level.domain.layerOf(a, first[a] + std::int64_t(at[a])));
    const std::uint64_t bit = std::uint64_t(1) << cell % BRICK_ROWS;
    if (layer > 0)
      level.beyond[slot][at[2]] |= bit;
    if (layer > 1 && this->Output.isClosed)
      level.outside[slot][at[2]] |= bit;
    else if (layer > 1)
      level.leaf[slot][at[2]] &= ~bit;
  }
}

template <class Sample>
void LeafFinder::copySamples(std::size_t number, std::size_t slot)
{
  LevelWork& work = this->Works[number];
  auto* const samples = reinterpret_cast<Sample*>(work.level.samples.data()) + slot * BrickCells;
  BrickBits& leaf = work.level.leaf[slot];
  const bool isRead = work.isChanged[slot] != 0;
  if (!isRead)
    std::copy_n(
      this->Earlier.bricks->levels[number].samplesOf<Sample>() + slot * BrickCells, std::size_t(BrickCells), samples);
  forPatchRows(this->Input, work.level, slot,
    [&](const PatchRow& row)
    {
      if (isRead)
        row.copy(row.patch.samples, sizeof(Sample), reinterpret_cast<std::byte*>(samples + row.row * BRICK_SIZE));
      leaf[row.row / BRICK_SIZE] |= std::uint64_t(visibleCells(row)) << 8 * (row.row % BRICK_SIZE);
      if (!row.patch.isOwned)
        work.level.notOwned[slot][row.row / BRICK_SIZE] |= std::uint64_t(row.cells) << 8 * (row.row % BRICK_SIZE);
    });
  const BrickBits visible = leaf;
  if (this->Input.border)
    this->findBeyond(work.level, slot);
  if (hasNan(samples))
    for (std::size_t row = 0; row < BRICK_ROWS; ++row)
      leaf[row / BRICK_SIZE] &=
        ~(std::uint64_t(0xFFu & ~validCells(samples + row * BRICK_SIZE)) << 8 * (row % BRICK_SIZE));
  std::uint64_t hidden = 0, nan = 0;
  for (std::size_t z = 0; z < BRICK_SIZE; ++z)
  {
    const std::uint64_t uncovered = ~work.covered[slot][z];
    std::uint64_t own = uncovered;
    for (const std::vector<BrickBits>* const other : { &work.level.notOwned, &work.level.beyond })
      own &= other->empty() ? own : ~(*other)[slot][z];
    hidden += std::uint64_t(__builtin_popcountll(work.cells[slot][z] & ~visible[z] & own));
    nan += std::uint64_t(__builtin_popcountll(visible[z] & ~leaf[z] & own));
    leaf[z] &= uncovered;
    if (this->Output.isClosed)
      work.level.outside[slot][z] &= leaf[z];
    if (!this->Output.isWellNested)
      work.level.hiding[slot][z] = (work.cells[slot][z] & ~leaf[z]) | work.covered[slot][z];
  }
  if (hidden != 0)
    __atomic_fetch_add(&work.level.hiddenCells, hidden, __ATOMIC_RELAXED);
  if (nan != 0)
    __atomic_fetch_add(&work.level.nanCells, nan, __ATOMIC_RELAXED);
}

// Returns whether all cells from one before the brick to two beyond it are leaves of this piece in the domain, and none
// is covered in part.
bool isPlain(const LevelOfBricks& level, const SlotsAround& around)
{
  constexpr std::uint32_t All = (1u << (BRICK_SIZE + 3)) - 1;
  const auto areAll = [&](const std::vector<BrickBits>& bits, std::uint32_t row)
  {
    const CubeBits<1, 2> rows = gatherBits<1, 2>(around, bits);
    return std::all_of(rows.begin(), rows.end(), [=](std::uint16_t bitsOfRow) { return bitsOfRow == row; });
  };
  const auto hasNone = [&](const std::vector<BrickBits>& bits) { return bits.empty() || areAll(bits, 0); };
  return areAll(level.leaf, All) && hasNone(level.partlyCovered) && hasNone(level.notOwned) && hasNone(level.beyond);
}

// The smallest and the largest of some samples.
template <class Sample>
class SampleLimits
{
public:
  SampleLimits()
  {
    constexpr bool IsFloat = std::is_floating_point_v<Sample>;
    using Limits = std::numeric_limits<Sample>;
    for (Vector& smallest : this->Smallest)
      smallest = Vector{} + (IsFloat ? Limits::infinity() : Limits::max());
    for (Vector& largest : this->Largest)
      largest = Vector{} + (IsFloat ? -Limits::infinity() : Limits::lowest());
  }

  // Adds BRICK_SIZE samples or more.
  void add(const Sample* samples, std::size_t count)
  {
    for (std::size_t i = 0; i + BRICK_SIZE < count; i += BRICK_SIZE)
      this->addBrickRow(samples + i);
    this->addBrickRow(samples + count - BRICK_SIZE);
  }

  // Adds the samples of a block whose bits are set.
  void add(const BlockBits& bits, const std::array<Sample, BlockPositions>& samples)
  {
    constexpr std::uint32_t All = (1u << BlockSize) - 1, ButFirst = All & ~1u; // which plain dual cells touch
    for (std::size_t row = 0; row < BlockRows; ++row)
    {
      const Sample* const first = samples.data() + row * BlockSize;
      if (bits[row] == All || bits[row] == ButFirst)
      {
        this->addBrickRow(first + (bits[row] == All ? 0 : 1));
        this->addBrickRow(first + BlockSize - BRICK_SIZE);
        continue;
      }
      for (std::uint32_t left = bits[row]; left != 0; left &= left - 1)
        this->add(Vector{} + first[__builtin_ctz(left)], 0);
    }
  }

  void store(LeafRanges& ranges, std::size_t slot) const
  {
    Sample smallest = this->Smallest[0][0], largest = this->Largest[0][0];
    for (std::size_t i = 0; i < BRICK_SIZE; ++i)
    {
      smallest = std::min<Sample>(smallest, this->Smallest[i / Lanes][i % Lanes]);
      largest = std::max<Sample>(largest, this->Largest[i / Lanes][i % Lanes]);
    }
    reinterpret_cast<Sample*>(ranges.smallest.data())[slot] = smallest;
    reinterpret_cast<Sample*>(ranges.largest.data())[slot] = largest;
  }

private:
  static constexpr std::size_t Lanes = std::min<std::size_t>(16 / sizeof(Sample), BRICK_SIZE);
  using Vector [[gnu::vector_size(Lanes * sizeof(Sample))]] = Sample;

  void addBrickRow(const Sample* samples)
  {
    for (std::size_t i = 0; i < BRICK_SIZE / Lanes; ++i)
    {
      Vector vector;
      std::memcpy(&vector, samples + i * Lanes, sizeof(vector));
      this->add(vector, i);
    }
  }

  void add(const Vector& vector, std::size_t i)
  {
    this->Smallest[i] = vector < this->Smallest[i] ? vector : this->Smallest[i];
    this->Largest[i] = vector > this->Largest[i] ? vector : this->Largest[i];
  }

  Vector Smallest[BRICK_SIZE / Lanes], Largest[BRICK_SIZE / Lanes];
};

// The positions that stitched cells of a block touch.
BlockBits touchedByStitched(const LevelBlock& block)
{
  BlockBits touched{};
  for (std::size_t z = 0; z < BRICK_SAMPLES; ++z)
    for (std::size_t y = 0; y < BRICK_SAMPLES; ++y)
    {
      const std::size_t row = z * BlockSize + y;
      std::uint32_t has = ~0u, whole = ~0u;
      const std::array<std::size_t, 4> rows = { row, row + 1, row + BlockSize, row + BlockSize + 1 };
      for (const std::size_t i : rows)
      {
        has &= block.hasLeaf[i];
        whole &= static_cast<std::uint32_t>(block.isLeaf[i] & ~block.isPartlyCovered[i]);
      }
      const std::uint32_t cells = has & has >> 1 & ~(whole & whole >> 1);
      for (const std::size_t i : rows)
        touched[i] |= static_cast<std::uint16_t>(cells | cells << 1);
    }
  return touched;
}

// Finds the kind and the ranges of a brick.
template <class Sample>
void LeafFinder::classify(std::size_t number, std::size_t slot)
{
  LevelOfBricks& level = this->Output.levels[number];
  if (!this->isNearChanged(number, slot))
  {
    const LevelOfBricks& earlier = this->Earlier.bricks->levels[number];
    level.kind[slot] = earlier.kind[slot];
    level.range.copy<Sample>(earlier.range, slot);
    level.stitchedRange.copy<Sample>(earlier.stitchedRange, slot);
    return;
  }
  SampleLimits<Sample> limits, stitched;
  const auto setOutside = [=](LeafRanges& range, const LevelBlock& block, const BlockBits& touched)
  {
    for (std::size_t row = 0; !range.hasOutside.empty() && row < BlockRows; ++row)
      range.hasOutside[slot] |= (block.isOutside[row] & touched[row]) != 0 ? 1 : 0;
  };
  const SlotsAround around(level, slot);
  if (isPlain(level, around))
  {
    level.kind[slot] = BrickKind::Plain;
    std::array<Sample, std::size_t(BRICK_SAMPLES) * BRICK_SAMPLE_ROWS> samples;
    gatherCells<0, 1>(around, level.samplesOf<Sample>(), samples.data());
    limits.add(samples.data(), samples.size());
  }
  else
  {
    const LevelBlock block(this->Output, number, around, true);
    const std::array<Sample, BlockPositions> samples = block.samples<Sample>();
    const bool isStitched = block.hasCoarse() || block.hasPartlyCovered;
    level.kind[slot] = isStitched                                   ? BrickKind::Stitched
                       : this->Works[number].isNearFiner[slot] != 0 ? BrickKind::Masked
                                                                    : BrickKind::Bordered;
    BlockBits touched = block.hasLeaf;
    for (std::size_t row = 0; row < BlockRows && !isStitched; ++row) // others touch the cells before the brick
      touched[row] &= static_cast<std::uint16_t>(row < BlockSize || row % BlockSize == 0 ? 0 : ~1u);
    limits.add(touched, samples);
    setOutside(level.range, block, touched);
    if (isStitched)
    {
      touched = touchedByStitched(block);
      stitched.add(touched, samples);
      setOutside(level.stitchedRange, block, touched);
    }
  }
  limits.store(level.range, slot);
  stitched.store(level.stitchedRange, slot);
}

// Allocates what copySamples and classify fill.
template <class Sample>
void LeafFinder::allocate(LevelWork& work)
{
  work.level.leaf.assign(work.slots(), NoBits);
  work.level.kind.resize(work.slots());
  for (LeafRanges* const ranges : { &work.level.range, &work.level.stitchedRange })
    for (std::vector<std::byte>* const bounds : { &ranges->smallest, &ranges->largest })
      bounds->resize(work.slots() * sizeof(Sample));
  work.level.samples = HostBlock(work.slots() * BrickCells * sizeof(Sample));
  if (std::any_of(
        this->Input.patches.begin(), this->Input.patches.end(), [](const LevelPatch& patch) { return !patch.isOwned; }))
    work.level.notOwned.assign(work.slots(), NoBits);
  if (this->Input.border)
    work.level.beyond.assign(work.slots(), NoBits);
  if (this->Output.isClosed)
  {
    work.level.outside.assign(work.slots(), NoBits);
    for (LeafRanges* const ranges : { &work.level.range, &work.level.stitchedRange })
      ranges->hasOutside.assign(work.slots(), 0);
  }
  if (!this->Output.isWellNested)
  {
    work.level.hiding.resize(work.slots());
    work.level.partlyCovered = std::move(work.partlyCovered);
  }
}

LevelBricks LeafFinder::run()
{
  this->Output.type = this->Input.type;
  this->Output.levels.resize(this->Input.ratio.size());
  for (LevelOfBricks& level : this->Output.levels)
    this->Works.push_back({ level });
  this->setGeometry();
  this->placeLevels();
  this->listBricks();
  this->findCells();
  for (std::size_t level = this->Works.size(); level-- > 0;)
    this->coverLevel(level);
  for (std::size_t level = 0; level < this->Works.size(); ++level)
  {
    this->findFiner(level);
    for (std::size_t slot = 0; slot < this->Works[level].slots(); ++slot)
      this->Output.isWellNested = !this->keepPartlyCoveredLeaves(level, slot) && this->Output.isWellNested;
  }
  if (this->Output.isWellNested)
    this->dropUnusedBricks();
  for (std::size_t level = 1; level < this->Works.size(); ++level)
    this->Output.levels[level].firstBrick = this->Output.levels[level - 1].firstBrick + this->Works[level - 1].slots();
  withType(this->Input.type,
    [&](auto zero)
    {
      using Sample = decltype(zero);
      for (std::size_t level = 0; level < this->Works.size(); ++level)
      {
        this->allocate<Sample>(this->Works[level]);
        this->findChanged(this->Works[level]);
        this->forSlots(level, [&](std::size_t slot) { this->copySamples<Sample>(level, slot); });
      }
      for (std::size_t level = 0; level < this->Works.size(); ++level)
        this->forSlots(level, [&](std::size_t slot) { this->classify<Sample>(level, slot); });
    });
  return std::move(this->Output);
}

}

BrickTable::BrickTable(const std::vector<Brick>& bricks)
{
  for (const Brick& brick : bricks)
    for (std::size_t a = 0; a < 3; ++a)
      this->Pages[a] = std::max<std::uint64_t>(this->Pages[a], (brick[a] >> Shift) + 1);
  constexpr std::uint64_t MostPages = 1u << 28;                                 // 1 GiB
  const std::uint64_t pages = this->Pages[0] * this->Pages[1] * this->Pages[2]; // at most 2^54
  if (pages > MostPages || bricks.size() > NO_SLOT / PageBricks)
    throw Error(Error::Kind::Unsupported,
      "A level of the hierarchy has " + std::to_string(bricks.size()) + " bricks in a box of " + std::to_string(pages) +
        " x 512 bricks; at most " + std::to_string(NO_SLOT / PageBricks) + " bricks in 268435456 x 512 are allowed.");
  this->PageOf.assign(pages, NO_SLOT);
  for (std::size_t slot = 0; slot < bricks.size(); ++slot)
  {
    const Brick& brick = bricks[slot];
    std::uint32_t& page =
      this->PageOf[((brick[2] >> Shift) * this->Pages[1] + (brick[1] >> Shift)) * this->Pages[0] + (brick[0] >> Shift)];
    if (page == NO_SLOT)
    {
      page = static_cast<std::uint32_t>(this->SlotOf.size());
      this->SlotOf.resize(this->SlotOf.size() + PageBricks, NO_SLOT);
    }
    this->SlotOf[page + numberInPage(brick[0], brick[1], brick[2])] = static_cast<std::uint32_t>(slot);
  }
}

bool LevelBricks::hasCell(std::size_t level, const LevelIndex& cell) const
{
  const CellPlace place = this->levels[level].table.placeOf(cell);
  return place.isIn(this->levels[level].leaf) || place.isIn(this->levels[level].hiding);
}

bool LevelBricks::hasCellBetween(std::size_t coarse, std::size_t fine, const LevelIndex& cell) const
{
  for (std::size_t level = coarse + 1; level <= fine; ++level)
    if (this->hasCell(level, this->parentOf(fine, cell, level)))
      return true;
  return false;
}

std::size_t LevelBricks::brickCount() const
{
  std::size_t bricks = 0;
  for (const LevelOfBricks& level : this->levels)
    bricks += level.brick.size();
  return bricks;
}

SampleGeometry LevelBricks::geometryOf(std::size_t level, bool isRelative) const
{
  SampleGeometry geometry = this->levels[level].geometry;
  if (!isRelative)
    return geometry;
  Vector3 zero{}; // the difference of two positions in the world would be rounded
  for (std::size_t a = 0; a < 3; ++a)
    for (std::size_t c = 0; c < 3; ++c)
      zero[c] += (geometry.step(a)[c] - this->levels.front().geometry.step(a)[c]) / 2;
  geometry.setOrigin(zero);
  return geometry;
}

std::pair<LevelIndex, LevelIndex> domainOf(const Levels& levels)
{
  std::vector<Box> boxes(levels.ratio.size());
  for (const LevelPatch& patch : levels.patches)
    boxes[patch.level].add(boxOf(patch));
  for (std::size_t level = boxes.size() - 1; level > 0; --level)
    boxes[level - 1].add(parentsOf(boxes[level], levels.ratio[level]));
  return { boxes.front().low, boxes.front().high };
}

LevelBricks bricksOf(const Levels& levels, unsigned threads, const EarlierBricks& earlier)
try
{
  check(levels);
  return LeafFinder(levels, std::max(threads, 1u), earlier).run();
}
catch (const std::bad_alloc&)
{
  throw Error(Error::Kind::OutOfHostMemory,
    "The host has no memory for the bricks of " + std::to_string(levels.patches.size()) + " patches.");
}

}
