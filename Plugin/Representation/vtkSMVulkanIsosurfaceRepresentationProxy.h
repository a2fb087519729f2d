// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
/**
 * @class   vtkSMVulkanIsosurfaceRepresentationProxy
 * @brief   proxy of vtkVulkanIsosurfaceRepresentation
 *
 * After each still frame, the proxy updates its information properties (how the frame was drawn, number of triangles).
 * They come from the first process of the server that renders; other representation proxies ask the client.
 */
#ifndef vtkSMVulkanIsosurfaceRepresentationProxy_h
#define vtkSMVulkanIsosurfaceRepresentationProxy_h

#include "vtkSMRepresentationProxy.h"
#include "vtkVulkanMarchingCubesRepresentationModule.h" // export macro

#include "vtkWeakPointer.h" // for members

class VTKVULKANMARCHINGCUBESREPRESENTATION_EXPORT vtkSMVulkanIsosurfaceRepresentationProxy
  : public vtkSMRepresentationProxy
{
public:
  static vtkSMVulkanIsosurfaceRepresentationProxy* New();
  vtkTypeMacro(vtkSMVulkanIsosurfaceRepresentationProxy, vtkSMRepresentationProxy);

  /**
   * The type of representation of images that are shown as isosurfaces.
   */
  static constexpr const char* TypeName = "Vulkan Isosurface";

  /**
   * Returns whether this display of a source is visible and shows it as isosurfaces.
   */
  static bool IsShownBy(vtkSMProxy* display);

  /**
   * The display that shows the input of this filter as "Vulkan Isosurface", first in the active view. Null if there is
   * none.
   */
  static vtkSMProxy* FindDisplayOfInput(vtkSMProxy* filter);

  void ViewUpdated(vtkSMProxy* view) override;

protected:
  vtkSMVulkanIsosurfaceRepresentationProxy() = default;
  ~vtkSMVulkanIsosurfaceRepresentationProxy() override = default;

  void UpdatePropertyInformationInternal(vtkSMProperty* property) override;

private:
  vtkSMVulkanIsosurfaceRepresentationProxy(const vtkSMVulkanIsosurfaceRepresentationProxy&) = delete;
  void operator=(const vtkSMVulkanIsosurfaceRepresentationProxy&) = delete;

  void OnFrame(vtkObject* view, unsigned long event, void* isInteractive);

  vtkWeakPointer<vtkSMProxy> ObservedView;
  bool WasShown = false; // in the last frame
};

#endif
