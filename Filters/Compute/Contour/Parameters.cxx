// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Contour/Parameters.h"

#include "Compute/System/Error.h"
#include "Embedded/Kernels.h"
#include "Shared/Constants.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <sstream>
#include <string>

namespace vmc
{

namespace
{

// Returns whether each axis of the volume is parallel to the same axis of the world.
bool isAligned(const SampleGeometry& map)
{
  for (std::size_t a = 0; a < 3; ++a)
    for (std::size_t c = 0; c < 3; ++c)
      if (a != c && map.step(a)[c] != 0)
        return false;
  return true;
}

}

// `volatile` works around GCC 12, which computes a remainder of 0 when it vectorizes this function.
void splitInTwo(double value, float& high, float& low)
{
  const volatile float rounded = static_cast<float>(value);
  high = rounded;
  low = static_cast<float>(value - high);
}

namespace
{

// Kernels multiply distances and coordinates by 4097 and by numbers of samples, and divide by distances.
constexpr double LeastDistance = 1e-30, LargestDistance = 1e30;

void refuse(const std::string& found)
{
  std::ostringstream text;
  text << found << "; a Vulkan device computes with distances from " << LeastDistance << " to " << LargestDistance
       << ".";
  throw Error(Error::Kind::Unsupported, text.str());
}

std::string textOf(double value)
{
  std::ostringstream text;
  text << value;
  return text.str();
}

void checkDistance(double distance)
{
  if (distance < LeastDistance || distance > LargestDistance)
    refuse("Samples have a distance of " + textOf(distance));
}

void checkCoordinate(double coordinate)
{
  if (std::abs(coordinate) > LargestDistance)
    refuse("A sample has the coordinate " + textOf(coordinate));
}

}

Geometry geometryOf(const SampleGeometry& map)
{
  const auto columns = map.gradientToWorld();
  for (std::size_t a = 0; a < 3; ++a)
    checkDistance(std::hypot(map.step(a)[0], map.step(a)[1], map.step(a)[2]));
  for (const double coordinate : map.origin())
    checkCoordinate(coordinate);
  Geometry geometry{};
  for (int c = 0; c < 3; ++c)
    splitInTwo(map.origin()[c], geometry.originHigh[c], geometry.originLow[c]);
  for (std::size_t a = 0; a < 3; ++a)
  {
    const std::array<double, 3>& column = columns[a];
    for (std::size_t c = 0; c < 3; ++c)
      splitInTwo(map.step(a)[c], geometry.axisHigh[a][c], geometry.axisLow[a][c]);
    const int exponent = std::ilogb(std::max({ std::abs(column[0]), std::abs(column[1]), std::abs(column[2]) }));
    geometry.gradientExponent[a] = exponent;
    for (std::size_t c = 0; c < 3; ++c)
      geometry.gradientToWorld[c][a] = static_cast<float>(std::scalbn(column[c], -exponent));
  }
  return geometry;
}

std::vector<Geometry> geometriesOf(const LevelBricks& levels, const Request& request)
{
  std::vector<Geometry> geometries;
  for (std::size_t level = 0; level < levels.levels.size(); ++level)
  {
    SampleGeometry geometry = levels.geometryOf(level, request.omitsOrigin());
    const LevelIndex origin = levels.levels[level].originOfFloats(); // cells on the device count from there
    geometry.setOrigin(geometry.position({ double(origin[0]), double(origin[1]), double(origin[2]) }));
    geometries.push_back(geometryOf(geometry));
  }
  geometries.resize(LEVELS_MOST);
  return geometries;
}

std::vector<GridCoordinate> coordinatesOf(const Volume& volume, const Vector3& zero)
{
  std::vector<GridCoordinate> table;
  for (std::size_t axis = 0; volume.geometry.hasCoordinates() && axis < 3; ++axis)
  {
    const std::vector<double> coordinates = volume.gridCoordinates(axis);
    checkCoordinate(zero[axis] + coordinates.front());
    checkCoordinate(zero[axis] + coordinates.back());
    for (std::size_t i = 0; i < coordinates.size(); ++i)
    {
      if (i + 1 < coordinates.size() && coordinates[i + 1] != coordinates[i])
        checkDistance(coordinates[i + 1] - coordinates[i]);
      GridCoordinate& entry = table.emplace_back();
      splitInTwo(zero[axis] + coordinates[i], entry.high, entry.low);
      if (i + 1 < coordinates.size())
        entry.toNext = static_cast<float>(coordinates[i + 1] - coordinates[i]);
    }
  }
  return table;
}

namespace
{

// The coordinates of a grid along an axis, from sample 0 on.
struct GridSpan
{
  double low, high;
  double longest; // distance between neighbours
};

MeshLengths lengthsOf(const SampleGeometry& geometry, const std::array<GridSpan, 3>& spans, const Request& request)
{
  constexpr double Rounding = 0x1p-22; // of the difference of two floats, with some room for how they are found
  MeshLengths lengths;
  for (std::size_t c = 0; c < 3; ++c)
  {
    double edge = 0, extent = 0, farthest = request.omitsOrigin() ? 0 : std::abs(geometry.origin()[c]);
    for (std::size_t a = 0; a < 3; ++a)
    {
      const double step = std::abs(geometry.step(a)[c]);
      edge += step * spans[a].longest;
      extent += step * (spans[a].high - spans[a].low);
      farthest += step * std::max(std::abs(spans[a].low), std::abs(spans[a].high));
    }
    lengths.edge = std::max(lengths.edge, edge + Rounding * farthest);
    lengths.extent = std::max(lengths.extent, extent + Rounding * farthest);
  }
  return lengths;
}

}

MeshLengths lengthsOf(const Volume& volume, const Request& request)
{
  if (request.memory == OutputMemory::Host || !volume.hasDualCell())
    return {};
  std::array<GridSpan, 3> spans{};
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    if (!volume.geometry.hasCoordinates())
    {
      spans[axis] = { -1.0, double(volume.size[axis]), 1 }; // the border is within a step
      continue;
    }
    const std::vector<double> coordinates = volume.gridCoordinates(axis);
    const double first = volume.geometry.coordinate(axis, 0);
    spans[axis] = { coordinates.front() - first, coordinates.back() - first, 0 };
    for (std::size_t i = 1; i < coordinates.size(); ++i)
      spans[axis].longest = std::max(spans[axis].longest, coordinates[i] - coordinates[i - 1]);
  }
  return lengthsOf(volume.geometry, spans, request);
}

