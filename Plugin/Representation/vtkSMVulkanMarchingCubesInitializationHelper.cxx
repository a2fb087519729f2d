// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "vtkSMVulkanMarchingCubesInitializationHelper.h"

#include "vtkSMVulkanIsosurfaceRepresentationProxy.h"

#include "vtkObjectFactory.h"
#include "vtkSMProperty.h"
#include "vtkSMPropertyHelper.h"

#include <string>

vtkStandardNewMacro(vtkSMVulkanMarchingCubesInitializationHelper);

namespace
{

// The array's association and name; a property of five elements, of which these are the last.
std::string arrayIn(vtkSMProxy* proxy, const char* property)
{
  const vtkSMPropertyHelper helper(proxy, property);
  return std::string(helper.GetAsString(3)) + "/" + helper.GetAsString(4);
}

bool isColoredByAnotherArray(vtkSMProxy* display)
{
  const std::string name = vtkSMPropertyHelper(display, "ColorArrayName").GetInputArrayNameToProcess();
  return !name.empty() && arrayIn(display, "ColorArrayName") != arrayIn(display, "ContourBy");
}

}

void vtkSMVulkanMarchingCubesInitializationHelper::PostInitializeProxy(
  vtkSMProxy* filter, vtkPVXMLElement*, vtkMTimeType initializationTime)
{
  vtkSMProxy* display = vtkSMVulkanIsosurfaceRepresentationProxy::FindDisplayOfInput(filter);
  if (!display)
    return;

  const auto copy = [&](const char* to, const char* from)
  {
    if (filter->GetProperty(to)->GetMTime() <= initializationTime)
      filter->GetProperty(to)->Copy(display->GetProperty(from));
  };
  copy("Boundary", "Boundary");
  copy("Device", "Device");
  copy("SelectInputScalars", "ContourBy");
  const bool isSameArray = arrayIn(filter, "SelectInputScalars") == arrayIn(display, "ContourBy");
  if (isSameArray)
    copy("ArrayComponent", "ArrayComponent");
  if (isSameArray && vtkSMPropertyHelper(filter, "ArrayComponent").GetAsInt() ==
                       vtkSMPropertyHelper(display, "ArrayComponent").GetAsInt())
    copy("ContourValues", "Isosurfaces");
  vtkSMProperty* const interpolate = filter->GetProperty("InterpolateAttributes");
  if (isColoredByAnotherArray(display) && interpolate->GetMTime() <= initializationTime)
    vtkSMPropertyHelper(interpolate).Set(1);
  filter->UpdateVTKObjects();
}
