// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Composites.h"
#include "FilterTest.h"
#include "HistogramReference.h"
#include "UnequalGrids.h"

#include "vtkCallbackCommand.h"
#include "vtkCellData.h"
#include "vtkDataSetAttributes.h"
#include "vtkDoubleArray.h"
#include "vtkErrorCode.h"
#include "vtkExtractVOI.h"
#include "vtkIdTypeArray.h"
#include "vtkMultiBlockDataSet.h"
#include "vtkOverlappingAMR.h"
#include "vtkPointData.h"
#include "vtkPolyData.h"
#include "vtkRTAnalyticSource.h"
#include "vtkStreamingDemandDrivenPipeline.h"
#include "vtkStringArray.h"
#include "vtkUnsignedCharArray.h"
#include "vtkVulkanImageHistogram.h"

#include <cmath>
#include <limits>
#include <numeric>

namespace
{

constexpr double Infinity = std::numeric_limits<double>::infinity();
constexpr double Nan = std::numeric_limits<double>::quiet_NaN();
constexpr const char* Cpu = "CPU";

// Each test runs on the device and on the CPU. The device may not fall back.
class ImageHistogram : public testing::TestWithParam<const char*>
{
protected:
  void SetUp() override
  {
    if (GetParam() != std::string(Cpu) && !HasVulkanDevice())
      GTEST_SKIP() << NoVulkanDevice;
    this->Filter->SetDevice(GetParam());
    this->Filter->SetFallback(vtkVulkanImageHistogram::FALLBACK_ERROR);
    vtkNew<vtkCallbackCommand> observer;
    observer->SetCallback([](vtkObject*, unsigned long, void* self, void* text)
      { static_cast<ImageHistogram*>(self)->Messages.emplace_back(static_cast<const char*>(text)); });
    observer->SetClientData(this);
    this->Filter->AddObserver(vtkCommand::ErrorEvent, observer);
    this->Filter->AddObserver(vtkCommand::WarningEvent, observer);
  }

  vtkTable* run(vtkDataObject* input)
  {
    this->Filter->SetInputDataObject(input);
    this->Filter->Update();
    return this->Filter->GetOutput();
  }

  vtkTable* runPoints(vtkDataObject* input, const char* name)
  {
    this->Filter->SetInputArrayToProcess(0, 0, 0, vtkDataObject::FIELD_ASSOCIATION_POINTS, name);
    return this->run(input);
  }

  std::vector<std::string> Messages; // errors and warnings
  vtkNew<vtkVulkanImageHistogram> Filter;
};

// Values that fill the range of small types, with gaps.
CellValue spread()
{
  return [](int i, int j, int k) { return (i * 37 + j * 11 + k * 5) % 120; };
}

// An image with cells and points whose arrays are "samples" and "points".
Image imageOfPoints()
{
  const auto image = CellImage({ 6, 5, 4 }, VTK_FLOAT, spread());
  const auto larger = CellImage({ 7, 6, 5 }, VTK_FLOAT, spread()); // a value for each point of the image
  larger->GetCellData()->GetScalars()->SetName("points");
  image->GetPointData()->AddArray(larger->GetCellData()->GetScalars());
  return image;
}

// The cells [begin, end) along x.
Image cutFrom(vtkImageData* image, int begin, int end)
{
  vtkNew<vtkExtractVOI> cut;
  cut->SetInputData(image);
  cut->SetVOI(begin, end, 0, image->GetDimensions()[1] - 1, 0, image->GetDimensions()[2] - 1);
  cut->Update();
  return cut->GetOutput();
}

// A coarse block whose cells 2 to 3 along x are refined by a block of half the cell size. Some cells are hidden.
std::vector<Image> twoLevels()
{
  const auto coarse = CellImage({ 6, 4, 4 }, VTK_SHORT, spread()), fine = CellImage({ 4, 8, 8 }, VTK_SHORT, spread());
  fine->SetSpacing(0.5, 0.5, 0.5);
  fine->SetOrigin(2, 0, 0);
  SetGhosts(coarse,
    [](vtkIdType cell)
    {
      const bool isRefined = cell % 6 == 2 || cell % 6 == 3;
      return isRefined ? int(vtkDataSetAttributes::REFINEDCELL) : cell < 2 ? int(vtkDataSetAttributes::HIDDENCELL) : 0;
    });
  SetGhosts(fine, [](vtkIdType cell) { return cell == 100 ? int(vtkDataSetAttributes::HIDDENCELL) : 0; });
  return { coarse, fine };
}

// twoLevels() as a hierarchy.
vmc::reference::Levels levelsOf(const std::vector<Image>& images)
{
  vmc::reference::Levels levels;
  levels.ratio = { { 1, 1, 1 }, { 2, 2, 2 } };
  for (std::size_t level = 0; level < images.size(); ++level)
  {
    vtkImageData* const image = images[level];
    vmc::reference::LevelPatch& patch = levels.patches.emplace_back();
    patch.level = level;
    patch.low = { level == 0 ? 0 : 4, 0, 0 };
    for (std::size_t axis = 0; axis < 3; ++axis)
      patch.size[axis] = image->GetDimensions()[axis] - 1;
    for (vtkIdType i = 0; i < image->GetNumberOfCells(); ++i)
    {
      patch.samples.push_back(image->GetCellData()->GetScalars()->GetTuple1(i));
      patch.flags.push_back(image->GetCellGhostArray()->GetValue(i) & vmc::reference::LevelFlag::Hidden);
    }
  }
  return levels;
}

vtkTypeInt64 sumOf(const Integers& counts)
{
  return std::accumulate(counts.begin(), counts.end(), vtkTypeInt64(0));
}

}

