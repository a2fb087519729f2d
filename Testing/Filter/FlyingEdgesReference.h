// vtkFlyingEdges3D on the dual image: what the filter must agree with.
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

// How far apart rounding may put the same point of the filter's mesh and of FlyingEdges', in world units. FlyingEdges
// rounds to float in index space, where only the coordinate along the edge is no integer, and again in the world, each
// component. The filter rounds once, in the world; before that its place on the edge is right to 2^-22 of a cell.
double LargestRounding(vtkImageData* dual, vtkPolyData* reference);

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
  std::vector<vtkIdType> partner;    // the mesh's point [point of the reference]
};
// The points may be in any order. Takes neither triangles nor normals into account when it pairs them.
Agreement Compare(vtkPolyData* mesh, vtkPolyData* reference);

#endif
