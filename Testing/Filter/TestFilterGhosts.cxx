// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "FilterTest.h"
#include "FlyingEdgesReference.h"
#include "FreshFilter.h"

#include "vtkCellArray.h"
#include "vtkCellData.h"
#include "vtkDataSetAttributes.h"
#include "vtkExtractVOI.h"
#include "vtkImageAlgorithm.h"
#include "vtkInformationVector.h"
#include "vtkMultiBlockDataSet.h"
#include "vtkObjectFactory.h"
#include "vtkPointData.h"
#include "vtkPointDataToCellData.h"
#include "vtkRTAnalyticSource.h"
#include "vtkUnsignedCharArray.h"

#include <algorithm>
#include <array>
#include <functional>
#include <set>

namespace
{

using Extent = std::array<int, 6>;

// Whether the point with these indices in the whole image is marked as a duplicate.
using IsDuplicate = std::function<bool(int x, int y, int z)>;

// A part of an image of point data with ghost points, but without ghost cells.
vtkSmartPointer<vtkImageData> piece(vtkImageData* whole, const Extent& extent, const IsDuplicate& isDuplicate)
{
  vtkNew<vtkExtractVOI> extract;
  extract->SetInputData(whole);
  extract->SetVOI(extent.data());
  extract->Update();
  const vtkSmartPointer<vtkImageData> image = extract->GetOutput();
  vtkNew<vtkUnsignedCharArray> ghosts;
  ghosts->SetName(vtkDataSetAttributes::GhostArrayName());
  for (int z = extent[4]; z <= extent[5]; ++z)
    for (int y = extent[2]; y <= extent[3]; ++y)
      for (int x = extent[0]; x <= extent[1]; ++x)
        ghosts->InsertNextValue(isDuplicate(x, y, z) ? vtkDataSetAttributes::DUPLICATEPOINT : 0);
  image->GetPointData()->AddArray(ghosts);
  return image;
}

using Corner = std::array<double, 3>;
using Triangle = std::array<Corner, 3>;

// The corners of each triangle; each begins with its smallest corner.
std::multiset<Triangle> trianglesOf(vtkPolyData* mesh)
{
  std::multiset<Triangle> triangles;
  vtkDataArray* ids = mesh->GetPolys()->GetConnectivityArray();
  for (vtkIdType t = 0; t < mesh->GetNumberOfPolys(); ++t)
  {
    Triangle triangle;
    for (int corner = 0; corner < 3; ++corner)
      mesh->GetPoint(static_cast<vtkIdType>(ids->GetTuple1(3 * t + corner)), triangle[corner].data());
    std::rotate(triangle.begin(), std::min_element(triangle.begin(), triangle.end()), triangle.end());
    triangles.insert(triangle);
  }
  return triangles;
}

// Removes the ghost cells of an image, as some filters do.
class WithoutGhostCells : public vtkImageAlgorithm
{
public:
  static WithoutGhostCells* New();
  vtkTypeMacro(WithoutGhostCells, vtkImageAlgorithm);

protected:
  int RequestData(vtkInformation*, vtkInformationVector** inputs, vtkInformationVector* outputs) override
  {
    vtkImageData* output = vtkImageData::GetData(outputs);
    output->ShallowCopy(vtkImageData::GetData(inputs[0]));
    output->GetCellData()->RemoveArray(vtkDataSetAttributes::GhostArrayName());
    return 1;
  }
};
vtkStandardNewMacro(WithoutGhostCells);

// A source of 21^3 points that the pipeline can cut into pieces.
vtkSmartPointer<vtkRTAnalyticSource> pointSource()
{
  auto source = vtkSmartPointer<vtkRTAnalyticSource>::New();
  source->SetWholeExtent(0, 20, 0, 20, 0, 20);
  source->SetCenter(9, 11, 10);
  return source;
}
constexpr double WithinSource = 150; // an isovalue whose surface meets every side of the image

class FilterGhosts : public FilterTest
{
protected:
  vtkPolyData* runPiece(vtkImageData* whole, const Extent& extent, const IsDuplicate& isDuplicate)
  {
    return this->run(piece(whole, extent, isDuplicate), 50.5);
  }

