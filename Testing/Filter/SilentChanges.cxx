// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "SilentChanges.h"

#include "vtkDataArray.h"

#include <cstdlib>
#include <cstring>

namespace
{

std::size_t bytesOf(vtkDataArray* array)
{
  return static_cast<std::size_t>(array->GetNumberOfValues() * array->GetDataTypeSize());
}

// The array owns the memory and releases it with free(), as by default.
void setVoidArray(vtkDataArray* array, vtkDataArray* values)
{
  void* const memory = std::malloc(bytesOf(values));
  std::memcpy(memory, values->GetVoidPointer(0), bytesOf(values));
  array->SetVoidArray(memory, values->GetNumberOfValues(), 0);
}

void shallowCopy(vtkDataArray* array, vtkDataArray* values)
{
  array->ShallowCopy(values);
}

void deepCopy(vtkDataArray* array, vtkDataArray* values)
{
  array->DeepCopy(values);
}

void writeInPlace(vtkDataArray* array, vtkDataArray* values)
{
  std::memcpy(array->GetVoidPointer(0), values->GetVoidPointer(0), bytesOf(values));
}

}

const std::array<SilentChange, 4> SilentChanges = { { { "SetVoidArray", setVoidArray }, { "ShallowCopy", shallowCopy },
  { "DeepCopy", deepCopy }, { "in place", writeInPlace } } };
