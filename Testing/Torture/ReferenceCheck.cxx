// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "ReferenceCheck.h"

#include "Kernel/Tolerances.h"
#include "Mismatch.h"
#include "Reference/WholeSurface.h"
#include "Support/BlockValues.h"

#include <algorithm>
#include <cfloat>
#include <cmath>

namespace vmc::torture
{

namespace
{

using reference::SurfacePoint;
using reference::WholeSurface;
using test::FractionTolerance;
using test::valuesOf;

template <class Float>
long double unitInTheLastPlace(long double value)
{
  const auto magnitude = static_cast<Float>(std::fabs(value));
  return std::nextafter(magnitude, std::numeric_limits<Float>::infinity()) - magnitude;
}

// The coordinates of the positions of the padded grid along an axis.
std::vector<double> gridCoordinates(const VolumeInput& input, std::size_t axis)
{
  const std::vector<double>& points = input.coordinates[axis];
  std::vector<double> samples = points;
  for (std::size_t i = 0; input.isCellData && i + 1 < points.size(); ++i)
    samples[i] = points[i] / 2 + points[i + 1] / 2;
  samples.resize(input.samples.size[axis]);
  samples.insert(samples.begin(), input.padding.low[axis], points.front());
  samples.insert(samples.end(), input.padding.high[axis], points.back());
  return samples;
}

// The range of the finite samples.
std::array<double, 2> finiteRangeOf(const test::Samples& samples)
{
  std::array<double, 2> range = { DBL_MAX, -DBL_MAX };
  for (std::uint64_t i = 0; i < samples.count(); ++i)
    if (const double value = samples.value(i); std::isfinite(value))
      range = { std::min(range[0], value), std::max(range[1], value) };
  return range[0] > range[1] ? std::array<double, 2>{ 0, 0 } : range;
}

bool hasInfinity(const test::Samples& samples)
{
  for (std::uint64_t i = 0; i < samples.count(); ++i)
    if (std::isinf(samples.value(i)))
      return true;
  return false;
}

// A number that is subtracted from 64-bit integers and the isovalue: the whole number below the isovalue, but not
// beyond the range of the samples. As doubles, the differences have the same order and lose no digit near the isovalue,
// and far from it none that counts beside the range of the samples.
long double baseOf(const test::Samples& samples, double isovalue)
{
  if ((samples.type != SampleType::Int64 && samples.type != SampleType::UInt64) || std::isnan(isovalue))
    return 0;
  long double smallest = samples.exactValue(0), largest = smallest;
  for (std::uint64_t i = 1; i < samples.count(); ++i)
  {
    smallest = std::min(smallest, samples.exactValue(i));
    largest = std::max(largest, samples.exactValue(i));
  }
  return std::clamp<long double>(std::floor(isovalue), smallest, largest);
}

// The part of a mesh that belongs to one isovalue, against the surface of the reference.
class SurfaceCheck
{
public:
  // scale: of the samples of the reference.
  SurfaceCheck(const VolumeInput& input, const Request& request, const Mesh& mesh, int exponent)
    : Input(input)
    , InputRequest(request)
    , Found(mesh)
    , Exponent(exponent)
    , Tolerance(input, mesh)
    , Ids(idsOf(mesh))
    , Gradients(valuesOf<float>(mesh.gradients))
    , Normals(valuesOf<float>(mesh.normals))
    , HasInfinity(hasInfinity(input.samples))
    , IsMirrored(!input.hasCoordinates() && input.geometry.determinant() < 0)
  {
    const std::array<double, 2> range = finiteRangeOf(input.samples);
    this->Range = (long double)range[1] - range[0];
    this->setGradientToWorld();
  }

