// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The conversion of AMR data sets and of trees of images to levels of patches.
#include "BlockLattice.h"
#include "Composites.h"
#include "FilterTest.h"
#include "LevelsFromData.h"
#include "RealVolumes.h"

#include "Reference/LevelLeaves.h"
#include "Support/RandomLevels.h"

#include "vtkAMRGaussianPulseSource.h"
#include "vtkCellData.h"
#include "vtkCompositeDataIterator.h"
#include "vtkDataSetAttributes.h"
#include "vtkExtractVOI.h"
#include "vtkImageToAMR.h"
#include "vtkMatrix3x3.h"
#include "vtkNonOverlappingAMR.h"
#include "vtkPartitionedDataSet.h"
#include "vtkPartitionedDataSetCollection.h"
#include "vtkPointData.h"
#include "vtkPolyData.h"
#include "vtkUnsignedCharArray.h"
#include "vtkXMLUniformGridAMRReader.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

namespace vmc::filters
{

namespace
{

using Vector = std::array<double, 3>;

// The image of these cells. Its samples have their numbers.
Image imageOf(const std::array<int, 3>& cells, const Vector& origin = { 0, 0, 0 }, const Vector& spacing = { 1, 1, 1 },
  int type = VTK_FLOAT)
{
  auto image = CellImage(cells, type, [&](int i, int j, int k) { return i + cells[0] * (j + cells[1] * k); });
  image->SetOrigin(origin.data());
  image->SetSpacing(spacing.data());
  return image;
}

// A cube of 4^3 cells.
Image cube(const Vector& origin, double spacing = 1, int type = VTK_FLOAT)
{
  return imageOf({ 4, 4, 4 }, origin, { spacing, spacing, spacing }, type);
}

vtkUnsignedCharArray* ghostsOf(const LevelBlock& block)
{
  return block.samples.image->GetCellGhostArray();
}

std::vector<std::uint8_t> flagsOf(const LevelPatch& patch)
{
  return patch.flags ? std::vector<std::uint8_t>(patch.flags, patch.flags + patch.cellCount())
                     : std::vector<std::uint8_t>();
}

// Cells of a level per cell of level 0.
Vector cellsPerStep(const Levels& levels, std::size_t level)
{
  Vector cells{ 1, 1, 1 };
  for (std::size_t l = 1; l <= level; ++l)
    for (std::size_t axis = 0; axis < 3; ++axis)
      cells[axis] *= levels.ratio[l][axis];
  return cells;
}

// The world position of the low or the high corner of a patch.
Vector cornerOf(const Levels& levels, const LevelPatch& patch, bool isHigh)
{
  const Vector cells = cellsPerStep(levels, patch.level);
  Vector index{};
  for (std::size_t axis = 0; axis < 3; ++axis)
    index[axis] = (static_cast<double>(patch.low[axis]) + (isHigh ? patch.size[axis] : 0)) / cells[axis];
  return SampleGeometry(levels.origin, levels.steps).position(index);
}

// Compares views and places of all patches with their blocks. tolerance: of corners, in world units.
void expectBlocksIn(const LevelGroup& group, double tolerance)
{
  const Levels& levels = group.levels;
  ASSERT_FALSE(group.blocks.empty());
  ASSERT_EQ(levels.patches.size(), group.blocks.size());
  ASSERT_EQ(levels.ratio.front(), (CellCounts{ 1, 1, 1 }));
  LevelIndex lowest{ 1000, 1000, 1000 };
  for (std::size_t i = 0; i < levels.patches.size(); ++i)
  {
    const LevelPatch& patch = levels.patches[i];
    vtkImageData* const image = group.blocks[i].samples.image;
    SCOPED_TRACE("block " + std::to_string(group.blocks[i].flatIndex));
    EXPECT_EQ(patch.cellCount(), static_cast<std::uint64_t>(image->GetNumberOfCells()));
    EXPECT_EQ(patch.samples, group.blocks[i].samples.scalars.values->GetVoidPointer(0));
    EXPECT_EQ(patch.identity, group.blocks[i].samples.scalars.identity);
    EXPECT_TRUE(i == 0 || levels.patches[i - 1].level <= patch.level);
    Vector low{}, high{};
    const int* const extent = image->GetExtent(); // GetPoint of VTK 9.6 is off by 3e-7 if the image has directions
    image->TransformContinuousIndexToPhysicalPoint(extent[0], extent[2], extent[4], low.data());
    image->TransformContinuousIndexToPhysicalPoint(extent[1], extent[3], extent[5], high.data());
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      EXPECT_NEAR(cornerOf(levels, patch, false)[axis], low[axis], tolerance);
      EXPECT_NEAR(cornerOf(levels, patch, true)[axis], high[axis], tolerance);
      if (patch.level == 0)
        lowest[axis] = std::min(lowest[axis], patch.low[axis]);
    }
  }
  EXPECT_EQ(lowest, (LevelIndex{ 0, 0, 0 }));
}

// The number of cells that finer cells cover in part. A well nested AMR has such cells only if a block is misplaced.
std::size_t partlyCoveredCells(const Levels& levels)
{
  reference::Levels plain;
  for (const CellCounts& ratio : levels.ratio)
    plain.ratio.push_back({ ratio[0], ratio[1], ratio[2] });
  for (const LevelPatch& patch : levels.patches)
  {
    reference::LevelPatch& copy = plain.patches.emplace_back();
    copy.level = patch.level;
    copy.low = patch.low;
    copy.size = { patch.size[0], patch.size[1], patch.size[2] };
    copy.samples.resize(patch.cellCount());
    copy.flags = flagsOf(patch);
  }
  return reference::LevelLeaves(plain).partlyCovered().size();
}

class LevelsFromData : public testing::Test
{
protected:
  LevelsFromData()
  {
    this->Choice.name = "samples";
    this->Choice.association = vtkDataObject::FIELD_ASSOCIATION_CELLS;
  }

