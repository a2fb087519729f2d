// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Measures and regions of surfaces on several ranks, compared with those of the same data on one.
#include "Composites.h"
#include "RankTest.h"
#include "RealVolumes.h"

#include "Support/RandomLevels.h"

#include "vtkCellData.h"
#include "vtkCommunicator.h"
#include "vtkDataArray.h"
#include "vtkIdList.h"
#include "vtkImageAlgorithm.h"
#include "vtkInformation.h"
#include "vtkInformationVector.h"
#include "vtkNonOverlappingAMR.h"
#include "vtkObjectFactory.h"
#include "vtkPointData.h"
#include "vtkPolyData.h"
#include "vtkStreamingDemandDrivenPipeline.h"
#include "vtkTable.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <map>

namespace
{

using F = vtkVulkanMarchingCubes;
using Levels = std::vector<std::vector<Image>>;
using Amr = vtkNonOverlappingAMR;

// Cuts pieces out of an image. The pipeline marks the ghost cells.
class PieceSource : public vtkImageAlgorithm
{
public:
  static PieceSource* New();
  vtkTypeMacro(PieceSource, vtkImageAlgorithm);

  void SetImage(vtkImageData* image)
  {
    this->Source = image;
    this->Modified();
  }

protected:
  PieceSource() { this->SetNumberOfInputPorts(0); }

  int RequestInformation(vtkInformation*, vtkInformationVector**, vtkInformationVector* outputs) override
  {
    vtkInformation* const info = outputs->GetInformationObject(0);
    info->Set(vtkStreamingDemandDrivenPipeline::WHOLE_EXTENT(), this->Source->GetExtent(), 6);
    info->Set(vtkAlgorithm::CAN_PRODUCE_SUB_EXTENT(), 1);
    return 1;
  }

  int RequestData(vtkInformation*, vtkInformationVector**, vtkInformationVector* outputs) override
  {
    vtkInformation* const info = outputs->GetInformationObject(0);
    vtkImageData* const output = vtkImageData::GetData(outputs);
    output->DeepCopy(this->Source); // the pipeline adds flags to the array of ghost cells
    output->Crop(info->Get(vtkStreamingDemandDrivenPipeline::UPDATE_EXTENT()));
    return 1;
  }

private:
  vtkSmartPointer<vtkImageData> Source;
};
vtkStandardNewMacro(PieceSource);

double valueIn(vtkTable* table, const char* column, vtkIdType row, int component = 0)
{
  return vtkDataArray::SafeDownCast(table->GetColumnByName(column))->GetComponent(row, component);
}

std::string bytesOf(vtkTable* table)
{
  std::string bytes;
  for (vtkIdType c = 0; c < table->GetNumberOfColumns(); ++c)
    bytes += BytesOf(vtkDataArray::SafeDownCast(table->GetColumn(c)));
  return bytes;
}

// The triangles of each region by their corners, rounded to parts of a cell that all ranks round alike.
using Regions = std::map<std::int64_t, std::vector<std::string>>;

std::vector<std::string> trianglesOf(vtkPolyData* surface)
{
  std::vector<std::string> triangles;
  vtkDataArray* const region = surface->GetCellData()->GetArray("RegionId");
  const vtkNew<vtkIdList> points;
  for (vtkIdType i = 0; i < surface->GetNumberOfCells(); ++i)
  {
    std::array<std::array<std::int32_t, 3>, 3> corners{};
    surface->GetCellPoints(i, points);
    for (int corner = 0; corner < 3; ++corner)
    {
      const double* const position = surface->GetPoint(points->GetId(corner));
      for (int axis = 0; axis < 3; ++axis)
        corners[corner][axis] = static_cast<std::int32_t>(std::lround(position[axis] * 0x1p10));
    }
    std::rotate(corners.begin(), std::min_element(corners.begin(), corners.end()), corners.end());
    const auto id = static_cast<std::int64_t>(region->GetTuple1(i));
    std::string& triangle = triangles.emplace_back(sizeof(id) + sizeof(corners), '\0');
    std::memcpy(triangle.data(), &id, sizeof(id));
    std::memcpy(triangle.data() + sizeof(id), corners.data(), sizeof(corners));
  }
  return triangles;
}

Regions regionsOf(std::vector<std::string> triangles)
{
  std::sort(triangles.begin(), triangles.end());
  Regions regions;
  for (const std::string& triangle : triangles)
  {
    std::int64_t id = 0;
    std::memcpy(&id, triangle.data(), sizeof(id));
    regions[id].push_back(triangle.substr(sizeof(id)));
  }
  return regions;
}

// Compares rows of tables. rounding: of a volume.
void expectMeasures(vtkTable* ours, vtkIdType row, vtkTable* whole, vtkIdType wholeRow)
{
  const auto own = [&](const char* column, int component = 0) { return valueIn(ours, column, row, component); };
  const auto expected = [&](const char* column, int component = 0)
  { return valueIn(whole, column, wholeRow, component); };
  for (const char* const column : { "Isovalue", "Triangles", "OpenEdges" })
    ASSERT_EQ(own(column), expected(column)) << column << " of " << row;
  double diagonal = 0;
  for (int side = 0; side < 6; ++side)
  {
    ASSERT_NEAR(own("SurfaceBounds", side), expected("SurfaceBounds", side), 1e-5);
    diagonal += std::pow(own("SurfaceBounds", side) - own("SurfaceBounds", side ^ 1), 2) / 2;
  }
  diagonal = std::sqrt(diagonal);
  const double area = expected("SurfaceArea"), volume = expected("EnclosedVolume");
  ASSERT_NEAR(own("SurfaceArea"), area, 1e-6 * area);
  // The vector area of a triangle is rounded to float, and multiplied by the distance to another triangle.
  ASSERT_NEAR(own("EnclosedVolume"), volume, 1e-6 * std::abs(volume) + 0x1p-24 * area * diagonal);
  for (int axis = 0; axis < 3; ++axis)
    ASSERT_NEAR(own("SurfaceCentroid", axis), expected("SurfaceCentroid", axis), 1e-6 * diagonal);
}

class RegionsOnRanks : public RankTest
{
protected:
  void SetUp() override
  {
    RankTest::SetUp();
    for (vtkVulkanMarchingCubes* const filter : { this->Filter.Get(), this->Whole.Get() })
    {
      filter->ComputeMeasuresOn();
      filter->ComputeRegionsOn();
    }
  }

