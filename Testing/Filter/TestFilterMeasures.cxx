// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Measures and regions, compared with VTK's filters on the same surface.
#include "Composites.h"
#include "FilterTest.h"
#include "HistogramReference.h"
#include "RealVolumes.h"
#include "UnequalGrids.h"

#include "vtkCell.h"
#include "vtkCellData.h"
#include "vtkCleanPolyData.h"
#include "vtkDataArray.h"
#include "vtkDataSetAttributes.h"
#include "vtkDoubleArray.h"
#include "vtkFeatureEdges.h"
#include "vtkIdTypeArray.h"
#include "vtkMassProperties.h"
#include "vtkMultiBlockDataSet.h"
#include "vtkPointData.h"
#include "vtkPolyDataConnectivityFilter.h"
#include "vtkTable.h"
#include "vtkVulkanImageHistogram.h"
#include "vtkXMLUniformGridAMRReader.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace
{

// Sums of VTK are doubles; ours round each triangle to float.
constexpr double Tolerance = 1e-6;

class FilterMeasures : public FilterTest
{
protected:
  void SetUp() override
  {
    FilterTest::SetUp();
    this->Filter->ComputeMeasuresOn();
    this->Filter->ComputeRegionsOn();
  }

  double measure(const char* column, vtkIdType row = 0)
  {
    vtkAbstractArray* const array = this->Filter->GetMeasures()->GetColumnByName(column);
    return array ? vtkDataArray::SafeDownCast(array)->GetTuple1(row) : -1;
  }

  double region(const char* column, vtkIdType row)
  {
    return vtkDataArray::SafeDownCast(this->Filter->GetRegions()->GetColumnByName(column))->GetTuple1(row);
  }

  // Compares area, volume and open edges.
  void expectMeasures(vtkPolyData* surface)
  {
    vtkNew<vtkMassProperties> mass;
    mass->SetInputData(surface);
    mass->Update();
    EXPECT_NEAR(this->measure("SurfaceArea"), mass->GetSurfaceArea(), Tolerance * mass->GetSurfaceArea());
    vtkNew<vtkFeatureEdges> edges;
    edges->SetInputData(surface);
    edges->FeatureEdgesOff();
    edges->NonManifoldEdgesOff();
    edges->Update();
    EXPECT_EQ(this->measure("OpenEdges"), double(edges->GetOutput()->GetNumberOfCells()));
    if (this->measure("OpenEdges") == 0)
    {
      // The vector area of a triangle is rounded to float, and multiplied by the distance to another triangle.
      const double rounding = 0x1p-24 * mass->GetSurfaceArea() * surface->GetLength();
      EXPECT_NEAR(
        std::abs(this->measure("EnclosedVolume")), mass->GetVolume(), Tolerance * mass->GetVolume() + rounding);
    }
  }

  // Runs the filter, and compares volumes and shares with the counts of vtkVulkanImageHistogram, whose sums of parts
  // are rounded in another order.
  void expectShares(vtkDataObject* input, const std::vector<double>& isovalues)
  {
    vtkNew<vtkVulkanImageHistogram> histogram;
    histogram->SetInputDataObject(input);
    histogram->SetNumberOfBins(1);
    histogram->UseCustomRangeOn();
    const auto volumeAbove = [&](double lower)
    {
      histogram->SetCustomRange(lower, lower + 50);
      histogram->Update();
      return NumbersOf(histogram->GetOutput(), "VolumeAbove").front();
    };
    this->Filter->SetInputDataObject(input);
    this->Filter->SetNumberOfContours(static_cast<int>(isovalues.size()));
    for (std::size_t i = 0; i < isovalues.size(); ++i)
      this->Filter->SetValue(static_cast<int>(i), isovalues[i]);
    this->Filter->Update();
    const double domain = volumeAbove(-1000);
    ASSERT_GT(domain, 0);
    for (std::size_t i = 0; i < isovalues.size(); ++i)
    {
      const double above = volumeAbove(isovalues[i]);
      EXPECT_DOUBLE_EQ(this->measure("VolumeAbove", static_cast<vtkIdType>(i)), above) << isovalues[i];
      EXPECT_DOUBLE_EQ(this->measure("ShareOfDomain", static_cast<vtkIdType>(i)), above / domain) << isovalues[i];
    }
    EXPECT_EQ(this->Filter->GetVolumeAbove()->GetNumberOfValues(), static_cast<vtkIdType>(isovalues.size()));
    EXPECT_GT(this->measure("ShareOfDomain"), 0.1);
    EXPECT_LT(this->measure("ShareOfDomain"), 0.9);
  }

  // Compares the partition and the sizes.
  void expectRegions(vtkPolyData* surface)
  {
    vtkNew<vtkPolyDataConnectivityFilter> connectivity;
    connectivity->SetInputData(surface);
    connectivity->SetExtractionModeToAllRegions();
    connectivity->ColorRegionsOn();
    connectivity->Update();
    vtkDataArray* const theirs = connectivity->GetOutput()->GetPointData()->GetArray("RegionId");
    vtkDataArray* const ours = surface->GetCellData()->GetArray("RegionId");
    ASSERT_NE(ours, nullptr);
    ASSERT_EQ(connectivity->GetOutput()->GetNumberOfCells(), surface->GetNumberOfCells());
    ASSERT_EQ(this->Filter->GetRegions()->GetNumberOfRows(), connectivity->GetNumberOfExtractedRegions());
    std::map<vtkIdType, vtkIdType> theirsOfOurs;
    for (vtkIdType cell = 0; cell < ours->GetNumberOfTuples(); ++cell) // VTK's points have another order
    {
      const vtkIdType point = connectivity->GetOutput()->GetCell(cell)->GetPointId(0);
      const auto own = static_cast<vtkIdType>(ours->GetTuple1(cell)),
                 other = static_cast<vtkIdType>(theirs->GetTuple1(point));
      ASSERT_EQ(theirsOfOurs.emplace(own, other).first->second, other) << "triangle " << cell;
    }
    for (const auto& [own, other] : theirsOfOurs)
      ASSERT_EQ(this->region("Triangles", own), connectivity->GetRegionSizes()->GetValue(other));
    for (vtkIdType row = 1; row < this->Filter->GetRegions()->GetNumberOfRows(); ++row)
      ASSERT_LE(this->region("Triangles", row), this->region("Triangles", row - 1));
    vtkDataArray* const ofPoints = surface->GetPointData()->GetArray("RegionId");
    for (vtkIdType cell = 0; cell < surface->GetNumberOfCells(); cell += 7)
      ASSERT_EQ(ours->GetTuple1(cell), ofPoints->GetTuple1(surface->GetCell(cell)->GetPointId(1)));
  }

  // The sums of the regions are the measures of the surface.
  void expectSums()
  {
    vtkTable* const regions = this->Filter->GetRegions();
    double area = 0, volume = 0, edges = 0, triangles = 0;
    for (vtkIdType row = 0; row < regions->GetNumberOfRows(); ++row)
    {
      area += this->region("SurfaceArea", row);
      volume += this->region("EnclosedVolume", row);
      edges += this->region("OpenEdges", row);
      triangles += this->region("Triangles", row);
    }
    EXPECT_NEAR(area, this->measure("SurfaceArea"), Tolerance * area);
    EXPECT_EQ(edges, this->measure("OpenEdges"));
    EXPECT_EQ(triangles, double(this->Filter->GetOutput()->GetNumberOfCells()));
    if (edges == 0)
    {
      EXPECT_NEAR(volume, this->measure("EnclosedVolume"), Tolerance * area);
    }
  }
};

// Balls of 1.5 to 5.5 cells on a line, of which the first one lies at the border.
CellValue Balls()
{
  return [](int x, int y, int z)
  {
    double value = -10;
    for (int i = 0; i < 5; ++i)
      value = std::max(value, 1.5 + i - std::sqrt(std::pow(x - 13.0 * i, 2) + std::pow(y - 8, 2) + std::pow(z - 8, 2)));
    return value;
  };
}

}

