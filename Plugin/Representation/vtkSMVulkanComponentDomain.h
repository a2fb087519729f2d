// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
/**
 * @class   vtkSMVulkanComponentDomain
 * @brief   the numbers of the components of an array
 *
 * The domain of components: from -1, the magnitude, to the last component. Required properties: "Input", and
 * "ArraySelection" of five elements. A domain of ParaView with the components' names would make Python read a name
 * instead of the number, and would refuse the names in scripts whose source was not updated yet. The client's widget
 * shows the names. Python sets the property by that of vtkSMVulkanComponentNameDomain.
 */
#ifndef vtkSMVulkanComponentDomain_h
#define vtkSMVulkanComponentDomain_h

#include "vtkSMIntRangeDomain.h"
#include "vtkVulkanMarchingCubesRepresentationModule.h" // export macro

class VTKVULKANMARCHINGCUBESREPRESENTATION_EXPORT vtkSMVulkanComponentDomain : public vtkSMIntRangeDomain
{
public:
  static vtkSMVulkanComponentDomain* New();
  vtkTypeMacro(vtkSMVulkanComponentDomain, vtkSMIntRangeDomain);

  void Update(vtkSMProperty* property) override;

  /**
   * Returns 0: the default of the XML is in every such domain.
   */
  int SetDefaultValues(vtkSMProperty*, bool) override { return 0; }

protected:
  vtkSMVulkanComponentDomain() = default;
  ~vtkSMVulkanComponentDomain() override = default;

private:
  vtkSMVulkanComponentDomain(const vtkSMVulkanComponentDomain&) = delete;
  void operator=(const vtkSMVulkanComponentDomain&) = delete;
};

#endif
