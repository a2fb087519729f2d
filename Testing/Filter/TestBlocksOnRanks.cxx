// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Composite data sets whose blocks are dealt to several ranks. Every rank runs every test, started by mpiexec. The
// whole data set, on rank 0, is the reference.
#include "Composites.h"
#include "RankTest.h"

#include "Support/RandomLevels.h"

#include "vtkCellArray.h"
#include "vtkCellData.h"
#include "vtkDoubleArray.h"
#include "vtkExecutive.h"
#include "vtkFieldData.h"
#include "vtkMPIController.h"
#include "vtkNonOverlappingAMR.h"
#include "vtkPointData.h"
#include "vtkTable.h"
#include "vtkVulkanImageHistogram.h"

#include <algorithm>
#include <cstring>
#include <iterator>

namespace
{

using Levels = std::vector<std::vector<Image>>;
using Amr = vtkNonOverlappingAMR;

// A triangle: the positions, normals, gradients and attributes of its corners, and its cell arrays. The corner with the
// smallest bytes is the first.
using Triangle = std::string;

std::string tupleOf(vtkDataArray* array, vtkIdType tuple)
{
  const auto size = static_cast<std::size_t>(array->GetDataTypeSize() * array->GetNumberOfComponents());
  return { static_cast<const char*>(array->GetVoidPointer(0)) + size * static_cast<std::size_t>(tuple), size };
}

std::vector<Triangle> trianglesOf(vtkPolyData* mesh)
{
  std::vector<Triangle> triangles;
  for (vtkIdType i = 0; i < mesh->GetNumberOfPolys(); ++i)
  {
    vtkIdType size = 0;
    const vtkIdType* ids = nullptr;
    mesh->GetPolys()->GetCellAtId(i, size, ids);
    std::array<std::string, 3> corners;
    for (std::size_t corner = 0; corner < 3; ++corner)
    {
      corners[corner] = tupleOf(mesh->GetPoints()->GetData(), ids[corner]);
      for (int a = 0; a < mesh->GetPointData()->GetNumberOfArrays(); ++a)
        corners[corner] += tupleOf(mesh->GetPointData()->GetArray(a), ids[corner]);
    }
    std::rotate(corners.begin(), std::min_element(corners.begin(), corners.end()), corners.end());
    Triangle& triangle = triangles.emplace_back(corners[0] + corners[1] + corners[2]);
    for (int a = 0; a < mesh->GetCellData()->GetNumberOfArrays(); ++a)
      triangle += tupleOf(mesh->GetCellData()->GetArray(a), i);
  }
  std::sort(triangles.begin(), triangles.end());
  return triangles;
}

std::vector<std::string> namesOf(vtkPolyData* mesh)
{
  std::vector<std::string> names;
  for (vtkDataSetAttributes* const data : { static_cast<vtkDataSetAttributes*>(mesh->GetPointData()),
         static_cast<vtkDataSetAttributes*>(mesh->GetCellData()) })
    for (int a = 0; a < data->GetNumberOfArrays(); ++a)
      names.emplace_back(data->GetArrayName(a));
  return names;
}

std::vector<std::string> textsOf(vtkTable* table)
{
  std::vector<std::string> texts;
  for (vtkIdType c = 0; c < table->GetNumberOfColumns(); ++c)
    for (vtkIdType row = 0; row < table->GetNumberOfRows(); ++row)
      texts.push_back(table->GetValue(row, c).ToString());
  return texts;
}

class BlocksOnRanks : public RankTest
{
protected:
  void SetUp() override
  {
    RankTest::SetUp();
    for (vtkVulkanMarchingCubes* const filter : { this->Filter.Get(), this->Whole.Get() })
    {
      filter->SetComputeSampleIds(1);
      filter->SetComputeGradients(1);
      filter->SetInterpolateAttributes(1);
    }
  }

  Levels ownOf(Levels levels, bool isEven)
  {
    std::size_t number = 0;
    for (std::vector<Image>& level : levels)
      for (Image& image : level)
        if (!this->isOwn(number++, isEven))
          image = nullptr;
    return levels;
  }

  // Contours the blocks of each rank. Returns the triangles of all.
  std::vector<Triangle> contour(vtkDataObject* own, double isovalue)
  {
    this->Filter->SetInputDataObject(own);
    this->Filter->SetValue(0, isovalue);
    this->Filter->UpdatePiece(this->rank(), this->ranks(), 0);
    return this->ofAllRanks(trianglesOf(this->Filter->GetOutput()));
  }

  std::vector<Triangle> contourWhole(vtkDataObject* whole, double isovalue)
  {
    this->Whole->SetInputDataObject(whole);
    this->Whole->SetValue(0, isovalue);
    this->Whole->Update();
    return trianglesOf(this->Whole->GetOutput());
  }

