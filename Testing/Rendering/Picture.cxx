// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Picture.h"

#include "vtkImageData.h"
#include "vtkNew.h"
#include "vtkPNGWriter.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

namespace vmc::test
{

int differingPixels(const Picture& one, const Picture& other, int tolerance)
{
  const int pixels = one.width * one.height;
  if (one.width != other.width || one.height != other.height)
    return std::max(pixels, other.width * other.height);
  int differing = 0;
  for (int pixel = 0; pixel < pixels; ++pixel)
  {
    int largest = 0;
    for (int c = 3 * pixel; c < 3 * pixel + 3; ++c)
      largest = std::max(largest, std::abs(one.values[c] - other.values[c]));
    differing += largest > tolerance;
  }
  return differing;
}

int coveredPixels(const Picture& picture)
{
  Picture background = picture;
  for (std::size_t i = 3; i < background.values.size(); ++i)
    background.values[i] = background.values[i % 3];
  return differingPixels(picture, background, 0);
}

std::string savePicture(const Picture& picture, const std::string& name)
{
  const char* const wanted = std::getenv("VMC_PICTURES");
  const std::filesystem::path folder = wanted && *wanted ? wanted : VMC_PICTURE_FOLDER;
  std::filesystem::create_directories(folder);
  vtkNew<vtkImageData> image;
  image->SetDimensions(picture.width, picture.height, 1);
  image->AllocateScalars(VTK_UNSIGNED_CHAR, 3);
  std::copy(picture.values.begin(), picture.values.end(), static_cast<unsigned char*>(image->GetScalarPointer()));
  const std::string path = (folder / (name + ".png")).string();
  vtkNew<vtkPNGWriter> writer;
  writer->SetFileName(path.c_str());
  writer->SetInputData(image);
  writer->Write();
  return path;
}

Picture differencesOf(const Picture& one, const Picture& other)
{
  Picture differences = one;
  for (std::size_t i = 0; i < one.values.size() && i < other.values.size(); ++i)
    differences.values[i] = static_cast<unsigned char>(std::min(255, 8 * std::abs(one.values[i] - other.values[i])));
  return differences;
}

}
