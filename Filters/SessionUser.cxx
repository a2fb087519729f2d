// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "SessionUser.h"

#include "Compute/System/Threads.h"

#include <utility>

namespace vmc::filters
{

SessionUser::SessionUser()
  : Watch([this](std::uint64_t identity) { this->releaseVolumes(identity); })
{
}

void SessionUser::beginRun()
{
  this->OpenMillisecondsBefore = this->OpenMilliseconds;
  this->Clock = vmc::HostClock();
  this->Cache.beginRun();
  this->Exchange.beginRun();
}

void SessionUser::endRun(vmc::Report& report)
{
  this->Cache.endRun();
  this->Exchange.endRun();
  report.totalMilliseconds = this->OpenMillisecondsBefore + this->Clock.milliseconds();
  if (const double opening = std::exchange(this->OpenMilliseconds, 0); opening > 0)
    report.stages.add(vmc::Stage::OpenDevice, opening);
  report.stages.add(vmc::Stage::Other, report.totalMilliseconds - report.stages.sum());
}

ImageSamples SessionUser::samplesOf(vtkImageData* image, const SampleChoice& choice)
{
  ImageSamples samples = filters::samplesOf(image, choice, this->Cache);
  this->Watch.watch(choice.array, samples.scalars.identity);
  for (const SampleCache::Samples& attribute : samples.attributes)
    this->Watch.watch(attribute.values, attribute.identity);
  return samples;
}

GroupedData SessionUser::groupsOf(vtkCompositeDataSet* data, const std::function<SampleChoice(vtkImageData*)>& choiceOf,
  vtkMultiProcessController* ranks)
{
  const auto samplesOfBlock = [&](vtkImageData* image) { return this->samplesOf(image, choiceOf(image)); };
  this->Exchange.setController(ranks);
  return levelsFromData(data, samplesOfBlock, this->Cache, ranks ? &this->Exchange : nullptr);
}

std::shared_ptr<vmc::Engine> SessionUser::open(const std::string& device)
{
  const vmc::HostClock clock;
  auto engine = vmc::Engine::shared(device);
  if (engine != this->Last.lock())
    this->OpenMilliseconds += clock.milliseconds();
  this->Last = engine;
  return engine;
}

void SessionUser::beginCall(const vtkVulkanDeviceSettings& settings)
{
  this->Settings = settings;
  this->Next = Attempt::Chosen;
  this->IsDone = false;
  this->Reason.clear();
}

bool SessionUser::nextEngine()
{
  while (!std::exchange(this->IsDone, true))
  {
    const bool isCpu = this->Next == Attempt::Cpu;
    Opened& opened = isCpu ? this->Cpu : this->Chosen;
    this->Used.reset();
    try
    {
      this->Used = isCpu ? vmc::Engine::shared(vmc::CpuName) : this->open(this->Settings.Device);
      if (!opened.session || opened.engine != this->Used)
      {
        const vmc::HostClock clock;
        opened.close();
        opened.engine = this->Used;
        opened.session = this->Used->makeSession();
        this->OpenMilliseconds += clock.milliseconds();
      }
      this->UsedSession = opened.session.get();
      return true;
    }
    catch (const vmc::Error& error)
    {
      this->fail(error);
    }
  }
  if (this->Reason.empty())
    this->Cpu.close();
  return false;
}

void SessionUser::fail(const vmc::Error& error)
{
  using Kind = vmc::Error::Kind;
  if (this->Next == Attempt::Cpu && this->Reason != error.what())
    throw vmc::Error(error.kind(), this->Reason + " " + error.what());
  const bool isLost = error.kind() == Kind::DeviceLost;
  const bool isOnCpu = this->Next == Attempt::Cpu || (this->Used && this->Used->deviceName() == vmc::CpuName);
  if (isLost && this->Used)
  {
    vmc::Engine::forget(*this->Used);
    this->Used.reset();
    this->Chosen.close();
  }
  if (isLost && this->Next == Attempt::Chosen)
    this->Next = Attempt::ChosenAgain;
  else if (this->Settings.Fallback == 0 && !isOnCpu && error.kind() != Kind::Internal &&
           error.kind() != Kind::NoSuchDevice)
  {
    this->Next = Attempt::Cpu;
    this->Reason = error.what();
  }
  else
    throw;
  this->IsDone = false;
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
  this->Cpu.close();
}

void SessionUser::keepOnly(bool volumes, bool levels)
{
  const bool hadVolumes = std::exchange(this->HaveVolumes, volumes),
             hadLevels = std::exchange(this->HaveLevels, levels);
  if ((hadVolumes && !volumes) || (hadLevels && !levels))
    this->endSessions();
}

}