  ImageSamples samplesOf(vtkImageData* image)
  {
    SampleChoice choice = this->Choice;
    choice.array = image->GetAttributes(choice.association)->GetArray(choice.name.c_str());
    image->GetExtent(choice.wholeExtent.data());
    return filters::samplesOf(image, choice, this->Cache);
  }

  GroupedData groupsOf(vtkCompositeDataSet* data)
  {
    this->Data.emplace_back(data);
    return levelsFromData(
      data, [this](vtkImageData* image) { return this->samplesOf(image); }, this->Cache);
  }

  // The only group, without errors and warnings.
  LevelGroup groupOf(vtkCompositeDataSet* data)
  {
    GroupedData found = this->groupsOf(data);
    EXPECT_EQ(found.groups.size(), 1u);
    for (const BlockError& error : found.errors)
      ADD_FAILURE() << error.message;
    EXPECT_TRUE(found.warnings.empty());
    return found.groups.empty() ? LevelGroup() : std::move(found.groups.front());
  }

  void expectGroups(const std::vector<Image>& images, const std::vector<std::vector<unsigned int>>& expected)
  {
    const GroupedData found = this->groupsOf(TreeOf(images));
    std::vector<std::vector<unsigned int>> groups;
    for (const LevelGroup& group : found.groups)
    {
      groups.emplace_back();
      for (const LevelBlock& block : group.blocks)
        groups.back().push_back(block.flatIndex - 1); // 0 is the root
    }
    EXPECT_EQ(groups, expected);
  }

  void expectRefusal(vtkCompositeDataSet* data, const std::string& message)
  {
    try
    {
      this->groupsOf(data);
      ADD_FAILURE() << "no error: " << message;
    }
    catch (const std::invalid_argument& error)
    {
      EXPECT_EQ(error.what(), message);
    }
  }

  SampleCache Cache;
  SampleChoice Choice;
  std::vector<vtkSmartPointer<vtkCompositeDataSet>> Data; // groups refer to it
};

std::vector<std::uint8_t> ghostValues(const LevelBlock& block)
{
  vtkUnsignedCharArray* const ghosts = ghostsOf(block);
  std::vector<std::uint8_t> values;
  for (vtkIdType i = 0; ghosts && i < ghosts->GetNumberOfValues(); ++i)
    values.push_back(ghosts->GetValue(i));
  const bool any = std::any_of(values.begin(), values.end(), [](std::uint8_t flags) { return flags != 0; });
  return any ? values : std::vector<std::uint8_t>();
}

// Origins are up to a million units away and have 53 binary digits; cells are not smaller than a thousandth.
constexpr double CornerTolerance = 1e-8;

}

TEST_F(LevelsFromData, OfRandomHierarchiesHaveThePlacesAndFlagsOfTheirBlocks)
{
  for (std::uint64_t seed = 0; seed < 120; ++seed)
    for (const bool haveOwnOrigins : { false, true })
    {
      SCOPED_TRACE(seed);
      const test::RandomLevels random = test::randomLevels(seed);
      const auto images = ImagesOf(random.levels, haveOwnOrigins);
      const LevelGroup group = this->groupOf(AmrOf<vtkNonOverlappingAMR>(images));
      expectBlocksIn(group, CornerTolerance);
      EXPECT_EQ(group.blocks.size(), random.levels.patches.size());
      for (std::size_t i = 0; i < group.blocks.size(); ++i)
        EXPECT_EQ(flagsOf(group.levels.patches[i]), ghostValues(group.blocks[i]));
      std::vector<Image> all;
      for (const std::vector<Image>& level : images)
        all.insert(all.end(), level.begin(), level.end());
      std::reverse(all.begin(), all.end()); // fine blocks first
      std::size_t blocks = 0;
      for (const LevelGroup& part : this->groupsOf(TreeOf(all)).groups)
      {
        expectBlocksIn(part, CornerTolerance);
        blocks += part.blocks.size();
      }
      EXPECT_EQ(blocks, all.size());
    }
}

