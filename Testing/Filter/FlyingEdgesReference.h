// vtkFlyingEdges3D on the dual image: what the filter must agree with.
#ifndef FlyingEdgesReference_h
#define FlyingEdgesReference_h

#include "MeshProperties.h"

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

// A view of a mesh of float points and 32-bit ids. Other meshes are copied into `copy` first.
struct MeshCopy
{
  std::vector<float> positions;
  std::vector<std::uint32_t> triangles;
};
vmc::test::MeshView ViewOf(vtkPolyData* mesh, MeshCopy& copy);

// How two meshes of the same surface compare, their points paired one to one.
struct Agreement
{
  // In world units: no pair is further apart. Infinite where the points cannot be paired.
  double largestDistance = std::numeric_limits<double>::infinity();
  double normalsWithinOneDegree = 0; // part of the pairs
};
// The points may be in any order. Takes neither triangles nor normals into account when it pairs them.
Agreement Compare(vtkPolyData* mesh, vtkPolyData* reference);

#endif
