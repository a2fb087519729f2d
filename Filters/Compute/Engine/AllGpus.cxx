// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Engine/AllGpus.h"

#include "Compute/Context.h"
#include "Compute/Contour/DeviceExtraction.h"
#include "Compute/Measure/FindOpenEdges.h"
#include "Compute/Measure/MeasureMesh.h"
#include "Compute/System/Threads.h"
#include "Compute/Vulkan/Instance.h"

#include <algorithm>
#include <list>
#include <utility>

namespace vmc
{

namespace
{

// A device, and what a session keeps on it.
struct Member
{
  explicit Member(std::shared_ptr<DeviceEngine> engine)
    : gpu(std::move(engine))
    , device(this->gpu->context(), this->gpu->volumes())
    , state(*this->gpu->context())
  {
  }

  std::shared_ptr<DeviceEngine> gpu;
  DeviceSession device;
  ExtractionState state;
};

std::string reasonOf(const DeviceEngine& gpu, const Error& error)
{
  return gpu.deviceName() + " is left out: " + error.what();
}

class AllGpusSession : public VulkanSession
{
public:
  AllGpusSession(AllGpusEngine& engine, const std::vector<std::shared_ptr<DeviceEngine>>& gpus, std::string leftOut)
    : VulkanSession(gpus.front()->context(), gpus.front()->volumes(), gpus.front()->hierarchies())
    , OwnEngine(engine)
    , LeftOut(std::move(leftOut))
    , BlocksUser(engine.hostMemory())
  {
    for (const std::shared_ptr<DeviceEngine>& gpu : gpus)
      translated(
        gpu->context()->device(), [&] { this->Members.emplace_back(new Member(gpu), deleteInProcess<Member>); });
  }

  using VulkanSession::extract;
  std::optional<Surface> extract(
    const std::vector<Volume>& volumes, const Request& request, Report& report, const Progress& progress) override
  {
    if (request.memory != OutputMemory::Host)
      return VulkanSession::extract(volumes, request, report, progress);
    const auto work = [&]
    {
      this->OwnEngine.hostMemory().beginRun();
      report.leftOut = this->LeftOut;
      std::optional<Surface> surface = this->extractOnMembers(volumes, request, report, progress);
      if (surface && request.nameOpenEdges)
        nameOpenEdges(volumes, usableThreads(request.threads), surface->meshes);
      if (surface && request.needsOpenEnds())
        measureSurface(*surface, request, report.stages);
      return surface;
    };
    return reported(report, [&] { return translated(this->Members.front()->gpu->context()->device(), work); });
  }

  void releaseVolumes(std::uint64_t identity) override
  {
    VulkanSession::releaseVolumes(identity);
    if (mayUseVulkan())
      for (const std::shared_ptr<Member>& member : this->Members)
        member->device.releaseVolumes(identity);
  }

private:
  // Leaves out devices that fail, until all that are left succeed or none is left. One device alone may do what several
  // cannot, as the last slab of a share needs more samples.
  std::optional<Surface> extractOnMembers(
    const std::vector<Volume>& volumes, const Request& request, Report& report, const Progress& progress)
  {
    for (std::vector<std::shared_ptr<Member>> members = this->Members;;)
    {
      std::vector<ExtractionDevice> devices;
      Report attempt;
      try
      {
        std::list<DeviceSession::Call> calls;
        for (const std::shared_ptr<Member>& member : members)
        {
          devices.push_back({ &member->device, &member->state });
          calls.emplace_back(member->device, DeviceSession::CallKind::Run);
          attempt.device += (attempt.device.empty() ? "" : " + ") + member->gpu->deviceName();
        }
        std::optional<Surface> surface =
          extractOnDevices(devices, this->OwnEngine.hostMemory(), volumes, request, attempt, progress);
        report.add(attempt);
        report.device = attempt.device;
        return surface;
      }
      catch (const Error& error)
      {
        if (error.kind() == Error::Kind::Unsupported && members.size() > 1)
        {
          members.resize(1);
          continue;
        }
        const auto hasFailed = [](const ExtractionDevice& device) { return device.hasFailed; };
        const auto failed = std::find_if(devices.begin(), devices.end(), hasFailed) - devices.begin();
        if (members.size() == 1 || std::size_t(failed) == members.size())
          throw;
        report.leftOut += (report.leftOut.empty() ? "" : " ") + reasonOf(*members[failed]->gpu, error);
        if (error.kind() == Error::Kind::DeviceLost)
          Engine::forget(this->OwnEngine);
        members.erase(members.begin() + failed);
      }
    }
  }

  AllGpusEngine& OwnEngine;
  const std::string LeftOut;
  const PoolUser<HostMemoryPool> BlocksUser;
  std::vector<std::shared_ptr<Member>> Members;
};

}

AllGpusEngine::AllGpusEngine(std::vector<std::shared_ptr<DeviceEngine>> gpus, std::string leftOut)
  : Gpus(std::move(gpus))
  , LeftOut(std::move(leftOut))
  , Blocks(/*isForDevices*/ true)
{
}

const std::string& AllGpusEngine::deviceName() const
{
  static const std::string* const name = new std::string(AllGpusName);
  return *name;
}

std::unique_ptr<Session> AllGpusEngine::makeSession()
{
  return translated(this->Gpus.front()->context()->device(),
    [&]() -> std::unique_ptr<Session> { return std::make_unique<AllGpusSession>(*this, this->Gpus, this->LeftOut); });
}

void AllGpusEngine::makeKernels(const Volume& example, const Request& request)
{
  for (const std::shared_ptr<DeviceEngine>& gpu : this->Gpus)
    gpu->makeKernels(example, request);
}

}
