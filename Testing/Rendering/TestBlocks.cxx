// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Pictures of levels, of blocks and of rectilinear grids.
#include "RenderingTest.h"

#include "Filter/Composites.h"

#include "vtkCellData.h"
#include "vtkDoubleArray.h"
#include "vtkFloatArray.h"
#include "vtkLookupTable.h"
#include "vtkNonOverlappingAMR.h"
#include "vtkPartitionedDataSet.h"
#include "vtkPartitionedDataSetCollection.h"
#include "vtkRectilinearGrid.h"
#include "vtkStringArray.h"

#include <array>
#include <cmath>
#include <vector>

namespace vmc::test
{

namespace
{

using Mapper = vtkVulkanIsosurfaceMapper;

// A part of the gyroid's image in cells of this size, with the array "x" of the centres.
vtkSmartPointer<vtkImageData> block(const std::array<double, 3>& low, const std::array<int, 3>& cells, int size = 1)
{
  auto image = vtkSmartPointer<vtkImageData>::New();
  image->SetOrigin(low.data());
  image->SetSpacing(size, size, size);
  image->SetDimensions(cells[0] + 1, cells[1] + 1, cells[2] + 1);
  vtkNew<vtkFloatArray> samples, x;
  samples->SetName("samples");
  x->SetName("x");
  for (int k = 0; k < cells[2]; ++k)
    for (int j = 0; j < cells[1]; ++j)
      for (int i = 0; i < cells[0]; ++i)
      {
        const auto at = [&](int axis, int index) { return low[axis] + (index + 0.5) * size - 0.5; };
        samples->InsertNextValue(static_cast<float>(gyroid({ at(0, i), at(1, j), at(2, k) })));
        x->InsertNextValue(static_cast<float>(at(0, i)));
      }
  image->GetCellData()->SetScalars(samples);
  image->GetCellData()->AddArray(x);
  return image;
}

// Coarse cells everywhere, and finer ones over three quarters of them.
vtkSmartPointer<vtkDataObject> levels()
{
  return AmrOf<vtkNonOverlappingAMR>({ { block({ 0, 0, 0 }, { 14, 14, 14 }, 2) },
    { block({ 0, 0, 0 }, { 14, 28, 28 }), block({ 14, 14, 0 }, { 14, 14, 28 }) } });
}

// Two halves. gap: the distance between them.
vtkSmartPointer<vtkPartitionedDataSetCollection> halves(double gap)
{
  auto collection = vtkSmartPointer<vtkPartitionedDataSetCollection>::New();
  collection->SetPartition(0, 0, block({ 0, 0, 0 }, { 14, 28, 28 }));
  collection->SetPartition(1, 0, block({ 14 + gap, 0, 0 }, { 14, 28, 28 }));
  return collection;
}

// The gyroid at unequal distances.
vtkSmartPointer<vtkDataObject> grid()
{
  auto made = vtkSmartPointer<vtkRectilinearGrid>::New();
  vtkNew<vtkDoubleArray> coordinates;
  for (int i = 0; i <= Side; ++i)
    coordinates->InsertNextValue(double(i) * i / Side);
  made->SetDimensions(Side + 1, Side + 1, Side + 1);
  made->SetXCoordinates(coordinates);
  made->SetYCoordinates(coordinates);
  made->SetZCoordinates(coordinates);
  made->GetCellData()->ShallowCopy(imageOf(gyroid)->GetCellData());
  return made;
}

Scene sceneOf(const vtkSmartPointer<vtkDataObject>& data)
{
  Scene scene;
  scene.blocks = data;
  return scene;
}

void colourByX(vtkPolyDataMapper* mapper)
{
  vtkNew<vtkLookupTable> table;
  table->SetRange(0, Side);
  mapper->ScalarVisibilityOn();
  mapper->SetScalarModeToUsePointFieldData();
  mapper->SelectColorArray("x");
  mapper->SetLookupTable(table);
  mapper->UseLookupTableScalarRangeOn();
  mapper->SetColorModeToMapScalars();
  mapper->InterpolateScalarsBeforeMappingOn();
}

}

class PictureOfBlocks : public PictureTest
{
protected:
  // Expects the points and the triangles of the filter's output.
  static void expectSizesOfFilter(const Scene& scene, Mapper* mapper)
  {
    vtkNew<vtkVulkanMarchingCubes> filter;
    filter->SetInputData(scene.data());
    scene.setContour(filter);
    filter->Update();
    EXPECT_GT(filter->GetNumberOfTriangles(), 1000);
    EXPECT_EQ(mapper->GetNumberOfTriangles(), filter->GetNumberOfTriangles());
    EXPECT_EQ(mapper->GetNumberOfPoints(), filter->GetNumberOfPoints());
  }

