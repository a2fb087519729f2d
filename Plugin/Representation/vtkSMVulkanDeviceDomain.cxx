// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "vtkSMVulkanDeviceDomain.h"

#include "vtkCommand.h"
#include "vtkObjectFactory.h"
#include "vtkSMProperty.h"
#include "vtkSMPropertyHelper.h"
#include "vtkSMUncheckedPropertyHelper.h"

#include <algorithm>
#include <string>
#include <vector>

vtkStandardNewMacro(vtkSMVulkanDeviceDomain);

namespace
{

// helper: of the values that are applied, or of those in the panel.
template <class Helper>
std::vector<std::string> valuesOf(const Helper& helper)
{
  std::vector<std::string> values;
  for (unsigned int i = 0; i < helper.GetNumberOfElements(); ++i)
    values.emplace_back(helper.GetAsString(i));
  return values;
}

bool isAutomatic(const std::string& name)
{
  return name.empty() || name == "automatic" || name == "Automatic";
}

}

int vtkSMVulkanDeviceDomain::ReadXMLAttributes(vtkSMProperty* property, vtkPVXMLElement* element)
{
  // The observers are called before the panel reads the value.
  for (const unsigned long event : { vtkCommand::ModifiedEvent, vtkCommand::UncheckedPropertyModifiedEvent })
    property->AddObserver(event, this, &vtkSMVulkanDeviceDomain::OnValue);
  return this->Superclass::ReadXMLAttributes(property, element);
}

void vtkSMVulkanDeviceDomain::Update(vtkSMProperty*)
{
  vtkSMProperty* const namesProperty = this->GetRequiredProperty("Names");
  vtkSMProperty* const kindsProperty = this->GetRequiredProperty("Kinds");
  if (!namesProperty || !kindsProperty)
    return;
  const std::vector<std::string> names = valuesOf(vtkSMPropertyHelper(namesProperty));
  const std::vector<std::string> kinds = valuesOf(vtkSMPropertyHelper(kindsProperty));
  std::vector<std::string> set = valuesOf(vtkSMPropertyHelper(this->GetProperty()));
  std::vector<std::string> strings{ "Automatic" };
  if (!set.empty() && !set.front().empty() && isAutomatic(set.front()))
    strings.front() = set.front();                                       // in lower case
  for (std::size_t i = 0; i < std::min(names.size(), kinds.size()); ++i) // one of them is updated first
    if (!names[i].empty())
      strings.push_back(names[i] + " (" + kinds[i] + ")");
  for (const std::string& value : valuesOf(vtkSMUncheckedPropertyHelper(this->GetProperty())))
    set.push_back(value);
  for (const std::string& value : set)
    if (!isAutomatic(value) && std::find(strings.begin(), strings.end(), value) == strings.end())
      strings.push_back(value);
  this->SetStrings(strings);
}
