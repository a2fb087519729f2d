// vtkFlyingEdges3D on the dual image: what the filter must agree with.
#ifndef FlyingEdgesReference_h
#define FlyingEdgesReference_h

#include "MeshProperties.h"

#include "vtkImageData.h"
#include "vtkPolyData.h"
#include "vtkSmartPointer.h"

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

// How two meshes of the same surface compare.
struct Agreement
{
  double largestDistance = 0;        // from a point of either mesh to the nearest point of the other, in world units
  double normalsWithinOneDegree = 0; // part of the points of `mesh` whose nearest point in `reference` agrees
};
Agreement Compare(vtkPolyData* mesh, vtkPolyData* reference);

#endif
