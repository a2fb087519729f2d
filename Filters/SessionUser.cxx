// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "SessionUser.h"

#include "Compute/System/CpuName.h"
#include "Compute/System/Error.h"
#include "Compute/System/HostClock.h"

#include <utility>

namespace vmc::filters
{

namespace
{

// Whether the CPU may compute what has failed on this engine. A null engine was not opened.
bool mayFallBack(const vtkVulkanDeviceSettings& settings, const vmc::Engine* engine, vmc::Error::Kind kind)
{
  const bool isCpu = engine && engine->deviceName() == vmc::CpuName;
  return settings.Fallback == 0 && !isCpu && kind != vmc::Error::Kind::Internal &&
         kind != vmc::Error::Kind::NoSuchDevice;
}

}

SessionUser::SessionUser() = default;
SessionUser::~SessionUser() = default;

std::shared_ptr<vmc::Engine> SessionUser::open(const std::string& device)
{
  const vmc::HostClock clock;
  auto engine = vmc::Engine::shared(device);
  if (engine != this->Last.lock())
    this->OpenTime += clock.milliseconds();
  this->Last = engine;
  return engine;
}

std::string SessionUser::run(const vtkVulkanDeviceSettings& settings, const Work& work)
{
  std::string reason = this->runOnChosen(settings, work);
  if (reason.empty())
    this->Cpu = Opened();
  else
    this->runOnCpu(reason, work);
  return reason;
}

std::string SessionUser::runOnChosen(const vtkVulkanDeviceSettings& settings, const Work& work)
{
  for (bool isSecond = false;; isSecond = true)
  {
    std::shared_ptr<vmc::Engine> engine;
    try
    {
      engine = this->open(settings.Device);
      work(*engine, this->sessionOf(this->Chosen, engine));
      return {};
    }
    catch (const vmc::Error& error)
    {
      const bool isLost = error.kind() == vmc::Error::Kind::DeviceLost;
      if (isLost)
        this->forgetChosen();
      if (isLost && !isSecond)
        continue;
      if (!mayFallBack(settings, engine.get(), error.kind()))
        throw;
      return error.what();
    }
  }
}

void SessionUser::runOnCpu(const std::string& reason, const Work& work)
{
  const auto engine = vmc::Engine::shared(vmc::CpuName);
  try
  {
    work(*engine, this->sessionOf(this->Cpu, engine));
  }
  catch (const vmc::Error& error)
  {
    if (reason == error.what())
      throw;
    throw vmc::Error(error.kind(), reason + " " + error.what());
  }
}

vmc::Session& SessionUser::sessionOf(Opened& opened, const std::shared_ptr<vmc::Engine>& engine)
{
  if (!opened.session || opened.engine != engine)
  {
    const vmc::HostClock clock;
    opened.session.reset();
    opened.engine = engine;
    opened.session = engine->makeSession();
    this->OpenTime += clock.milliseconds();
  }
  return *opened.session;
}

void SessionUser::forgetChosen()
{
  if (this->Chosen.engine)
    vmc::Engine::forget(*this->Chosen.engine);
  this->Chosen.session.reset();
  this->Chosen.engine.reset();
}

void SessionUser::releaseVolumes(std::uint64_t identity)
{
  for (Opened* opened : { &this->Chosen, &this->Cpu })
    if (opened->session)
      opened->session->releaseVolumes(identity);
}

void SessionUser::endSessions()
{
  this->Chosen.session.reset();
  this->Cpu = Opened();
}

double SessionUser::takeOpenMilliseconds()
{
  return std::exchange(this->OpenTime, 0);
}

}
