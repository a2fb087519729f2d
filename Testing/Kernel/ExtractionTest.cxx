// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "ExtractionTest.h"

#include "Compute/Engine/AllGpus.h"
#include "Compute/Engine/CpuEngine.h"
#include "Compute/Engine/DeviceEngine.h"

#include <cmath>
#include <cstring>
#include <string>

namespace vmc::test
{

std::string otherDevice()
{
  const std::vector<std::string> kinds = Engine::deviceKinds();
  return kinds.size() > 1 && kinds[1] == kinds[0] ? Engine::deviceNames()[1] : "";
}

std::unique_ptr<Session> ExtractionTest::newSessionOn(const std::shared_ptr<Context>& context)
{
  return std::make_unique<VulkanSession>(context, std::make_shared<VolumeCache>(context));
}

std::unique_ptr<Session> ExtractionTest::newSessionOnCpu()
{
  return std::make_unique<CpuSession>(
    Engine::shared("CPU")->hostMemory(), std::make_shared<BrickRangeCache>(), std::make_shared<LevelCache>());
}

std::unique_ptr<Session> ExtractionTest::newSessionOn(const std::vector<std::shared_ptr<Context>>& devices) const
{
  std::vector<std::shared_ptr<DeviceEngine>> engines;
  for (const std::shared_ptr<Context>& context : devices)
    engines.push_back(std::make_shared<DeviceEngine>(context));
  this->Engines.push_back(std::make_shared<AllGpusEngine>(engines, ""));
  return this->Engines.back()->makeSession();
}

// Never destroyed, as the first one.
const std::shared_ptr<Context>& EngineTest::otherContext()
{
  static auto* const context = new std::shared_ptr<Context>;
  if (!*context)
  {
    DeviceOptions options;
    options.name = otherDevice();
    *context = std::make_shared<Context>(options);
  }
  return *context;
}

void ExtractionTest::expectSound(const Mesh& mesh)
{
  const MeshView view = viewOf(mesh);
  ASSERT_EQ(badIds(view), 0u);
  EXPECT_EQ(degenerateTriangles(view), 0u);
  EXPECT_EQ(unreferencedPoints(view), 0u);
  EXPECT_TRUE(edgeUseOf(view).isManifold());
}

void ExtractionTest::expectClosed(const Mesh& mesh)
{
  expectSound(mesh);
  EXPECT_TRUE(edgeUseOf(viewOf(mesh)).isClosed());
}

void ExtractionTest::expectNormalsAgreeWithWinding(const Mesh& mesh)
{
  ASSERT_EQ(mesh.normals.size(), mesh.positions.size());
  const MeshView view = viewOf(mesh);
  const float* normals = reinterpret_cast<const float*>(mesh.normals.data());
  for (std::size_t i = 0; i < mesh.pointCount; ++i)
  {
    const double length = std::hypot(normals[3 * i], normals[3 * i + 1], normals[3 * i + 2]);
    ASSERT_NEAR(length, 1, 0x1p-21); // a square root and a division of rounded squares
  }
  for (std::size_t t = 0; t < mesh.triangleCount; ++t)
  {
    const std::array<double, 3> winding = windingNormal(view, t);
    for (std::size_t corner = 0; corner < 3; ++corner)
    {
      const float* n = normals + 3 * view.triangles[3 * t + corner];
      // The normal of a very thin triangle consists of rounding errors. The tolerance is the uncertainty of its area.
      ASSERT_GT(winding[0] * n[0] + winding[1] * n[1] + winding[2] * n[2], -1e-5) << "triangle " << t;
    }
  }
}

void ExtractionTest::expectWholeSurface(const Samples& samples, double isovalue)
{
  SCOPED_TRACE(std::to_string(samples.size[0]) + " x " + std::to_string(samples.size[1]) + " x " +
               std::to_string(samples.size[2]) + " " + nameOf(samples.type) + ", isovalue " + std::to_string(isovalue));
  std::vector<double> values(samples.count());
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = samples.value(i);
  const reference::PaddedGrid grid(samples.size, values);
  const reference::WholeSurface expected(grid, isovalue);
  const Mesh mesh = this->extract(samples.volume(), isovalue);
  ASSERT_EQ(mesh.pointCount, expected.points.size());
  ASSERT_EQ(mesh.triangleCount, expected.triangles.size() / 3);
  EXPECT_EQ(valuesOf<std::uint32_t>(mesh.triangles), expected.triangles);
  for (std::size_t i = 0; i < mesh.pointCount; ++i)
  {
    const std::array<double, 3> position = viewOf(mesh).position(i);
    for (std::size_t c = 0; c < 3; ++c)
      ASSERT_NEAR(position[c], expected.points[i].index[c], FractionTolerance + 0x1p-24 * position[c])
        << "point " << i << ", component " << c; // the last addition is rounded once
  }
  expectSound(mesh);
}

void ExtractionTest::expectSameBytes(const Mesh& a, const Mesh& b)
{
  const auto same = [](const HostBlock& x, const HostBlock& y)
  { return x.size() == y.size() && (x.size() == 0 || std::memcmp(x.data(), y.data(), x.size()) == 0); };
  EXPECT_EQ(a.pointCount, b.pointCount);
  EXPECT_EQ(a.triangleCount, b.triangleCount);
  EXPECT_EQ(a.firstPoint, b.firstPoint);
  EXPECT_TRUE(same(a.positions, b.positions));
  EXPECT_TRUE(same(a.normals, b.normals));
  EXPECT_TRUE(same(a.triangles, b.triangles));
  EXPECT_TRUE(same(a.offsets, b.offsets));
  EXPECT_EQ(a.hasWideIds, b.hasWideIds);
  EXPECT_TRUE(same(a.positionsLow, b.positionsLow));
  EXPECT_TRUE(same(a.gradients, b.gradients));
  EXPECT_TRUE(same(a.triangleCells, b.triangleCells));
  EXPECT_TRUE(same(a.isovalues, b.isovalues));
  ASSERT_EQ(a.attributes.size(), b.attributes.size());
  for (std::size_t i = 0; i < a.attributes.size(); ++i)
    EXPECT_TRUE(same(a.attributes[i], b.attributes[i])) << "attribute " << i;
}

}
