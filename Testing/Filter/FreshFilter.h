// What a filter that has run before must give: the output of one that has not.
#ifndef FreshFilter_h
#define FreshFilter_h

#include "vtkDataObject.h"
#include "vtkSmartPointer.h"
#include "vtkVulkanMarchingCubes.h"

#include <string>

// Gives a filter the settings of another. Input and observers stay.
void CopySettings(vtkVulkanMarchingCubes* from, vtkVulkanMarchingCubes* to);

// The output of a new filter with the settings of this one, run on a deep copy of its input: neither the filter nor the
// arrays have been used before.
vtkSmartPointer<vtkDataObject> FreshOutput(vtkVulkanMarchingCubes* filter);

// Where two outputs differ, in a sentence: points, every array, triangles and their offsets, active attributes. Empty
// where they are equal to the byte. Composite outputs are compared leaf by leaf.
std::string DifferenceBetween(vtkDataObject* found, vtkDataObject* expected);

#endif
