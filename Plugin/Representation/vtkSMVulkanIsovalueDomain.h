// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
/**
 * @class   vtkSMVulkanIsovalueDomain
 * @brief   the range of the chosen component of an array
 *
 * The range of the component that the required property "ComponentSelection" selects: -1 is the magnitude. Other values
 * than finite ones are left out. Other required properties: those of the superclass. For -1, the superclass would use
 * the range of the first component.
 */
#ifndef vtkSMVulkanIsovalueDomain_h
#define vtkSMVulkanIsovalueDomain_h

#include "vtkSMArrayRangeDomain.h"
#include "vtkVulkanMarchingCubesRepresentationModule.h" // export macro

class VTKVULKANMARCHINGCUBESREPRESENTATION_EXPORT vtkSMVulkanIsovalueDomain : public vtkSMArrayRangeDomain
{
public:
  static vtkSMVulkanIsovalueDomain* New();
  vtkTypeMacro(vtkSMVulkanIsovalueDomain, vtkSMArrayRangeDomain);

  void Update(vtkSMProperty* property) override;

protected:
  vtkSMVulkanIsovalueDomain() = default;
  ~vtkSMVulkanIsovalueDomain() override = default;

private:
  vtkSMVulkanIsovalueDomain(const vtkSMVulkanIsovalueDomain&) = delete;
  void operator=(const vtkSMVulkanIsovalueDomain&) = delete;
};

#endif
