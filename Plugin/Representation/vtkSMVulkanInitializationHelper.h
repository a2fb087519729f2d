// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
/**
 * @class   vtkSMVulkanInitializationHelper
 * @brief   starts the filter Vulkan Marching Cubes, its displays and legends with the settings of the representation
 *
 * If the input of a new filter is shown as "Vulkan Isosurface" in the active view, or else in another view, the filter
 * extracts the same surface: the helper copies array, component, isovalues, boundary and device, and turns on the
 * interpolation of other arrays if one of them colours the surface. Properties that the caller has set keep their
 * values. If the caller has set another array or component, the isovalues are not copied.
 *
 * A new display of the filter looks as the representation does: the helper copies colour, opacity, lights, edges and
 * transformation, and the array that colours the surface. Otherwise a surface of one isovalue has one colour, and
 * surfaces of several isovalues are coloured by them. The scalar bar of such surfaces is labelled with the isovalues.
 *
 * The helper is called for all displays of geometry and all scalar bars, and ignores those of other filters. It is not
 * called for those of .pvsm files; a Python state calls it as any script does.
 */
#ifndef vtkSMVulkanInitializationHelper_h
#define vtkSMVulkanInitializationHelper_h

#include "vtkSMProxyInitializationHelper.h"
#include "vtkVulkanMarchingCubesRepresentationModule.h" // export macro

class VTKVULKANMARCHINGCUBESREPRESENTATION_EXPORT vtkSMVulkanInitializationHelper
  : public vtkSMProxyInitializationHelper
{
public:
  static vtkSMVulkanInitializationHelper* New();
  vtkTypeMacro(vtkSMVulkanInitializationHelper, vtkSMProxyInitializationHelper);

  /**
   * Copies settings to a new filter, or labels a new scalar bar.
   */
  void PostInitializeProxy(vtkSMProxy* proxy, vtkPVXMLElement* xml, vtkMTimeType initializationTime) override;

  /**
   * Chooses the colours of a new display. ParaView has chosen an array before.
   */
  void RegisterProxy(vtkSMProxy* display, vtkPVXMLElement* xml) override;

protected:
  vtkSMVulkanInitializationHelper() = default;
  ~vtkSMVulkanInitializationHelper() override = default;

private:
  vtkSMVulkanInitializationHelper(const vtkSMVulkanInitializationHelper&) = delete;
  void operator=(const vtkSMVulkanInitializationHelper&) = delete;
};

#endif