MeshLengths lengthsOf(const LevelBricks& levels, const Request& request)
{
  if (request.memory == OutputMemory::Host || levels.brickCount() == 0)
    return {};
  constexpr double Infinity = std::numeric_limits<double>::infinity();
  std::array<GridSpan, 3> spans{};
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    spans[axis] = { Infinity, -Infinity, 1 };
    for (const LevelOfBricks& level : levels.levels)
      if (!level.brick.empty())
      {
        const auto cells = BRICK_SIZE * BRICK_SIZE * std::int64_t(level.table.pages()[axis]);
        const auto perCell = double(level.perCell[axis]);
        spans[axis].low = std::min(spans[axis].low, double(level.low[axis]) / perCell - 1);
        spans[axis].high = std::max(spans[axis].high, double(level.low[axis] + cells) / perCell);
      }
  }
  return lengthsOf(levels.levels.front().geometry, spans, request);
}

const kernels::Words& emitPointsKernelOf(const Volume& volume)
{
  return volume.geometry.hasCoordinates() ? kernels::EmitPointsAtCoordinates : kernels::EmitPoints;
}

namespace
{

void setThreshold(SlabConstants& parameters, const Threshold& threshold, SampleType type)
{
  parameters.thresholdKey = threshold.key;
  parameters.thresholdLow = threshold.lowKey;
  // Ranges of 64-bit samples hold high words only, so a smallest key equal to the threshold's may belong to an outside
  // sample. If the threshold is key 0, outside values have key 0 too.
  const bool mayBeEqual = (bytesOf(type) == 8 && threshold.lowKey != 0) || threshold.key == 0;
  parameters.selectUpTo = mayBeEqual ? threshold.key : threshold.key - 1;
  parameters.isovalueHigh = threshold.high;
  parameters.isovalueLow = threshold.low;
  parameters.isovalueExponent = threshold.exponent;
  std::uint32_t words[2];
  std::memcpy(words, &threshold.isovalue, sizeof(words));
  parameters.isovalueLowWord = words[0];
  parameters.isovalueHighWord = words[1];
}

}

SlabConstants parametersOf(
  const Volume& volume, const ContourPlan& plan, const Slab& slab, const Threshold& threshold, const Request& request)
{
  SlabConstants parameters = parametersOf(volume, plan, slab);
  setThreshold(parameters, threshold, volume.type);
  parameters.settings |= settingsOf(outputsOf(request, volume.attributes));
  parameters.settings |= volume.geometry.determinant() < 0 ? SETTING_FLIP_WINDING : 0;
  parameters.settings |= request.writesWideIds() ? SETTING_WIDE_IDS : 0;
  return parameters;
}

SlabConstants parametersOf(
  const LevelArrays& levels, const DeviceLimits& limits, const Threshold& threshold, const Request& request)
{
  const LevelBricks& bricks = *levels.bricks;
  SlabConstants parameters{};
  parameters.brickCount = parameters.ownBrickCount = static_cast<std::uint32_t>(bricks.brickCount());
  parameters.maxGroups = limits.maxGroups;
  setThreshold(parameters, threshold, bricks.type);
  parameters.settings |= settingsOf(outputsOf(request, levels.attributeViews()));
  parameters.settings |= bricks.levels.front().geometry.determinant() < 0 ? SETTING_FLIP_WINDING : 0;
  parameters.settings |= request.writesWideIds() ? SETTING_WIDE_IDS : 0;
  return parameters;
}

