// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The histogram of a volume as HistogramWidget shows it.
#ifndef vmcPlotsHistogram_h
#define vmcPlotsHistogram_h

#include <QString>

#include <vector>

namespace vmc::plots
{

struct Bin
{
  double lower = 0; // value of the data, finite
  double upper = 0; // value of the data, finite, at least lower
  double samples = 0;
  double cutCells = 0; // dual cells that an isovalue at the centre of the bin cuts
};

// A value that the histogram suggests as isovalue.
struct Suggestion
{
  QString name; // what the value is, for a menu
  double value = 0;
  bool isDefault = false; // the isovalue of a new filter
};

struct ValueRange
{
  double lower = 0;
  double upper = 0;
};

struct Histogram
{
  std::vector<Bin> bins; // in ascending order
  std::vector<Suggestion> suggestions;
  // The distance from the bounds of each bin to the column of its samples. -0.5 for integers: the bin [2, 3) has the
  // samples 2 alone, whose column then has this value in its middle.
  double columnOffset = 0;
  QString message; // why there is no bin
};

// Returns the range from the left side of the first column to the right side of the last one. If both are equal, as for
// constant data, or if there is no bin, the range is widened, so that upper is always greater than lower.
ValueRange rangeOf(const Histogram& histogram);

// The index of the bin with this value; the last bin contains its upper bound. -1 if there is none.
int binAt(const Histogram& histogram, double value);

}

#endif