TEST_P(ImageHistogram, CountsEveryTypeExactly)
{
  for (const int type :
    { VTK_CHAR, VTK_SIGNED_CHAR, VTK_UNSIGNED_CHAR, VTK_SHORT, VTK_UNSIGNED_SHORT, VTK_INT, VTK_UNSIGNED_INT, VTK_LONG,
      VTK_UNSIGNED_LONG, VTK_LONG_LONG, VTK_UNSIGNED_LONG_LONG, VTK_ID_TYPE, VTK_FLOAT, VTK_DOUBLE })
  {
    SCOPED_TRACE(vtkImageScalarTypeNameMacro(type));
    const auto image = CellImage({ 9, 7, 5 }, type, spread());
    vtkTable* const table = this->run(image);
    ExpectCounts(table, { HistogramInput(image, "samples") });
    EXPECT_EQ(table->GetNumberOfRows(), type == VTK_FLOAT || type == VTK_DOUBLE ? 1024 : 120);
    EXPECT_EQ(sumOf(IntegersOf(table, "Samples")), 9 * 7 * 5);
    EXPECT_EQ(TextOf(table, "Array"), "samples");
    EXPECT_EQ(TextOf(table, "Component"), "");
  }
  EXPECT_TRUE(this->Messages.empty());
}

TEST_P(ImageHistogram, CountsAComponentOrTheMagnitude)
{
  vtkNew<vtkDoubleArray> array;
  array->SetNumberOfComponents(3);
  array->SetComponentName(1, "middle");
  for (int i = 0; i < 6 * 5 * 4; ++i)
    array->InsertNextTuple3(i % 7, -i % 11, i % 13);
  const auto image = CellImage({ 6, 5, 4 }, VTK_FLOAT, spread());
  array->SetName("array");
  image->GetCellData()->SetScalars(array);
  const std::map<int, const char*> names = { { -1, "Magnitude" }, { 0, "0" }, { 1, "middle" }, { 2, "2" } };
  for (const auto& [component, name] : names)
  {
    SCOPED_TRACE(component);
    this->Filter->SetArrayComponent(component);
    vtkTable* const table = this->run(image);
    ExpectCounts(table, { HistogramInput(image, "array", component) });
    EXPECT_EQ(TextOf(table, "Component"), name);
  }
}

TEST_P(ImageHistogram, LeavesOutGhostsAndCountsHiddenOnes)
{
  for (const int type : { VTK_UNSIGNED_CHAR, VTK_FLOAT })
  {
    const auto image = CellImage({ 9, 8, 7 }, type, spread());
    constexpr int Flags[] = { vtkDataSetAttributes::HIDDENCELL, vtkDataSetAttributes::REFINEDCELL,
      vtkDataSetAttributes::DUPLICATECELL, vtkDataSetAttributes::DUPLICATECELL | vtkDataSetAttributes::HIDDENCELL };
    image->GetCellData()->AddArray(
      GhostArray(image->GetNumberOfCells(), [&](vtkIdType cell) { return cell % 17 == 0 ? Flags[cell / 17 % 4] : 0; }));
    vtkTable* const table = this->run(image);
    ExpectCounts(table, { HistogramInput(image, "samples") });
    EXPECT_GT(FieldOf(table, "Ghosts"), 0);
    EXPECT_GT(sumOf(IntegersOf(table, "CutCells")), 0);
  }
}

TEST_P(ImageHistogram, CountsNanAndInfinities)
{
  const auto image = CellImage({ 9, 8, 7 }, VTK_FLOAT,
    [](int i, int j, int k)
    {
      const int number = i + 9 * (j + 8 * k);
      return number % 19 == 0 ? Nan : number % 23 == 0 ? Infinity : number % 29 == 0 ? -Infinity : number % 100;
    });
  vtkTable* const table = this->run(image);
  ExpectCounts(table, { HistogramInput(image, "samples") });
  EXPECT_GT(FieldOf(table, "NaN"), 0);
  EXPECT_GT(FieldOf(table, "Below"), 0);
  EXPECT_GT(FieldOf(table, "Above"), 0);
  EXPECT_EQ(FieldOf(table, "DataRange"), 0); // its first component
  EXPECT_EQ(NumbersOf(table, "Upper").back(), 99);
}

