// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The colours of surfaces that are coloured by their isovalues, and the labels of their scalar bars.
#ifndef IsovalueLegend_h
#define IsovalueLegend_h

#include "vtkVulkanMarchingCubesRepresentationModule.h" // export macro

#include <array>
#include <optional>
#include <string>
#include <vector>

class vtkSMProxy;
class vtkSMSourceProxy;

// Returns the name of the point array with the isovalues in the output of a filter Vulkan Marching Cubes; empty if the
// filter makes none.
VTKVULKANMARCHINGCUBESREPRESENTATION_EXPORT std::string isovalueArrayOf(vtkSMSourceProxy* filter);

// Returns the colour of a value in a lookup table; none if there is no table.
VTKVULKANMARCHINGCUBESREPRESENTATION_EXPORT std::optional<std::array<double, 3>> colorAt(
  vtkSMProxy* lookupTable, double value);

// Labels a scalar bar with the isovalues if its colours are those of the surfaces of one filter, and of nothing else
// that is visible but the isosurfaces of the filter's input. Without several isovalues, the labels stay ParaView's.
void labelWithIsovalues(vtkSMProxy* scalarBar);

// Labels the scalar bars with the colours of a display.
VTKVULKANMARCHINGCUBESREPRESENTATION_EXPORT void labelScalarBarsOf(vtkSMProxy* display);

// Updates the labels of the filter's scalar bars after an update of the filter, which had the old isovalues before.
// Labels that are the old isovalues are replaced by the new ones, or by those of ParaView if something else is shown in
// these colours, too. Labels of ParaView become the isovalues where one isovalue has become several. Labels of the user
// stay.
void updateLabels(vtkSMProxy* filter, const std::vector<double>& oldIsovalues);

#endif
