// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
/**
 * @class   vtkSMVulkanDeviceDomain
 * @brief   the devices of the server, with their kinds
 *
 * The strings are "Automatic", and the name of each device with its kind in brackets, as
 * vtkVulkanMarchingCubes::SetDevice accepts them. Required properties: "Names" and "Kinds" of the devices. The value of
 * the property itself is always in the domain: a script may set a part of a name.
 */
#ifndef vtkSMVulkanDeviceDomain_h
#define vtkSMVulkanDeviceDomain_h

#include "vtkSMStringListDomain.h"
#include "vtkVulkanMarchingCubesRepresentationModule.h" // export macro

class VTKVULKANMARCHINGCUBESREPRESENTATION_EXPORT vtkSMVulkanDeviceDomain : public vtkSMStringListDomain
{
public:
  static vtkSMVulkanDeviceDomain* New();
  vtkTypeMacro(vtkSMVulkanDeviceDomain, vtkSMStringListDomain);

  void Update(vtkSMProperty* property) override;

protected:
  vtkSMVulkanDeviceDomain() = default;
  ~vtkSMVulkanDeviceDomain() override = default;

  int ReadXMLAttributes(vtkSMProperty* property, vtkPVXMLElement* element) override;

private:
  vtkSMVulkanDeviceDomain(const vtkSMVulkanDeviceDomain&) = delete;
  void operator=(const vtkSMVulkanDeviceDomain&) = delete;

  void OnValue() { this->Update(nullptr); }
};

#endif
