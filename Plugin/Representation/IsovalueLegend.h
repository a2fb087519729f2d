// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The labels of the scalar bars of surfaces that are coloured by their isovalues.
#ifndef IsovalueLegend_h
#define IsovalueLegend_h

#include <vector>

class vtkSMProxy;

// Labels a scalar bar with the isovalues if its colours are those of the surfaces of one filter, and of nothing else
// that is visible but the isosurfaces of the filter's input. Without several isovalues, the labels stay ParaView's.
void labelWithIsovalues(vtkSMProxy* scalarBar);

// Labels the scalar bars with the colours of a display.
void labelScalarBarsOf(vtkSMProxy* display);

// Updates the labels of the filter's scalar bars after an update of the filter, which had the old isovalues before.
// Labels that are the old isovalues are replaced by the new ones, or by those of ParaView if something else is shown in
// these colours, too. Labels of ParaView become the isovalues where one isovalue has become several. Labels of the user
// stay.
void updateLabels(vtkSMProxy* filter, const std::vector<double>& oldIsovalues);

#endif
