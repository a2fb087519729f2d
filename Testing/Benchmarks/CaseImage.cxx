// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "CaseImage.h"

#include "vtkCellData.h"
#include "vtkDataArray.h"
#include "vtkImageData.h"
#include "vtkPolyData.h"

namespace vmc::benchmarks
{

namespace
{

int vtkTypeOf(SampleType type)
{
  return type == SampleType::UInt8 ? VTK_UNSIGNED_CHAR : type == SampleType::UInt16 ? VTK_UNSIGNED_SHORT : VTK_FLOAT;
}

}

vtkSmartPointer<vtkImageData> imageOf(const Case& which)
{
  constexpr int Keep = 1; // the array does not own the memory
  const test::Samples& samples = samplesOf(which);
  auto image = vtkSmartPointer<vtkImageData>::New();
  const int points = static_cast<int>(which.size) + 1;
  image->SetDimensions(points, points, points);
  vtkSmartPointer<vtkDataArray> array;
  array.TakeReference(vtkDataArray::CreateDataArray(vtkTypeOf(which.type)));
  array->SetName("samples");
  array->SetVoidArray(
    const_cast<std::byte*>(samples.bytes.data()), static_cast<vtkIdType>(samples.count()), Keep); // read only
  image->GetCellData()->SetScalars(array);
  return image;
}

Counts countsOf(vtkPolyData* mesh)
{
  return { static_cast<std::uint64_t>(mesh->GetNumberOfPoints()),
    static_cast<std::uint64_t>(mesh->GetNumberOfPolys()) };
}

}