TEST_F(LevelsFromData, OfTheGaussianPulse)
{
  this->Choice.name = "Gaussian-Pulse";
  for (const int ratio : { 2, 3, 4 })
  {
    vtkNew<vtkAMRGaussianPulseSource> source;
    source->SetDimension(3);
    source->SetRefinementRatio(ratio);
    source->Update();
    const LevelGroup group = this->groupOf(source->GetOutput());
    expectBlocksIn(group, 1e-12);
    EXPECT_EQ(partlyCoveredCells(group.levels), 0u);
    EXPECT_EQ(group.levels.ratio.size(), 2u);
    const auto along = static_cast<std::uint32_t>(ratio);
    EXPECT_EQ(group.levels.ratio.back(), (CellCounts{ along, along, along }));
    EXPECT_EQ(group.blocks.front().level, 0u);
    EXPECT_EQ(group.blocks.back().level, 1u);
    for (const LevelPatch& patch : group.levels.patches)
      EXPECT_EQ(patch.flags, nullptr); // its flags mark refined cells alone
  }
}

TEST_F(LevelsFromData, OfAnImageAsAmr)
{
  vtkNew<vtkImageToAMR> cut;
  cut->SetInputData(imageOf({ 32, 24, 16 }, { 5, 6, 7 }, { 0.5, 1, 2 }));
  cut->SetNumberOfLevels(3);
  cut->SetMaximumNumberOfBlocks(40);
  cut->Update();
  const LevelGroup group = this->groupOf(cut->GetOutput());
  EXPECT_GT(group.blocks.size(), 3u);
  expectBlocksIn(group, 1e-12);
  EXPECT_EQ(partlyCoveredCells(group.levels), 0u);
  EXPECT_EQ(group.levels.ratio.size(), 3u);
  EXPECT_EQ(group.levels.origin, (Vector{ 5, 6, 7 }));
}

TEST_F(LevelsFromData, OfAFile)
{
  const std::string file = AmrFile();
  if (file.empty())
    GTEST_SKIP() << "amr is not in the folder that VMC_VOLUME_FILES names.";
  vtkNew<vtkXMLUniformGridAMRReader> reader;
  reader->SetFileName(file.c_str());
  reader->SetMaximumLevelsToReadByDefault(0); // all
  reader->Update();
  this->Choice.name = "Fractal Volume Fraction";
  const LevelGroup group = this->groupOf(vtkCompositeDataSet::SafeDownCast(reader->GetOutputDataObject(0)));
  expectBlocksIn(group, 1e-6); // the file has single precision and coordinates below 4
  EXPECT_EQ(partlyCoveredCells(group.levels), 0u);
  EXPECT_EQ(group.blocks.size(), 81u);
  EXPECT_EQ(group.levels.ratio, (std::vector<CellCounts>{ { 1, 1, 1 }, { 2, 2, 2 }, { 2, 2, 2 }, { 2, 2, 2 } }));
  EXPECT_EQ(group.blocks.back().level, 3u);
  EXPECT_EQ(group.levels.patches[2].low, (LevelIndex{ 3, 0, 0 })); // amr_box="3 7 0 2 0 2"
}

// The pieces of an image have its origin and extents of their own, as those of vtkExtractVOI and of readers.
TEST_F(LevelsFromData, OfPiecesOfAnImageHaveItsGeometryBitForBit)
{
  const double direction[9] = { 0.6, -0.8, 0, 0.8, 0.6, 0, 0, 0, -1 };
  const auto whole = imageOf({ 12, 9, 10 }, { 0.1, 1e5 / 3, -7.7 }, { 0.1, 0.3, 1 / 7.0 });
  whole->SetExtent(-5, 7, 3, 12, 100, 110);
  std::copy(direction, direction + 9, whole->GetDirectionMatrix()->GetData());
  std::vector<Image> pieces;
  for (const int x : { 2, -5 })
    for (const int y : { 3, 7 })
      for (const int z : { 104, 100 })
      {
        vtkNew<vtkExtractVOI> extract;
        extract->SetInputData(whole);
        extract->SetVOI(x, x == 2 ? 7 : 2, y, y == 7 ? 12 : 7, z, z == 104 ? 110 : 104);
        extract->Update();
        pieces.emplace_back(extract->GetOutput());
      }
  pieces.erase(pieces.begin() + 3); // the low corner of the box belongs to no block
  pieces.pop_back();
  const LevelGroup group = this->groupOf(TreeOf(pieces));
  expectBlocksIn(group, 1e-10);
  ImageSamples points; // the first sample of point data is at the corner
  points.image = whole;
  points.ofCells = false;
  points.scalars.values = whole->GetCellData()->GetScalars();
  const SampleGeometry geometry = volumeFromImage(points).geometry;
  EXPECT_EQ(group.levels.origin, geometry.origin());
  for (const std::size_t axis : { 0, 1, 2 })
    EXPECT_EQ(group.levels.steps[axis], geometry.step(axis));
  EXPECT_EQ(group.levels.ratio.size(), 1u);
}

