// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Composite data sets whose blocks are joined: AMR, pieces of one image, and what is contoured beside them.
#include "Composites.h"
#include "FilterTest.h"
#include "FlyingEdgesReference.h"
#include "FreshFilter.h"
#include "RealVolumes.h"

#include "vtkAMRGaussianPulseSource.h"
#include "vtkCallbackCommand.h"
#include "vtkCellArray.h"
#include "vtkCellData.h"
#include "vtkCompositeDataIterator.h"
#include "vtkDataObjectTree.h"
#include "vtkDataSetAttributes.h"
#include "vtkErrorCode.h"
#include "vtkExecutive.h"
#include "vtkExtractVOI.h"
#include "vtkFieldData.h"
#include "vtkFloatArray.h"
#include "vtkImageToAMR.h"
#include "vtkNonOverlappingAMR.h"
#include "vtkPartitionedDataSet.h"
#include "vtkPartitionedDataSetCollection.h"
#include "vtkPointData.h"
#include "vtkRectilinearGrid.h"
#include "vtkStringArray.h"
#include "vtkXMLUniformGridAMRReader.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <utility>

namespace
{

constexpr std::array<int, 3> Boundaries = { vtkVulkanMarchingCubes::BOUNDARY_OPEN,
  vtkVulkanMarchingCubes::BOUNDARY_EXTEND, vtkVulkanMarchingCubes::BOUNDARY_CLOSE };

using Extent = std::array<int, 6>; // of points
using Vector = std::array<double, 3>;

// An image with two more arrays: the coordinate along x, and a vector.
Image wholeImage(int type = VTK_FLOAT)
{
  const auto image = CellImage({ 30, 21, 19 }, type, Noise());
  const double direction[9] = { 0.6, -0.8, 0, 0.8, 0.6, 0, 0, 0, -1 };
  image->SetDirectionMatrix(direction);
  image->SetOrigin(0.1, 1e3 / 3, -7.7);
  image->SetSpacing(0.1, 0.3, 1 / 7.0);
  image->SetExtent(-5, 25, 3, 24, 100, 119);
  AddConstant(image, "flow", 3, 2);
  const auto height = CellImage({ 30, 21, 19 }, VTK_DOUBLE, [](int i, int j, int k) { return i + 3 * j - 5 * k; });
  height->GetCellData()->GetScalars()->SetName("height");
  image->GetCellData()->AddArray(height->GetCellData()->GetScalars());
  return image;
}

Image cut(vtkImageData* image, const Extent& extent)
{
  vtkNew<vtkExtractVOI> extract;
  extract->SetInputData(image);
  extract->SetVOI(extent[0], extent[1], extent[2], extent[3], extent[4], extent[5]);
  extract->Update();
  return extract->GetOutput();
}

// Cuts the image along each axis. layers: of duplicate cells around each piece.
std::vector<Image> piecesOf(vtkImageData* image, int layers)
{
  const int* const whole = image->GetExtent();
  std::array<std::vector<int>, 3> cuts;
  for (int axis = 0; axis < 3; ++axis)
    cuts[axis] = { whole[2 * axis], whole[2 * axis] + 7 - axis, whole[2 * axis] + 12, whole[2 * axis + 1] };
  std::vector<Image> pieces;
  for (int number = 0; number < 27; ++number)
  {
    Extent own{}, extent{};
    for (int axis = 0, rest = number; axis < 3; ++axis, rest /= 3)
      for (int side : { 0, 1 })
      {
        own[2 * axis + side] = cuts[axis][rest % 3 + side];
        const int wider = own[2 * axis + side] + (side == 0 ? -layers : layers);
        extent[2 * axis + side] = std::clamp(wider, whole[2 * axis], whole[2 * axis + 1]);
      }
    pieces.push_back(cut(image, extent));
    if (layers != 0)
      SetGhosts(pieces.back(),
        [&](vtkIdType cell)
        {
          const vtkIdType x = extent[1] - extent[0], y = extent[3] - extent[2];
          const vtkIdType index[3] = { extent[0] + cell % x, extent[2] + cell / x % y, extent[4] + cell / (x * y) };
          const auto isOwn = [&](int axis) { return index[axis] >= own[2 * axis] && index[axis] < own[2 * axis + 1]; };
          return isOwn(0) && isOwn(1) && isOwn(2) ? 0 : vtkDataSetAttributes::DUPLICATECELL;
        });
  }
  return pieces;
}

vtkSmartPointer<vtkPartitionedDataSet> partitionsOf(const std::vector<Image>& images)
{
  auto partitions = vtkSmartPointer<vtkPartitionedDataSet>::New();
  for (std::size_t i = 0; i < images.size(); ++i)
    partitions->SetPartition(static_cast<unsigned int>(i), images[i]);
  return partitions;
}

// The pieces as composite data sets of each kind.
std::vector<vtkSmartPointer<vtkCompositeDataSet>> compositesOf(const std::vector<Image>& images)
{
  vtkNew<vtkPartitionedDataSetCollection> collection;
  collection->SetPartitionedDataSet(0, partitionsOf({ images.begin(), images.begin() + 5 }));
  collection->SetPartitionedDataSet(1, partitionsOf({ images.begin() + 5, images.end() }));
  return { TreeOf(images), partitionsOf(images), collection.Get(), AmrOf<vtkNonOverlappingAMR>({ images }) };
}

// 12^3 coarse cells, of which a box in a corner region is covered by cells of a third of the size. The sample of each
// cell is the distance of its centre from a point.
std::vector<std::vector<Image>> twoLevels(bool isHidden = true)
{
  const auto distance = [](const Vector& low, double spacing)
  {
    return [=](int i, int j, int k)
    {
      const Vector p = { low[0] + (i + 0.5) * spacing, low[1] + (j + 0.5) * spacing, low[2] + (k + 0.5) * spacing };
      return std::hypot(p[0] - 5.3, p[1] - 5.9, p[2] - 6.2);
    };
  };
  const Image coarse = CellImage({ 12, 12, 12 }, VTK_FLOAT, distance({ 0, 0, 0 }, 1));
  const Image left = CellImage({ 12, 15, 18 }, VTK_FLOAT, distance({ 2, 2, 2 }, 1 / 3.0));
  const Image right = CellImage({ 9, 15, 18 }, VTK_FLOAT, distance({ 6, 2, 2 }, 1 / 3.0));
  for (vtkImageData* image : { left.Get(), right.Get() })
    image->SetSpacing(1 / 3.0, 1 / 3.0, 1 / 3.0);
  left->SetOrigin(2, 2, 2);
  right->SetOrigin(6, 2, 2);
  const auto isCovered = [](vtkIdType cell)
  {
    const vtkIdType x = cell % 12, y = cell / 12 % 12, z = cell / 144;
    return x >= 2 && x < 9 && y >= 2 && y < 7 && z >= 2 && z < 8;
  };
  if (isHidden)
    SetGhosts(coarse, [&](vtkIdType cell) { return isCovered(cell) ? vtkDataSetAttributes::REFINEDCELL : 0; });
  return { { coarse }, { left, right } };
}

vtkSmartPointer<vtkOverlappingAMR> pulse(int ratio, int dimension = 3)
{
  vtkNew<vtkAMRGaussianPulseSource> source;
  source->SetDimension(dimension);
  source->SetRefinementRatio(ratio);
  source->SetXPulseOrigin(-1);
  source->SetYPulseOrigin(-1);
  source->SetZPulseOrigin(1);
  source->SetXPulseWidth(2);
  source->SetYPulseWidth(2);
  source->SetZPulseWidth(2);
  source->Update();
  return source->GetOutput();
}

vtkSmartPointer<vtkCompositeDataSet> realAmr(const std::string& file)
{
  vtkNew<vtkXMLUniformGridAMRReader> reader;
  reader->SetFileName(file.c_str());
  reader->SetMaximumLevelsToReadByDefault(0); // all
  reader->Update();
  return vtkCompositeDataSet::SafeDownCast(reader->GetOutputDataObject(0));
}

// The blocks of a composite data set, by their flat indices.
std::map<int, vtkImageData*> blocksOf(vtkCompositeDataSet* data)
{
  std::map<int, vtkImageData*> blocks;
  const auto block = vtkSmartPointer<vtkCompositeDataIterator>::Take(data->NewIterator());
  for (block->InitTraversal(); !block->IsDoneWithTraversal(); block->GoToNextItem())
    blocks[static_cast<int>(block->GetCurrentFlatIndex())] = vtkImageData::SafeDownCast(block->GetCurrentDataObject());
  return blocks;
}

// Half the largest spacing. The centres of the outermost cells are not farther from the border of the domain.
double halfOfACell(vtkCompositeDataSet* data)
{
  double half = 0;
  for (const auto& [index, image] : blocksOf(data))
    half = std::max(half, *std::max_element(image->GetSpacing(), image->GetSpacing() + 3) / 2);
  return half;
}

// Numbers of directed edges between points, by their ids, that no triangle uses in the other direction: at the border
// of the domain, and elsewhere. bounds: of the domain. distance: of the border of a surface from that of the domain.
std::pair<int, int> openEdgesOf(vtkPolyData* mesh, const double* bounds, double distance)
{
  std::multiset<std::pair<vtkIdType, vtkIdType>> edges;
  vtkDataArray* const ids = mesh->GetPolys()->GetConnectivityArray();
  const auto id = [=](vtkIdType i) { return static_cast<vtkIdType>(ids->GetComponent(i, 0)); };
  for (vtkIdType i = 0; i < ids->GetNumberOfTuples(); ++i)
    edges.insert({ id(i), id(i % 3 == 2 ? i - 2 : i + 1) });
  const auto isOnBorder = [&](vtkIdType point)
  {
    const double* const p = mesh->GetPoint(point);
    for (int axis = 0; axis < 3; ++axis)
      if (std::min(p[axis] - bounds[2 * axis], bounds[2 * axis + 1] - p[axis]) <= distance)
        return true;
    return false;
  };
  std::pair<int, int> open{ 0, 0 };
  for (const auto& [from, to] : edges)
    if (edges.count({ from, to }) != edges.count({ to, from }))
      ++(isOnBorder(from) && isOnBorder(to) ? open.first : open.second);
  return open;
}

class JoinedBlocks : public FilterTest
{
protected:
  // Runs the filter on a composite data set. Returns its output: null if it is no vtkPolyData.
  vtkPolyData* contour(vtkDataObject* data, double isovalue)
  {
    this->Filter->SetInputDataObject(data);
    this->Filter->SetValue(0, isovalue);
    this->Filter->Update();
    return this->Filter->GetOutput();
  }

