// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/System/Error.h"
#include "Compute/Volume/ContourPlan.h"
#include "Shared/Constants.h"
#include "Support/ExpectError.h"
#include "Support/PlanChecks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>

namespace
{

using Size = std::array<std::uint32_t, 3>;
using vmc::ContourPlan;
using vmc::DeviceLimits;
using vmc::Slab;
using vmc::Window;

constexpr DeviceLimits Lavapipe = { 128ull << 20, 16, 65535 };
constexpr DeviceLimits Narrow = { 192 << 10, 256, 64 };

// The plan for this input, whose properties are checked.
ContourPlan rightPlan(const vmc::test::PlanInput& input)
{
  const ContourPlan plan = input.plan();
  EXPECT_EQ(vmc::test::wrongInPlan(plan, input), "");
  return plan;
}

vmc::Residency withoutHalos()
{
  vmc::Residency residency;
  residency.readsHalos = false;
  return residency;
}

std::string refusal(const std::function<void()>& action)
{
  return vmc::test::expectError(vmc::Error::Kind::Unsupported, action);
}

}

TEST(ContourPlan, BricksCoverTheVolume)
{
  EXPECT_EQ(ContourPlan({ 1, 8, 9 }, 4, Lavapipe).bricks(), (Size{ 1, 1, 2 }));
  EXPECT_EQ(ContourPlan({ 16, 17, 256 }, 4, Lavapipe).bricks(), (Size{ 2, 3, 32 }));
  EXPECT_EQ(ContourPlan({ 16, 17, 256 }, 4, Lavapipe).brickCount(), 192u);
}

TEST(ContourPlan, SmallVolumeIsOneSlab)
{
  const ContourPlan plan({ 64, 64, 64 }, 4, Lavapipe);
  ASSERT_EQ(plan.slabs().size(), 1u);
  EXPECT_EQ(plan.slabs()[0].layers, 8u);
  EXPECT_EQ(plan.slabs()[0].haloLayers, 0u);
}

TEST(ContourPlan, SlabsTileTheVolumeAndFitTheLimits)
{
  for (const std::uint64_t bytes : { 1, 2, 4, 8 })
    for (const Size& size : { Size{ 2, 2, 2 }, Size{ 17, 13, 200 }, Size{ 21, 23, 161 }, Size{ 24, 24, 140 } })
      rightPlan({ size, bytes, 1, Narrow });
  // 512 MiB of samples through bindings of 128 MiB
  EXPECT_GT(rightPlan({ { 512, 512, 512 }, 4, 1, Lavapipe }).slabs().size(), 3u);
}

TEST(ContourPlan, WindowsCoverWhatKernelsRead)
{
  for (const std::uint32_t values : { 1u, 3u })
    for (const std::uint32_t bytes : { 1u, 2u, 4u })
      for (const Size& size : { Size{ 9, 9, 70 }, Size{ 9, 9, 71 }, Size{ 11, 5, 73 }, Size{ 17, 13, 200 },
             Size{ 22, 23, 67 }, Size{ 3, 3, 3 }, Size{ 9, 9, 100 }, Size{ 7, 9, 101 } })
        for (const std::uint32_t largestSlab : { ~0u, 1u })
          rightPlan({ size, bytes, values, Narrow, {}, { 0, vmc::Residency::Unlimited, largestSlab } });
}

