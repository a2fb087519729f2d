// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The leaves of composite data sets that are not joined: gaps between them, and leaves without a dual cell.
#include "Composites.h"
#include "FilterTest.h"

#include "vtkCellData.h"
#include "vtkDataSetAttributes.h"
#include "vtkFloatArray.h"
#include "vtkMatrix3x3.h"
#include "vtkPointData.h"

namespace
{

using Extent = std::array<int, 6>; // of points

// The image of these cells, each with its index along x.
vtkSmartPointer<vtkImageData> leaf(const Extent& extent)
{
  auto image = CellImage({ extent[1] - extent[0], extent[3] - extent[2], extent[5] - extent[4] }, VTK_FLOAT,
    [&](int i, int, int) { return i; });
  image->SetExtent(extent[0], extent[1], extent[2], extent[3], extent[4], extent[5]);
  return image;
}

vtkSmartPointer<vtkMultiBlockDataSet> blocksOf(const std::vector<Extent>& extents)
{
  std::vector<Image> leaves;
  for (const Extent& extent : extents)
    leaves.push_back(leaf(extent));
  return TreeOf(leaves);
}

// Cubes of 4^3 cells, `distance` cells apart, so many along each axis.
std::vector<Extent> cubes(int along, int distance)
{
  std::vector<Extent> extents;
  const int step = 4 + distance;
  for (int k = 0; k < along; ++k)
    for (int j = 0; j < along; ++j)
      for (int i = 0; i < along; ++i)
        extents.push_back({ step * i, step * i + 4, step * j, step * j + 4, step * k, step * k + 4 });
  return extents;
}

// Two levels: 8^3 cells, of which the middle 4^3 are refined.
vtkSmartPointer<vtkMultiBlockDataSet> twoLevels()
{
  const auto coarse = leaf({ 0, 8, 0, 8, 0, 8 }), fine = leaf({ 4, 12, 4, 12, 4, 12 });
  fine->SetSpacing(0.5, 0.5, 0.5);
  SetGhosts(coarse,
    [](vtkIdType cell)
    {
      const auto isInside = [](vtkIdType i) { return i >= 2 && i < 6; };
      return isInside(cell % 8) && isInside(cell / 8 % 8) && isInside(cell / 64) ? vtkDataSetAttributes::REFINEDCELL
                                                                                 : 0;
    });
  return TreeOf({ coarse, fine });
}

class FilterLeaves : public FilterTest
{
protected:
  FilterLeaves() { this->Filter->JoinBlocksOff(); }

  void contour(vtkDataObject* data, double isovalue = 2.5)
  {
    this->Filter->SetInputDataObject(data);
    this->Filter->SetValue(0, isovalue);
    this->Filter->Modified();
    this->Filter->Update();
  }

  std::size_t warningsOf(vtkDataObject* data)
  {
    const std::size_t before = this->warnings().size();
    this->contour(data);
    EXPECT_GT(this->Filter->GetNumberOfTriangles(), 0);
    return this->warnings().size() - before;
  }
};

}

TEST_F(FilterLeaves, ThatAdjoinWithoutGhostCellsCauseOneWarningPerExecution)
{
  const auto two = blocksOf(std::vector<Extent>{ { 0, 4, 0, 4, 0, 4 }, { 4, 9, 0, 4, 0, 4 } });
  EXPECT_EQ(this->warningsOf(two), 1u);
  EXPECT_EQ(this->warningsOf(two), 1u);
  ASSERT_EQ(this->warnings().size(), 2u);
  EXPECT_CONTAINS(
    this->warnings()[0], "Turn on Join Blocks; for rectilinear grids, apply the filter Ghost Cells first.");
  EXPECT_EQ(this->warningsOf(blocksOf(cubes(3, 0))), 1u);
  EXPECT_TRUE(this->errors().empty());
}

TEST_F(FilterLeaves, AdjoinAlongEveryAxisAndOnAPartOfASide)
{
  for (const Extent& other : { Extent{ 4, 8, 0, 4, 0, 4 }, Extent{ -4, 0, 3, 7, -3, 1 }, Extent{ 0, 4, 4, 8, 0, 4 },
         Extent{ 1, 5, -4, 0, 1, 5 }, Extent{ 0, 4, 0, 4, 4, 8 }, Extent{ -2, 2, 2, 6, -4, 0 } })
    EXPECT_EQ(this->warningsOf(blocksOf(std::vector<Extent>{ { 0, 4, 0, 4, 0, 4 }, other })), 1u)
      << testing::PrintToString(other);
}

