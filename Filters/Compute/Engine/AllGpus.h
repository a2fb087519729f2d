// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The engine of several Vulkan devices.
#ifndef vmcAllGpus_h
#define vmcAllGpus_h

#include "Compute/Engine/DeviceEngine.h"
#include "Compute/Memory/HostMemoryPool.h"

#include <memory>
#include <string>
#include <vector>

namespace vmc
{

// Extracts the surfaces of volumes on several devices at the same time: each one has layers of the volumes and writes
// its part of the output, which has the bytes of one device. The first device does all else: surfaces of levels and
// those that stay on a device, counts, pictures.
//
// A device that fails is left out: the others extract all, and Report::leftOut says why. If it was lost, this engine
// and those of its devices are no longer shared (Engine::forget), so that the next call of Engine::shared opens them
// again.
class AllGpusEngine : public Engine
{
public:
  // gpus: at least one. leftOut: why others could not be opened; may be empty.
  AllGpusEngine(std::vector<std::shared_ptr<DeviceEngine>> gpus, std::string leftOut);

  const std::string& deviceName() const override;
  std::unique_ptr<Session> makeSession() override;
  HostMemoryPool& hostMemory() override { return this->Blocks; }
  void makeKernels(const Volume& example, const Request& request) override;

  const std::vector<std::shared_ptr<DeviceEngine>>& gpus() const { return this->Gpus; }

private:
  const std::vector<std::shared_ptr<DeviceEngine>> Gpus;
  const std::string LeftOut;
  HostMemoryPool Blocks; // of the surfaces that several devices write
};

}

#endif
