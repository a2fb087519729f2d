// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The report of an algorithm on a volume.
#ifndef vmcReport_h
#define vmcReport_h

#include "Compute/System/Stage.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>

namespace vmc
{

// Called repeatedly with the finished fraction in [0, 1]. Returns false to stop the algorithm.
using Progress = std::function<bool(double done)>;

// Times and sizes of an algorithm on a volume.
struct Report
{
  std::string device;             // name of the device that has computed, as UsedDevice reports it
  std::string leftOut;            // why devices were left out; empty: none was
  StageTimes stages;              // sums over slabs and isovalues; without timeStages only the host's times
  double totalMilliseconds = 0;   // of the whole call, by the host's clock
  std::uint64_t slabs = 0;        // of the plan
  std::uint64_t bricks = 0;       // of the volume
  std::uint64_t activeBricks = 0; // sum over the isovalues
  std::uint64_t deviceBytes = 0;  // peak of device memory in use by all users, in bytes

  double milliseconds(Stage stage) const { return this->stages[stage].value_or(0); }
  // next: of another volume of the same call.
  void add(const Report& next)
  {
    if (this->leftOut.empty())
      this->leftOut = next.leftOut;
    this->stages.add(next.stages);
    this->totalMilliseconds += next.totalMilliseconds;
    this->slabs += next.slabs;
    this->bricks += next.bricks;
    this->activeBricks += next.activeBricks;
    this->deviceBytes = std::max(this->deviceBytes, next.deviceBytes);
  }
  // other: of another device that has worked on the same volumes at the same time. The stages are those of the device
  // that has worked longer.
  void addDevice(const Report& other)
  {
    if (other.stages.sum() > this->stages.sum())
      this->stages = other.stages;
    this->slabs += other.slabs;
    this->bricks += other.bricks;
    this->activeBricks += other.activeBricks;
    this->deviceBytes += other.deviceBytes;
  }
};

// Returns work(). Begins the report, and adds the time of the work at its end.
template <class Work>
auto reported(Report& report, const Work& work)
{
  const HostClock clock;
  report = Report();
  auto result = work();
  report.totalMilliseconds = clock.milliseconds();
  return result;
}

}

#endif
