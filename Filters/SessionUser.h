// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The chosen engine, and the CPU's after a failure, with the samples that they read.
#ifndef vmcSessionUser_h
#define vmcSessionUser_h

#include "ArrayWatch.h"
#include "BlockExchange.h"
#include "LevelsFromData.h"
#include "SampleCache.h"
#include "VolumeFromImage.h"

#include "vtkVulkanDeviceSettings.h"

#include "Compute/Engine.h"
#include "Compute/Session.h"
#include "Compute/System/Error.h"
#include "Compute/System/Stage.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

class vtkMultiProcessController;

namespace vmc::filters
{

// Holds a session on the engine that the settings choose, because the session holds the volumes of the last call, and
// one on the CPU's engine after a fallback. Each run of a filter or a mapper is between beginRun and endRun. One call
// of an algorithm is a loop over the engines until one of them succeeds:
//
//   for (user.beginCall(settings); user.nextEngine();)
//     try { surface = user.session().extract(...); }
//     catch (const vmc::Error& error) { user.fail(error); }
class SessionUser
{
public:
  // The engine of a call, and those that have failed before.
  struct Call
  {
    enum class Attempt
    {
      Chosen,
      ChosenAgain, // after DeviceLost
      Cpu
    };

    vtkVulkanDeviceSettings settings{};
    Attempt next = Attempt::Chosen;
    bool isDone = true;                    // false: another engine is to be tried
    std::shared_ptr<vmc::Engine> engine{}; // of the last attempt; null: it could not be opened
    vmc::Session* session = nullptr;       // on this engine, until the next call
    std::string fallbackReason{};          // see SessionUser::fallbackReason
  };

  SessionUser();
  SessionUser(const SessionUser&) = delete;
  SessionUser& operator=(const SessionUser&) = delete;

  void beginRun();
  // Releases copies of samples that the run did not use. Adds to the report the time of opening engines, also of those
  // that were opened just before the run, the total time, and the rest of it.
  void endRun(vmc::Report& report);

  // Returns the samples that the choice selects, as filters::samplesOf. They leave the device when their arrays are
  // deleted.
  ImageSamples samplesOf(vtkImageData* image, const SampleChoice& choice);

  // Groups the blocks of a composite data set by their lattices, as filters::levelsFromData does. ranks: whose blocks
  // are joined, all of which call this; null: this one alone.
  GroupedData groupsOf(vtkCompositeDataSet* data, const std::function<SampleChoice(vtkImageData*)>& choiceOf,
    vtkMultiProcessController* ranks);

  // Opens the engine of this name. Throws as vmc::Engine::shared does.
  std::shared_ptr<vmc::Engine> open(const std::string& device);

  void beginCall(const vtkVulkanDeviceSettings& settings);
  // Opens the chosen engine first, and begins a session on it if there is none. After fail(), opens the same device
  // again if it was lost, or else the CPU's engine. Returns false after a success. Throws as fail() does if no engine
  // can be opened.
  bool nextEngine();
  // Throws the error if no other engine may be tried: a device is opened again once, and the settings must allow the
  // CPU. After a fallback, the text of the error begins with the reason. To be called in the handler of the error.
  void fail(const vmc::Error& error);

  vmc::Engine& engine() { return *this->Current.engine; }
  vmc::Session& session() { return *this->Current.session; }
  // The error of the chosen device for which the CPU's engine has made the result; empty without a fallback.
  const std::string& fallbackReason() const { return this->Current.fallbackReason; }

  const Call& call() const { return this->Current; }
  // Returns to a call whose engine has failed later, when the result was used, and handles its error.
  void fail(const Call& call, const vmc::Error& error);

  // Ends the sessions: they release all volumes and levels. The next call begins new ones.
  void endSessions();

  // Ends the sessions if they hold volumes or levels of the last run and this run has none of that kind, because the
  // sessions would hold them further. To be called before the calls of a run with levels.
  void keepOnly(bool volumes, bool levels);

private:
  struct Opened
  {
    std::shared_ptr<vmc::Engine> engine;
    std::unique_ptr<vmc::Session> session; // on this engine

    void close()
    {
      this->session.reset();
      this->engine.reset();
    }
  };

  void releaseVolumes(std::uint64_t identity);

  SampleCache Cache;
  BlockExchange Exchange;
  ArrayWatch Watch;
  Opened Chosen, Cpu;              // Cpu: after a fallback
  std::weak_ptr<vmc::Engine> Last; // the engine that open() returned last

  bool HaveVolumes = false, HaveLevels = false; // of the last call of keepOnly

  Call Current;

  // These belong to the run.
  vmc::HostClock Clock;
  double OpenMilliseconds = 0;       // since the end of the last run
  double OpenMillisecondsBefore = 0; // the part of it before the run
};

}

#endif
