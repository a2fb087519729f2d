#include "EmitPoints.h"

#include "Bindings.h"
#include "GpuTest.h"
#include "InterpolateAttribute.h"
#include "KernelRunner.h"
#include "SlabInputs.h"
#include "SlabPasses.h"
#include "SlabTwins.h"

#include <cmath>

namespace vmc::test
{

namespace
{

constexpr double Rounding = 0x1p-24; // largest relative error of one float operation

// Difference to the isovalue, its two parts, difference of the samples: four roundings; the division may add 2.5 units
// in the last place, which are 5 roundings (Vulkan specification, "Precision and Operation of SPIR-V Instructions").
constexpr double FractionTolerance = 9 * Rounding;

IndexToWorld skewedMap()
{
  IndexToWorld map;
  map.origin = { 1000.1, -2000.2, 3e7 + 0.3 };
  map.axis = { { { 0.1, 0.2, -0.3 }, { -0.4, 0.5, 0.6 }, { 0.7, 0.8, 1.9 } } };
  return map;
}

double length(const reference::Vector& v)
{
  return std::hypot(v[0], v[1], v[2]);
}

// The largest world gradient that differences of samples over the whole range of the type can make.
double largestSlope(SampleType type, const reference::WorldMap& map)
{
  const std::array<double, 2> range = rangeOf(type);
  double sum = 0;
  for (std::size_t a = 0; a < 3; ++a)
  {
    reference::Vector derivative{};
    derivative[a] = range[1] - range[0];
    sum += length(map.gradient(derivative));
  }
  return sum;
}

}

class EmitPoints : public GpuTest
{
protected:
  void expectTwin(const Device& device, const SlabInput& input, const IndexToWorld& indexToWorld)
  {
    reference::SlabTwins twins(input.slab, input.samples);
    const Geometry geometry = geometryOf(indexToWorld);
    const std::size_t points = twins.slab.emitCount < twins.slab.activeCount ? twins.brickOffset[twins.slab.emitCount]
                                                                             : twins.total[TOTAL_POINTS];
    std::vector<reference::EmittedPoint> expected(points);
    reference::emitPoints(
      twins.slab, twins.samples, geometry, twins.activeBrick, twins.rowEdges, twins.brickOffset, expected);

    KernelRunner runner(device);
    runner.write(BINDING_SAMPLES, input.samples.words);
    runner.write(BINDING_GEOMETRY, std::vector<Geometry>{ geometry });
    runner.write(BINDING_ACTIVE_BRICK, twins.activeBrick);
    runner.write(BINDING_ROW_EDGES, twins.rowEdges);
    runner.write(BINDING_ROW_POINT_OFFSET, twins.rowPointOffset);
    runner.write(BINDING_BRICK_OFFSET, twins.brickOffset);
    // One point more than may be written.
    for (const std::uint32_t binding : { BINDING_POSITION, BINDING_NORMAL, BINDING_CROSSING })
      runner.write(binding, std::vector<std::uint32_t>(3 * (points + 1), Untouched));
    runner.run(shaders::EmitPoints, specializationOf(input.samples.type), twins.slab, twins.slab.emitCount);

    SCOPED_TRACE(input.name);
    this->expectPositions(runner.read<float>(BINDING_POSITION, 3 * points), expected, reference::WorldMap(geometry));
    this->expectNormals(runner.read<float>(BINDING_NORMAL, 3 * points), expected,
      largestSlope(input.samples.type, reference::WorldMap(geometry)));
    this->expectCrossings(runner.read<reference::Crossing>(BINDING_CROSSING, points), expected);
    EXPECT_EQ(runner.read<std::uint32_t>(BINDING_POSITION, 3 * points + 1).back(), Untouched);
    EXPECT_EQ(runner.read<std::uint32_t>(BINDING_NORMAL, 3 * points + 1).back(), Untouched);
    EXPECT_EQ(runner.read<std::uint32_t>(BINDING_CROSSING, 2 * points + 1).back(), Untouched);
  }