  // The output for an image alone, on the CPU.
  vtkSmartPointer<vtkPolyData> outputOnCpu(vtkImageData* image, double isovalue)
  {
    const std::string device = this->Filter->GetDevice();
    this->Filter->SetDevice("CPU");
    const auto output = this->runAndCopy(image, isovalue);
    this->Filter->SetDevice(device.c_str());
    return output;
  }

  // Expects no open edge inside the domain at these isovalues, but triangles.
  void expectNoCracks(vtkCompositeDataSet* data, const std::vector<double>& isovalues)
  {
    double bounds[6];
    data->GetBounds(bounds);
    for (const double isovalue : isovalues)
    {
      SCOPED_TRACE(isovalue);
      vtkPolyData* const mesh = this->contour(data, isovalue);
      ASSERT_NE(mesh, nullptr);
      EXPECT_GT(mesh->GetNumberOfPolys(), 0);
      EXPECT_EQ(openEdgesOf(mesh, bounds, halfOfACell(data) * (1 + 1e-6)).second, 0);
    }
    this->expectNoMessages();
  }

  // Expects the same triangles. expectNear(found, expected): compares coordinates of points.
  template <class ExpectNear>
  static void expectTriangles(vtkPolyData* mesh, vtkPolyData* expected, const ExpectNear& expectNear)
  {
    ASSERT_EQ(mesh->GetNumberOfPoints(), expected->GetNumberOfPoints());
    EXPECT_TRUE(
      BytesOf(mesh->GetPolys()->GetConnectivityArray()) == BytesOf(expected->GetPolys()->GetConnectivityArray()));
    vtkDataArray *const found = mesh->GetPoints()->GetData(), *const points = expected->GetPoints()->GetData();
    for (vtkIdType point = 0; point < mesh->GetNumberOfPoints(); ++point)
      for (int axis = 0; axis < 3; ++axis)
        expectNear(found->GetComponent(point, axis), points->GetComponent(point, axis));
  }

  void expectNoMessages()
  {
    for (const std::string& message : this->errors())
      ADD_FAILURE() << message;
    for (const std::string& message : this->warnings())
      ADD_FAILURE() << message;
  }
};

}

