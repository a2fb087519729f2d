// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "vtkSMVulkanMarchingCubesProxy.h"

#include "vtkObjectFactory.h"

vtkStandardNewMacro(vtkSMVulkanMarchingCubesProxy);

// The superclass tells observers that the data has changed. They shall see the new values.
void vtkSMVulkanMarchingCubesProxy::PostUpdateData(bool usingCache)
{
  if (this->NeedsUpdate)
    this->UpdatePropertyInformation();
  this->Superclass::PostUpdateData(usingCache);
}