TEST_P(ImageHistogram, TheBoundaryAddsCellsThatAreCut)
{
  const auto image = CellImage({ 6, 5, 4 }, VTK_UNSIGNED_CHAR, spread());
  Integers sums;
  for (const int boundary : { vtkVulkanMarchingCubes::BOUNDARY_OPEN, vtkVulkanMarchingCubes::BOUNDARY_EXTEND,
         vtkVulkanMarchingCubes::BOUNDARY_CLOSE })
  {
    SCOPED_TRACE(boundary);
    this->Filter->SetBoundary(boundary);
    ExpectCounts(this->run(image), { HistogramInput(image, "samples", -1, boundary) });
    sums.push_back(sumOf(IntegersOf(this->Filter->GetOutput(), "CutCells")));
  }
  EXPECT_LT(sums[0], sums[1]);
  EXPECT_LT(sums[1], sums[2]);
}

TEST_P(ImageHistogram, CountsPoints)
{
  const auto image = imageOfPoints();
  for (int boundary = 0; boundary < 3; ++boundary)
  {
    this->Filter->SetBoundary(boundary);
    ExpectCounts(this->runPoints(image, "points"), { HistogramInput(image, "points", -1, boundary, false) });
  }
}

TEST_P(ImageHistogram, TheOnlyArrayIsCountedIfNoneIsChosen)
{
  vtkNew<vtkImageData> image;
  image->SetDimensions(5, 4, 3);
  vtkNew<vtkDoubleArray> array;
  array->SetName("points");
  for (vtkIdType i = 0; i < image->GetNumberOfPoints(); ++i)
    array->InsertNextValue(i * 5 % 11);
  image->GetPointData()->AddArray(array); // not active
  ExpectCounts(this->run(image), { HistogramInput(image, "points", -1, 0, false) });
  EXPECT_EQ(TextOf(this->Filter->GetOutput(), "Array"), "points");
}

TEST_P(ImageHistogram, VolumesAreInWorldUnits)
{
  const auto image = CellImage({ 6, 5, 4 }, VTK_UNSIGNED_CHAR, spread());
  image->SetOrigin(1e6, -3, 0.1);
  image->SetSpacing(0.5, 0.25, 3);
  image->SetExtent(-3, 3, 10, 15, 100, 104);
  const double mirror[9] = { 0, 1, 0, -0.6, 0, 0.8, 0.8, 0, 0.6 };
  image->SetDirectionMatrix(mirror);
  vtkTable* const table = this->run(image);
  ExpectCounts(table, { HistogramInput(image, "samples") });
  // All samples. The direction matrix is a rotation, up to rounding.
  EXPECT_NEAR(NumbersOf(table, "VolumeAbove").front(), 6 * 5 * 4 * 0.375, 1e-12);
}

TEST_P(ImageHistogram, BinsAreAsRequested)
{
  const auto image = CellImage({ 6, 5, 4 }, VTK_UNSIGNED_CHAR, spread());
  this->Filter->SetNumberOfBins(7);
  ExpectCounts(this->run(image), { HistogramInput(image, "samples") });
  EXPECT_EQ(this->Filter->GetOutput()->GetNumberOfRows(), 7);
  EXPECT_EQ(NumbersOf(this->Filter->GetOutput(), "Upper").back(), 119); // as numpy.histogram
  this->Filter->UseCustomRangeOn();
  this->Filter->SetCustomRange(20.25, 61.5);
  ExpectCounts(this->run(image), { HistogramInput(image, "samples") });
  EXPECT_EQ(NumbersOf(this->Filter->GetOutput(), "Lower").front(), 20.25);
  this->Filter->SetNumberOfBins(0);
  ExpectCounts(this->run(image), { HistogramInput(image, "samples") });
  EXPECT_EQ(this->Filter->GetOutput()->GetNumberOfRows(), 41); // the integers 21 to 61
  this->Filter->SetCustomRange(500, 500);
  ExpectCounts(this->run(image), { HistogramInput(image, "samples") });
  EXPECT_EQ(FieldOf(this->Filter->GetOutput(), "Below"), 6 * 5 * 4);
}

TEST_P(ImageHistogram, LeavesOfACompositeDataSetAreCountedTogether)
{
  vtkNew<vtkMultiBlockDataSet> blocks, inner;
  const auto first = CellImage({ 6, 5, 4 }, VTK_UNSIGNED_CHAR, spread());
  const auto second =
    CellImage({ 3, 4, 5 }, VTK_FLOAT, [](int i, int j, int k) { return 0.7 * i + 30 * j - 9.25 * k; });
  second->SetSpacing(1.0 / 3, 0.1, 7);
  blocks->SetBlock(0, first);
  inner->SetBlock(0, second);
  inner->SetBlock(2, vtkNew<vtkImageData>()); // without points
  blocks->SetBlock(1, inner);
  vtkTable* const table = this->run(blocks);
  ExpectCounts(table, { HistogramInput(first, "samples"), HistogramInput(second, "samples") });
  EXPECT_EQ(table->GetNumberOfRows(), 1024); // as for floats
  EXPECT_TRUE(this->Messages.empty());
  blocks->SetBlock(2, vtkNew<vtkPolyData>());
  this->run(blocks);
  ASSERT_EQ(this->Messages.size(), 1u);
  EXPECT_CONTAINS(
    this->Messages[0], "1 of 4 blocks of the input are neither vtkImageData nor vtkRectilinearGrid and are left out.");
}