TEST_F(JoinedBlocks, ThatArePiecesOfAnImageGiveItsBytes)
{
  const Image image = wholeImage();
  this->Filter->SetDevice("CPU");
  this->Filter->InterpolateAttributesOn();
  this->Filter->ComputeGradientsOn();
  this->Filter->SetValue(1, 20);
  for (const int boundary : Boundaries)
  {
    this->Filter->SetBoundary(boundary);
    const auto expected = this->outputOnCpu(image, 60);
    EXPECT_GT(expected->GetNumberOfPolys(), 0);
    for (const int layers : { 0, 1, 2 })
      for (const auto& data : compositesOf(piecesOf(image, layers)))
      {
        SCOPED_TRACE(std::to_string(layers) + " layers, " + data->GetClassName() + std::to_string(boundary));
        EXPECT_EQ(DifferenceBetween(this->contour(data, 60), expected), "");
      }
  }
  this->expectNoMessages();
}

TEST_F(JoinedBlocks, GiveTheBytesOfTheImageForEveryRequest)
{
  const Image image = wholeImage(VTK_DOUBLE);
  const auto pieces = TreeOf(piecesOf(image, 0));
  this->Filter->SetDevice("CPU");
  for (const bool merge : { true, false })
    for (const int ids : { vtkVulkanMarchingCubes::IDS_32_BIT, vtkVulkanMarchingCubes::IDS_64_BIT })
    {
      this->Filter->SetMergePoints(merge);
      this->Filter->SetOutputIds(ids);
      this->Filter->SetComputeScalars(!merge);
      const auto expected = this->outputOnCpu(image, 60);
      EXPECT_EQ(DifferenceBetween(this->contour(pieces, 60), expected), "");
    }
  this->expectNoMessages();
}

// Sums of double have another order, so last bits differ.
TEST_F(JoinedBlocks, GiveThePointsOfTheImageInDouble)
{
  const Image image = wholeImage(VTK_DOUBLE);
  this->Filter->SetOutputPointsPrecision(vtkAlgorithm::DOUBLE_PRECISION);
  this->Filter->SetDevice("CPU");
  const auto expected = this->outputOnCpu(image, 60);
  vtkPolyData* const mesh = this->contour(TreeOf(piecesOf(image, 0)), 60);
  EXPECT_EQ(mesh->GetPoints()->GetDataType(), VTK_DOUBLE);
  this->expectTriangles(mesh, expected, // coordinates are below 512
    [](double found, double point) { ASSERT_NEAR(found, point, 1e-12); });
}

// Kernels for levels round positions otherwise than those for images.
TEST_F(JoinedBlocks, HaveTheTrianglesOfTheImageOnItsDevice)
{
  const Image image = wholeImage();
  const auto expected = this->runAndCopy(image, 60);
  const std::string device = this->Filter->GetUsedDevice();
  vtkPolyData* const mesh = this->contour(TreeOf(piecesOf(image, 0)), 60);
  EXPECT_EQ(this->Filter->GetUsedDevice(), device);
  this->expectTriangles(mesh, expected,
    [](double found, double point) { ASSERT_FLOAT_EQ(static_cast<float>(found), static_cast<float>(point)); });
  this->expectNoMessages();
}

TEST_F(JoinedBlocks, OfAnAmrOfOneLevelGiveTheBytesOfTheImage)
{
  const auto image = CellImage({ 24, 24, 24 }, VTK_FLOAT, Ball());
  vtkNew<vtkImageToAMR> cut;
  cut->SetInputData(image);
  cut->SetNumberOfLevels(1);
  cut->Update();
  this->Filter->SetDevice("CPU");
  const auto expected = this->runAndCopy(image, 50);
  EXPECT_EQ(DifferenceBetween(this->contour(cut->GetOutput(), 50), expected), "");
  this->expectNoMessages();
}

TEST_F(JoinedBlocks, OfAnAmrHaveNoCracks)
{
  for (const int ratio : { 2, 3, 4 })
  {
    SCOPED_TRACE(ratio);
    this->Filter->SetInputArrayToProcess(0, 0, 0, vtkDataObject::FIELD_ASSOCIATION_CELLS, "Gaussian-Pulse");
    this->expectNoCracks(pulse(ratio), { 5e-5, 7e-5, 9e-5 });
  }
  this->Filter->SetInputArrayToProcess(0, 0, 0, vtkDataObject::FIELD_ASSOCIATION_CELLS, "samples");
  this->expectNoCracks(OverlappingAmrOf(twoLevels()), { 1, 2.5, 4 });
  vtkNew<vtkImageToAMR> cut;
  cut->SetInputData(CellImage({ 32, 24, 16 }, VTK_FLOAT, Noise()));
  cut->SetNumberOfLevels(3);
  cut->SetMaximumNumberOfBlocks(40);
  cut->Update();
  this->expectNoCracks(cut->GetOutput(), { 30, 50 });
}

// Without the flags, boxes alone tell which cells are covered.
TEST_F(JoinedBlocks, OfAnAmrNeedNoGhostCells)
{
  const auto withFlags = this->contour(OverlappingAmrOf(twoLevels()), 4);
  const std::string bytes = BytesOf(withFlags);
  EXPECT_TRUE(BytesOf(this->contour(OverlappingAmrOf(twoLevels(false)), 4)) == bytes);
  std::vector<Image> images;
  for (const std::vector<Image>& level : twoLevels())
    images.insert(images.end(), level.begin(), level.end());
  std::reverse(images.begin(), images.end());
  EXPECT_EQ(this->contour(TreeOf(images), 4)->GetNumberOfPolys(), withFlags->GetNumberOfPolys());
  this->expectNoMessages();
}

TEST_F(JoinedBlocks, OfAFileHaveNoCracks)
{
  const std::string file = AmrFile();
  if (file.empty())
    GTEST_SKIP() << "amr is not in the folder that VMC_VOLUME_FILES names.";
  this->Filter->SetInputArrayToProcess(0, 0, 0, vtkDataObject::FIELD_ASSOCIATION_CELLS, "Fractal Volume Fraction");
  this->expectNoCracks(realAmr(file), { 0.3, 0.5, 1.0 });
}

// Leaf by leaf, the same data has open edges inside: the test sees cracks.
TEST_F(JoinedBlocks, HaveCracksLeafByLeaf)
{
  const auto data = OverlappingAmrOf(twoLevels());
  this->Filter->JoinBlocksOff();
  this->contour(data, 4);
  auto* const output = vtkCompositeDataSet::SafeDownCast(this->Filter->GetOutputDataObject(0));
  ASSERT_NE(output, nullptr);
  double bounds[6];
  data->GetBounds(bounds);
  const auto leaf = vtkSmartPointer<vtkCompositeDataIterator>::Take(output->NewIterator());
  leaf->InitTraversal();
  auto* const coarse = vtkPolyData::SafeDownCast(leaf->GetCurrentDataObject());
  ASSERT_NE(coarse, nullptr);
  EXPECT_GT(openEdgesOf(coarse, bounds, 0.5 + 1e-6).second, 0);
}

