// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// What a filter computes on the engine that it names, and on the CPU if that fails.
#ifndef vmcEngineUser_h
#define vmcEngineUser_h

#include "Compute/Engine.h"
#include "Compute/System/CpuName.h"
#include "Compute/System/Error.h"
#include "Compute/System/HostClock.h"

#include <cstdint>
#include <memory>
#include <set>
#include <string>

namespace vmc::filters
{

// Worker: vmc::MarchingCubes or vmc::ValueCounter. The workers stay until the engine changes, as they keep the volumes.
template <class Worker>
class EngineUser
{
public:
  // make: the member function of the engine that makes a worker.
  explicit EngineUser(std::unique_ptr<Worker> (vmc::Engine::*make)())
    : Make(make)
  {
  }

  // Opens the engine, also before a pass. Throws as vmc::Engine::shared does.
  std::shared_ptr<vmc::Engine> open(const std::string& device)
  {
    const vmc::HostClock clock;
    const auto engine = vmc::Engine::shared(device);
    if (engine != this->Opened.lock())
      this->OpenTime += clock.milliseconds();
    this->Opened = engine;
    return engine;
  }

  // Milliseconds of opening engines since the end of the last pass.
  double openMilliseconds() const { return this->OpenTime; }

  void beginPass()
  {
    this->InPass = true;
    this->NoDevice.clear();
    this->HasFallenBack = false;
    this->Devices.clear();
    this->DeviceTexts.clear();
    for (Place* place : { &this->Chosen, &this->Cpu })
      if (place->worker)
        place->worker->beginPass();
  }

  void endPass()
  {
    this->InPass = false;
    this->OpenTime = 0;
    if (!this->HasFallenBack)
      this->Cpu = Place();
    for (Place* place : { &this->Chosen, &this->Cpu })
      if (place->worker)
        place->worker->endPass();
  }

  // Of arrays that were deleted.
  void releaseVolumes(std::uint64_t identity)
  {
    for (Place* place : { &this->Chosen, &this->Cpu })
      if (place->worker)
        place->worker->releaseVolumes(identity);
  }

  // Calls work(engine, worker) with the engine of this name. After DeviceLost, opens the device again and retries once.
  // After the second loss, or if the device or its memory does not suffice, calls `work` with the CPU engine if
  // mayFallBack. Returns the reason for that, or nothing. After NoDevice, the rest of the pass uses the CPU at once.
  // Throws the last error; after a fallback, its text begins with the reason.
  template <class Work>
  std::string run(const std::string& device, bool mayFallBack, const Work& work)
  {
    std::string reason = mayFallBack ? this->NoDevice : "";
    if (reason.empty())
      reason = this->runOnChosen(device, mayFallBack, work);
    if (!reason.empty())
      this->runOnCpu(reason, work);
    return reason;
  }

  // Adds Report::device to the devices that this pass has used. Returns all of them, each once, separated by "; ".
  const std::string& addUsedDevice(const std::string& device)
  {
    if (this->DeviceTexts.insert(device).second)
      this->Devices += (this->Devices.empty() ? "" : "; ") + device;
    return this->Devices;
  }

private:
  struct Place
  {
    std::shared_ptr<vmc::Engine> engine; // of the worker
    std::unique_ptr<Worker> worker;
  };

  template <class Work>
  std::string runOnChosen(const std::string& device, bool mayFallBack, const Work& work)
  {
    using Kind = vmc::Error::Kind;
    for (bool again = false;; again = true)
    {
      std::shared_ptr<vmc::Engine> engine;
      try
      {
        engine = this->open(device);
        work(*engine, this->workerOf(this->Chosen, engine));
        return {};
      }
      catch (const vmc::Error& error)
      {
        const bool isLost = error.kind() == Kind::DeviceLost;
        if (isLost)
          this->drop();
        if (isLost && !again)
          continue;
        const bool isCpu = engine && engine->deviceName() == vmc::CpuName;
        if (!mayFallBack || isCpu || error.kind() == Kind::Internal || error.kind() == Kind::NoSuchDevice)
          throw;
        if (error.kind() == Kind::NoDevice)
          this->NoDevice = error.what();
        return error.what();
      }
    }
  }

  template <class Work>
  void runOnCpu(const std::string& reason, const Work& work)
  {
    const auto engine = vmc::Engine::shared(vmc::CpuName);
    this->HasFallenBack = true;
    try
    {
      work(*engine, this->workerOf(this->Cpu, engine));
    }
    catch (const vmc::Error& error)
    {
      if (reason == error.what())
        throw;
      throw vmc::Error(error.kind(), reason + " " + error.what());
    }
  }

  Worker& workerOf(Place& place, const std::shared_ptr<vmc::Engine>& engine)
  {
    if (!place.worker || place.engine != engine)
    {
      const vmc::HostClock clock;
      place.worker.reset();
      place.engine = engine;
      place.worker = (engine.get()->*this->Make)();
      this->OpenTime += clock.milliseconds();
      if (this->InPass)
        place.worker->beginPass();
    }
    return *place.worker;
  }

  // After DeviceLost: nothing of the old device is used again.
  void drop()
  {
    if (this->Chosen.engine)
      vmc::Engine::forget(*this->Chosen.engine);
    this->Chosen.worker.reset();
    this->Chosen.engine.reset();
  }

  std::unique_ptr<Worker> (vmc::Engine::*const Make)();
  Place Chosen, Cpu;                 // of the named engine, and after a failure
  std::weak_ptr<vmc::Engine> Opened; // the engine that open() returned last
  double OpenTime = 0;
  bool InPass = false;
  bool HasFallenBack = false;        // in this pass
  std::string NoDevice;              // the error of this pass; empty: none
  std::set<std::string> DeviceTexts; // of this pass
  std::string Devices;               // all of them
};

}

#endif
