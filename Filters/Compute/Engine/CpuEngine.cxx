// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Engine/CpuEngine.h"

#include "Compute/Cpu/BrickRangeCache.h"
#include "Compute/Engine/CpuSession.h"
#include "Compute/System/CpuName.h"

namespace vmc
{

const std::shared_ptr<Engine>& CpuEngine::get()
{
  static const auto* const engine = new std::shared_ptr<Engine>(new CpuEngine);
  return *engine;
}

CpuEngine::CpuEngine()
  : Memory(nullptr)
  , Ranges(std::make_shared<BrickRangeCache>())
{
}

const std::string& CpuEngine::deviceName() const
{
  static const std::string* const name = new std::string(CpuName);
  return *name;
}

std::unique_ptr<Session> CpuEngine::makeSession()
{
  return std::make_unique<CpuSession>(this->Memory, this->Ranges);
}

}