TEST_F(LevelsFromData, OfPiecesWithOriginsOfTheirOwn)
{
  std::vector<Image> pieces;
  for (int i = 0; i < 27; ++i)
    pieces.push_back(cube({ 0.1 + 0.4 * (i % 3), 0.1 + 0.4 * (i / 3 % 3), 0.1 + 0.4 * (i / 9) }, 0.1));
  const LevelGroup group = this->groupOf(TreeOf(pieces));
  expectBlocksIn(group, 1e-15);
  EXPECT_EQ(group.levels.origin, (Vector{ 0.1, 0.1, 0.1 }));
  EXPECT_EQ(group.levels.patches.back().low, (LevelIndex{ 8, 8, 8 }));
}

TEST_F(LevelsFromData, OfThreeThousandBlocks)
{
  std::vector<Image> blocks;
  for (int i = 0; i < 3000; ++i)
    blocks.push_back(cube({ 0.7 + 4.0 * (i % 15), 4.0 * (i / 15 % 20), 4.0 * (i / 300) }));
  const LevelGroup group = this->groupOf(TreeOf(blocks));
  expectBlocksIn(group, 1e-13);
  EXPECT_EQ(group.blocks.size(), 3000u);
  EXPECT_EQ(group.levels.patches.back().low, (LevelIndex{ 56, 76, 36 }));
}

TEST_F(LevelsFromData, OfATreeAreSortedFromCoarseToFine)
{
  const auto fine = imageOf({ 6, 4, 5 }, { 1, 0.75, 2 }, { 1.0 / 6, 0.25, 0.2 });
  const auto middle = imageOf({ 4, 4, 4 }, { 0, 0, 1 }, { 0.5, 0.5, 1 });
  const auto coarse = imageOf({ 4, 4, 4 }, { 0, 0, 0 }, { 1, 1, 1 });
  const auto nested = TreeOf({ middle });
  const auto tree = TreeOf({ fine, coarse });
  tree->SetBlock(3, nested); // block 2 is null
  const LevelGroup group = this->groupOf(tree);
  expectBlocksIn(group, 1e-12);
  EXPECT_EQ(group.levels.ratio, (std::vector<CellCounts>{ { 1, 1, 1 }, { 2, 2, 1 }, { 3, 2, 5 } }));
  EXPECT_EQ(group.blocks[0].samples.image, coarse);
  EXPECT_EQ(group.blocks[1].samples.image, middle);
  EXPECT_EQ(group.blocks[2].samples.image, fine);
  EXPECT_EQ(group.blocks[2].level, 2u);
  EXPECT_EQ(group.blocks[2].flatIndex, 1u);
}

TEST_F(LevelsFromData, OfPartitionedDataSets)
{
  vtkNew<vtkPartitionedDataSetCollection> collection;
  for (unsigned int i = 0; i < 2; ++i)
  {
    vtkNew<vtkPartitionedDataSet> parts;
    parts->SetPartition(0, cube({ 4.0 * i, 0, 0 }));
    parts->SetPartition(1, cube({ 4.0 * i, 4, 0 }));
    collection->SetPartitionedDataSet(i, parts);
  }
  expectBlocksIn(this->groupOf(collection), 0);
  expectBlocksIn(this->groupOf(collection->GetPartitionedDataSet(1)), 0);
}

