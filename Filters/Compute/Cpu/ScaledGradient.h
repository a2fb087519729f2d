// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Gradients of 64-bit floats that leave the range of double in ordinary arithmetic.
#ifndef vmcScaledGradient_h
#define vmcScaledGradient_h

#include <array>
#include <cmath>
#include <cstddef>

namespace vmc::cpu
{

// value * 2^exponent. The value is 0, not finite, or of a size in [0.5, 1).
struct Scaled
{
  double value;
  int exponent;
};

inline Scaled scaled(double number)
{
  Scaled result{ number, 0 };
  if (std::isfinite(number))
    result.value = std::frexp(number, &result.exponent);
  return result;
}

// b - a, which may be above the largest double.
inline Scaled scaledDifference(double a, double b)
{
  const double difference = b - a;
  if (!std::isinf(difference))
    return scaled(difference);
  const Scaled half = scaled(b / 2 - a / 2);
  return { half.value, half.exponent + 1 };
}

// Returns whether a sum of weighted differences, in steps or in the world, is neither rounded to few digits nor near an
// overflow. The size may be NaN.
inline bool isOrdinary(double size)
{
  return size >= 0x1p-800 && size <= 0x1p900;
}

// A vector whose components are sums of weighted differences: value * 2^exponent.
struct ScaledGradient
{
  std::array<double, 3> value{};
  int exponent = -10000; // below that of every term

  // Adds (b - a) * weight to a component.
  void add(std::size_t axis, double a, double b, double weight)
  {
    const Scaled difference = scaledDifference(a, b), share = scaled(weight);
    const double term = difference.value * share.value;
    if (term == 0)
      return;
    const int ofTerm = difference.exponent + share.exponent;
    if (ofTerm > this->exponent)
    {
      for (double& component : this->value)
        component = std::ldexp(component, this->exponent - ofTerm);
      this->exponent = ofTerm;
    }
    this->value[axis] += std::ldexp(term, ofTerm - this->exponent);
  }
};

}

#endif