TEST_P(ImageHistogram, FineCellsOfAnAmrReplaceCoarseOnes)
{
  const std::vector<Image> levels = twoLevels();
  const auto amr = OverlappingAmrOf({ { levels[0] }, { levels[1] } });
  vtkTable* const table = this->run(amr);
  ExpectLevels(table, levelsOf(levels));
  EXPECT_EQ(NumbersOf(table, "VolumeAbove").front(), 6 * 4 * 4 - 2 - 0.125); // without hidden cells
  EXPECT_EQ(FieldOf(table, "Ghosts"), 3);
  EXPECT_TRUE(IsCpu(this->Filter->GetUsedDevice())) << this->Filter->GetUsedDevice();
  EXPECT_TRUE(this->Messages.empty());
}

TEST_P(ImageHistogram, WithoutJoinedBlocksRefinedCellsOfAnAmrAreGhosts)
{
  const std::vector<Image> levels = twoLevels();
  this->Filter->JoinBlocksOff();
  vtkTable* const table = this->run(OverlappingAmrOf({ { levels[0] }, { levels[1] } }));
  ExpectCounts(table, { HistogramInput(levels[0], "samples"), HistogramInput(levels[1], "samples") });
  EXPECT_EQ(FieldOf(table, "Ghosts"), 2 * 4 * 4 + 3);
}

// The last block has ghost cells.
TEST_P(ImageHistogram, BlocksOfOneImageHaveItsTable)
{
  for (const int type : { VTK_UNSIGNED_CHAR, VTK_FLOAT, VTK_LONG })
  {
    const auto image = CellImage({ 21, 12, 9 }, type, Noise());
    image->SetSpacing(0.5, 0.25, 2);
    std::vector<Image> blocks = { cutFrom(image, 0, 8), cutFrom(image, 8, 11), cutFrom(image, 9, 21) };
    SetGhosts(blocks.back(), [](vtkIdType cell) { return cell % 12 < 2 ? vtkDataSetAttributes::DUPLICATECELL : 0; });
    for (const int boundary : { 2, 1, 0 })
    {
      this->Filter->SetBoundary(boundary);
      const std::string expected = BytesOfTable(this->run(image));
      EXPECT_EQ(BytesOfTable(this->run(TreeOf(blocks))), expected) << boundary;
    }
    const Integers cut = IntegersOf(this->Filter->GetOutput(), "CutCells");
    this->Filter->JoinBlocksOff();
    this->run(TreeOf(blocks));
    EXPECT_LT(sumOf(IntegersOf(this->Filter->GetOutput(), "CutCells")), sumOf(cut));
    this->Filter->JoinBlocksOn();
  }
  EXPECT_TRUE(this->Messages.empty());
}

TEST_P(ImageHistogram, BlocksThatDoNotFitAreOneMessage)
{
  const auto whole = CellImage({ 8, 4, 4 }, VTK_FLOAT, spread()), other = CellImage({ 8, 4, 4 }, VTK_SHORT, spread());
  vtkTable* table = this->run(TreeOf({ cutFrom(whole, 0, 4), cutFrom(other, 4, 8) }));
  EXPECT_EQ(sumOf(IntegersOf(table, "Samples")), 8 * 4 * 4);
  ASSERT_EQ(this->Messages.size(), 1u);
  EXPECT_CONTAINS(this->Messages[0], "values have another type");
  const auto wrong = CellImage({ 8, 4, 4 }, VTK_FLOAT, spread());
  wrong->SetOrigin(0.3, 0, 0);
  wrong->SetSpacing(0.5, 0.5, 0.5);
  EXPECT_EQ(this->run(OverlappingAmrOf({ { whole }, { wrong } }))->GetNumberOfColumns(), 0);
  ASSERT_EQ(this->Messages.size(), 2u);
  EXPECT_CONTAINS(this->Messages[1], "lies between 0.6 and 8.6 along axis 0");
}

// The originals of the last ghost cells are on another rank.
TEST_P(ImageHistogram, BlocksOfAPieceWithGhostCellsAreCountedAlone)
{
  const auto image = CellImage({ 16, 4, 4 }, VTK_FLOAT, spread());
  const std::vector<Image> blocks = { cutFrom(image, 0, 9), cutFrom(image, 8, 16) };
  for (vtkImageData* block : { blocks[0].Get(), blocks[1].Get() })
    SetGhosts(block, [size = block->GetDimensions()[0] - 1](vtkIdType cell)
      { return cell % size == size - 1 ? vtkDataSetAttributes::DUPLICATECELL : 0; });
  const vtkTypeInt64 cutTogether = sumOf(IntegersOf(this->run(TreeOf(blocks)), "CutCells"));
  this->Filter->Modified();
  this->Filter->UpdatePiece(0, 2, 0);
  ExpectCounts(
    this->Filter->GetOutput(), { HistogramInput(blocks[0], "samples"), HistogramInput(blocks[1], "samples") });
  EXPECT_LT(cutTogether, sumOf(IntegersOf(this->Filter->GetOutput(), "CutCells")));
}

