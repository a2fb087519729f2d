// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/System/Stage.h"
#include "Compute/Volume/Report.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

using vmc::Stage;
using vmc::StageTimes;

TEST(Stage, TimesOfATimedStageAddUp)
{
  StageTimes times;
  times.add(Stage::Upload, 1);
  times.add(Stage::ScanBricks, 2);
  times.add(Stage::Upload, 4);
  EXPECT_EQ(times[Stage::Upload], 5);
  EXPECT_EQ(times[Stage::ScanBricks], 2);
  EXPECT_FALSE(times[Stage::Download]);
  EXPECT_EQ(times.sum(), 7);
}

TEST(Stage, ReportsOfOnePassAddUp)
{
  vmc::Report all, next;
  next.stages.add(Stage::ScanBricks, 2);
  next.slabs = 3;
  next.deviceBytes = 7;
  all.add(next);
  all.add(next);
  EXPECT_EQ(all.milliseconds(Stage::ScanBricks), 4);
  EXPECT_EQ(all.milliseconds(Stage::Upload), 0); // did not run
  EXPECT_EQ(all.slabs, 6u);
  EXPECT_EQ(all.deviceBytes, 7u); // the largest
}

TEST(Stage, EveryTimedStageHasANameOfItsOwn)
{
  std::set<std::string> names;
  for (std::size_t stage = 0; stage < vmc::StageCount; ++stage)
    names.insert(nameOf(static_cast<Stage>(stage)));
  EXPECT_EQ(names.size(), vmc::StageCount);
  EXPECT_EQ(names.count(""), 0u);
}
