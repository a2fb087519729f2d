// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The histogram of the data that a filter or a representation contours, computed on the server.
#ifndef vmcHistogramOfInput_h
#define vmcHistogramOfInput_h

#include "Plots/Histogram.h"

#include <QString>

#include <string>

class vtkSMProxy;
class vtkSMSourceProxy;

namespace vmc::widgets
{

// An array of the output of a source.
struct ContouredArray
{
  vtkSMSourceProxy* source = nullptr; // null if there is no input
  unsigned int port = 0;
  int association = 0; // of vtkDataObject
  std::string name;    // empty if none is selected
};

// Returns the array that a filter VulkanMarchingCubes, or a display with the representation "Vulkan Isosurface",
// contours: that in the panel, applied or not.
ContouredArray arrayOf(vtkSMProxy* contour);

// The name of the property that selects the array of a filter or of a display.
const char* arrayPropertyOf(vtkSMProxy* contour);

// Computes the histogram of the array of a filter or display at this time on the server, with the settings in the
// panel, and brings its table to the client. Takes as long as the filter VulkanImageHistogram does. If that fails, the
// histogram has the error of the filter as its message. A remote server reports the error in the Output Messages, and
// the message says so.
plots::Histogram computeHistogram(vtkSMProxy* contour, double time);

}

#endif
