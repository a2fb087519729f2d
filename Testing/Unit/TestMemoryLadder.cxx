// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Volume/MemoryLadder.h"

#include <gtest/gtest.h>

#include <vector>

using vmc::MemoryLadder;
using vmc::Residency;
using Answer = vmc::MemoryLadder::Answer;
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

TEST(MemoryLadder, OthersLeaveTheDeviceBeforeASlabIsHalved)
{
  MemoryLadder steps(true);
  EXPECT_EQ(steps.afterOutOfMemory(true, false, sizes()), Answer::Restart);
  EXPECT_EQ(steps.step(), Step::WholeAlone);
  EXPECT_EQ(steps.residency().limitInBytes, Residency::Unlimited);
}

TEST(MemoryLadder, ASlabThatDoesNotFitIsHalvedAsOftenAsItCanBe)
{
  MemoryLadder steps(false);
  for (int i = 0; i < 5; ++i)
    EXPECT_EQ(steps.afterOutOfMemory(true, false, sizes()), Answer::HalveSlab);
  EXPECT_EQ(steps.step(), Step::WholeAlone);
}

TEST(MemoryLadder, WithoutALimitSlabsGetSmallerDownToTheSmallest)
{
  MemoryLadder steps(false);
  std::vector<std::uint64_t> limits;
  while (steps.afterOutOfMemory(false, false, sizes()) == Answer::Restart)
  {
    EXPECT_EQ(steps.step(), Step::Slabs);
    EXPECT_EQ(steps.residency().bytesPerSample, 4u);
    limits.push_back(steps.residency().limitInBytes);
  }
  EXPECT_EQ(limits, (std::vector<std::uint64_t>{ 1000, 500, 250, 125, 100 }));
  EXPECT_EQ(steps.afterOutOfMemory(false, false, sizes()), Answer::Fail);
}

TEST(MemoryLadder, ALimitIsTheSizeOfTheFirstSlabs)
{
  MemoryLadder steps(false);
  std::vector<std::uint64_t> limits;
  while (steps.afterOutOfMemory(false, false, sizes(300)) == Answer::Restart)
    limits.push_back(steps.residency().limitInBytes);
  EXPECT_EQ(limits, (std::vector<std::uint64_t>{ 300, 150, 100 }));
  EXPECT_EQ(steps.afterOutOfMemory(true, false, sizes(300)), Answer::HalveSlab);
}

TEST(MemoryLadder, ALimitBelowTheSmallestSlabsIsTriedOnce)
{
  MemoryLadder steps(false);
  EXPECT_EQ(steps.afterOutOfMemory(false, false, sizes(50)), Answer::Restart); // the plan refuses it
  EXPECT_EQ(steps.residency().limitInBytes, 50u);
  EXPECT_EQ(steps.afterOutOfMemory(false, false, sizes(50)), Answer::Fail);
}

TEST(MemoryLadder, ASlabThatIsTooLargeIsHalvedBesideOthers)
{
  MemoryLadder steps(true);
  EXPECT_EQ(steps.afterOutOfMemory(true, true, sizes()), Answer::HalveSlab);
  EXPECT_EQ(steps.step(), Step::WholeBesideOthers);
  EXPECT_EQ(steps.afterOutOfMemory(false, true, sizes()), Answer::Fail);
}
