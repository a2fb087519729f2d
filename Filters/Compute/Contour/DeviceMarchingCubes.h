// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Marching cubes on a Vulkan device.
#ifndef vmcDeviceMarchingCubes_h
#define vmcDeviceMarchingCubes_h

#include "Compute/Contour/DeviceExtraction.h"
#include "Compute/Contour/MarchingCubes.h"

#include <memory>

namespace vmc
{

// Extractions over a session of its own.
class DeviceMarchingCubes : public MarchingCubes
{
public:
  DeviceMarchingCubes(std::shared_ptr<Context> context, std::shared_ptr<VolumeCache> volumes);
  ~DeviceMarchingCubes() override;

  void beginPass() override {}
  void endPass() override {}
  void releaseVolumes(std::uint64_t identity) override;
  std::optional<Mesh> extractToHost(
    const Volume& volume, const Request& request, Report& report, const Progress& progress = {}) override;

  std::optional<Surface> extract(
    const std::vector<Volume>& volumes, const Request& request, Report& report, const Progress& progress = {});
  Mesh download(Surface surface, Report& report);

private:
  struct State;
  std::unique_ptr<State> Impl;
};

}

#endif
