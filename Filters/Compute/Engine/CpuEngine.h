// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The engine of the CPU.
#ifndef vmcCpuEngine_h
#define vmcCpuEngine_h

#include "Compute/Engine.h"
#include "Compute/Memory/HostMemoryPool.h"

namespace vmc
{

class BrickRangeCache;

// The sessions of the process on the CPU share its memory and brick ranges. The number of threads is part of each
// request.
class CpuEngine : public Engine
{
public:
  // The one engine of the process. Never destroyed, like Instance.
  static const std::shared_ptr<Engine>& get();

  const std::string& deviceName() const override;
  std::unique_ptr<Session> makeSession() override;
  HostMemoryPool& hostMemory() override { return this->Memory; }
  void makeKernels(const Volume&, const Request&) override {}

private:
  CpuEngine();

  HostMemoryPool Memory;
  std::shared_ptr<BrickRangeCache> Ranges;
};

}

#endif
