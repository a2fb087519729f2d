// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "FilterTest.h"
#include "UnequalGrids.h"

#include "vtkCellData.h"
#include "vtkCellDataToPointData.h"
#include "vtkDataSetAttributes.h"
#include "vtkExtractVOI.h"
#include "vtkMultiBlockDataSet.h"
#include "vtkPointData.h"
#include "vtkPoints.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace
{

// The coordinate at an index between those of samples. In front of the first sample and behind the last one, it is that
// of the border.
double coordinateAt(double index, const std::vector<double>& points, bool isOfCells)
{
  std::vector<double> samples = points;
  for (std::size_t i = 0; isOfCells && i + 1 < points.size(); ++i)
    samples[i] = (points[i] + points[i + 1]) / 2;
  const std::size_t last = points.size() - (isOfCells ? 2 : 1);
  if (index < 0 || index > double(last))
    return index < 0 ? points.front() : points.back();
  const auto lower = std::min(static_cast<std::size_t>(index), last - 1);
  return samples[lower] + (index - double(lower)) * (samples[lower + 1] - samples[lower]);
}

}

class RectilinearGrids : public FilterTest
{
protected:
  vtkPolyData* run(vtkRectilinearGrid* grid, double isovalue)
  {
    this->Filter->SetInputDataObject(grid);
    this->Filter->SetValue(0, isovalue);
    this->Filter->Update();
    return this->Filter->GetOutput();
  }

  // Expects the triangles of the image, with points that have the same places on the same edges. The image has the
  // origin 0 and the spacing 1.
  void expectMovedImage(vtkImageData* image, double isovalue, bool isOfCells)
  {
    const PointCoordinates coordinates = UnequalCoordinates(image);
    const auto expected = this->runAndCopy(image, isovalue);
    vtkPolyData* const mesh = this->run(GridOf(image, coordinates), isovalue);
    ASSERT_GT(expected->GetNumberOfPolys(), 0);
    ExpectSameCounts(mesh, expected);
    for (vtkIdType i = 0; i < mesh->GetNumberOfPoints(); ++i)
      for (int c = 0; c < 3; ++c)
      {
        const double index = expected->GetPoint(i)[c] - (isOfCells ? 0.5 : 0);
        // Both points are rounded; that of the image below 32, that of the grid below 256.
        ASSERT_NEAR(mesh->GetPoint(i)[c], coordinateAt(index, coordinates[c], isOfCells), 0x1p-16)
          << "point " << i << ", component " << c;
      }
    EXPECT_TRUE(this->errors().empty());
  }
};

TEST_F(RectilinearGrids, OfCellDataAreContouredBetweenTheCentres)
{
  this->expectMovedImage(CellImage({ 21, 17, 10 }, VTK_SHORT, Noise()), 50.5, true);
}

TEST_F(RectilinearGrids, OfPointDataAreContouredBetweenThePoints)
{
  vtkNew<vtkCellDataToPointData> toPoints;
  toPoints->SetInputData(CellImage({ 21, 17, 10 }, VTK_FLOAT, Noise()));
  toPoints->Update();
  this->Filter->SetInputArrayToProcess(0, 0, 0, vtkDataObject::FIELD_ASSOCIATION_POINTS, "samples");
  this->expectMovedImage(vtkImageData::SafeDownCast(toPoints->GetOutput()), 50.5, false);
}

TEST_F(RectilinearGrids, EndAtTheirBounds)
{
  const auto image = CellImage({ 12, 9, 14 }, VTK_FLOAT, [](int, int, int) { return 1; });
  const PointCoordinates coordinates = UnequalCoordinates(image);
  const auto grid = GridOf(image, coordinates);
  this->Filter->SetBoundary(vtkVulkanMarchingCubes::BOUNDARY_CLOSE);
  vtkPolyData* const mesh = this->run(grid, 0.5);
  for (int side = 0; side < 6; ++side)
    EXPECT_NEAR(mesh->GetBounds()[side], grid->GetBounds()[side], 0x1p-17) << "side " << side;
  for (const int boundary : { vtkVulkanMarchingCubes::BOUNDARY_EXTEND, vtkVulkanMarchingCubes::BOUNDARY_CLOSE })
  {
    this->Filter->SetBoundary(boundary);
    this->expectMovedImage(CellImage({ 12, 9, 14 }, VTK_FLOAT, Noise()), 50.5, true);
  }
}

TEST_F(RectilinearGrids, AtEqualDistancesAreContouredAsImages)
{
  const auto image = CellImage({ 24, 24, 24 }, VTK_FLOAT, Ball());
  image->SetExtent(-5, 19, 3, 27, 100, 124);
  image->SetOrigin(10, -20, 30);
  image->SetSpacing(0.5, 2, 1.25);
  for (const int precision : { vtkAlgorithm::SINGLE_PRECISION, vtkAlgorithm::DOUBLE_PRECISION })
  {
    this->Filter->SetOutputPointsPrecision(precision);
    const auto expected = this->runAndCopy(image, 50);
    vtkPolyData* const mesh = this->run(GridOf(image, EqualCoordinates(image)), 50);
    ExpectSameCounts(mesh, expected);
    for (vtkIdType i = 0; i < mesh->GetNumberOfPoints(); ++i)
      for (int c = 0; c < 3; ++c)
      {
        ASSERT_NEAR(mesh->GetPoint(i)[c], expected->GetPoint(i)[c], 0x1p-15); // a unit of floats below 256
        ASSERT_NEAR(mesh->GetPointData()->GetNormals()->GetComponent(i, c),
          expected->GetPointData()->GetNormals()->GetComponent(i, c), 1e-5);
      }
  }
}

