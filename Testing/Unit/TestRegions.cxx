// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Cpu/ExtractOnCpu.h"
#include "Compute/Measure/KeepRegions.h"
#include "Compute/Measure/MeasureMesh.h"
#include "Compute/Measure/RegionTable.h"
#include "Compute/Measure/Regions.h"
#include "Support/AnalyticVolumes.h"
#include "Support/BlockValues.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

using namespace vmc;
using namespace vmc::test;

namespace
{

std::vector<std::int64_t> idsOf(const Mesh& mesh)
{
  if (mesh.hasWideIds)
    return valuesOf<std::int64_t>(mesh.triangles);
  const std::vector<std::uint32_t> narrow = valuesOf<std::uint32_t>(mesh.triangles);
  return { narrow.begin(), narrow.end() };
}

// The region of each point, found by spreading the smallest point id over triangles until nothing changes.
std::vector<std::uint32_t> referenceRegions(const Mesh& mesh)
{
  const std::vector<std::int64_t> ids = idsOf(mesh);
  std::vector<std::uint32_t> least(mesh.pointCount);
  std::iota(least.begin(), least.end(), 0u);
  for (bool changed = true; changed;)
  {
    changed = false;
    for (std::size_t t = 0; t < ids.size(); t += 3)
    {
      const std::uint32_t smallest = std::min({ least[ids[t]], least[ids[t + 1]], least[ids[t + 2]] });
      for (std::size_t corner = 0; corner < 3; ++corner)
        changed = std::exchange(least[ids[t + corner]], smallest) != smallest || changed;
    }
  }
  std::map<std::uint32_t, std::uint32_t> number; // of the smallest point
  for (const std::uint32_t point : least)
    number.emplace(point, 0);
  std::uint32_t next = 0;
  for (auto& [point, region] : number)
    region = next++;
  for (std::uint32_t& point : least)
    point = number[point];
  return least;
}

class Regions : public testing::Test
{
protected:
  Mesh extract(const Volume& volume, const std::vector<double>& isovalues, bool wideIds = false)
  {
    this->Input.isovalues = isovalues;
    this->Input.wideIds = wideIds;
    this->Input.computeMeasures = this->Input.computeCells = true;
    CpuState state{ this->Memory, this->Ranges };
    Report report;
    return std::move(extractOnCpu(state, { volume }, this->Input, report, {})->front());
  }

  MeshRegions expectRegions(const Mesh& mesh, unsigned threads)
  {
    MeshRegions regions = findRegions(mesh, this->Memory, threads);
    const std::vector<std::uint32_t> expected = referenceRegions(mesh);
    EXPECT_EQ(valuesOf<std::uint32_t>(regions.ofPoint), expected);
    std::vector<std::uint32_t> triangles(regions.count());
    const std::vector<std::int64_t> ids = idsOf(mesh);
    for (std::size_t t = 0; t < ids.size(); t += 3)
      ++triangles[expected[ids[t]]];
    EXPECT_EQ(regions.triangles, triangles);
    for (std::size_t i = 0; i + 1 < mesh.firstPoint.size(); ++i)
      for (std::size_t p = mesh.firstPoint[i]; p < mesh.firstPoint[i + 1]; ++p)
        EXPECT_TRUE(expected[p] >= regions.firstRegion[i] && expected[p] < regions.firstRegion[i + 1]);
    return regions;
  }

  HostMemoryPool Memory{ false };
  std::shared_ptr<BrickRangeCache> Ranges = std::make_shared<BrickRangeCache>();
  Request Input;
};

// The arrays of a mesh of two isovalues without all but one in so many of its regions.
struct Without
{
  std::vector<std::int64_t> ids, cells;
  std::vector<float> positions, normals;
  std::vector<std::uint32_t> regions; // [point]
  std::vector<std::size_t> firstPoint;

  static bool keeps(std::size_t region, std::size_t oneIn) { return region % oneIn == oneIn - 1; }

  Without(const Mesh& whole, const std::vector<std::uint32_t>& regionOfPoint, std::size_t oneIn)
  {
    const std::vector<float> at = valuesOf<float>(whole.positions), normal = valuesOf<float>(whole.normals);
    std::vector<std::int64_t> newId;
    for (std::size_t p = 0; p < whole.pointCount; ++p)
    {
      newId.push_back(static_cast<std::int64_t>(this->regions.size()));
      if (!keeps(regionOfPoint[p], oneIn))
        continue;
      this->regions.push_back(regionOfPoint[p]);
      this->positions.insert(this->positions.end(), at.begin() + 3 * p, at.begin() + 3 * (p + 1));
      this->normals.insert(this->normals.end(), normal.begin() + 3 * p, normal.begin() + 3 * (p + 1));
    }
    const std::vector<std::int64_t> oldIds = idsOf(whole), cell = valuesOf<std::int64_t>(whole.triangleCells);
    for (std::size_t t = 0; t < whole.triangleCount; ++t)
      if (keeps(regionOfPoint[oldIds[3 * t]], oneIn))
      {
        this->cells.push_back(cell[t]);
        for (std::size_t corner = 0; corner < 3; ++corner)
          this->ids.push_back(newId[oldIds[3 * t + corner]]);
      }
    this->firstPoint = { 0, static_cast<std::size_t>(newId[whole.firstPoint[1]]), this->regions.size() };
  }

