// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Support/RandomLevels.h"

#include "Support/AnalyticVolumes.h"
#include "Support/Dice.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace vmc::test
{

namespace
{

using reference::LevelCell;
using reference::LevelIndex;
using reference::LevelPatch;
using reference::Levels;
using reference::Vector;

// A box of cells, from low to before high.
struct Box
{
  LevelIndex low{ 0, 0, 0 }, high{ 0, 0, 0 };

  std::int64_t count() const
  {
    return (this->high[0] - this->low[0]) * (this->high[1] - this->low[1]) * (this->high[2] - this->low[2]);
  }
  bool contains(const LevelIndex& cell) const
  {
    for (std::size_t a = 0; a < 3; ++a)
      if (cell[a] < this->low[a] || cell[a] >= this->high[a])
        return false;
    return true;
  }
  bool touches(const Box& other) const // shares a cell
  {
    for (std::size_t a = 0; a < 3; ++a)
      if (this->low[a] >= other.high[a] || other.low[a] >= this->high[a])
        return false;
    return true;
  }
};

Box refined(const Box& box, const LevelIndex& ratio)
{
  Box fine;
  for (std::size_t a = 0; a < 3; ++a)
  {
    fine.low[a] = box.low[a] * ratio[a];
    fine.high[a] = box.high[a] * ratio[a];
  }
  return fine;
}

// Cuts a box into at most 2^depth boxes.
void cut(const Box& box, int depth, Dice& dice, std::vector<Box>& parts)
{
  const auto axis = static_cast<std::size_t>(dice.between(0, 2));
  const std::int64_t size = box.high[axis] - box.low[axis];
  if (depth == 0 || size < 2 || dice.chance(0.3))
  {
    parts.push_back(box);
    return;
  }
  Box low = box, high = box;
  low.high[axis] = high.low[axis] = box.low[axis] + dice.between(1, size - 1);
  cut(low, depth - 1, dice, parts);
  cut(high, depth - 1, dice, parts);
}

// Makes the hierarchy of one seed.
class LevelMaker
{
public:
  explicit LevelMaker(std::uint64_t seed)
    : Random(seed)
    , Seed(seed)
  {
    this->Made.mayBeMisNested = seed % 4 == 3;
    this->chooseRatios();
    this->chooseField();
    this->chooseGeometry();
    this->makeDomain();
    for (std::size_t level = 1; level < this->levels().ratio.size(); ++level)
      for (std::int64_t regions = this->Random.between(1, 3); regions > 0; --regions)
        this->makeRegion(level);
    this->removePatches();
    this->Made.levels = shuffled(std::move(this->Made.levels), seed);
  }

  RandomLevels Made;

private:
  static constexpr std::int64_t LargestRegion = 350; // cells, so that a hierarchy has some thousand

  Levels& levels() { return this->Made.levels; }

  void chooseRatios()
  {
    const std::int64_t count = this->Random.between(1, 4), kind = this->Random.between(0, 2);
    const std::int64_t same = this->Random.between(2, 4); // kind 0: one ratio; 1: one per level; 2: one per axis
    this->levels().ratio.push_back({ 1, 1, 1 });
    for (std::int64_t level = 1; level < count; ++level)
    {
      const std::int64_t ofLevel = kind == 0 ? same : this->Random.between(2, 4);
      LevelIndex ratio = { ofLevel, ofLevel, ofLevel };
      if (kind == 2)
        for (std::int64_t& along : ratio)
          along = this->Random.between(2, 4);
      this->levels().ratio.push_back(ratio);
    }
  }

  void chooseField()
  {
    this->Made.field = static_cast<LevelField>(this->Random.between(0, 3));
    for (double& slope : this->Made.slope)
      slope = this->Random.uniform(-1, 1);
    for (Point& center : this->Centers)
      for (double& coordinate : center)
        coordinate = this->Random.uniform(0, 6);
    this->Period = this->Random.uniform(3, 6);
    this->Noise = noise(this->Seed);
    this->TakesFewValues = this->Random.chance(0.3);
    this->HoleChance = this->Random.chance(0.3) ? 0.01 : 0;
  }

  void chooseGeometry()
  {
    if (this->Random.chance(0.5))
      for (double& coordinate : this->levels().origin)
        coordinate = this->Random.uniform(-1e6, 1e6);
    const double angle = this->Random.chance(0.5) ? this->Random.uniform(0, 6) : 0;
    const double c = std::cos(angle), s = std::sin(angle);
    // Two rotations by the same angle, about x and then about z.
    this->levels().steps = { { { c, s, 0 }, { -s * c, c * c, s }, { s * s, -c * s, c } } };
    for (Vector& step : this->levels().steps)
    {
      const double length = this->Random.chance(0.5) ? this->Random.uniform(0.05, 5) : 1;
      for (double& coordinate : step)
        coordinate *= length;
    }
    if (this->Random.chance(0.4))
      for (double& coordinate : this->levels().steps[static_cast<std::size_t>(this->Random.between(0, 2))])
        coordinate = -coordinate;
  }

  // A number in [0, 1) that depends on the cell and on the purpose alone, so that patches agree.
  double randomOf(const LevelCell& cell, int purpose) const
  {
    return this->Noise.value({ double(cell.index[0]) + 1000, double(cell.index[1]) + 1000,
      double(cell.index[2]) + 1000 + 10000 * double(cell.level) + 100000 * purpose });
  }

  double valueOf(const LevelCell& cell) const
  {
    const Point p = this->Made.levels.centerOf(cell);
    double largest = -std::numeric_limits<double>::infinity();
    switch (this->Made.field)
    {
      case LevelField::Linear:
        return this->Made.slope[0] * p[0] + this->Made.slope[1] * p[1] + this->Made.slope[2] * p[2];
      case LevelField::Spheres:
        for (const Point& center : this->Centers)
          largest = std::max(largest, sphere(this->shifted(center), 1.6).value(p));
        return largest;
      case LevelField::Gyroid:
        return gyroid(this->Period).value(p);
      default:
        return this->TakesFewValues ? std::floor(4 * this->randomOf(cell, 0)) : 4 * this->randomOf(cell, 0);
    }
  }

  // The centres of spheres count from the first cell of the domain.
  Point shifted(const Point& center) const
  {
    return { center[0] + double(this->Domain.low[0]), center[1] + double(this->Domain.low[1]),
      center[2] + double(this->Domain.low[2]) };
  }

  // Adds a patch of a box, in which the cells outside `own` are duplicates with wrong values.
  void addPatch(std::size_t level, const Box& box, const Box& own)
  {
    LevelPatch patch;
    patch.level = level;
    patch.low = box.low;
    for (std::size_t a = 0; a < 3; ++a)
      patch.size[a] = box.high[a] - box.low[a];
    for (std::int64_t i = 0; i < patch.count(); ++i)
    {
      const LevelCell cell = { level, patch.cellAt(i) };
      const bool isOwn = own.contains(cell.index);
      const bool isNan = this->randomOf(cell, 1) < this->HoleChance;
      const bool isHidden = this->randomOf(cell, 2) < this->HoleChance;
      const double wrong = this->Random.uniform(-2, 2);
      patch.samples.push_back(!isOwn ? wrong : isNan ? std::numeric_limits<double>::quiet_NaN() : this->valueOf(cell));
      patch.flags.push_back(
        std::uint8_t((isOwn ? 0 : reference::LevelFlag::Duplicate) | (isHidden ? reference::LevelFlag::Hidden : 0)));
    }
    if (std::all_of(patch.flags.begin(), patch.flags.end(), [](std::uint8_t flags) { return flags == 0; }))
      patch.flags.clear();
    this->levels().patches.push_back(patch);
    this->Owned.push_back(own);
    this->Region.push_back(this->Regions);
  }

  // Cuts a region into patches. Some of them overlap others in the region, some have duplicate layers around them.
  void addRegion(std::size_t level, const Box& region)
  {
    ++this->Regions;
    std::vector<Box> parts;
    cut(region, static_cast<int>(this->Random.between(0, 3)), this->Random, parts);
    for (Box own : parts)
    {
      const std::int64_t overlap = this->Random.chance(0.2) ? this->Random.between(1, 2) : 0;
      const std::int64_t layers = this->Random.chance(0.3) ? this->Random.between(1, 2) : 0;
      for (std::size_t a = 0; a < 3; ++a)
        own = this->grown(own, region, a, overlap);
      Box box = own;
      for (std::size_t a = 0; a < 3; ++a)
      {
        box.low[a] -= layers;
        box.high[a] += layers;
      }
      this->addPatch(level, box, own);
    }
  }

  // The box with `cells` more on both sides along an axis, as far as they are in the limits.
  static Box grown(Box box, const Box& limits, std::size_t axis, std::int64_t cells)
  {
    box.low[axis] = std::max(limits.low[axis], box.low[axis] - cells);
    box.high[axis] = std::min(limits.high[axis], box.high[axis] + cells);
    return box;
  }

  void makeDomain()
  {
    for (std::size_t a = 0; a < 3; ++a)
    {
      this->Domain.low[a] = this->Random.between(-8, 8);
      this->Domain.high[a] = this->Domain.low[a] + this->Random.between(3, 8);
    }
    Vector middle{};
    for (std::size_t a = 0; a < 3; ++a)
      middle[a] = double(this->Domain.low[a] + this->Domain.high[a]) / 2 + this->Random.uniform(-0.5, 0.5);
    const Vector& slope = this->Made.slope;
    this->Made.isovalue =
      this->Made.field == LevelField::Linear  ? slope[0] * middle[0] + slope[1] * middle[1] + slope[2] * middle[2]
      : this->Made.field == LevelField::Noise ? (this->TakesFewValues ? 2 : this->Random.uniform(1, 3))
                                              : this->Random.uniform(-0.2, 0.2);
    this->addRegion(0, this->Domain);
  }

  // Refines a part of a patch of the next coarser level, or now and then of the one before it.
  void makeRegion(std::size_t level)
  {
    const std::size_t parentLevel =
      level > 1 && this->Random.chance(0.3) && this->canJumpTo(level) ? level - 2 : level - 1;
    std::vector<Box> parents;
    for (std::size_t i = 0; i < this->Owned.size(); ++i)
      if (this->levels().patches[i].level == parentLevel)
        parents.push_back(this->Owned[i]);
    if (parents.empty())
      return;
    const Box& parent = parents[static_cast<std::size_t>(this->Random.between(0, std::int64_t(parents.size()) - 1))];
    const LevelIndex ratio = this->levels().cellsPerCell(parentLevel, level);
    Box region = refined(this->partOf(parent, LargestRegion / (ratio[0] * ratio[1] * ratio[2])), ratio);
    if (this->Made.mayBeMisNested)
      this->trim(region, ratio);
    this->addRegion(level, region);
  }

  // Returns whether a cell two levels coarser has few enough cells of this level.
  bool canJumpTo(std::size_t level) const
  {
    const LevelIndex ratio = this->Made.levels.cellsPerCell(level - 2, level);
    return ratio[0] * ratio[1] * ratio[2] < 3 * LargestRegion;
  }

  // A random box in a box, of at most so many cells, or one.
  Box partOf(const Box& whole, std::int64_t mostCells)
  {
    Box part = whole;
    const std::int64_t firstAxis = this->Random.between(0, 2);
    for (std::int64_t i = 0; i < 3; ++i)
    {
      const auto a = static_cast<std::size_t>((firstAxis + i) % 3);
      const std::int64_t all = whole.high[a] - whole.low[a];
      const std::int64_t size = this->Random.between(1, std::clamp<std::int64_t>(mostCells, 1, all));
      part.low[a] = whole.low[a] + this->Random.between(0, all - size);
      part.high[a] = part.low[a] + size;
      mostCells /= size;
    }
    return part;
  }

  // Takes away layers of cells on some sides, fewer than a coarse cell has.
  void trim(Box& region, const LevelIndex& ratio)
  {
    for (std::size_t a = 0; a < 3; ++a)
    {
      region.low[a] += this->Random.chance(0.3) ? this->Random.between(0, ratio[a] / 2) : 0;
      region.high[a] -= this->Random.chance(0.3) ? this->Random.between(0, (ratio[a] - 1) / 2) : 0;
      region.high[a] = std::max(region.high[a], region.low[a] + 1);
    }
  }

  // Now and then, removes a patch of level 0, or all patches of a region that has no finer patches in it. If the
  // hierarchy may be mis-nested, removes any patch instead.
  void removePatches()
  {
    std::vector<LevelPatch>& patches = this->levels().patches;
    if (patches.size() < 2 || !this->Random.chance(0.4))
      return;
    const auto number = static_cast<std::size_t>(this->Random.between(0, std::int64_t(patches.size()) - 1));
    std::vector<std::size_t> removed = { number };
    if (patches[number].level > 0 && !this->Made.mayBeMisNested)
      removed = this->patchesOfRegion(this->Region[number]);
    if (removed.size() > 1 || patches[number].level > 0)
      for (const std::size_t patch : removed)
        if (!this->Made.mayBeMisNested && this->hasFinerPatch(patch))
          return;
    std::reverse(removed.begin(), removed.end());
    for (const std::size_t patch : removed)
      patches.erase(patches.begin() + static_cast<std::ptrdiff_t>(patch));
  }

  // Ascending.
  std::vector<std::size_t> patchesOfRegion(std::size_t region) const
  {
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < this->Region.size(); ++i)
      if (this->Region[i] == region)
        found.push_back(i);
    return found;
  }

  bool hasFinerPatch(std::size_t number) const
  {
    const std::vector<LevelPatch>& patches = this->Made.levels.patches;
    for (std::size_t i = 0; i < patches.size(); ++i)
      if (patches[i].level > patches[number].level)
      {
        const LevelIndex ratio = this->Made.levels.cellsPerCell(patches[number].level, patches[i].level);
        if (refined(this->Owned[number], ratio).touches(this->Owned[i]))
          return true;
      }
    return false;
  }

  Dice Random;
  std::uint64_t Seed;
  Box Domain;
  std::vector<Box> Owned;          // [patch]: the cells that are no duplicates
  std::vector<std::size_t> Region; // [patch]: the number of its region
  std::size_t Regions = 0;
  std::array<Point, 3> Centers{};
  double Period = 1, HoleChance = 0;
  bool TakesFewValues = false; // noise: 0, 1, 2 and 3
  AnalyticVolume Noise;
};

}

RandomLevels randomLevels(std::uint64_t seed)
{
  return LevelMaker(seed).Made;
}

Levels shuffled(Levels levels, std::uint64_t seed)
{
  Dice dice(seed);
  for (std::size_t i = levels.patches.size(); i-- > 1;)
    std::swap(levels.patches[i], levels.patches[static_cast<std::size_t>(dice.between(0, std::int64_t(i)))]);
  return levels;
}

}
