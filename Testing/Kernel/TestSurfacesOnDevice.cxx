// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Measures and regions of surfaces on the device, against those of the same surfaces on the host.
#include "DeviceSurfaceTest.h"

#include "Compute/Contour/DownloadSurface.h"
#include "Compute/Measure/DeviceMeasures.h"
#include "Compute/Measure/FoundRegions.h"
#include "Compute/Measure/MeasureMesh.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace vmc::test
{

namespace
{

// Both round positions relative to a near point to float, and both sum exactly or in double.
constexpr double Tolerance = 1e-6;

void expectMeasures(const SurfaceMeasures& found, const SurfaceMeasures& expected)
{
  EXPECT_EQ(found.triangles, expected.triangles);
  EXPECT_EQ(found.openEdges, expected.openEdges);
  EXPECT_EQ(found.bounds.low, expected.bounds.low);
  EXPECT_EQ(found.bounds.high, expected.bounds.high);
  EXPECT_NEAR(found.area, expected.area, Tolerance * expected.area);
  double diagonal = 0;
  for (std::size_t axis = 0; axis < 3 && expected.triangles != 0; ++axis)
  {
    const double length = expected.bounds.high[axis] - expected.bounds.low[axis];
    diagonal = std::hypot(diagonal, length);
    EXPECT_NEAR(
      found.centroid[axis], expected.centroid[axis], Tolerance * (diagonal + std::abs(expected.centroid[axis])));
  }
  // Each of them is at most this far from the exact sum (Accuracy.md).
  const double bound = Tolerance * std::abs(expected.volume) + std::ldexp(1.0, -24) * expected.area * diagonal;
  EXPECT_NEAR(found.volume, expected.volume, 2 * bound);
}

}

class SurfacesOnDevice : public DeviceSurfaceTest
{
protected:
  struct Input
  {
    std::string name;
    Volume volume;
    std::vector<double> isovalues;
  };

  // Smooth and noisy, with and without a border, with coinciding points, with many regions, with none.
  std::vector<Input> inputs() const
  {
    return { { "gyroid", this->Gyroid.volume(), { 0.1, -0.4, 2e9, 0.2 } },
      { "noise of bytes", this->Bytes.volume(), { 128, 250 } }, { "noise of floats", this->Floats.volume(), { 0.5 } },
      { "sphere", this->Sphere.volume(), { 0, 3 } }, { "nothing", this->Sphere.volume(), { 1e6 } } };
  }

  static std::vector<std::shared_ptr<Context>> contexts(const std::shared_ptr<Context>& shared)
  {
    DeviceOptions options = optionsWith({ 1 << 20, 64, 100 });
    options.isDiscrete = true;
    return { shared, std::make_shared<Context>(options) };
  }

  // Returns the surface of an unfinished request, in device memory.
  Surface unfinished(Session& on, const Volume& volume, const Request& request)
  {
    std::optional<Surface> surface = on.extract({ volume }, request.unfinished(), this->LastReport);
    EXPECT_TRUE(surface && surface->isOnDevice());
    return std::move(*surface);
  }

  // The regions of the same surface on the host.
  std::unique_ptr<HostRegions> onHost(Surface surface, const Request& request, const RegionRequest& wanted)
  {
    Context& context = *surface.context;
    CommandRecorder recorder(context.device());
    Report report;
    downloadSurface(surface, recorder, report.stages);
    for (Mesh& mesh : surface.meshes)
      mesh.openEnds = findOpenEnds(mesh, 2);
    return std::make_unique<HostRegions>(std::move(surface), request, wanted, context.hostMemory(), report);
  }

  const Samples Gyroid = sample(gyroid(20), { 40, 23, 60 });
  const Samples Bytes = sampleNoise({ 33, 40, 31 }, SampleType::UInt8, 3);
  const Samples Floats = sampleNoise({ 17, 18, 19 }, SampleType::Float32, 4);
  const Samples Sphere = sample(sphere({ 15.2, 16.1, 14.9 }, 10), { 31, 32, 33 });
};

TEST_F(SurfacesOnDevice, HaveTheMeasuresOfThoseOnTheHost)
{
  for (const std::shared_ptr<Context>& context : contexts(this->sharedContext()))
    for (const Input& input : this->inputs())
      for (const bool wide : { false, true })
      {
        SCOPED_TRACE(input.name);
        const std::unique_ptr<Session> fresh = newSessionOn(context);
        Request request = requestOf(input.isovalues);
        request.computeMeasures = true;
        request.wideIds = wide;
        Mesh mesh = this->extract(*fresh, input.volume, request);
        const std::vector<SurfaceMeasures> found = mesh.measures;
        mesh.openEnds = findOpenEnds(mesh, 2);
        measureMesh(mesh, 2);
        ASSERT_EQ(found.size(), input.isovalues.size());
        for (std::size_t i = 0; i < found.size(); ++i)
          expectMeasures(found[i], mesh.measures[i]);
      }
}

TEST_F(SurfacesOnDevice, HaveTheSameMeasuresInEveryRun)
{
  const std::unique_ptr<Session> fresh = newSessionOn(this->sharedContext());
  Request request = requestOf({ 128 });
  request.computeMeasures = true;
  const SurfaceMeasures first = this->extract(*fresh, this->Bytes.volume(), request).measures.front();
  for (int run = 0; run < 5; ++run)
  {
    const SurfaceMeasures next = this->extract(*fresh, this->Bytes.volume(), request).measures.front();
    EXPECT_EQ(next.area, first.area);
    EXPECT_EQ(next.volume, first.volume);
    EXPECT_EQ(next.centroid, first.centroid);
  }
}

TEST_F(SurfacesOnDevice, HaveTheBytesOfThoseThatAreNotMeasured)
{
  for (const std::shared_ptr<Context>& context : contexts(this->sharedContext()))
  {
    const std::unique_ptr<Session> fresh = newSessionOn(context);
    Request request = requestOf({ 0.1, -0.4 });
    request.pointIsovalues = request.computeCells = true;
    const Mesh expected = this->extract(*fresh, this->volume(), request);
    request.computeMeasures = true;
    const Mesh mesh = this->extract(*fresh, this->volume(), request);
    expectSameBytes(mesh, expected);
    EXPECT_EQ(mesh.offsets.size(), expected.offsets.size());
    EXPECT_EQ(mesh.isovalues.size(), expected.isovalues.size());
  }
}

TEST_F(SurfacesOnDevice, HaveTheRegionsOfThoseOnTheHost)
{
  for (const std::shared_ptr<Context>& context : contexts(this->sharedContext()))
    for (const Input& input : this->inputs())
    {
      SCOPED_TRACE(input.name);
      const std::unique_ptr<Session> fresh = newSessionOn(context);
      const Request request = requestOf(input.isovalues);
      RegionRequest wanted;
      wanted.withMeasures = true;
      wanted.outputs = { outputsOf(request.unfinished(), {}) };
      wanted.borders = { borderOf(input.volume) };
      Report report;
      const auto found =
        fresh->findRegions(this->unfinished(*fresh, input.volume, request), request, wanted, report)->table();
      const auto expected = this->onHost(this->unfinished(*fresh, input.volume, request), request, wanted)->table();
      ASSERT_EQ(found.size(), 1u);
      ASSERT_EQ(found.front().size(), expected.front().size());
      for (std::size_t i = 0; i < found.front().size(); ++i)
      {
        EXPECT_EQ(found.front()[i].isovalue, expected.front()[i].isovalue);
        expectMeasures(found.front()[i].measures, expected.front()[i].measures);
      }
    }
}

// Any submission may fail: then the host goes on.
TEST_F(SurfacesOnDevice, MemoryExhaustedAtAnySubmissionGivesTheSameSurface)
{
  DeviceOptions options;
  options.isDiscrete = true;
  options.beforeSubmission = submissionFailure().hook();
  const auto context = std::make_shared<Context>(options);
  Request request = requestOf({ 128, 200 });
  request.computeMeasures = request.computeRegions = true;
  RegionRequest wanted;
  wanted.withMeasures = true;
  wanted.outputs = { outputsOf(request.unfinished(), {}) };
  wanted.borders.resize(1);
  const auto keepEven = [&](Session& on, Surface surface, std::size_t failing)
  {
    Report report;
    submissionFailure().failNext(vk::Result::eErrorOutOfDeviceMemory, failing);
    const auto found = on.findRegions(std::move(surface), request, wanted, report);
    const std::vector<SurfaceRegion>& table = found->table().front();
    ChosenRegions chosen;
    for (std::size_t i = 0; i < table.size(); ++i)
      chosen.isKept.push_back(i % 2 == 0 ? 1 : 0);
    chosen.rank = ranksOf(table, chosen.isKept);
    Surface kept = found->finish({ chosen }, report);
    submissionFailure().failNext(vk::Result::eSuccess);
    return std::move(kept.meshes.front());
  };
  constexpr std::size_t Never = ~std::size_t(0), MoreThanThereAre = 14;
  const auto first = newSessionOn(context);
  const Mesh expected = keepEven(*first, this->unfinished(*first, this->Bytes.volume(), request), Never);
  for (std::size_t after = 0; after < MoreThanThereAre; ++after)
  {
    SCOPED_TRACE(after);
    const auto fresh = newSessionOn(context);
    const Mesh mesh = keepEven(*fresh, this->unfinished(*fresh, this->Bytes.volume(), request), after);
    expectSameBytes(mesh, expected);
    EXPECT_EQ(valuesOf<std::int32_t>(mesh.pointRegions), valuesOf<std::int32_t>(expected.pointRegions));
    for (std::size_t i = 0; i < expected.measures.size(); ++i)
      expectMeasures(mesh.measures[i], expected.measures[i]);

    Request measured = requestOf({ 128, 200 });
    measured.computeMeasures = true;
    submissionFailure().failNext(vk::Result::eErrorOutOfDeviceMemory, after);
    const Mesh whole = this->extract(*fresh, this->Bytes.volume(), measured);
    submissionFailure().failNext(vk::Result::eSuccess);
    const Mesh same = this->extract(*fresh, this->Bytes.volume(), measured);
    expectSameBytes(whole, same);
    for (std::size_t i = 0; i < same.measures.size(); ++i)
      expectMeasures(whole.measures[i], same.measures[i]);
  }
}

TEST_F(SurfacesOnDevice, KeepWhatIsKeptOnTheHost)
{
  for (const std::shared_ptr<Context>& context : contexts(this->sharedContext()))
    for (const Input& input : this->inputs())
      for (const bool all : { false, true })
        for (const bool wide : { false, true })
        {
          SCOPED_TRACE(input.name);
          const std::unique_ptr<Session> fresh = newSessionOn(context);
          Request request = requestOf(input.isovalues);
          request.wideIds = wide;
          request.computeRegions = request.computeMeasures = request.pointIsovalues = true;
          request.computeCells = true;
          RegionRequest wanted;
          wanted.outputs = { outputsOf(request.unfinished(), {}) };
          wanted.borders = { borderOf(input.volume) };
          Report report;
          const auto found =
            fresh->findRegions(this->unfinished(*fresh, input.volume, request), request, wanted, report);
          const auto expected = this->onHost(this->unfinished(*fresh, input.volume, request), request, wanted);
          const std::vector<SurfaceRegion>& table = found->table().front();
          ChosenRegions chosen;
          for (std::size_t i = 0; i < table.size(); ++i)
            chosen.isKept.push_back(all || i % 3 == 1 ? 1 : 0);
          chosen.rank = ranksOf(table, chosen.isKept);
          const Mesh mesh = std::move(found->finish({ chosen }, report).meshes.front());
          const Mesh same = std::move(expected->finish({ chosen }, report).meshes.front());
          expectSameBytes(mesh, same);
          EXPECT_EQ(mesh.firstPoint, same.firstPoint);
          EXPECT_EQ(mesh.firstTriangle, same.firstTriangle);
          EXPECT_EQ(valuesOf<std::int32_t>(mesh.pointRegions), valuesOf<std::int32_t>(same.pointRegions));
          EXPECT_EQ(valuesOf<std::int32_t>(mesh.triangleRegions), valuesOf<std::int32_t>(same.triangleRegions));
          EXPECT_EQ(valuesOf<float>(mesh.isovalues), valuesOf<float>(same.isovalues));
          ASSERT_EQ(mesh.measures.size(), same.measures.size());
          for (std::size_t i = 0; i < mesh.measures.size(); ++i)
            expectMeasures(mesh.measures[i], same.measures[i]);
        }
}

}
