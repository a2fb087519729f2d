// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Meshes in device memory that other APIs can import.
#include "DeviceMeshTest.h"

#include "Compute/Contour/DeviceMesh.h"

#include <cstring>
#include <set>
#include <sys/stat.h>
#include <unistd.h>

namespace vmc::test
{

class ExportedMeshes : public DeviceMeshTest
{
protected:
  void SetUp() override
  {
    DeviceMeshTest::SetUp();
    if (!this->IsSkipped() && !this->device().exportsMemory())
      GTEST_SKIP() << this->device().traits().name << " does not export memory.";
  }

  static Request exportOf(std::vector<double> isovalues)
  {
    Request request = requestOf(std::move(isovalues));
    request.exportArrays = true;
    request.relativePositions = true;
    return request;
  }

  Volume volume() const
  {
    Volume volume = DeviceMeshTest::volume();
    volume.geometry.origin = { 1e6, -5, 7 };
    return volume;
  }

  DeviceMesh exported(DeviceMarchingCubes& on, const Request& request, bool withIsovalues = false)
  {
    std::optional<DeviceMesh> mesh = on.extract(this->volume(), request, this->LastReport);
    return on.exported(std::move(*mesh), request, withIsovalues, this->LastReport);
  }

  // Identities of the buffers, in the order of the rows.
  static std::vector<std::uint64_t> buffersOf(const DeviceMesh& mesh)
  {
    std::vector<std::uint64_t> identities;
    for (const DeviceArray& array : mesh.parts.front().arrays)
      if (array.region().size != 0)
        identities.push_back(array.region().buffer->identity());
    return identities;
  }

