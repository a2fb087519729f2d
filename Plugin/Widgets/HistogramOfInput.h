// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The histogram of the image that a filter or a representation contours, computed on the server.
#ifndef vmcHistogramOfInput_h
#define vmcHistogramOfInput_h

#include "Plots/Histogram.h"

#include <QString>

#include <string>

class vtkSMProxy;
class vtkSMSourceProxy;
class vtkTable;

namespace vmc::widgets
{

// The settings and the input of a histogram, as far as the client knows them.
struct HistogramRequest
{
  vtkSMSourceProxy* input = nullptr;
  unsigned int port = 0;
  int association = 0; // of vtkDataObject
  std::string array;
  int component = -1; // -1: the magnitude
  int boundary = 0;
  std::string device;
  double memoryLimit = 0; // MiB
};

// Returns whether the two have the same histogram, if the input and the time are the same.
bool operator==(const HistogramRequest& a, const HistogramRequest& b);

// The request of a filter VulkanMarchingCubes, or of a display with the representation "Vulkan Isosurface": the values
// in the panel, applied or not.
HistogramRequest requestOf(vtkSMProxy* contour);

// The name of the property that selects the array of a filter or of a display.
const char* arrayPropertyOf(vtkSMProxy* contour);

struct HistogramAnswer
{
  plots::Histogram histogram;
  QString message; // why there is no bin; empty if there are bins
};

// Computes the histogram at this time on the server and brings its table to the client. Takes as long as the filter
// VulkanImageHistogram does. If that fails, the answer has the error of the filter as its message. A remote server
// reports the error in the Output Messages, and the answer's message says so.
HistogramAnswer computeHistogram(const HistogramRequest& request, double time);

// The table of VulkanImageHistogram. Columns and field data that the table lacks are left out.
plots::Histogram histogramFrom(vtkTable* table);

}

#endif
