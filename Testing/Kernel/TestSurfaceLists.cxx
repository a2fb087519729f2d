// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Surfaces of lists of volumes, on each engine.
#include "ExtractionTest.h"
#include "Support/RandomCoordinates.h"

#include <limits>
#include <memory>
#include <vector>

namespace vmc::test
{

class SurfaceLists : public EngineTest
{
protected:
  // Volumes of several sizes and types: one with coordinates along each axis, one with attributes, one with flags and
  // NaN, one whose isosurface is empty, and two without a dual cell, of which the first has no sample.
  std::vector<Volume> volumes()
  {
    for (const SampleType type : { SampleType::UInt8, SampleType::Int16, SampleType::Float32, SampleType::Float64 })
      this->Fields.push_back(sampleNoise({ 12, 9, 7 + std::uint32_t(type) }, type, 3));
    this->Fields.push_back(sampleNoise({ 5, 1, 1 }, SampleType::Float32, 4));
    this->Fields.push_back(sample(sphere({ 50, 50, 50 }, 3), { 20, 10, 10 }));
    scatter(this->Fields[2], std::numeric_limits<double>::quiet_NaN(), 0.05, 5);
    this->Flags.assign(this->Fields[2].count(), 0);
    this->Flags[100] = Ghost::Blank;
    this->Indices = sampleIndices(this->Fields[1].size);
    std::vector<Volume> volumes{ Volume() };
    for (const Samples& samples : this->Fields)
      volumes.push_back(samples.volume());
    volumes[1].geometry = SampleGeometry::ofPoints(randomCoordinates(volumes[1].size, 6));
    volumes[2].attributes = { { this->Indices.data(), SampleType::Float32, 3 } };
    volumes[3].ghosts = this->Flags.data();
    volumes[4].geometry.setOrigin({ 1e6, -3, 0.5 });
    return volumes;
  }

  static Request requestOfAll()
  {
    Request request = requestOf({ 0.25, 100.5, -0.5 });
    request.computeNormals = request.computeGradients = request.computeCells = request.pointIsovalues = true;
    return request;
  }