SlabConstants withFirst(
  SlabConstants parameters, const Request& request, std::uint64_t firstPoint, std::uint64_t firstTriangle)
{
  parameters.pointBase = request.mergePoints ? static_cast<std::uint32_t>(firstPoint) : 0;
  parameters.pointStart = parameters.pointBase % BindableElements;
  parameters.triangleStart = static_cast<std::uint32_t>(firstTriangle % BindableElements);
  return parameters;
}

SlabConstants forPoints(SlabConstants parameters, const Request& request)
{
  parameters.ownBrickCount = request.mergePoints ? parameters.ownBrickCount : parameters.brickCount;
  return parameters;
}

ValueConstants parametersOfAttribute(
  const Attribute& attribute, const Window& window, std::uint64_t start, std::uint64_t points)
{
  ValueConstants parameters{};
  parameters.start = static_cast<std::uint32_t>(start);
  parameters.count = static_cast<std::uint32_t>(points);
  parameters.components = attribute.components;
  parameters.windowOffset = window.offsetInValues;
  return parameters;
}

ValueConstants parametersOfCorners(const Output& output, std::uint64_t firstTriangle, std::uint64_t triangles)
{
  ValueConstants parameters{};
  parameters.start = static_cast<std::uint32_t>(3 * (firstTriangle % BindableElements));
  parameters.count = static_cast<std::uint32_t>(3 * triangles);
  parameters.components = output.words;
  return parameters;
}

Specialization specializationOf(const Volume& volume, const Request& request, bool hasNan)
{
  Specialization specialization = specializationOf(volume);
  specialization[SPECIALIZE_BLANKING] = hasNan || volume.ghosts ? 1 : 0;
  specialization[SPECIALIZE_GHOSTS] = volume.ghosts ? 1 : 0;
  specialization[SPECIALIZE_SLOPES] = request.computeNormals || request.computeGradients ? 1 : 0;
  specialization[SPECIALIZE_ALIGNED] = isAligned(volume.geometry) ? 1 : 0;
  return specialization;
}

Specialization specializationOf(const LevelBricks& levels, const Request& request)
{
  Specialization specialization = specializationOf(levels.type);
  specialization[SPECIALIZE_BLANKING] = 1;
  specialization[SPECIALIZE_SLOPES] = request.computeNormals || request.computeGradients ? 1 : 0;
  specialization[SPECIALIZE_ALIGNED] = isAligned(levels.levels.front().geometry) ? 1 : 0;
  specialization[SPECIALIZE_NESTED] = levels.isWellNested ? 1 : 0;
  return specialization;
}

namespace
{

// Adds the kernels of SlabPasses::computeValues.
void addValueKernels(const std::vector<Attribute>& attributes, const Request& request, std::vector<KernelVariant>& list)
{
  for (const Attribute& attribute : attributes)
    list.push_back({ &kernels::InterpolateAttribute, specializationOf(attribute.type) });
  if (!request.mergePoints)
    list.push_back({ &kernels::RepeatCorners, {} });
}

}

// In LEVEL_GROUP_UNCUT no stitched cell has triangles. Only EmitLevelPoints needs the variant for stitched bricks
// there: bricks around may have marked edges towards coarser leaves.
KernelVariant levelVariantOf(const kernels::Words& kernel, Specialization specialization, std::uint32_t group)
{
  const bool isStitched =
    group == LEVEL_GROUP_STITCHED || (group == LEVEL_GROUP_UNCUT && &kernel == &kernels::EmitLevelPoints);
  specialization[SPECIALIZE_BRICK_KIND] = isStitched                   ? BRICK_IS_STITCHED
                                          : group == LEVEL_GROUP_PLAIN ? BRICK_IS_PLAIN
                                                                       : BRICK_IS_MASKED;
  return { &kernel, std::move(specialization) };
}

std::vector<KernelVariant> kernelsOf(const LevelArrays& levels, const Request& request)
{
  using namespace kernels;
  const Specialization specialization = specializationOf(*levels.bricks, request);
  std::vector<KernelVariant> list;
  for (const Words* kernel : { &SelectBricks, &CompactBricks, &GroupLevelBricks, &NumberLevelPoints, &ScanBricks })
    list.push_back({ kernel, specialization });
  for (const Words* kernel : { &CountLevelBricks, &EmitLevelPoints, &EmitLevelTriangles })
    for (std::uint32_t group = 0; group < LEVEL_GROUPS; ++group)
      if (levels.hasGroup[group])
        list.push_back(levelVariantOf(*kernel, specialization, group));
  addValueKernels(levels.attributeViews(), request, list);
  return list;
}

std::vector<KernelVariant> kernelsOf(const Volume& volume, const Request& request, bool hasNan)
{
  using namespace kernels;
  const Specialization specialization = specializationOf(volume, request, hasNan);
  std::vector<KernelVariant> list;
  for (const Words* kernel : { &BuildBrickRanges, &SelectBricks, &CompactBricks, &CountBricks, &ScanBricks,
         &emitPointsKernelOf(volume), &EmitTriangles })
    list.push_back({ kernel, specialization });
  addValueKernels(volume.attributes, request, list);
  return list;
}

}
