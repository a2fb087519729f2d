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

namespace
{

// Empty if the property is null.
std::vector<double> uncheckedValuesOf(vtkSMProperty* property)
{
  return property ? vtkSMUncheckedPropertyHelper(property).GetDoubleArray() : std::vector<double>();
}

}

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
    this->RemoveSuggestion();
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
    vtkSMProperty* const selection = this->GetRequiredProperty("ComponentSelection");
    const int selected = selection ? vtkSMUncheckedPropertyHelper(selection).GetAsInt() : -1;
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
  const std::vector<double> suggested = uncheckedValuesOf(this->GetRequiredProperty("Suggestion"));
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
  if (uncheckedValuesOf(this->GetProperty()) != this->Default)
    this->Default.clear();
}

// Returns the time at which the array or the component itself has changed, and not its unchecked value alone.
vtkMTimeType vtkSMVulkanIsovalueDomain::TimeOfSelection()
{
  vtkMTimeType time = 0;
  for (const char* selection : { "ArraySelection", "ComponentSelection" })
    if (vtkSMProperty* property = this->GetRequiredProperty(selection))
      time = std::max(time, property->GetMTime());
  return time;
}

// Returns whether it has changed since the last call, and since the default was set.
bool vtkSMVulkanIsovalueDomain::WasSelectionSet()
{
  const vtkMTimeType time = this->TimeOfSelection();
  return std::exchange(this->SelectionTime, time) != time;
}

void vtkSMVulkanIsovalueDomain::RemoveSuggestion()
{
  if (vtkSMProperty* suggestion = this->GetRequiredProperty("Suggestion"))
    vtkSMUncheckedPropertyHelper(suggestion).SetNumberOfElements(0);
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
