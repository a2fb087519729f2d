// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "vtkSMVulkanComponentNameDomain.h"

#include "ChosenArray.h"

#include "vtkCommand.h"
#include "vtkObjectFactory.h"
#include "vtkPVArrayInformation.h"
#include "vtkSMProperty.h"
#include "vtkSMPropertyHelper.h"

vtkStandardNewMacro(vtkSMVulkanComponentNameDomain);

namespace
{

constexpr int ValueOfMagnitude = 1 << 30; // components follow

void setTo(vtkSMProperty* property, int component)
{
  vtkSMPropertyHelper value(property);
  if (value.GetAsInt() != component)
    value.Set(component);
}

}

int vtkSMVulkanComponentNameDomain::ReadXMLAttributes(vtkSMProperty* property, vtkPVXMLElement* element)
{
  property->AddObserver(vtkCommand::ModifiedEvent, this, &vtkSMVulkanComponentNameDomain::OnValue);
  return this->Superclass::ReadXMLAttributes(property, element);
}

void vtkSMVulkanComponentNameDomain::Update(vtkSMProperty* changed)
{
  this->RemoveAllEntries();
  this->AddEntry("Magnitude", ValueOfMagnitude);
  const vtkPVArrayInformation* const array = chosenArrayOf(*this);
  const char* const axes[] = { "X", "Y", "Z" };
  for (int component = 0; component < (array ? array->GetNumberOfComponents() : 3); ++component)
    this->AddEntry(array ? array->GetComponentName(component) : axes[component], ValueOfMagnitude + 1 + component);
  vtkSMProperty* const component = this->GetRequiredProperty("Component");
  if (changed && changed == component)
    setTo(this->GetProperty(), vtkSMPropertyHelper(component).GetAsInt());
}

void vtkSMVulkanComponentNameDomain::OnValue()
{
  vtkSMProperty* const component = this->GetRequiredProperty("Component");
  const vtkSMPropertyHelper own(this->GetProperty());
  if (!component || own.GetNumberOfElements() == 0) // the proxy is being made
    return;
  const int value = own.GetAsInt();
  const int number = value < ValueOfMagnitude ? value : value - ValueOfMagnitude - 1;
  setTo(component, number);
  setTo(this->GetProperty(), number);
}
