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

class Context;
class DeviceHistogram;
class HostMemoryPool;
class MarchingCubes;
class VolumeCache;
struct DeviceOptions;

// An open device and its cache of volumes. Callers that name the same device share one engine and its uploaded arrays.
// Any thread may use it.
class Engine
{
public:
  // Names of the usable devices; equal names are numbered "(2)", "(3)". Empty without a Vulkan loader or driver.
  // The first call that finds a device loads the driver, which takes up to a second; later ones return the same list.
  static std::vector<std::string> deviceNames();
  static std::vector<std::string> deviceKinds(); // in this order, as kindOf returns them

  // Returns the engine of the device that chooseDevice selects by this name. An empty name and "automatic" select the
  // device of the environment variable VMC_DEVICE (see nameFromVariable), if it is set, or else the preferred device;
  // MPI ranks on one machine are distributed over equal GPUs. The first call opens the device. It stays open until
  // forget() is called and the last pointer is released. Throws NoDevice with a reason per device, and NoSuchDevice.
  static std::shared_ptr<Engine> shared(const std::string& wantedName = {});

  // Removes this engine from the shared ones, as after DeviceLost: the next call of shared() opens its device again.
  // Does nothing if another engine has already replaced it.
  static void forget(const Engine& engine);

  // Sets the options for devices that shared() opens after this call; their `name` is ignored.
  static void setSharedOptions(const DeviceOptions& options);

  // Opens a device for an engine that is not shared. Throws NoDevice.
  explicit Engine(const DeviceOptions& options);

  const std::string& deviceName() const; // as deviceNames() lists it
  std::unique_ptr<MarchingCubes> makeMarchingCubes() const;
  std::unique_ptr<DeviceHistogram> makeHistogram() const;
  HostMemoryPool& hostMemory() const; // the blocks of the device's output

  const std::shared_ptr<Context>& context() const { return this->DeviceContext; }
  const std::shared_ptr<VolumeCache>& volumes() const { return this->Cache; }

private:
  std::shared_ptr<Context> DeviceContext;
  std::shared_ptr<VolumeCache> Cache;
};

}

#endif