  // The triangles of so many pieces of the filter's input.
  std::multiset<Triangle> piecesTogether(int pieces)
  {
    std::multiset<Triangle> all;
    for (int number = 0; number < pieces; ++number)
    {
      this->Filter->UpdatePiece(number, pieces, 0);
      all.merge(trianglesOf(this->Filter->GetOutput()));
    }
    return all;
  }
};

}

TEST_F(FilterGhosts, HiddenCellsAreBlankAndDuplicatesAreNotOwned)
{
  const auto image = CellImage({ 24, 24, 24 }, VTK_FLOAT, Ball());
  const vtkIdType all = this->run(image, 50)->GetNumberOfPolys();
  vtkIdType sum = 0;
  // Two pieces that overlap by two cells: the first owns cells with i < 12.
  for (const bool first : { true, false })
  {
    image->GetCellData()->AddArray(GhostArray(image->GetNumberOfCells(),
      [first](vtkIdType cell) { return (cell % 24 < 12) == first ? 0 : vtkDataSetAttributes::DUPLICATECELL; }));
    image->Modified();
    this->Filter->Modified();
    sum += this->run(image, 50)->GetNumberOfPolys();
  }
  EXPECT_EQ(sum, all);
  auto* ghosts =
    vtkUnsignedCharArray::SafeDownCast(image->GetCellData()->GetArray(vtkDataSetAttributes::GhostArrayName()));
  for (vtkIdType cell = 0; cell < image->GetNumberOfCells(); ++cell)
    ghosts->SetValue(cell, cell % 24 < 12 ? vtkDataSetAttributes::HIDDENCELL : 0);
  ghosts->Modified();
  this->Filter->Modified();
  double bounds[6];
  this->run(image, 50)->GetBounds(bounds);
  EXPECT_EQ(bounds[0], 12.5); // the first cell centre that is not hidden
  this->Filter->SetFallback(vtkVulkanMarchingCubes::FALLBACK_CPU);
  this->Filter->SetMemoryLimit(NoDeviceMemory);
  this->run(image, 50)->GetBounds(bounds);
  EXPECT_TRUE(IsCpu(this->Filter->GetUsedDevice()));
  EXPECT_EQ(bounds[0], 12.5);
  EXPECT_TRUE(this->errors().empty());
}

// The flags of points and those of cells are made from the same array.
TEST_F(FilterGhosts, GhostCellsApplyToPointsAndThenToCells)
{
  const auto image = CellImage({ 12, 11, 10 }, VTK_FLOAT, Noise());
  const auto larger = CellImage({ 13, 12, 11 }, VTK_FLOAT, Noise()); // a value for each point of the image
  image->GetPointData()->SetScalars(larger->GetCellData()->GetScalars());
  image->GetCellData()->AddArray(GhostArray(
    image->GetNumberOfCells(), [](vtkIdType cell) { return cell % 61 == 0 ? vtkDataSetAttributes::HIDDENCELL : 0; }));
  for (const int association : { vtkDataObject::POINT, vtkDataObject::CELL, vtkDataObject::POINT })
  {
    SCOPED_TRACE(association == vtkDataObject::POINT ? "points" : "cells");
    this->Filter->SetInputArrayToProcess(0, 0, 0, association, vtkDataSetAttributes::SCALARS);
    ASSERT_GT(this->run(image, 50)->GetNumberOfPolys(), 0);
    EXPECT_EQ(DifferenceBetween(this->Filter->GetOutput(), FreshOutput(this->Filter)), "");
  }
}

