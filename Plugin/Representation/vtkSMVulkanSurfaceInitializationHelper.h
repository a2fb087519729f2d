// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
/**
 * @class   vtkSMVulkanSurfaceInitializationHelper
 * @brief   chooses the colours of a new display of the filter Vulkan Marching Cubes, and the labels of its legend
 *
 * A surface of one isovalue has one colour. Surfaces of several isovalues are coloured by them. If the input of the
 * filter is shown as "Vulkan Isosurface", the surface looks as it does there: the helper copies colour, opacity,
 * lights, edges and transformation, and the array that colours the surface.
 *
 * The helper is called for all displays of geometry and all scalar bars, and ignores those of other filters. It is not
 * called for those of .pvsm files; a Python state calls it as any script does.
 */
#ifndef vtkSMVulkanSurfaceInitializationHelper_h
#define vtkSMVulkanSurfaceInitializationHelper_h

#include "vtkSMProxyInitializationHelper.h"
#include "vtkVulkanMarchingCubesRepresentationModule.h" // export macro

class VTKVULKANMARCHINGCUBESREPRESENTATION_EXPORT vtkSMVulkanSurfaceInitializationHelper
  : public vtkSMProxyInitializationHelper
{
public:
  static vtkSMVulkanSurfaceInitializationHelper* New();
  vtkTypeMacro(vtkSMVulkanSurfaceInitializationHelper, vtkSMProxyInitializationHelper);

  /**
   * Labels a new scalar bar.
   */
  void PostInitializeProxy(vtkSMProxy* scalarBar, vtkPVXMLElement* xml, vtkMTimeType initializationTime) override;

  /**
   * Chooses the colours of a new display. ParaView has chosen an array before.
   */
  void RegisterProxy(vtkSMProxy* display, vtkPVXMLElement* xml) override;

protected:
  vtkSMVulkanSurfaceInitializationHelper() = default;
  ~vtkSMVulkanSurfaceInitializationHelper() override = default;

private:
  vtkSMVulkanSurfaceInitializationHelper(const vtkSMVulkanSurfaceInitializationHelper&) = delete;
  void operator=(const vtkSMVulkanSurfaceInitializationHelper&) = delete;
};

#endif
