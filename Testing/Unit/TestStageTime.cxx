#include "Compute/Contour/MarchingCubes.h"
#include "Compute/System/StageTime.h"

#include <gtest/gtest.h>

TEST(StageTime, NewStagesAreAppendedAndKnownOnesAddUp)
{
  std::vector<vmc::StageTime> times;
  vmc::addTime(times, "Upload", 1);
  vmc::addTime(times, "Scan", 2);
  vmc::addTime(times, "Upload", 4);
  ASSERT_EQ(times.size(), 2u);
  EXPECT_EQ(times[0].name, "Upload");
  EXPECT_EQ(times[0].milliseconds, 5);
  EXPECT_EQ(times[1].name, "Scan");
  EXPECT_EQ(times[1].milliseconds, 2);
}

TEST(StageTime, ReportTellsZeroForAStageThatDidNotRun)
{
  vmc::Report report;
  vmc::addTime(report.stages, "Scan", 2);
  EXPECT_EQ(report.milliseconds("Scan"), 2);
  EXPECT_EQ(report.milliseconds("Upload"), 0);
}
