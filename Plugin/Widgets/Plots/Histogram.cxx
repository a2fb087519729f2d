// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Plots/Histogram.h"

#include <algorithm>
#include <cmath>

namespace vmc::plots
{

ValueRange rangeOf(const Histogram& histogram)
{
  if (histogram.bins.empty())
    return { 0, 1 };
  const double offset = histogram.columnOffset;
  const ValueRange range{ histogram.bins.front().lower + offset, histogram.bins.back().upper + offset };
  if (range.lower < range.upper)
    return range;
  const double margin = range.lower == 0 ? 1 : std::abs(range.lower) / 10;
  return { range.lower - margin, range.upper + margin };
}

int binAt(const Histogram& histogram, double value)
{
  const std::vector<Bin>& bins = histogram.bins;
  if (bins.empty() || !(value >= bins.front().lower && value <= bins.back().upper))
    return -1;
  const auto next = std::upper_bound(
    bins.begin(), bins.end(), value, [](double searched, const Bin& bin) { return searched < bin.lower; });
  const auto found = next - 1;
  return value <= found->upper ? static_cast<int>(found - bins.begin()) : -1;
}

}