TEST_F(FilterMeasures, AreThoseOfVtkOfNoise)
{
  for (const int boundary : { vtkVulkanMarchingCubes::BOUNDARY_OPEN, vtkVulkanMarchingCubes::BOUNDARY_CLOSE })
    for (const double isovalue : { 10.5, 50.5, 80.5, 99.5 })
    {
      this->Filter->SetBoundary(boundary);
      vtkPolyData* const surface = this->run(CellImage({ 30, 27, 25 }, VTK_UNSIGNED_CHAR, Noise()), isovalue);
      this->expectMeasures(surface);
      this->expectRegions(surface);
      this->expectSums();
      EXPECT_EQ(this->measure("NumberOfRegions"), double(this->Filter->GetRegions()->GetNumberOfRows()));
      if (boundary == vtkVulkanMarchingCubes::BOUNDARY_CLOSE)
      {
        EXPECT_EQ(this->measure("OpenEdges"), 0);
      }
    }
}

// A hidden cell is no sample of cell data, and no dual cell of point data.
TEST_F(FilterMeasures, EdgesAtHiddenCellsAreOpen)
{
  const auto image = CellImage({ 30, 27, 25 }, VTK_UNSIGNED_CHAR, Noise());
  const auto points = CellImage({ 31, 28, 26 }, VTK_UNSIGNED_CHAR, Noise());
  points->GetCellData()->GetScalars()->SetName("points");
  image->GetPointData()->AddArray(points->GetCellData()->GetScalars());
  SetGhosts(image, [](vtkIdType cell) { return cell % 37 == 0 ? vtkDataSetAttributes::HIDDENCELL : 0; });
  for (const int association : { vtkDataObject::CELL, vtkDataObject::POINT })
    for (const int boundary : { vtkVulkanMarchingCubes::BOUNDARY_OPEN, vtkVulkanMarchingCubes::BOUNDARY_CLOSE })
    {
      SCOPED_TRACE(testing::Message() << "association " << association << ", boundary " << boundary);
      this->Filter->SetBoundary(boundary);
      this->Filter->SetInputArrayToProcess(
        0, 0, 0, association, association == vtkDataObject::CELL ? "samples" : "points");
      vtkPolyData* const surface = this->run(image, 50.5);
      EXPECT_GT(this->measure("OpenEdges"), 100);
      this->expectMeasures(surface);
      this->expectSums();
    }
}

