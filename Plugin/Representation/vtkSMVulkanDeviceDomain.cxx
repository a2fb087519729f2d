// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "vtkSMVulkanDeviceDomain.h"

#include "vtkCommand.h"
#include "vtkObjectFactory.h"
#include "vtkSMStringVectorProperty.h"

#include <algorithm>
#include <string>
#include <vector>

vtkStandardNewMacro(vtkSMVulkanDeviceDomain);

namespace
{

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
  auto* const names = vtkSMStringVectorProperty::SafeDownCast(this->GetRequiredProperty("Names"));
  auto* const kinds = vtkSMStringVectorProperty::SafeDownCast(this->GetRequiredProperty("Kinds"));
  auto* const own = vtkSMStringVectorProperty::SafeDownCast(this->GetProperty());
  if (!names || !kinds)
    return;
  std::vector<std::string> set = own->GetElements();
  std::vector<std::string> strings{ "Automatic" };
  if (!set.empty() && !set.front().empty() && isAutomatic(set.front()))
    strings.front() = set.front(); // in lower case
  const auto namesAndKinds = std::min(names->GetNumberOfElements(), kinds->GetNumberOfElements());
  for (unsigned int i = 0; i < namesAndKinds; ++i) // one of them is updated first
    if (*names->GetElement(i) != '\0')
      strings.push_back(std::string(names->GetElement(i)) + " (" + kinds->GetElement(i) + ")");
  const std::vector<std::string>& inPanel = own->GetUncheckedElements();
  set.insert(set.end(), inPanel.begin(), inPanel.end());
  for (const std::string& value : set)
    if (!isAutomatic(value) && std::find(strings.begin(), strings.end(), value) == strings.end())
      strings.push_back(value);
  this->SetStrings(strings);
}
