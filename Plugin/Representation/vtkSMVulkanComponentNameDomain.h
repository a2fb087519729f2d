// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
/**
 * @class   vtkSMVulkanComponentNameDomain
 * @brief   the names by which Python may set the component of an array
 *
 * Domain of a property that is ArrayComponent in Python, and always has the value of the property "Component", which
 * the panel shows. "Magnitude" and the names of the components have values beyond those of components; such a value is
 * replaced by the number of the component at once. So Python accepts names and numbers, and reads numbers. Before the
 * source is updated, the names are those of a vector: X, Y, Z. Required properties: "Input", "ArraySelection" of five
 * elements, and "Component".
 */
#ifndef vtkSMVulkanComponentNameDomain_h
#define vtkSMVulkanComponentNameDomain_h

#include "vtkSMEnumerationDomain.h"
#include "vtkVulkanMarchingCubesRepresentationModule.h" // export macro

class VTKVULKANMARCHINGCUBESREPRESENTATION_EXPORT vtkSMVulkanComponentNameDomain : public vtkSMEnumerationDomain
{
public:
  static vtkSMVulkanComponentNameDomain* New();
  vtkTypeMacro(vtkSMVulkanComponentNameDomain, vtkSMEnumerationDomain);

  void Update(vtkSMProperty* property) override;

  /**
   * Returns IN_DOMAIN: numbers are valid, too.
   */
  int IsInDomain(vtkSMProperty*) override { return vtkSMDomain::IN_DOMAIN; }

  /**
   * Returns 0: the default of the XML is that of the property "Component".
   */
  int SetDefaultValues(vtkSMProperty*, bool) override { return 0; }

protected:
  vtkSMVulkanComponentNameDomain() = default;
  ~vtkSMVulkanComponentNameDomain() override = default;

  int ReadXMLAttributes(vtkSMProperty* property, vtkPVXMLElement* element) override;

private:
  vtkSMVulkanComponentNameDomain(const vtkSMVulkanComponentNameDomain&) = delete;
  void operator=(const vtkSMVulkanComponentNameDomain&) = delete;

  void OnValue();
};

#endif