  void check(const WholeSurface& expected, std::size_t isovalue)
  {
    this->setPoints(expected);
    const std::size_t first = this->Found.firstPoint[isovalue], firstTriangle = this->Found.firstTriangle[isovalue];
    this->Compare.requireEqual(
      this->Found.firstTriangle[isovalue + 1] - firstTriangle, expected.cells.size(), "number of triangles");
    this->Compare.requireEqual(this->Found.firstPoint[isovalue + 1] - first, this->Point.size(), "number of points");
    this->checkTriangles(expected, first, firstTriangle);
    for (std::size_t i = 0; i < this->Point.size(); ++i)
    {
      const SurfacePoint& point = expected.points[this->Point[i]];
      this->checkPosition(point, first + i);
      this->checkGradient(point, first + i);
      for (std::size_t a = 0; a < this->Input.attributes.size(); ++a)
        this->checkAttribute(point, a, first + i);
    }
    this->checkIsovalues(isovalue);
  }

private:
  // The columns of the inverse transpose. Infinite or NaN where they do not exist: then gradients are not compared.
  void setGradientToWorld()
  {
    for (std::size_t a = 0; a < 3; ++a)
      for (std::size_t c = 0; c < 3; ++c)
        this->ToWorld[a][c] = a == c ? 1 : 0;
    if (this->Input.hasCoordinates())
      return;
    const auto& geometry = this->Input.geometry;
    for (std::size_t a = 0; a < 3; ++a)
    {
      const Vector3 &u = geometry.step((a + 1) % 3), &v = geometry.step((a + 2) % 3), &own = geometry.step(a);
      long double determinant = 0;
      for (std::size_t c = 0; c < 3; ++c)
      {
        const std::size_t d = (c + 1) % 3, e = (c + 2) % 3;
        this->ToWorld[a][c] = (long double)u[d] * v[e] - (long double)u[e] * v[d];
        determinant += this->ToWorld[a][c] * own[c];
      }
      for (std::size_t c = 0; c < 3; ++c)
        this->ToWorld[a][c] /= determinant;
    }
  }

  // Sets the expected point of each point of the mesh. Triangles of mirrored volumes are counterclockwise too.
  void setPoints(const WholeSurface& expected)
  {
    this->Corners = expected.triangles;
    for (std::size_t t = 0; this->IsMirrored && t < this->Corners.size(); t += 3)
      std::swap(this->Corners[t + 1], this->Corners[t + 2]);
    this->Point = this->Corners;
    if (!this->InputRequest.mergePoints)
      return;
    this->Point.resize(expected.points.size());
    for (std::size_t i = 0; i < this->Point.size(); ++i)
      this->Point[i] = static_cast<std::uint32_t>(i);
  }

  void checkTriangles(const WholeSurface& expected, std::size_t firstPoint, std::size_t firstTriangle) const
  {
    const std::vector<std::int64_t> cells = valuesOf<std::int64_t>(this->Found.triangleCells);
    for (std::size_t corner = 0; corner < this->Corners.size(); ++corner)
    {
      const std::size_t id = this->InputRequest.mergePoints ? this->Corners[corner] : corner;
      const std::size_t found = static_cast<std::size_t>(this->Ids[3 * firstTriangle + corner]);
      this->Compare.requireNear(found, id + firstPoint, 0, "point id of corner", corner);
      if (this->InputRequest.computeCells)
        this->Compare.requireNear(
          cells[firstTriangle + corner / 3], expected.cells[corner / 3], 0, "cell of triangle", corner / 3);
    }
  }

  void checkPosition(const SurfacePoint& point, std::size_t at) const
  {
    const std::array<long double, 3> found = positionOf(this->Found, at);
    for (std::size_t c = 0; c < 3; ++c)
    {
      long double truth = point.index[c];
      if (!this->Input.hasCoordinates())
      {
        truth = this->Input.geometry.positionOfZero()[c];
        for (std::size_t a = 0; a < 3; ++a)
          truth += (long double)this->Input.geometry.step(a)[c] * point.index[a];
      }
      if (std::max(std::fabs(truth), std::fabs(truth - this->Found.origin[c])) < FLT_MAX / 2) // else it may be infinite
        this->Compare.requireNear(found[c], truth, this->Tolerance.at(c, truth), "coordinate of point", at);
    }
  }

