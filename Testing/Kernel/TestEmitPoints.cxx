// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Embedded/Kernels.h"
#include "Reference/EmitPoints.h"

#include "Compute/Contour/Parameters.h"
#include "KernelRunner.h"
#include "Reference/InterpolateAttribute.h"
#include "Reference/SlabReference.h"
#include "Shared/Bindings.h"
#include "SlabInputs.h"
#include "Support/GpuTest.h"
#include "Support/ObliqueMap.h"
#include "Support/RandomCoordinates.h"
#include "Tolerances.h"

#include <algorithm>
#include <cmath>

namespace vmc::test
{

namespace
{

constexpr double Rounding = 0x1p-24; // largest relative error of one float operation

// The largest world gradient that differences of samples over the whole range of the type can make.
double largestSlope(SampleType type, const reference::WorldMap& map)
{
  const std::array<double, 2> range = rangeOf(type);
  double sum = 0;
  for (std::size_t a = 0; a < 3; ++a)
  {
    reference::Vector derivative{};
    derivative[a] = range[1] - range[0];
    sum += reference::length(map.gradient(derivative));
  }
  return sum;
}

Coordinates randomCoordinatesOf(const SlabInput& input)
{
  return randomCoordinates({ input.slab.sizeX, input.slab.sizeY, input.slab.sizeZ }, 5);
}

// The coordinates of all grid positions, as the kernel reads them.
std::vector<GridCoordinate> tableOf(const Coordinates& coordinates)
{
  Volume grid;
  for (std::size_t axis = 0; axis < 3; ++axis)
    grid.size[axis] = static_cast<std::uint32_t>(coordinates[axis].size());
  grid.geometry = SampleGeometry::ofPoints(coordinates);
  return coordinatesOf(grid, { 0, 0, 0 });
}

template <class Value>
std::vector<Value> valuesFrom(const std::vector<Value>& values, std::size_t first)
{
  return { values.begin() + first, values.end() };
}

}

class EmitPoints : public GpuTest
{
protected:
  static void writeInputs(KernelRunner& runner, const SlabInput& input, const reference::SlabReference& slabReference,
    const Geometry& geometry = geometryOf(SampleGeometry()))
  {
    runner.write(BINDING_SAMPLES, input.samples.words);
    runner.write(BINDING_GHOSTS, input.ghosts.words);
    runner.write(BINDING_GEOMETRY, std::vector<Geometry>{ geometry });
    runner.write(BINDING_ACTIVE_BRICK, slabReference.activeBrick);
    runner.write(BINDING_ROWS, slabReference.rows);
    runner.write(BINDING_BRICK_OFFSET, slabReference.brickOffset);
    runner.write(BINDING_TOTALS, slabReference.total);
  }

  // coordinates: of all grid positions along each axis, with EmitPointsAtCoordinates; null: their numbers.
  void expectReference(Context& context, const SlabInput& input, const SampleGeometry& indexToWorld,
    const Specialization& special = {}, const Coordinates* coordinates = nullptr)
  {
    reference::SlabReference slabReference(input.slab, input.samples, input.ghosts);
    const Geometry geometry = geometryOf(indexToWorld);
    const std::size_t points = slabReference.emitCount() < slabReference.activeCount()
                                 ? slabReference.brickOffset[slabReference.emitCount()]
                                 : slabReference.total[TOTAL_POINTS];
    std::vector<reference::EmittedPoint> expected(points);
    reference::SlabGrid grid = slabReference.grid();
    if (coordinates)
      grid.setCoordinates(*coordinates);
    reference::emitPoints(slabReference.emitCount(), grid,
      reference::isovalueOf(slabReference.slab, slabReference.samples.type), geometry, slabReference.activeBrick,
      slabReference.rows, slabReference.brickOffset, expected);

    KernelRunner runner(context);
    writeInputs(runner, input, slabReference, geometry);
    if (input.hasHalo())
      runner.write(BINDING_SAMPLES, input.samplesOfOwnBricks().words);
    if (coordinates)
      runner.write(BINDING_COORDINATES, tableOf(*coordinates));
    // With points before the first one, and one point after the last one that the kernel must not write.
    const std::size_t start = input.slab.pointStart, end = start + points;
    for (const std::uint32_t binding :
      { BINDING_POSITION, BINDING_POSITION_LOW, BINDING_NORMAL, BINDING_GRADIENT, BINDING_CROSSING })
      runner.write(binding, std::vector<std::uint32_t>((binding == BINDING_CROSSING ? 4 : 3) * (end + 1), CanaryWord));
    Specialization specialization = special;
    specialization.merge(input.specialization());
    runner.run(coordinates ? kernels::EmitPointsAtCoordinates : kernels::EmitPoints, specialization, slabReference.slab,
      slabReference.emitCount());

    SCOPED_TRACE(input.name);
    const reference::WorldMap map(geometry);
    this->expectPositions(valuesFrom(runner.read<float>(BINDING_POSITION, 3 * end), 3 * start),
      valuesFrom(runner.read<float>(BINDING_POSITION_LOW, 3 * end), 3 * start), expected, map);
    const double slope = largestSlope(input.samples.type, map) / (coordinates ? LeastDistance : 1);
    this->expectNormals(valuesFrom(runner.read<float>(BINDING_NORMAL, 3 * end), 3 * start), expected, slope);
    this->expectGradients(valuesFrom(runner.read<float>(BINDING_GRADIENT, 3 * end), 3 * start), expected, slope);
    this->expectCrossings(valuesFrom(runner.read<EdgeCrossing>(BINDING_CROSSING, end), start), expected);
    EXPECT_EQ(runner.read<std::uint32_t>(BINDING_POSITION, 3 * end + 1).back(), CanaryWord);
    EXPECT_EQ(runner.read<std::uint32_t>(BINDING_NORMAL, 3 * end + 1).back(), CanaryWord);
    EXPECT_EQ(runner.read<std::uint32_t>(BINDING_GRADIENT, 3 * end + 1).back(), CanaryWord);
    EXPECT_EQ(runner.read<std::uint32_t>(BINDING_POSITION_LOW, 3 * end + 1).back(), CanaryWord);
    EXPECT_EQ(runner.read<std::uint32_t>(BINDING_CROSSING, 4 * end + 1).back(), CanaryWord);
  }