TEST_F(JoinedBlocks, AnotherIsovalueReadsNoSamples)
{
  const auto blocks = TreeOf(piecesOf(wholeImage(), 1));
  for (int run = 0; run < 2; ++run)
  {
    for (const double isovalue : { 50, 60, 70 })
    {
      this->contour(blocks, isovalue);
      EXPECT_EQ(this->Filter->GetUploadTime() > 0, isovalue == 50);
    }
    auto* const samples = vtkImageData::SafeDownCast(blocks->GetBlock(3))->GetCellData()->GetArray("samples");
    samples->SetComponent(7, 0, 65);
    samples->Modified();
    blocks->Modified();
  }
  EXPECT_EQ(DifferenceBetween(this->Filter->GetOutput(), FreshOutput(this->Filter)), "");
}

// As a reader of time steps that keeps what does not change.
TEST_F(JoinedBlocks, WithANewArrayInSomeBlocksGiveTheBytesOfANewFilter)
{
  const auto blocks = TreeOf(piecesOf(wholeImage(), 1));
  this->contour(blocks, 60);
  for (const unsigned int changed : { 3u, 4u, 20u })
  {
    vtkCellData* const cells = vtkImageData::SafeDownCast(blocks->GetBlock(changed))->GetCellData();
    vtkNew<vtkFloatArray> samples;
    samples->DeepCopy(cells->GetArray("samples"));
    for (vtkIdType i = 0; i < samples->GetNumberOfValues(); ++i)
      samples->SetValue(i, 100 - samples->GetValue(i));
    cells->SetScalars(samples);
    blocks->Modified();
    EXPECT_EQ(DifferenceBetween(this->contour(blocks, 60), FreshOutput(this->Filter)), "");
  }
  this->expectNoMessages();
}

TEST_F(JoinedBlocks, HaveTheIdsAndBlocksOfTheirCells)
{
  const Image image = wholeImage();
  this->Filter->ComputeSampleIdsOn();
  const auto whole = this->outputOnCpu(image, 60);
  const auto data = TreeOf(piecesOf(image, 1));
  vtkCellData* const cells = this->contour(data, 60)->GetCellData();
  ASSERT_EQ(cells->GetNumberOfTuples(), whole->GetNumberOfPolys());
  vtkDataArray *const ids = cells->GetArray("SampleIds"), *const blocks = cells->GetArray("SampleBlocks"),
                      *const levels = cells->GetArray("SampleLevels");
  ASSERT_TRUE(ids && blocks && levels);
  vtkDataArray* const idsInWhole = whole->GetCellData()->GetArray("SampleIds");
  const std::map<int, vtkImageData*> images = blocksOf(data);
  for (vtkIdType triangle = 0; triangle < whole->GetNumberOfPolys(); ++triangle)
  {
    vtkImageData* const block = images.at(static_cast<int>(blocks->GetTuple1(triangle)));
    const auto cell = static_cast<vtkIdType>(ids->GetTuple1(triangle));
    ASSERT_LT(cell, block->GetNumberOfCells());
    EXPECT_EQ(block->GetCellGhostArray()->GetValue(cell), 0);
    Vector found{}, expected{};
    block->GetPoint(block->GetCell(cell)->GetPointId(0), found.data());
    image->GetPoint(
      image->GetCell(static_cast<vtkIdType>(idsInWhole->GetTuple1(triangle)))->GetPointId(0), expected.data());
    for (std::size_t axis = 0; axis < 3; ++axis)
      ASSERT_NEAR(found[axis], expected[axis], 1e-9);
    EXPECT_EQ(levels->GetTuple1(triangle), 0);
  }
}

// The dual cell of a triangle lies within one coarse cell of the centre of its sample, which belongs to no covered
// cell.
TEST_F(JoinedBlocks, OfAnAmrHaveTheLevelsOfTheirCells)
{
  const auto data = OverlappingAmrOf(twoLevels());
  this->Filter->ComputeSampleIdsOn();
  vtkPolyData* const mesh = this->contour(data, 4);
  vtkDataArray *const ids = mesh->GetCellData()->GetArray("SampleIds"),
                      *const blocks = mesh->GetCellData()->GetArray("SampleBlocks"),
                      *const levels = mesh->GetCellData()->GetArray("SampleLevels");
  ASSERT_TRUE(ids && blocks && levels);
  const std::map<int, vtkImageData*> images = blocksOf(data);
  std::array<int, 2> triangles{ 0, 0 }; // [level]
  for (vtkIdType triangle = 0; triangle < mesh->GetNumberOfPolys(); ++triangle)
  {
    vtkImageData* const block = images.at(static_cast<int>(blocks->GetTuple1(triangle)));
    const auto level = static_cast<std::size_t>(levels->GetTuple1(triangle));
    ASSERT_EQ(level, block->GetSpacing()[0] == 1 ? 0u : 1u);
    ++triangles[level];
    double cell[6], mean[3] = { 0, 0, 0 };
    block->GetCellBounds(static_cast<vtkIdType>(ids->GetTuple1(triangle)), cell);
    vtkNew<vtkIdList> corners;
    mesh->GetCellPoints(triangle, corners);
    for (int c = 0; c < 3; ++c)
      for (int axis = 0; axis < 3; ++axis)
        mean[axis] += mesh->GetPoint(corners->GetId(c))[axis] / 3;
    for (int axis = 0; axis < 3; ++axis)
      ASSERT_NEAR(mean[axis], (cell[2 * axis] + cell[2 * axis + 1]) / 2, 1 + 1e-6);
  }
  EXPECT_GT(triangles[0], 0);
  EXPECT_GT(triangles[1], 0);
}

