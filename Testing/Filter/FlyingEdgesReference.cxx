// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "FlyingEdgesReference.h"

#include "vtkCellArray.h"
#include "vtkCellData.h"
#include "vtkDataArray.h"
#include "vtkFlyingEdges3D.h"
#include "vtkIdList.h"
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

// The step from a number to the next float. The nearest float is at most half of it away.
double floatStep(double number)
{
  const float magnitude = static_cast<float>(std::abs(number));
  return double(std::nextafter(magnitude, INFINITY)) - magnitude;
}

}

double LargestRounding(vtkImageData* dual, vtkPolyData* reference)
{
  const int* dimensions = dual->GetDimensions();
  const double* spacing = dual->GetSpacing();
  double bounds[6];
  reference->GetBounds(bounds);
  double alongEdge = 0, squaredInWorld = 0;
  for (int c = 0; c < 3; ++c)
  {
    alongEdge = std::max(alongEdge, spacing[c] * (floatStep(dimensions[c] - 1) / 2 + std::pow(2.0, -22)));
    const double largest = std::max(std::abs(bounds[2 * c]), std::abs(bounds[2 * c + 1]));
    squaredInWorld += floatStep(largest) * floatStep(largest); // half a step of either mesh
  }
  return alongEdge + std::sqrt(squaredInWorld);
}

namespace
{

using Locator = vtkSmartPointer<vtkStaticPointLocator>;

Locator locatorOf(vtkPolyData* mesh)
{
  auto locator = Locator::New();
  locator->SetDataSet(mesh);
  locator->BuildLocator();
  return locator;
}

// The largest distance from a point of `from` to the nearest point of the mesh of `to`.
double largestDistance(vtkPolyData* from, vtkStaticPointLocator* to)
{
  double largest = 0;
  for (vtkIdType p = 0; p < from->GetNumberOfPoints(); ++p)
  {
    double at[3], nearest[3];
    from->GetPoint(p, at);
    to->GetDataSet()->GetPoint(to->FindClosestPoint(at), nearest);
    largest = std::max(largest, std::sqrt(vtkMath::Distance2BetweenPoints(at, nearest)));
  }
  return largest;
}

// Pairs each point of a mesh with one point of a reference within a radius. Where an isosurface passes through a
// sample, up to six points lie together, so the nearest point may have a partner already. Then this partner gets
// another point (augmenting paths: H. W. Kuhn, "The Hungarian method for the assignment problem", 1955).
class Pairing
{
public:
  Pairing(vtkPolyData* mesh, vtkStaticPointLocator* reference, double radius)
    : Candidates(static_cast<std::size_t>(mesh->GetNumberOfPoints()))
    , LastRound(static_cast<std::size_t>(reference->GetDataSet()->GetNumberOfPoints()), None)
    , PartnerOf(this->LastRound)
  {
    vtkNew<vtkIdList> near;
    for (vtkIdType p = 0; p < mesh->GetNumberOfPoints(); ++p)
    {
      reference->FindPointsWithinRadius(radius, mesh->GetPoint(p), near);
      this->Candidates[p].assign(near->begin(), near->end());
    }
  }

  // Returns whether every point found a partner.
  bool complete()
  {
    for (std::size_t p = 0; p < this->Candidates.size(); ++p)
      if (!this->findPartner(static_cast<vtkIdType>(p), static_cast<vtkIdType>(p)))
        return false;
    return this->Candidates.size() == this->PartnerOf.size();
  }

  // Point of the mesh [point of the reference].
  const std::vector<vtkIdType>& partners() const { return this->PartnerOf; }

private:
  static constexpr vtkIdType None = -1;

  bool findPartner(vtkIdType point, vtkIdType round)
  {
    for (const vtkIdType candidate : this->Candidates[point])
    {
      if (this->LastRound[candidate] == round)
        continue;
      this->LastRound[candidate] = round;
      if (this->PartnerOf[candidate] == None || this->findPartner(this->PartnerOf[candidate], round))
      {
        this->PartnerOf[candidate] = point;
        return true;
      }
    }
    return false;
  }

  std::vector<std::vector<vtkIdType>> Candidates; // points of the reference within the radius [point of the mesh]
  std::vector<vtkIdType> LastRound;               // the last round that visited it [point of the reference]
  std::vector<vtkIdType> PartnerOf;
};

double partWithinOneDegree(vtkPolyData* mesh, vtkPolyData* reference, const std::vector<vtkIdType>& partners)
{
  const double cosine = std::cos(vtkMath::RadiansFromDegrees(1.0));
  vtkIdType within = 0;
  for (vtkIdType p = 0; p < reference->GetNumberOfPoints(); ++p)
  {
    double a[3], b[3];
    mesh->GetPointData()->GetNormals()->GetTuple(partners[p], a);
    reference->GetPointData()->GetNormals()->GetTuple(p, b);
    within += vtkMath::Dot(a, b) >= cosine ? 1 : 0;
  }
  return double(within) / reference->GetNumberOfPoints();
}

}

Agreement Compare(vtkPolyData* mesh, vtkPolyData* reference)
{
  const Locator meshLocator = locatorOf(mesh), referenceLocator = locatorOf(reference);
  // The radius is at least the largest distance of nearest neighbours. Points that lie together may need a larger one.
  const double closest = std::max(largestDistance(mesh, referenceLocator), largestDistance(reference, meshLocator));
  for (const double radius : { closest, 1.5 * closest, 2 * closest })
  {
    Pairing pairing(mesh, referenceLocator, radius * (1 + 1e-12)); // the locator compares squares
    if (pairing.complete())
      return { radius, partWithinOneDegree(mesh, reference, pairing.partners()), pairing.partners() };
  }
  return {};
}
