// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Cpu/BrickRangeCache.h"
#include "Compute/Cpu/CastOnCpu.h"
#include "Compute/Cpu/RayWalk.h"
#include "Compute/Rays/RayTables.h"
#include "Compute/System/Error.h"
#include "Support/AnalyticVolumes.h"
#include "Support/ExpectError.h"
#include "Support/View.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <memory>
#include <optional>

using namespace vmc;
using namespace vmc::test;

namespace
{

// Parallel projection along z: x and y in [0, 20], depths from z = 0 to z = -50.
RayCamera parallelCamera()
{
  RayCamera camera;
  camera.width = 20;
  camera.height = 10;
  camera.worldToClip = { { { 0.1, 0, 0, -1 }, { 0, 0.1, 0, -1 }, { 0, 0, -0.04, -1 }, { 0, 0, 0, 1 } } };
  return camera;
}

Volume volumeAt(const Samples& samples, double z)
{
  Volume volume = samples.volume();
  volume.geometry.setOrigin({ 0, 0, z });
  return volume;
}

}

TEST(Rays, TheInverseOfAMatrixTimesItIsTheUnitMatrix)
{
  const Matrix4 matrix{ { { 0, 2, 0, 1 }, { 1, 0, 0.5, -3 }, { 0.25, 0, 4, 0 }, { 0, 1, 0, 2 } } };
  const Matrix4 inverse = inverseOf(matrix);
  for (std::size_t row = 0; row < 4; ++row)
    for (std::size_t column = 0; column < 4; ++column)
    {
      double sum = 0;
      for (std::size_t i = 0; i < 4; ++i)
        sum += matrix[row][i] * inverse[i][column];
      EXPECT_NEAR(sum, row == column ? 1 : 0, 1e-14); // some roundings of numbers near 1
    }
}

TEST(Rays, StartAndEndAtThePlanesAroundTheVolume)
{
  const Samples samples = sample(sphere({ 8, 8, 8 }, 5), { 17, 17, 17 });
  const RayTable table = rayTableOf(parallelCamera(), volumeAt(samples, -40)).value(); // z from -40 to -24
  constexpr double Margin = 16 / 1024.0;                                               // along z
  EXPECT_FLOAT_EQ(table.nearDepth, (24 - Margin) / 50);
  EXPECT_FLOAT_EQ(table.farDepth, (40 + Margin) / 50);
  EXPECT_FLOAT_EQ(table.ratio, 1);
  // The first pixel of 20 x 10, whose centre is at x = 0.5, y = 1; z is that of the nearest and of the farthest sample.
  EXPECT_FLOAT_EQ(table.originHigh[0][0], 0.5f);
  EXPECT_FLOAT_EQ(table.originHigh[0][1], 1);
  EXPECT_FLOAT_EQ(table.originHigh[0][2], 16 + Margin);
  EXPECT_FLOAT_EQ(table.originHigh[1][2], -Margin);
  EXPECT_FLOAT_EQ(table.stepXHigh[0][0], 1);
  EXPECT_FLOAT_EQ(table.stepYHigh[0][1], 2);
}

TEST(Rays, ThereAreNoneIfTheVolumeIsNotBetweenThePlanesOfTheCamera)
{
  const Samples samples = sample(sphere({ 8, 8, 8 }, 5), { 17, 17, 17 });
  EXPECT_FALSE(rayTableOf(parallelCamera(), volumeAt(samples, 1)));
  EXPECT_FALSE(rayTableOf(parallelCamera(), volumeAt(samples, -80)));
  EXPECT_TRUE(rayTableOf(parallelCamera(), volumeAt(samples, -8)));
}

TEST(Rays, PlanesOfEqualDepthMustBePerpendicularToTheView)
{
  const Samples samples = sample(sphere({ 8, 8, 8 }, 5), { 17, 17, 17 });
  RayCamera camera = parallelCamera();
  camera.worldToClip[3] = { 0.01, 0, 0, 1 };
  EXPECT_EQ(expectError(Error::Kind::Unsupported, [&] { rayTableOf(camera, volumeAt(samples, -40)); }),
    "The planes of equal depth of the camera are not perpendicular to its direction of view: the last coordinate of "
    "the "
    "inverse projection differs.");
}

TEST(Rays, PositionsLeadBackToPixelsAndDistances)
{
  const Samples samples = sample(sphere({ 8, 8, 8 }, 5), { 17, 17, 17 });
  const View view{ { 40, 25, 30 }, { 8, 8, 8 }, 1, 100, 0.6 };
  for (const RayTable& table : { rayTableOf(parallelCamera(), volumeAt(samples, -40)).value(),
         rayTableOf(cameraOf(view, 30, 20), samples.volume()).value() })
    for (const double t : { 0.0, 0.3, 1.0 })
    {
      const auto coordinate = [&](std::size_t axis)
      {
        const auto atPlane = [&](std::size_t plane)
        {
          return double(table.originHigh[plane][axis]) + 7.0 * table.stepXHigh[plane][axis] +
                 5.0 * table.stepYHigh[plane][axis];
        };
        return atPlane(0) + t * (atPlane(1) - atPlane(0));
      };
      const auto back = [&](const vec4& row)
      { return row[0] * coordinate(0) + row[1] * coordinate(1) + row[2] * coordinate(2) + row[3]; };
      // Sums of floats of at most some hundred: 1e-4. The share of the way is at most 1.
      EXPECT_NEAR(back(table.toDistance), t, 1e-5);
      EXPECT_NEAR(back(table.toPixelX) / (1 + (table.ratio - 1) * t), 7, 1e-4);
      EXPECT_NEAR(back(table.toPixelY) / (1 + (table.ratio - 1) * t), 5, 1e-4);
    }
}