  static void expectPositions(const std::vector<float>& position, const std::vector<float>& low,
    const std::vector<reference::EmittedPoint>& expected, const reference::WorldMap& map)
  {
    for (std::size_t i = 0; i < expected.size(); ++i)
      for (std::size_t c = 0; c < 3; ++c)
      {
        const double truth = expected[i].position[c];
        // The error of the fraction along the crossed axis and the rounding of its product. The remaining terms are as
        // large as the origin or the coordinate, and two floats hold 48 bits of them.
        const double inDouble = (FractionTolerance + Rounding) * std::fabs(map.axis[expected[i].axis][c]) +
                                4 * Rounding * Rounding * std::max(std::fabs(map.origin[c]), std::fabs(truth));
        const std::size_t at = 3 * i + c;
        ASSERT_NEAR(double(position[at]) + low[at], truth, inDouble) << "point " << i << ", component " << c;
        ASSERT_NEAR(position[at], truth, inDouble + Rounding * std::fabs(truth))
          << "point " << i << ", component " << c;
      }
  }

  // The tolerance is explained at expectNormals().
  static void expectGradients(
    const std::vector<float>& gradient, const std::vector<reference::EmittedPoint>& expected, double slopeOfRange)
  {
    for (std::size_t i = 0; i < expected.size(); ++i)
      for (std::size_t c = 0; c < 3; ++c)
        ASSERT_NEAR(gradient[3 * i + c], expected[i].gradient[c], (12 * Rounding + FractionTolerance) * slopeOfRange)
          << "point " << i << ", component " << c;
  }

  // The error of a normal is the error of the gradient divided by the gradient's length. The gradient is a sum of a
  // dozen rounded terms, none larger than the largest slope. Its interpolation adds the error of the fraction.
  static void expectNormals(
    const std::vector<float>& normal, const std::vector<reference::EmittedPoint>& expected, double slopeOfRange)
  {
    for (std::size_t i = 0; i < expected.size(); ++i)
    {
      const reference::Vector n = { normal[3 * i], normal[3 * i + 1], normal[3 * i + 2] };
      ASSERT_NEAR(reference::length(n), 1, 8 * Rounding)
        << "point " << i; // a square root and a division of rounded squares
      const double tolerance =
        12 * Rounding + (12 * Rounding + FractionTolerance) * slopeOfRange / reference::length(expected[i].slope);
      for (std::size_t c = 0; c < 3; ++c)
        ASSERT_NEAR(n[c], expected[i].normal[c], tolerance) << "point " << i << ", component " << c;
    }
  }

