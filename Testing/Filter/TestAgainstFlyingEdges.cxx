#include "FlyingEdgesReference.h"
#include "RealVolumes.h"

#include "vtkCellArray.h"
#include "vtkCellData.h"
#include "vtkMatrix3x3.h"
#include "vtkNew.h"
#include "vtkStringArray.h"
#include "vtkVulkanMarchingCubes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace
{

enum class Direction
{
  AsInFile,
  Rotated
};

// A rotation about no axis of the grid: 30 degrees about z, then 40 about x. Exact to rounding, so a proper rotation.
void rotate(vtkImageData* image)
{
  const double a = std::acos(-1.0) / 6, b = std::acos(-1.0) * 2 / 9;
  image->SetDirectionMatrix(std::cos(a), -std::sin(a), 0, std::sin(a) * std::cos(b), std::cos(a) * std::cos(b),
    -std::sin(b), std::sin(a) * std::sin(b), std::cos(a) * std::sin(b), std::cos(b));
}

std::string nameOf(const testing::TestParamInfo<std::tuple<RealVolume, Direction>>& info)
{
  const RealVolume& volume = std::get<0>(info.param);
  std::string name = volume.file.substr(0, volume.file.find_first_of("_.")) + volume.array;
  return name + (std::get<1>(info.param) == Direction::Rotated ? "Rotated" : "AsInFile");
}

class RealVolumeTest : public testing::TestWithParam<std::tuple<RealVolume, Direction>>
{
};

void expectAgreement(vtkPolyData* mesh, vtkPolyData* reference, double cell)
{
  ASSERT_EQ(mesh->GetNumberOfPoints(), reference->GetNumberOfPoints());
  ASSERT_EQ(mesh->GetNumberOfPolys(), reference->GetNumberOfPolys());
  ASSERT_GT(mesh->GetNumberOfPolys(), 0);
  MeshCopy meshCopy, referenceCopy;
  const vmc::test::MeshView view = ViewOf(mesh, meshCopy), referenceView = ViewOf(reference, referenceCopy);
  EXPECT_TRUE(vmc::test::edgeUseOf(view).isManifold());
  // Diagonals differ inside polygons that are not flat, so area and volume differ a little.
  EXPECT_NEAR(vmc::test::areaOf(view) / vmc::test::areaOf(referenceView), 1, 1e-4);
  const double volume = vmc::test::signedVolumeOf(referenceView);
  const double box =
    std::pow(vmc::test::areaOf(referenceView), 1.5); // the volume may be near 0 where surfaces are open
  EXPECT_NEAR(vmc::test::signedVolumeOf(view), volume, 1e-4 * std::max(std::abs(volume), 1e-3 * box));
  const Agreement agreement = Compare(mesh, reference);
  // FlyingEdges interpolates in double and keeps float positions: half a unit in the last place of the coordinate.
  double bounds[6];
  reference->GetBounds(bounds);
  const double coordinate =
    std::max(std::abs(*std::max_element(bounds, bounds + 6)), std::abs(*std::min_element(bounds, bounds + 6)));
  EXPECT_LE(agreement.largestDistance, std::max(1e-5 * cell, 2 * coordinate * std::pow(2.0, -23)));
  EXPECT_GE(agreement.normalsWithinOneDegree, 0.99);
}

}

TEST_P(RealVolumeTest, HasThePointsTrianglesAndNormalsOfFlyingEdges)
{
  const auto& [volume, direction] = GetParam();
  std::string whyNot;
  const vtkSmartPointer<vtkImageData> image = LoadRealVolume(volume, whyNot);
  if (!image)
    GTEST_SKIP() << whyNot;
  if (direction == Direction::Rotated)
    rotate(image);
  const vtkSmartPointer<vtkImageData> dual = DualImage(image);
  vtkNew<vtkVulkanMarchingCubes> filter;
  if (filter->GetDeviceNames()->GetNumberOfValues() == 0)
    GTEST_SKIP() << "No usable Vulkan device.";
  filter->SetInputData(image);
  filter->SetInputArrayToProcess(
    0, 0, 0, vtkDataObject::FIELD_ASSOCIATION_CELLS, image->GetCellData()->GetScalars()->GetName());
  filter->SetFallback(vtkVulkanMarchingCubes::FALLBACK_ERROR);
  for (const double isovalue : volume.isovalues)
  {
    SCOPED_TRACE(isovalue);
    filter->SetValue(0, isovalue);
    filter->Update();
    const double* spacing = image->GetSpacing();
    expectAgreement(
      filter->GetOutput(), FlyingEdges(dual, { isovalue }), std::min({ spacing[0], spacing[1], spacing[2] }));
  }
}

INSTANTIATE_TEST_SUITE_P(All, RealVolumeTest,
  testing::Combine(testing::ValuesIn(RealVolumes()), testing::Values(Direction::AsInFile, Direction::Rotated)), nameOf);
