// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Pictures coloured by the isovalues and by other arrays.
#include "RenderingTest.h"

#include "vtkColorTransferFunction.h"
#include "vtkLookupTable.h"
#include "vtkPointData.h"
#include "vtkPolyData.h"

#include <cmath>
#include <limits>

namespace vmc::test
{

namespace
{

constexpr double NotANumber = std::numeric_limits<double>::quiet_NaN();

vtkSmartPointer<vtkColorTransferFunction> transferFunction(double first, double last)
{
  auto colors = vtkSmartPointer<vtkColorTransferFunction>::New();
  colors->AddRGBPoint(first, 0.1, 0.2, 0.9);
  colors->AddRGBPoint((first + last) / 2, 0.9, 0.9, 0.8);
  colors->AddRGBPoint(last, 0.8, 0.1, 0.1);
  return colors;
}

vtkSmartPointer<vtkLookupTable> table(double first, double last, int colors = 256)
{
  auto lookup = vtkSmartPointer<vtkLookupTable>::New();
  lookup->SetNumberOfTableValues(colors);
  lookup->SetHueRange(0.7, 0);
  lookup->SetTableRange(first, last);
  lookup->Build();
  return lookup;
}

// Three surfaces, as wide apart as the gyroid allows. Positive, for logarithms: the samples are shifted by 2.
Scene threeIsovalues()
{
  Scene scene;
  scene.image = imageOf([](const auto& position) { return gyroid(position) + 2; });
  scene.isovalues = { 1.1, 2.1, 3 };
  return scene;
}

std::function<void(vtkPolyDataMapper*)> colorBy(vtkScalarsToColors* map, bool isInterpolatedBeforeMapping = true)
{
  return [map = vtkSmartPointer<vtkScalarsToColors>(map), isInterpolatedBeforeMapping](vtkPolyDataMapper* mapper)
  {
    mapper->ScalarVisibilityOn();
    mapper->SetLookupTable(map);
    mapper->UseLookupTableScalarRangeOn();
    mapper->SetInterpolateScalarsBeforeMapping(isInterpolatedBeforeMapping);
  };
}

// "height" has values in [0, 27]; NaN above 20 where hasNan. "flow" has three components in [-1, 1].
vtkSmartPointer<vtkImageData> imageWithArrays(int association, bool hasNan = false)
{
  const auto image = imageOf(gyroid, VTK_FLOAT, association);
  addArray(
    image, "height", 1, [hasNan](const auto& p, int) { return hasNan && p[2] > 20 ? NotANumber : p[2]; }, association);
  addArray(
    image, "flow", 3, [](const auto& p, int c) { return std::sin(p[std::size_t(c)] / 4.0 + c); }, association);
  return image;
}

// Coloured by an array of the image. It is interpolated before it is mapped unless a test changes that.
Scene colorByArray(const char* name, vtkScalarsToColors* map, int association = vtkDataObject::CELL)
{
  Scene scene;
  scene.image = imageWithArrays(association);
  if (association == vtkDataObject::POINT)
    scene.contour = [](vtkVulkanMarchingCubes* filter)
    { filter->SetInputArrayToProcess(0, 0, 0, vtkDataObject::FIELD_ASSOCIATION_POINTS, "samples"); };
  scene.reference = [](vtkVulkanMarchingCubes* filter) { filter->InterpolateAttributesOn(); };
  scene.mapper = [name, set = colorBy(map)](vtkPolyDataMapper* mapper)
  {
    set(mapper);
    mapper->SetScalarModeToUsePointFieldData();
    mapper->SelectColorArray(name);
  };
  return scene;
}

// The scene with one more call on its mapper.
Scene with(Scene scene, const std::function<void(vtkPolyDataMapper*)>& change)
{
  scene.mapper = [set = scene.mapper, change](vtkPolyDataMapper* mapper)
  {
    set(mapper);
    change(mapper);
  };
  return scene;
}

}

class PictureOfColors : public PictureTest
{
protected:
  void expectPictureOfIsovalues(vtkScalarsToColors* map, bool isInterpolatedBeforeMapping = true)
  {
    Scene scene = threeIsovalues();
    scene.mapper = colorBy(map, isInterpolatedBeforeMapping);
    scene.isOnlyPolyData = !isInterpolatedBeforeMapping;
    this->expectPictureOf(scene, threeIsovalues());
  }