// On each edge between two centres, a linear field and the coordinates are interpolated with the same weights.
TEST_F(JoinedBlocks, OfAnAmrHaveInterpolatedAttributes)
{
  const auto levels = twoLevels();
  for (const std::vector<Image>& level : levels)
    for (vtkImageData* image : level)
    {
      vtkNew<vtkFloatArray> heights;
      heights->SetName("heights");
      for (vtkIdType cell = 0; cell < image->GetNumberOfCells(); ++cell)
      {
        double bounds[6];
        image->GetCellBounds(cell, bounds);
        heights->InsertNextValue(static_cast<float>((bounds[4] + bounds[5]) / 2));
      }
      image->GetCellData()->AddArray(heights);
    }
  AddConstant(levels[1][0], "in one block", 1, 3);
  this->Filter->InterpolateAttributesOn();
  vtkPolyData* const mesh = this->contour(OverlappingAmrOf(levels), 4);
  vtkDataArray* const heights = mesh->GetPointData()->GetArray("heights");
  ASSERT_NE(heights, nullptr);
  EXPECT_GT(mesh->GetNumberOfPoints(), 0);
  for (vtkIdType point = 0; point < mesh->GetNumberOfPoints(); ++point)
    ASSERT_NEAR(heights->GetTuple1(point), mesh->GetPoint(point)[2], 1e-5); // floats below 12
  EXPECT_EQ(mesh->GetPointData()->GetArray("in one block"), nullptr);
  ASSERT_EQ(this->warnings().size(), 1u);
  EXPECT_CONTAINS(this->warnings()[0], "Arrays that not all blocks of a lattice have are not interpolated");
}

TEST_F(JoinedBlocks, AreLeavesWhenJoinBlocksIsOffAndJoinedAgain)
{
  const auto data = OverlappingAmrOf(twoLevels());
  const std::string joined = BytesOf(this->contour(data, 4));
  EXPECT_TRUE(this->warnings().empty());
  this->Filter->JoinBlocksOff();
  this->Filter->Update();
  EXPECT_TRUE(vtkDataObjectTree::SafeDownCast(this->Filter->GetOutputDataObject(0)));
  ASSERT_EQ(this->warnings().size(), 1u);
  EXPECT_CONTAINS(this->warnings()[0], "Turn on Join Blocks");
  this->Filter->JoinBlocksOn();
  this->Filter->Update();
  ASSERT_NE(this->Filter->GetOutput(), nullptr);
  EXPECT_TRUE(BytesOf(this->Filter->GetOutput()) == joined);
  const auto image = CellImage({ 24, 24, 24 }, VTK_FLOAT, Ball());
  const std::string alone = BytesOf(this->run(image, 50));
  this->Filter->JoinBlocksOff();
  EXPECT_TRUE(BytesOf(this->run(image, 50)) == alone);
  EXPECT_EQ(this->warnings().size(), 1u);
}

TEST_F(JoinedBlocks, ThatAreOneImageAreContouredOnTheDevice)
{
  const Image image = wholeImage();
  this->Filter->ComputeSampleIdsOn();
  const auto alone = this->runAndCopy(image, 60);
  vtkPolyData* const mesh = this->contour(TreeOf({ image }), 60);
  EXPECT_TRUE(this->hasRunOnItsDevice());
  EXPECT_TRUE(BytesOf(mesh) == BytesOf(alone));
  EXPECT_TRUE(
    BytesOf(mesh->GetCellData()->GetArray("SampleIds")) == BytesOf(alone->GetCellData()->GetArray("SampleIds")));
  EXPECT_EQ(mesh->GetCellData()->GetArray("SampleBlocks")->GetTuple1(0), 1);
  EXPECT_EQ(mesh->GetCellData()->GetArray("SampleLevels")->GetTuple1(0), 0);
  this->expectNoMessages();
}

// The surfaces of several lattices, of point data and of grids are one output.
TEST_F(JoinedBlocks, OfSeveralLatticesAreAppended)
{
  const auto ball = CellImage({ 24, 24, 24 }, VTK_FLOAT, Ball()), other = CellImage({ 24, 24, 24 }, VTK_FLOAT, Ball());
  other->SetSpacing(0.7, 0.7, 0.7);
  vtkNew<vtkRectilinearGrid> grid;
  grid->SetDimensions(25, 25, 25);
  vtkNew<vtkFloatArray> coordinates;
  for (int i = 0; i < 25; ++i)
    coordinates->InsertNextValue(static_cast<float>(100 + i));
  grid->SetXCoordinates(coordinates);
  grid->SetYCoordinates(coordinates);
  grid->SetZCoordinates(coordinates);
  grid->GetCellData()->ShallowCopy(ball->GetCellData());
  const auto blocks = TreeOf({ ball, other });
  blocks->SetBlock(2, grid);
  blocks->SetBlock(3, vtkNew<vtkPolyData>());
  vtkNew<vtkStringArray> title;
  title->SetName("title");
  title->InsertNextValue("balls");
  blocks->GetFieldData()->AddArray(title);
  const auto alone = this->runAndCopy(ball, 50);
  for (const int ids : { vtkVulkanMarchingCubes::IDS_32_BIT, vtkVulkanMarchingCubes::IDS_64_BIT })
    for (const int precision : { vtkAlgorithm::SINGLE_PRECISION, vtkAlgorithm::DOUBLE_PRECISION })
    {
      this->Filter->SetOutputIds(ids);
      this->Filter->SetOutputPointsPrecision(precision);
      this->Filter->ComputeSampleIdsOn();
      vtkPolyData* const mesh = this->contour(blocks, 50);
      ASSERT_NE(mesh, nullptr);
      EXPECT_EQ(mesh->GetNumberOfPoints(), 3 * alone->GetNumberOfPoints());
      EXPECT_EQ(mesh->GetNumberOfPolys(), 3 * alone->GetNumberOfPolys());
      EXPECT_EQ(this->Filter->GetNumberOfTriangles(), mesh->GetNumberOfPolys());
      EXPECT_EQ(
        mesh->GetPolys()->GetConnectivityArray()->GetDataTypeSize(), ids == vtkVulkanMarchingCubes::IDS_64_BIT ? 8 : 4);
      EXPECT_EQ(mesh->GetPoints()->GetDataType(), precision == vtkAlgorithm::DOUBLE_PRECISION ? VTK_DOUBLE : VTK_FLOAT);
      ASSERT_NE(mesh->GetPointData()->GetScalars(), nullptr);
      EXPECT_STREQ(mesh->GetPointData()->GetScalars()->GetName(), "samples");
      EXPECT_NE(mesh->GetPointData()->GetNormals(), nullptr);
      EXPECT_NE(mesh->GetFieldData()->GetAbstractArray("title"), nullptr);
      double range[2];
      vtkDataArray* const indices = mesh->GetCellData()->GetArray("SampleBlocks");
      ASSERT_NE(indices, nullptr);
      indices->GetRange(range);
      EXPECT_EQ(range[0], 1);
      EXPECT_EQ(range[1], 3);
    }
  ASSERT_EQ(this->warnings().size(), 4u);
  EXPECT_CONTAINS(this->warnings()[0], "1 of 4 blocks of the input are neither");
  EXPECT_TRUE(this->errors().empty());
}