TEST_F(LevelsFromData, OfBlocksOnOtherLatticesAreOtherGroups)
{
  const auto first = cube({ 0, 0, 0 });
  this->expectGroups({ first, cube({ 4, 0, 0 }) }, { { 0, 1 } });
  this->expectGroups({ first, cube({ 4.5, 0, 0 }) }, { { 0 }, { 1 } });
  this->expectGroups({ first, cube({ 4.002, 0, 0 }) }, { { 0 }, { 1 } });
  this->expectGroups({ first, cube({ 4.0005, 0, 0 }) }, { { 0, 1 } });
  this->expectGroups({ first, cube({ 3.9995, 0, 0 }) }, { { 0, 1 } });
  this->expectGroups({ first, cube({ 4, 4.002, 0 }) }, { { 0 }, { 1 } });
  this->expectGroups({ first, cube({ 4.5, 0, 0 }, 0.5) }, { { 0, 1 } });
  this->expectGroups({ first, cube({ 4.5, 0, 0 }, 0.5), cube({ 4, 2.5, 0 }, 0.5) }, { { 0, 1, 2 } });
  this->expectGroups({ first, cube({ 4, 0, 0 }, 2.0 / 3) }, { { 0 }, { 1 } });
  this->expectGroups({ first, cube({ 4, 0, 0 }, 1.001) }, { { 0 }, { 1 } });
  // Half and third of a cell: neither divides the other one.
  this->expectGroups({ first, cube({ 4, 0, 0 }, 0.5), cube({ 0, 4, 0 }, 1.0 / 3) }, { { 0, 1 }, { 2 } });
  // Coarser along one axis, finer along another one.
  this->expectGroups({ first, imageOf({ 4, 4, 4 }, { 4, 0, 0 }, { 2, 0.5, 1 }) }, { { 0 }, { 1 } });
  const auto mirrored = cube({ 4, 4, 0 });
  mirrored->SetDirectionMatrix(-1, 0, 0, 0, -1, 0, 0, 0, 1);
  this->expectGroups({ first, mirrored, cube({ 8, 0, 0 }) }, { { 0, 2 }, { 1 } });
  const auto flattened = cube({ 4, 4, 0 }), alike = cube({ 4, 4, 0 });
  for (vtkImageData* image : { flattened.Get(), alike.Get() })
    image->SetDirectionMatrix(1, 0, 0, 1, 0, 0, 0, 0, 1);
  this->expectGroups({ flattened, alike }, { { 0 }, { 1 } });
}

// Two data sets of the same region in one tree. Both are cut into the same pieces.
TEST_F(LevelsFromData, OfBlocksWithTheSameCellsAreOtherGroups)
{
  const std::vector<Image> pieces = { cube({ 0, 0, 0 }), cube({ 4, 0, 0 }), cube({ 1, 1, 1 }, 0.5) };
  std::vector<Image> twice = pieces;
  for (const Image& piece : pieces)
    twice.push_back(Image::Take(piece->NewInstance()));
  for (std::size_t i = 0; i < pieces.size(); ++i)
    twice[i + pieces.size()]->DeepCopy(pieces[i]);
  this->expectGroups(twice, { { 0, 1, 2 }, { 3, 4, 5 } });
}

// The layers of ghost cells of both pieces reach to the end of the image.
TEST_F(LevelsFromData, OfPiecesWithTheSameCellsAreOneGroup)
{
  const auto low = cube({ 0, 0, 0 }), high = cube({ 0, 0, 0 });
  SetGhosts(low, [](vtkIdType cell) { return cell % 4 < 2 ? 0 : vtkDataSetAttributes::DUPLICATECELL; });
  SetGhosts(high, [](vtkIdType cell) { return cell % 4 < 2 ? vtkDataSetAttributes::DUPLICATECELL : 0; });
  this->expectGroups({ low, high }, { { 0, 1 } });
}

TEST_F(LevelsFromData, OfBlocksWithOtherTypesOfSamplesAreOtherGroups)
{
  const std::vector<Image> images = { cube({ 0, 0, 0 }), cube({ 4, 0, 0 }, 1, VTK_SHORT), cube({ 8, 0, 0 }),
    cube({ 12, 0, 0 }, 1, VTK_SHORT) };
  this->expectGroups(images, { { 0, 2 }, { 1, 3 } });
  for (const GroupedData& found :
    { this->groupsOf(TreeOf(images)), this->groupsOf(AmrOf<vtkNonOverlappingAMR>({ images })) })
  {
    ASSERT_EQ(found.groups.size(), 2u);
    EXPECT_EQ(found.groups[0].levels.type, SampleType::Float32);
    EXPECT_EQ(found.groups[1].levels.type, SampleType::Int16);
    ASSERT_EQ(found.warnings.size(), 1u);
    EXPECT_EQ(found.warnings[0],
      "The surface breaks at 2 of 4 blocks: they share a lattice with blocks whose values have another type.");
  }
  EXPECT_TRUE(this->groupsOf(TreeOf({ cube({ 0, 0, 0 }), cube({ 4.5, 0, 0 }, 1, VTK_SHORT) })).warnings.empty());
}

TEST_F(LevelsFromData, AreWithoutBlocksThatHaveNoSamples)
{
  const auto without = cube({ 4, 0, 0 });
  without->GetCellData()->GetScalars()->SetName("others");
  const auto tree = TreeOf({ cube({ 0, 0, 0 }), without, Image::New(), cube({ 8, 0, 0 }) });
  tree->SetBlock(5, vtkNew<vtkPolyData>());
  const GroupedData found = this->groupsOf(tree);
  ASSERT_EQ(found.groups.size(), 1u);
  EXPECT_EQ(found.groups[0].blocks.size(), 2u);
  ASSERT_EQ(found.errors.size(), 1u);
  EXPECT_EQ(found.errors[0].flatIndex, 2u);
  EXPECT_CONTAINS(found.errors[0].message, "There is no numeric cell array \"samples\". Cell arrays: others.");
  EXPECT_EQ(found.blocks, 5u);
  EXPECT_EQ(found.otherBlocks, 1u);
}