  static void expectCrossings(
    const std::vector<EdgeCrossing>& crossing, const std::vector<reference::EmittedPoint>& expected)
  {
    for (std::size_t i = 0; i < expected.size(); ++i)
    {
      ASSERT_EQ(crossing[i].start, expected[i].start) << "point " << i;
      ASSERT_EQ(crossing[i].end, expected[i].end) << "point " << i;
      ASSERT_EQ(crossing[i].place, expected[i].place) << "point " << i;
      ASSERT_NEAR(crossing[i].fraction, expected[i].fraction, FractionTolerance) << "point " << i;
    }
  }
};

// With random samples a brick has more than EMIT_LIST_SIZE points.
TEST_F(EmitPoints, AreWrittenAtTheirPlace)
{
  SlabInput input = makeSlabInput({ { 17, 13, 31 }, SampleType::UInt8, 1, 1, 2 });
  for (const std::uint32_t start : { 1u, 63u })
  {
    input.slab.pointStart = start;
    this->expectReference(this->context(), input, SampleGeometry());
  }
}

TEST_F(EmitPoints, AreThoseOfTheReference)
{
  for (const SlabInput& input : slabInputs())
    this->expectReference(this->context(), input, SampleGeometry());
}

TEST_F(EmitPoints, AtCoordinatesAreThoseOfTheReference)
{
  for (const SlabInput& input : slabInputs())
  {
    const Coordinates coordinates = randomCoordinatesOf(input);
    this->expectReference(this->context(), input, SampleGeometry(), {}, &coordinates);
  }
}

TEST_F(EmitPoints, AreTransformedByAnObliqueMap)
{
  this->expectReference(this->context(), makeSlabInput({ { 17, 13, 11 } }), obliqueMap());
  this->expectReference(this->context(), makeSlabInput({ { 17, 13, 31 }, SampleType::Int16, 3, 1, 2 }), obliqueMap());
}

TEST_F(EmitPoints, NeedOnlyTheDiagonalOfAMapAlongTheWorldAxes)
{
  SampleGeometry map;
  map.setOrigin({ 1000.1, -2000.2, 3e7 + 0.3 });
  map.setSteps({ { { 0.1, 0, 0 }, { 0, -0.7, 0 }, { 0, 0, 1.9 } } });
  this->expectReference(this->context(), makeSlabInput({ { 17, 13, 11 } }), map);
  for (const SlabInput& input : slabInputs())
    this->expectReference(this->context(), input, map, { { SPECIALIZE_ALIGNED, 1 } });
}

TEST_F(EmitPoints, WorkgroupsFoldedIntoTheSecondAxisEmitTheSame)
{
  Context narrow(optionsWithWorkgroups(8));
  this->expectReference(narrow, makeSlabInput({ { 23, 19, 17 } }), SampleGeometry()); // 27 bricks: 8 x 4 workgroups
}

TEST_F(EmitPoints, WithoutCapacityWritesNothing)
{
  const SlabInput input = makeSlabInput({ { 17, 13, 31 }, SampleType::UInt8, 0, 1, 2 }); // with a halo layer
  const reference::SlabReference slabReference(input.slab, input.samples);
  const std::uint32_t own = slabReference.total[TOTAL_OWN_POINTS], all = slabReference.total[TOTAL_POINTS];
  ASSERT_LT(own, all);
  const auto writes = [&](std::uint32_t activeCapacity, std::uint32_t pointCapacity, bool emitsHalo)
  {
    SlabConstants slab = slabReference.slab;
    slab.activeCapacity = activeCapacity;
    slab.pointCapacity = pointCapacity;
    slab.settings = 0;
    slab.ownBrickCount = emitsHalo ? slab.brickCount : slab.ownBrickCount;
    KernelRunner runner(this->context());
    writeInputs(runner, input, slabReference);
    const std::vector<std::uint32_t> canaryWords(3 * std::size_t(all), CanaryWord);
    runner.write(BINDING_POSITION, canaryWords);
    runner.run(kernels::EmitPoints, input.specialization(), slab, slabReference.activeCount());
    return runner.read<std::uint32_t>(BINDING_POSITION, canaryWords.size()) != canaryWords;
  };
  EXPECT_TRUE(writes(slabReference.activeCount(), own, false));
  EXPECT_FALSE(writes(slabReference.activeCount(), own - 1, false));
  EXPECT_FALSE(writes(slabReference.activeCount() - 1, own, false));
  EXPECT_TRUE(writes(slabReference.activeCount(), all, true));
  EXPECT_FALSE(writes(slabReference.activeCount(), all - 1, true));
}

TEST_F(EmitPoints, WritesOnlyPositionsUnlessMoreIsRequested)
{
  SlabInput input = makeSlabInput({ { 9, 9, 9 } });
  input.slab.settings = 0;
  const reference::SlabReference slabReference(input.slab, input.samples);
  KernelRunner runner(this->context());
  writeInputs(runner, input, slabReference);
  runner.write(BINDING_POSITION, std::vector<std::uint32_t>(3 * slabReference.total[TOTAL_POINTS], CanaryWord));
  const std::array<std::uint32_t, 4> others = { BINDING_POSITION_LOW, BINDING_NORMAL, BINDING_GRADIENT,
    BINDING_CROSSING };
  for (const std::uint32_t binding : others)
    runner.write(binding, std::vector<std::uint32_t>(1, CanaryWord));
  runner.run(kernels::EmitPoints, input.specialization(), slabReference.slab, slabReference.emitCount());
  for (const std::uint32_t binding : others)
    EXPECT_EQ(runner.read<std::uint32_t>(binding, 1)[0], CanaryWord) << "binding " << binding;
}

}
