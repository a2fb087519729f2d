// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Plots/ValueAxis.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace vmc::plots
{

namespace
{

double halfWidth(const ValueRange& range)
{
  return range.upper / 2 - range.lower / 2;
}

// Doubles next to each other must differ by less than a pixel, so that lines do not jump.
double smallestHalfWidth(const ValueRange& whole)
{
  constexpr double pixels = 1e5;
  const double largest = std::max(std::abs(whole.lower), std::abs(whole.upper));
  return std::max(
    largest * std::numeric_limits<double>::epsilon() * pixels, std::numeric_limits<double>::min() * pixels);
}

}

void ValueAxis::setWhole(const ValueRange& whole)
{
  this->Whole = whole;
  this->Visible = whole;
}

void ValueAxis::changeWhole(const ValueRange& whole)
{
  const bool allVisible = this->Visible.lower <= this->Whole.lower && this->Visible.upper >= this->Whole.upper;
  const bool overlap = this->Visible.lower<whole.upper&& this->Visible.upper> whole.lower;
  if (allVisible || !overlap)
    this->setWhole(whole);
  else
  {
    this->Whole = whole;
    this->show(this->Visible.lower, this->Visible.upper);
  }
}

void ValueAxis::setPixels(double left, double right)
{
  this->Left = left;
  this->Right = std::max(right, left + 1);
}

double ValueAxis::pixelOf(double value) const
{
  const double fraction = (value / 2 - this->Visible.lower / 2) / halfWidth(this->Visible);
  return this->Left + fraction * (this->Right - this->Left);
}

double ValueAxis::valueAt(double pixel) const
{
  const double fraction = (pixel - this->Left) / (this->Right - this->Left);
  return this->Visible.lower * (1 - fraction) + this->Visible.upper * fraction;
}

double ValueAxis::valuesPerPixel() const
{
  return halfWidth(this->Visible) / (this->Right - this->Left) * 2;
}

double ValueAxis::powerOfTenBelow(double values)
{
  return std::pow(10, std::floor(std::log10(values)));
}

double ValueAxis::rounded(double value) const
{
  return rounded(value, powerOfTenBelow(this->valuesPerPixel()));
}

double ValueAxis::rounded(double value, double step)
{
  const double inSteps = std::round(value / step);
  if (!std::isfinite(inSteps) || step == 0)
    return value;
  // A negative power of ten is no double: the division by its inverse gives the double next to the decimal number.
  return step < 1 && std::isfinite(1 / step) ? inSteps / std::round(1 / step) : inSteps * step;
}

void ValueAxis::zoom(double factor, double pixel)
{
  const double largest = halfWidth(this->Whole);
  const double width =
    std::clamp(halfWidth(this->Visible) * factor, std::min(smallestHalfWidth(this->Whole), largest), largest);
  const double fraction = std::clamp((pixel - this->Left) / (this->Right - this->Left), 0.0, 1.0);
  const double anchor = this->valueAt(this->Left + fraction * (this->Right - this->Left));
  this->show(anchor - width * fraction * 2, anchor + width * (1 - fraction) * 2);
}

void ValueAxis::pan(double fromPixel, double toPixel)
{
  const double values = (fromPixel - toPixel) * this->valuesPerPixel();
  this->show(this->Visible.lower + values, this->Visible.upper + values);
}

void ValueAxis::scrollTo(double value)
{
  if (value >= this->Visible.lower && value <= this->Visible.upper)
    return;
  const double width = halfWidth(this->Visible);
  this->show(value - width, value + width);
}

void ValueAxis::show(double lower, double upper)
{
  const double width = upper / 2 - lower / 2;
  if (!(width < halfWidth(this->Whole))) // also if a bound is infinite
    this->Visible = this->Whole;
  else if (lower < this->Whole.lower)
    this->Visible = { this->Whole.lower, this->Whole.lower + 2 * width };
  else if (upper > this->Whole.upper)
    this->Visible = { this->Whole.upper - 2 * width, this->Whole.upper };
  else
    this->Visible = { lower, upper };
}

std::vector<double> ValueAxis::ticks(int count) const
{
  const double smallest = halfWidth(this->Visible) / std::max(count, 1) * 2;
  double step = powerOfTenBelow(smallest);
  for (const double multiple : { 2.0, 2.5, 2.0 }) // 1, 2, 5, 10
    if (step < smallest)
      step *= multiple;
  std::vector<double> values;
  const double first = std::ceil(this->Visible.lower / step);
  for (int i = 0; i <= count && (first + i) * step <= this->Visible.upper; ++i)
    values.push_back(rounded((first + i) * step, powerOfTenBelow(step)));
  return values;
}

}