TEST_F(RectilinearGrids, HiddenCellsMakeNoTriangle)
{
  const auto image = CellImage({ 21, 17, 10 }, VTK_SHORT, Noise());
  image->GetCellData()->AddArray(GhostArray(image->GetNumberOfCells(),
    [](vtkIdType cell)
    {
      return cell % 50 == 0   ? int(vtkDataSetAttributes::HIDDENCELL)
             : cell % 50 == 7 ? int(vtkDataSetAttributes::DUPLICATECELL)
                              : 0;
    }));
  this->expectMovedImage(image, 50.5, true);
}

TEST_F(RectilinearGrids, InPiecesMakeEachTriangleOnce)
{
  const auto image = CellImage({ 24, 24, 24 }, VTK_FLOAT, Noise());
  const PointCoordinates whole = UnequalCoordinates(image);
  const vtkIdType expected = this->run(GridOf(image, whole), 50.5)->GetNumberOfPolys();
  vtkIdType found = 0;
  for (const int first : { 0, 11 }) // points of 14 layers of which the pieces own the cells below and from 12 on
  {
    vtkNew<vtkExtractVOI> cut;
    cut->SetInputData(image);
    cut->SetVOI(first, first + 13, 0, 24, 0, 24);
    cut->Update();
    vtkImageData* const piece = cut->GetOutput();
    piece->GetCellData()->AddArray(GhostArray(piece->GetNumberOfCells(), [=](vtkIdType cell)
      { return (first + cell % 13 < 12) == (first == 0) ? 0 : int(vtkDataSetAttributes::DUPLICATECELL); }));
    PointCoordinates coordinates = whole;
    coordinates[0].assign(whole[0].begin() + first, whole[0].begin() + first + 14);
    found += this->run(GridOf(piece, coordinates), 50.5)->GetNumberOfPolys();
  }
  EXPECT_GT(expected, 0);
  EXPECT_EQ(found, expected);
  EXPECT_TRUE(this->errors().empty());
}

TEST_F(RectilinearGrids, AreLeavesOfCompositeDataSets)
{
  const auto image = CellImage({ 24, 24, 24 }, VTK_FLOAT, Ball());
  const auto grid = GridOf(image, UnequalCoordinates(image));
  const vtkIdType expected = this->run(grid, 50)->GetNumberOfPolys();
  vtkNew<vtkMultiBlockDataSet> blocks;
  blocks->SetBlock(0, image);
  blocks->SetBlock(1, grid);
  this->Filter->JoinBlocksOff();
  this->Filter->SetInputDataObject(blocks);
  this->Filter->Update();
  auto* const output = vtkMultiBlockDataSet::SafeDownCast(this->Filter->GetOutputDataObject(0));
  ASSERT_NE(output, nullptr);
  EXPECT_EQ(vtkPolyData::SafeDownCast(output->GetBlock(1))->GetNumberOfPolys(), expected);
  EXPECT_TRUE(this->errors().empty());
  EXPECT_TRUE(this->warnings().empty());
}

TEST_F(RectilinearGrids, AnotherIsovalueNeedsNoUpload)
{
  const auto image = CellImage({ 24, 24, 24 }, VTK_FLOAT, Ball());
  const auto grid = GridOf(image, UnequalCoordinates(image));
  this->run(grid, 50);
  this->run(grid, 60);
  EXPECT_EQ(this->Filter->GetUploadTime(), 0);
}

TEST_F(RectilinearGrids, WhoseCoordinatesDoNotIncreaseAreOneError)
{
  const auto image = CellImage({ 24, 24, 24 }, VTK_FLOAT, Ball());
  PointCoordinates coordinates = UnequalCoordinates(image);
  std::swap(coordinates[1][5], coordinates[1][6]);
  EXPECT_EQ(this->run(GridOf(image, coordinates), 50)->GetNumberOfPoints(), 0);
  ASSERT_EQ(this->errors().size(), 1u);
  EXPECT_CONTAINS(this->errors()[0], "The coordinates along y must be finite and increase; number 6 is ");
  coordinates = UnequalCoordinates(image);
  std::reverse(coordinates[0].begin(), coordinates[0].end());
  this->run(GridOf(image, coordinates), 50);
  ASSERT_EQ(this->errors().size(), 2u);
  EXPECT_CONTAINS(this->errors()[1], "The coordinates along x must be finite and increase; number 1 is ");
  EXPECT_GT(this->run(GridOf(image, UnequalCoordinates(image)), 50)->GetNumberOfPoints(), 0);
}
