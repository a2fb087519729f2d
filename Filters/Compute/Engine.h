// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The entry point of the core. Its interface contains no Vulkan types.
#ifndef vmcEngine_h
#define vmcEngine_h

#include <memory>
#include <string>
#include <vector>

namespace vmc
{

class HostMemoryPool;
class Session;
struct DeviceOptions;
struct Request;
struct Volume;

// An engine extracts surfaces, counts values and casts rays on a Vulkan device (DeviceEngine) or on threads of the CPU
// (CpuEngine). Callers that name the same device share one engine and the volumes that it keeps. Any thread may use it.
class Engine : public std::enable_shared_from_this<Engine>
{
public:
  // Names of the usable Vulkan devices, "All GPUs" if there are several of the most preferred type, and last "CPU";
  // equal names are numbered "(2)", "(3)". The first call loads the
  // Vulkan drivers, which takes up to a second; later ones return the same list. In a process created by fork() after
  // its parent opened Vulkan, "CPU" alone.
  static std::vector<std::string> deviceNames();
  static std::vector<std::string> deviceKinds(); // in this order, as kindOf returns them

  // Returns the engine that chooseDevice selects by this name. An empty name and "automatic" select the device of the
  // environment variable VMC_DEVICE (see nameFromVariable), if it is set, or else the preferred GPU, or else the CPU;
  // MPI ranks on one machine are distributed over equal GPUs, also if they select "All GPUs". In a process that may not
  // use Vulkan (see mayUseVulkan), they select the CPU. Vulkan is not loaded for the CPU's name, and not for an
  // automatic name on a machine without a GPU (see mayHaveGpu). The first call opens the device. It stays open until
  // forget() is called and the last pointer is released. Throws NoDevice with a reason per device, and NoSuchDevice.
  static std::shared_ptr<Engine> shared(const std::string& wantedName = {});

  // Begins, on another thread, to open the engine of this name and to make the kernels for extractions with this
  // request from volumes like `example`, whose arrays are not used; null: no kernels. Returns at once. shared() waits
  // for the engine, and reports errors. Does nothing if shared() would return the CPU's engine without loading Vulkan,
  // if the environment variable VMC_BACKGROUND is 0, and on Windows.
  static void openInBackground(const std::string& wantedName, const Volume* example, const Request& request);

  // Removes this engine from the shared ones, as after DeviceLost: the next call of shared() opens its device again.
  // Does nothing if another engine has already replaced it.
  static void forget(const Engine& engine);

  // Sets the options for Vulkan devices that shared() opens after this call; their `name` is ignored.
  static void setSharedOptions(const DeviceOptions& options);

  Engine() = default;
  virtual ~Engine() = default;
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  virtual const std::string& deviceName() const = 0;  // as deviceNames() lists it
  virtual std::unique_ptr<Session> makeSession() = 0; // the engine must outlive it
  virtual HostMemoryPool& hostMemory() = 0;           // the blocks of the output

  // Begins, on other threads, to make the kernels for extractions with this request from volumes like this one.
  virtual void makeKernels(const Volume& example, const Request& request) = 0;
};

}

#endif