// A table of all bricks between them would not fit in memory.
TEST_F(JoinedBlocks, FarApartAreContoured)
{
  const auto value = [](int, int j, int) { return j; };
  const auto cubeAt = [&](double x, double y)
  {
    const auto image = CellImage({ 4, 4, 4 }, VTK_FLOAT, value);
    image->SetOrigin(x, y, y);
    return image;
  };
  constexpr double Far = 1 << 20;
  const auto blocks = TreeOf({ cubeAt(0, 0), cubeAt(Far, Far), cubeAt(4, 0), cubeAt(Far + 4, Far), cubeAt(-Far, 0) });
  EXPECT_EQ(this->contour(blocks, 1.5)->GetNumberOfPolys(), 2 * 3 * (7 + 7 + 3));
  this->expectNoMessages();
}

TEST_F(JoinedBlocks, WithSamplesOfDifferentTypesHaveIsovaluesOfDouble)
{
  const auto floats = CellImage({ 9, 9, 9 }, VTK_FLOAT, Noise()), shorts = CellImage({ 9, 9, 9 }, VTK_SHORT, Noise());
  shorts->SetOrigin(100, 0, 0.5);
  vtkPolyData* const mesh = this->contour(TreeOf({ floats, shorts }), 50);
  vtkDataArray* const scalars = mesh->GetPointData()->GetScalars();
  ASSERT_NE(scalars, nullptr);
  EXPECT_STREQ(scalars->GetName(), "samples");
  EXPECT_EQ(scalars->GetDataType(), VTK_DOUBLE);
  double range[2];
  scalars->GetRange(range);
  EXPECT_EQ(range[0], 50);
  EXPECT_EQ(range[1], 50);
  this->expectNoMessages();
}

TEST_F(JoinedBlocks, OfPointDataAreContouredOneByOne)
{
  std::vector<Image> images = piecesOf(CellImage({ 24, 24, 24 }, VTK_FLOAT, Ball()), 0);
  vtkIdType triangles = 0;
  this->Filter->SetInputArrayToProcess(0, 0, 0, vtkDataObject::FIELD_ASSOCIATION_POINTS, "heights");
  for (vtkImageData* image : images)
  {
    vtkNew<vtkFloatArray> heights;
    heights->SetName("heights");
    for (vtkIdType point = 0; point < image->GetNumberOfPoints(); ++point)
      heights->InsertNextValue(static_cast<float>(image->GetPoint(point)[2]));
    image->GetPointData()->AddArray(heights);
    triangles += this->run(image, 9.5)->GetNumberOfPolys();
  }
  EXPECT_EQ(triangles, 2 * 24 * 24);
  EXPECT_EQ(this->contour(TreeOf(images), 9.5)->GetNumberOfPolys(), triangles);
  EXPECT_TRUE(this->hasRunOnItsDevice());
  this->expectNoMessages();
}

TEST_F(JoinedBlocks, OfPointDataThatAreClosedCauseOneWarning)
{
  const auto image = CellImage({ 8, 4, 4 }, VTK_FLOAT, Noise());
  vtkNew<vtkFloatArray> ones;
  ones->SetName("ones");
  ones->SetNumberOfValues(image->GetNumberOfPoints());
  ones->FillValue(1);
  image->GetPointData()->AddArray(ones);
  this->Filter->SetInputArrayToProcess(0, 0, 0, vtkDataObject::FIELD_ASSOCIATION_POINTS, "ones");
  this->Filter->SetBoundary(vtkVulkanMarchingCubes::BOUNDARY_CLOSE);
  const auto half = cut(image, { 0, 4, 0, 4, 0, 4 });
  const vtkIdType triangles = this->run(half, 0.5)->GetNumberOfPolys();
  EXPECT_GT(triangles, 0);
  EXPECT_TRUE(this->warnings().empty());
  EXPECT_EQ(this->contour(TreeOf({ half, cut(image, { 4, 8, 0, 4, 0, 4 }) }), 0.5)->GetNumberOfPolys(), 2 * triangles);
  ASSERT_EQ(this->warnings().size(), 1u);
  EXPECT_CONTAINS(this->warnings()[0], "2 blocks of point data are not joined");
  EXPECT_TRUE(this->errors().empty());
}

// Levels meet at the border, too: there are cells of both levels at the low sides.
TEST_F(JoinedBlocks, OfAnAmrReachTheBorderOfTheDomainOrAreClosed)
{
  vtkNew<vtkImageToAMR> levels;
  levels->SetInputData(CellImage({ 32, 24, 16 }, VTK_FLOAT, Noise()));
  levels->SetNumberOfLevels(3);
  levels->SetMaximumNumberOfBlocks(40);
  levels->Update();
  const vtkSmartPointer<vtkCompositeDataSet> two = OverlappingAmrOf(twoLevels());
  for (const auto& [data, isovalue] : { std::pair(two, 4.0), std::pair(two, 7.5),
         std::pair(vtkSmartPointer<vtkCompositeDataSet>(levels->GetOutput()), 50.0) })
  {
    SCOPED_TRACE(isovalue);
    double bounds[6];
    data->GetBounds(bounds);
    const double rounding = 1e-5; // of coordinates below 32 in single precision
    this->Filter->SetBoundary(vtkVulkanMarchingCubes::BOUNDARY_EXTEND);
    const auto [atBorder, inside] = openEdgesOf(this->contour(data, isovalue), bounds, rounding);
    EXPECT_EQ(inside, 0);
    EXPECT_EQ(atBorder > 0, isovalue > 4); // the ball of radius 4 does not meet the border
    EXPECT_GT(this->Filter->GetNumberOfTriangles(), 100);
    this->Filter->SetBoundary(vtkVulkanMarchingCubes::BOUNDARY_CLOSE);
    EXPECT_EQ(openEdgesOf(this->contour(data, isovalue), bounds, rounding), std::pair(0, 0));
    double ofMesh[6];
    this->Filter->GetOutput()->GetBounds(ofMesh);
    for (std::size_t side = 0; side < 6 && isovalue > 4; ++side)
      EXPECT_NEAR(ofMesh[side], bounds[side], rounding) << side;
  }
  this->expectNoMessages();
}