TEST_F(LevelsFromData, OfFlatBlocksAreErrors)
{
  this->Choice.name = "Gaussian-Pulse";
  vtkNew<vtkAMRGaussianPulseSource> source;
  source->SetDimension(2);
  source->Update();
  const GroupedData found = this->groupsOf(source->GetOutput());
  EXPECT_TRUE(found.groups.empty());
  EXPECT_EQ(found.errors.size(), found.blocks);
  ASSERT_FALSE(found.errors.empty());
  EXPECT_CONTAINS(found.errors[0].message, "an isosurface needs at least 2 points along each axis.");
}

TEST_F(LevelsFromData, WithPaddingHaveTheBorderOfTheirLattice)
{
  const std::vector<Image> images = { cube({ 0, 0, 0 }), cube({ 4, 0, 0 }), cube({ 12, 0, 0 }), cube({ 16, 0, 0 }) };
  this->expectGroups(images, { { 0, 1, 2, 3 } });
  EXPECT_FALSE(this->groupsOf(TreeOf(images)).groups[0].levels.border);
  for (const auto boundary : { vtkVulkanMarchingCubes::BOUNDARY_EXTEND, vtkVulkanMarchingCubes::BOUNDARY_CLOSE })
  {
    this->Choice.boundary = boundary;
    this->expectGroups(images, { { 0, 1 }, { 2, 3 } });
    for (const LevelGroup& group : this->groupsOf(TreeOf(images)).groups)
    {
      ASSERT_TRUE(group.levels.border);
      EXPECT_EQ(group.levels.border->isClosed, boundary == vtkVulkanMarchingCubes::BOUNDARY_CLOSE);
    }
  }
}

TEST_F(LevelsFromData, OfPointDataAreImages)
{
  const auto images = { cube({ 0, 0, 0 }), cube({ 4, 0, 0 }) };
  for (const Image& image : images)
  {
    const auto heights = CellImage({ 5, 5, 5 }, VTK_FLOAT, [](int, int, int k) { return k; });
    image->GetPointData()->SetScalars(heights->GetCellData()->GetScalars());
  }
  this->Choice.association = vtkDataObject::FIELD_ASSOCIATION_POINTS;
  const GroupedData found = this->groupsOf(TreeOf(images));
  ASSERT_EQ(found.groups.size(), 2u);
  EXPECT_TRUE(found.groups[0].levels.patches.empty());
}

TEST_F(LevelsFromData, HaveTheAttributesThatAllBlocksHave)
{
  this->Choice.withAttributes = true;
  const auto first = cube({ 0, 0, 0 }), second = cube({ 4, 0, 0 });
  const auto flow = AddConstant(first, "flow", 3, 1), heat = AddConstant(first, "heat", 1, 2);
  AddConstant(first, "mass", 1, 3);
  const auto otherHeat = AddConstant(second, "heat", 1, 5), otherFlow = AddConstant(second, "flow", 3, 4);
  AddConstant(second, "mass", 2, 6); // other components
  AddConstant(second, "age", 1, 7);
  const GroupedData found = this->groupsOf(TreeOf({ first, second }));
  ASSERT_EQ(found.groups.size(), 1u);
  const std::vector<LevelPatch>& patches = found.groups[0].levels.patches;
  for (const LevelPatch& patch : patches)
    ASSERT_EQ(patch.attributes.size(), 2u);
  EXPECT_EQ(patches[0].attributes[0].values, flow->GetVoidPointer(0));
  EXPECT_EQ(patches[0].attributes[1].values, heat->GetVoidPointer(0));
  EXPECT_EQ(patches[1].attributes[0].values, otherFlow->GetVoidPointer(0));
  EXPECT_EQ(patches[1].attributes[1].values, otherHeat->GetVoidPointer(0));
  EXPECT_EQ(patches[0].attributes[0].components, 3u);
  ASSERT_EQ(found.warnings.size(), 1u);
  EXPECT_EQ(found.warnings[0], "Arrays that not all blocks of a lattice have are not interpolated: age, mass.");
}

TEST_F(LevelsFromData, ReadTheFlagsOfTheDataSetInPlace)
{
  const auto image = cube({ 0, 0, 0 });
  SetGhosts(image,
    [](vtkIdType cell)
    {
      return (cell % 4 == 3 ? vtkDataSetAttributes::DUPLICATECELL : 0) |
             (cell % 2 == 1 ? vtkDataSetAttributes::HIDDENCELL : 0);
    });
  const LevelGroup group = this->groupOf(TreeOf({ image }));
  const LevelPatch& patch = group.levels.patches.front();
  EXPECT_EQ(patch.flags, image->GetCellGhostArray()->GetPointer(0));
  EXPECT_NE(patch.flagIdentity, 0u);
  EXPECT_NE(patch.flagIdentity, group.blocks.front().samples.ghostIdentity); // those flags have other bits
  image->GetCellGhostArray()->SetValue(5, 0);
  image->GetCellGhostArray()->Modified();
  EXPECT_NE(this->groupOf(TreeOf({ image })).levels.patches.front().flagIdentity, patch.flagIdentity);
  SetGhosts(image, [](vtkIdType) { return 0; });
  EXPECT_EQ(this->groupOf(TreeOf({ image })).levels.patches.front().flags, nullptr);
}