TEST_P(ImageHistogram, VolumesOfRectilinearGridsAreThoseOfTheirCells)
{
  for (const int type : { VTK_UNSIGNED_CHAR, VTK_FLOAT, VTK_LONG })
  {
    const auto image = CellImage({ 9, 8, 7 }, type, spread());
    SetGhosts(image,
      [](vtkIdType cell)
      {
        return cell % 17 == 0   ? int(vtkDataSetAttributes::HIDDENCELL)
               : cell % 29 == 0 ? int(vtkDataSetAttributes::DUPLICATECELL)
                                : 0;
      });
    if (type == VTK_FLOAT)
      image->GetCellData()->GetScalars()->SetTuple1(77, Nan);
    const PointCoordinates points = UnequalCoordinates(image);
    ExpectCounts(this->run(GridOf(image, points)), { HistogramInput(image, "samples").onGrid(points) });
    this->Filter->UseCustomRangeOn(); // samples above all bins
    this->Filter->SetCustomRange(20, 61);
    ExpectCounts(this->run(GridOf(image, points)), { HistogramInput(image, "samples").onGrid(points) });
    this->Filter->UseCustomRangeOff();
  }
  EXPECT_TRUE(this->Messages.empty());
}

TEST_P(ImageHistogram, PointsOfRectilinearGridsHaveTheVolumesAroundThem)
{
  const auto image = imageOfPoints();
  const PointCoordinates points = UnequalCoordinates(image);
  ExpectCounts(
    this->runPoints(GridOf(image, points), "points"), { HistogramInput(image, "points", -1, 0, false).onGrid(points) });
}

// The spacings are powers of 2, so that no volume is rounded.
TEST_P(ImageHistogram, RectilinearGridsAtEqualDistancesHaveTheTablesOfImages)
{
  const auto image = imageOfPoints();
  image->SetSpacing(0.5, 0.25, 2);
  const auto grid = GridOf(image, EqualCoordinates(image));
  const std::string ofCells = BytesOfTable(this->run(image));
  EXPECT_EQ(BytesOfTable(this->run(grid)), ofCells);
  const std::string expected = BytesOfTable(this->runPoints(image, "points"));
  EXPECT_EQ(BytesOfTable(this->runPoints(grid, "points")), expected);
}

TEST_P(ImageHistogram, GridsBesideJoinedBlocksAreCountedAlone)
{
  const auto image = CellImage({ 9, 8, 7 }, VTK_FLOAT, spread()), other = CellImage({ 6, 5, 4 }, VTK_FLOAT, spread());
  const PointCoordinates points = UnequalCoordinates(other);
  auto blocks = TreeOf({ cutFrom(image, 0, 4), cutFrom(image, 4, 9) });
  blocks->SetBlock(2, GridOf(other, points));
  for (const bool joins : { true, false })
  {
    this->Filter->SetJoinBlocks(joins);
    std::vector<HistogramInput> inputs = { HistogramInput(other, "samples").onGrid(points) };
    if (joins)
      inputs.emplace_back(image, "samples");
    else
      for (unsigned int block = 0; block < 2; ++block)
        inputs.emplace_back(vtkImageData::SafeDownCast(blocks->GetBlock(block)), "samples");
    ExpectCounts(this->run(blocks), inputs);
  }
  EXPECT_TRUE(this->Messages.empty());
}

TEST_P(ImageHistogram, CoordinatesThatDoNotIncreaseAreOneError)
{
  const auto image = CellImage({ 9, 8, 7 }, VTK_FLOAT, spread());
  PointCoordinates points = UnequalCoordinates(image);
  std::swap(points[1][5], points[1][6]);
  const auto grid = GridOf(image, points);
  vtkNew<vtkMultiBlockDataSet> blocks;
  blocks->SetBlock(0, grid);
  for (vtkDataObject* input : { static_cast<vtkDataObject*>(grid), static_cast<vtkDataObject*>(blocks) })
  {
    EXPECT_EQ(this->run(input)->GetNumberOfColumns(), 0);
    ASSERT_EQ(this->Messages.size(), 1u);
    EXPECT_CONTAINS(this->Messages[0], "The coordinates along y must be finite and increase");
    this->Messages.clear();
  }
}