// Some 10^5 regions, of which one is large.
TEST_F(FilterMeasures, AreThoseOfVtkOfManyRegions)
{
  std::uint32_t state = 1;
  const auto image = CellImage({ 130, 120, 110 }, VTK_UNSIGNED_CHAR,
    [&](int, int, int)
    {
      state = state * 1664525u + 1013904223u;
      return double(state >> 24);
    });
  this->Filter->SetBoundary(vtkVulkanMarchingCubes::BOUNDARY_CLOSE);
  vtkPolyData* const surface = this->run(image, 240.5);
  EXPECT_GT(this->Filter->GetRegions()->GetNumberOfRows(), 50000);
  this->expectMeasures(surface);
  this->expectRegions(surface);
  this->expectSums();
}

// The surface of every second volume is closed.
TEST_F(FilterMeasures, AreThoseOfVtkOfRealVolumes)
{
  bool haveRun = false;
  int boundary = vtkVulkanMarchingCubes::BOUNDARY_CLOSE;
  for (const RealVolume& volume : RealVolumes())
  {
    std::string whyNot;
    const vtkSmartPointer<vtkImageData> image = LoadRealVolume(volume, whyNot);
    if (!image)
      continue;
    haveRun = true;
    boundary = boundary == vtkVulkanMarchingCubes::BOUNDARY_OPEN ? vtkVulkanMarchingCubes::BOUNDARY_CLOSE
                                                                 : vtkVulkanMarchingCubes::BOUNDARY_OPEN;
    SCOPED_TRACE(
      testing::Message() << NameOf(volume) << " at " << volume.isovalues.front() << ", boundary " << boundary);
    this->Filter->SetBoundary(boundary);
    vtkPolyData* const surface = this->run(image, volume.isovalues.front());
    this->expectMeasures(surface);
    this->expectRegions(surface);
    this->expectSums();
  }
  if (!haveRun)
    GTEST_SKIP() << "VMC_VOLUMES and VMC_VOLUME_FILES name no real volumes.";
}

