// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "vtkVulkanDeviceSettings.h"

#include "Compute/Engine.h"

#include "vtkStringArray.h"

#include <string>
#include <vector>

namespace
{

vtkStringArray* fill(vtkStringArray* array, const std::vector<std::string>& texts)
{
  array->Reset();
  for (const std::string& text : texts)
    array->InsertNextValue(text);
  return array;
}

}

vtkStringArray* vtkVulkanDeviceSettings::FillNames(vtkStringArray* names)
{
  return fill(names, vmc::Engine::deviceNames());
}

vtkStringArray* vtkVulkanDeviceSettings::FillKinds(vtkStringArray* kinds)
{
  return fill(kinds, vmc::Engine::deviceKinds());
}
