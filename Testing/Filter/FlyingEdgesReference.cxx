#include "FlyingEdgesReference.h"

#include "vtkCellArray.h"
#include "vtkCellData.h"
#include "vtkDataArray.h"
#include "vtkFlyingEdges3D.h"
#include "vtkMath.h"
#include "vtkMatrix3x3.h"
#include "vtkNew.h"
#include "vtkPointData.h"
#include "vtkStaticPointLocator.h"

#include <algorithm>
#include <cmath>

vtkSmartPointer<vtkImageData> DualImage(vtkImageData* image)
{
  auto dual = vtkSmartPointer<vtkImageData>::New();
  int dimensions[3];
  image->GetDimensions(dimensions);
  dual->SetDimensions(dimensions[0] - 1, dimensions[1] - 1, dimensions[2] - 1);
  dual->SetSpacing(image->GetSpacing());
  dual->SetDirectionMatrix(image->GetDirectionMatrix());
  const int* extent = image->GetExtent();
  const double first[3] = { extent[0] + 0.5, extent[2] + 0.5, extent[4] + 0.5 };
  double origin[3];
  image->TransformContinuousIndexToPhysicalPoint(first, origin);
  dual->SetOrigin(origin);
  dual->GetPointData()->SetScalars(image->GetCellData()->GetScalars());
  return dual;
}

vtkSmartPointer<vtkPolyData> FlyingEdges(vtkImageData* points, const std::vector<double>& isovalues)
{
  vtkNew<vtkFlyingEdges3D> contour;
  contour->SetInputData(points);
  contour->ComputeNormalsOn();
  for (std::size_t i = 0; i < isovalues.size(); ++i)
    contour->SetValue(static_cast<int>(i), isovalues[i]);
  contour->Update();
  return contour->GetOutput();
}

vmc::test::MeshView ViewOf(vtkPolyData* mesh, MeshCopy& copy)
{
  copy.positions.resize(static_cast<std::size_t>(3 * mesh->GetNumberOfPoints()));
  for (vtkIdType p = 0; p < mesh->GetNumberOfPoints(); ++p)
    for (int c = 0; c < 3; ++c)
      copy.positions[3 * p + c] = static_cast<float>(mesh->GetPoint(p)[c]);
  vtkDataArray* ids = mesh->GetPolys()->GetConnectivityArray();
  copy.triangles.resize(static_cast<std::size_t>(ids->GetNumberOfTuples()));
  for (vtkIdType i = 0; i < ids->GetNumberOfTuples(); ++i)
    copy.triangles[i] = static_cast<std::uint32_t>(ids->GetComponent(i, 0));
  return { copy.positions.data(), copy.positions.size() / 3, copy.triangles.data(), copy.triangles.size() / 3 };
}

namespace
{

double largestDistance(vtkPolyData* from, vtkPolyData* to)
{
  vtkNew<vtkStaticPointLocator> locator;
  locator->SetDataSet(to);
  locator->BuildLocator();
  double largest = 0;
  for (vtkIdType p = 0; p < from->GetNumberOfPoints(); ++p)
  {
    double at[3], nearest[3];
    from->GetPoint(p, at);
    to->GetPoint(locator->FindClosestPoint(at), nearest);
    largest = std::max(largest, std::sqrt(vtkMath::Distance2BetweenPoints(at, nearest)));
  }
  return largest;
}

double partWithinOneDegree(vtkPolyData* mesh, vtkPolyData* reference)
{
  vtkNew<vtkStaticPointLocator> locator;
  locator->SetDataSet(reference);
  locator->BuildLocator();
  const double cosine = std::cos(vtkMath::RadiansFromDegrees(1.0));
  vtkIdType within = 0;
  for (vtkIdType p = 0; p < mesh->GetNumberOfPoints(); ++p)
  {
    double a[3], b[3];
    mesh->GetPointData()->GetNormals()->GetTuple(p, a);
    reference->GetPointData()->GetNormals()->GetTuple(locator->FindClosestPoint(mesh->GetPoint(p)), b);
    within += vtkMath::Dot(a, b) >= cosine ? 1 : 0;
  }
  return double(within) / mesh->GetNumberOfPoints();
}

}

Agreement Compare(vtkPolyData* mesh, vtkPolyData* reference)
{
  Agreement agreement;
  agreement.largestDistance = std::max(largestDistance(mesh, reference), largestDistance(reference, mesh));
  agreement.normalsWithinOneDegree = partWithinOneDegree(mesh, reference);
  return agreement;
}