TEST_F(FilterMeasures, AreThoseOfVtkOfAnAmr)
{
  const std::string file = AmrFile();
  if (file.empty())
    GTEST_SKIP() << "amr is not in the folder that VMC_VOLUME_FILES names.";
  vtkNew<vtkXMLUniformGridAMRReader> reader;
  reader->SetFileName(file.c_str());
  reader->SetMaximumLevelsToReadByDefault(0); // all
  this->Filter->SetInputConnection(reader->GetOutputPort());
  this->Filter->SetInputArrayToProcess(0, 0, 0, vtkDataObject::FIELD_ASSOCIATION_CELLS, "Fractal Volume Fraction");
  this->Filter->SetValue(0, 0.5);
  for (const int boundary : { vtkVulkanMarchingCubes::BOUNDARY_OPEN, vtkVulkanMarchingCubes::BOUNDARY_CLOSE })
  {
    this->Filter->SetBoundary(boundary);
    this->Filter->Update();
    ASSERT_GT(this->Filter->GetOutput()->GetNumberOfCells(), 500);
    this->expectMeasures(this->Filter->GetOutput());
    this->expectRegions(this->Filter->GetOutput());
    this->expectSums();
  }
}

// The surface of a volume that passes through in windows is the same. The host joins and measures it, with sums in
// another order than those of the device.
TEST_F(FilterMeasures, DoNotDependOnSlabs)
{
  const auto image = CellImage({ 140, 130, 150 }, VTK_FLOAT, Noise());
  vtkPolyData* const surface = this->run(image, 95.5);
  const double area = this->measure("SurfaceArea"), regions = this->measure("NumberOfRegions");
  const vtkIdType largest = static_cast<vtkIdType>(this->region("Triangles", 0));
  this->expectRegions(surface);
  this->Filter->SetMemoryLimit(9);
  this->run(image, 95.5);
  EXPECT_NEAR(this->measure("SurfaceArea"), area, 1e-6 * area);
  EXPECT_EQ(this->measure("NumberOfRegions"), regions);
  EXPECT_EQ(this->region("Triangles", 0), double(largest));
}

TEST_F(FilterMeasures, OneRowPerIsovalue)
{
  const auto image = CellImage({ 30, 27, 25 }, VTK_FLOAT, Noise());
  this->Filter->SetValue(1, 500);
  this->Filter->SetValue(2, 60.5);
  this->run(image, 80.5);
  ASSERT_EQ(this->Filter->GetMeasures()->GetNumberOfRows(), 3);
  EXPECT_EQ(this->measure("Isovalue", 2), 60.5);
  EXPECT_EQ(this->measure("SurfaceArea", 1), 0);
  EXPECT_EQ(this->measure("NumberOfRegions", 1), 0);
  const double area = this->measure("SurfaceArea", 0), other = this->measure("SurfaceArea", 2);
  this->Filter->SetNumberOfContours(1);
  this->run(image, 60.5);
  EXPECT_EQ(this->measure("SurfaceArea"), other);
  this->run(image, 80.5);
  EXPECT_EQ(this->measure("SurfaceArea"), area);
}