// Every slab's window of every array lies in one segment. No segment exceeds a buffer, and together they are the array.
TEST(ContourPlan, SegmentsHoldTheWindowsOfSlabs)
{
  constexpr std::uint64_t Widest = 12;
  for (const std::uint64_t layers : { 21, 22, 29, 40, 150, 1000 }) // of samples, in a buffer
    for (const std::uint32_t padding : { 0u, 1u, 2u })
      for (const Size& size : { Size{ 9, 9, 70 }, Size{ 11, 5, 73 }, Size{ 17, 13, 200 }, Size{ 7, 9, 101 } })
      {
        DeviceLimits limits = Narrow;
        const std::uint64_t bufferBytes = layers * size[0] * size[1] * Widest + vmc::paddedBytes(256, 1) + 4;
        limits.maxBufferBytes = bufferBytes - 1;
        if (layers == 21)
          refusal([&] { ContourPlan(size, Widest, limits); });
        limits.maxBufferBytes = bufferBytes;
        vmc::Padding sides;
        sides.low[2] = sides.high[2] = padding;
        rightPlan({ size, Widest / 3, 3, limits, sides, withoutHalos() });
        const ContourPlan plan = rightPlan({ size, Widest / 3, 3, limits, sides, {} });
        for (const std::uint64_t bytes : { std::uint64_t(1), std::uint64_t(4), Widest })
        {
          const std::vector<Window> segments = plan.segments(bytes);
          std::uint64_t end = 0;
          for (const Window& segment : segments)
          {
            EXPECT_LE(segment.size, bufferBytes);
            EXPECT_LE(segment.offset, end);
            end = segment.offset + segment.size;
          }
          EXPECT_EQ(end, vmc::paddedBytes(std::uint64_t(size[0]) * size[1] * size[2], bytes));
        }
      }
}

// The slabs of shares are those of the volume, cut at their borders, and a segment holds the windows of each.
TEST(ContourPlan, SharesTileTheVolume)
{
  constexpr std::uint64_t Bytes = 4;
  for (const Size& size : { Size{ 9, 9, 70 }, Size{ 17, 13, 200 }, Size{ 7, 9, 101 }, Size{ 7, 9, 3 } })
    for (const std::uint64_t layers : { 21, 40, 1000 }) // of samples, in a buffer
      for (const std::uint32_t border : { 0u, 1u, 5u, 13u, 100u })
      {
        DeviceLimits limits = Narrow;
        limits.maxBufferBytes = layers * size[0] * size[1] * Bytes + vmc::paddedBytes(256, 1) + 4;
        std::uint32_t next = 0;
        for (const vmc::LayerRange range : { vmc::LayerRange{ 0, border }, vmc::LayerRange{ border } })
        {
          vmc::Residency share;
          share.layers = range;
          share.readsHalos = false;
          rightPlan({ size, Bytes, 1, limits, {}, share });
          share.readsHalos = true;
          const ContourPlan plan = rightPlan({ size, Bytes, 1, limits, {}, share });
          EXPECT_EQ(plan.slabs().empty(), plan.layers().first == plan.layers().end);
          EXPECT_EQ(plan.layers().first, next);
          next = plan.layers().end;
        }
        EXPECT_EQ(next, (size[2] + 7) / 8);
      }
}

// Limits of devices, as they or their specification state them.
struct KnownDevice
{
  const char* name;
  DeviceLimits limits;
};
constexpr std::uint64_t GiB = 1ull << 30;
constexpr KnownDevice KnownDevices[] = {
  { "NVIDIA H200", { 4 * GiB - 1, 16, 0x7FFFFFFF, 139 * GiB, 4 * GiB - (2 << 20) } },
  { "AMD, its own drivers", { 4 * GiB - 1, 16, 0x7FFFFFFF, 24 * GiB, 2 * GiB } },
  { "Intel", { 1 * GiB, 64, 65535, 8 * GiB, 4 * GiB - 4096 } },
  { "MoltenVK", { 4 * GiB - 1, 16, 0x3FFFFFFF, 32 * GiB, 18 * GiB } },
  { "lavapipe", { 128ull << 20, 16, 65535, ~0ull, 2 * GiB } },
  { "least of Roadmap 2022", { 128ull << 20, 256, 65535, ~0ull, 1 * GiB } },
};