TEST_F(FilterLeaves, ThatDoNotAdjoinCauseNoWarning)
{
  for (const Extent& other : { Extent{ 5, 9, 0, 4, 0, 4 },        // apart
         Extent{ 4, 8, 4, 8, 0, 4 }, Extent{ 4, 8, -4, 0, 4, 8 }, // a common edge or corner
         Extent{ 3, 8, 0, 4, 0, 4 } })                            // they overlap
    EXPECT_EQ(this->warningsOf(blocksOf(std::vector<Extent>{ { 0, 4, 0, 4, 0, 4 }, other })), 0u)
      << testing::PrintToString(other);
  EXPECT_EQ(this->warningsOf(blocksOf(std::vector<Extent>{ { 0, 4, 0, 4, 0, 4 } })), 0u);
}

// Origin, spacing and direction matrix of each block state the same place as an extent.
TEST_F(FilterLeaves, AdjoinInWorldSpace)
{
  const double direction[9] = { 0.6, -0.8, 0, 0.8, 0.6, 0, 0, 0, -1 };
  for (const double origin : { 4.0, 4.1 })
  {
    const auto first = leaf({ 0, 4, 0, 4, 0, 4 }), second = leaf({ 0, 8, 0, 4, 0, 4 });
    for (vtkImageData* image : { first.Get(), second.Get() })
      std::copy(direction, direction + 9, image->GetDirectionMatrix()->GetData());
    first->SetSpacing(0.1, 0.2, 0.3);
    second->SetSpacing(0.05, 0.2, 0.3);
    second->SetOrigin(0.6 * 0.1 * origin, 0.8 * 0.1 * origin, 0);
    EXPECT_EQ(this->warningsOf(TreeOf({ first, second })), origin == 4.0 ? 1u : 0u);
  }
}

TEST_F(FilterLeaves, WithASingularDirectionCauseOneErrorAndNoWarning)
{
  const double row[9] = { 0, 0, 0, 1, 0, 0, 0, 0, 0 };
  const auto first = leaf({ 0, 4, 0, 4, 0, 4 }), second = leaf({ 4, 8, 0, 4, 0, 4 });
  for (vtkImageData* image : { first.Get(), second.Get() })
    std::copy(row, row + 9, image->GetDirectionMatrix()->GetData());
  this->contour(TreeOf({ first, second }));
  EXPECT_EQ(this->errors().size(), 1u);
  EXPECT_TRUE(this->warnings().empty());
}

TEST_F(FilterLeaves, WithGhostCellsCauseNoWarning)
{
  // Leaves of two cells along x with one layer of ghost cells: the first and the third have a common side.
  std::vector<Image> leaves;
  for (int first = 0; first < 6; first += 2)
  {
    leaves.push_back(leaf({ std::max(first - 1, 0), std::min(first + 3, 6), 0, 4, 0, 4 }));
    const int* const extent = leaves.back()->GetExtent();
    const int begin = extent[0], cells = extent[1] - extent[0];
    SetGhosts(leaves.back(),
      [=](vtkIdType cell)
      {
        const auto x = static_cast<int>(begin + cell % cells);
        return x < first || x > first + 1 ? vtkDataSetAttributes::DUPLICATECELL : 0;
      });
  }
  EXPECT_EQ(this->warningsOf(TreeOf(leaves)), 0u);
}

TEST_F(FilterLeaves, OfPointDataCauseNoWarning)
{
  const auto blocks = blocksOf(std::vector<Extent>{ { 0, 4, 0, 4, 0, 4 }, { 4, 8, 0, 4, 0, 4 } });
  for (unsigned int i = 0; i < 2; ++i)
  {
    auto* const image = vtkImageData::SafeDownCast(blocks->GetBlock(i));
    vtkNew<vtkFloatArray> heights;
    heights->SetName("heights");
    for (vtkIdType point = 0; point < image->GetNumberOfPoints(); ++point)
      heights->InsertNextValue(static_cast<float>(image->GetPoint(point)[2]));
    image->GetPointData()->SetScalars(heights);
  }
  this->Filter->SetInputArrayToProcess(0, 0, 0, vtkDataObject::FIELD_ASSOCIATION_POINTS, "heights");
  EXPECT_EQ(this->warningsOf(blocks), 0u);
}

