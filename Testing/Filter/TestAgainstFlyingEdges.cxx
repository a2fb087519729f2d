// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "FilterTest.h"
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
  Identity,
  InFile,
  Rotated
};

const char* nameOf(Direction direction)
{
  static const char* const names[] = { "Identity", "InFile", "Rotated" };
  return names[static_cast<int>(direction)];
}

void PrintTo(Direction direction, std::ostream* os)
{
  *os << nameOf(direction);
}

// Each volume with each direction; InFile only if the file has a direction matrix.
std::vector<std::pair<RealVolume, Direction>> volumesAndDirections()
{
  std::vector<std::pair<RealVolume, Direction>> all;
  for (const RealVolume& volume : RealVolumes())
  {
    all.emplace_back(volume, Direction::Identity);
    if (volume.hasDirection)
      all.emplace_back(volume, Direction::InFile);
    all.emplace_back(volume, Direction::Rotated);
  }
  return all;
}

// A rotation by 30 degrees about z, then by 40 degrees about x.
void rotate(vtkImageData* image)
{
  const double a = std::acos(-1.0) / 6, b = std::acos(-1.0) * 2 / 9;
  image->SetDirectionMatrix(std::cos(a), -std::sin(a), 0, std::sin(a) * std::cos(b), std::cos(a) * std::cos(b),
    -std::sin(b), std::sin(a) * std::sin(b), std::cos(a) * std::sin(b), std::cos(b));
}

void turn(vtkImageData* image, Direction direction)
{
  if (direction == Direction::Identity)
    image->SetDirectionMatrix(1, 0, 0, 0, 1, 0, 0, 0, 1);
  else if (direction == Direction::Rotated)
    rotate(image);
}

std::string testNameOf(const testing::TestParamInfo<std::pair<RealVolume, Direction>>& info)
{
  const auto& [volume, direction] = info.param;
  return NameOf(volume) + nameOf(direction);
}

class RealVolumeTest : public testing::TestWithParam<std::pair<RealVolume, Direction>>
{
};

void expectAgreement(vtkPolyData* mesh, vtkPolyData* reference, double rounding)
{
  ASSERT_EQ(mesh->GetNumberOfPoints(), reference->GetNumberOfPoints());
  ASSERT_EQ(mesh->GetNumberOfPolys(), reference->GetNumberOfPolys());
  ASSERT_GT(mesh->GetNumberOfPolys(), 0);
  MeshCopy meshCopy, referenceCopy;
  const vmc::test::MeshView view = ViewOf(mesh, meshCopy), referenceView = ViewOf(reference, referenceCopy);
  EXPECT_TRUE(vmc::test::edgeUseOf(view).isManifold());
  // Where a face of a cell has four crossings, the diagonals inside polygons may differ. The polygons are not flat, so
  // area and volume differ slightly: by 1.2e-5 and 4.4e-5 in these volumes.
  const double area = vmc::test::areaOf(referenceView), volume = vmc::test::signedVolumeOf(referenceView);
  EXPECT_NEAR(vmc::test::areaOf(view), area, 1e-4 * area);
  EXPECT_NEAR(vmc::test::signedVolumeOf(view), volume, 1e-4 * std::abs(volume));
  const Agreement agreement = Compare(mesh, reference);
  EXPECT_LE(agreement.largestDistance, rounding);
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
  turn(image, direction);
  const vtkSmartPointer<vtkImageData> dual = DualImage(image);
  vtkNew<vtkVulkanMarchingCubes> filter;
  if (!IsRunOnCpu() && !HasVulkanDevice())
    GTEST_SKIP() << NoVulkanDevice;
  filter->SetInputData(image);
  filter->SetInputArrayToProcess(
    0, 0, 0, vtkDataObject::FIELD_ASSOCIATION_CELLS, image->GetCellData()->GetScalars()->GetName());
  filter->SetFallback(vtkVulkanMarchingCubes::FALLBACK_ERROR);
  for (const double isovalue : volume.isovalues)
  {
    SCOPED_TRACE(isovalue);
    filter->SetValue(0, isovalue);
    filter->Update();
    const auto reference = FlyingEdges(dual, { isovalue });
    expectAgreement(filter->GetOutput(), reference, LargestRounding(dual, reference));
  }
}

INSTANTIATE_TEST_SUITE_P(All, RealVolumeTest, testing::ValuesIn(volumesAndDirections()), testNameOf);
