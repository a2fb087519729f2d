// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "vtkSMVulkanIsosurfaceRepresentationProxy.h"

#include "vtkCommand.h"
#include "vtkNew.h"
#include "vtkObjectFactory.h"
#include "vtkPVSession.h"
#include "vtkSMPropertyHelper.h"
#include "vtkSMProxyIterator.h"
#include "vtkSMProxySelectionModel.h"
#include "vtkSMSessionProxyManager.h"
#include "vtkSMSourceProxy.h"
#include "vtkSMViewProxy.h"

#include <string>
#include <utility>
#include <vector>

vtkStandardNewMacro(vtkSMVulkanIsosurfaceRepresentationProxy);

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

}

bool vtkSMVulkanIsosurfaceRepresentationProxy::IsShownBy(vtkSMProxy* display)
{
  const char* const type = vtkSMPropertyHelper(display, "Representation", /*quiet*/ true).GetAsString();
  return type && std::string(type) == TypeName && vtkSMPropertyHelper(display, "Visibility").GetAsInt() != 0;
}

vtkSMProxy* vtkSMVulkanIsosurfaceRepresentationProxy::FindDisplayOfInput(vtkSMProxy* filter)
{
  const vtkSMPropertyHelper input(filter, "Input");
  vtkSMSourceProxy* source = vtkSMSourceProxy::SafeDownCast(input.GetAsProxy());
  if (!source)
    return nullptr;
  for (vtkSMViewProxy* view : viewsOf(source->GetSessionProxyManager()))
  {
    vtkSMProxy* display = view ? view->FindRepresentation(source, input.GetOutputPort()) : nullptr;
    if (display && IsShownBy(display))
      return display;
  }
  return nullptr;
}

void vtkSMVulkanIsosurfaceRepresentationProxy::ViewUpdated(vtkSMProxy* view)
{
  this->Superclass::ViewUpdated(view);
  if (this->ObservedView == view)
    return;
  this->ObservedView = view;
  view->AddObserver(vtkCommand::EndEvent, this, &vtkSMVulkanIsosurfaceRepresentationProxy::OnFrame);
}

void vtkSMVulkanIsosurfaceRepresentationProxy::OnFrame(vtkObject*, unsigned long, void* isInteractive)
{
  if (*static_cast<int*>(isInteractive) || !this->GetParentProxy())
    return;
  const bool isShown = IsShownBy(this->GetParentProxy());
  if (std::exchange(this->WasShown, isShown) || isShown)
    this->UpdatePropertyInformation();
}

void vtkSMVulkanIsosurfaceRepresentationProxy::UpdatePropertyInformationInternal(vtkSMProperty* property)
{
  const vtkTypeUInt32 location = this->Location;
  if (location != 0)
    this->Location = vtkPVSession::RENDER_SERVER_ROOT;
  this->Superclass::UpdatePropertyInformationInternal(property);
  this->Location = location;
}