TEST_P(ImageHistogram, ConstantImagesHaveOneBinOfSamplesAndNoSuggestion)
{
  for (const int type : { VTK_UNSIGNED_CHAR, VTK_SHORT, VTK_FLOAT, VTK_DOUBLE })
    for (const double value : { 0.0, 7.0 })
    {
      const auto image = CellImage({ 4, 4, 4 }, type, [=](int, int, int) { return value; });
      vtkTable* const table = this->run(image);
      ExpectCounts(table, { HistogramInput(image, "samples") });
      EXPECT_EQ(sumOf(IntegersOf(table, "Samples")), 64);
      EXPECT_EQ(sumOf(IntegersOf(table, "CutCells")), 0);
      EXPECT_EQ(FieldOf(table, "DataRange"), value);
      EXPECT_FALSE(HasField(table, "OtsuThreshold"));
      EXPECT_FALSE(HasField(table, "MostCutCells"));
    }
}

TEST_P(ImageHistogram, SuggestionsCutCells)
{
  const auto image = CellImage({ 24, 24, 24 }, VTK_FLOAT, Ball());
  vtkTable* const table = this->run(image);
  for (const char* name : { "OtsuThreshold", "MostCutCells" })
  {
    vtkNew<vtkVulkanMarchingCubes> contour;
    contour->SetInputData(image);
    contour->SetValue(0, FieldOf(table, name));
    contour->Update();
    EXPECT_GT(contour->GetOutput()->GetNumberOfPolys(), 0) << name;
  }
}

TEST_P(ImageHistogram, LabelMapsHaveValuesHalfWayBetweenTheLabels)
{
  const auto image = CellImage({ 16, 16, 16 }, VTK_SHORT, [](int, int, int z) { return z / 4 + (z >= 12 ? 2 : 0); });
  EXPECT_EQ(FieldValuesOf(this->run(image), "Valleys"), (std::vector<double>{ 0.5, 1.5, 3.5 })); // of 0, 1, 2 and 5
}

TEST_P(ImageHistogram, FlatImagesAreCounted)
{
  for (const std::array<int, 3>& points : { std::array{ 8, 6, 1 }, { 1, 6, 8 }, { 8, 1, 6 }, { 1, 1, 8 }, { 1, 1, 1 } })
    for (const bool ofCells : { true, false })
    {
      vtkNew<vtkImageData> image;
      image->SetDimensions(points[0], points[1], points[2]);
      vtkDataSetAttributes* const data = image->GetAttributes(ofCells ? vtkDataObject::CELL : vtkDataObject::POINT);
      vtkNew<vtkDoubleArray> array;
      array->SetName("array");
      for (vtkIdType i = 0; i < (ofCells ? image->GetNumberOfCells() : image->GetNumberOfPoints()); ++i)
        array->InsertNextValue(i * 5 % 11);
      data->AddArray(array);
      this->Filter->SetInputArrayToProcess(0, 0, 0, ofCells ? 1 : 0, "array");
      ExpectCounts(this->run(image), { HistogramInput(image, "array", -1, 0, ofCells) });
      image->GetCellData()->AddArray(
        GhostArray(image->GetNumberOfCells(), [](vtkIdType) { return vtkDataSetAttributes::DUPLICATECELL; }));
      EXPECT_EQ(this->run(image)->GetNumberOfRows(), 0);
    }
  EXPECT_TRUE(this->Messages.empty());
}

TEST_P(ImageHistogram, ImagesWithoutFiniteSamplesHaveNoBins)
{
  const auto image = CellImage({ 3, 3, 3 }, VTK_FLOAT, [](int i, int, int) { return i == 0 ? Infinity : Nan; });
  vtkTable* const table = this->run(image);
  EXPECT_EQ(table->GetNumberOfRows(), 0);
  EXPECT_EQ(FieldOf(table, "NaN"), 18);
  EXPECT_EQ(FieldOf(table, "Above"), 9);
  EXPECT_FALSE(HasField(table, "DataRange"));
  this->Filter->UseCustomRangeOn();
  ExpectCounts(this->run(image), { HistogramInput(image, "samples") });
}

TEST_P(ImageHistogram, EmptyInputsHaveNoBins)
{
  EXPECT_EQ(this->run(vtkNew<vtkImageData>())->GetNumberOfRows(), 0);
  EXPECT_EQ(FieldOf(this->Filter->GetOutput(), "NaN"), 0);
  EXPECT_EQ(this->run(vtkNew<vtkMultiBlockDataSet>())->GetNumberOfRows(), 0);
  EXPECT_STREQ(this->Filter->GetUsedDevice(), "");
  EXPECT_TRUE(this->Messages.empty());
}