  // Calls set(filter) for the filter of all ranks and for that of the whole.
  template <class Set>
  void set(const Set& set)
  {
    for (vtkVulkanMarchingCubes* const filter : { this->Filter.Get(), this->Whole.Get() })
      set(filter);
  }

  void setIsovalues(const std::vector<double>& isovalues)
  {
    this->set(
      [&](F* filter)
      {
        filter->SetNumberOfContours(static_cast<int>(isovalues.size()));
        for (std::size_t i = 0; i < isovalues.size(); ++i)
          filter->SetValue(static_cast<int>(i), isovalues[i]);
      });
  }

  // Runs the filter on the ranks, and compares its results with those of the whole on rank 0. Returns the number of
  // regions.
  vtkIdType expectWhole()
  {
    this->Filter->UpdatePiece(this->rank(), this->ranks(), 0);
    EXPECT_TRUE(this->hasRunOnItsDevice() || this->Filter->GetOutput()->GetNumberOfPoints() == 0);
    const auto tables = this->ofAllRanks({ bytesOf(this->Filter->GetMeasures()) });
    EXPECT_EQ(tables.front(), tables.back()); // every bit on every rank
    const std::vector<std::string> triangles = this->ofAllRanks(trianglesOf(this->Filter->GetOutput()));
    vtkTable* const ours = this->Filter->GetRegions();
    if (this->rank() != 0)
    {
      EXPECT_EQ(ours->GetNumberOfRows(), 0);
      return 0;
    }
    this->Whole->Update();
    this->expectEqual(
      regionsOf(triangles), ours, regionsOf(trianglesOf(this->Whole->GetOutput())), this->Whole->GetRegions());
    for (vtkIdType row = 0; row < this->Whole->GetMeasures()->GetNumberOfRows(); ++row)
    {
      expectMeasures(this->Filter->GetMeasures(), row, this->Whole->GetMeasures(), row);
      EXPECT_EQ(valueIn(this->Filter->GetMeasures(), "NumberOfRegions", row),
        valueIn(this->Whole->GetMeasures(), "NumberOfRegions", row));
      for (const char* const column : { "VolumeAbove", "ShareOfDomain" })
        EXPECT_DOUBLE_EQ(
          valueIn(this->Filter->GetMeasures(), column, row), valueIn(this->Whole->GetMeasures(), column, row));
    }
    return ours->GetNumberOfRows();
  }

