// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "LeafGaps.h"

#include "VolumeFromImage.h"

#include "vtkDataSetAttributes.h"
#include "vtkImageData.h"
#include "vtkMatrix3x3.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

namespace vmc::filters
{

namespace
{

struct LeafBox
{
  ImageSides sides;
  std::size_t part;
};

// The leaves between which the surface may have gaps: no leaf makes the dual cells between two leaves of cell data
// without ghost cells.
struct LeavesWithGaps
{
  std::vector<LeafBox> boxes;
  double smallestStep = std::numeric_limits<double>::infinity(); // of all leaves, in world units
  bool haveRefinedCells = false;

  bool overlap(const ImageSides& a, const ImageSides& b, std::size_t axis) const
  {
    return std::min(a.high[axis], b.high[axis]) - std::max(a.low[axis], b.low[axis]) > this->smallestStep / 4;
  }
};

// Leaves of point data, with ghost cells of other leaves, with a singular direction matrix or another one than the
// first leaf are left out.
LeavesWithGaps leavesWithGaps(const std::vector<LeafOfPart>& leaves)
{
  LeavesWithGaps found;
  const double* firstDirection = nullptr;
  for (const auto& [samples, part, isRefinedElsewhere] : leaves)
  {
    const int kinds = samples->ghosts ? samples->ghosts->kinds : 0;
    const std::optional<ImageSides> sides = sidesOf(samples->image);
    if (!samples->ofCells || (kinds & vtkDataSetAttributes::DUPLICATECELL) != 0 || !sides)
      continue;
    const double* const direction = samples->image->GetDirectionMatrix()->GetData();
    if (!firstDirection)
      firstDirection = direction;
    if (!std::equal(firstDirection, firstDirection + 9, direction))
      continue;
    found.boxes.push_back({ *sides, part });
    const double* const spacing = samples->image->GetSpacing();
    found.smallestStep = std::min(found.smallestStep, *std::min_element(spacing, spacing + 3));
    found.haveRefinedCells =
      found.haveRefinedCells || (isRefinedElsewhere && (kinds & vtkDataSetAttributes::REFINEDCELL) != 0);
  }
  return found;
}

// Looks for each high side among the low sides, which are sorted by their planes and along another axis. Takes n log n
// time if leaves overlap a few others only.
bool haveGapAlong(std::size_t axis, const LeavesWithGaps& leaves)
{
  using SideKey = std::pair<double, double>; // number of the plane; low side along the next axis
  const std::size_t next = (axis + 1) % 3, last = (axis + 2) % 3;
  const auto planeOf = [&](double side) { return std::round(side / (leaves.smallestStep / 8)); };
  std::vector<std::pair<SideKey, const LeafBox*>> lowSides;
  double widest = 0;
  for (const LeafBox& leaf : leaves.boxes)
  {
    lowSides.push_back({ { planeOf(leaf.sides.low[axis]), leaf.sides.low[next] }, &leaf });
    widest = std::max(widest, leaf.sides.high[next] - leaf.sides.low[next]);
  }
  std::sort(lowSides.begin(), lowSides.end());
  for (const auto& [box, part] : leaves.boxes)
  {
    bool touchesOwnPart = false, touchesOther = false;
    for (const int offset : { -1, 0, 1 })
    {
      const double plane = planeOf(box.high[axis]) + offset;
      const std::pair<SideKey, const LeafBox*> first{ { plane, box.low[next] - widest }, nullptr };
      auto other = std::lower_bound(lowSides.begin(), lowSides.end(), first);
      for (; other != lowSides.end() && other->first.first == plane && other->first.second < box.high[next]; ++other)
        if (leaves.overlap(box, other->second->sides, next) && leaves.overlap(box, other->second->sides, last))
          (other->second->part == part ? touchesOwnPart : touchesOther) = true;
    }
    if (touchesOther && !touchesOwnPart)
      return true;
  }
  return false;
}

}

std::optional<ImageSides> sidesOf(vtkImageData* image)
{
  vtkMatrix3x3* const direction = image->GetDirectionMatrix();
  if (direction->Determinant() == 0)
    return std::nullopt;
  double inverse[9], origin[3];
  vtkMatrix3x3::Invert(direction->GetData(), inverse);
  vtkMatrix3x3::MultiplyPoint(inverse, image->GetOrigin(), origin);
  const double* const spacing = image->GetSpacing();
  const int* const extent = image->GetExtent();
  ImageSides sides{};
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    sides.low[axis] = origin[axis] + spacing[axis] * extent[2 * axis];
    sides.high[axis] = origin[axis] + spacing[axis] * extent[2 * axis + 1];
  }
  return sides;
}

bool haveGap(const std::vector<LeafOfPart>& leaves)
{
  const LeavesWithGaps found = leavesWithGaps(leaves);
  return found.boxes.size() > 1 &&
         (found.haveRefinedCells || haveGapAlong(0, found) || haveGapAlong(1, found) || haveGapAlong(2, found));
}

}
