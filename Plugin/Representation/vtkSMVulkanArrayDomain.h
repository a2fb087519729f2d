// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
/**
 * @class   vtkSMVulkanArrayDomain
 * @brief   the point and cell arrays of an image, of which one that varies is the default
 *
 * The default is the active scalars, or else the first array. An array that is constant, or that numbers points, cells,
 * blocks, levels or processes, is the default only if there is no other one. If leaves of a composite data set are not
 * images, the default is an array of its images.
 */
#ifndef vtkSMVulkanArrayDomain_h
#define vtkSMVulkanArrayDomain_h

#include "vtkSMArrayListDomain.h"
#include "vtkVulkanMarchingCubesRepresentationModule.h" // export macro

class VTKVULKANMARCHINGCUBESREPRESENTATION_EXPORT vtkSMVulkanArrayDomain : public vtkSMArrayListDomain
{
public:
  static vtkSMVulkanArrayDomain* New();
  vtkTypeMacro(vtkSMVulkanArrayDomain, vtkSMArrayListDomain);

  int SetDefaultValues(vtkSMProperty* property, bool useUncheckedValues) override;

protected:
  vtkSMVulkanArrayDomain() = default;
  ~vtkSMVulkanArrayDomain() override = default;

  bool IsFilteredArray(vtkPVDataInformation* data, int association, const char* name) override;

private:
  vtkPVDataInformation* DataOfImages();

  vtkSMVulkanArrayDomain(const vtkSMVulkanArrayDomain&) = delete;
  void operator=(const vtkSMVulkanArrayDomain&) = delete;
};

#endif
