// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Input.h"

#include "Support/RandomCoordinates.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

namespace vmc::torture
{

namespace
{

constexpr double Infinity = std::numeric_limits<double>::infinity();

double valueOf(const VolumeSettings& settings, const test::AnalyticVolume& random, const test::Point& at)
{
  const std::array<double, 2> range = test::rangeOf(settings.type);
  switch (settings.pattern)
  {
    case Pattern::FewValues:
      return std::floor(4 * random.value(at));
    case Pattern::Smooth:
      return range[0] + (range[1] - range[0]) * (0.5 + 0.3 * test::gyroid(6.7).value(at));
    default:
      return range[0] + (range[1] - range[0]) * random.value(at);
  }
}

// Sets half of the samples to extremes of the type.
void setExtremes(test::Samples& samples, std::uint64_t seed)
{
  constexpr double Extremes[] = { 0, -0.0, 1, -1, 5e-324, -5e-324, 1e-310, 1e-45, -1e-45, 0x1p-126, 0x1p-127,
    3.4028234e38, -3.4028234e38, 1e300, -1e300, 1.7976931348623157e308, -1.7976931348623157e308, 127, 128, -128, 255,
    32767, 65535, 2147483647, -2147483648.0, 4294967295.0, 16777216, 16777217, 0x1p53, 0x1p62, 0x1p63, 0x1p64,
    -0x1p63 };
  const test::AnalyticVolume random = test::noise(seed);
  for (std::uint64_t i = 0; i < samples.count(); ++i)
    if (const double at = 2 * random.value({ double(i), 1, 0 }); at < 1)
      samples.setValue(i, Extremes[static_cast<std::size_t>(at * std::size(Extremes))]);
}

std::vector<std::uint8_t> flagsOf(const VolumeSettings& settings, std::uint64_t count)
{
  const test::AnalyticVolume random = test::noise(settings.seed + 1);
  std::vector<std::uint8_t> flags;
  for (std::uint64_t i = 0; settings.hasFlags() && i < count; ++i)
  {
    const auto isOne = [&](double part, double kind) { return random.value({ double(i), kind, 0 }) < part; };
    const unsigned strange = isOne(settings.strangePart, 2) ? 0x80 : 0;
    flags.push_back(static_cast<std::uint8_t>(strange | (isOne(settings.blankPart, 0) ? Ghost::Blank : 0) |
                                              (isOne(settings.notOwnedPart, 1) ? Ghost::NotOwned : 0)));
  }
  return flags;
}

std::array<Vector3, 3> stepsOf(Units units)
{
  switch (units)
  {
    case Units::Scaled:
      return { { { 0.5, 0, 0 }, { 0, 1, 0 }, { 0, 0, 2 } } };
    case Units::Oblique:
      return { { { 0.5, 0.1, 0 }, { -0.2, 1.5, 0.3 }, { 0, 0.25, 2 } } };
    case Units::Mirrored:
      return { { { 0.6, 0.8, 0 }, { 0.8, -0.6, 0 }, { 0, 0, 1.25 } } };
    case Units::Far:
      return { { { 1e-3, 0, 0 }, { 0, 1e-3, 0 }, { 0, 0, 1e-3 } } };
    default:
      return { { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } } };
  }
}

Vector3 originOf(Units units)
{
  if (units == Units::Plain)
    return { 0, 0, 0 };
  return units == Units::Far ? Vector3{ 5e6, -5e6, 5e6 } : Vector3{ -3, 1.5, 7 };
}

void setGeometry(VolumeInput& input, const VolumeSettings& settings)
{
  std::array<Vector3, 3> steps = stepsOf(settings.units);
  for (Vector3& step : steps)
    for (double& value : step)
      value = std::ldexp(value, settings.unitExponent);
  Vector3 origin = originOf(settings.units);
  for (double& value : origin)
    value = std::ldexp(value, settings.unitExponent);
  input.geometry = SampleGeometry(origin, steps);
  if (!settings.hasCoordinates())
    return;
  input.isCellData = settings.units == Units::Cells;
  std::array<std::uint32_t, 3> count = settings.size;
  for (std::uint32_t& along : count)
    along += input.isCellData ? 1 : 0;
  input.coordinates = test::randomCoordinates(count, settings.seed + 2);
  for (std::vector<double>& along : input.coordinates)
    for (double& coordinate : along)
      coordinate = std::ldexp(coordinate, settings.unitExponent);
}

}

