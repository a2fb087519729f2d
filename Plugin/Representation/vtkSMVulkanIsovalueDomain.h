// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
/**
 * @class   vtkSMVulkanIsovalueDomain
 * @brief   the range of the chosen component of an array, and a default isovalue that follows the choice
 *
 * The range of the component that the required property "ComponentSelection" selects: -1 is the magnitude. Other values
 * than finite ones are left out. Other required properties: those of the superclass. For -1, the superclass would use
 * the range of the first component.
 *
 * The default is the unchecked value of the required property "Suggestion" if it has one, and else the middle
 * of the range. If a panel selects another array or component, that is, if unchecked values change, the suggestion is
 * removed, and the new default replaces the unchecked values of the domain's property. A suggestion replaces the
 * default until the filter has been executed with it; that of a representation at any time. Values are replaced only if
 * they are the default that SetDefaultValues has set and were never others since: those of users, scripts, state files
 * and undo stay. If a script selects an array or a component, no value changes.
 */
#ifndef vtkSMVulkanIsovalueDomain_h
#define vtkSMVulkanIsovalueDomain_h

#include "vtkSMArrayRangeDomain.h"
#include "vtkVulkanMarchingCubesRepresentationModule.h" // export macro

#include <vector> // for members

class VTKVULKANMARCHINGCUBESREPRESENTATION_EXPORT vtkSMVulkanIsovalueDomain : public vtkSMArrayRangeDomain
{
public:
  static vtkSMVulkanIsovalueDomain* New();
  vtkTypeMacro(vtkSMVulkanIsovalueDomain, vtkSMArrayRangeDomain);

  void Update(vtkSMProperty* changed) override;
  int SetDefaultValues(vtkSMProperty* property, bool useUncheckedValues) override;

protected:
  vtkSMVulkanIsovalueDomain() = default;
  ~vtkSMVulkanIsovalueDomain() override = default;

private:
  vtkSMVulkanIsovalueDomain(const vtkSMVulkanIsovalueDomain&) = delete;
  void operator=(const vtkSMVulkanIsovalueDomain&) = delete;

  void UpdateRange();
  vtkMTimeType TimeOfSelection();
  bool WasSelectionSet();
  void Observe(vtkSMProperty* property);
  void OnValuesModified();
  void OnExecuted() { this->IsDefaultExecuted = true; }
  void ReplaceDefault();
  void AcceptDefault();

  std::vector<double> Default; // the values that SetDefaultValues has set; empty if there were others since
  bool IsDefaultExecuted = false;
  bool IsObserving = false;
  vtkMTimeType SelectionTime = 0; // when a script or an Apply had last set the array or the component
};

#endif