  void expectIn(const Mesh& mesh, const MeshRegions& found) const
  {
    EXPECT_EQ(mesh.pointCount, this->regions.size());
    EXPECT_EQ(mesh.triangleCount, this->cells.size());
    EXPECT_EQ(valuesOf<float>(mesh.positions), this->positions);
    EXPECT_EQ(valuesOf<float>(mesh.normals), this->normals);
    EXPECT_EQ(idsOf(mesh), this->ids);
    EXPECT_EQ(valuesOf<std::int64_t>(mesh.triangleCells), this->cells);
    EXPECT_EQ(valuesOf<std::uint32_t>(found.ofPoint), this->regions);
    EXPECT_EQ(mesh.firstPoint, this->firstPoint);
    EXPECT_EQ(mesh.firstTriangle.back(), mesh.triangleCount);
  }
};

// A bar that winds outwards, three times around the middle.
Samples spiral()
{
  constexpr double Turn = 2 * 3.14159265358979, Pitch = 8;
  const AnalyticVolume volume{ [](const Point& at)
    {
      const double x = at[0] - 40, y = at[1] - 40, radius = std::hypot(x, y), angle = std::atan2(y, x);
      const double turns = std::round(radius / Pitch - angle / Turn) + angle / Turn; // of the nearest bar
      return std::min(
        { 2 - std::abs(radius - Pitch * turns), 2 - std::abs(at[2] - 4), (turns - 1) * radius, (4 - turns) * radius });
    },
    {}, {}, {} };
  return sample(volume, { 80, 80, 9 });
}

}

TEST_F(Regions, AVolumeWithoutSamplesHasNoBorder)
{
  EXPECT_TRUE(borderOf(Volume()).empty());
}

TEST_F(Regions, AreThoseOfTheReference)
{
  for (const std::array<std::uint32_t, 3>& size :
    { std::array<std::uint32_t, 3>{ 2, 2, 2 }, { 9, 9, 9 }, { 5, 30, 7 }, { 40, 33, 27 } })
    for (const unsigned threads : { 1u, 2u, 3u, 16u })
    {
      const Samples samples = sampleNoise(size, SampleType::Float32, 4);
      for (const double isovalue : { 0.0, 0.6, 0.9, -0.8 })
        this->expectRegions(this->extract(samples.volume(), { isovalue }), threads);
      this->expectRegions(this->extract(samples.volume(), { 0.7, 5, 0.9, -0.95 }, true), threads);
    }
}

TEST_F(Regions, ASpiralIsOneRegion)
{
  const Samples samples = spiral();
  for (const unsigned threads : { 1u, 2u, 5u })
  {
    const Mesh mesh = this->extract(samples.volume(), { 0.01 });
    const MeshRegions regions = this->expectRegions(mesh, threads);
    EXPECT_GT(mesh.triangleCount, 5000u);
    EXPECT_EQ(regions.count(), 1u);
  }
}

TEST_F(Regions, AMeshWithoutTrianglesHasNone)
{
  const Samples samples = sampleNoise({ 4, 4, 4 }, SampleType::Float32, 4);
  const MeshRegions regions = findRegions(this->extract(samples.volume(), { 7, 8 }), this->Memory, 2);
  EXPECT_EQ(regions.count(), 0u);
  EXPECT_EQ(regions.firstRegion, (std::vector<std::size_t>{ 0, 0, 0 }));
}

// The arrays of the kept part are those of the whole mesh without the removed points and triangles.
TEST_F(Regions, RemovedRegionsLeaveTheOthersAsTheyWere)
{
  const Samples samples = sampleNoise({ 40, 33, 27 }, SampleType::Float32, 4);
  for (const bool fromWide : { false, true })
  {
    const Mesh whole = this->extract(samples.volume(), { 0.7, 0.9 }, fromWide);
    for (const bool toWide : { false, true })
      for (const std::size_t oneIn : { std::size_t(1), std::size_t(2), std::size_t(9), std::size_t(1000000) })
      {
        Mesh mesh = this->extract(samples.volume(), { 0.7, 0.9 }, fromWide);
        MeshRegions regions = findRegions(mesh, this->Memory, 2);
        const Without expected(whole, valuesOf<std::uint32_t>(regions.ofPoint), oneIn);
        std::vector<std::uint8_t> isKept(regions.count());
        for (std::size_t i = 0; i < isKept.size(); ++i)
          isKept[i] = Without::keeps(i, oneIn);
        keepRegions(mesh, regions, isKept, toWide, true, outputsOf(this->Input, {}), this->Memory, 2);
        EXPECT_EQ(mesh.hasWideIds, toWide && mesh.triangleCount != 0);
        expected.expectIn(mesh, regions);
        std::sort(mesh.openEnds.begin(), mesh.openEnds.end());
        EXPECT_EQ(mesh.openEnds, findOpenEnds(mesh, 2));
      }
  }
}