  void setBoundary(int boundary)
  {
    this->Filter->SetBoundary(boundary);
    this->Whole->SetBoundary(boundary);
  }
};

// Adds an attribute of two components.
void addAttribute(Levels& levels)
{
  for (std::vector<Image>& level : levels)
    for (Image& image : level)
    {
      vtkNew<vtkDoubleArray> array;
      array->SetName("flow");
      array->SetNumberOfComponents(2);
      for (vtkIdType i = 0; i < image->GetNumberOfCells(); ++i)
        array->InsertNextTuple2(image->GetSpacing()[0] * static_cast<double>(i % 7), static_cast<double>(i % 5));
      image->GetCellData()->AddArray(array);
    }
}

// 27 blocks of one image. Their cells have the value of their place.
std::vector<Image> blocksOfOneLevel()
{
  std::vector<Image> blocks;
  for (int number = 0; number < 27; ++number)
  {
    const std::array<int, 3> low = { 6 * (number % 3), 6 * (number / 3 % 3), 6 * (number / 9) };
    blocks.push_back(CellImage({ 6, 6, 6 }, VTK_FLOAT,
      [&](int i, int j, int k)
      {
        const double x = low[0] + i - 8.7, y = low[1] + j - 8.4, z = low[2] + k - 9.1;
        return x * x + 1.3 * y * y + 0.7 * z * z;
      }));
    blocks.back()->SetExtent(low[0], low[0] + 6, low[1], low[1] + 6, low[2], low[2] + 6);
    blocks.back()->SetSpacing(0.1, 0.3, 1 / 7.0);
  }
  return blocks;
}

std::vector<Image> someOf(std::vector<Image> blocks, const std::function<bool(std::size_t)>& isKept)
{
  for (std::size_t i = 0; i < blocks.size(); ++i)
    if (!isKept(i))
      blocks[i] = nullptr;
  return blocks;
}

}

TEST_F(BlocksOnRanks, OfRandomHierarchiesMakeEachTriangleOfTheWholeOnce)
{
  for (const int ranks : { 2, 4, 8 })
  {
    std::size_t triangles = 0;
    const bool isUsed = this->useRanks(ranks);
    for (std::uint64_t seed = 0; isUsed && seed < 40; ++seed)
      for (const bool isEven : { true, false })
      {
        this->setBoundary(static_cast<int>(seed % 3));
        const vmc::test::RandomLevels random = vmc::test::randomLevels(seed);
        Levels levels = ImagesOf(random.levels, seed % 2 == 0);
        addAttribute(levels);
        const auto all = this->contour(AmrOf<Amr>(this->ownOf(levels, isEven)), random.isovalue);
        triangles += all.size();
        if (this->rank() != 0)
          continue;
        const auto whole = this->contourWhole(AmrOf<Amr>(levels), random.isovalue);
        EXPECT_TRUE(all == whole) << "seed " << seed << ", " << ranks << " ranks, " << all.size() << " of "
                                  << whole.size() << " triangles"; // every bit
        EXPECT_EQ(namesOf(this->Filter->GetOutput()), namesOf(this->Whole->GetOutput())) << "seed " << seed;
      }
    EXPECT_TRUE(!isUsed || triangles > 10000u);
    vtkMultiProcessController::SetGlobalController(this->World);
  }
  EXPECT_TRUE(this->errors().empty());
}

TEST_F(BlocksOnRanks, OfOneLevelMakeTheSurfaceWithoutAWarning)
{
  const std::vector<Image> blocks = blocksOfOneLevel();
  for (const int boundary : { 0, 1, 2 })
  {
    this->setBoundary(boundary);
    const auto whole = this->contourWhole(TreeOf(blocks), 30);
    EXPECT_GT(whole.size(), 500u);
    for (const int ranks : { 1, 2, 4, 8 })
    {
      const bool isUsed = this->useRanks(ranks);
      for (const bool isEven : { true, false })
      {
        const auto isOwn = [&](std::size_t i) { return this->isOwn(i, isEven); };
        EXPECT_TRUE(!isUsed || this->contour(TreeOf(someOf(blocks, isOwn)), 30) == whole) << ranks << boundary;
      }
      vtkMultiProcessController::SetGlobalController(this->World);
    }
  }
  EXPECT_TRUE(this->warnings().empty());
  EXPECT_TRUE(this->errors().empty());
}

