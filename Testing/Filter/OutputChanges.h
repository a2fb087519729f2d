// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Changes of the output of a filter, as a program makes them that receives it.
#ifndef OutputChanges_h
#define OutputChanges_h

class vtkPolyData;

// Replaces the triangles by a quadrilateral, in the same cell array. The mesh must have at least 4 points.
void ReplaceCells(vtkPolyData* mesh);

// Overwrites the values of all arrays in memory: points, attributes, offsets and connectivity.
void OverwriteArrays(vtkPolyData* mesh);

#endif
