// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The volumes of the benchmarks as images of VTK.
#ifndef vmcCaseImage_h
#define vmcCaseImage_h

#include "Cases.h"

#include "vtkSmartPointer.h"

class vtkImageData;
class vtkPolyData;

namespace vmc::benchmarks
{

// An image with the samples of the case as cell data, without a copy: valid until samplesOf is called for another
// volume.
vtkSmartPointer<vtkImageData> imageOf(const Case& which);

Counts countsOf(vtkPolyData* mesh);

}

#endif
