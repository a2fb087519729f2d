// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The engine of a Vulkan device.
#ifndef vmcDeviceEngine_h
#define vmcDeviceEngine_h

#include "Compute/Engine.h"

namespace vmc
{

class Context;
class VolumeCache;

// An open device and its cache of volumes. Makes VulkanSession.
class DeviceEngine : public Engine
{
public:
  // Opens a device for an engine that is not shared. Throws NoDevice.
  explicit DeviceEngine(const DeviceOptions& options);

  const std::string& deviceName() const override;
  std::unique_ptr<Session> makeSession() override;
  HostMemoryPool& hostMemory() override;
  void makeKernels(const Volume& example, const Request& request) override;

  const std::shared_ptr<Context>& context() const { return this->DeviceContext; }
  const std::shared_ptr<VolumeCache>& volumes() const { return this->Cache; }

private:
  std::shared_ptr<Context> DeviceContext;
  std::shared_ptr<VolumeCache> Cache;
};

}

#endif
