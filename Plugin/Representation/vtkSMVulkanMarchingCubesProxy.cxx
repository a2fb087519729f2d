// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "vtkSMVulkanMarchingCubesProxy.h"

#include "IsovalueLegend.h"

#include "vtkObjectFactory.h"
#include "vtkSMPropertyHelper.h"

#include <utility>

vtkStandardNewMacro(vtkSMVulkanMarchingCubesProxy);

// The superclass tells observers that the data has changed. They shall see the new values.
void vtkSMVulkanMarchingCubesProxy::PostUpdateData(bool usingCache)
{
  if (this->NeedsUpdate)
  {
    this->UpdatePropertyInformation();
    this->UpdateLegends();
  }
  this->Superclass::PostUpdateData(usingCache);
}

void vtkSMVulkanMarchingCubesProxy::UpdateLegends()
{
  if (!this->GetProperty("ContourValues")) // a histogram
    return;
  const std::optional<std::vector<double>> before =
    std::exchange(this->Isovalues, vtkSMPropertyHelper(this, "ContourValues").GetDoubleArray());
  if (before)
    updateLabels(this, *before);
}