TEST_F(BlocksOnRanks, SendSamplesOnceForSeveralIsovalues)
{
  this->useRanks(this->World->GetNumberOfProcesses());
  const std::vector<Image> blocks = blocksOfOneLevel();
  const auto own = TreeOf(someOf(blocks, [&](std::size_t i) { return this->isOwn(i, true); }));
  vtkIdType sent = 0;
  const auto contourAndCount = [&](double isovalue)
  {
    this->Communicator->Sent = 0;
    this->Filter->SetInputDataObject(own);
    this->Filter->SetValue(0, isovalue);
    this->Filter->UpdatePiece(this->rank(), this->ranks(), 0);
    sent = this->Communicator->Sent;
  };
  constexpr vtkIdType Block = 6 * 6 * 6 * sizeof(float);
  contourAndCount(30);
  EXPECT_GT(sent, Block);
  contourAndCount(20);
  EXPECT_LT(sent, Block); // which arrays are needed, a byte each
  EXPECT_EQ(this->Filter->GetUploadTime(), 0);
  if (blocks[0] && this->isOwn(0, true))
  {
    blocks[0]->GetCellData()->GetScalars()->SetTuple1(3, 7);
    blocks[0]->GetCellData()->GetScalars()->Modified();
  }
  own->Modified(); // on all ranks
  contourAndCount(20);
  EXPECT_EQ(sent > Block, this->isOwn(0, true));
  EXPECT_TRUE(this->ofAllRanks(trianglesOf(this->Filter->GetOutput())).size() > 500u);
}

TEST_F(BlocksOnRanks, ReportAnErrorOfOneRankOnAll)
{
  const bool isUsed = this->useRanks(4);
  std::vector<Image> blocks = blocksOfOneLevel();
  const auto isOwn = [&](std::size_t i) { return this->isOwn(i, true); };
  blocks[13]->GetCellData()->GetScalars()->SetName("other");
  for (vtkVulkanMarchingCubes* const filter : { this->Filter.Get(), this->Whole.Get() })
    filter->SetInputArrayToProcess(0, 0, 0, vtkDataObject::FIELD_ASSOCIATION_CELLS, "samples");
  if (isUsed)
  {
    const auto all = this->contour(TreeOf(someOf(blocks, isOwn)), 30);
    ASSERT_EQ(this->errors().size(), 1u);
    EXPECT_CONTAINS(this->errors()[0], "There is no numeric cell array \"samples\"");
    blocks[13] = nullptr;
    EXPECT_TRUE(all == this->contourWhole(TreeOf(blocks), 30));
    Levels levels = { { blocks.begin(), blocks.begin() + 9 } };
    levels[0][5]->SetSpacing(0.11, 0.3, 1 / 7.0);
    this->Filter->SetInputDataObject(AmrOf<Amr>(this->ownOf(levels, true)));
    this->Filter->UpdatePiece(this->rank(), 4, 0);
    ASSERT_EQ(this->errors().size(), 2u);
    EXPECT_CONTAINS(this->errors()[1], "Block 5 of level 0 has the spacing 0.11");
    EXPECT_EQ(this->Filter->GetOutput()->GetNumberOfPoints(), 0);
  }
}

// Otherwise it would wait for the other ranks, which do not execute the filter.
TEST_F(BlocksOnRanks, AreNotWaitedForByAFilterThatJoinsNoRanks)
{
  this->useRanks(4);
  if (this->World->GetLocalProcessId() != 0)
    return;
  const auto own = TreeOf(someOf(blocksOfOneLevel(), [&](std::size_t i) { return this->isOwn(i, true); }));
  this->Filter->SetJoinRanks(false);
  this->Filter->SetInputDataObject(own);
  this->Filter->SetValue(0, 30);
  this->Filter->UpdatePiece(0, 4, 0);
  EXPECT_GT(this->Filter->GetOutput()->GetNumberOfPolys(), 0);
  ASSERT_EQ(this->warnings().size(), 1u);
  EXPECT_CONTAINS(this->warnings()[0], "The surface may break at the blocks of other pieces");
}

TEST_F(BlocksOnRanks, AreCountedOnce)
{
  for (std::uint64_t seed = 0; seed < 20; ++seed)
  {
    SCOPED_TRACE(seed);
    const vmc::test::RandomLevels random = vmc::test::randomLevels(seed);
    const Levels levels = ImagesOf(random.levels, false);
    std::array<std::vector<std::string>, 2> texts;
    for (const bool isWhole : { false, true })
    {
      this->useRanks(isWhole ? 1 : 4); // the others count among themselves
      vtkNew<vtkVulkanImageHistogram> histogram;
      histogram->SetNumberOfBins(16);
      histogram->SetBoundary(static_cast<int>(seed % 3));
      histogram->SetInputDataObject(AmrOf<Amr>(isWhole ? levels : this->ownOf(levels, true)));
      if (isWhole && this->World->GetLocalProcessId() != 0)
        continue;
      histogram->UpdatePiece(isWhole ? 0 : this->rank(), isWhole ? 1 : this->ranks(), 0);
      texts[isWhole ? 1 : 0] = textsOf(histogram->GetOutput());
    }
    EXPECT_TRUE(this->World->GetLocalProcessId() != 0 || texts[0] == texts[1]);
    vtkMultiProcessController::SetGlobalController(this->World);
  }
}
