// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The choice of a device and the result of this choice, which filters and mappers have in common.
#ifndef vtkVulkanDeviceSettings_h
#define vtkVulkanDeviceSettings_h

#include "vtkIndent.h"
#include "vtkNew.h"                              // for members
#include "vtkVulkanMarchingCubesFiltersModule.h" // export macro

#include <cstdint>
#include <ostream>
#include <string>

class vtkStringArray;

// The settings: see vtkVulkanMarchingCubes::SetDevice, SetMemoryLimit and SetFallback.
struct vtkVulkanDeviceSettings
{
  std::string Device;
  double MemoryLimit = 0; // MiB of device memory; 0: the device's limit
  int Fallback = 0;       // 0: the CPU, 1: an error

  std::uint64_t GetMemoryLimitInBytes() const { return static_cast<std::uint64_t>(this->MemoryLimit * (1 << 20)); }

  // Returns the array, filled with the names or the kinds of the devices.
  VTKVULKANMARCHINGCUBESFILTERS_EXPORT static vtkStringArray* FillNames(vtkStringArray* names);
  VTKVULKANMARCHINGCUBESFILTERS_EXPORT static vtkStringArray* FillKinds(vtkStringArray* kinds);

  void Print(std::ostream& os, vtkIndent indent) const
  {
    os << indent << "Device: " << this->Device << "\n";
    os << indent << "Memory Limit (MiB): " << this->MemoryLimit << "\n";
    os << indent << "Fallback: " << (this->Fallback == 0 ? "CPU" : "Error") << "\n";
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

// Declares the methods of a VTK class for these settings and results, and its members.
#define vtkVulkanDeviceMacro()                                                                                         \
private:                                                                                                               \
  std::string Device = "automatic";                                                                                    \
  double MemoryLimit = 0;                                                                                              \
  int Fallback = 0;                                                                                                    \
  vtkVulkanDeviceResults Results;                                                                                      \
  vtkNew<vtkStringArray> DeviceNames;                                                                                  \
  vtkNew<vtkStringArray> DeviceKinds;                                                                                  \
                                                                                                                       \
public:                                                                                                                \
  enum FallbackMode                                                                                                    \
  {                                                                                                                    \
    FALLBACK_CPU = 0,                                                                                                  \
    FALLBACK_ERROR = 1                                                                                                 \
  };                                                                                                                   \
  vtkSetStdStringFromCharMacro(Device);                                                                                \
  vtkGetCharFromStdStringMacro(Device);                                                                                \
  vtkSetClampMacro(MemoryLimit, double, 0, VTK_INT_MAX);                                                               \
  vtkGetMacro(MemoryLimit, double);                                                                                    \
  vtkSetClampMacro(Fallback, int, FALLBACK_CPU, FALLBACK_ERROR);                                                       \
  vtkGetMacro(Fallback, int);                                                                                          \
  vtkVulkanDeviceSettings GetDeviceSettings() const                                                                    \
  {                                                                                                                    \
    return { this->Device, this->MemoryLimit, this->Fallback };                                                        \
  }                                                                                                                    \
  virtual const char* GetUsedDevice()                                                                                  \
  {                                                                                                                    \
    return this->Results.UsedDevice.c_str();                                                                           \
  }                                                                                                                    \
  virtual const char* GetFallbackReason()                                                                              \
  {                                                                                                                    \
    return this->Results.FallbackReason.c_str();                                                                       \
  }                                                                                                                    \
  vtkStringArray* GetDeviceNames()                                                                                     \
  {                                                                                                                    \
    return vtkVulkanDeviceSettings::FillNames(this->DeviceNames);                                                      \
  }                                                                                                                    \
  vtkStringArray* GetDeviceKinds()                                                                                     \
  {                                                                                                                    \
    return vtkVulkanDeviceSettings::FillKinds(this->DeviceKinds);                                                      \
  }

#endif
