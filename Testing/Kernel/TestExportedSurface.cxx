// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Surfaces in device memory that other APIs can import.
#include "DeviceSurfaceTest.h"

#include <cstring>
#include <set>
#include <sys/stat.h>
#include <unistd.h>

namespace vmc::test
{

class ExportedSurfaces : public DeviceSurfaceTest
{
protected:
  void SetUp() override
  {
    DeviceSurfaceTest::SetUp();
    if (!this->IsSkipped() && !this->device().exportsMemory())
      GTEST_SKIP() << this->device().traits().name << " does not export memory.";
  }

  static Request exportOf(std::vector<double> isovalues)
  {
    Request request = requestOf(std::move(isovalues));
    request.relativePositions = true;
    return request;
  }

  Volume volume() const override
  {
    Volume volume = DeviceSurfaceTest::volume();
    volume.geometry.setOrigin({ 1e6, -5, 7 });
    return volume;
  }

  Surface exported(Session& on, Request request, bool withIsovalues = false)
  {
    request.pointIsovalues = withIsovalues;
    return this->extractOn(on, request, OutputMemory::Exported);
  }

  // Identities of the buffers, in the order of the rows.
  static std::vector<std::uint64_t> buffersOf(const Surface& surface)
  {
    std::vector<std::uint64_t> identities;
    for (const OutputArray& array : surface.arrays)
      if (!array.isEmpty())
        identities.push_back(array.region().buffer->identity());
    return identities;
  }

  static std::uint64_t bytesOf(const Surface& surface)
  {
    std::uint64_t bytes = 0;
    for (const OutputArray& array : surface.arrays)
      bytes += array.size();
    return bytes;
  }

  static void expectExported(const Surface& surface)
  {
    const Mesh& mesh = surface.meshes.front();
    ASSERT_EQ(surface.arrays.size(), surface.outputs.size());
    for (std::size_t i = 0; i < surface.outputs.size(); ++i)
    {
      const OutputArray& array = surface.arrays[i];
      EXPECT_EQ(!array.isEmpty(), surface.outputs[i].isDownloaded(true)) << surface.outputs[i].name;
      if (array.isEmpty())
        continue;
      EXPECT_EQ(array.region().buffer->kind(), Buffer::Memory::Exported);
      EXPECT_GE(array.region().buffer->size(), surface.outputs[i].bytes(mesh.pointCount, mesh.triangleCount));
    }
  }
};

TEST_F(ExportedSurfaces, AreTheSameBytesOnTheHost)
{
  for (const std::vector<double>& isovalues : { std::vector<double>{ 0.1 }, { 0.1, 5, -0.4 } }) // 5: no surface
    for (const std::shared_ptr<Context>& context : { this->sharedContext(), contextOfSlabs(), contextOfSlabs(false) })
    {
      const std::unique_ptr<Session> fresh = newSessionOn(context);
      const Request request = exportOf(isovalues);
      const Mesh expected = this->extract(*fresh, this->volume(), request);
      Surface surface = this->exported(*fresh, request);
      expectExported(surface);
      expectSameBytes(downloaded(std::move(surface)), expected);
    }
}

TEST_F(ExportedSurfaces, HaveTheDifferenceOfIsovaluesAtEachPoint)
{
  const std::vector<double> isovalues = { 0.1, 5, -0.4 };
  const Surface surface = this->exported(this->session(), exportOf(isovalues), true);
  const Mesh& mesh = surface.meshes.front();
  const std::uint64_t bytes = mesh.pointCount * sizeof(float);
  ASSERT_GE(surface.isovalues.size(), bytes);
  Buffer onHost(this->context().device(), bytes, Buffer::Memory::Readback, "isovalues");
  CommandRecorder commands(this->device());
  StageTimes times;
  commands.begin();
  commands.copy(Region(*surface.isovalues.region().buffer, 0, bytes), onHost);
  commands.submitAndWait(times);
  std::vector<float> values(mesh.pointCount);
  std::memcpy(values.data(), onHost.mapped(), bytes);
  ASSERT_GT(mesh.firstPoint[1], 0u);
  for (std::size_t i = 0; i < values.size(); ++i)
    ASSERT_EQ(values[i], i < mesh.firstPoint[1] ? 0.0f : float(-0.4 - 0.1)) << "point " << i;
}

// An import is slow: a renderer keeps it while the buffer is the same.
TEST_F(ExportedSurfaces, KeepTheirBuffersForSurfacesOfSimilarSize)
{
  const std::unique_ptr<Session> fresh = newSessionOn(this->sharedContext());
  std::set<std::vector<std::uint64_t>> seen;
  for (const double isovalue : { 0.1, 0.1, 0.0, 0.3, -0.2, 0.1, 0.5, 0.1 })
  {
    const Surface surface = this->exported(*fresh, exportOf({ isovalue }));
    seen.insert(buffersOf(surface));
  }
  EXPECT_LE(seen.size(), 2u); // the first extraction does not know the counts of the second
}

TEST_F(ExportedSurfaces, OfNothingHaveNoMemory)
{
  const Surface surface = this->exported(this->session(), exportOf({ 5 }), true);
  EXPECT_TRUE(buffersOf(surface).empty());
  EXPECT_TRUE(surface.isovalues.isEmpty());
}

TEST_F(ExportedSurfaces, GiveFileDescriptorsOfTheirMemory)
{
  const Surface surface = this->exported(this->session(), exportOf({ 0.1 }));
  const Buffer& buffer = *surface.arrays.front().region().buffer;
  EXPECT_GT(buffer.allocationSize(), buffer.size());
  const int file = buffer.exportMemory(this->device());
  struct stat status;
  EXPECT_EQ(fstat(file, &status), 0);
  EXPECT_EQ(close(file), 0);
}

TEST_F(ExportedSurfaces, AreRelativeToTheOrigin)
{
  const Mesh mesh = this->extract(this->volume(), exportOf({ 0.1 }));
  EXPECT_EQ(mesh.origin, this->volume().geometry.origin());
  Volume atZero = this->volume();
  atZero.geometry.setOrigin({ 0, 0, 0 });
  const Mesh expected = this->extract(atZero, requestOf({ 0.1 }));
  EXPECT_EQ(valuesOf<float>(mesh.positions), valuesOf<float>(expected.positions));
}

// Besides the surface, the device holds the samples.
TEST_F(ExportedSurfaces, DoNotFitAMemoryLimitOfTheirOwnBytes)
{
  for (const std::vector<double>& isovalues : { std::vector<double>{ 0.1 }, { 0.1, 0.0, -0.1 } })
  {
    const std::unique_ptr<Session> fresh = newSessionOn(this->sharedContext());
    Request request = exportOf(isovalues);
    request.memoryLimit = bytesOf(this->exported(*fresh, request));
    vmc::test::expectError(Error::Kind::OutOfMemory, [&] { this->exported(*fresh, request); });
  }
}

}