// They share a lattice, but each has a border of its own.
TEST_F(JoinedBlocks, WithAGapAreClosedEach)
{
  const auto image = CellImage({ 12, 6, 6 }, VTK_FLOAT, [](int, int, int) { return 1; });
  image->SetSpacing(0.1, 0.1, 0.1);
  const std::vector<Image> blocks = { cut(image, { 0, 2, 0, 6, 0, 6 }), cut(image, { 2, 4, 0, 6, 0, 6 }),
    cut(image, { 5, 12, 0, 6, 0, 6 }) };
  this->Filter->SetBoundary(vtkVulkanMarchingCubes::BOUNDARY_CLOSE);
  const vtkIdType triangles = this->run(cut(image, { 0, 4, 0, 6, 0, 6 }), 0.5)->GetNumberOfPolys() +
                              this->run(blocks[2], 0.5)->GetNumberOfPolys();
  vtkPolyData* const mesh = this->contour(TreeOf(blocks), 0.5);
  EXPECT_EQ(mesh->GetNumberOfPolys(), triangles);
  EXPECT_EQ(openEdgesOf(mesh, image->GetBounds(), 0), std::pair(0, 0));
  this->expectNoMessages();
}

TEST_F(JoinedBlocks, ThatAdjoinWithoutACommonLatticeCauseOneWarning)
{
  const auto value = [](int, int j, int) { return j; };
  const auto cubeAt = [&](const Vector& origin, double spacing)
  {
    const auto image = CellImage({ 4, 4, 4 }, VTK_FLOAT, value);
    image->SetOrigin(origin.data());
    image->SetSpacing(spacing, spacing, spacing);
    return image;
  };
  std::size_t warnings = 0;
  for (const auto& [other, expected] :
    std::vector<std::pair<Image, bool>>{ { cubeAt({ 4, 0, 0 }, 1), false }, { cubeAt({ 4, 0, 0 }, 0.5), false },
      { cubeAt({ 4, 0.5, 0 }, 1), true }, { cubeAt({ 4, 0, 0 }, 0.7), true }, { cubeAt({ 5, 0, 0 }, 0.7), false } })
  {
    this->contour(TreeOf({ cubeAt({ 0, 0, 0 }, 1), other }), 1.5);
    EXPECT_EQ(this->warnings().size(), warnings += expected ? 1 : 0);
  }
  EXPECT_CONTAINS(this->warnings().back(), "have no ghost cells and share no lattice");
  // Two complete images of one region, which are two parts.
  const std::vector<Image> halves = { cubeAt({ 0, 0, 0 }, 1), cubeAt({ 4, 0, 0 }, 1) };
  EXPECT_EQ(
    this->contour(TreeOf({ halves[0], halves[0], halves[1], halves[1] }), 1.5)->GetNumberOfPolys(), 2 * 2 * 7 * 3);
  EXPECT_EQ(this->warnings().size(), warnings);
  EXPECT_TRUE(this->errors().empty());
}

TEST_F(JoinedBlocks, OfRectilinearGridsThatAdjoinCauseOneWarning)
{
  vtkNew<vtkMultiBlockDataSet> blocks;
  for (unsigned int i = 0; i < 2; ++i)
  {
    vtkNew<vtkRectilinearGrid> grid;
    grid->SetDimensions(5, 5, 5);
    std::array<vtkNew<vtkFloatArray>, 3> coordinates;
    for (std::size_t axis = 0; axis < 3; ++axis)
      for (unsigned int c = 0; c < 5; ++c)
        coordinates[axis]->InsertNextValue(static_cast<float>(c + (axis == 0 ? 4 * i : 0)));
    grid->SetXCoordinates(coordinates[0]);
    grid->SetYCoordinates(coordinates[1]);
    grid->SetZCoordinates(coordinates[2]);
    grid->GetCellData()->ShallowCopy(
      CellImage({ 4, 4, 4 }, VTK_FLOAT, [](int, int j, int) { return j; })->GetCellData());
    blocks->SetBlock(i, grid);
  }
  EXPECT_EQ(this->contour(blocks, 1.5)->GetNumberOfPolys(), 2 * 18);
  ASSERT_EQ(this->warnings().size(), 1u);
  EXPECT_CONTAINS(this->warnings()[0], "share no lattice, as rectilinear grids. Apply the filter Ghost Cells first");
  EXPECT_TRUE(this->errors().empty());
}

TEST_F(JoinedBlocks, OfOneOfSeveralProcessesCauseOneWarningUnlessTheyHaveGhostCells)
{
  const Image image = wholeImage();
  const vtkIdType triangles = this->run(image, 50)->GetNumberOfPolys();
  const std::vector<Image> pieces = piecesOf(image, 1);
  vtkIdType onBothRanks = 0;
  for (const auto& [begin, end] : { std::pair(0, 12), std::pair(12, 27) })
  {
    this->Filter->SetInputDataObject(TreeOf({ pieces.begin() + begin, pieces.begin() + end }));
    this->Filter->UpdatePiece(begin == 0 ? 0 : 1, 2, 0);
    onBothRanks += this->Filter->GetOutput()->GetNumberOfPolys();
  }
  EXPECT_EQ(onBothRanks, triangles);
  EXPECT_TRUE(this->warnings().empty());
  this->Filter->SetInputDataObject(TreeOf(piecesOf(image, 0)));
  this->Filter->UpdatePiece(0, 2, 0);
  ASSERT_EQ(this->warnings().size(), 1u);
  EXPECT_CONTAINS(this->warnings()[0], "The surface may break at the blocks of other pieces");
  this->Filter->SetInputDataObject(TreeOf({ image })); // a piece of a larger image, maybe
  this->Filter->UpdatePiece(0, 2, 0);
  EXPECT_EQ(this->warnings().size(), 2u);
  EXPECT_TRUE(this->errors().empty());
}

TEST_F(JoinedBlocks, ThatContradictTheirAmrAreOneErrorAndNoSurface)
{
  auto levels = twoLevels();
  levels[1][1]->SetSpacing(0.3, 1 / 3.0, 1 / 3.0);
  const auto lying = OverlappingAmrOf(levels);
  this->Filter->SetInputDataObject(lying);
  this->Filter->SetValue(0, 4);
  EXPECT_EQ(this->Filter->GetExecutive()->Update(), 0);
  ASSERT_EQ(this->errors().size(), 1u);
  EXPECT_CONTAINS(this->errors()[0], "of level 1 has the spacing 0.3");
  EXPECT_EQ(this->Filter->GetErrorCode(), static_cast<unsigned long>(vtkErrorCode::UserError));
  ASSERT_NE(this->Filter->GetOutput(), nullptr);
  EXPECT_EQ(this->Filter->GetOutput()->GetNumberOfPoints(), 0);
  EXPECT_EQ(this->Filter->GetNumberOfTriangles(), 0);
  EXPECT_GT(this->contour(OverlappingAmrOf(twoLevels()), 4)->GetNumberOfPolys(), 0);
  EXPECT_EQ(this->errors().size(), 1u);
  EXPECT_EQ(this->Filter->GetErrorCode(), static_cast<unsigned long>(vtkErrorCode::NoError));
}

