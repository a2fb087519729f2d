// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Rays/DeviceRayCaster.h"

#include "Compute/Context.h"
#include "Compute/Rays/CastOnDevice.h"
#include "Compute/Vulkan/Instance.h"

#include <utility>

namespace vmc
{

class DeviceRayCaster::Implementation
{
public:
  Implementation(const std::shared_ptr<Context>& context, std::shared_ptr<VolumeCache> volumes)
    : session(context, std::move(volumes))
    , buffers(context->allocator())
  {
  }

  Picture cast(const Volume& volume, RayRequest request, OutputMemory memory, Report& report)
  {
    const Device& device = this->session.context()->device();
    request.memory = memory;
    report.device = device.traits().name;
    return translated(device, [&] { return vmc::castOnDevice(this->session, this->buffers, volume, request, report); });
  }

  DeviceSession session;
  RayBuffers buffers;
};

DeviceRayCaster::DeviceRayCaster(std::shared_ptr<Context> context, std::shared_ptr<VolumeCache> volumes)
{
  translated(context->device(), [&] { this->Impl = std::make_unique<Implementation>(context, std::move(volumes)); });
}

DeviceRayCaster::~DeviceRayCaster()
{
  if (!mayUseVulkan())
    static_cast<void>(this->Impl.release()); // left to the operating system
}

void DeviceRayCaster::releaseVolumes(std::uint64_t identity)
{
  if (mayUseVulkan())
    this->Impl->session.releaseVolumes(identity);
}

RayPicture DeviceRayCaster::cast(const Volume& volume, const RayRequest& request, Report& report)
{
  return std::move(this->Impl->cast(volume, request, OutputMemory::Host, report).onHost);
}

DeviceRayPicture DeviceRayCaster::castOnDevice(const Volume& volume, const RayRequest& request, Report& report)
{
  Picture picture = this->Impl->cast(volume, request, OutputMemory::Exported, report);
  return { picture.context, std::move(picture.onDevice) };
}

}