TEST_F(LevelsFromData, CountRefinedCellsOfAnAmrAsCells)
{
  const auto refined = cube({ 0, 0, 0 }), mixed = cube({ 4, 0, 0 });
  SetGhosts(refined, [](vtkIdType cell) { return cell < 9 ? vtkDataSetAttributes::REFINEDCELL : 0; });
  const int flags[4] = { vtkDataSetAttributes::DUPLICATECELL | vtkDataSetAttributes::REFINEDCELL,
    vtkDataSetAttributes::HIDDENCELL | 64, vtkDataSetAttributes::REFINEDCELL, 0 };
  SetGhosts(mixed, [&](vtkIdType cell) { return flags[cell % 4]; });
  const std::vector<Image> images = { refined, mixed };
  const LevelGroup ofAmr = this->groupOf(AmrOf<vtkNonOverlappingAMR>({ images }));
  EXPECT_EQ(ofAmr.levels.patches[0].flags, nullptr);
  EXPECT_EQ(ofAmr.levels.patches[0].flagIdentity, 0u);
  const LevelGroup ofTree = this->groupOf(TreeOf(images));
  EXPECT_NE(ofTree.levels.patches[1].flagIdentity, ofAmr.levels.patches[1].flagIdentity);
  const std::uint8_t expected[4] = { LevelFlag::Duplicate, LevelFlag::Hidden, 0, 0 };
  const std::uint8_t inTree[4] = { LevelFlag::Duplicate, LevelFlag::Hidden, LevelFlag::Duplicate, 0 };
  for (std::size_t cell = 0; cell < 64; ++cell)
  {
    EXPECT_EQ(ofAmr.levels.patches[1].flags[cell], expected[cell % 4]);
    EXPECT_EQ(ofTree.levels.patches[1].flags[cell], inTree[cell % 4]);
    EXPECT_EQ(ofTree.levels.patches[0].flags[cell], cell < 9 ? LevelFlag::Duplicate : 0);
  }
}

TEST_F(LevelsFromData, CopyFlagsOnce)
{
  const auto image = cube({ 0, 0, 0 });
  SetGhosts(image, [](vtkIdType cell) { return cell < 9 ? vtkDataSetAttributes::REFINEDCELL : 0; });
  const auto tree = TreeOf({ image });
  const auto flagsOfRun = [&]
  {
    this->Cache.beginRun();
    const std::uint8_t* const flags = this->groupOf(tree).levels.patches.front().flags;
    this->Cache.endRun();
    return flags;
  };
  const std::uint8_t* const first = flagsOfRun();
  EXPECT_EQ(flagsOfRun(), first);
}

// The boxes of this AMR have no ghost layers. The grids have one, and their extents begin below 0.
TEST_F(LevelsFromData, OfGridsThatAreLargerThanTheirBoxes)
{
  const auto coarse = imageOf({ 8, 8, 8 }), fine = imageOf({ 6, 6, 6 }, { 2, 2, 2 }, { 0.5, 0.5, 0.5 });
  fine->SetExtent(-1, 5, -1, 5, -1, 5);
  const auto isInside = [](vtkIdType i) { return i >= 1 && i < 5; };
  SetGhosts(fine,
    [&](vtkIdType cell)
    {
      return isInside(cell % 6) && isInside(cell / 6 % 6) && isInside(cell / 36) ? 0
                                                                                 : vtkDataSetAttributes::DUPLICATECELL;
    });
  const auto amr = OverlappingAmrOf({ { coarse }, { fine } });
  amr->SetAMRBox(1, 0, vtkAMRBox(4, 4, 4, 7, 7, 7));
  const LevelGroup group = this->groupOf(amr);
  expectBlocksIn(group, 0);
  EXPECT_EQ(group.levels.patches[1].low, (LevelIndex{ 3, 3, 3 }));
  EXPECT_EQ(group.levels.patches[1].size, (CellCounts{ 6, 6, 6 }));
  amr->SetAMRBox(1, 0, vtkAMRBox(4, 4, 4, 11, 7, 7));
  this->expectRefusal(amr, "Block 1 of level 1 has 6 x 6 x 6 cells; its AMR box has 8 x 4 x 4, and may not be larger.");
}

