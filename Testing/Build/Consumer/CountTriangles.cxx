// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Prints the number of triangles of an isosurface of VTK's wavelet, made with the installed modules.
#include <vtkNew.h>
#include <vtkPolyData.h>
#include <vtkRTAnalyticSource.h>
#include <vtkVulkanIsosurfaceMapper.h>
#include <vtkVulkanMarchingCubes.h>

#include <iostream>

int main()
{
  vtkNew<vtkRTAnalyticSource> wavelet;
  vtkNew<vtkVulkanMarchingCubes> contour;
  contour->SetInputConnection(wavelet->GetOutputPort());
  contour->SetValue(0, 130);
  contour->Update();
  vtkNew<vtkVulkanIsosurfaceMapper> mapper; // its library is found too
  mapper->SetInputConnection(wavelet->GetOutputPort());
  std::cout << contour->GetOutput()->GetNumberOfPolys() << std::endl;
}
