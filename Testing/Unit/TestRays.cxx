// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Cpu/BrickRangeCache.h"
#include "Compute/Cpu/CpuRayCaster.h"
#include "Compute/Rays/RayTables.h"
#include "Compute/System/Error.h"
#include "Support/AnalyticVolumes.h"
#include "Support/ExpectError.h"

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
  volume.geometry.origin = { 0, 0, z };
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

TEST(CpuRayCasterTest, AnyNumberOfThreadsGivesTheSameBytes)
{
  const Samples samples = sample(gyroid(9), { 24, 25, 26 });
  RayRequest request;
  request.isovalues = { 0.1, -0.5 };
  request.camera = parallelCamera();
  request.camera.width = 100;
  request.camera.height = 70;
  std::vector<RayHit> expected;
  for (const unsigned threads : { 1u, 2u, 7u })
  {
    request.threads = threads;
    Report report;
    CpuRayCaster caster(std::make_shared<BrickRangeCache>());
    const std::vector<RayHit> hits = caster.cast(volumeAt(samples, -40), request, report);
    expected = expected.empty() ? hits : expected;
    ASSERT_EQ(hits.size(), 7000u);
    EXPECT_EQ(std::memcmp(hits.data(), expected.data(), hits.size() * sizeof(RayHit)), 0);
    EXPECT_TRUE(report.stages[Stage::CastRays]);
  }
}

TEST(CpuRayCasterTest, AnInfiniteSampleIsLargerThanAllOthers)
{
  Samples samples = sample(plane({ 0, 0, 1 }, 8), { 17, 17, 17 }, SampleType::Float64); // value: 8 - z
  for (std::uint64_t i = 0; i < samples.count(); ++i)
    if (i / 289 <= 4)
      samples.setValue(i, INFINITY);
  RayRequest request;
  request.isovalues = { 6.5 }; // between layers 4, infinite, and 5 with the value 3
  request.camera = parallelCamera();
  Report report;
  CpuRayCaster caster(std::make_shared<BrickRangeCache>());
  const RayHit hit = caster.cast(volumeAt(samples, -40), request, report)[4 * 20 + 8];
  ASSERT_EQ(hit.isovalue, 0u);
  const RayTable table = rayTableOf(request.camera, volumeAt(samples, -40)).value();
  const double z = table.originHigh[0][2] + hit.t * (table.originHigh[1][2] - table.originHigh[0][2]);
  EXPECT_NEAR(z, 5, 1e-5); // the limit as the sample grows: at layer 5; t is a float
}
