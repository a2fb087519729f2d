// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The point array with the isovalues in the output of the filter Vulkan Marching Cubes, and the colours of isovalues.
#ifndef IsovalueArray_h
#define IsovalueArray_h

#include "vtkDataSetAttributes.h"
#include "vtkPVArrayInformation.h"
#include "vtkPVDataInformation.h"
#include "vtkPVDataSetAttributesInformation.h"
#include "vtkSMPropertyHelper.h"
#include "vtkSMSourceProxy.h"
#include "vtkScalarsToColors.h"

#include <array>
#include <optional>
#include <string>

// The name of this array; empty if the filter makes none.
inline std::string isovalueArrayOf(vtkSMSourceProxy* filter)
{
  if (!vtkSMPropertyHelper(filter, "ComputeScalars").GetAsInt())
    return {};
  const vtkPVArrayInformation* const scalars =
    filter->GetDataInformation()->GetPointDataInformation()->GetAttributeInformation(vtkDataSetAttributes::SCALARS);
  return scalars ? scalars->GetName() : "";
}

// The colour of a value in a lookup table; none if there is no table.
inline std::optional<std::array<double, 3>> colorAt(vtkSMProxy* lookupTable, double value)
{
  auto* const colors = vtkScalarsToColors::SafeDownCast(lookupTable ? lookupTable->GetClientSideObject() : nullptr);
  if (!colors)
    return std::nullopt;
  std::array<double, 3> color{};
  colors->Build();
  colors->GetColor(value, color.data());
  return color;
}

#endif