test::Samples samplesOf(const VolumeSettings& settings)
{
  const test::AnalyticVolume random = test::noise(settings.seed);
  test::AnalyticVolume field;
  field.value = [&](const test::Point& at) { return valueOf(settings, random, at); };
  const double scale = settings.isFloat() ? std::ldexp(1.0, settings.exponent) : 1;
  test::Samples samples = test::sample(field, settings.size, settings.type, scale);
  if (settings.pattern == Pattern::Extremes)
    setExtremes(samples, settings.seed);
  test::scatter(samples, std::nan(""), settings.nanPart, settings.seed + 3);
  test::scatter(samples, Infinity, settings.infinityPart / 2, settings.seed + 4);
  test::scatter(samples, -Infinity, settings.infinityPart / 2, settings.seed + 5);
  return samples;
}

VolumeInput inputOf(const VolumeSettings& settings)
{
  VolumeInput input;
  input.samples = samplesOf(settings);
  input.ghosts = flagsOf(settings, input.samples.count());
  for (const AttributeSettings& attribute : settings.attributes)
  {
    const std::array<std::uint32_t, 3> size = { attribute.components * settings.size[0], settings.size[1],
      settings.size[2] };
    input.attributes.push_back(test::sampleNoise(size, attribute.type, settings.seed + 6 + input.attributes.size()));
    input.components.push_back(attribute.components);
  }
  setGeometry(input, settings);
  input.padding = settings.padding;
  input.identity = settings.hasIdentity ? settings.seed : 0;
  return input;
}

Volume VolumeInput::volume() const
{
  Volume volume = this->samples.volume();
  volume.geometry = !this->hasCoordinates() ? this->geometry
                    : this->isCellData      ? SampleGeometry::ofCells(this->coordinates)
                                            : SampleGeometry::ofPoints(this->coordinates);
  const auto identityOf = [this](std::uint64_t array) { return this->identity == 0 ? 0 : 16 * this->identity + array; };
  for (std::size_t i = 0; i < this->attributes.size(); ++i)
    volume.attributes.push_back(
      { this->attributes[i].bytes.data(), this->attributes[i].type, this->components[i], identityOf(2 + i) });
  volume.padding = this->padding;
  volume.ghosts = this->ghosts.empty() ? nullptr : this->ghosts.data();
  volume.identity = identityOf(0);
  volume.ghostIdentity = identityOf(1);
  return volume;
}

bool VolumeInput::mustFitDevices() const
{
  const Vector3& step = this->geometry.step(0);
  const double size =
    this->hasCoordinates() ? std::fabs(this->coordinates[0].front()) : std::hypot(step[0], step[1], step[2]);
  return size > 1e-28 && size < 1e28;
}

namespace
{

// Copies the elements of an array from the samples `from` to the samples of the same order.
template <class Value>
std::vector<Value> gathered(
  const std::vector<Value>& values, const std::vector<std::uint64_t>& from, std::size_t perSample)
{
  std::vector<Value> result;
  for (const std::uint64_t sample : from)
    result.insert(result.end(), values.begin() + std::ptrdiff_t(sample * perSample),
      values.begin() + std::ptrdiff_t((sample + 1) * perSample));
  return result;
}

// Replaces the samples of a volume by others of it, of so many along each axis.
void gather(VolumeInput& input, const std::array<std::uint32_t, 3>& size, const std::vector<std::uint64_t>& from)
{
  input.identity = 0;
  input.samples.bytes = gathered(input.samples.bytes, from, bytesOf(input.samples.type));
  input.samples.size = size;
  if (!input.ghosts.empty())
    input.ghosts = gathered(input.ghosts, from, 1);
  for (std::size_t i = 0; i < input.attributes.size(); ++i)
  {
    test::Samples& attribute = input.attributes[i];
    attribute.bytes = gathered(attribute.bytes, from, input.components[i] * bytesOf(attribute.type));
    attribute.size = { input.components[i] * size[0], size[1], size[2] };
  }
}

}