TEST_F(FilterMeasures, WithoutARequestThereAreNone)
{
  this->Filter->ComputeMeasuresOff();
  this->Filter->ComputeRegionsOff();
  vtkPolyData* const surface = this->run(CellImage({ 9, 9, 9 }, VTK_FLOAT, Noise()), 50);
  EXPECT_EQ(surface->GetPointData()->GetArray("RegionId"), nullptr);
  EXPECT_EQ(this->Filter->GetMeasures()->GetNumberOfColumns(), 0);
  EXPECT_EQ(this->Filter->GetRegions()->GetNumberOfColumns(), 0);
  EXPECT_EQ(this->Filter->GetSurfaceArea()->GetNumberOfTuples(), 0);
}

// The largest regions are those of VTK's filter, with all arrays of the whole surface.
TEST_F(FilterMeasures, KeptRegionsAreThoseOfVtk)
{
  const auto image = CellImage({ 40, 37, 35 }, VTK_UNSIGNED_CHAR, Noise());
  for (const bool merge : { true, false })
    for (const int ids : { vtkVulkanMarchingCubes::IDS_64_BIT, vtkVulkanMarchingCubes::IDS_32_BIT })
    {
      this->Filter->SetMergePoints(true);
      this->Filter->SetKeepRegions(vtkVulkanMarchingCubes::KEEP_ALL);
      const auto whole = this->runAndCopy(image, 80.5);
      this->Filter->SetKeepRegions(vtkVulkanMarchingCubes::KEEP_LARGEST);
      this->Filter->SetNumberOfKeptRegions(3);
      this->Filter->SetMergePoints(merge);
      this->Filter->SetOutputIds(ids);
      vtkPolyData* const kept = this->run(image, 80.5);
      EXPECT_EQ(this->measure("NumberOfRegions"), 3);
      vtkDataArray* const region = whole->GetCellData()->GetArray("RegionId");
      vtkIdType next = 0;
      for (vtkIdType cell = 0; cell < whole->GetNumberOfCells(); ++cell)
      {
        if (region->GetTuple1(cell) > 2)
          continue;
        ASSERT_LT(next, kept->GetNumberOfCells());
        ASSERT_EQ(kept->GetCellData()->GetArray("RegionId")->GetTuple1(next), region->GetTuple1(cell));
        vtkCell* const expected = whole->GetCell(cell);
        double at[3][3], normal[3][3];
        for (int corner = 0; corner < 3; ++corner)
        {
          whole->GetPoint(expected->GetPointId(corner), at[corner]);
          whole->GetPointData()->GetNormals()->GetTuple(expected->GetPointId(corner), normal[corner]);
        }
        vtkCell* const found = kept->GetCell(next++);
        for (int corner = 0; corner < 3; ++corner)
          for (int axis = 0; axis < 3; ++axis)
          {
            ASSERT_EQ(kept->GetPoint(found->GetPointId(corner))[axis], at[corner][axis]);
            ASSERT_EQ(
              kept->GetPointData()->GetNormals()->GetComponent(found->GetPointId(corner), axis), normal[corner][axis]);
          }
      }
      EXPECT_EQ(next, kept->GetNumberOfCells());
      EXPECT_EQ(kept->GetPointData()->GetScalars()->GetNumberOfTuples(), kept->GetNumberOfPoints());
      if (merge)
      {
        this->expectMeasures(kept);
        this->expectRegions(kept);
      }
    }
}

