// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Measurement.h"

#include "ExactSurface.h"
#include "Reference/WholeSurface.h"
#include "Support/AnalyticVolumes.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>
#include <utility>
#include <vector>

namespace vmc::accuracy
{

namespace
{

constexpr std::array<std::uint32_t, 3> SmoothSize = { 48, 48, 48 }, RandomSize = { 24, 24, 24 };
constexpr double Period = 16; // samples
constexpr std::uint64_t Seed = 20261121;

// The lowest 11 bits of 64-bit integers made from doubles are 0. This function makes them random.
void randomizeLowBits(test::Samples& samples)
{
  if (samples.type != SampleType::Int64 && samples.type != SampleType::UInt64)
    return;
  std::mt19937_64 generator(Seed);
  for (std::size_t i = 0; i < samples.bytes.size(); i += sizeof(std::uint64_t))
  {
    std::uint64_t bits = 0;
    std::memcpy(&bits, samples.bytes.data() + i, sizeof(bits));
    bits ^= generator() & 0x7FFu;
    std::memcpy(samples.bytes.data() + i, &bits, sizeof(bits));
  }
}

// A gyroid over the whole range of the type; between -1 and 1 for floats.
test::Samples smooth(SampleType type)
{
  const std::array<double, 2> range = test::rangeOf(type);
  const double halfRange = (range[1] - range[0]) / 2; // a gyroid is between -1.5 and 1.5
  test::Samples samples = test::sample(test::gyroid(Period), SmoothSize, type, halfRange / 1.5, range[0] + halfRange);
  randomizeLowBits(samples);
  return samples;
}

test::Samples random(const std::array<std::uint32_t, 3>& size, SampleType type, std::uint64_t seed)
{
  test::Samples samples = test::sampleNoise(size, type, seed);
  randomizeLowBits(samples);
  return samples;
}

// One isovalue below and one above the middle of the range. The first is an integer for integer types, so it may be
// equal to samples.
std::vector<double> isovaluesOf(SampleType type)
{
  const std::array<double, 2> range = test::rangeOf(type);
  const bool isFloat = type == SampleType::Float32 || type == SampleType::Float64;
  const double below = range[0] + 0.45 * (range[1] - range[0]);
  return { isFloat ? below : std::floor(below), range[0] + 0.55 * (range[1] - range[0]) };
}

const float* floatsOf(const HostBlock& block)
{
  return reinterpret_cast<const float*>(block.data());
}

ExactVector vectorOf(const HostBlock& block, std::size_t point)
{
  const float* values = floatsOf(block) + 3 * point;
  return { values[0], values[1], values[2] };
}

// The position in the output of the filter, rounded to float or to double.
ExactVector positionOf(const Mesh& mesh, std::size_t point)
{
  ExactVector position = vectorOf(mesh.positions, point);
  for (std::size_t c = 0; c < 3 && mesh.positionsLow.size() != 0; ++c)
  {
    const float low = floatsOf(mesh.positionsLow)[3 * point + c];
    position[c] = mesh.origin[c] + (static_cast<double>(position[c]) + low);
  }
  return position;
}

ExactVector differenceOf(const ExactVector& a, const ExactVector& b)
{
  return { a[0] - b[0], a[1] - b[1], a[2] - b[2] };
}

void addPosition(const ExactVector& position, const ExactVector& exact, Exact cell, Measurement& measurement)
{
  for (std::size_t c = 0; c < 3; ++c)
  {
    const Exact error = position[c] - exact[c];
    const Exact ulp = measurement.isDouble ? ulpOf<double>(exact[c]) : ulpOf<float>(exact[c]);
    measurement.position.absolute.add(error / cell);
    measurement.position.relative.add(error / length(exact));
    if (ulp >= CellBound * cell) // below, the bound is CellBound; near 0 ulps are arbitrarily small
      measurement.position.ulps.add(error / ulp);
    measurement.shareOfBound.add(error / std::max(CellBound * cell, ulp));
  }
}

void addNormal(const ExactVector& normal, const ExactVector& exact, Errors& errors)
{
  constexpr Exact DegreesPerRadian = 57.295779513082320877L;
  const Exact difference = length(differenceOf(normal, exact));
  const Exact angle = 2 * std::asin(std::min<Exact>(difference / 2, 1));
  errors.add(difference, 1, angle * DegreesPerRadian);
}

// A volume of a kind, its attribute, and its expected surfaces.
class Experiment
{
public:
  Experiment(const Kind& kind, test::Samples samples)
    : Samples(std::move(samples))
    , Attribute(random(this->Samples.size, kind.type, Seed + 1))
    , Input(this->Samples.volume())
    , Isovalues(isovaluesOf(kind.type))
  {
    this->Input.geometry = kind.geometry;
    this->Input.padding = kind.padding;
    this->Input.attributes = { { this->Attribute.bytes.data(), kind.type, 1 } };
    const reference::PaddedGrid grid(this->Input, [this](std::size_t i) { return this->Samples.value(i); });
    for (const double isovalue : this->Isovalues)
      this->Expected.emplace_back(grid, isovalue);
  }
  Experiment(const Experiment&) = delete;
  Experiment& operator=(const Experiment&) = delete;

