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

// The scalar bars with the colours of a lookup table.
std::vector<vtkSMProxy*> scalarBarsOf(vtkSMProxy* lookupTable);

// Replaces the labels of the filter's scalar bars where they are the old isovalues.
void replaceLabels(vtkSMProxy* filter, const std::vector<double>& oldIsovalues, const std::vector<double>& isovalues);

#endif
