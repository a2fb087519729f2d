// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "BlockLattice.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace vmc::filters
{

namespace
{

// Extents of VTK have 32 bits, so no grid has more cells along an axis.
constexpr double LargestIndex = 0x1p31;

// The relative error of a number with six significant digits. Files have so many digits or more.
constexpr double SixDigits = 5e-6;

// By how many cells images are moved at most. That is invisible, and covers coordinates in single precision up to 8000
// cells from the world's origin.
constexpr double Invisible = 1e-3;

// Returns by how many cells a corner of a block may lie beside its lattice point. The coordinates of an AMR may have
// six digits. A quarter of a cell still distinguishes an integer from a half. farthest: the largest coordinate, in
// cells.
double toleranceOf(bool isAmr, double farthest)
{
  constexpr double Distinct = 0.25;
  return isAmr ? std::min(Invisible + SixDigits * farthest, Distinct) : Invisible;
}

// Returns the cells of the fine spacing per cell of the coarse one, or 0 if that is no integer. Both may have six
// digits.
double ratioOf(double coarse, double fine)
{
  const double quotient = coarse / fine, ratio = std::round(quotient);
  const bool isInteger = std::abs(quotient - ratio) <= 2 * SixDigits * quotient;
  return isInteger && ratio >= 1 && ratio <= LargestIndex ? ratio : 0;
}

// The core's table of the bricks of a level has 4 bytes per 64^3 cells of the box around them.
constexpr double MostCellsInBox = 0x1p40;

// The number of cells of the finest level in the box around the lattice.
double cellsInBox(const BlockLattice& lattice, const PlaceOfBlock& placeOf)
{
  double cells = 1;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    double low = lattice.low(axis), high = low;
    for (const BlockLattice::Member& member : lattice.members())
    {
      low = std::min(low, placeOf(member.block).sides.low[axis]);
      high = std::max(high, placeOf(member.block).sides.high[axis]);
    }
    cells *= (high - low) / lattice.finestSpacing()[axis];
  }
  return cells;
}

bool adjoin(const BlockPlace& a, const BlockPlace& b, const std::array<double, 3>& largestGap)
{
  for (std::size_t axis = 0; axis < 3; ++axis)
    if (std::max(a.sides.low[axis], b.sides.low[axis]) - std::min(a.sides.high[axis], b.sides.high[axis]) >
        largestGap[axis])
      return false;
  return true;
}

// Returns a number per member. Members with a gap up to the largest one, also by way of others, have the same number.
std::vector<std::size_t> connectedMembers(
  const BlockLattice& lattice, const PlaceOfBlock& placeOf, const std::array<double, 3>& largestGap)
{
  const std::vector<BlockLattice::Member>& members = lattice.members();
  const auto placeOfMember = [&](std::size_t i) -> const BlockPlace& { return placeOf(members[i].block); };
  std::vector<std::size_t> ascending(members.size()), part(members.size());
  std::iota(ascending.begin(), ascending.end(), std::size_t(0));
  part = ascending;
  const auto lowOf = [&](std::size_t i) { return placeOfMember(i).sides.low[0]; };
  std::sort(ascending.begin(), ascending.end(), [&](std::size_t a, std::size_t b) { return lowOf(a) < lowOf(b); });
  const auto firstOf = [&](std::size_t i)
  {
    while (part[i] != i)
      i = part[i] = part[part[i]];
    return i;
  };
  for (auto a = ascending.begin(); a != ascending.end(); ++a)
    for (auto b = a + 1; b != ascending.end() && lowOf(*b) <= placeOfMember(*a).sides.high[0] + largestGap[0]; ++b)
      if (adjoin(placeOfMember(*a), placeOfMember(*b), largestGap))
        part[std::max(firstOf(*a), firstOf(*b))] = std::min(firstOf(*a), firstOf(*b));
  for (std::size_t i = 0; i < part.size(); ++i)
    part[i] = firstOf(i);
  return part;
}

// Returns where a coordinate lies between two multiples of the spacing, from 0 to 1.
double placeInCell(double coordinate, double spacing)
{
  const double cells = coordinate / spacing;
  return std::isfinite(cells) ? cells - std::floor(cells) : 0;
}

}

BlockLattice::BlockLattice(std::size_t block, const BlockPlace& first, bool isAmr)
  : First(first)
  , IsAmr(isAmr)
{
  this->add(block, first, {}, false);
}

std::array<double, 3> BlockLattice::finestSpacing() const
{
  std::array<double, 3> spacing = this->First.spacing;
  for (std::size_t axis = 0; axis < 3; ++axis)
    spacing[axis] /= this->Cells[axis];
  return spacing;
}

