// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Case.h"

#include "Input.h"
#include "Support/Dice.h"
#include "Support/RandomLevels.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

namespace vmc::torture
{

namespace
{

using test::Dice;

constexpr double Infinity = std::numeric_limits<double>::infinity();

template <class Value, std::size_t N>
Value oneOf(Dice& dice, const Value (&values)[N])
{
  return values[static_cast<std::size_t>(dice.between(0, N - 1))];
}

// Many sizes are those at the borders of bricks.
std::uint32_t randomSize(Dice& dice)
{
  constexpr std::uint32_t Borders[] = { 1, 2, 3, 7, 8, 9, 10, 15, 16, 17 };
  if (dice.chance(0.02))
    return 0;
  return dice.chance(0.4) ? oneOf(dice, Borders)
                          : static_cast<std::uint32_t>(dice.between(1, dice.chance(0.1) ? 20 : 9));
}

// As the filter sets them, or anything that the core takes.
Padding randomPadding(Dice& dice)
{
  Padding padding;
  padding.closed = dice.chance(0.6);
  padding.border = dice.chance(0.6) ? 0.5f : 0.0f;
  const std::uint32_t layers = (padding.border > 0 ? 1 : 0) + (padding.closed ? 1 : 0);
  padding.low = padding.high = { layers, layers, layers };
  for (std::size_t axis = 0; dice.chance(0.3) && axis < 3; ++axis)
  {
    padding.low[axis] = static_cast<std::uint32_t>(dice.between(0, 2));
    padding.high[axis] = static_cast<std::uint32_t>(dice.between(0, 2));
  }
  return padding;
}

void setUnits(VolumeSettings& volume, Dice& dice)
{
  if (dice.chance(0.3))
    return;
  volume.units = static_cast<Units>(dice.between(1, 6));
  constexpr int Exponents[] = { -1000, -140, -120, -60, -20, 20, 60, 120, 127, 1000 };
  if (dice.chance(0.12))
    volume.unitExponent = oneOf(dice, Exponents);
}

void setSamples(VolumeSettings& volume, Dice& dice)
{
  volume.type = test::AllSampleTypes[static_cast<std::size_t>(dice.between(0, 9))];
  volume.pattern = static_cast<Pattern>(dice.chance(0.1) ? 3 : dice.between(0, 2));
  volume.seed = static_cast<std::uint64_t>(dice.between(1, 1 << 30));
  constexpr int FloatExponents[] = { -149, -140, -126, -100, 10, 100, 126, 127 };
  constexpr int DoubleExponents[] = { -1074, -1060, -1000, -300, 40, 300, 1000, 1022 };
  if (dice.chance(0.15) && volume.isFloat())
    volume.exponent = volume.type == SampleType::Float32 ? oneOf(dice, FloatExponents) : oneOf(dice, DoubleExponents);
  constexpr double Parts[] = { 0.002, 0.02, 0.2, 0.7 };
  volume.nanPart = volume.isFloat() && dice.chance(0.2) ? oneOf(dice, Parts) : 0;
  volume.infinityPart = volume.isFloat() && dice.chance(0.1) ? oneOf(dice, Parts) : 0;
  volume.blankPart = dice.chance(0.15) ? oneOf(dice, Parts) : 0;
  volume.notOwnedPart = dice.chance(0.15) ? oneOf(dice, Parts) : 0;
  volume.strangePart = dice.chance(0.03) ? oneOf(dice, Parts) : 0;
}

VolumeSettings randomVolume(Dice& dice)
{
  VolumeSettings volume;
  volume.size = { randomSize(dice), randomSize(dice), randomSize(dice) };
  setSamples(volume, dice);
  setUnits(volume, dice);
  if (dice.chance(0.4))
    volume.padding = randomPadding(dice);
  for (std::int64_t count = dice.chance(0.25) ? dice.between(1, 2) : 0; count > 0; --count)
    volume.attributes.push_back({ test::AllSampleTypes[static_cast<std::size_t>(dice.between(0, 9))],
      static_cast<std::uint32_t>(dice.between(1, dice.chance(0.1) ? 9 : 3)) });
  volume.hasIdentity = dice.chance(0.5);
  return volume;
}

// An isovalue in, beside or beyond the samples.
double randomIsovalue(const std::vector<double>& samples, Dice& dice)
{
  const std::int64_t kind = dice.between(0, 19);
  const double any =
    samples.empty() ? 0 : samples[static_cast<std::size_t>(dice.between(0, std::int64_t(samples.size()) - 1))];
  const double other =
    samples.empty() ? 1 : samples[static_cast<std::size_t>(dice.between(0, std::int64_t(samples.size()) - 1))];
  if (kind < 5)
    return any;
  if (kind < 7)
    return std::nextafter(any, kind == 5 ? -Infinity : Infinity);
  if (kind < 8)
    return std::nextafter(static_cast<float>(any), 3e38f);
  constexpr double Beyond[] = { 1e300, -1e300, Infinity, -Infinity, std::numeric_limits<double>::quiet_NaN(), 0, -0.0,
    5e-324, 3.5e38, 0x1p63, 0x1p64 };
  return kind < 10 ? oneOf(dice, Beyond) : any / 2 + other / 2;
}

std::vector<double> randomIsovalues(const std::vector<double>& samples, Dice& dice)
{
  std::vector<double> isovalues;
  for (std::int64_t count = dice.chance(0.03) ? 0 : dice.chance(0.6) ? 1 : dice.between(2, 4); count > 0; --count)
    isovalues.push_back(!isovalues.empty() && dice.chance(0.15) ? isovalues.front() : randomIsovalue(samples, dice));
  return isovalues;
}

Request randomRequest(Dice& dice)
{
  Request request;
  request.computeNormals = dice.chance(0.7);
  request.computeGradients = dice.chance(0.4);
  request.splitPositions = dice.chance(0.3);
  request.relativePositions = dice.chance(0.2);
  request.computeCells = dice.chance(0.7);
  request.mergePoints = dice.chance(0.8);
  request.wideIds = dice.chance(0.3);
  request.pointIsovalues = request.mergePoints && dice.chance(0.3);
  request.computeMeasures = request.mergePoints && dice.chance(0.25);
  request.timeStages = dice.chance(0.5);
  request.threads = static_cast<unsigned>(dice.between(1, 3));
  if (dice.chance(0.2))
    request.memoryLimit = std::uint64_t(1) << dice.between(16, 27);
  return request;
}

RegionChoice randomChoice(Dice& dice)
{
  RegionChoice choice;
  choice.keep = static_cast<RegionChoice::Keep>(dice.between(0, 7));
  choice.count = static_cast<std::size_t>(dice.between(1, 3));
  choice.least = choice.keep == RegionChoice::Keep::LeastTriangles ? double(dice.between(0, 20)) : dice.uniform(0, 5);
  choice.point = { dice.uniform(-3, 20), dice.uniform(-3, 20), dice.uniform(-3, 20) };
  return choice;
}

}

std::string Case::className() const
{
  if (this->volumes.empty())
    return this->levels.hasBorder ? "levels up to the border" : "levels";
  if (this->volumes.size() > 1)
    return "lists of volumes";
  const VolumeSettings& volume = this->volumes.front();
  const std::string name = volume.hasCoordinates() ? "rectilinear grids" : "images";
  return name + (volume.isExtreme()                          ? ", extreme units"
                  : volume.nanPart + volume.infinityPart > 0 ? ", NaN or infinities"
                  : volume.hasFlags()                        ? ", flags"
                  : volume.padding.isEmpty()                 ? ""
                                                             : ", border");
}

Case randomCase(std::uint64_t seed, std::uint64_t number)
{
  Dice dice(seed * 0x9E3779B97F4A7C15u + number); // odd: seeds differ in all bits
  Case made;
  made.seed = seed;
  made.number = number;
  made.request = randomRequest(dice);
  if (dice.chance(0.06))
  {
    made.levels.seed = static_cast<std::uint64_t>(dice.between(0, 1 << 30));
    made.levels.hasBorder = dice.chance(0.5);
    made.levels.isClosed = made.levels.hasBorder && dice.chance(0.5);
    made.levels.pieces = made.levels.hasBorder ? 1 : static_cast<std::size_t>(dice.between(1, 3));
    made.request.isovalues = { test::randomLevels(made.levels.seed).isovalue };
    return made;
  }
  for (std::int64_t count = dice.chance(0.1) ? dice.between(2, 4) : 1; count > 0; --count)
    made.volumes.push_back(randomVolume(dice));
  const test::Samples samples = samplesOf(made.volumes.front());
  std::vector<double> values;
  for (std::uint64_t i = 0; i < samples.count(); ++i)
    values.push_back(samples.value(i));
  made.request.isovalues = randomIsovalues(values, dice);
  if (made.request.mergePoints && dice.chance(0.2))
    made.regions = randomChoice(dice);
  return made;
}

namespace
{

std::string wordsOf(const std::array<std::uint32_t, 3>& numbers)
{
  return std::to_string(numbers[0]) + " x " + std::to_string(numbers[1]) + " x " + std::to_string(numbers[2]);
}

void describe(const VolumeSettings& volume, std::ostream& out)
{
  constexpr const char* Patterns[] = { "noise", "few values", "smooth", "extremes" };
  constexpr const char* UnitNames[] = { "plain", "scaled", "oblique", "mirrored", "far", "points", "cells" };
  out << wordsOf(volume.size) << " " << test::nameOf(volume.type) << ", " << Patterns[static_cast<int>(volume.pattern)]
      << " of seed " << volume.seed << ", units " << UnitNames[static_cast<int>(volume.units)];
  if (volume.exponent != 0)
    out << ", values times 2^" << volume.exponent;
  if (volume.unitExponent != 0)
    out << ", units times 2^" << volume.unitExponent;
  for (const auto& [part, name] :
    { std::pair<double, const char*>(volume.nanPart, "NaN"), { volume.infinityPart, "infinities" },
      { volume.blankPart, "blank" }, { volume.notOwnedPart, "not owned" }, { volume.strangePart, "strange flags" } })
    if (part > 0)
      out << ", " << name << " " << part;
  if (!volume.padding.isEmpty())
    out << ", padding low " << wordsOf(volume.padding.low) << " high " << wordsOf(volume.padding.high) << " border "
        << volume.padding.border << (volume.padding.closed ? " closed" : "");
  for (const AttributeSettings& attribute : volume.attributes)
    out << ", attribute " << attribute.components << " x " << test::nameOf(attribute.type);
  out << (volume.hasIdentity ? ", identity" : "");
}

}

std::string describe(const Case& of)
{
  std::ostringstream out;
  for (const VolumeSettings& volume : of.volumes)
  {
    out << "volume: ";
    describe(volume, out);
    out << "\n";
  }
  if (of.volumes.empty())
    out << "levels of seed " << of.levels.seed << (of.levels.hasBorder ? ", border" : "")
        << (of.levels.isClosed ? ", closed" : "") << ", pieces " << of.levels.pieces << "\n";
  const Request& request = of.request;
  out << "request: isovalues" << std::hexfloat;
  for (const double isovalue : request.isovalues)
    out << " " << isovalue;
  out << std::defaultfloat;
  for (const auto& [isOn, name] :
    { std::pair<bool, const char*>(request.computeNormals, "normals"), { request.computeGradients, "gradients" },
      { request.splitPositions, "split positions" }, { request.relativePositions, "relative positions" },
      { request.computeCells, "cells" }, { !request.mergePoints, "own points" }, { request.wideIds, "wide ids" },
      { request.pointIsovalues, "isovalues of points" }, { request.computeMeasures, "measures" },
      { request.timeStages, "times" } })
    out << (isOn ? std::string(", ") + name : "");
  out << ", threads " << request.threads << ", memory limit " << request.memoryLimit;
  if (of.regions)
    out << ", regions: choice " << static_cast<int>(of.regions->keep) << ", count " << of.regions->count << ", least "
        << of.regions->least;
  return out.str();
}

}
