// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The point array with the isovalues in the output of the filter Vulkan Marching Cubes.
#ifndef IsovalueArray_h
#define IsovalueArray_h

#include "vtkDataSetAttributes.h"
#include "vtkPVArrayInformation.h"
#include "vtkPVDataInformation.h"
#include "vtkPVDataSetAttributesInformation.h"
#include "vtkSMPropertyHelper.h"
#include "vtkSMSourceProxy.h"

#include <string>

// Its name; empty if there is none.
inline std::string isovalueArrayOf(vtkSMSourceProxy* filter)
{
  if (!vtkSMPropertyHelper(filter, "ComputeScalars").GetAsInt())
    return {};
  const vtkPVArrayInformation* const scalars =
    filter->GetDataInformation()->GetPointDataInformation()->GetAttributeInformation(vtkDataSetAttributes::SCALARS);
  return scalars ? scalars->GetName() : "";
}

#endif