namespace
{

// Expects no more segments of an array than the largest buffer demands, and no more slabs than a binding and 32 bits
// demand. readsHalos: see Residency.
void expectFewSlabs(const Size& size, std::uint64_t bytes, const DeviceLimits& limits, bool readsHalos)
{
  vmc::Residency residency;
  residency.readsHalos = readsHalos;
  const std::uint64_t layerBytes = bytes * size[0] * size[1], arrayBytes = layerBytes * size[2];
  const std::uint64_t bricksPerLayer = std::uint64_t((size[0] + 7) / 8) * ((size[1] + 7) / 8);
  // The ranges of all bricks are one binding, and so are a brick, its halo layer if it is read, and those around them.
  const std::uint64_t least = readsHalos ? 19 : 11;
  const std::uint64_t around = 21 * layerBytes + 1024; // two bricks and the layers around them
  const bool isTooLarge = 4 * BRICK_RANGE_WORDS * bricksPerLayer * ((size[2] + 7) / 8) > limits.maxBindingBytes ||
                          least * layerBytes + 1024 > limits.maxBindingBytes ||
                          std::min(arrayBytes, around) > limits.maxBufferBytes; // a segment has two bricks or all
  if (isTooLarge)
  {
    refusal([&] { ContourPlan(size, bytes, limits, {}, residency); });
    return;
  }
  const ContourPlan plan = rightPlan({ size, bytes, 1, limits, {}, residency });
  const std::vector<Window> segments = plan.segments(bytes);
  if (arrayBytes + 1024 > limits.maxBufferBytes)
    EXPECT_LE(segments.size(), arrayBytes / (limits.maxBufferBytes - around) + 1);
  else
    EXPECT_EQ(segments.size(), 1u);
  for (const Window& segment : segments)
    EXPECT_LE(segment.size, limits.maxBufferBytes);
  // The layers of bricks in which a slab has all samples, a part of a layer less for its alignment, and with a halo
  // layer all rows.
  const std::uint64_t samples =
    std::min<std::uint64_t>(limits.maxBindingBytes / layerBytes, ((1ull << 32) - 1024) / (layerBytes / bytes));
  const std::uint64_t bricks =
    std::min(limits.maxBindingBytes / (ROW_WORDS * 4), limits.maxGroups * std::uint64_t(SCAN_BLOCK_SIZE));
  const std::uint64_t layers = std::min((samples - (least - 8) - 1) / 8, bricks / bricksPerLayer - 1);
  const std::uint64_t own = std::max<std::uint64_t>(1, layers);
  EXPECT_LE(plan.slabs().size(), ((size[2] + 7) / 8 + own - 1) / own + segments.size());
}

}

TEST(ContourPlan, LimitsOfBindingsDoNotLimitTheSizeOfAVolume)
{
  for (const KnownDevice& device : KnownDevices)
    for (const std::uint32_t width : { 64u, 256u, 512u, 1024u, 1700u, 2048u, 3200u, 4096u })
      for (const std::uint64_t bytes : { 1u, 2u, 4u, 8u })
      {
        DeviceLimits limits = device.limits;
        limits.maxBindingBytes = std::min(limits.maxBindingBytes, limits.maxBufferBytes); // as a Device has it
        SCOPED_TRACE(std::string(device.name) + ", " + std::to_string(width) + "^3 of " + std::to_string(bytes));
        for (const bool readsHalos : { true, false })
          expectFewSlabs({ width, width, width }, bytes, limits, readsHalos);
      }
}

TEST(ContourPlan, WithoutTheSamplesOfHaloLayersElevenLayersAreASlab)
{
  DeviceLimits limits = Lavapipe;
  limits.maxBindingBytes = 16 << 20;
  const Size size = { 512, 512, 512 };
  refusal([&] { ContourPlan(size, 4, limits); });
  vmc::Residency residency = withoutHalos();
  const ContourPlan plan = rightPlan({ size, 4, 1, limits, {}, residency });
  EXPECT_EQ(plan.slabs().size(), 64u);
  EXPECT_EQ(plan.windowOf(plan.slabs()[1], 4).sampleLayers, 11u);
  EXPECT_EQ(plan.windowOf(plan.slabs()[63], 4).sampleLayers, 9u); // the last one
  residency.layers = { 0, 3 };
  refusal([&] { ContourPlan(size, 4, limits, {}, residency); }); // no slab after the last one has its halo layer
}

