// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "vtkSMVulkanMarchingCubesInitializationHelper.h"

#include "vtkSMVulkanIsosurfaceRepresentationProxy.h"

#include "vtkNew.h"
#include "vtkObjectFactory.h"
#include "vtkSMProperty.h"
#include "vtkSMPropertyHelper.h"
#include "vtkSMProxyIterator.h"
#include "vtkSMProxySelectionModel.h"
#include "vtkSMSessionProxyManager.h"
#include "vtkSMSourceProxy.h"
#include "vtkSMViewProxy.h"

#include <string>
#include <vector>

vtkStandardNewMacro(vtkSMVulkanMarchingCubesInitializationHelper);

namespace
{

// The active view first.
std::vector<vtkSMViewProxy*> viewsOf(vtkSMSessionProxyManager* manager)
{
  std::vector<vtkSMViewProxy*> views;
  if (vtkSMProxySelectionModel* active = manager->GetSelectionModel("ActiveView"))
    views.push_back(vtkSMViewProxy::SafeDownCast(active->GetCurrentProxy()));
  vtkNew<vtkSMProxyIterator> each;
  each->SetSessionProxyManager(manager);
  for (each->Begin("views"); !each->IsAtEnd(); each->Next())
    views.push_back(vtkSMViewProxy::SafeDownCast(each->GetProxy()));
  return views;
}

// The display that shows this output of a source as isosurface; null if there is none.
vtkSMProxy* isosurfaceOf(vtkSMSourceProxy* source, int port)
{
  for (vtkSMViewProxy* view : viewsOf(source->GetSessionProxyManager()))
  {
    vtkSMProxy* display = view ? view->FindRepresentation(source, port) : nullptr;
    if (display && vtkSMVulkanIsosurfaceRepresentationProxy::IsShownIn(display))
      return display;
  }
  return nullptr;
}

// The array's association and name; a property of five elements, of which these are the last.
std::string arrayIn(vtkSMProxy* proxy, const char* property)
{
  const vtkSMPropertyHelper helper(proxy, property);
  return std::string(helper.GetAsString(3)) + "/" + helper.GetAsString(4);
}

}

void vtkSMVulkanMarchingCubesInitializationHelper::PostInitializeProxy(
  vtkSMProxy* filter, vtkPVXMLElement*, vtkMTimeType initializationTime)
{
  const vtkSMPropertyHelper input(filter, "Input");
  vtkSMSourceProxy* source = vtkSMSourceProxy::SafeDownCast(input.GetAsProxy());
  vtkSMProxy* display = source ? isosurfaceOf(source, input.GetOutputPort()) : nullptr;
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
  filter->UpdateVTKObjects();
}