  // The distances of neighbours of coordinates, at least.
  long double leastStep(std::size_t axis) const
  {
    long double least = this->Input.hasCoordinates() ? DBL_MAX : 1;
    const std::vector<double> along =
      this->Input.hasCoordinates() ? gridCoordinates(this->Input, axis) : std::vector<double>();
    for (std::size_t i = 1; i < along.size(); ++i)
      if (along[i] > along[i - 1])
        least = std::min<long double>(least, (long double)along[i] - along[i - 1]);
    return least;
  }

  // A gradient is a sum of a dozen rounded terms, none larger than the range of the samples divided by the spacing. Its
  // interpolation adds the error of the fraction. One below the smallest normal float may be 0, one beyond the largest
  // float is infinite.
  void checkGradient(const SurfacePoint& point, std::size_t at) const
  {
    if (this->HasInfinity || (this->Gradients.empty() && this->Normals.empty()))
      return;
    std::array<long double, 3> truth{}, error{};
    for (std::size_t c = 0; c < 3; ++c)
      for (std::size_t a = 0; a < 3; ++a)
      {
        truth[c] += std::ldexp((long double)point.gradient[a], this->Exponent) * this->ToWorld[a][c];
        error[c] +=
          (12 * 0x1p-24L + FractionTolerance) * this->Range / this->leastStep(a) * std::fabs(this->ToWorld[a][c]);
      }
    for (std::size_t c = 0; c < 3 && !this->Gradients.empty(); ++c)
      if (std::fabs(truth[c]) + error[c] < FLT_MAX)
        this->Compare.requireNear(this->Gradients[3 * at + c], truth[c], error[c] + FLT_MIN, "gradient of point", at);
    const long double length = std::hypot(truth[0], truth[1], truth[2]),
                      uncertain = std::hypot(error[0], error[1], error[2]);
    const bool isCap = point.lowSample == point.highSample; // its normal is the direction out of the volume
    for (std::size_t c = 0; c < 3 && !this->Normals.empty() && !isCap && 16 * uncertain < length; ++c)
      this->Compare.requireNear(
        this->Normals[3 * at + c], -truth[c] / length, 0x1p-22L + 2 * uncertain / length, "normal of point", at);
  }

  // The error of the fraction is multiplied by the difference of the ends. Two conversions, the complement of the
  // fraction, two products and a sum are each rounded by at most 2^-24 of the larger end.
  void checkAttribute(const SurfacePoint& point, std::size_t number, std::size_t at) const
  {
    const test::Samples& attribute = this->Input.attributes[number];
    const auto* const found = reinterpret_cast<const float*>(this->Found.attributes.at(number).data());
    const std::size_t components = this->Input.components[number];
    for (std::size_t c = 0; c < components; ++c)
    {
      const long double from = attribute.value(point.lowSample * components + c),
                        to = attribute.value(point.highSample * components + c);
      const long double tolerance =
        0x1p-22L * std::fabs(to - from) + 6 * 0x1p-24L * std::max(std::fabs(from), std::fabs(to));
      this->Compare.requireNear(
        found[at * components + c], from + point.fraction * (to - from), tolerance, "attribute of point", at);
    }
  }

  void checkIsovalues(std::size_t isovalue) const
  {
    const std::vector<float> values = valuesOf<float>(this->Found.isovalues);
    const auto expected =
      static_cast<float>(this->InputRequest.isovalues[isovalue] - this->InputRequest.isovalues.front());
    for (std::size_t p = this->Found.firstPoint[isovalue]; !values.empty() && p < this->Found.firstPoint[isovalue + 1];
         ++p)
      if (!std::isnan(expected))
        this->Compare.requireEqual(values[p], expected, "isovalue of a point");
  }