TEST_F(FilterMeasures, RegionsAreKeptBySizeAndPlace)
{
  using F = vtkVulkanMarchingCubes;
  const auto image = CellImage({ 66, 17, 17 }, VTK_FLOAT, Balls());
  const auto keep = [&](int mode, int count, double least)
  {
    this->Filter->SetKeepRegions(mode);
    this->Filter->SetNumberOfKeptRegions(count);
    this->Filter->SetLeastSize(least);
    this->run(image, 0);
    return this->measure("NumberOfRegions");
  };
  EXPECT_EQ(keep(F::KEEP_ALL, 1, 0), 5);
  std::vector<double> triangles, area, volume;
  for (vtkIdType row = 0; row < 5; ++row)
  {
    triangles.push_back(this->region("Triangles", row));
    area.push_back(this->region("SurfaceArea", row));
    volume.push_back(this->region("EnclosedVolume", row));
  }
  EXPECT_NEAR(volume[0], 4.0 / 3 * 3.14159 * std::pow(5.5, 3), 0.03 * volume[0]);
  EXPECT_EQ(keep(F::KEEP_LARGEST, 2, 0), 2);
  EXPECT_EQ(this->region("Triangles", 1), triangles[1]);
  EXPECT_EQ(keep(F::KEEP_LARGEST, 99, 0), 5);
  EXPECT_EQ(keep(F::KEEP_TRIANGLES, 1, triangles[2]), 3);
  EXPECT_EQ(keep(F::KEEP_TRIANGLES, 1, triangles[2] + 1), 2);
  EXPECT_EQ(keep(F::KEEP_AREA, 1, area[1] * 0.999), 2);
  EXPECT_EQ(keep(F::KEEP_VOLUME, 1, volume[3] * 0.999), 4);
  EXPECT_EQ(keep(F::KEEP_VOLUME, 1, 1e9), 0);
  EXPECT_EQ(this->Filter->GetOutput()->GetNumberOfPoints(), 0);
  EXPECT_EQ(this->measure("SurfaceArea"), 0);
  for (const int boundary : { F::BOUNDARY_OPEN, F::BOUNDARY_EXTEND, F::BOUNDARY_CLOSE })
  {
    this->Filter->SetBoundary(boundary);
    EXPECT_EQ(keep(F::KEEP_TOUCHING_BORDER, 1, 0), 1) << boundary;
    EXPECT_LT(this->region("Triangles", 0), triangles[3]);
    EXPECT_EQ(keep(F::KEEP_NOT_TOUCHING_BORDER, 1, 0), 4) << boundary;
    EXPECT_EQ(this->region("Triangles", 0), triangles[0]);
  }
  this->Filter->SetNearestTo(27, 8, 8); // cell 26 is the middle of the third ball
  EXPECT_EQ(keep(F::KEEP_NEAREST, 1, 0), 1);
  EXPECT_EQ(this->region("Triangles", 0), triangles[2]);
}

// Blocks that share no lattice have regions of their own, which are numbered together.
TEST_F(FilterMeasures, RegionsOfBlocksAreNumberedTogether)
{
  vtkNew<vtkMultiBlockDataSet> blocks;
  const auto small = CellImage({ 24, 24, 24 }, VTK_FLOAT, Ball()), large = CellImage({ 24, 24, 24 }, VTK_FLOAT, Ball());
  large->SetOrigin(100.3, 0, 0);
  large->SetSpacing(1.1, 1, 1);
  blocks->SetBlock(0, small);
  blocks->SetBlock(1, large);
  this->Filter->SetInputData(blocks);
  this->Filter->SetValue(0, 50);
  this->Filter->Update();
  EXPECT_EQ(this->measure("NumberOfRegions"), 2);
  vtkDataArray* const centroid =
    vtkDataArray::SafeDownCast(this->Filter->GetRegions()->GetColumnByName("SurfaceCentroid"));
  EXPECT_LT(centroid->GetComponent(0, 0), 30); // both have equal sizes
  this->Filter->SetKeepRegions(vtkVulkanMarchingCubes::KEEP_LARGEST);
  this->Filter->Update();
  EXPECT_EQ(this->measure("NumberOfRegions"), 1);
  EXPECT_LT(this->Filter->GetOutput()->GetBounds()[1], 30);
}

