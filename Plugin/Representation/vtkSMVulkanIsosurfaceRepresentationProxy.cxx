// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "vtkSMVulkanIsosurfaceRepresentationProxy.h"

#include "vtkCommand.h"
#include "vtkObjectFactory.h"
#include "vtkPVSession.h"
#include "vtkSMPropertyHelper.h"

#include <string>
#include <utility>

vtkStandardNewMacro(vtkSMVulkanIsosurfaceRepresentationProxy);

bool vtkSMVulkanIsosurfaceRepresentationProxy::IsShownIn(vtkSMProxy* display)
{
  const char* type = vtkSMPropertyHelper(display, "Representation", /*quiet*/ true).GetAsString();
  return type && std::string(type) == "Vulkan Isosurface" && vtkSMPropertyHelper(display, "Visibility").GetAsInt() != 0;
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
  const bool isShown = IsShownIn(this->GetParentProxy());
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