// 19 layers of samples are more than 2^32, 11 are not.
TEST(ContourPlan, ALayerOfBricksHasLessThan2To32Samples)
{
  const Size size = { 16384, 16384, 24 };
  const DeviceLimits limits = { 4 * GiB - 1, 16, 0x7FFFFFFF };
  EXPECT_EQ(refusal([&] { ContourPlan(size, 1, DeviceLimits()); }),
    "One layer of bricks needs 4831838208 samples and 8388608 bricks, more than kernels count or this device "
    "dispatches.");
  EXPECT_EQ(rightPlan({ size, 1, 1, limits, {}, withoutHalos() }).slabs().size(), 3u);
}

TEST(ContourPlan, NoSlabHasMoreLayersThanTheResidencyAllows)
{
  for (const std::uint32_t layers : { 1u, 2u, 5u, 13u, 100u })
  {
    const ContourPlan plan =
      rightPlan({ { 16, 16, 100 }, 4, 1, Lavapipe, {}, { 0, vmc::Residency::Unlimited, layers } });
    EXPECT_EQ(plan.largestSlab(), std::min(layers, 13u));
    EXPECT_TRUE(plan.holdsWholeArrays());
  }
}

TEST(ContourPlan, OffsetsBeyondFourGibibytesAreRight)
{
  constexpr DeviceLimits Large = { 0xFFFFFFFFull, 64, 0x7FFFFFFF };
  const Size size = { 2048, 2048, 2048 }; // 32 GiB of floats
  const ContourPlan plan = rightPlan({ size, 4, 1, Large });
  EXPECT_GT(plan.windowOf(plan.slabs().back(), 4).offset, 1ull << 34);
  EXPECT_EQ(vmc::paddedBytes(2048ull * 2048 * 2048, 4) - 4 * 2048ull * 2048 * 2048, 8u * (BRICK_SIZE + 3));
}

TEST(ContourPlan, SampleIndicesOfAWindowFitThirtyTwoBits)
{
  constexpr DeviceLimits Endless = { 1ull << 50, 256, 0x7FFFFFFF };
  rightPlan({ { 4096, 4096, 1024 }, 1, 1, Endless });
}

TEST(ContourPlan, WindowsDoNotExceedTheResidency)
{
  constexpr DeviceLimits Large = { 0xFFFFFFFFull, 64, 0x7FFFFFFF };
  const Size size = { 100, 100, 200 };
  const vmc::Residency residency = { 6, 6 * 100 * 100 * 30 };
  const ContourPlan plan = rightPlan({ size, 4, 1, Large, {}, residency });
  EXPECT_GT(plan.slabs().size(), 1u);
  for (const Slab& slab : plan.slabs())
  {
    EXPECT_LE(plan.windowOf(slab, 4).sampleLayers, 30u);
  }
  const ContourPlan whole(size, 4, Large);
  ASSERT_EQ(whole.segments(4).size(), 1u);
  EXPECT_EQ(whole.segments(4).front().size, vmc::paddedBytes(2000000, 4));
}

// So that the memory of one window suffices for the next one. That at the end of the volume has fewer layers.
TEST(ContourPlan, WindowsOfAsManyLayersHaveTheSameSize)
{
  constexpr DeviceLimits Large = { 0xFFFFFFFFull, 64, 0x7FFFFFFF };
  for (const std::uint32_t padding : { 0u, 1u, 2u })
  {
    const vmc::Padding padded{ { 0, 0, padding }, { 0, 0, padding } };
    std::vector<std::uint64_t> layers, sizes;
    for (const std::uint32_t first : { 0u, 4u, 8u, 12u, 16u, 20u })
    {
      vmc::Residency residency;
      residency.layers = { first, first + 4 };
      residency.isOneOfSeveral = true;
      const ContourPlan plan = rightPlan({ { 65, 65, 192 }, 1, 1, Large, padded, residency }); // begins anywhere
      ASSERT_EQ(plan.segments(1).size(), 1u);
      layers.push_back(plan.segments(1).front().sampleLayers);
      sizes.push_back(plan.segments(1).front().size);
    }
    EXPECT_LT(layers.back(), layers.front());
    EXPECT_LT(sizes.back(), sizes.front());
    layers.pop_back();
    sizes.pop_back();
    EXPECT_EQ(layers, std::vector<std::uint64_t>(layers.size(), 8 * 5 + 3));
    EXPECT_EQ(sizes, std::vector<std::uint64_t>(sizes.size(), vmc::paddedBytes(64 + 65 * 65 * 43, 1)));
  }
}

