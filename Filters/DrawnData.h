// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Properties of the data whose isosurfaces are drawn.
#ifndef vmcDrawnData_h
#define vmcDrawnData_h

#include "vtkBoundingBox.h"
#include "vtkImageData.h"
#include "vtkSmartPointer.h"
#include "vtkVulkanMarchingCubesFiltersModule.h" // export macro

class vtkDataObject;

namespace vmc::filters
{

// Returns whether the mapper accepts the data: an image, a rectilinear grid, or a composite data set.
VTKVULKANMARCHINGCUBESFILTERS_EXPORT bool isDrawable(vtkDataObject* data);

// Returns the data as an image (see imageOf), or the first block with points that is one; null: there is none. It tells
// the names and types of the arrays of all blocks.
VTKVULKANMARCHINGCUBESFILTERS_EXPORT vtkSmartPointer<vtkImageData> firstImageOf(vtkDataObject* data);

// Returns the time of the last change of the data, of one of its blocks, or of their arrays.
VTKVULKANMARCHINGCUBESFILTERS_EXPORT vtkMTimeType lastChangeOf(vtkDataObject* data);

// Returns the bounds of the points of all blocks. They are not valid if there are none.
VTKVULKANMARCHINGCUBESFILTERS_EXPORT vtkBoundingBox boundsOf(vtkDataObject* data);

}

#endif
