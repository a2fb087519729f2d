// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Volume/MemoryLadder.h"

#include <gtest/gtest.h>

#include <vector>

using vmc::MemoryLadder;
using vmc::Residency;
using Step = vmc::MemoryLadder::Step;

namespace
{

// 4 bytes per sample, 1000 bytes of arrays, slabs of 100 bytes at least.
MemoryLadder::Sizes sizes(std::uint64_t limitInBytes = 0)
{
  return { 4, 1000, 100, limitInBytes };
}

}

TEST(MemoryLadder, BeginsWithTheWholeVolumeBesideOthersIfThereAreOthers)
{
  EXPECT_EQ(MemoryLadder(true).step(), Step::WholeBesideOthers);
  EXPECT_EQ(MemoryLadder(false).step(), Step::WholeAlone);
  EXPECT_EQ(MemoryLadder(true).residency().limitInBytes, Residency::Unlimited);
}

TEST(MemoryLadder, OthersLeaveTheDeviceFirstThenSlabsFollowEachOtherThenTheyGetSmaller)
{
  MemoryLadder steps(true);
  EXPECT_TRUE(steps.next(12, false, sizes()));
  EXPECT_EQ(steps.step(), Step::WholeAlone);
  EXPECT_TRUE(steps.next(12, false, sizes()));
  EXPECT_EQ(steps.step(), Step::OneSlabAtATime);
  EXPECT_GE(steps.residency().largestSlab, 12u);
  std::vector<std::uint32_t> layers;
  for (std::uint32_t slab = 12; slab > 1; layers.push_back(slab))
  {
    EXPECT_TRUE(steps.next(slab, false, sizes()));
    slab = steps.residency().largestSlab;
    EXPECT_EQ(steps.step(), Step::OneSlabAtATime);
    EXPECT_EQ(steps.residency().limitInBytes, Residency::Unlimited);
  }
  EXPECT_EQ(layers, (std::vector<std::uint32_t>{ 6, 3, 1 }));
  EXPECT_TRUE(steps.next(1, false, sizes()));
  EXPECT_EQ(steps.step(), Step::Windows);
  EXPECT_GE(steps.residency().largestSlab, 12u); // windows decide how large slabs are
}

TEST(MemoryLadder, WithoutALimitWindowsGetSmallerDownToTheSmallest)
{
  MemoryLadder steps(false);
  std::vector<std::uint64_t> limits;
  while (steps.next(0, false, sizes()))
  {
    EXPECT_EQ(steps.step(), Step::Windows);
    EXPECT_EQ(steps.residency().bytesPerSample, 4u);
    limits.push_back(steps.residency().limitInBytes);
  }
  EXPECT_EQ(limits, (std::vector<std::uint64_t>{ 1000, 500, 250, 125, 100 }));
}

TEST(MemoryLadder, ALimitIsTheSizeOfTheFirstWindows)
{
  MemoryLadder steps(false);
  std::vector<std::uint64_t> limits;
  while (steps.next(0, false, sizes(300)))
    limits.push_back(steps.residency().limitInBytes);
  EXPECT_EQ(limits, (std::vector<std::uint64_t>{ 300, 150, 100 }));
  EXPECT_TRUE(steps.next(2, false, sizes(300))); // a slab of two layers may be halved still
  EXPECT_EQ(steps.residency().largestSlab, 1u);
}

TEST(MemoryLadder, ALimitBelowTheSmallestSlabsIsTriedOnce)
{
  MemoryLadder steps(false);
  EXPECT_TRUE(steps.next(0, false, sizes(50))); // the plan refuses it
  EXPECT_EQ(steps.residency().limitInBytes, 50u);
  EXPECT_FALSE(steps.next(0, false, sizes(50)));
}

TEST(MemoryLadder, AVolumeThatCannotFitBeginsWithWindows)
{
  MemoryLadder::Sizes volume = sizes(300);
  volume.memoryBytes = 300;
  MemoryLadder steps(true);
  steps.begin(volume);
  EXPECT_EQ(steps.step(), Step::Windows);
  EXPECT_EQ(steps.residency().limitInBytes, 300u);
  MemoryLadder whole(true);
  whole.begin(sizes());
  EXPECT_EQ(whole.step(), Step::WholeBesideOthers);
  // One of a list of volumes, after the others have left.
  EXPECT_TRUE(whole.next(12, false, volume));
  EXPECT_EQ(whole.step(), Step::WholeAlone);
  EXPECT_TRUE(whole.next(12, false, volume));
  EXPECT_EQ(whole.step(), Step::Windows);
}

TEST(MemoryLadder, ASlabThatIsTooLargeGetsSmallerBesideOthers)
{
  MemoryLadder steps(true);
  EXPECT_TRUE(steps.next(7, true, sizes()));
  EXPECT_EQ(steps.step(), Step::WholeBesideOthers);
  EXPECT_EQ(steps.residency().largestSlab, 3u);
  EXPECT_FALSE(steps.next(1, true, sizes()));
}