  // Regions of one size may have another order.
  static void expectEqual(const Regions& all, vtkTable* ours, const Regions& whole, vtkTable* expected)
  {
    ASSERT_EQ(ours->GetNumberOfRows(), expected->GetNumberOfRows());
    ASSERT_EQ(all.size(), whole.size());
    std::multimap<std::vector<std::string>, std::int64_t> byTriangles;
    for (const auto& [id, triangles] : all)
      byTriangles.emplace(triangles, id);
    for (const auto& [id, triangles] : whole)
    {
      const auto found = byTriangles.find(triangles);
      ASSERT_NE(found, byTriangles.end()) << "region " << id << " of " << triangles.size() << " triangles";
      ASSERT_EQ(valueIn(ours, "Triangles", id), double(triangles.size())); // the order by size
      expectMeasures(ours, found->second, expected, id);
      byTriangles.erase(found);
    }
  }

  // The pieces of an image, whose arrays of this association are contoured.
  void setPieces(vtkImageData* image, int association)
  {
    vtkNew<PieceSource> source;
    source->SetImage(image);
    this->Filter->SetInputConnection(source->GetOutputPort());
    this->Whole->SetInputData(image);
    this->set([=](F* filter) { filter->SetInputArrayToProcess(0, 0, 0, association, vtkDataSetAttributes::SCALARS); });
  }

  // Compares the choices of regions.
  void expectChoices()
  {
    const auto keep = [&](int mode, int count, double least)
    {
      SCOPED_TRACE(testing::Message() << "mode " << mode);
      this->set(
        [=](F* filter)
        {
          filter->SetKeepRegions(mode);
          filter->SetNumberOfKeptRegions(count);
          filter->SetLeastSize(least);
          filter->SetNearestTo(11.2, 9.7, 6.1);
        });
      this->expectWhole();
    };
    keep(F::KEEP_LARGEST, 1, 0);
    keep(F::KEEP_TRIANGLES, 1, 21);
    keep(F::KEEP_AREA, 1, 3.3);
    keep(F::KEEP_VOLUME, 1, 0.41);
    keep(F::KEEP_TOUCHING_BORDER, 1, 0);
    keep(F::KEEP_NOT_TOUCHING_BORDER, 1, 0);
    keep(F::KEEP_NEAREST, 1, 0);
    keep(F::KEEP_ALL, 1, 0);
  }
};

// Noise of few values, so that many points lie at samples. One cell in `hidden` is hidden; 0: none.
Image noiseImage(const std::array<int, 3>& cells, vtkIdType hidden, int type = VTK_UNSIGNED_CHAR)
{
  const CellValue noise = Noise();
  const CellValue value = [&](int x, int y, int z) { return std::floor(noise(x, y, z) / 10); };
  Image image = CellImage(cells, type, value);
  const auto points = CellImage({ cells[0] + 1, cells[1] + 1, cells[2] + 1 }, type, value);
  image->GetPointData()->SetScalars(points->GetCellData()->GetScalars());
  if (hidden != 0)
    SetGhosts(image, [=](vtkIdType cell) { return cell % hidden == 0 ? vtkDataSetAttributes::HIDDENCELL : 0; });
  return image;
}

}

// Integer isovalues: points of different edges have one position. Hidden cells lie at the seams, too.
TEST_F(RegionsOnRanks, OfPiecesOfNoiseAreThoseOfTheWhole)
{
  for (int ranks = 2; ranks <= this->World->GetNumberOfProcesses(); ranks *= 2)
  {
    const bool isUsed = this->useRanks(ranks);
    for (const int association : { vtkDataObject::CELL, vtkDataObject::POINT })
      for (const vtkIdType hidden : { 0, 37 })
        for (const int boundary : { F::BOUNDARY_OPEN, F::BOUNDARY_EXTEND, F::BOUNDARY_CLOSE })
        {
          SCOPED_TRACE(testing::Message() << ranks << " ranks, association " << association << ", hidden " << hidden
                                          << ", boundary " << boundary);
          const bool hasHiddenCellsOfPoints = hidden != 0 && association == vtkDataObject::POINT;
          if (!isUsed || (hasHiddenCellsOfPoints && boundary != F::BOUNDARY_OPEN)) // one boundary suffices for these
            continue;
          this->set(
            [=](F* filter)
            {
              filter->SetBoundary(boundary);
              filter->SetComputeNormals(boundary == F::BOUNDARY_OPEN ? 0 : 1); // one layer of ghost cells, or two
            });
          this->setPieces(noiseImage({ 17, 16, 14 }, hidden), association);
          this->setIsovalues({ 9 });
          const vtkIdType regions = this->expectWhole();
          EXPECT_TRUE(this->rank() != 0 || regions > 20);
          this->setIsovalues({ 9, 4.5, 12, 2 });
          this->expectWhole();
          this->expectChoices();
        }
    vtkMultiProcessController::SetGlobalController(this->World);
  }
  EXPECT_TRUE(this->errors().empty());
}

