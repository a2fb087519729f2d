// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// vtkFlyingEdges3D on the dual image: the reference of the filter.
#ifndef FlyingEdgesReference_h
#define FlyingEdgesReference_h

#include "Support/MeshProperties.h"

#include "vtkImageData.h"
#include "vtkPolyData.h"
#include "vtkSmartPointer.h"

#include <limits>
#include <vector>

// The image whose points are the cell centres of `image`, with the active cell scalars as its point scalars: dimensions
// one less, origin half a cell further, same spacing and direction, extent from 0.
vtkSmartPointer<vtkImageData> DualImage(vtkImageData* image);

// FlyingEdges with normals on an image of point scalars.
vtkSmartPointer<vtkPolyData> FlyingEdges(vtkImageData* points, const std::vector<double>& isovalues);

// The largest distance, in world units, between a point of the filter and the same point of FlyingEdges because of
// rounding. FlyingEdges rounds to float in index space, where only the coordinate along the edge is not an integer, and
// again each component in world space. The filter rounds once, in world space; before that the error of the position on
// the edge is at most 2^-22 of a cell.
double LargestRounding(vtkImageData* dual, vtkPolyData* reference);

// A copy of a mesh as float points and 32-bit ids, and a view of the copy.
struct MeshCopy
{
  std::vector<float> positions;
  std::vector<std::uint32_t> triangles;
};
vmc::test::MeshView ViewOf(vtkPolyData* mesh, MeshCopy& copy);

// The result of a comparison of two meshes of the same surface, whose points are paired one to one.
struct Agreement
{
  // The largest distance between the points of a pair, in world units. Infinite if the points cannot be paired.
  double largestDistance = std::numeric_limits<double>::infinity();
  double normalsWithinOneDegree = 0; // fraction of the pairs
  std::vector<vtkIdType> partner;    // the mesh's point [point of the reference]
};
// The points may be in any order. Pairs points by their positions only, without triangles and normals.
Agreement Compare(vtkPolyData* mesh, vtkPolyData* reference);

#endif