TEST_F(JoinedBlocks, OfAnAmrInTwoDimensionsAreOneError)
{
  this->Filter->SetInputArrayToProcess(0, 0, 0, vtkDataObject::FIELD_ASSOCIATION_CELLS, "Gaussian-Pulse");
  EXPECT_EQ(this->contour(pulse(2, 2), 5e-5)->GetNumberOfPoints(), 0);
  ASSERT_EQ(this->errors().size(), 1u);
  EXPECT_CONTAINS(this->errors()[0], "an isosurface needs at least 2 points along each axis.");
  EXPECT_TRUE(this->warnings().empty());
}

TEST_F(JoinedBlocks, OfOneLayerOfCellsAreNoted)
{
  const auto image = CellImage({ 12, 8, 1 }, VTK_FLOAT, Noise());
  const auto blocks = TreeOf({ cut(image, { 0, 5, 0, 8, 0, 1 }), cut(image, { 5, 12, 0, 8, 0, 1 }) });
  EXPECT_EQ(this->contour(blocks, 50)->GetNumberOfPoints(), 0);
  EXPECT_CONTAINS(this->Filter->GetNote(), "No surface in 12 x 8 x 1 cells");
  this->Filter->SetBoundary(vtkVulkanMarchingCubes::BOUNDARY_EXTEND);
  EXPECT_GT(this->contour(blocks, 50)->GetNumberOfPoints(), 0);
  EXPECT_STREQ(this->Filter->GetNote(), "");
  this->Filter->SetBoundary(vtkVulkanMarchingCubes::BOUNDARY_OPEN);
  // Each layer alone has no dual cell.
  const auto cube = CellImage({ 6, 6, 2 }, VTK_FLOAT, [](int i, int, int) { return i; });
  EXPECT_EQ(this->contour(TreeOf({ cut(cube, { 0, 6, 0, 6, 0, 1 }), cut(cube, { 0, 6, 0, 6, 1, 2 }) }), 2.5)
              ->GetNumberOfPolys(),
    10);
  EXPECT_STREQ(this->Filter->GetNote(), "");
  this->expectNoMessages();
}

TEST_F(JoinedBlocks, WithoutASurfaceHaveANoteWithTheRangeOfAllBlocks)
{
  const auto image = CellImage({ 12, 8, 8 }, VTK_FLOAT, [](int i, int, int) { return i; });
  const auto blocks = TreeOf({ cut(image, { 0, 5, 0, 8, 0, 8 }), cut(image, { 5, 12, 0, 8, 0, 8 }) });
  EXPECT_EQ(this->contour(blocks, 50)->GetNumberOfPoints(), 0);
  EXPECT_STREQ(this->Filter->GetNote(), "No surface at 50: \"samples\" ranges from 0 to 11.");
  EXPECT_NE(this->Filter->GetOutput()->GetPointData()->GetNormals(), nullptr); // arrays without tuples
  this->contour(blocks, 4.5);                                                  // between the blocks
  EXPECT_EQ(this->Filter->GetNumberOfTriangles(), 2 * 7 * 7);
  EXPECT_STREQ(this->Filter->GetNote(), "");
}

TEST_F(JoinedBlocks, WithoutIsovaluesOrBlocksHaveArraysWithoutTuples)
{
  this->Filter->SetInputArrayToProcess(0, 0, 0, vtkDataObject::FIELD_ASSOCIATION_CELLS, "samples");
  this->Filter->ComputeSampleIdsOn();
  for (const auto& data : { TreeOf(piecesOf(wholeImage(), 0)), TreeOf({}) })
  {
    this->Filter->SetInputDataObject(data);
    this->Filter->Update();
    vtkPolyData* const mesh = this->Filter->GetOutput();
    ASSERT_NE(mesh, nullptr);
    EXPECT_EQ(mesh->GetNumberOfPoints(), 0);
    EXPECT_NE(mesh->GetPointData()->GetArray("samples"), nullptr);
    EXPECT_NE(mesh->GetPointData()->GetNormals(), nullptr);
    for (const char* name : { "SampleIds", "SampleBlocks", "SampleLevels" })
      EXPECT_NE(mesh->GetCellData()->GetArray(name), nullptr) << name;
  }
  this->expectNoMessages();
}

TEST_F(JoinedBlocks, ThatLackTheArrayAreErrorsAndLeftOut)
{
  const std::vector<Image> pieces = piecesOf(wholeImage(), 0);
  pieces[3]->GetCellData()->RemoveArray("samples");
  pieces[20]->GetCellData()->RemoveArray("samples");
  this->Filter->SetInputArrayToProcess(0, 0, 0, vtkDataObject::FIELD_ASSOCIATION_CELLS, "samples");
  this->Filter->SetInputDataObject(TreeOf(pieces));
  this->Filter->SetValue(0, 60);
  EXPECT_EQ(this->Filter->GetExecutive()->Update(), 1);
  EXPECT_EQ(this->errors().size(), 1u); // both blocks have the same error
  EXPECT_GT(this->Filter->GetOutput()->GetNumberOfPolys(), 0);
  EXPECT_NE(this->Filter->GetErrorCode(), static_cast<unsigned long>(vtkErrorCode::NoError));
}

TEST_F(JoinedBlocks, AreEmptyIfTheRunIsStopped)
{
  vtkNew<vtkCallbackCommand> abort;
  abort->SetCallback(
    [](vtkObject* caller, unsigned long, void*, void*) { static_cast<vtkAlgorithm*>(caller)->SetAbortExecute(1); });
  const unsigned long tag = this->Filter->AddObserver(vtkCommand::ProgressEvent, abort);
  const auto data = OverlappingAmrOf(twoLevels());
  EXPECT_EQ(this->contour(data, 4)->GetNumberOfPoints(), 0);
  this->Filter->RemoveObserver(tag);
  this->Filter->SetAbortExecute(0);
  this->Filter->Modified();
  EXPECT_GT(this->contour(data, 4)->GetNumberOfPolys(), 0);
  this->expectNoMessages();
}

TEST_F(JoinedBlocks, AreContouredOnTheDeviceWithAttributesAndSampleIds)
{
  this->Filter->ComputeSampleIdsOn();
  this->Filter->InterpolateAttributesOn();
  this->contour(OverlappingAmrOf(twoLevels()), 4);
  EXPECT_TRUE(this->hasRunOnItsDevice());
}
