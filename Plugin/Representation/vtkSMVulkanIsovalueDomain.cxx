// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "vtkSMVulkanIsovalueDomain.h"

#include "ChosenArray.h"

#include "vtkCommand.h"
#include "vtkObjectFactory.h"
#include "vtkPVArrayInformation.h"
#include "vtkSMProperty.h"
#include "vtkSMRepresentationProxy.h"
#include "vtkSMUncheckedPropertyHelper.h"

#include <algorithm>
#include <utility>
#include <vector>

vtkStandardNewMacro(vtkSMVulkanIsovalueDomain);

void vtkSMVulkanIsovalueDomain::Update(vtkSMProperty* changed)
{
  this->UpdateRange();
  if (!changed)
    return;
  const bool isSelection = changed == this->GetRequiredProperty("ArraySelection") ||
                           changed == this->GetRequiredProperty("ComponentSelection");
  if (isSelection && this->WasSelectionSet())
    this->AcceptDefault();
  else if (isSelection)
  {
    vtkSMUncheckedPropertyHelper(this->GetRequiredProperty("Suggestion")).SetNumberOfElements(0);
    this->ReplaceDefault();
  }
  else if (changed == this->GetRequiredProperty("Suggestion") && !this->IsDefaultExecuted)
    this->ReplaceDefault();
}

void vtkSMVulkanIsovalueDomain::UpdateRange()
{
  std::vector<vtkEntry> entries;
  if (const vtkPVArrayInformation* const array = chosenArrayOf(*this))
  {
    const int selected = vtkSMUncheckedPropertyHelper(this->GetRequiredProperty("ComponentSelection")).GetAsInt();
    const int last = array->GetNumberOfComponents() - 1;
    const double* const range = array->GetComponentFiniteRange(last == 0 ? 0 : std::clamp(selected, -1, last));
    if (range && range[0] <= range[1])
      entries.emplace_back(range[0], range[1]);
  }
  this->SetEntries(entries);
}

int vtkSMVulkanIsovalueDomain::SetDefaultValues(vtkSMProperty* property, bool useUncheckedValues)
{
  this->Observe(property);
  vtkSMPropertyHelper values(property);
  values.SetUseUnchecked(useUncheckedValues);
  const std::vector<double> suggested =
    vtkSMUncheckedPropertyHelper(this->GetRequiredProperty("Suggestion")).GetDoubleArray();
  if (!suggested.empty())
    values.Set(suggested.data(), static_cast<unsigned int>(suggested.size()));
  else if (!this->Superclass::SetDefaultValues(property, useUncheckedValues))
    return 0;
  this->Default = values.GetDoubleArray();
  this->IsDefaultExecuted = false;
  this->SelectionTime = this->TimeOfSelection();
  return 1;
}

void vtkSMVulkanIsovalueDomain::Observe(vtkSMProperty* property)
{
  if (std::exchange(this->IsObserving, true))
    return;
  property->AddObserver(vtkCommand::UncheckedPropertyModifiedEvent, this, &vtkSMVulkanIsovalueDomain::OnValuesModified);
  if (!vtkSMRepresentationProxy::SafeDownCast(property->GetParent())) // executed before a panel knows a suggestion
    property->GetParent()->AddObserver(vtkCommand::UpdateDataEvent, this, &vtkSMVulkanIsovalueDomain::OnExecuted);
}

void vtkSMVulkanIsovalueDomain::OnValuesModified()
{
  if (vtkSMUncheckedPropertyHelper(this->GetProperty()).GetDoubleArray() != this->Default)
    this->Default.clear();
}

// Returns the time at which the array or the component itself has changed, and not its unchecked value alone.
vtkMTimeType vtkSMVulkanIsovalueDomain::TimeOfSelection()
{
  return std::max(this->GetRequiredProperty("ArraySelection")->GetMTime(),
    this->GetRequiredProperty("ComponentSelection")->GetMTime());
}

// Returns whether it has changed since the last call, and since the default was set.
bool vtkSMVulkanIsovalueDomain::WasSelectionSet()
{
  const vtkMTimeType time = this->TimeOfSelection();
  return std::exchange(this->SelectionTime, time) != time;
}

void vtkSMVulkanIsovalueDomain::ReplaceDefault()
{
  if (!this->Default.empty())
    this->SetDefaultValues(this->GetProperty(), /*useUncheckedValues*/ true);
}

// A panel that applies each change alone, as that of a representation, does not apply the default that followed it.
void vtkSMVulkanIsovalueDomain::AcceptDefault()
{
  if (!this->Default.empty())
    vtkSMPropertyHelper(this->GetProperty()).Set(this->Default.data(), static_cast<unsigned int>(this->Default.size()));
}