TEST_F(FilterMeasures, SharesOfImagesAreThoseOfTheHistogram)
{
  for (const int type : { VTK_UNSIGNED_CHAR, VTK_FLOAT, VTK_LONG })
  {
    const auto image = CellImage({ 21, 18, 13 }, type, Noise());
    image->SetSpacing(0.3, 1.7, 0.9);
    this->expectShares(image, { 40, 0.5, 1000 });
    this->Filter->SetBoundary(vtkVulkanMarchingCubes::BOUNDARY_CLOSE);
    this->Filter->SetKeepRegions(vtkVulkanMarchingCubes::KEEP_LARGEST);
    this->expectShares(image, { 40, -5 });
    SetGhosts(image,
      [](vtkIdType cell)
      {
        return cell % 17 == 0   ? int(vtkDataSetAttributes::HIDDENCELL)
               : cell % 29 == 0 ? int(vtkDataSetAttributes::DUPLICATECELL)
                                : 0;
      });
    this->expectShares(image, { 40, 60.5 });
  }
}

TEST_F(FilterMeasures, SharesOfRectilinearGridsAreThoseOfTheHistogram)
{
  const auto image = CellImage({ 21, 18, 13 }, VTK_FLOAT, Noise());
  const auto grid = GridOf(image, UnequalCoordinates(image));
  this->expectShares(grid, { 40, 60.5 });
  SetGhosts(image, [](vtkIdType cell) { return cell % 17 == 0 ? int(vtkDataSetAttributes::HIDDENCELL) : 0; });
  this->expectShares(GridOf(image, UnequalCoordinates(image)), { 40, 60.5 });
}

TEST_F(FilterMeasures, SharesOfAnAmrAreThoseOfTheHistogram)
{
  const auto coarse = CellImage({ 12, 8, 8 }, VTK_FLOAT, Noise()), fine = CellImage({ 8, 16, 16 }, VTK_FLOAT, Noise());
  fine->SetSpacing(0.5, 0.5, 0.5);
  fine->SetOrigin(4, 0, 0);
  SetGhosts(coarse,
    [](vtkIdType cell)
    {
      const bool isRefined = cell % 12 >= 4 && cell % 12 < 8;
      return isRefined ? int(vtkDataSetAttributes::REFINEDCELL) : cell < 2 ? int(vtkDataSetAttributes::HIDDENCELL) : 0;
    });
  this->expectShares(OverlappingAmrOf({ { coarse }, { fine } }), { 40, 60.5 });
}

TEST_F(FilterMeasures, SharesOfBlocksAreAdded)
{
  const auto small = CellImage({ 9, 8, 7 }, VTK_FLOAT, Noise()), large = CellImage({ 12, 9, 11 }, VTK_FLOAT, Noise());
  large->SetOrigin(100.3, 0, 0);
  large->SetSpacing(1.1, 1, 1);
  this->expectShares(TreeOf({ small, large }), { 40, 60.5 });
}

TEST_F(FilterMeasures, SharesNeedMeasures)
{
  this->Filter->ComputeMeasuresOff();
  this->Filter->ComputeRegionsOff();
  this->run(CellImage({ 9, 8, 7 }, VTK_FLOAT, Noise()), 40);
  EXPECT_EQ(this->Filter->GetMeasures()->GetColumnByName("VolumeAbove"), nullptr);
  EXPECT_EQ(this->Filter->GetShareOfDomain()->GetNumberOfValues(), 0);
  EXPECT_EQ(StagesOf(this->Filter).count("CountValues"), 0u);
}

TEST_F(FilterMeasures, AreTheSameInEveryRun)
{
  const auto image = CellImage({ 60, 57, 55 }, VTK_UNSIGNED_CHAR, Noise());
  this->run(image, 80.5);
  const double area = this->measure("SurfaceArea"), volume = this->measure("EnclosedVolume");
  for (int i = 0; i < 3; ++i)
  {
    this->Filter->Modified();
    this->run(image, 80.5);
    EXPECT_EQ(this->measure("SurfaceArea"), area);
    EXPECT_EQ(this->measure("EnclosedVolume"), volume);
  }
}
