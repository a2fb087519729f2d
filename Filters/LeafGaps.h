// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Finds the gaps of a surface between the leaves of a composite data set.
#ifndef vmcLeafGaps_h
#define vmcLeafGaps_h

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

class vtkImageData;

namespace vmc::filters
{

struct ImageSamples;

// The sides of an image, as coordinates along its axes: world coordinates multiplied by the inverse of its direction
// matrix.
struct ImageSides
{
  std::array<double, 3> low, high;
};

// Nothing if the direction matrix is singular.
std::optional<ImageSides> sidesOf(vtkImageData* image);

// A leaf and the part of the input to which it belongs. The surface of a part has no gap inside.
struct LeafOfPart
{
  const ImageSamples* samples;
  std::size_t part;
  bool isRefinedElsewhere; // finer leaves of other parts may replace its refined cells
};

// Returns whether the surface has a gap between leaves of two parts: a side of one leaf lies in part on a side of one
// of another part, and on none of its own part; or one has cells that are refined elsewhere. Sides lie on each other if
// they are less than a quarter of a cell apart.
bool haveGap(const std::vector<LeafOfPart>& leaves);

}

#endif