TEST_F(RegionsOnRanks, OfPiecesOfRealVolumesAreThoseOfTheWhole)
{
  const RealVolume& volume = RealVolumes().front();
  std::string whyNot;
  const vtkSmartPointer<vtkImageData> image = LoadRealVolume(volume, whyNot);
  if (!image)
    GTEST_SKIP() << whyNot;
  for (int ranks = 2; ranks <= std::min(4, this->World->GetNumberOfProcesses()); ranks *= 2)
  {
    const bool isUsed = this->useRanks(ranks);
    this->set([=](F* filter) { filter->SetBoundary(F::BOUNDARY_CLOSE); });
    this->setPieces(image, vtkDataObject::CELL);
    this->setIsovalues({ volume.isovalues.front() });
    if (isUsed)
      this->expectWhole();
    vtkMultiProcessController::SetGlobalController(this->World);
  }
}

// Two pieces do not fit in the memory of the device, which contours them in slabs.
TEST_F(RegionsOnRanks, OfPiecesInSlabsAreThoseOfTheWhole)
{
  this->useRanks(2);
  if (this->World->GetLocalProcessId() > 1)
    return;
  this->setPieces(noiseImage({ 60, 50, 240 }, 0, VTK_DOUBLE), vtkDataObject::CELL);
  this->setIsovalues({ 10 });
  this->Filter->SetMemoryLimit(1.5); // MiB; the samples of a piece need 2.7
  EXPECT_TRUE(this->expectWhole() > 100 || this->rank() != 0);
  EXPECT_TRUE(this->errors().empty());
}

// A client may ask for the table before the surface.
TEST_F(RegionsOnRanks, OfTheTableAloneAreThoseOfTheWhole)
{
  this->useRanks(2);
  if (this->World->GetLocalProcessId() > 1)
    return;
  const Image image = noiseImage({ 23, 21, 19 }, 0);
  this->setPieces(image, vtkDataObject::CELL);
  this->setIsovalues({ 7 });
  vtkNew<vtkInformationVector> requests;
  requests->SetNumberOfInformationObjects(2);
  vtkInformation* const ofTable = requests->GetInformationObject(1);
  ofTable->Set(vtkStreamingDemandDrivenPipeline::UPDATE_PIECE_NUMBER(), this->rank());
  ofTable->Set(vtkStreamingDemandDrivenPipeline::UPDATE_NUMBER_OF_PIECES(), 2);
  this->Filter->Update(1, requests);
  if (this->rank() != 0)
    return;
  this->Whole->Update();
  EXPECT_GT(this->Whole->GetRegions()->GetNumberOfRows(), 10);
  EXPECT_EQ(this->Filter->GetRegions()->GetNumberOfRows(), this->Whole->GetRegions()->GetNumberOfRows());
}

// The measures are those of the other ranks.
TEST_F(RegionsOnRanks, DoNotWaitForARankWithAnError)
{
  this->useRanks(this->World->GetNumberOfProcesses());
  this->setPieces(noiseImage({ 23, 21, 19 }, 0), vtkDataObject::CELL);
  this->setIsovalues({ 7 });
  const bool isLast = this->rank() + 1 == this->ranks();
  if (isLast)
    this->Filter->SetInputArrayToProcess(0, 0, 0, vtkDataObject::FIELD_ASSOCIATION_CELLS, "missing");
  this->Filter->UpdatePiece(this->rank(), this->ranks(), 0);
  EXPECT_EQ(this->errors().size(), isLast ? 1u : 0u);
  vtkIdType own = this->Filter->GetOutput()->GetNumberOfPolys(), all = 0;
  this->Controller->AllReduce(&own, &all, 1, vtkCommunicator::SUM_OP);
  EXPECT_GT(all, 1000);
  EXPECT_EQ(valueIn(this->Filter->GetMeasures(), "Triangles", 0), double(all));
}

