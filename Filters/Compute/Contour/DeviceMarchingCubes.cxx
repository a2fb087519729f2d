// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Contour/DeviceMarchingCubes.h"

#include "Compute/System/HostClock.h"
#include "Compute/Vulkan/Instance.h"

#include <utility>

namespace vmc
{

struct DeviceMarchingCubes::State
{
  DeviceSession session;
  ExtractionState extraction{ *this->session.context() };
};

DeviceMarchingCubes::DeviceMarchingCubes(std::shared_ptr<Context> context, std::shared_ptr<VolumeCache> volumes)
{
  translated(context->device(), [&] { this->Impl.reset(new State{ DeviceSession(context, std::move(volumes)) }); });
}

DeviceMarchingCubes::~DeviceMarchingCubes()
{
  if (!mayUseVulkan())
    static_cast<void>(this->Impl.release()); // left to the operating system
}

void DeviceMarchingCubes::releaseVolumes(std::uint64_t identity)
{
  if (mayUseVulkan())
    this->Impl->session.releaseVolumes(identity);
}

std::optional<Surface> DeviceMarchingCubes::extract(
  const std::vector<Volume>& volumes, const Request& request, Report& report, const Progress& progress)
{
  const Device& device = this->Impl->session.context()->device();
  report = Report();
  report.device = device.traits().name;
  const HostClock clock;
  std::optional<Surface> surface = translated(device,
    [&] { return extractOnDevice(this->Impl->session, this->Impl->extraction, volumes, request, report, progress); });
  report.totalMilliseconds = clock.milliseconds();
  return surface;
}

std::optional<Mesh> DeviceMarchingCubes::extractToHost(
  const Volume& volume, const Request& request, Report& report, const Progress& progress)
{
  std::optional<Surface> surface = this->extract({ volume }, request, report, progress);
  return surface ? std::optional<Mesh>(std::move(surface->meshes.front())) : std::nullopt;
}

Mesh DeviceMarchingCubes::download(Surface surface, Report& report)
{
  return translated(this->Impl->session.context()->device(),
    [&] { return std::move(downloaded(this->Impl->session, std::move(surface), report).meshes.front()); });
}

}