  const Oracle Compare{ "reference in double" };
  const VolumeInput& Input;
  const Request& InputRequest;
  const Mesh& Found;
  const int Exponent;
  const PositionTolerance Tolerance;
  const std::vector<std::int64_t> Ids;
  const std::vector<float> Gradients, Normals;
  const bool HasInfinity, IsMirrored;
  long double Range = 0;
  std::array<std::array<long double, 3>, 3> ToWorld{};
  std::vector<std::uint32_t> Corners, Point; // of one isovalue: the expected points of corners and of points
};

}

std::vector<std::int64_t> idsOf(const Mesh& mesh)
{
  if (mesh.hasWideIds)
    return valuesOf<std::int64_t>(mesh.triangles);
  const std::vector<std::uint32_t> narrow = valuesOf<std::uint32_t>(mesh.triangles);
  return { narrow.begin(), narrow.end() };
}

PositionTolerance::PositionTolerance(const VolumeInput& input, const Mesh& mesh)
  : IsDouble(mesh.positionsLow.size() > 0)
  , Origin(mesh.origin)
{
  for (std::size_t c = 0; c < 3; ++c)
    if (input.hasCoordinates())
      this->Sides[c] = gridCoordinates(input, c);
    else
      for (std::size_t a = 0; a < 3; ++a)
        this->Extent[c] += std::fabs(input.geometry.step(a)[c]);
}

long double PositionTolerance::at(std::size_t axis, long double truth) const
{
  long double cell = this->Extent[axis];
  const std::vector<double>& sides = this->Sides[axis];
  const long double inside =
    sides.empty() ? truth : std::clamp(truth, (long double)sides.front(), (long double)sides.back());
  for (std::size_t i = 1; i < sides.size(); ++i)
  {
    const long double size = (long double)sides[i] - sides[i - 1], error = 0x1p-22L * size; // beyond its sides
    if (sides[i - 1] - error <= inside && inside <= sides[i] + error)
      cell = std::max(cell, size);
  }
  // The fraction of a cell is that exact, and its sum with the sample is rounded once more. Devices may round denormal
  // numbers to 0.
  const long double unit =
    this->IsDouble ? unitInTheLastPlace<double>(truth) : unitInTheLastPlace<float>(truth - this->Origin[axis]);
  return std::max({ 0x1p-22L * cell + unit / 2, unit, (long double)FLT_MIN });
}

std::array<long double, 3> positionOf(const Mesh& mesh, std::size_t point)
{
  const auto* const high = reinterpret_cast<const float*>(mesh.positions.data());
  const auto* const low = reinterpret_cast<const float*>(mesh.positionsLow.data());
  std::array<long double, 3> position{};
  for (std::size_t c = 0; c < 3; ++c)
    position[c] =
      (long double)mesh.origin[c] + high[3 * point + c] + (mesh.positionsLow.size() > 0 ? low[3 * point + c] : 0);
  return position;
}

void checkReference(const VolumeInput& input, const Request& request, const Mesh& mesh)
{
  const std::array<double, 2> range = finiteRangeOf(input.samples);
  VolumeInput scaled = input;
  std::vector<double> isovalues = request.isovalues;
  // The reference computes differences and gradients of normal doubles.
  const double largest = std::max(-range[0], range[1]);
  const int exponent = largest > 1e300 ? 100 : largest < 1e-250 ? -500 : 0;
  if (input.samples.count() == 0 || !scaleValues(scaled, isovalues, -exponent))
    return;
  Volume volume = scaled.samples.volume();
  volume.padding = input.padding;
  volume.ghosts = input.ghosts.empty() ? nullptr : input.ghosts.data();
  SurfaceCheck check(input, request, mesh, exponent);
  for (std::size_t i = 0; i < isovalues.size(); ++i)
  {
    const long double base = baseOf(input.samples, isovalues[i]);
    reference::PaddedGrid grid(
      volume, [&](std::size_t s) { return static_cast<double>(scaled.samples.exactValue(s) - base); });
    for (std::size_t axis = 0; input.hasCoordinates() && axis < 3; ++axis)
      grid.coordinate[axis] = gridCoordinates(input, axis);
    check.check(WholeSurface(grid, static_cast<double>(isovalues[i] - base)), i);
  }
}

}
