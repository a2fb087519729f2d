// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "vtkSMVulkanComponentDomain.h"

#include "ChosenArray.h"

#include "vtkObjectFactory.h"
#include "vtkPVArrayInformation.h"

vtkStandardNewMacro(vtkSMVulkanComponentDomain);

void vtkSMVulkanComponentDomain::Update(vtkSMProperty*)
{
  const vtkPVArrayInformation* const array = chosenArrayOf(*this);
  this->SetEntries({ vtkEntry(-1, true, array ? array->GetNumberOfComponents() - 1 : 0, array != nullptr) });
}
