// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Finds gaps between the leaves of a composite data set.
#ifndef vmcLeafGaps_h
#define vmcLeafGaps_h

#include "vtkMatrix3x3.h"
#include "vtkSmartPointer.h"

#include <array>
#include <cstddef>
#include <limits>
#include <vector>

namespace vmc::filters
{

struct ImageSamples;

// Collects the places of the leaves of a run. No leaf makes the dual cells between two leaves of cell data without
// ghost cells. Leaves of different processes are not compared.
class LeafGaps
{
public:
  // Adds one leaf. Leaves of point data, with ghost cells of other leaves, with a singular direction matrix or another
  // one than the first leaf have no effect.
  void add(const ImageSamples& samples);

  // Returns whether the surface has a gap between two of the leaves: a part of a side of one lies on a side of the
  // other one, or one has cells that are refined. Sides lie on each other if they are less than a quarter of a cell
  // apart. Takes n log n time if leaves overlap a few others only.
  bool any() const;

private:
  // Low and high sides along the axes of the image.
  struct Box
  {
    std::array<double, 3> low, high;
  };

  bool anyAlong(std::size_t axis) const;
  bool overlap(const Box& a, const Box& b, std::size_t axis) const;

  std::vector<Box> Leaves;
  vtkSmartPointer<vtkMatrix3x3> Direction;                       // of the first leaf
  double SmallestStep = std::numeric_limits<double>::infinity(); // of all leaves, in world units
  bool HasRefinedCells = false;
};

}

#endif