TEST_F(FilterLeaves, WithCellsThatAnotherLeafRefinesCauseAWarning)
{
  const auto levels = twoLevels();
  EXPECT_EQ(this->warningsOf(levels), 1u);
  EXPECT_EQ(this->warningsOf(levels->GetBlock(0)), 0u); // alone
  // Hidden cells have no finer ones.
  const auto hidden = leaf({ 0, 8, 0, 8, 0, 8 });
  SetGhosts(hidden, [](vtkIdType cell) { return cell == 73 ? vtkDataSetAttributes::HIDDENCELL : 0; });
  EXPECT_EQ(this->warningsOf(TreeOf({ hidden, leaf({ 20, 24, 0, 4, 0, 4 }) })), 0u);
}

// The sides of many of them lie in the same planes.
TEST_F(FilterLeaves, OfAChequerboardCauseNoWarning)
{
  std::vector<Extent> extents = cubes(6, 4), others = cubes(6, 4);
  for (Extent& extent : others)
    for (int& side : extent)
      side += 4;
  extents.insert(extents.end(), others.begin(), others.end());
  EXPECT_EQ(this->warningsOf(blocksOf(extents)), 0u);
  extents.push_back({ 4, 8, 0, 4, 0, 4 });
  EXPECT_EQ(this->warningsOf(blocksOf(extents)), 1u);
}

TEST_F(FilterLeaves, OfOneLayerOfCellsAreNoted)
{
  for (const auto& [cells, note] :
    std::vector<std::pair<std::array<int, 3>, std::string>>{
      { { 5, 4, 1 }, "No surface in 5 x 4 x 1 cells: it needs at least 2 along each axis, unless Boundary is Extend or "
                     "Close." },
      { { 1, 4, 3 }, "No surface in 1 x 4 x 3 cells" }, { { 1, 1, 1 }, "No surface in 1 x 1 x 1 cells" },
      { { 5, 4, 2 }, "" } })
  {
    const auto image = leaf({ 0, cells[0], 0, cells[1], 0, cells[2] });
    this->contour(image);
    EXPECT_EQ(std::string(this->Filter->GetNote()).substr(0, note.empty() ? 1 : note.size()), note);
    this->contour(TreeOf({ image, image }));
    EXPECT_EQ(std::string(this->Filter->GetNote()).substr(0, note.empty() ? 1 : note.size()), note);
  }
  const auto layer = leaf({ 0, 5, 0, 4, 0, 1 });
  this->contour(TreeOf({ layer, leaf({ 10, 15, 0, 4, 0, 4 }) })); // another leaf has a surface
  EXPECT_STREQ(this->Filter->GetNote(), "");
  this->Filter->SetInputDataObject(layer); // one piece of several
  this->Filter->UpdatePiece(0, 2, 0);
  EXPECT_STREQ(this->Filter->GetNote(), "");
  this->Filter->SetBoundary(vtkVulkanMarchingCubes::BOUNDARY_EXTEND);
  this->contour(layer);
  EXPECT_STREQ(this->Filter->GetNote(), "");
  EXPECT_GT(this->Filter->GetNumberOfTriangles(), 0);
  EXPECT_TRUE(this->errors().empty());
}

// Such leaves have no surface for another reason than their size.
TEST_F(FilterLeaves, WithDualCellsThatAreAllBlankHaveNoNote)
{
  const auto image = leaf({ 0, 5, 0, 4, 0, 4 });
  SetGhosts(image, [](vtkIdType) { return vtkDataSetAttributes::HIDDENCELL; });
  this->contour(image);
  EXPECT_EQ(this->Filter->GetNumberOfTriangles(), 0);
  EXPECT_STREQ(this->Filter->GetNote(), "");
}

// An AMR of two dimensions has such leaves. The sizes of the leaves differ.
TEST_F(FilterLeaves, ThatAreFlatCauseOneError)
{
  std::vector<Image> leaves;
  for (int i = 1; i < 6; ++i)
  {
    auto flat = vtkSmartPointer<vtkImageData>::New();
    flat->SetDimensions(i + 2, 9, 1);
    vtkNew<vtkFloatArray> samples;
    samples->SetName("samples");
    samples->SetNumberOfTuples(flat->GetNumberOfCells());
    samples->Fill(i);
    flat->GetCellData()->SetScalars(samples);
    leaves.push_back(flat);
  }
  this->contour(TreeOf(leaves));
  ASSERT_EQ(this->errors().size(), 1u);
  EXPECT_CONTAINS(this->errors()[0], "3 x 9 x 1 points; an isosurface needs at least 2 points");
  this->contour(TreeOf(leaves));
  EXPECT_EQ(this->errors().size(), 2u);
}
