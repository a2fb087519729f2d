// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "BlockLattice.h"

#include <algorithm>
#include <cmath>

namespace vmc::filters
{

namespace
{

// Extents of VTK have 32 bits, so no grid has more cells along an axis.
constexpr double LargestIndex = 0x1p31;

// The relative error of a number with six significant digits. Files have so many digits or more.
constexpr double SixDigits = 5e-6;

// Returns by how many cells a corner of a block may lie beside its lattice point. Images are moved by a thousandth of a
// cell at most: that is invisible, and covers coordinates in single precision up to 8000 cells from the world's origin.
// The coordinates of an AMR may have six digits. A quarter of a cell still distinguishes an integer from a half.
// farthest: the largest coordinate, in cells.
double toleranceOf(bool isAmr, double farthest)
{
  constexpr double Invisible = 1e-3, Distinct = 0.25;
  return isAmr ? std::min(Invisible + SixDigits * farthest, Distinct) : Invisible;
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
  const double quotient = finest / place.spacing[axis], ratio = std::round(quotient);
  constexpr double QuotientError = 2 * SixDigits;
  if (!(ratio >= 1 && ratio * this->Cells[axis] <= LargestIndex &&
        std::abs(quotient - ratio) <= QuotientError * quotient))
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

}