TEST_P(ImageHistogram, AnErrorIsReportedOnceAndLeavesAnEmptyTable)
{
  const auto image = CellImage({ 4, 4, 4 }, VTK_FLOAT, spread());
  this->run(image);
  this->Filter->SetArrayComponent(5);
  EXPECT_EQ(this->run(image)->GetNumberOfColumns(), 0);
  ASSERT_EQ(this->Messages.size(), 1u);
  EXPECT_CONTAINS(this->Messages[0], "The array \"samples\" has 1 components; component 5 is requested.");
  EXPECT_NE(this->Filter->GetErrorCode(), vtkErrorCode::NoError);
  this->Filter->SetArrayComponent(0);
  ExpectCounts(this->run(image), { HistogramInput(image, "samples") });
  EXPECT_EQ(this->Filter->GetErrorCode(), vtkErrorCode::NoError);
  this->Filter->UseCustomRangeOn();
  for (const auto& range : { std::array{ 1.0, 0.0 }, { Nan, 1.0 }, { 0.0, Infinity } })
  {
    this->Messages.clear();
    this->Filter->SetCustomRange(range.data());
    EXPECT_EQ(this->run(image)->GetNumberOfRows(), 0);
    ASSERT_EQ(this->Messages.size(), 1u);
    EXPECT_CONTAINS(this->Messages[0], "it must be finite and in ascending order.");
  }
  this->Messages.clear();
  this->Filter->SetCustomRange(1e300, -0.125);
  this->run(image);
  ASSERT_EQ(this->Messages.size(), 1u);
  EXPECT_CONTAINS(this->Messages[0], "The custom range is 1e+300 to -0.125;");
}

TEST_P(ImageHistogram, BlocksWithoutTheArrayAreLeftOutWithAWarning)
{
  const auto image = CellImage({ 6, 5, 4 }, VTK_FLOAT, spread()), other = CellImage({ 4, 4, 4 }, VTK_FLOAT, spread());
  other->GetCellData()->GetScalars()->SetName("other");
  vtkNew<vtkMultiBlockDataSet> blocks;
  this->Filter->SetInputArrayToProcess(0, 0, 0, vtkDataObject::FIELD_ASSOCIATION_CELLS, "samples");
  for (const unsigned int withArray : { 0u, 1u })
  {
    this->Messages.clear();
    blocks->SetBlock(withArray, image);
    blocks->SetBlock(1 - withArray, other);
    vtkTable* const table = this->run(blocks);
    ExpectCounts(table, { HistogramInput(image, "samples") });
    EXPECT_EQ(TextOf(table, "Array"), "samples");
    ASSERT_EQ(this->Messages.size(), 1u);
    EXPECT_CONTAINS(
      this->Messages[0], "1 of 2 blocks of the input do not have the array \"samples\" and are left out.");
    EXPECT_EQ(this->Filter->GetErrorCode(), vtkErrorCode::NoError);
  }
}

TEST_P(ImageHistogram, AnArrayThatNoBlockHasIsAnErrorThatListsTheArrays)
{
  vtkNew<vtkMultiBlockDataSet> blocks;
  for (const unsigned int block : { 0u, 1u })
    blocks->SetBlock(block, CellImage({ 4, 4, 4 }, VTK_FLOAT, spread()));
  this->Filter->SetInputArrayToProcess(0, 0, 0, vtkDataObject::FIELD_ASSOCIATION_CELLS, "no such array");
  EXPECT_EQ(this->run(blocks)->GetNumberOfColumns(), 0);
  ASSERT_EQ(this->Messages.size(), 1u);
  EXPECT_CONTAINS(this->Messages[0], "There is no numeric cell array \"no such array\". Cell arrays: samples.");
  EXPECT_NE(this->Filter->GetErrorCode(), vtkErrorCode::NoError);
}

TEST_P(ImageHistogram, TheNameOfTheCpuIsNotCaseSensitive)
{
  const auto image = CellImage({ 6, 5, 4 }, VTK_FLOAT, spread());
  for (const char* name : { "cpu", "Cpu", "cpu (Threads)" })
  {
    this->Filter->SetDevice(name);
    this->run(image);
    EXPECT_TRUE(IsCpu(this->Filter->GetUsedDevice())) << name;
  }
  EXPECT_TRUE(this->Messages.empty());
}

TEST_P(ImageHistogram, AnUnknownDeviceIsAnErrorThatNamesTheCpuToo)
{
  if (GetParam() == std::string(Cpu))
    GTEST_SKIP() << "The devices of Vulkan are listed.";
  this->Filter->SetDevice("no such device");
  EXPECT_EQ(this->run(CellImage({ 4, 4, 4 }, VTK_FLOAT, spread()))->GetNumberOfColumns(), 0);
  ASSERT_EQ(this->Messages.size(), 1u);
  EXPECT_CONTAINS(this->Messages[0], "There is no device \"no such device\". The devices are: ");
  EXPECT_CONTAINS(this->Messages[0], ", CPU (threads).");
}

TEST_P(ImageHistogram, AStoppedExecutionHasAnEmptyTable)
{
  const auto image = CellImage({ 6, 5, 4 }, VTK_FLOAT, spread());
  vtkNew<vtkCallbackCommand> stop;
  stop->SetCallback([](vtkObject* filter, unsigned long, void*, void*)
    { static_cast<vtkVulkanImageHistogram*>(filter)->AbortExecuteOn(); });
  const unsigned long tag = this->Filter->AddObserver(vtkCommand::ProgressEvent, stop);
  EXPECT_EQ(this->run(image)->GetNumberOfColumns(), 0);
  this->Filter->RemoveObserver(tag);
  this->Filter->SetAbortExecute(0);
  this->Filter->Modified();
  ExpectCounts(this->run(image), { HistogramInput(image, "samples") });
  EXPECT_TRUE(this->Messages.empty());
}

