// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The choice of a device and the result of this choice, which filters and mappers have in common.
#ifndef vtkVulkanDeviceSettings_h
#define vtkVulkanDeviceSettings_h

#include "vtkIndent.h"

#include <algorithm>
#include <cstdint>
#include <ostream>
#include <string>

// The settings: see vtkVulkanMarchingCubes::SetDevice, SetMemoryLimit and SetFallback.
struct vtkVulkanDeviceSettings
{
  std::string Device = "automatic";
  double MemoryLimit = 0; // MiB of device memory; 0: the device's limit
  int Fallback = 0;       // 0: the CPU, 1: an error

  // Each returns whether the setting has changed.
  bool SetDevice(const char* device) { return this->Set(this->Device, std::string(device ? device : "")); }
  bool SetMemoryLimit(double mebibytes)
  {
    constexpr double Largest = 2147483647;
    return this->Set(this->MemoryLimit, std::clamp(mebibytes, 0.0, Largest));
  }
  bool SetFallback(int fallback) { return this->Set(this->Fallback, std::clamp(fallback, 0, 1)); }

  std::uint64_t GetMemoryLimitInBytes() const { return static_cast<std::uint64_t>(this->MemoryLimit * (1 << 20)); }

  void Print(std::ostream& os, vtkIndent indent) const
  {
    os << indent << "Device: " << this->Device << "\n";
    os << indent << "Memory Limit (MiB): " << this->MemoryLimit << "\n";
    os << indent << "Fallback: " << (this->Fallback == 0 ? "CPU" : "Error") << "\n";
  }

private:
  template <class Value>
  bool Set(Value& setting, const Value& value)
  {
    const bool isNew = !(setting == value);
    setting = value;
    return isNew;
  }
};

// The results of the last run: see vtkVulkanMarchingCubes::GetUsedDevice, GetFallbackReason and GetNote.
struct vtkVulkanDeviceResults
{
  std::string UsedDevice;
  std::string FallbackReason;
  std::string Note;

  // Adds the result of one call of a run. Each device is listed once, and the first reason is kept.
  void Add(const std::string& device, const std::string& reason)
  {
    const std::string separator = "; ", known = separator + this->UsedDevice + separator;
    if (known.find(separator + device + separator) == std::string::npos)
      this->UsedDevice += (this->UsedDevice.empty() ? "" : separator) + device;
    if (this->FallbackReason.empty())
      this->FallbackReason = reason;
  }

  void Print(std::ostream& os, vtkIndent indent) const
  {
    os << indent << "Used Device: " << this->UsedDevice << "\n";
    os << indent << "Fallback Reason: " << this->FallbackReason << "\n";
    os << indent << "Note: " << this->Note << "\n";
  }
};

// Declares the methods of a VTK class for its members `Settings`, a vtkVulkanDeviceSettings, and `Results`, a
// vtkVulkanDeviceResults. The .cxx file defines GetDeviceNames and GetDeviceKinds.
#define vtkVulkanDeviceMacro()                                                                                         \
  enum FallbackMode                                                                                                    \
  {                                                                                                                    \
    FALLBACK_CPU = 0,                                                                                                  \
    FALLBACK_ERROR = 1                                                                                                 \
  };                                                                                                                   \
  virtual void SetDevice(const char* device)                                                                           \
  {                                                                                                                    \
    if (this->Settings.SetDevice(device))                                                                              \
      this->Modified();                                                                                                \
  }                                                                                                                    \
  virtual const char* GetDevice()                                                                                      \
  {                                                                                                                    \
    return this->Settings.Device.c_str();                                                                              \
  }                                                                                                                    \
  virtual void SetMemoryLimit(double mebibytes)                                                                        \
  {                                                                                                                    \
    if (this->Settings.SetMemoryLimit(mebibytes))                                                                      \
      this->Modified();                                                                                                \
  }                                                                                                                    \
  virtual double GetMemoryLimit()                                                                                      \
  {                                                                                                                    \
    return this->Settings.MemoryLimit;                                                                                 \
  }                                                                                                                    \
  virtual void SetFallback(int fallback)                                                                               \
  {                                                                                                                    \
    if (this->Settings.SetFallback(fallback))                                                                          \
      this->Modified();                                                                                                \
  }                                                                                                                    \
  virtual int GetFallback()                                                                                            \
  {                                                                                                                    \
    return this->Settings.Fallback;                                                                                    \
  }                                                                                                                    \
  virtual const char* GetUsedDevice()                                                                                  \
  {                                                                                                                    \
    return this->Results.UsedDevice.c_str();                                                                           \
  }                                                                                                                    \
  virtual const char* GetFallbackReason()                                                                              \
  {                                                                                                                    \
    return this->Results.FallbackReason.c_str();                                                                       \
  }                                                                                                                    \
  vtkStringArray* GetDeviceNames();                                                                                    \
  vtkStringArray* GetDeviceKinds()

#endif