// The ranges take three quarters of the residency, and the arrays at most three quarters of the rest.
TEST(ContourPlan, SlabsAreLargeAlsoWhereRangesTakeMostOfTheResidency)
{
  constexpr DeviceLimits Large = { 0xFFFFFFFFull, 64, 0x7FFFFFFF };
  const Size size = { 8, 8, 790000 };
  const ContourPlan plan = rightPlan({ size, 1, 1, Large, {}, { 1, 1 << 20 } });
  const std::uint64_t layersOfSamples = ((1 << 20) - 790000) / 4 * 3 / 64;
  for (const Slab& slab : plan.slabs())
    EXPECT_LE(plan.windowOf(slab, 1).sampleLayers, layersOfSamples);
  EXPECT_LE(plan.slabs().size(), 790000 / (layersOfSamples - 20) + 1); // at most 20 layers belong to neighbouring slabs
}

TEST(ContourPlan, RefusesALayerThatTheResidencyCannotHold)
{
  constexpr DeviceLimits Large = { 0xFFFFFFFFull, 64, 0x7FFFFFFF };
  // A brick layer, its halo layer, one layer of samples before them and two after them: 19 layers; and 13 x 13 x 25
  // ranges.
  const std::string least = std::to_string(6 * 100 * 100 * 19 + 8 * 13 * 13 * 25);
  EXPECT_EQ(vmc::test::expectError(vmc::Error::Kind::OutOfMemory,
              [&] {
                ContourPlan({ 100, 100, 200 }, 4, Large, {}, { 6, 1000000 });
              }),
    "The smallest slabs need " + least +
      " bytes of device memory for samples and brick ranges, without the surface; the limit is 1000000.");
  EXPECT_EQ(ContourPlan({ 100, 100, 200 }, 4, Large, {}, { 6, std::stoull(least) }).slabs().size(), 25u);
}

TEST(ContourPlan, RefusesALayerThatOneBindingCannotHold)
{
  EXPECT_EQ(refusal(
              [] {
                ContourPlan({ 4096, 4096, 64 }, 4, Lavapipe);
              }),
    "One layer of bricks needs 1207959640 bytes in one binding; this device allows 134217728.");
}

TEST(ContourPlan, RefusesMoreBrickRangesThanOneBindingHolds)
{
  constexpr DeviceLimits Tiny = { 1024, 16, 65535 };
  EXPECT_EQ(refusal(
              [&] {
                ContourPlan({ 8, 8, 1032 }, 1, Tiny);
              }),
    "The volume has 129 bricks; this device can bind the ranges of 128.");
}

TEST(ContourPlan, PaddedBytesAllowLoadingARowOfSamplesAtTheEnd)
{
  for (const std::uint64_t bytes : { 1, 2, 4, 8 })
    for (std::uint64_t count = 1; count < 20; ++count)
    {
      EXPECT_EQ(vmc::paddedBytes(count, bytes) % 4, 0u);
      // A row of 9 that begins at the last sample, loaded as whole words and one more, or as whole groups of 4 samples.
      EXPECT_GE(vmc::paddedBytes(count, bytes), ((count - 1) * bytes / 4 + 9 * bytes / 4 + 2) * 4);
      EXPECT_GE(vmc::paddedBytes(count, bytes), ((count - 1) / 4 + 3) * 4 * bytes);
    }
}
