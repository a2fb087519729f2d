// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "DrawnData.h"

#include "GridImage.h"

#include "vtkCompositeDataIterator.h"
#include "vtkCompositeDataSet.h"
#include "vtkDataSet.h"
#include "vtkMath.h"
#include "vtkRectilinearGrid.h"

#include <algorithm>

namespace vmc::filters
{

namespace
{

// Calls the function with each block, or with the data itself, until it returns true.
template <class Function>
void visitBlocks(vtkDataObject* data, Function function)
{
  auto* const composite = vtkCompositeDataSet::SafeDownCast(data);
  if (!composite)
  {
    function(data);
    return;
  }
  const auto block = vtkSmartPointer<vtkCompositeDataIterator>::Take(composite->NewIterator());
  for (block->InitTraversal(); !block->IsDoneWithTraversal(); block->GoToNextItem())
    if (function(block->GetCurrentDataObject()))
      return;
}

}

bool isDrawable(vtkDataObject* data)
{
  return vtkImageData::SafeDownCast(data) || vtkRectilinearGrid::SafeDownCast(data) ||
         vtkCompositeDataSet::SafeDownCast(data);
}

vtkSmartPointer<vtkImageData> firstImageOf(vtkDataObject* data)
{
  vtkSmartPointer<vtkImageData> image;
  visitBlocks(data,
    [&](vtkDataObject* block)
    {
      image = imageOf(block);
      const bool hasPoints = image && image->GetNumberOfPoints() > 0;
      if (!hasPoints)
        image = nullptr;
      return hasPoints;
    });
  return image;
}

vtkMTimeType lastChangeOf(vtkDataObject* data)
{
  vtkMTimeType time = std::max(data->GetMTime(), data->GetUpdateTime());
  visitBlocks(data,
    [&](vtkDataObject* block)
    {
      time = std::max(time, block->GetMTime());
      return false;
    });
  return time;
}

vtkBoundingBox boundsOf(vtkDataObject* data)
{
  double bounds[6];
  vtkMath::UninitializeBounds(bounds);
  if (auto* const dataSet = vtkDataSet::SafeDownCast(data))
    dataSet->GetBounds(bounds);
  else if (auto* const composite = vtkCompositeDataSet::SafeDownCast(data))
    composite->GetBounds(bounds);
  return vtkBoundingBox(bounds);
}

}