  void expectSameAsAlone(const std::vector<Volume>& volumes, const Request& request)
  {
    const std::unique_ptr<Session> together = this->newSession(), alone = this->newSession();
    for (int run = 0; run < 2; ++run) // the second one knows the capacities
    {
      const std::optional<Surface> surface = together->extract(volumes, request, this->LastReport);
      ASSERT_TRUE(surface);
      ASSERT_EQ(surface->meshes.size(), volumes.size());
      std::size_t meshes = 0;
      for (std::size_t i = 0; i < volumes.size(); ++i)
      {
        SCOPED_TRACE(i);
        const Mesh& mesh = surface->meshes[i];
        expectSameBytes(mesh, alone->extract({ volumes[i] }, request, this->LastReport)->meshes.front());
        meshes += mesh.triangleCount != 0;
      }
      EXPECT_GE(meshes, 4u);
    }
  }

private:
  std::vector<Samples> Fields;
  std::vector<std::uint8_t> Flags;
  std::vector<float> Indices;
};

TEST_P(SurfaceLists, AreTheSurfacesOfTheVolumes)
{
  const std::vector<Volume> volumes = this->volumes();
  Request request = requestOfAll();
  this->expectSameAsAlone(volumes, request);
  request.wideIds = true;
  this->expectSameAsAlone(volumes, request);
}

TEST_P(SurfaceLists, OfTrianglesWithoutSharedPointsAreThoseOfTheVolumes)
{
  Request request = requestOfAll();
  request.mergePoints = false;
  this->expectSameAsAlone(this->volumes(), request);
}

TEST_P(SurfaceLists, OfTheSameVolumeTwiceHaveItTwice)
{
  const Volume volume = this->volumes()[3];
  const std::optional<Surface> surface =
    this->newSession()->extract({ volume, volume }, requestOfAll(), this->LastReport);
  ASSERT_TRUE(surface);
  EXPECT_NE(surface->meshes[0].triangleCount, 0u);
  expectSameBytes(surface->meshes[0], surface->meshes[1]);
}

// No sample of one byte reaches 300.
TEST_P(SurfaceLists, ContainVolumesThatNoSampleOfTheirTypeCouldCut)
{
  const Samples bytes = sampleNoise({ 20, 9, 7 }, SampleType::UInt8, 3);
  const Samples floats = sample(sphere({ 10, 10, 10 }, 6), { 24, 20, 20 }, SampleType::Float32, 1, 300);
  const std::vector<Volume> volumes{ bytes.volume(), floats.volume() };
  const std::unique_ptr<Session> session = this->newSession();
  const Surface alone = *this->newSession()->extract({ floats.volume() }, requestOf({ 300 }), this->LastReport);
  EXPECT_NE(alone.meshes.front().triangleCount, 0u);
  for (int run = 0; run < 3; ++run) // the later ones know the capacities
  {
    const std::optional<Surface> surface = session->extract(volumes, requestOf({ 300 }), this->LastReport);
    EXPECT_EQ(surface->meshes[0].triangleCount, 0u);
    expectSameBytes(surface->meshes[1], alone.meshes.front());
  }
}

TEST_P(SurfaceLists, HaveTheAttributesOfTheirOnlyVolumeWithSamples)
{
  const Samples samples = sampleNoise({ 9, 8, 7 }, SampleType::Float32, 3);
  const std::vector<float> indices = sampleIndices(samples.size);
  std::vector<Volume> volumes{ Volume(), samples.volume() };
  volumes[1].attributes = { { indices.data(), SampleType::Float32, 3 } };
  const std::unique_ptr<Session> session = this->newSession();
  const Surface first = *session->extract(volumes, requestOf({ 0.1 }), this->LastReport);
  const Surface second = *session->extract(volumes, requestOf({ 0.1 }), this->LastReport); // knows the capacities
  EXPECT_NE(first.meshes[1].triangleCount, 0u);
  expectSameBytes(second.meshes[1], first.meshes[1]);
}

TEST_P(SurfaceLists, WithoutVolumesAreEmpty)
{
  const std::optional<Surface> surface =
    this->newSession()->extract(std::vector<Volume>(), requestOfAll(), this->LastReport);
  ASSERT_TRUE(surface);
  EXPECT_TRUE(surface->meshes.empty());
}

TEST_P(SurfaceLists, CanBeStopped)
{
  const std::vector<Volume> volumes = this->volumes();
  const std::unique_ptr<Session> session = this->newSession();
  double last = 0;
  const auto stop = [&](double done)
  {
    EXPECT_GE(done, last);
    last = done;
    return done < 0.3;
  };
  EXPECT_FALSE(session->extract(volumes, requestOfAll(), this->LastReport, stop));
  EXPECT_TRUE(session->extract(volumes, requestOfAll(), this->LastReport));
}

// A part of a list outlives the others.
TEST_P(SurfaceLists, MeshesAreReleasedInAnyOrder)
{
  const std::vector<Volume> volumes = this->volumes();
  const std::unique_ptr<Session> session = this->newSession();
  const std::optional<Surface> expected = session->extract(volumes, requestOfAll(), this->LastReport);
  std::optional<Surface> surface = session->extract(volumes, requestOfAll(), this->LastReport);
  for (const std::size_t i : { 1, 4, 3 })
  {
    surface->meshes[i] = Mesh();
    const std::optional<Surface> other = session->extract(volumes, requestOfAll(), this->LastReport); // recycles
    ASSERT_TRUE(other);
    expectSameBytes(surface->meshes[2], expected->meshes[2]);
  }
}

VMC_ON_EACH_ENGINE(SurfaceLists);
VMC_ON_TWO_DEVICES(SurfaceLists);

}
