// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The output of a new filter, which a filter that has run before must have too.
#ifndef FreshFilter_h
#define FreshFilter_h

#include "vtkDataObject.h"
#include "vtkSmartPointer.h"
#include "vtkVulkanMarchingCubes.h"

#include <string>

// Copies the settings of one filter to another. Does not change its input and its observers.
void CopySettings(vtkVulkanMarchingCubes* from, vtkVulkanMarchingCubes* to);

// The output of a new filter with the settings of this one, run on a deep copy of its input: neither the new filter nor
// the arrays of the copy have been used before.
vtkSmartPointer<vtkDataObject> FreshOutput(vtkVulkanMarchingCubes* filter);

// The first difference of two outputs, as a sentence. Compares points, every array, triangles and their offsets, and
// active attributes. Empty if all bytes are equal. Composite outputs are compared leaf by leaf.
std::string DifferenceBetween(vtkDataObject* found, vtkDataObject* expected);

#endif