  static void expectPositions(const std::vector<float>& position, const std::vector<reference::EmittedPoint>& expected,
    const reference::WorldMap& map)
  {
    for (std::size_t i = 0; i < expected.size(); ++i)
      for (std::size_t c = 0; c < 3; ++c)
      {
        // The fraction's error along the crossed axis, and the last addition's rounding.
        const double tolerance = FractionTolerance * std::fabs(map.axis[expected[i].axis][c]) +
                                 2 * Rounding * std::fabs(expected[i].position[c]);
        ASSERT_NEAR(position[3 * i + c], expected[i].position[c], tolerance) << "point " << i << ", component " << c;
      }
  }

  // A normal turns by the error of the gradient over its length. The gradient sums a dozen rounded terms, none larger
  // than the largest slope; its interpolation adds the fraction's error.
  static void expectNormals(
    const std::vector<float>& normal, const std::vector<reference::EmittedPoint>& expected, double slopeOfRange)
  {
    for (std::size_t i = 0; i < expected.size(); ++i)
    {
      const reference::Vector n = { normal[3 * i], normal[3 * i + 1], normal[3 * i + 2] };
      ASSERT_NEAR(length(n), 1, 8 * Rounding) << "point " << i; // a square root and a division of rounded squares
      const double tolerance =
        12 * Rounding + (12 * Rounding + FractionTolerance) * slopeOfRange / length(expected[i].slope);
      for (std::size_t c = 0; c < 3; ++c)
        ASSERT_NEAR(n[c], expected[i].normal[c], tolerance) << "point " << i << ", component " << c;
    }
  }

  static void expectCrossings(
    const std::vector<reference::Crossing>& crossing, const std::vector<reference::EmittedPoint>& expected)
  {
    for (std::size_t i = 0; i < expected.size(); ++i)
    {
      ASSERT_EQ(crossing[i][0], expected[i].sample) << "point " << i;
      ASSERT_EQ(reference::axisOf(crossing[i]), expected[i].axis) << "point " << i;
      ASSERT_NEAR(reference::fractionOf(crossing[i]), expected[i].fraction, FractionTolerance) << "point " << i;
    }
  }
};

TEST_F(EmitPoints, AreThoseOfTheTwin)
{
  for (const SlabInput& input : slabInputs())
    this->expectTwin(*this->device(), input, IndexToWorld());
}

TEST_F(EmitPoints, LieWhereASkewedMapPutsThem)
{
  this->expectTwin(*this->device(), makeSlabInput({ { 17, 13, 11 } }), skewedMap());
  this->expectTwin(*this->device(), makeSlabInput({ { 17, 13, 31 }, SampleType::Int16, 3, 1, 2 }), skewedMap());
}

TEST_F(EmitPoints, GroupsThatFoldIntoTheSecondAxisEmitTheSame)
{
  const Device narrow({}, { ~0ull, 1, 8 });
  this->expectTwin(narrow, makeSlabInput({ { 23, 19, 17 } }), IndexToWorld()); // 27 bricks: 8 x 4 groups
}

TEST_F(EmitPoints, WritesNeitherNormalsNorCrossingsUnlessAsked)
{
  SlabInput input = makeSlabInput({ { 9, 9, 9 } });
  input.slab.writesNormals = 0;
  input.slab.writesCrossings = 0;
  const reference::SlabTwins twins(input.slab, input.samples);
  KernelRunner runner(*this->device());
  runner.write(BINDING_SAMPLES, input.samples.words);
  runner.write(BINDING_GEOMETRY, std::vector<Geometry>{ geometryOf(IndexToWorld()) });
  runner.write(BINDING_ACTIVE_BRICK, twins.activeBrick);
  runner.write(BINDING_ROW_EDGES, twins.rowEdges);
  runner.write(BINDING_ROW_POINT_OFFSET, twins.rowPointOffset);
  runner.write(BINDING_BRICK_OFFSET, twins.brickOffset);
  runner.write(BINDING_POSITION, std::vector<std::uint32_t>(3 * twins.total[TOTAL_POINTS], Untouched));
  runner.write(BINDING_NORMAL, std::vector<std::uint32_t>(1, Untouched));
  runner.write(BINDING_CROSSING, std::vector<std::uint32_t>(1, Untouched));
  runner.run(shaders::EmitPoints, specializationOf(input.samples.type), twins.slab, twins.slab.emitCount);
  EXPECT_EQ(runner.read<std::uint32_t>(BINDING_NORMAL, 1)[0], Untouched);
  EXPECT_EQ(runner.read<std::uint32_t>(BINDING_CROSSING, 1)[0], Untouched);
}

}
