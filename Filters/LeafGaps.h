// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Finds the gaps of a surface between the leaves of a composite data set.
#ifndef vmcLeafGaps_h
#define vmcLeafGaps_h

#include <array>
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

// Returns whether the surface has a gap between two of the leaves: a part of a side of one lies on a side of the other
// one, or one has cells that are refined. Sides lie on each other if they are less than a quarter of a cell apart.
// Leaves of different processes are not compared.
bool haveGap(const std::vector<const ImageSamples*>& samples);

}

#endif
