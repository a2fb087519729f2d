#include "CpuContour.h"

#include "Error.h"

#include "vtkAppendPolyData.h"
#include "vtkCellArray.h"
#include "vtkDataArrayRange.h"
#include "vtkFloatArray.h"
#include "vtkFlyingEdges3D.h"
#include "vtkIdList.h"
#include "vtkMath.h"
#include "vtkNew.h"
#include "vtkPointData.h"
#include "vtkPoints.h"
#include "vtkPolyData.h"

#include <cmath>

namespace
{

// The samples as the points of an image in index space.
vtkSmartPointer<vtkImageData> dualImage(const ImageSamples& samples)
{
  auto image = vtkSmartPointer<vtkImageData>::New();
  image->SetDimensions(sampleDimensions(samples).data());
  image->GetPointData()->SetScalars(samples.scalars);
  for (const auto& attribute : samples.attributes)
    image->GetPointData()->AddArray(attribute);
  return image;
}

void toWorld(vtkPolyData* mesh, const vmc::IndexToWorld& geometry)
{
  const auto& axis = geometry.axis;
  for (auto point : vtk::DataArrayTupleRange<3>(mesh->GetPoints()->GetData()))
  {
    const double i = point[0], j = point[1], k = point[2];
    for (int c = 0; c < 3; ++c)
      point[c] = geometry.origin[c] + i * axis[0][c] + j * axis[1][c] + k * axis[2][c];
  }
  vtkDataArray* normals = mesh->GetPointData()->GetNormals();
  if (!normals)
    return;
  double matrix[3][3];
  for (int c = 0; c < 3; ++c)
    for (int a = 0; a < 3; ++a)
      matrix[c][a] = axis[a][c];
  vtkMath::Invert3x3(matrix, matrix);
  vtkMath::Transpose3x3(matrix, matrix);
  for (auto normal : vtk::DataArrayTupleRange<3>(normals))
  {
    const double inIndexSpace[3] = { normal[0], normal[1], normal[2] };
    double world[3];
    vtkMath::Multiply3x3(matrix, inIndexSpace, world);
    vtkMath::Normalize(world);
    std::copy(world, world + 3, normal.begin());
  }
}

void reverseTriangles(vtkPolyData* mesh)
{
  for (vtkIdType cell = 0; cell < mesh->GetPolys()->GetNumberOfCells(); ++cell)
    mesh->GetPolys()->ReverseCellAtId(cell);
}

// A copy in which every triangle has three points of its own.
vtkSmartPointer<vtkPolyData> withOwnCorners(vtkPolyData* mesh)
{
  auto result = vtkSmartPointer<vtkPolyData>::New();
  vtkDataArray* ids = mesh->GetPolys()->GetConnectivityArray();
  const vtkIdType corners = ids->GetNumberOfTuples();
  vtkNew<vtkIdList> from, to;
  from->SetNumberOfIds(corners);
  to->SetNumberOfIds(corners);
  vtkNew<vtkCellArray> cells;
  for (vtkIdType corner = 0; corner < corners; ++corner)
  {
    from->SetId(corner, static_cast<vtkIdType>(ids->GetComponent(corner, 0)));
    to->SetId(corner, corner);
    if (corner % 3 == 0)
      cells->InsertNextCell({ corner, corner + 1, corner + 2 });
  }
  vtkNew<vtkPoints> points;
  points->SetNumberOfPoints(corners);
  points->GetData()->InsertTuples(to, from, mesh->GetPoints()->GetData());
  result->SetPoints(points);
  result->SetPolys(cells);
  result->GetPointData()->CopyAllOn();
  result->GetPointData()->CopyAllocate(mesh->GetPointData(), corners);
  result->GetPointData()->CopyData(mesh->GetPointData(), from, to);
  return result;
}

}

std::vector<std::size_t> contourOnCpu(
  const ImageSamples& samples, const CpuContourOptions& options, vtkPolyData* output)
{
  const vmc::IndexToWorld geometry = geometryOfSamples(samples);
  const double determinant = geometry.determinant();
  if (determinant == 0 || !std::isfinite(determinant))
    throw vmc::Error(vmc::Error::Kind::Unsupported, "The image's spacing and direction cannot be inverted.");
  vtkNew<vtkFlyingEdges3D> contour;
  contour->SetInputData(dualImage(samples));
  contour->SetComputeNormals(options.computeNormals);
  contour->ComputeScalarsOff();
  contour->SetInterpolateAttributes(!samples.attributes.empty());
  vtkNew<vtkAppendPolyData> append;
  std::vector<std::size_t> firstPoint{ 0 };
  for (const double isovalue : options.isovalues)
  {
    contour->SetValue(0, isovalue);
    contour->Update();
    vtkSmartPointer<vtkPolyData> part = vtkSmartPointer<vtkPolyData>::New();
    part->DeepCopy(contour->GetOutput());
    if (part->GetNumberOfPolys() != 0)
    {
      toWorld(part, geometry);
      if (determinant < 0)
        reverseTriangles(part);
      append->AddInputData(options.mergePoints ? part : withOwnCorners(part));
    }
    const auto points = options.mergePoints ? part->GetNumberOfPoints() : 3 * part->GetNumberOfPolys();
    firstPoint.push_back(firstPoint.back() + static_cast<std::size_t>(points));
  }
  if (append->GetNumberOfInputConnections(0) != 0)
  {
    append->Update();
    output->ShallowCopy(append->GetOutput());
  }
  return firstPoint;
}
