// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Procedural volumes whose value is known exactly at every position, and the known properties of their isosurfaces.
#ifndef vmcAnalyticVolumes_h
#define vmcAnalyticVolumes_h

#include "Compute/Volume/Volume.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <ostream>
#include <vector>

namespace vmc
{

// Prints a type in messages of GoogleTest.
void PrintTo(SampleType type, std::ostream* stream);

}

namespace vmc::test
{

using Point = std::array<double, 3>;

// A scalar field over index space. Its surface is the isosurface at 0; positive values are inside.
struct AnalyticVolume
{
  std::function<double(const Point&)> value;
  // Properties of the whole surface, which must not meet the border of the grid. Nothing: no closed form is known.
  std::optional<double> area;           // square steps
  std::optional<double> enclosedVolume; // cubic steps
  std::optional<long> eulerCharacteristic;
};

// Value: distance to the surface.
AnalyticVolume sphere(const Point& center, double radius);
// Around the z-axis. Value: distance to the surface. Needs majorRadius > minorRadius.
AnalyticVolume torus(const Point& center, double majorRadius, double minorRadius);
// Value: distance to the plane; inside where dot(position, normal) < offset. `normal` has unit length.
AnalyticVolume plane(const Point& normal, double offset);
// sin x cos y + sin y cos z + sin z cos x with the given period in steps.
AnalyticVolume gyroid(double period);
// Independent values in [0, 1) at the integer positions, the same on every machine.
AnalyticVolume noise(std::uint64_t seed);

// Samples of any type that own their memory.
struct Samples
{
  SampleType type = SampleType::Float32;
  std::array<std::uint32_t, 3> size{ 0, 0, 0 };
  std::vector<std::byte> bytes; // x fastest

  std::uint64_t count() const { return std::uint64_t(this->size[0]) * this->size[1] * this->size[2]; }
  double value(std::uint64_t index) const; // the nearest double
  // Exact if long double has 64 binary digits: a double does not hold every 64-bit integer.
  long double exactValue(std::uint64_t index) const;
  // Integer types: rounds the value to the nearest integer and clamps it to the range of the type.
  void setValue(std::uint64_t index, double value);
  // A view: the samples must outlive it.
  Volume volume() const;
};

constexpr std::array<SampleType, 10> AllSampleTypes = { SampleType::Int8, SampleType::UInt8, SampleType::Int16,
  SampleType::UInt16, SampleType::Int32, SampleType::UInt32, SampleType::Float32, SampleType::Int64, SampleType::UInt64,
  SampleType::Float64 };
const char* nameOf(SampleType type);
// Smallest and largest value of an integer type; -1 and 1 for floats.
std::array<double, 2> rangeOf(SampleType type);

// The vector of this length along an axis.
inline std::array<double, 3> alongAxis(std::size_t axis, double length)
{
  std::array<double, 3> vector{};
  vector[axis] = length;
  return vector;
}

// Sample (i, j, k) is scale * volume.value({i, j, k}) + offset.
Samples sample(const AnalyticVolume& volume, const std::array<std::uint32_t, 3>& size,
  SampleType type = SampleType::Float32, double scale = 1, double offset = 0);

// noise() over the whole range of the type, so that its middle is a good isovalue.
Samples sampleNoise(const std::array<std::uint32_t, 3>& size, SampleType type, std::uint64_t seed);
// The middle of that range. No sample of the noise has this value.
double middleOf(SampleType type);

// Noise, and among it the ends of the type, its neighbours of 0, and for floats infinities.
Samples sampleExtremes(SampleType type);
// Ranges of histograms whose width or whose bins leave the normal numbers, and ranges of one value.
constexpr std::array<std::array<double, 2>, 12> ExtremeRanges = { { { -1.7e308, 1.7e308 }, { -1e308, 1e308 },
  { 0, 1.7e308 }, { 1.7e308, 1.7e308 }, { 1.79e308, 1.7900000000000002e308 }, { 0, 2e-320 }, { -1e-320, 1.5e-320 },
  { -5e-324, 5e-324 }, { 5e-324, 5e-324 }, { 0, 0 }, { -0x1p63, 0x1p63 }, { 0x1p63 - 4096, 0x1p64 } } };

// Sets a random part of the samples to a value.
void scatter(Samples& samples, double value, double part, std::uint64_t seed);

}

#endif
