// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The chosen engine, and the CPU's after a failure.
#ifndef vmcSessionUser_h
#define vmcSessionUser_h

#include "vtkVulkanDeviceSettings.h"
#include "vtkVulkanMarchingCubesFiltersModule.h" // export macro

#include "Compute/Engine.h"
#include "Compute/Session.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace vmc::filters
{

// Calls the algorithms of the engine that the settings choose. It holds a session on this engine, because the session
// holds the volumes of the last call, and one on the CPU's engine after a fallback. One call at a time.
class VTKVULKANMARCHINGCUBESFILTERS_EXPORT SessionUser
{
public:
  using Work = std::function<void(vmc::Engine& engine, vmc::Session& session)>;

  SessionUser();
  ~SessionUser();
  SessionUser(const SessionUser&) = delete;
  SessionUser& operator=(const SessionUser&) = delete;

  // Opens the engine of this name. Throws as vmc::Engine::shared does.
  std::shared_ptr<vmc::Engine> open(const std::string& device);

  // Calls `work` with the chosen engine. After DeviceLost, opens the device again and calls `work` once more. If the
  // device is lost again, cannot be opened, or has too little memory, calls `work` with the CPU's engine, provided that
  // the settings allow it, and returns the reason. Returns an empty string if the chosen engine succeeded. Throws the
  // last error; after a fallback, its text begins with the reason.
  std::string run(const vtkVulkanDeviceSettings& settings, const Work& work);

  // Releases the volumes with an array of this identity, as when the array was deleted.
  void releaseVolumes(std::uint64_t identity);

  // Ends the sessions: they release all volumes. The next run begins new ones.
  void endSessions();

  // Returns the milliseconds of opening engines since the last call of this function.
  double takeOpenMilliseconds();

private:
  struct Opened
  {
    std::shared_ptr<vmc::Engine> engine;
    std::unique_ptr<vmc::Session> session; // on this engine
  };

  std::string runOnChosen(const vtkVulkanDeviceSettings& settings, const Work& work);
  void runOnCpu(const std::string& reason, const Work& work);
  vmc::Session& sessionOf(Opened& opened, const std::shared_ptr<vmc::Engine>& engine);
  // Closes the chosen engine after DeviceLost, so that it is opened again.
  void forgetChosen();

  Opened Chosen, Cpu;              // Cpu: after a fallback
  std::weak_ptr<vmc::Engine> Last; // the engine that open() returned last
  double OpenTime = 0;
};

}

#endif