TEST(Rays, TheNearestSlabIsTheFirst)
{
  const Samples samples = sample(sphere({ 8, 8, 8 }, 5), { 17, 17, 17 });
  std::vector<Slab> slabs(3);
  for (std::uint32_t i = 0; i < 3; ++i)
    slabs[i].firstLayer = 4 * i;
  const auto firstFrom = [&](double z)
  {
    const View view{ { 20, 5, z }, { 8, 8, 8 }, 1, 100, 0.6 };
    return nearestFirst(slabs, rayTableOf(cameraOf(view, 30, 20), samples.volume()).value())[0].firstLayer;
  };
  EXPECT_EQ(firstFrom(-30), 0u);
  EXPECT_EQ(firstFrom(50), 8u);
}

TEST(CastOnCpu, AnyNumberOfThreadsGivesTheSameBytes)
{
  const Samples samples = sample(gyroid(9), { 24, 25, 26 });
  RayRequest request;
  request.isovalues = { 0.1, -0.5 };
  request.camera = parallelCamera();
  request.camera.width = 100;
  request.camera.height = 70;
  HostMemoryPool memory(false);
  std::vector<RayHit> expected;
  for (const unsigned threads : { 1u, 2u, 7u })
  {
    request.threads = threads;
    Report report;
    CpuState state{ memory, std::make_shared<BrickRangeCache>() };
    const RayPicture hits = castOnCpu(state, volumeAt(samples, -40), request, report);
    if (expected.empty())
      expected.assign(hits.begin(), hits.end());
    ASSERT_EQ(hits.size(), 7000u);
    EXPECT_EQ(std::memcmp(hits.begin(), expected.data(), hits.size() * sizeof(RayHit)), 0);
    EXPECT_TRUE(report.stages[Stage::CastRays]);
  }
}

TEST(CastOnCpu, AnInfiniteSampleIsLargerThanAllOthers)
{
  Samples samples = sample(plane({ 0, 0, 1 }, 8), { 17, 17, 17 }, SampleType::Float64); // value: 8 - z
  for (std::uint64_t i = 0; i < samples.count(); ++i)
    if (i / 289 <= 4)
      samples.setValue(i, INFINITY);
  RayRequest request;
  request.isovalues = { 6.5 }; // between layers 4, infinite, and 5 with the value 3
  request.camera = parallelCamera();
  Report report;
  HostMemoryPool memory(false);
  CpuState state{ memory, std::make_shared<BrickRangeCache>() };
  const RayHit hit = castOnCpu(state, volumeAt(samples, -40), request, report)[4 * 20 + 8];
  ASSERT_EQ(hit.isovalue, 0u);
  const RayTable table = rayTableOf(request.camera, volumeAt(samples, -40)).value();
  const double z = table.originHigh[0][2] + hit.t * (table.originHigh[1][2] - table.originHigh[0][2]);
  EXPECT_NEAR(z, 5, 1e-5); // the limit as the sample grows: at layer 5; t is a float
}

// Linear values are the same between the samples, so they tell the place of the hit.
TEST(HitValues, AreInterpolatedAtTheHits)
{
  const Samples samples = sample(gyroid(9), { 24, 25, 26 });
  RayRequest request;
  request.isovalues = { 0.1 };
  request.camera = parallelCamera();
  request.camera.width = 50;
  request.camera.height = 30;
  const Volume volume = volumeAt(samples, -40);
  std::vector<std::int16_t> values;
  for (std::uint64_t i = 0; i < samples.count(); ++i)
    for (const std::uint64_t position : { i % 24, i / 24 % 25, i / 600 })
      values.push_back(static_cast<std::int16_t>(100 * position));
  Attribute attribute;
  attribute.values = values.data();
  attribute.type = SampleType::Int16;
  attribute.components = 3;
  Report report;
  HostMemoryPool memory(false);
  CpuState state{ memory, std::make_shared<BrickRangeCache>() };
  const RayPicture hits = castOnCpu(state, volume, request, report);
  const RayTable table = rayTableOf(request.camera, volume).value();
  const HostBlock block = valuesAtHits(hits, request.camera, volume, attribute, memory, 2);
  ASSERT_EQ(block.size(), 50 * 30 * 3 * sizeof(float));
  const auto* const found = reinterpret_cast<const float*>(block.data());
  std::size_t count = 0;
  for (std::uint32_t pixel = 0; pixel < hits.size(); ++pixel)
    for (std::size_t a = 0; a < 3; ++a)
    {
      const cpu::Ray ray(table, pixel % 50, pixel / 50);
      const bool isHit = hits[pixel].isovalue == 0;
      count += isHit ? 1 : 0;
      const double expected = isHit ? 100 * (ray.start[a] + hits[pixel].t * ray.along[a]) : 0;
      ASSERT_NEAR(found[3 * pixel + a], expected, 1e-3); // of 2500 in float
    }
  EXPECT_GT(count, 300u);
}
