// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Support/AnalyticVolumes.h"

#include "Compute/Volume/WithType.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace vmc
{

void PrintTo(SampleType type, std::ostream* stream)
{
  *stream << test::nameOf(type);
}

}

namespace vmc::test
{

namespace
{

constexpr double Pi = 3.14159265358979323846;

// The nearest value of a type.
template <class Value>
Value nearest(double value)
{
  if constexpr (std::is_floating_point_v<Value>)
    return static_cast<Value>(value);
  else
  {
    using Limits = std::numeric_limits<Value>;
    if (std::round(value) >= std::ldexp(1.0, Limits::digits)) // the largest value plus 1, which a double holds
      return Limits::max();
    return static_cast<Value>(std::max(std::round(value), static_cast<double>(Limits::min())));
  }
}

// Finalizer of the SplitMix generator: every bit of the result depends on every bit of the argument.
std::uint64_t scramble(std::uint64_t bits)
{
  bits += 0x9E3779B97F4A7C15u;
  bits = (bits ^ bits >> 30) * 0xBF58476D1CE4E5B9u;
  bits = (bits ^ bits >> 27) * 0x94D049BB133111EBu;
  return bits ^ bits >> 31;
}

}

AnalyticVolume sphere(const Point& center, double radius)
{
  AnalyticVolume volume;
  volume.value = [=](const Point& p)
  { return radius - std::hypot(p[0] - center[0], p[1] - center[1], p[2] - center[2]); };
  volume.area = 4 * Pi * radius * radius;
  volume.enclosedVolume = 4 * Pi / 3 * radius * radius * radius;
  volume.eulerCharacteristic = 2;
  return volume;
}

AnalyticVolume torus(const Point& center, double majorRadius, double minorRadius)
{
  AnalyticVolume volume;
  volume.value = [=](const Point& p)
  {
    const double fromCircle = std::hypot(p[0] - center[0], p[1] - center[1]) - majorRadius;
    return minorRadius - std::hypot(fromCircle, p[2] - center[2]);
  };
  volume.area = 4 * Pi * Pi * majorRadius * minorRadius;
  volume.enclosedVolume = 2 * Pi * Pi * majorRadius * minorRadius * minorRadius;
  volume.eulerCharacteristic = 0;
  return volume;
}

AnalyticVolume plane(const Point& normal, double offset)
{
  AnalyticVolume volume;
  volume.value = [=](const Point& p) { return offset - (p[0] * normal[0] + p[1] * normal[1] + p[2] * normal[2]); };
  return volume;
}

AnalyticVolume gyroid(double period)
{
  const double k = 2 * Pi / period;
  AnalyticVolume volume;
  volume.value = [=](const Point& p)
  {
    return std::sin(k * p[0]) * std::cos(k * p[1]) + std::sin(k * p[1]) * std::cos(k * p[2]) +
           std::sin(k * p[2]) * std::cos(k * p[0]);
  };
  return volume;
}

AnalyticVolume noise(std::uint64_t seed)
{
  AnalyticVolume volume;
  volume.value = [=](const Point& p)
  {
    std::uint64_t bits = seed;
    for (const double coordinate : p)
      bits = scramble(bits ^ static_cast<std::uint64_t>(coordinate));
    return static_cast<double>(bits >> 11) * 0x1p-53;
  };
  return volume;
}

double Samples::value(std::uint64_t index) const
{
  return static_cast<double>(this->exactValue(index));
}

long double Samples::exactValue(std::uint64_t index) const
{
  return withType(this->type,
    [&](auto value)
    {
      std::memcpy(&value, this->bytes.data() + index * sizeof(value), sizeof(value));
      return static_cast<long double>(value);
    });
}

void Samples::setValue(std::uint64_t index, double value)
{
  withType(this->type,
    [&](auto typed)
    {
      typed = nearest<decltype(typed)>(value);
      std::memcpy(this->bytes.data() + index * sizeof(typed), &typed, sizeof(typed));
    });
}

Volume Samples::volume() const
{
  Volume volume;
  volume.samples = this->bytes.data();
  volume.type = this->type;
  volume.size = this->size;
  return volume;
}

const char* nameOf(SampleType type)
{
  constexpr std::array<const char*, 10> Names = { "Int8", "UInt8", "Int16", "UInt16", "Int32", "UInt32", "Float32",
    "Int64", "UInt64", "Float64" };
  return Names[static_cast<std::size_t>(type)];
}

std::array<double, 2> rangeOf(SampleType type)
{
  return withType(type,
    [](auto value) -> std::array<double, 2>
    {
      using Limits = std::numeric_limits<decltype(value)>;
      if (!Limits::is_integer)
        return { -1, 1 };
      return { static_cast<double>(Limits::min()), static_cast<double>(Limits::max()) };
    });
}

Samples sample(
  const AnalyticVolume& volume, const std::array<std::uint32_t, 3>& size, SampleType type, double scale, double offset)
{
  Samples samples;
  samples.type = type;
  samples.size = size;
  samples.bytes.resize(samples.count() * bytesOf(type));
  std::uint64_t index = 0;
  for (std::uint32_t k = 0; k < size[2]; ++k)
    for (std::uint32_t j = 0; j < size[1]; ++j)
      for (std::uint32_t i = 0; i < size[0]; ++i)
        samples.setValue(index++, scale * volume.value({ double(i), double(j), double(k) }) + offset);
  return samples;
}

Samples sampleNoise(const std::array<std::uint32_t, 3>& size, SampleType type, std::uint64_t seed)
{
  const std::array<double, 2> range = rangeOf(type);
  return sample(noise(seed), size, type, range[1] - range[0], range[0]);
}

double middleOf(SampleType type)
{
  const std::array<double, 2> range = rangeOf(type);
  const double middle = (range[0] + range[1]) / 2;
  const bool isFloat = type == SampleType::Float32 || type == SampleType::Float64;
  return isFloat ? 0x1p-40 : middle; // a float sample of noise may be 0, but no other sample is so small
}

Samples sampleExtremes(SampleType type)
{
  Samples samples = sampleNoise({ 5, 4, 4 }, type, 7);
  std::uint64_t at = 0;
  for (const double size : { 0.0, 5e-324, 1e-320, 1.5e-320, 1e-310, 1e-44, 1e-40, 0x1p63, 0x1p64, 1e300, 1e308, 1.7e308,
         1.79e308, std::numeric_limits<double>::infinity() })
    for (const double value : { size, -size })
    {
      samples.setValue(at, value);
      at += 2; // 28 of 80 samples
    }
  return samples;
}

void scatter(Samples& samples, double value, double part, std::uint64_t seed)
{
  const AnalyticVolume chance = noise(seed);
  for (std::uint64_t i = 0; i < samples.count(); ++i)
    if (chance.value({ double(i), 0, 0 }) < part)
      samples.setValue(i, value);
}

}