// Computes with the spacing of the first block divided by the ratios, so that rounding errors of finer spacings do not
// add up.
void BlockLattice::fitAxis(std::size_t axis, const BlockPlace& place, LatticeFit& fit) const
{
  const double finest = this->First.spacing[axis] / this->Cells[axis];
  const double ratio = ratioOf(finest, place.spacing[axis]);
  if (ratio == 0 || ratio * this->Cells[axis] > LargestIndex)
  {
    fit.hasWrongSpacing = true;
    fit.wrongAxis = axis;
    return;
  }
  fit.ratio[axis] = static_cast<std::uint32_t>(ratio);
  const double spacing = finest / ratio;
  const double origin = this->First.sides.low[axis], low = place.sides.low[axis], high = place.sides.high[axis];
  fit.corners = { (low - origin) / spacing, (high - origin) / spacing };
  fit.tolerance = toleranceOf(this->IsAmr, std::max({ std::abs(origin), std::abs(low), std::abs(high) }) / spacing);
  const double cell = std::round(fit.corners[0]);
  if (std::abs(cell) <= LargestIndex && std::abs(fit.corners[0] - cell) <= fit.tolerance &&
      std::abs(fit.corners[1] - cell - place.size[axis]) <= fit.tolerance)
    fit.low[axis] = static_cast<std::int64_t>(cell);
  else
    fit.wrongAxis = axis;
}

LatticeFit BlockLattice::fit(const BlockPlace& place) const
{
  LatticeFit fit;
  for (std::size_t axis = 0; axis < 3 && fit.isGood(); ++axis)
    this->fitAxis(axis, place, fit);
  return fit;
}

bool BlockLattice::hasCells(const BlockPlace& place, const LatticeFit& fit) const
{
  return fit.isOfSameLevel() && this->Boxes.count({ fit.low, place.size }) != 0;
}

void BlockLattice::add(std::size_t block, const BlockPlace& place, const LatticeFit& fit, bool isNewLevel)
{
  if (isNewLevel)
  {
    this->Ratio.push_back(fit.ratio);
    for (std::size_t axis = 0; axis < 3; ++axis)
      this->Cells[axis] *= fit.ratio[axis];
    this->Boxes.clear();
  }
  this->Boxes.insert({ fit.low, place.size });
  this->Members.push_back({ block, this->Ratio.size() - 1, fit.low });
}

std::vector<BlockLattice> partsOf(const BlockLattice& lattice, const PlaceOfBlock& placeOf, bool haveBorders)
{
  if (!haveBorders && cellsInBox(lattice, placeOf) <= MostCellsInBox)
    return { lattice };
  std::array<double, 3> largestGap = placeOf(lattice.members().front().block).spacing;
  for (std::size_t axis = 0; axis < 3 && haveBorders; ++axis)
    largestGap[axis] = lattice.finestSpacing()[axis] / 2; // no dual cell crosses a cell that is missing
  const std::vector<std::size_t> partOfMember = connectedMembers(lattice, placeOf, largestGap);
  std::vector<BlockLattice> parts;
  std::map<std::size_t, std::size_t> partOfNumber;
  for (std::size_t i = 0; i < partOfMember.size(); ++i)
  {
    const std::size_t block = lattice.members()[i].block;
    const BlockPlace& place = placeOf(block);
    const auto known = partOfNumber.find(partOfMember[i]);
    const LatticeFit fit = known == partOfNumber.end() ? LatticeFit() : parts[known->second].fit(place);
    if (known != partOfNumber.end() && fit.isGood())
    {
      parts[known->second].add(block, place, fit, !fit.isOfSameLevel());
      continue;
    }
    partOfNumber.emplace(partOfMember[i], parts.size());
    parts.emplace_back(block, place, false);
  }
  return parts;
}

void LatticeLookup::add(std::size_t number, const BlockLattice& lattice)
{
  const double spacing = lattice.finestSpacing()[0];
  this->BySpacing[spacing].emplace(placeInCell(lattice.low(0), spacing), number);
}

std::vector<std::size_t> LatticeLookup::candidates(const BlockPlace& block) const
{
  constexpr double Window = 2 * Invisible; // the tolerance, and rounding errors
  std::vector<std::size_t> found;
  for (const auto& [spacing, lattices] : this->BySpacing)
  {
    const bool isEqual = spacing == block.spacing[0];
    if (!isEqual && ratioOf(spacing, block.spacing[0]) == 0)
      continue;
    const double x = placeInCell(block.sides.low[0], spacing);
    for (const double place : { x - 1, x, x + 1 }) // 0 and 1 are neighbours
    {
      auto lattice = isEqual ? lattices.lower_bound(place - Window) : lattices.begin();
      for (; lattice != lattices.end() && (!isEqual || lattice->first <= place + Window); ++lattice)
        found.push_back(lattice->second);
    }
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

}