TEST_P(ImageHistogram, ChangedSamplesAreCountedAgain)
{
  const auto image = CellImage({ 12, 11, 10 }, VTK_FLOAT, Noise());
  this->run(image);
  vtkDataArray* const samples = image->GetCellData()->GetScalars();
  for (const double value : { 500.0, -500.0 })
  {
    samples->SetTuple1(77, value);
    samples->Modified();
    image->Modified();
    ExpectCounts(this->run(image), { HistogramInput(image, "samples") });
  }
}

TEST_P(ImageHistogram, TellsWhatCountedAndHowLong)
{
  const bool isCpu = GetParam() == std::string(Cpu);
  this->run(CellImage({ 24, 24, 24 }, VTK_FLOAT, Ball()));
  const std::string used = this->Filter->GetUsedDevice();
  EXPECT_TRUE(isCpu ? IsCpu(used) : used == this->Filter->GetDeviceNames()->GetValue(0)) << used;
  EXPECT_STREQ(this->Filter->GetFallbackReason(), "");
  EXPECT_GT(this->Filter->GetCountTime(), 0);
  EXPECT_GT(this->Filter->GetTotalTime(), this->Filter->GetUploadTime() + this->Filter->GetCountTime());
  EXPECT_EQ(this->Filter->GetUploadTime() > 0, !isCpu);
}

// The CPU finds the range of doubles.
TEST_P(ImageHistogram, TellsThatTheCpuFoundTheRange)
{
  const bool isCpu = GetParam() == std::string(Cpu);
  const auto image = CellImage({ 24, 24, 24 }, VTK_DOUBLE, Ball());
  const std::string device = this->Filter->GetDeviceNames()->GetValue(0);
  this->run(image);
  const std::string used = this->Filter->GetUsedDevice();
  EXPECT_TRUE(IsCpu(used)) << used;
  EXPECT_EQ(used.find("; " + device) != std::string::npos, !isCpu) << used;
}

// Pieces of one image, as ranks get them, but added up here.
TEST_P(ImageHistogram, PiecesCountEachSampleAndEachCellOnce)
{
  vtkNew<vtkRTAnalyticSource> source;
  source->SetWholeExtent(0, 20, 0, 19, 0, 18);
  this->Filter->SetInputConnection(source->GetOutputPort());
  this->Filter->SetInputArrayToProcess(0, 0, 0, vtkDataObject::FIELD_ASSOCIATION_POINTS, "RTData");
  this->Filter->UseCustomRangeOn();
  this->Filter->SetCustomRange(-500, 500);
  for (int boundary = 0; boundary < 3; ++boundary)
  {
    this->Filter->SetBoundary(boundary);
    this->Filter->Update();
    const Integers samples = IntegersOf(this->Filter->GetOutput(), "Samples");
    const Integers cells = IntegersOf(this->Filter->GetOutput(), "CutCells");
    EXPECT_EQ(sumOf(samples), 21 * 20 * 19);
    Integers sumOfSamples(samples.size()), sumOfCells(cells.size());
    for (int piece = 0; piece < 3; ++piece)
    {
      this->Filter->Modified(); // VTK 9.3 does not execute again for another piece alone
      this->Filter->UpdatePiece(piece, 3, 0);
      for (std::size_t bin = 0; bin < samples.size(); ++bin)
      {
        sumOfSamples[bin] += IntegersOf(this->Filter->GetOutput(), "Samples")[bin];
        sumOfCells[bin] += IntegersOf(this->Filter->GetOutput(), "CutCells")[bin];
      }
    }
    EXPECT_EQ(sumOfSamples, samples);
    EXPECT_EQ(sumOfCells, cells);
  }
  EXPECT_TRUE(this->Messages.empty());
}

INSTANTIATE_TEST_SUITE_P(Everywhere, ImageHistogram, testing::Values("automatic", Cpu),
  [](const auto& info) { return info.param == std::string(Cpu) ? "OnCpu" : "OnDevice"; });

// Without a device that the tests may use, these are skipped like those above.
class HistogramOnDeviceAndCpu : public FilterTest
{
};

// One layer of bricks is more than 1 MiB.
TEST_F(HistogramOnDeviceAndCpu, TooLittleDeviceMemoryGivesTheSameTableFromTheCpuOrAnError)
{
  vtkNew<vtkVulkanImageHistogram> filter;
  filter->SetInputData(CellImage({ 300, 300, 12 }, VTK_FLOAT, Noise()));
  filter->SetDevice(Cpu);
  filter->Update();
  const std::string bytes = BytesOfTable(filter->GetOutput());
  filter->SetDevice("automatic");
  filter->SetMemoryLimit(1);
  filter->Update();
  EXPECT_EQ(BytesOfTable(filter->GetOutput()), bytes);
  const bool hasFallenBack = IsCpu(filter->GetUsedDevice());
  EXPECT_EQ(std::string(filter->GetFallbackReason()).empty(), !hasFallenBack);
}