  void expectPictureAndSizesOf(const Scene& scene)
  {
    this->expectPictureOf(scene);
    const auto mapper = makeMapper(scene);
    this->draw(scene, mapper);
    expectSizesOfFilter(scene, mapper);
  }
};
INSTANTIATE_PICTURES(PictureOfBlocks);

TEST_P(PictureOfBlocks, Levels)
{
  this->expectPictureAndSizesOf(sceneOf(levels()));
}

TEST_P(PictureOfBlocks, SeveralIsovaluesOfLevels)
{
  Scene scene = sceneOf(levels());
  scene.isovalues = { 0.2, -0.5 };
  scene.mapper = [](vtkPolyDataMapper* mapper)
  {
    mapper->ScalarVisibilityOn();
    mapper->SetScalarRange(-1, 1);
    mapper->InterpolateScalarsBeforeMappingOn();
    mapper->SetColorModeToMapScalars();
  };
  this->expectPictureAndSizesOf(scene);
}

TEST_P(PictureOfBlocks, BlocksOfOneLattice)
{
  const Scene scene = sceneOf(halves(0));
  this->expectPictureAndSizesOf(scene);
  expectEqual(this->reference(scene), this->reference(Scene())); // without a gap
}

TEST_P(PictureOfBlocks, RectilinearGrid)
{
  this->expectPictureAndSizesOf(sceneOf(grid()));
}

TEST_P(PictureOfBlocks, ColoursOfAnotherArray)
{
  Scene scene;
  scene.mapper = colourByX;
  scene.reference = [](vtkVulkanMarchingCubes* filter) { filter->InterpolateAttributesOn(); };
  for (const auto& data : { levels(), vtkSmartPointer<vtkDataObject>(halves(0.25)) })
  {
    scene.blocks = data;
    const Picture expected = this->reference(scene);
    expectCovered(expected);
    const auto mapper = makeMapper(scene);
    expectSame(this->draw(scene, mapper), expected);
  }
}

TEST_P(PictureOfBlocks, BlocksOfTwoLatticesAreDrawnFromPolyData)
{
  Scene scene = sceneOf(halves(0.25));
  const auto mapper = makeMapper(scene);
  expectSame(this->draw(scene, mapper), this->reference(scene));
  this->draw(scene, mapper);
  EXPECT_STREQ(mapper->GetDrawnByText(),
    "vtkPolyDataMapper: The surfaces of several images or lattices are drawn from vtkPolyData.");
  expectSizesOfFilter(scene, mapper);
  scene.blocks = halves(0);
  mapper->SetInputData(scene.blocks);
  expectSame(this->draw(scene, mapper), this->reference(scene));
  this->draw(scene, mapper);
  expectPath(mapper);
}

TEST_P(PictureOfBlocks, AnotherIsovalueReadsNothing)
{
  const auto hasUpload = [](Mapper* mapper)
  { return mapper->GetContour()->GetStageNames()->LookupValue("Upload") >= 0; };
  for (const double gap : { 0.0, 0.25 })
  {
    Scene scene = sceneOf(halves(gap));
    const auto mapper = makeMapper(scene);
    this->draw(scene, mapper);
    EXPECT_TRUE(hasUpload(mapper));
    scene.isovalues = { 0.25 };
    mapper->GetContour()->SetValue(0, 0.25);
    const Picture drawn = drawAgain(this->MainWindow.get());
    EXPECT_FALSE(hasUpload(mapper));
    expectSame(drawn, this->reference(scene));
  }
}

TEST_P(PictureOfBlocks, AChangedBlockIsAnotherPicture)
{
  const auto collection = halves(0);
  const Scene scene = sceneOf(collection);
  const auto mapper = makeMapper(scene);
  const Picture before = this->draw(scene, mapper);
  vtkDataArray* const samples = collection->GetPartition(1, 0)->GetCellData()->GetScalars();
  samples->Fill(0);
  samples->Modified();
  const Picture drawn = drawAgain(this->MainWindow.get());
  expectDifferent(drawn, before);
  expectSame(drawn, this->reference(scene));
}

TEST_P(PictureOfBlocks, RaysFallBackToTriangles)
{
  for (const auto& data : { levels(), vtkSmartPointer<vtkDataObject>(halves(0)), grid() })
  {
    const Scene scene = sceneOf(data);
    const auto mapper = makeMapper(scene);
    mapper->SetSurfaceMode(Mapper::ONLY_RAYS);
    expectSame(this->draw(scene, mapper), this->reference(scene));
    this->draw(scene, mapper);
    expectPath(mapper);
    EXPECT_CONTAINS(mapper->GetDrawnByText(), ": Blocks and rectilinear grids are drawn with triangles.");
  }
}

TEST_P(PictureOfBlocks, ABlockWithoutTheArrayIsAWarning)
{
  const auto collection = halves(0);
  const Scene scene = sceneOf(collection);
  collection->GetPartition(1, 0)->GetCellData()->RemoveArray("samples");
  const auto mapper = makeMapper(scene);
  mapper->GetContour()->SetInputArrayToProcess(0, 0, 0, vtkDataObject::CELL, "samples");
  expectCovered(this->draw(scene, mapper));
  const std::vector<std::string> warnings = this->takeWarnings();
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_CONTAINS(warnings[0], "There is no numeric cell array \"samples\".");
  collection->GetPartition(0, 0)->GetCellData()->RemoveArray("samples");
  expectEmpty(drawAgain(this->MainWindow.get()));
  EXPECT_EQ(this->takeErrors().size(), 1u); // one sentence for all blocks
}

}