  // The picture with this map is not that with a plain table.
  void expectPictureOfHeight(vtkScalarsToColors* map)
  {
    this->expectPictureOf(colorByArray("height", map), colorByArray("height", table(0, 27)));
  }
};
INSTANTIATE_PICTURES(PictureOfColors);

TEST_P(PictureOfColors, IsovaluesByATransferFunction)
{
  this->expectPictureOfIsovalues(transferFunction(1, 3));
}

TEST_P(PictureOfColors, IsovaluesByATable)
{
  this->expectPictureOfIsovalues(table(1, 3));
}

// Colours of values that differ by less than the precision of a float at their size.
TEST_P(PictureOfColors, IsovaluesFarFromZero)
{
  for (const double base : { 1e6, 1e8, -3e12 })
  {
    Scene scene;
    scene.image = imageOf([base](const auto& position) { return base + 0.25 * gyroid(position); }, VTK_DOUBLE);
    scene.isovalues = { base - 0.2, base, base + 0.2 };
    scene.mapper = colorBy(transferFunction(base - 0.25, base + 0.25));
    Scene other = scene;
    other.mapper = colorBy(transferFunction(base - 0.5, base + 0.25));
    this->expectPictureOf(scene, other);
  }
}

TEST_P(PictureOfColors, IsovaluesBeyondTheRangeOfFloat)
{
  Scene scene;
  scene.image = imageOf([](const auto& position) { return 1e200 * gyroid(position); }, VTK_DOUBLE);
  scene.isovalues = { -0.9e200, 0.1e200, 1e200 };
  scene.mapper = colorBy(transferFunction(-1e200, 1e200));
  const Picture expected = this->reference(scene);
  expectCovered(expected);
  const auto mapper = makeMapper(scene);
  expectSame(this->draw(scene, mapper), expected);
  expectPath(mapper, vtkVulkanIsosurfaceMapper::POLY_DATA);
}

TEST_P(PictureOfColors, IsovaluesByALogarithmicTable)
{
  const auto logarithmic = table(1, 3);
  logarithmic->SetScaleToLog10();
  Scene scene = threeIsovalues(), linear = threeIsovalues();
  scene.mapper = colorBy(logarithmic);
  linear.mapper = colorBy(table(1, 3));
  this->expectPictureOf(scene, linear);
}

TEST_P(PictureOfColors, IsovaluesByALogarithmicTransferFunction)
{
  const auto logarithmic = transferFunction(1, 3);
  logarithmic->SetScaleToLog10();
  Scene scene = threeIsovalues(), linear = threeIsovalues();
  scene.mapper = colorBy(logarithmic);
  linear.mapper = colorBy(transferFunction(1, 3));
  this->expectPictureOf(scene, linear);
}

TEST_P(PictureOfColors, IsovaluesBelowAndAboveTheRange)
{
  const auto map = table(1.5, 2.5);
  map->UseBelowRangeColorOn();
  map->SetBelowRangeColor(0.1, 0.6, 0.2, 1);
  map->UseAboveRangeColorOn();
  map->SetAboveRangeColor(0.9, 0.9, 0.9, 1);
  this->expectPictureOfIsovalues(map);
}

TEST_P(PictureOfColors, IsovaluesMappedBeforeInterpolation)
{
  this->expectPictureOfIsovalues(transferFunction(1, 3), false);
}

TEST_P(PictureOfColors, IsovaluesInTheScalarRangeOfTheMapper)
{
  Scene scene = threeIsovalues();
  scene.mapper = colorBy(table(0, 1));
  const Scene withRangeOfTable = scene;
  scene = with(scene,
    [](vtkPolyDataMapper* mapper)
    {
      mapper->UseLookupTableScalarRangeOff();
      mapper->SetScalarRange(1, 4);
    });
  this->expectPictureOf(scene, withRangeOfTable);
}

// The mapper under test interpolates scalars before it maps them, VTK's maps them first. All points of a triangle have
// one isovalue, so the pictures agree.
TEST_P(PictureOfColors, IsovaluesWithTheDefaultsOfTheMapper)
{
  Scene scene = threeIsovalues();
  scene.mapper = [](vtkPolyDataMapper* mapper)
  {
    mapper->ScalarVisibilityOn();
    mapper->SetScalarRange(1, 3);
  };
  this->expectPictureOf(scene, threeIsovalues());
}

TEST_P(PictureOfColors, IsovaluesByAnIndexedTable)
{
  const auto map = table(1, 3, 3);
  map->IndexedLookupOn();
  const char* const names[] = { "low", "middle", "high" };
  for (int i = 0; i < 3; ++i)
    map->SetAnnotation(threeIsovalues().isovalues[std::size_t(i)], names[i]);
  Scene scene = threeIsovalues();
  scene.mapper = colorBy(map);
  scene.isOnlyPolyData = true;
  this->expectPictureOf(scene, threeIsovalues());
}

// The isovalues are named: the array of the filter has the name of the contoured one.
TEST_P(PictureOfColors, IsovaluesSelectedByName)
{
  Scene scene = threeIsovalues();
  scene.mapper = [set = colorBy(table(1, 3))](vtkPolyDataMapper* mapper)
  {
    set(mapper);
    mapper->SetScalarModeToUsePointFieldData();
    mapper->SelectColorArray("samples");
  };
  this->expectPictureOf(scene, threeIsovalues());
}

TEST_P(PictureOfColors, CellArray)
{
  this->expectPictureOf(colorByArray("height", transferFunction(0, 27)), Scene());
}

TEST_P(PictureOfColors, PointArray)
{
  this->expectPictureOf(colorByArray("height", transferFunction(0, 27), vtkDataObject::POINT), Scene());
}

TEST_P(PictureOfColors, ArrayMappedBeforeInterpolation)
{
  const Scene before = colorByArray("height", table(0, 27, 4));
  Scene scene = with(before, [](vtkPolyDataMapper* mapper) { mapper->InterpolateScalarsBeforeMappingOff(); });
  scene.isOnlyPolyData = true;
  this->expectPictureOf(scene, before);
}

TEST_P(PictureOfColors, MagnitudeOfVectors)
{
  const auto map = table(0, 1.7);
  map->SetVectorModeToMagnitude();
  this->expectPictureOf(colorByArray("flow", map), Scene());
}

TEST_P(PictureOfColors, ComponentOfVectors)
{
  const auto map = table(-1, 1), first = table(-1, 1);
  for (vtkLookupTable* each : { map.Get(), first.Get() })
    each->SetVectorModeToComponent();
  map->SetVectorComponent(2);
  this->expectPictureOf(colorByArray("flow", map), colorByArray("flow", first));
}

TEST_P(PictureOfColors, ColorsOfVectors)
{
  const auto map = table(-1, 1);
  map->SetVectorModeToRGBColors();
  this->expectPictureOf(colorByArray("flow", map), Scene());
}

TEST_P(PictureOfColors, DirectScalars)
{
  Scene scene =
    with(colorByArray("flow", table(0, 1)), [](vtkPolyDataMapper* mapper) { mapper->SetColorModeToDirectScalars(); });
  scene.isOnlyPolyData = true;
  this->expectPictureOf(scene, Scene());
}

TEST_P(PictureOfColors, NanColor)
{
  const auto map = table(0, 27);
  map->SetNanColor(0.2, 0.9, 0.9, 1);
  Scene scene = colorByArray("height", map), withoutNan = scene;
  scene.image = imageWithArrays(vtkDataObject::CELL, true);
  this->expectPictureOf(scene, withoutNan);
}

TEST_P(PictureOfColors, NanColorOfATransferFunction)
{
  const auto map = transferFunction(0, 27);
  map->SetNanColor(0.2, 0.9, 0.2);
  Scene scene = colorByArray("height", map), withoutNan = scene;
  scene.image = imageWithArrays(vtkDataObject::CELL, true);
  this->expectPictureOf(scene, withoutNan);
}

TEST_P(PictureOfColors, BelowAndAboveTheRange)
{
  const auto map = table(8, 20);
  map->UseBelowRangeColorOn();
  map->SetBelowRangeColor(0.2, 0.2, 0.2, 1);
  map->UseAboveRangeColorOn();
  map->SetAboveRangeColor(0.9, 0.9, 0.9, 1);
  this->expectPictureOfHeight(map);
}

TEST_P(PictureOfColors, FewColors)
{
  this->expectPictureOfHeight(table(0, 27, 5));
}

TEST_P(PictureOfColors, LogarithmicArray)
{
  const auto map = table(1, 27);
  map->SetScaleToLog10();
  this->expectPictureOfHeight(map);
}

TEST_P(PictureOfColors, IdsOfCells)
{
  Scene scene;
  scene.contour = [](vtkVulkanMarchingCubes* filter) { filter->ComputeSampleIdsOn(); };
  scene.mapper = [set = colorBy(table(0, Side * Side * Side))](vtkPolyDataMapper* mapper)
  {
    set(mapper);
    mapper->SetScalarModeToUseCellFieldData();
    mapper->SelectColorArray("SampleIds");
  };
  scene.isOnlyPolyData = true;
  this->expectPictureOf(scene, Scene());
}

// Interpolating the other arrays would take time and memory for nothing.
TEST_F(RenderingTest, PolyDataHasOnlyTheArrayThatColoursIt)
{
  const Scene scene = colorByArray("height", table(0, 27));
  const auto mapper = makeMapper(scene, vtkVulkanIsosurfaceMapper::POLY_DATA);
  this->draw(scene, mapper);
  vtkPointData* const arrays = mapper->GetContour()->GetOutput()->GetPointData();
  EXPECT_TRUE(arrays->HasArray("height"));
  EXPECT_FALSE(arrays->HasArray("flow"));
}

// Another array is selected, another map is set, and the map itself changes.
TEST_P(PictureOfColors, FollowTheirSettings)
{
  const auto map = table(0, 27);
  const Scene heights = colorByArray("height", map), vectors = colorByArray("flow", table(0, 1.7));
  const Picture expectedHeights = this->reference(heights), expectedVectors = this->reference(vectors);
  const auto mapper = makeMapper(heights);
  const Picture first = this->draw(heights, mapper);
  expectSame(first, expectedHeights);
  vectors.setMapper(mapper);
  expectSame(this->draw(vectors, mapper), expectedVectors);
  expectPath(mapper);
  heights.setMapper(mapper);
  expectEqual(this->draw(heights, mapper), first);
  map->SetHueRange(0.2, 0.9);
  map->ForceBuild();
  const Picture changed = this->draw(heights, mapper);
  expectPath(mapper);
  expectDifferent(changed, first);
  expectSame(changed, this->reference(heights));
}

}
