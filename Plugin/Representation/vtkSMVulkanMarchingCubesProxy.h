// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
/**
 * @class   vtkSMVulkanMarchingCubesProxy
 * @brief   proxy of vtkVulkanMarchingCubes and vtkVulkanImageHistogram
 *
 * After each update of the pipeline, the proxy fetches its information properties (times, counts, device). Other
 * proxies fetch them before a view executes the filter: they would have the values of the run before. The labels of
 * legends that are the isovalues follow them.
 */
#ifndef vtkSMVulkanMarchingCubesProxy_h
#define vtkSMVulkanMarchingCubesProxy_h

#include "vtkSMSourceProxy.h"
#include "vtkVulkanMarchingCubesRepresentationModule.h" // export macro

#include <optional> // for members
#include <vector>   // for members

class VTKVULKANMARCHINGCUBESREPRESENTATION_EXPORT vtkSMVulkanMarchingCubesProxy : public vtkSMSourceProxy
{
public:
  static vtkSMVulkanMarchingCubesProxy* New();
  vtkTypeMacro(vtkSMVulkanMarchingCubesProxy, vtkSMSourceProxy);

protected:
  vtkSMVulkanMarchingCubesProxy() = default;
  ~vtkSMVulkanMarchingCubesProxy() override = default;

  void PostUpdateData(bool usingCache) override;

private:
  vtkSMVulkanMarchingCubesProxy(const vtkSMVulkanMarchingCubesProxy&) = delete;
  void operator=(const vtkSMVulkanMarchingCubesProxy&) = delete;

  void UpdateLegends();

  std::optional<std::vector<double>> Isovalues; // at the last update; none before the first
};

#endif
