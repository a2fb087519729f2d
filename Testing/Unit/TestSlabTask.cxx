// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Contour/SlabTask.h"

#include <gtest/gtest.h>

namespace
{

using Numbers = std::vector<std::size_t>;

// Returns the number of tasks of each range, for tasks of these sizes.
Numbers tasksPerRange(const std::vector<std::uint64_t>& sizes, std::uint64_t largest, bool mayJoin = true)
{
  std::vector<vmc::SlabTask> tasks(sizes.size());
  const auto sizeOf = [&](const vmc::SlabTask& task) { return sizes[static_cast<std::size_t>(&task - tasks.data())]; };
  Numbers numbers;
  const vmc::SlabTask* end = tasks.data();
  for (const vmc::TaskRange& range : vmc::divideIntoRanges(tasks, mayJoin, largest, sizeOf))
  {
    EXPECT_EQ(range.first, end);
    end = range.last;
    numbers.push_back(range.size());
  }
  EXPECT_EQ(end, tasks.data() + tasks.size());
  return numbers;
}

}

TEST(SlabTask, ARangeEndsBeforeItExceedsTheLargestSize)
{
  EXPECT_EQ(tasksPerRange({}, 100), Numbers());
  EXPECT_EQ(tasksPerRange({ 50, 50, 1 }, 100), Numbers({ 2, 1 }));
  EXPECT_EQ(tasksPerRange({ 60, 60, 60 }, 100), Numbers({ 1, 1, 1 }));
  EXPECT_EQ(tasksPerRange({ 96, 12 }, 100), Numbers({ 1, 1 }));
  EXPECT_EQ(tasksPerRange({ 0, 0, 0 }, 0), Numbers({ 3 }));
  EXPECT_EQ(tasksPerRange({ 1, 1, 1 }, 100, false), Numbers({ 1, 1, 1 }));
}

TEST(SlabTask, ASmallSlabJoinsALargeOneBeforeIt)
{
  EXPECT_EQ(tasksPerRange({ 800, 100 }, 200), Numbers({ 2 }));
  EXPECT_EQ(tasksPerRange({ 800, 101 }, 200), Numbers({ 1, 1 }));
  EXPECT_EQ(tasksPerRange({ 800, 60, 60 }, 200), Numbers({ 2, 1 }));
  EXPECT_EQ(tasksPerRange({ 100, 800, 100 }, 200), Numbers({ 1, 2 }));
}

TEST(SlabTask, ARangeHasAtMost2048Tasks)
{
  EXPECT_EQ(tasksPerRange(std::vector<std::uint64_t>(2049), 100), Numbers({ 2048, 1 }));
}
