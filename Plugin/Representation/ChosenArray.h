// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The array that the required properties of a domain choose.
#ifndef ChosenArray_h
#define ChosenArray_h

#include "vtkPVDataInformation.h"
#include "vtkSMDomain.h"
#include "vtkSMUncheckedPropertyHelper.h"

// Returns the information on the array that the property "ArraySelection" chooses in the data of the property "Input".
// Null if there is none, or if the input was not updated yet.
inline vtkPVArrayInformation* chosenArrayOf(vtkSMDomain& domain)
{
  vtkSMProperty* const selection = domain.GetRequiredProperty("ArraySelection");
  vtkPVDataInformation* const data = selection ? domain.GetInputDataInformation("Input") : nullptr;
  if (!data)
    return nullptr;
  const vtkSMUncheckedPropertyHelper chosen(selection);
  if (chosen.GetNumberOfElements() < 5 || !chosen.GetAsString(4))
    return nullptr;
  return data->GetArrayInformation(chosen.GetAsString(4), chosen.GetAsInt(3));
}

#endif
