// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The engine of a Vulkan device and its sessions.
#ifndef vmcDeviceEngine_h
#define vmcDeviceEngine_h

#include "Compute/Engine.h"
#include "Compute/Session.h"

#include <memory>

namespace vmc
{

class Context;
class LevelCache;
class VolumeCache;

// The session on a Vulkan device. Several sessions may share a device and its caches. The CPU finds the ranges and
// counts the values that findRangeOnDevice and countOnDevice leave to it, counts the values of levels, and extracts
// their surfaces with attributes or cells and those of pieces. All Vulkan objects of a session are here: while they may
// not be used (see mayUseVulkan), the device releases nothing, and the destructor leaves them to the operating system.
class VulkanSession : public Session
{
public:
  // levels: shared with other sessions; null: with none.
  VulkanSession(
    std::shared_ptr<Context> context, std::shared_ptr<VolumeCache> volumes, std::shared_ptr<LevelCache> levels = {});

  std::optional<Surface> extract(
    const std::vector<Volume>& volumes, const Request& request, Report& report, const Progress& progress = {}) override;
  std::optional<Surface> extract(const std::vector<Levels>& hierarchies, const Request& request, Report& report,
    const Progress& progress = {}) override;
  std::unique_ptr<FoundRegions> findRegions(
    Surface surface, const Request& request, const RegionRequest& wanted, Report& report) override;
  std::vector<DomainShare> findShares(const std::vector<Volume>& volumes, const std::vector<double>& isovalues,
    const CountLimits& limits, Report& report) override;
  using Session::findShares;
  Picture cast(const Volume& volume, const RayRequest& request, Report& report) override;
  std::vector<std::optional<SampleRange>> findRanges(
    const std::vector<Volume>& volumes, const CountLimits& limits, Report& report) override;
  std::optional<std::vector<ValueCounts>> count(const std::vector<Volume>& volumes, const Bins& bins,
    const CountLimits& limits, Report& report, const Progress& progress = {}) override;
  std::vector<std::optional<SampleRange>> findRanges(
    const std::vector<Levels>& hierarchies, const CountLimits& limits, Report& report) override;
  std::optional<std::vector<LevelCounts>> count(const std::vector<Levels>& hierarchies, const Bins& bins,
    const CountLimits& limits, Report& report, const Progress& progress = {}) override;
  void releaseVolumes(std::uint64_t identity) override;

private:
  struct State;
  class Regions;

  std::shared_ptr<State> Held; // also by the regions that it has found
};

// An open device, its cache of volumes, and the bricks of levels on the host. Makes VulkanSession.
class DeviceEngine : public Engine
{
public:
  // Opens a device for an engine that is not shared. Throws NoDevice.
  explicit DeviceEngine(const DeviceOptions& options);
  explicit DeviceEngine(std::shared_ptr<Context> context); // of an open device

  const std::string& deviceName() const override;
  std::unique_ptr<Session> makeSession() override;
  HostMemoryPool& hostMemory() override;
  void makeKernels(const Volume& example, const Request& request) override;

  const std::shared_ptr<Context>& context() const { return this->DeviceContext; }
  const std::shared_ptr<VolumeCache>& volumes() const { return this->Cache; }
  const std::shared_ptr<LevelCache>& hierarchies() const { return this->Hierarchies; }

private:
  std::shared_ptr<Context> DeviceContext;
  std::shared_ptr<VolumeCache> Cache;
  std::shared_ptr<LevelCache> Hierarchies;
};

}

#endif
