// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "vtkSMVulkanIsovalueDomain.h"

#include "ChosenArray.h"

#include "vtkObjectFactory.h"
#include "vtkPVArrayInformation.h"
#include "vtkSMUncheckedPropertyHelper.h"

#include <algorithm>
#include <vector>

vtkStandardNewMacro(vtkSMVulkanIsovalueDomain);

void vtkSMVulkanIsovalueDomain::Update(vtkSMProperty*)
{
  std::vector<vtkEntry> entries;
  if (const vtkPVArrayInformation* const array = chosenArrayOf(*this))
  {
    vtkSMProperty* const selection = this->GetRequiredProperty("ComponentSelection");
    const int selected = selection ? vtkSMUncheckedPropertyHelper(selection).GetAsInt() : -1;
    const int last = array->GetNumberOfComponents() - 1;
    const double* const range = array->GetComponentFiniteRange(last == 0 ? 0 : std::clamp(selected, -1, last));
    if (range && range[0] <= range[1])
      entries.emplace_back(range[0], range[1]);
  }
  this->SetEntries(entries);
}
