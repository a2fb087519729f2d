// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// A real volume: bonsai_256x256x256_uint8.raw of the Open SciVis data sets, from the folder that the environment
// variable VMC_VOLUMES names. Skipped without it.
#include "ImageTest.h"

#include "vtkVulkanMarchingCubes.h"

#include "vtkCamera.h"
#include "vtkCellData.h"
#include "vtkNew.h"
#include "vtkProperty.h"
#include "vtkUnsignedCharArray.h"

#include <cstdlib>
#include <fstream>

using namespace vmc::test;

namespace
{

constexpr int Side = 256;

// Null if the file does not exist or is too short.
vtkSmartPointer<vtkUnsignedCharArray> readVolume(const std::string& path)
{
  auto values = vtkSmartPointer<vtkUnsignedCharArray>::New();
  values->SetName("density");
  values->SetNumberOfValues(Side * Side * Side);
  std::ifstream file(path, std::ios::binary);
  return file.read(reinterpret_cast<char*>(values->GetPointer(0)), values->GetNumberOfValues()) ? values : nullptr;
}

}

int TestBonsai(int argc, char* argv[])
{
  ImageTest test(argc, argv);
  const char* folder = std::getenv("VMC_VOLUMES");
  const std::string path = std::string(folder ? folder : "") + "/bonsai_256x256x256_uint8.raw";
  const auto values = folder ? readVolume(path) : nullptr;
  if (!values)
  {
    test.skip(folder ? path + " cannot be read." : "VMC_VOLUMES does not name a folder of raw volumes.");
    return test.result();
  }
  vtkNew<vtkImageData> image;
  image->SetDimensions(Side + 1, Side + 1, Side + 1);
  image->GetCellData()->SetScalars(values);
  vtkNew<vtkVulkanMarchingCubes> contour;
  contour->SetInputData(image);
  contour->SetNumberOfContours(1);
  contour->SetValue(0, test.isovalue(80));
  if (!test.run(contour))
    return test.result();
  const auto renderer = makeRenderer();
  addSurface(renderer, contour->GetOutput(), { 0.45, 0.6, 0.3 })->GetProperty()->BackfaceCullingOff();
  renderer->GetActiveCamera()->SetPosition(0.5, 0.4, 2); // the tree grows along y
  renderer->GetActiveCamera()->SetViewUp(0, 1, 0);
  test.compare(renderer);
  return test.result();
}