  // Adds the errors of an extraction.
  void measure(Session& session, Measurement& measurement) const
  {
    const Mesh mesh = this->extract(session, measurement.isDouble);
    measurement.points += mesh.pointCount;
    if (!this->hasExpectedCounts(mesh))
    {
      measurement.countsAgree = false;
      return;
    }
    for (std::size_t i = 0; i < this->Isovalues.size(); ++i)
    {
      const ExactSurface surface(this->Samples, this->Input.geometry, this->Isovalues[i]);
      for (std::size_t p = 0; p < this->Expected[i].points.size(); ++p)
        this->compare(mesh, mesh.firstPoint[i] + p, this->Expected[i].points[p], surface, measurement);
    }
  }

private:
  Mesh extract(Session& session, bool isDouble) const
  {
    Request request;
    request.isovalues = this->Isovalues;
    request.computeGradients = true;
    request.splitPositions = isDouble;
    Report report;
    std::optional<Surface> surface = session.extract({ this->Input }, request, report); // nothing stops it
    return std::move(surface->meshes.front());
  }

  bool hasExpectedCounts(const Mesh& mesh) const
  {
    std::size_t triangles = 0;
    for (std::size_t i = 0; i < this->Expected.size(); ++i)
    {
      if (mesh.firstPoint[i + 1] - mesh.firstPoint[i] != this->Expected[i].points.size())
        return false;
      triangles += this->Expected[i].cells.size();
    }
    return mesh.triangleCount == triangles;
  }

  void compare(const Mesh& mesh, std::size_t point, const reference::SurfacePoint& crossing,
    const ExactSurface& surface, Measurement& measurement) const
  {
    const ExactPoint exact = surface.point(crossing);
    const ExactVector position = positionOf(mesh, point);
    addPosition(position, exact.position, surface.map().shortestStep(), measurement);
    addNormal(vectorOf(mesh.normals, point), exact.normal, measurement.normal);
    this->addAttribute(floatsOf(mesh.attributes[0])[point], crossing, exact, measurement.attribute);
    if (exact.isCap) // on a cap, values differ from the isovalue and the gradient is undefined
      return;
    const Exact fraction = surface.map().index(position, crossing.axis) - exact.startIndex;
    measurement.scalar.add(exact.from + fraction * (exact.to - exact.from) - surface.isovalue(),
      std::max(std::fabs(exact.from), std::fabs(exact.to)));
    measurement.gradient.add(
      length(differenceOf(vectorOf(mesh.gradients, point), exact.gradient)), exact.steepestGradient);
  }

  void addAttribute(float value, const reference::SurfacePoint& crossing, const ExactPoint& exact, Errors& errors) const
  {
    const Exact from = this->Attribute.exactValue(crossing.lowSample);
    const Exact to = this->Attribute.exactValue(crossing.highSample);
    errors.add(value - (from + exact.fraction * (to - from)), std::max(std::fabs(from), std::fabs(to)));
  }

  test::Samples Samples, Attribute;
  Volume Input; // views both
  std::vector<double> Isovalues;
  std::vector<reference::WholeSurface> Expected; // [isovalue]
};

}

std::array<Measurement, 2> measure(Session& session, const Kind& kind)
{
  std::array<Measurement, 2> measurements;
  for (const test::Samples& samples : { smooth(kind.type), random(RandomSize, kind.type, Seed) })
  {
    const Experiment experiment(kind, samples);
    for (const bool isDouble : { false, true })
    {
      Measurement& measurement = measurements[isDouble ? 1 : 0];
      measurement.name = kind.name;
      measurement.isDouble = isDouble;
      experiment.measure(session, measurement);
    }
  }
  return measurements;
}

}
