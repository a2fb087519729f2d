// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// A horizontal axis of values: which part of the whole range is visible, and at which pixels.
#ifndef vmcPlotsValueAxis_h
#define vmcPlotsValueAxis_h

#include "Plots/Histogram.h"

#include <vector>

namespace vmc::plots
{

// Values are doubles of any size: the width of a range may exceed the largest double, so differences are computed of
// halves.
class ValueAxis
{
public:
  // Shows the whole range.
  void setWhole(const ValueRange& whole);
  const ValueRange& whole() const { return this->Whole; }

  // Changes the whole range. The visible range stays as far as it lies in the new one; if all of the old range was
  // visible, all of the new one is.
  void changeWhole(const ValueRange& whole);

  const ValueRange& visible() const { return this->Visible; }

  // The pixels of the lower and the upper end of the visible range.
  void setPixels(double left, double right);

  double pixelOf(double value) const;
  double valueAt(double pixel) const;

  // The width of a pixel in values.
  double valuesPerPixel() const;

  // The largest power of ten that is at most the given number of values.
  static double powerOfTenBelow(double values);

  // The value with as few decimals as a pixel needs.
  double rounded(double value) const;

  // The value without digits that are below `step`, a power of ten.
  static double rounded(double value, double step);

  // Shows `factor` times as many values; the value at the pixel stays there. The visible range stays within the whole
  // range, and wide enough for doubles to differ from pixel to pixel.
  void zoom(double factor, double pixel);

  // Moves the visible range within the whole range so that the values at these pixels move along.
  void pan(double fromPixel, double toPixel);

  // Moves the visible range so that it contains this value of the whole range.
  void scrollTo(double value);

  // Values of labels in the visible range, multiples of 1, 2 or 5 times a power of ten, at most `count`.
  std::vector<double> ticks(int count) const;

private:
  void show(double lower, double upper);

  ValueRange Whole{ 0, 1 };
  ValueRange Visible{ 0, 1 };
  double Left = 0;
  double Right = 1;
};

}

#endif
