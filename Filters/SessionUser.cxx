// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "SessionUser.h"

#include "Compute/System/Threads.h"

#include <string>
#include <utility>

namespace vmc::filters
{

namespace
{

// Returns what a user can do against this kind of error, as a sentence after its message.
std::string adviceFor(const vmc::Error& error)
{
  switch (error.kind())
  {
    case vmc::Error::Kind::OutOfMemory:
      return " A part of the volume, fewer interpolated arrays or a larger memory limit may help.";
    case vmc::Error::Kind::OutOfHostMemory:
      return " A part of the volume, fewer isovalues or fewer interpolated arrays may help.";
    default:
      return "";
  }
}

}

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
  this->Current = {};
  this->Current.settings = settings;
  this->Current.isDone = false;
}

bool SessionUser::nextEngine()
{
  Call& call = this->Current;
  while (!std::exchange(call.isDone, true))
  {
    const bool isCpu = call.next == Call::Attempt::Cpu;
    Opened& opened = isCpu ? this->Cpu : this->Chosen;
    call.engine.reset();
    try
    {
      call.engine = isCpu ? vmc::Engine::shared(vmc::CpuName) : this->open(call.settings.Device);
      if (!opened.session || opened.engine != call.engine)
      {
        const vmc::HostClock clock;
        opened.close();
        opened.engine = call.engine;
        opened.session = call.engine->makeSession();
        this->OpenMilliseconds += clock.milliseconds();
      }
      call.session = opened.session.get();
      return true;
    }
    catch (const vmc::Error& error)
    {
      this->fail(error);
    }
  }
  if (call.fallbackReason.empty())
    this->Cpu.close();
  return false;
}

void SessionUser::fail(const vmc::Error& error)
{
  using Kind = vmc::Error::Kind;
  using Attempt = Call::Attempt;
  Call& call = this->Current;
  const std::string message = error.what() + adviceFor(error);
  if (call.next == Attempt::Cpu && call.fallbackReason != error.what())
    throw vmc::Error(error.kind(), call.fallbackReason + " " + message, error.result());
  const bool isLost = error.kind() == Kind::DeviceLost;
  const bool isOnCpu = call.next == Attempt::Cpu || (call.engine && call.engine->deviceName() == vmc::CpuName);
  if (isLost && call.engine)
  {
    vmc::Engine::forget(*call.engine);
    if (this->Chosen.engine == call.engine)
      this->Chosen.close();
    call.engine.reset();
  }
  if (isLost && call.next == Attempt::Chosen)
    call.next = Attempt::ChosenAgain;
  else if (call.settings.Fallback == 0 && !isOnCpu && error.kind() != Kind::Internal &&
           error.kind() != Kind::NoSuchDevice)
  {
    call.next = Attempt::Cpu;
    call.fallbackReason = error.what();
  }
  else
    throw vmc::Error(error.kind(), message, error.result());
  call.isDone = false;
}

void SessionUser::fail(const Call& call, const vmc::Error& error)
{
  this->Current = call;
  this->fail(error);
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
