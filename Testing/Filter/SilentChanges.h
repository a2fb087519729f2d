// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Ways to change the values of an array that do not change its modification time.
#ifndef SilentChanges_h
#define SilentChanges_h

#include <array>

class vtkDataArray;

// Both arrays have the same type, components and tuples. `apply` may share the memory of `values`.
struct SilentChange
{
  const char* name;
  void (*apply)(vtkDataArray* array, vtkDataArray* values);
};

extern const std::array<SilentChange, 4> SilentChanges;

#endif
