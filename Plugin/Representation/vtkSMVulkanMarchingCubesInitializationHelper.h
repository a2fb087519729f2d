// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
/**
 * @class   vtkSMVulkanMarchingCubesInitializationHelper
 * @brief   starts the filter Vulkan Marching Cubes with the settings of the representation Vulkan Isosurface
 *
 * If the input of a new filter is shown as "Vulkan Isosurface" in the active view, or else in another view, the filter
 * extracts the same surface: the helper copies array, component, isovalues, boundary and device, and turns on the
 * interpolation of other arrays if one of them colours the surface. Properties that the caller has set keep their
 * values. If the caller has set another array or component, the isovalues are not copied.
 */
#ifndef vtkSMVulkanMarchingCubesInitializationHelper_h
#define vtkSMVulkanMarchingCubesInitializationHelper_h

#include "vtkSMProxyInitializationHelper.h"
#include "vtkVulkanMarchingCubesRepresentationModule.h" // export macro

class VTKVULKANMARCHINGCUBESREPRESENTATION_EXPORT vtkSMVulkanMarchingCubesInitializationHelper
  : public vtkSMProxyInitializationHelper
{
public:
  static vtkSMVulkanMarchingCubesInitializationHelper* New();
  vtkTypeMacro(vtkSMVulkanMarchingCubesInitializationHelper, vtkSMProxyInitializationHelper);

  void PostInitializeProxy(vtkSMProxy* filter, vtkPVXMLElement* xml, vtkMTimeType initializationTime) override;

protected:
  vtkSMVulkanMarchingCubesInitializationHelper() = default;
  ~vtkSMVulkanMarchingCubesInitializationHelper() override = default;

private:
  vtkSMVulkanMarchingCubesInitializationHelper(const vtkSMVulkanMarchingCubesInitializationHelper&) = delete;
  void operator=(const vtkSMVulkanMarchingCubesInitializationHelper&) = delete;
};

#endif
