// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The session on a Vulkan device.
#ifndef vmcVulkanSession_h
#define vmcVulkanSession_h

#include "Compute/Session.h"

#include <memory>

namespace vmc
{

class Context;
class VolumeCache;

// Several sessions may share a device and its cache of volumes. The CPU finds the ranges and counts the values that
// findRangeOnDevice and countOnDevice leave to it. All Vulkan objects of a session are here: while they may not be used
// (see mayUseVulkan), releaseVolumes does nothing, and the destructor leaves them to the operating system.
class VulkanSession : public Session
{
public:
  VulkanSession(std::shared_ptr<Context> context, std::shared_ptr<VolumeCache> volumes);
  ~VulkanSession() override;

  std::optional<Surface> extract(
    const std::vector<Volume>& volumes, const Request& request, Report& report, const Progress& progress = {}) override;
  Picture cast(const Volume& volume, const RayRequest& request, Report& report) override;
  std::vector<std::optional<SampleRange>> findRanges(
    const std::vector<Volume>& volumes, const CountLimits& limits, Report& report) override;
  std::optional<std::vector<ValueCounts>> count(const std::vector<Volume>& volumes, const Bins& bins,
    const CountLimits& limits, Report& report, const Progress& progress = {}) override;
  void releaseVolumes(std::uint64_t identity) override;

private:
  struct State;
  template <class Work>
  auto call(Report& report, bool isRun, const Work& work);

  std::unique_ptr<State> Held;
};

}

#endif
