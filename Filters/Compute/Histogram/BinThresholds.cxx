// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Histogram/BinThresholds.h"

#include "Compute/Volume/SampleKey.h"
#include "Compute/Volume/WithType.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace vmc
{

namespace
{

bool isWide(SampleType type)
{
  return bytesOf(type) == 8;
}

bool isFloat(SampleType type)
{
  return type == SampleType::Float32 || type == SampleType::Float64;
}

// The bits of a float or double with this key.
std::uint64_t bitsOfKey(std::uint64_t key, std::uint64_t signBit)
{
  return (key & signBit) != 0 ? key ^ signBit : ~key;
}

// The biased exponent of a float or a double, as exponentOfSample in the kernels; 0 for integers.
int exponentOf(std::uint64_t key, SampleType type)
{
  if (!isFloat(type))
    return 0;
  const std::uint64_t bits = bitsOfKey(key, isWide(type) ? 1ull << 63 : 1ull << 31);
  return std::max(static_cast<int>(isWide(type) ? bits >> 52 & 0x7FF : bits >> 23 & 0xFF), 1);
}

// As unitExponent in the kernels.
int unitExponent(int exponent, SampleType type)
{
  return !isFloat(type) ? 0 : isWide(type) ? exponent - 1075 : exponent - 150;
}

// Edge, centre, edge, ..., edge.
std::vector<double> thresholdValues(const Bins& bins)
{
  std::vector<double> values(2 * std::size_t(bins.count) + 1);
  for (std::uint32_t bin = 0; bin <= bins.count; ++bin)
    values[2 * std::size_t(bin)] = bins.edge(bin);
  for (std::uint32_t bin = 0; bin < bins.count; ++bin)
    values[2 * std::size_t(bin) + 1] = bins.centre(bin);
  return values;
}

// Bounds the error of a position that a kernel computes in float: five roundings of 2^-24 of numbers that are at most
// the position, 2050 or less, or the offset.
double roundingOf(double offset)
{
  return std::ldexp(5 * (2050 + std::abs(offset)), -24);
}

// The largest distance of a threshold from its position in equally wide bins.
double unevenness(const Bins& bins, const std::vector<double>& values)
{
  const double step = bins.upper / (2.0 * bins.count) - bins.lower / (2.0 * bins.count);
  const double first = bins.lower / step;
  double largest = 0;
  for (std::size_t i = 0; i < values.size(); ++i)
  {
    const double position = values[i] / step - first;
    largest = std::max(largest, std::abs(position - static_cast<double>(i)));
  }
  return largest;
}

}

double valueOfKey(std::uint64_t key, SampleType type)
{
  return withType(type, [=](auto zero) { return static_cast<double>(sampleOf<decltype(zero)>(key)); });
}

BinThresholds::BinThresholds(const Bins& bins, SampleType sampleType)
  : type(sampleType)
{
  const std::vector<double> values = thresholdValues(bins);
  this->keys.reserve(values.size());
  withType(type,
    [&](auto sample)
    {
      using Sample = decltype(sample);
      for (std::size_t i = 0; i < values.size(); ++i)
      {
        const bool isLast = i + 1 == values.size();
        if (const auto least = isLast ? smallestAbove<Sample>(values[i]) : smallestFrom<Sample>(values[i]))
          this->keys.push_back(keyOf(*least));
      }
    });
  const auto first = std::upper_bound(this->keys.begin(), this->keys.end(), 0);
  this->table.firstRank = static_cast<std::uint32_t>(first - this->keys.begin());
  this->table.thresholds = static_cast<std::uint32_t>(this->keys.end() - first);
  const double step = bins.upper / (2.0 * bins.count) - bins.lower / (2.0 * bins.count);
  if (this->table.thresholds == 0)
  {
    this->isPrecise = true; // every sample has rank firstRank
    return;
  }
  const std::uint64_t reference = *first;
  this->table.referenceKey = static_cast<std::uint32_t>(isWide(type) ? reference >> 32 : reference);
  this->table.referenceLow = isWide(type) ? static_cast<std::uint32_t>(reference) : 0;
  this->table.exponent = std::max(exponentOf(reference, type), exponentOf(this->keys.back(), type));
  const double scale = std::ldexp(1 / step, unitExponent(this->table.exponent, type));
  const double offset = valueOfKey(reference, type) / step - bins.lower / step + 0.5 - this->table.firstRank;
  this->table.scale = static_cast<float>(scale / this->table.thresholds);
  this->table.offset = static_cast<float>(offset / this->table.thresholds);
  this->table.certainFraction = static_cast<float>(0.5 - unevenness(bins, values) - roundingOf(offset));
  this->isPrecise = this->table.certainFraction > 0.25f && std::isnormal(this->table.scale);
}

std::vector<std::uint32_t> BinThresholds::words() const
{
  std::vector<std::uint32_t> words(sizeof(BinTable) / 4);
  std::memcpy(words.data(), &this->table, sizeof(BinTable));
  for (std::size_t i = this->table.firstRank; i < this->keys.size(); ++i)
  {
    if (isWide(this->type))
      words.push_back(static_cast<std::uint32_t>(this->keys[i] >> 32));
    words.push_back(static_cast<std::uint32_t>(this->keys[i]));
  }
  return words;
}

}
