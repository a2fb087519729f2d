// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Surfaces that stay on the device.
#include "DeviceSurfaceTest.h"

#include "Compute/Volume/ContourPlan.h"

namespace vmc::test
{

class DeviceSurfaces : public DeviceSurfaceTest
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

TEST_F(DeviceSurfaces, AreTheSameBytesOnTheHost)
{
  for (const bool merge : { true, false })
  {
    Request request = requestOfAll();
    request.mergePoints = merge;
    const Mesh expected = this->extract(this->volume(), request);
    for (const std::shared_ptr<Context>& context : { this->sharedContext(), contextOfSlabs() })
    {
      const std::unique_ptr<Session> fresh = newSessionOn(context);
      Surface surface = this->extractOn(*fresh, request);
      EXPECT_FALSE(this->reports(Stage::Download));
      EXPECT_EQ(this->LastReport.slabs > 2, context != this->sharedContext());
      EXPECT_EQ(surface.meshes.front().pointCount, expected.pointCount);
      EXPECT_EQ(surface.meshes.front().triangleCount, expected.triangleCount);
      expectSameBytes(downloaded(std::move(surface), merge), expected);
    }
  }
}

TEST_F(DeviceSurfaces, AreNotOverwrittenByLaterExtractions)
{
  for (const std::shared_ptr<Context>& context : { this->sharedContext(), contextOfSlabs() })
  {
    const std::unique_ptr<Session> fresh = newSessionOn(context), other = newSessionOn(context);
    const Request first = requestOf({ 0.1 }), second = requestOf({ -0.4 });
    const Mesh expected = this->extract(*fresh, this->volume(), first);
    Surface held = this->extractOn(*fresh, first);
    this->extract(*fresh, this->volume(), second);
    this->extractOn(*fresh, second);
    this->extractOn(*other, second);
    expectSameBytes(downloaded(std::move(held)), expected);
  }
}

TEST_F(DeviceSurfaces, KeepTheirDeviceOpen)
{
  auto context = contextOfSlabs();
  std::unique_ptr<Session> fresh = newSessionOn(context);
  const Mesh expected = this->extract(*fresh, this->volume(), requestOf({ 0.1 }));
  std::optional<Surface> held = this->extractOn(*fresh, requestOf({ 0.1 }));
  fresh.reset();
  const std::weak_ptr<Context> ending = context;
  context.reset();
  EXPECT_FALSE(ending.expired());
  expectSameBytes(downloaded(std::move(*held)), expected);
  held.reset();
  EXPECT_TRUE(ending.expired());
}

// The slabs differ in size: their buffers do not displace each other.
TEST_F(DeviceSurfaces, OfSeveralSlabsMakeNoBuffersAgain)
{
  const std::shared_ptr<Context> context = contextOfSlabs();
  const std::unique_ptr<Session> fresh = newSessionOn(context);
  const auto buffersMade = [&]
  {
    const std::uint64_t before = context->device().work().buffersMade;
    this->extractOn(*fresh, requestOf({ 0.1 }));
    return context->device().work().buffersMade - before;
  };
  EXPECT_GT(buffersMade(), 0u);
  buffersMade(); // with the capacity that the first extraction found
  for (int run = 0; run < 3; ++run)
    EXPECT_EQ(buffersMade(), 0u);
}

TEST_F(DeviceSurfaces, MayBeReplacedByOneOfAnotherDevice)
{
  auto lost = contextOfSlabs();
  Surface held = this->extractOn(*newSessionOn(lost), requestOf({ 0.1 }));
  lost.reset(); // the surface alone keeps it open
  const std::shared_ptr<Context> next = contextOfSlabs();
  const std::unique_ptr<Session> fresh = newSessionOn(next);
  held = this->extractOn(*fresh, requestOf({ 0.1 }));
  EXPECT_EQ(held.context, next);
  expectSound(downloaded(std::move(held)));
}

// A large surface decides the size of the buffers for a few extractions only.
TEST_F(DeviceSurfaces, AreSmallAgainAfterALargeOne)
{
  DeviceOptions options;
  options.isDiscrete = true;
  const auto context = std::make_shared<Context>(options);
  const std::unique_ptr<Session> fresh = newSessionOn(context);
  const Samples large = sampleNoise({ 40, 40, 40 }, SampleType::Float32, 5);
  const Samples small = sample(sphere({ 8, 8, 8 }, 3), { 17, 17, 17 });
  const auto bytesHeld = [&]
  {
    Request request = requestOf({ 0 });
    request.memory = OutputMemory::Device;
    const std::optional<Surface> surface = fresh->extract({ small.volume() }, request, this->LastReport);
    return surface->arrays.front().size();
  };
  const std::uint64_t before = bytesHeld();
  this->extract(*fresh, large.volume(), requestOf({ 0 }));
  EXPECT_GT(bytesHeld(), 10 * before);
  for (int run = 0; run < 9; ++run)
    bytesHeld();
  EXPECT_EQ(bytesHeld(), before);
}

}