TEST_F(LevelsFromData, OfAnAmrWithMissingBlocksAndLevels)
{
  const auto amr =
    OverlappingAmrOf({ { nullptr }, { cube({ -3, 0, 0 }), nullptr }, { nullptr }, { cube({ -2, 1, 0 }, 1.0 / 6) } });
  const LevelGroup group = this->groupOf(amr);
  expectBlocksIn(group, 1e-12);
  EXPECT_EQ(group.levels.ratio, (std::vector<CellCounts>{ { 1, 1, 1 }, { 6, 6, 6 } }));
  EXPECT_EQ(group.blocks[0].level, 1u);
  EXPECT_EQ(group.blocks[1].level, 3u);
  EXPECT_TRUE(this->groupsOf(AmrOf<vtkNonOverlappingAMR>({ { nullptr } })).groups.empty());
}

// Two levels of the data set may have cells of one size: the second one replaces the first one.
TEST_F(LevelsFromData, OfAnAmrMayHaveTheRatioOne)
{
  const LevelGroup group = this->groupOf(AmrOf<vtkNonOverlappingAMR>({ { cube({ 0, 0, 0 }) }, { cube({ 0, 0, 0 }) } }));
  EXPECT_EQ(group.levels.ratio.size(), 2u);
  EXPECT_EQ(group.levels.patches[1].level, 1u);
}

// Thirds and sixths with six digits. The fine block lies three thousandths of its cells beside its place.
TEST_F(LevelsFromData, OfAnAmrWithRoundedNumbers)
{
  const LevelGroup group = this->groupOf(
    AmrOf<vtkNonOverlappingAMR>({ { cube({ 0.333333, 0, 0 }, 0.333333) }, { cube({ 167, 0, 0 }, 0.166667) } }));
  EXPECT_EQ(group.levels.ratio.back(), (CellCounts{ 2, 2, 2 }));
  EXPECT_EQ(group.levels.patches.back().low, (LevelIndex{ 1000, 0, 0 }));
}

// Coordinates of a survey in metres, in single precision: here it distinguishes a sixteenth of a metre.
TEST_F(LevelsFromData, OfAnAmrFarFromTheOriginOfTheWorld)
{
  std::vector<Image> blocks;
  for (int i = 0; i < 8; ++i)
    blocks.push_back(cube({ static_cast<float>(543210.3 + 1.2 * i), static_cast<float>(4012345.7), 0 }, 0.3));
  const LevelGroup group = this->groupOf(AmrOf<vtkNonOverlappingAMR>({ blocks }));
  for (std::size_t i = 0; i < blocks.size(); ++i)
    EXPECT_EQ(group.levels.patches[i].low, (LevelIndex{ static_cast<std::int64_t>(4 * i), 0, 0 }));
  EXPECT_GT(this->groupsOf(TreeOf(blocks)).groups.size(), 1u); // nothing states that these images share a lattice
}

TEST_F(LevelsFromData, OfAnAmrWhoseBlocksDoNotFitAreRefused)
{
  const auto coarse = cube({ 0, 0, 0 });
  const auto amr = [&](const Image& fine) {
    return OverlappingAmrOf({ { coarse }, { cube({ 0, 0, 0 }, 0.5), fine } });
  };
  this->groupOf(amr(cube({ 2, 0, 0 }, 0.5)));
  this->expectRefusal(amr(cube({ 2, 0, 0 }, 0.25)),
    "Block 2 of level 1 has the spacing 0.25 0.25 0.25; it must be that of the level, 0.5 0.5 0.5.");
  this->expectRefusal(OverlappingAmrOf({ { coarse }, { imageOf({ 4, 4, 4 }, { 0, 0, 0 }, { 0.5, 0.5, 0.3 }) } }),
    "Block 1 of level 1 has the spacing 0.5 0.5 0.3; it must be that of the next coarser level, 1 1 1, divided by "
    "integers.");
  this->expectRefusal(OverlappingAmrOf({ { cube({ 0, 0, 0 }, 0.5) }, { coarse } }),
    "Block 1 of level 1 has the spacing 1 1 1; it must be that of the next coarser level, 0.5 0.5 0.5, divided by "
    "integers.");
  this->expectRefusal(AmrOf<vtkNonOverlappingAMR>({ { coarse }, { cube({ 2, 0.25, 0 }, 0.5) } }),
    "Block 1 of level 1 lies between 0.5 and 4.5 along axis 1, counted in its cells from the low corner of block 0; "
    "both must be integers up to 2^31, 4 apart, within 0.0010225.");
  const auto turned = cube({ 2, 0, 0 }, 0.5);
  turned->SetDirectionMatrix(0, -1, 0, 1, 0, 0, 0, 0, 1);
  this->expectRefusal(amr(turned), "Block 2 of level 1 has the direction matrix 0 -1 0 1 0 0 0 0 1; it must be that of "
                                   "the other blocks, 1 0 0 0 1 0 0 0 1.");
}

}