  static void expectExported(const DeviceMesh& mesh)
  {
    ASSERT_EQ(mesh.parts.size(), 1u);
    for (std::size_t i = 0; i < mesh.layout.outputs.size(); ++i)
    {
      const Region region = mesh.parts.front().arrays[i].region();
      EXPECT_EQ(region.size != 0, mesh.layout.outputs[i].isDownloaded(true)) << mesh.layout.outputs[i].name;
      if (region.size == 0)
        continue;
      EXPECT_EQ(region.buffer->kind(), Buffer::Memory::Exported);
      EXPECT_GE(region.buffer->size(), mesh.layout.outputs[i].bytes(mesh.pointCount(), mesh.triangleCount()));
    }
  }
};

TEST_F(ExportedMeshes, OfOneSurfaceAreWrittenInPlace)
{
  const DeviceMesh mesh = this->exported(this->marchingCubes(), exportOf({ 0.1 }));
  expectExported(mesh);
  EXPECT_FALSE(this->reports(Stage::Export));
}

TEST_F(ExportedMeshes, AreTheSameBytesOnTheHost)
{
  for (const std::vector<double>& isovalues : { std::vector<double>{ 0.1 }, { 0.1, 5, -0.4 } }) // 5: no surface
    for (const std::shared_ptr<Context>& context : { this->sharedContext(), contextOfSlabs(), contextOfSlabs(false) })
    {
      const std::unique_ptr<DeviceMarchingCubes> fresh = newMarchingCubesOn(context);
      const Request request = exportOf(isovalues);
      const Mesh expected = this->extract(*fresh, this->volume(), request);
      DeviceMesh mesh = this->exported(*fresh, request);
      expectExported(mesh);
      EXPECT_EQ(this->reports(Stage::Export), isovalues.size() > 1 || context != this->sharedContext());
      expectSameBytes(fresh->download(std::move(mesh), this->LastReport), expected);
    }
}

TEST_F(ExportedMeshes, HaveTheDifferenceOfIsovaluesAtEachPoint)
{
  const std::vector<double> isovalues = { 0.1, 5, -0.4 };
  const DeviceMesh mesh = this->exported(this->marchingCubes(), exportOf(isovalues), true);
  const std::uint64_t bytes = mesh.pointCount() * sizeof(float);
  ASSERT_GE(mesh.isovalues.region().size, bytes);
  Buffer onHost(this->context().allocator(), bytes, Buffer::Memory::Readback, "isovalues");
  CommandRecorder commands(this->device());
  StageTimes times;
  commands.begin();
  commands.copy(Region(*mesh.isovalues.region().buffer, 0, bytes), onHost);
  commands.submitAndWait(times);
  std::vector<float> values(mesh.pointCount());
  std::memcpy(values.data(), onHost.mapped(), bytes);
  ASSERT_GT(mesh.firstPoint[1], 0u);
  for (std::size_t i = 0; i < values.size(); ++i)
    ASSERT_EQ(values[i], i < mesh.firstPoint[1] ? 0.0f : float(-0.4 - 0.1)) << "point " << i;
}

// An import is slow: a renderer keeps it while the buffer is the same.
TEST_F(ExportedMeshes, KeepTheirBuffersForSurfacesOfSimilarSize)
{
  const std::unique_ptr<DeviceMarchingCubes> fresh = newMarchingCubesOn(this->sharedContext());
  std::set<std::vector<std::uint64_t>> seen;
  for (const double isovalue : { 0.1, 0.1, 0.0, 0.3, -0.2, 0.1, 0.5, 0.1 })
  {
    const DeviceMesh mesh = this->exported(*fresh, exportOf({ isovalue }));
    seen.insert(buffersOf(mesh));
  }
  EXPECT_LE(seen.size(), 2u); // the first extraction does not know the counts of the second
}

TEST_F(ExportedMeshes, OfNothingHaveNoMemory)
{
  const DeviceMesh mesh = this->exported(this->marchingCubes(), exportOf({ 5 }), true);
  EXPECT_TRUE(mesh.parts.empty());
  EXPECT_EQ(mesh.isovalues.region().size, 0u);
}

TEST_F(ExportedMeshes, GiveFileDescriptorsOfTheirMemory)
{
  const DeviceMesh mesh = this->exported(this->marchingCubes(), exportOf({ 0.1 }));
  const Buffer& buffer = *mesh.parts.front().arrays.front().region().buffer;
  EXPECT_GT(buffer.allocationSize(), buffer.size());
  const int file = buffer.exportMemory(this->device());
  struct stat status;
  EXPECT_EQ(fstat(file, &status), 0);
  EXPECT_EQ(close(file), 0);
}

TEST_F(ExportedMeshes, AreRelativeToTheOrigin)
{
  const Mesh mesh = this->extract(this->volume(), exportOf({ 0.1 }));
  EXPECT_EQ(mesh.origin, this->volume().geometry.origin);
  Volume atZero = this->volume();
  atZero.geometry.origin = { 0, 0, 0 };
  const Mesh expected = this->extract(atZero, requestOf({ 0.1 }));
  EXPECT_EQ(valuesOf<float>(mesh.positions), valuesOf<float>(expected.positions));
}

// With several isovalues, the limit also counts the joined arrays beside the parts.
TEST_F(ExportedMeshes, DoNotFitASmallMemoryLimit)
{
  for (const std::vector<double>& isovalues : { std::vector<double>{ 0.1 }, { 0.1, 0.0, -0.1 } })
  {
    const std::unique_ptr<DeviceMarchingCubes> fresh = newMarchingCubesOn(this->sharedContext());
    Request request = exportOf(isovalues);
    std::optional<DeviceMesh> mesh = fresh->extract(this->volume(), request, this->LastReport);
    const std::uint64_t parts = this->LastReport.deviceBytes;
    fresh->exported(std::move(*mesh), request, false, this->LastReport);
    EXPECT_EQ(this->LastReport.deviceBytes > parts, isovalues.size() > 1);
    request.memoryLimit = this->LastReport.deviceBytes - this->LastReport.deviceBytes / 8;
    vmc::test::expectError(Error::Kind::OutOfMemory, [&] { this->exported(*fresh, request); });
  }
}

}
