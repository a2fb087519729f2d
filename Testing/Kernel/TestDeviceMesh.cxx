// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Meshes that stay on the device.
#include "DeviceMeshTest.h"

#include "Compute/Contour/DeviceMesh.h"
#include "Compute/Volume/ContourPlan.h"

namespace vmc::test
{

class DeviceMeshes : public DeviceMeshTest
{
protected:
  static Request requestOfAll()
  {
    Request request = requestOf({ 0.1, -0.4 });
    request.computeGradients = true;
    request.computeCells = true;
    request.splitPositions = true;
    return request;
  }
};

TEST_F(DeviceMeshes, AreTheSameBytesOnTheHost)
{
  for (const bool merge : { true, false })
  {
    Request request = requestOfAll();
    request.mergePoints = merge;
    const Mesh expected = this->extract(this->volume(), request);
    for (const std::shared_ptr<Context>& context : { this->sharedContext(), contextOfSlabs() })
    {
      const std::unique_ptr<DeviceMarchingCubes> fresh = newMarchingCubesOn(context);
      std::optional<DeviceMesh> mesh = fresh->extract(this->volume(), request, this->LastReport);
      ASSERT_TRUE(mesh);
      EXPECT_FALSE(this->reports(Stage::Download));
      EXPECT_EQ(mesh->parts.size() > 2, context != this->sharedContext());
      EXPECT_EQ(mesh->pointCount(), expected.pointCount);
      EXPECT_EQ(mesh->triangleCount(), expected.triangleCount);
      const Mesh onHost = fresh->download(std::move(*mesh), this->LastReport);
      EXPECT_TRUE(this->reports(Stage::Download));
      expectSameBytes(onHost, expected);
    }
  }
}

TEST_F(DeviceMeshes, AreNotOverwrittenByLaterExtractions)
{
  for (const std::shared_ptr<Context>& context : { this->sharedContext(), contextOfSlabs() })
  {
    const std::unique_ptr<DeviceMarchingCubes> fresh = newMarchingCubesOn(context), other = newMarchingCubesOn(context);
    const Request first = requestOf({ 0.1 }), second = requestOf({ -0.4 });
    const Mesh expected = this->extract(*fresh, this->volume(), first);
    std::optional<DeviceMesh> held = fresh->extract(this->volume(), first, this->LastReport);
    this->extract(*fresh, this->volume(), second);
    EXPECT_TRUE(fresh->extract(this->volume(), second, this->LastReport));
    EXPECT_TRUE(other->extract(this->volume(), second, this->LastReport));
    expectSameBytes(fresh->download(std::move(*held), this->LastReport), expected);
  }
}

TEST_F(DeviceMeshes, KeepTheirDeviceOpen)
{
  auto context = contextOfSlabs();
  std::unique_ptr<DeviceMarchingCubes> fresh = newMarchingCubesOn(context);
  const Mesh expected = this->extract(*fresh, this->volume(), requestOf({ 0.1 }));
  std::optional<DeviceMesh> held = fresh->extract(this->volume(), requestOf({ 0.1 }), this->LastReport);
  fresh.reset();
  const std::weak_ptr<Context> ending = context;
  context.reset();
  EXPECT_FALSE(ending.expired());
  fresh = newMarchingCubesOn(held->context);
  expectSameBytes(fresh->download(std::move(*held), this->LastReport), expected);
  held.reset();
  fresh.reset();
  EXPECT_TRUE(ending.expired());
}

// The slabs differ in size: their buffers do not displace each other.
TEST_F(DeviceMeshes, OfSeveralSlabsMakeNoBuffersAgain)
{
  const std::shared_ptr<Context> context = contextOfSlabs();
  const std::unique_ptr<DeviceMarchingCubes> fresh = newMarchingCubesOn(context);
  const auto buffersMade = [&]
  {
    const std::uint64_t before = context->allocator().buffersMade();
    EXPECT_TRUE(fresh->extract(this->volume(), requestOf({ 0.1 }), this->LastReport));
    return context->allocator().buffersMade() - before;
  };
  EXPECT_GT(buffersMade(), 0u);
  buffersMade(); // with the capacity that the first extraction found
  for (int run = 0; run < 3; ++run)
    EXPECT_EQ(buffersMade(), 0u);
}

TEST_F(DeviceMeshes, MayBeReplacedByOneOfAnotherDevice)
{
  auto lost = contextOfSlabs();
  std::optional<DeviceMesh> held =
    newMarchingCubesOn(lost)->extract(this->volume(), requestOf({ 0.1 }), this->LastReport);
  lost.reset(); // the mesh alone keeps it open
  const std::shared_ptr<Context> next = contextOfSlabs();
  const std::unique_ptr<DeviceMarchingCubes> fresh = newMarchingCubesOn(next);
  *held = std::move(*fresh->extract(this->volume(), requestOf({ 0.1 }), this->LastReport));
  EXPECT_EQ(held->context, next);
  expectSound(fresh->download(std::move(*held), this->LastReport));
}

TEST_F(DeviceMeshes, OfAnotherDeviceAreNotDownloaded)
{
  std::optional<DeviceMesh> held =
    newMarchingCubesOn(contextOfSlabs())->extract(this->volume(), requestOf({ 0.1 }), this->LastReport);
  EXPECT_THROW(this->marchingCubes().download(std::move(*held), this->LastReport), Error);
}

TEST_F(DeviceMeshes, PartsNameTheirIsovalueAndTheirFirstPoint)
{
  const std::unique_ptr<DeviceMarchingCubes> fresh = newMarchingCubesOn(contextOfSlabs());
  const std::optional<DeviceMesh> mesh = fresh->extract(this->volume(), requestOfAll(), this->LastReport);
  ASSERT_GT(mesh->parts.size(), 2u);
  std::uint64_t points = 0;
  for (const DeviceMeshPart& part : mesh->parts)
  {
    EXPECT_EQ(part.firstPoint, points);
    EXPECT_GE(part.firstPoint, mesh->firstPoint[part.isovalue]);
    EXPECT_LT(part.firstPoint, mesh->firstPoint[part.isovalue + 1]);
    points += part.pointCount;
  }
}

// A large surface decides the size of the buffers for a few extractions only.
TEST_F(DeviceMeshes, AreSmallAgainAfterALargeOne)
{
  DeviceOptions options;
  options.isDiscrete = true;
  const auto context = std::make_shared<Context>(options);
  const std::unique_ptr<DeviceMarchingCubes> fresh = newMarchingCubesOn(context);
  const Samples large = sampleNoise({ 40, 40, 40 }, SampleType::Float32, 5);
  const Samples small = sample(sphere({ 8, 8, 8 }, 3), { 17, 17, 17 });
  const auto bytesHeld = [&]
  {
    const std::optional<DeviceMesh> mesh = fresh->extract(small.volume(), requestOf({ 0 }), this->LastReport);
    return mesh->parts.front().arrays.front().region().size;
  };
  const std::uint64_t before = bytesHeld();
  this->extract(*fresh, large.volume(), requestOf({ 0 }));
  EXPECT_GT(bytesHeld(), 10 * before);
  for (int run = 0; run < 9; ++run)
    bytesHeld();
  EXPECT_EQ(bytesHeld(), before);
}

}