VolumeInput reordered(const VolumeInput& input, const AxisOrder& order)
{
  VolumeInput result = input;
  const std::array<std::uint32_t, 3>& old = input.samples.size;
  std::array<std::uint32_t, 3> size{};
  std::array<Vector3, 3> steps{};
  Vector3 origin = input.geometry.positionOfZero();
  for (std::size_t a = 0; a < 3; ++a)
  {
    const std::size_t axis = order.axis[a];
    size[a] = old[axis];
    steps[a] = input.geometry.step(axis);
    result.coordinates[a] = input.coordinates[axis];
    result.padding.low[a] = order.isReversed[a] ? input.padding.high[axis] : input.padding.low[axis];
    result.padding.high[a] = order.isReversed[a] ? input.padding.low[axis] : input.padding.high[axis];
    if (!order.isReversed[a])
      continue;
    for (std::size_t c = 0; c < 3; ++c)
      origin[c] += (size[a] - 1.0) * std::exchange(steps[a][c], -steps[a][c]);
    std::reverse(result.coordinates[a].begin(), result.coordinates[a].end());
    for (double& coordinate : result.coordinates[a])
      coordinate = -coordinate;
  }
  result.geometry = SampleGeometry(origin, steps);
  std::vector<std::uint64_t> from;
  for (std::uint64_t i = 0; i < input.samples.count(); ++i)
  {
    const std::array<std::uint64_t, 3> p = { i % size[0], i / size[0] % size[1], i / size[0] / size[1] };
    std::array<std::uint64_t, 3> q{};
    for (std::size_t a = 0; a < 3; ++a)
      q[order.axis[a]] = order.isReversed[a] ? size[a] - 1 - p[a] : p[a];
    from.push_back((q[2] * old[1] + q[1]) * old[0] + q[0]);
  }
  gather(result, size, from);
  return result;
}

PieceOfVolume pieceOf(const VolumeInput& input, std::uint32_t begin, std::uint32_t end)
{
  const std::array<std::uint32_t, 3>& size = input.samples.size;
  const std::uint32_t first = begin < 2 ? 0 : begin - 2, last = std::min(size[2], end + 2);
  PieceOfVolume piece{ input, first };
  const std::uint64_t layer = std::uint64_t(size[0]) * size[1];
  std::vector<std::uint64_t> from;
  for (std::uint64_t i = layer * first; i < layer * last; ++i)
    from.push_back(i);
  if (piece.input.ghosts.empty())
    piece.input.ghosts.resize(input.samples.count());
  for (std::uint64_t i = 0; i < piece.input.ghosts.size(); ++i)
    piece.input.ghosts[i] |= i / layer < begin || i / layer >= end ? Ghost::NotOwned : 0;
  gather(piece.input, { size[0], size[1], last - first }, from);
  if (first > 0)
    piece.input.padding.low[2] = 0;
  if (last < size[2])
    piece.input.padding.high[2] = 0;
  piece.input.geometry.setOrigin(input.geometry.position({ 0, 0, double(first) }));
  std::vector<double>& z = piece.input.coordinates[2];
  if (!z.empty())
    z = { z.begin() + first, z.begin() + last + (input.isCellData ? 1 : 0) };
  return piece;
}

bool scaleValues(VolumeInput& input, std::vector<double>& isovalues, int exponent)
{
  input.identity = 0;
  for (std::uint64_t i = 0; i < input.samples.count(); ++i)
  {
    const double value = input.samples.value(i);
    input.samples.setValue(i, std::ldexp(value, exponent));
    if (!std::isnan(value) && std::ldexp(input.samples.value(i), -exponent) != value)
      return false;
  }
  for (double& isovalue : isovalues)
  {
    const double before = isovalue;
    isovalue = std::ldexp(isovalue, exponent);
    if (!std::isnan(before) && std::ldexp(isovalue, -exponent) != before)
      return false;
  }
  return true;
}

}
