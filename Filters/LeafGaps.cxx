// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "LeafGaps.h"

#include "VolumeFromImage.h"

#include "vtkDataSetAttributes.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace vmc::filters
{

void LeafGaps::add(const ImageSamples& samples)
{
  const int kinds = samples.ghosts ? samples.ghosts->kinds : 0;
  if (!samples.ofCells || (kinds & vtkDataSetAttributes::DUPLICATECELL) != 0)
    return;
  vtkMatrix3x3* const direction = samples.image->GetDirectionMatrix();
  if (direction->Determinant() == 0)
    return;
  if (!this->Direction)
    this->Direction = direction;
  if (!std::equal(direction->GetData(), direction->GetData() + 9, this->Direction->GetData()))
    return;
  double inverse[9], origin[3];
  vtkMatrix3x3::Invert(direction->GetData(), inverse);
  vtkMatrix3x3::MultiplyPoint(inverse, samples.image->GetOrigin(), origin);
  const double* const spacing = samples.image->GetSpacing();
  const int* const extent = samples.image->GetExtent();
  Box box{};
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    box.low[axis] = origin[axis] + spacing[axis] * extent[2 * axis];
    box.high[axis] = origin[axis] + spacing[axis] * extent[2 * axis + 1];
    this->SmallestStep = std::min(this->SmallestStep, spacing[axis]);
  }
  this->Leaves.push_back(box);
  this->HasRefinedCells = this->HasRefinedCells || (kinds & vtkDataSetAttributes::REFINEDCELL) != 0;
}

bool LeafGaps::any() const
{
  return this->Leaves.size() > 1 &&
         (this->HasRefinedCells || this->anyAlong(0) || this->anyAlong(1) || this->anyAlong(2));
}

// Looks for each high side among the low sides, which are sorted by their planes and along another axis.
bool LeafGaps::anyAlong(std::size_t axis) const
{
  using SideKey = std::pair<double, double>; // number of the plane; low side along the next axis
  const std::size_t next = (axis + 1) % 3, last = (axis + 2) % 3;
  const auto planeOf = [&](double side) { return std::round(side / (this->SmallestStep / 8)); };
  std::vector<std::pair<SideKey, const Box*>> lowSides;
  double widest = 0;
  for (const Box& leaf : this->Leaves)
  {
    lowSides.push_back({ { planeOf(leaf.low[axis]), leaf.low[next] }, &leaf });
    widest = std::max(widest, leaf.high[next] - leaf.low[next]);
  }
  std::sort(lowSides.begin(), lowSides.end());
  for (const Box& leaf : this->Leaves)
    for (const int offset : { -1, 0, 1 })
    {
      const double plane = planeOf(leaf.high[axis]) + offset;
      const std::pair<SideKey, const Box*> first{ { plane, leaf.low[next] - widest }, nullptr };
      auto other = std::lower_bound(lowSides.begin(), lowSides.end(), first);
      for (; other != lowSides.end() && other->first.first == plane && other->first.second < leaf.high[next]; ++other)
        if (this->overlap(leaf, *other->second, next) && this->overlap(leaf, *other->second, last))
          return true;
    }
  return false;
}

bool LeafGaps::overlap(const Box& a, const Box& b, std::size_t axis) const
{
  return std::min(a.high[axis], b.high[axis]) - std::max(a.low[axis], b.low[axis]) > this->SmallestStep / 4;
}

}