// Otherwise it would wait for the other ranks, which do not execute the filter.
TEST_F(RegionsOnRanks, AreThoseOfOnePieceIfTheFilterJoinsNoRanks)
{
  this->useRanks(2);
  if (this->World->GetLocalProcessId() != 0)
    return;
  this->setPieces(noiseImage({ 23, 21, 19 }, 0), vtkDataObject::CELL);
  this->setIsovalues({ 7 });
  this->Filter->SetJoinRanks(false);
  this->Filter->UpdatePiece(0, 2, 0);
  EXPECT_EQ(
    valueIn(this->Filter->GetMeasures(), "Triangles", 0), double(this->Filter->GetOutput()->GetNumberOfPolys()));
}

TEST_F(RegionsOnRanks, OfBlocksAreThoseOfTheWhole)
{
  const Image whole = noiseImage({ 24, 18, 12 }, 43);
  std::vector<Image> blocks;
  for (int number = 0; number < 24; ++number)
  {
    const std::array<int, 3> low = { 6 * (number % 4), 6 * (number / 4 % 3), 6 * (number / 12) };
    Image& block = blocks.emplace_back(vtkSmartPointer<vtkImageData>::New());
    block->DeepCopy(whole);
    const std::array<int, 6> extent = { low[0], low[0] + 6, low[1], low[1] + 6, low[2], low[2] + 6 };
    block->Crop(extent.data());
  }
  this->setIsovalues({ 7, 4.5 });
  for (int ranks = 2; ranks <= this->World->GetNumberOfProcesses(); ranks *= 2)
  {
    const bool isUsed = this->useRanks(ranks);
    for (const int boundary : { F::BOUNDARY_OPEN, F::BOUNDARY_EXTEND, F::BOUNDARY_CLOSE })
      for (const bool isEven : { true, false })
      {
        SCOPED_TRACE(testing::Message() << ranks << " ranks, boundary " << boundary << ", even " << isEven);
        if (!isUsed)
          continue;
        this->set([=](F* filter) { filter->SetBoundary(boundary); });
        std::vector<Image> own = blocks;
        for (std::size_t i = 0; i < blocks.size(); ++i)
          if (!this->isOwn(i, isEven))
            own[i] = nullptr;
        this->Filter->SetInputDataObject(TreeOf(own));
        this->Whole->SetInputDataObject(TreeOf(blocks));
        const vtkIdType regions = this->expectWhole();
        EXPECT_TRUE(this->rank() != 0 || regions > 50);
        this->expectChoices();
      }
    vtkMultiProcessController::SetGlobalController(this->World);
  }
  EXPECT_TRUE(this->errors().empty());
}

TEST_F(RegionsOnRanks, OfRandomHierarchiesAreThoseOfTheWhole)
{
  for (int ranks = 2; ranks <= this->World->GetNumberOfProcesses(); ranks *= 2)
  {
    const bool isUsed = this->useRanks(ranks);
    for (std::uint64_t seed = 0; isUsed && seed < 24; ++seed)
      for (const bool isEven : { true, false })
      {
        SCOPED_TRACE(testing::Message() << ranks << " ranks, seed " << seed << ", even " << isEven);
        this->set([=](F* filter) { filter->SetBoundary(static_cast<int>(seed % 3)); });
        const vmc::test::RandomLevels random = vmc::test::randomLevels(seed);
        const Levels levels = ImagesOf(random.levels, seed % 2 == 0);
        Levels own = levels;
        std::size_t number = 0;
        for (std::vector<Image>& level : own)
          for (Image& image : level)
            if (!this->isOwn(number++, isEven))
              image = nullptr;
        this->Filter->SetInputDataObject(AmrOf<Amr>(own));
        this->Whole->SetInputDataObject(AmrOf<Amr>(levels));
        this->setIsovalues({ random.isovalue });
        this->expectWhole();
      }
    vtkMultiProcessController::SetGlobalController(this->World);
  }
  EXPECT_TRUE(this->errors().empty());
}