// Pieces that meet at the tenth layer of points, or between this layer and the next.
TEST_F(FilterGhosts, PiecesOfPointsWithGhostPointsOnlyMakeTheWhole)
{
  const auto none = [](int, int, int) { return false; };
  const auto from = [](int first) { return [first](int x, int, int) { return x >= first; }; };
  const auto upTo = [](int last) { return [last](int x, int, int) { return x <= last; }; };
  struct Case
  {
    const char* what;
    int lastOfLower;
    IsDuplicate lower;
    int firstOfUpper;
    IsDuplicate upper;
  };
  const auto image = DualImage(CellImage({ 21, 18, 17 }, VTK_FLOAT, Noise()));
  this->Filter->SetInputArrayToProcess(0, 0, 0, vtkDataObject::FIELD_ASSOCIATION_POINTS, vtkDataSetAttributes::SCALARS);
  const std::multiset<Triangle> whole = trianglesOf(this->run(image, 50.5));
  for (const Case& pieces : { Case{ "one layer in both, the lower owns it", 10, none, 10, upTo(10) },
         Case{ "two layers in both, each owns one", 11, from(11), 10, upTo(10) },
         Case{ "two layers in both, the lower owns them", 11, none, 10, upTo(11) },
         Case{ "three layers in both, the lower owns the middle one", 11, from(11), 9, upTo(10) },
         Case{ "four layers in both, each owns two", 12, from(11), 9, upTo(10) } })
  {
    SCOPED_TRACE(pieces.what);
    std::multiset<Triangle> all =
      trianglesOf(this->runPiece(image, { 0, pieces.lastOfLower, 0, 17, 0, 16 }, pieces.lower));
    all.merge(trianglesOf(this->runPiece(image, { pieces.firstOfUpper, 20, 0, 17, 0, 16 }, pieces.upper)));
    EXPECT_TRUE(all == whole) << all.size() << " instead of " << whole.size();
  }
}

// The pipeline marks points beyond the cut as duplicates, but the points on the cut in neither piece.
TEST_F(FilterGhosts, PiecesThatThePipelineCutMakeTheWholeAlsoWithGhostPointsOnly)
{
  vtkNew<WithoutGhostCells> strip;
  strip->SetInputConnection(pointSource()->GetOutputPort());
  this->Filter->SetInputConnection(strip->GetOutputPort());
  this->Filter->SetInputArrayToProcess(0, 0, 0, vtkDataObject::FIELD_ASSOCIATION_POINTS, vtkDataSetAttributes::SCALARS);
  this->Filter->SetValue(0, WithinSource);
  for (const int boundary : { vtkVulkanMarchingCubes::BOUNDARY_OPEN, vtkVulkanMarchingCubes::BOUNDARY_CLOSE })
    for (const bool normals : { false, true }) // with normals the filter requests one more layer
    {
      this->Filter->SetBoundary(boundary);
      this->Filter->SetComputeNormals(normals);
      const std::multiset<Triangle> whole = this->piecesTogether(1);
      for (const int pieces : { 2, 3, 5, 8 })
        EXPECT_TRUE(this->piecesTogether(pieces) == whole) << pieces << " pieces";
    }
  EXPECT_TRUE(this->warnings().empty());
}

TEST_F(FilterGhosts, APieceOfCellsThatEndsInsideTheWholeWithoutGhostCellsCausesAWarning)
{
  vtkNew<vtkPointDataToCellData> cells;
  cells->SetInputConnection(pointSource()->GetOutputPort());
  vtkNew<WithoutGhostCells> strip;
  strip->SetInputConnection(cells->GetOutputPort());
  this->Filter->SetValue(0, WithinSource);
  this->Filter->SetInputConnection(cells->GetOutputPort());
  const std::multiset<Triangle> whole = this->piecesTogether(1);
  EXPECT_TRUE(this->piecesTogether(2) == whole);
  this->Filter->SetInputConnection(strip->GetOutputPort());
  EXPECT_TRUE(this->piecesTogether(1) == whole);
  EXPECT_TRUE(this->warnings().empty());
  this->Filter->UpdatePiece(1, 2, 0); // the last piece: nothing is missing beyond it
  EXPECT_TRUE(this->warnings().empty());
  this->Filter->UpdatePiece(0, 2, 0);
  ASSERT_EQ(this->warnings().size(), 1u);
  EXPECT_CONTAINS(this->warnings()[0], "without ghost cells");
  EXPECT_TRUE(this->errors().empty());
}

TEST_F(FilterGhosts, WholeLeavesOfACompositeCauseNoWarning)
{
  const auto image = CellImage({ 24, 24, 24 }, VTK_FLOAT, Ball());
  vtkNew<vtkMultiBlockDataSet> blocks;
  blocks->SetBlock(0, image);
  this->Filter->JoinBlocksOff();
  this->Filter->SetInputDataObject(blocks);
  this->Filter->SetValue(0, 50);
  this->Filter->UpdatePiece(0, 2, 0);
  const auto* output = vtkMultiBlockDataSet::SafeDownCast(this->Filter->GetOutputDataObject(0));
  ASSERT_NE(output, nullptr);
  EXPECT_TRUE(this->warnings().empty());
}
