// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "FilterTest.h"
#include "FlyingEdgesReference.h"

#include "vtkCellData.h"
#include "vtkDataArray.h"
#include "vtkDoubleArray.h"
#include "vtkMath.h"
#include "vtkMatrix3x3.h"
#include "vtkMultiBlockDataSet.h"
#include "vtkSOADataArrayTemplate.h"
#include "vtkUnstructuredGrid.h"
#include "vtkVersionMacros.h"
#if VTK_VERSION_NUMBER >= VTK_VERSION_CHECK(9, 6, 0)
#include "vtkArrayComponents.h"
#endif

#include <cmath>
#include <limits>
#include <string>

using FilterInputs = FilterTest;

TEST_F(FilterInputs, ContoursEverySupportedTypeLikeFlyingEdges)
{
  for (const int type :
    { VTK_CHAR, VTK_SIGNED_CHAR, VTK_UNSIGNED_CHAR, VTK_SHORT, VTK_UNSIGNED_SHORT, VTK_INT, VTK_UNSIGNED_INT, VTK_LONG,
      VTK_UNSIGNED_LONG, VTK_LONG_LONG, VTK_UNSIGNED_LONG_LONG, VTK_ID_TYPE, VTK_FLOAT, VTK_DOUBLE })
  {
    SCOPED_TRACE(vtkImageScalarTypeNameMacro(type));
    const auto image = CellImage({ 21, 17, 10 }, type, Noise());
    vtkPolyData* mesh = this->run(image, 50.25);
    // The reference uses doubles: FlyingEdges subtracts unsigned ints, which wraps around if the samples decrease along
    // an edge.
    const auto reference = FlyingEdges(DualImage(CellImage({ 21, 17, 10 }, VTK_DOUBLE, Noise())), { 50.25 });
    ExpectSameCounts(mesh, reference);
    EXPECT_LE(Compare(mesh, reference).largestDistance, PositionTolerance);
  }
  EXPECT_TRUE(this->errors().empty());
}

TEST_F(FilterInputs, ContoursPointDataOnThePoints)
{
  const auto dual = DualImage(CellImage({ 20, 20, 20 }, VTK_SHORT, Noise()));
  this->Filter->SetInputArrayToProcess(0, 0, 0, vtkDataObject::FIELD_ASSOCIATION_POINTS, "samples");
  vtkPolyData* mesh = this->run(dual, 40);
  const auto reference = FlyingEdges(dual, { 40 });
  ExpectSameCounts(mesh, reference);
  EXPECT_LE(Compare(mesh, reference).largestDistance, PositionTolerance);
}

TEST_F(FilterInputs, HonoursOriginSpacingExtentAndDirection)
{
  const auto image = CellImage({ 24, 24, 24 }, VTK_FLOAT, Ball());
  image->SetExtent(-5, 19, 3, 27, 100, 124);
  image->SetOrigin(10, -20, 30);
  image->SetSpacing(0.5, 2, 1.25);
  image->SetDirectionMatrix(0, -1, 0, 0.6, 0, -0.8, 0.8, 0, 0.6);
  vtkPolyData* mesh = this->run(image, 50);
  // The middle of the ball as a continuous index.
  const double middle[3] = { -5 + 11.9, 3 + 12.1, 100 + 12.0 };
  double world[3];
  image->TransformContinuousIndexToPhysicalPoint(middle, world);
  double inverse[3];
  for (vtkIdType p = 0; p < mesh->GetNumberOfPoints(); ++p)
  {
    image->TransformPhysicalPointToContinuousIndex(mesh->GetPoint(p), inverse);
    // The field is a cone: with linear interpolation the surface lies within a tenth of a cell of radius 8.
    ASSERT_NEAR(std::sqrt(vtkMath::Distance2BetweenPoints(inverse, middle)), 8, 0.1);
  }
  const auto reference = FlyingEdges(DualImage(image), { 50 });
  ExpectSameCounts(mesh, reference);
  const Agreement agreement = Compare(mesh, reference);
  EXPECT_LE(agreement.largestDistance, 2e-5); // coordinates up to 256 in float: half a unit in the last place is 1.5e-5
  EXPECT_GE(agreement.normalsWithinOneDegree, 0.99);
}

namespace
{

// Cells of which the active scalars are component 1 of "velocity"; the magnitude is sqrt(2) times as large.
vtkSmartPointer<vtkImageData> imageWithVelocity()
{
  const auto image = CellImage({ 24, 24, 24 }, VTK_FLOAT, Ball());
  vtkNew<vtkDoubleArray> velocity;
  velocity->SetName("velocity");
  velocity->SetNumberOfComponents(3);
  velocity->SetNumberOfTuples(image->GetNumberOfCells());
  vtkDataArray* samples = image->GetCellData()->GetScalars();
  for (vtkIdType cell = 0; cell < image->GetNumberOfCells(); ++cell)
  {
    const double value = samples->GetTuple1(cell);
    velocity->SetTuple3(cell, 0.6 * value, value, 0.8 * value);
  }
  image->GetCellData()->AddArray(velocity);
  return image;
}

}

TEST_F(FilterInputs, ContoursAComponentOrTheMagnitudeOfAnArray)
{
  const auto image = imageWithVelocity();
  this->Filter->SetInputArrayToProcess(0, 0, 0, vtkDataObject::FIELD_ASSOCIATION_CELLS, "velocity");
  const auto reference = FlyingEdges(DualImage(image), { 50 });
  this->Filter->SetArrayComponent(1);
  ExpectSameCounts(this->run(image, 50), reference);
  this->run(image, 60);
  EXPECT_EQ(this->Filter->GetUploadTime(), 0); // the copy of the component is kept
  this->Filter->SetArrayComponent(-1);
  EXPECT_LE(Compare(this->run(image, 50 * std::sqrt(2.0)), reference).largestDistance, PositionTolerance);
  this->Filter->SetArrayComponent(3);
  EXPECT_EQ(this->run(image, 50)->GetNumberOfPoints(), 0);
  ASSERT_FALSE(this->errors().empty());
  EXPECT_CONTAINS(this->errors().front(), "\"velocity\" has 3 components; component 3 is requested.");
}

#if VTK_VERSION_NUMBER >= VTK_VERSION_CHECK(9, 6, 0)
TEST_F(FilterInputs, TheComponentOfSetInputArrayToProcessHasPrecedence)
{
  const auto image = imageWithVelocity();
  const auto reference = FlyingEdges(DualImage(image), { 50 });
  const auto choose = [&](int component)
  { this->Filter->SetInputArrayToProcess(0, 0, 0, vtkDataObject::FIELD_ASSOCIATION_CELLS, "velocity", component); };
  this->Filter->SetArrayComponent(0);
  choose(1);
  ExpectSameCounts(this->run(image, 50), reference);
  choose(vtkArrayComponents::L2Norm);
  EXPECT_LE(Compare(this->run(image, 50 * std::sqrt(2.0)), reference).largestDistance, PositionTolerance);
  choose(vtkArrayComponents::AllComponents);
  ExpectSameCounts(this->run(image, 0.6 * 50), reference);
  choose(vtkArrayComponents::L1Norm);
  EXPECT_EQ(this->run(image, 50)->GetNumberOfPoints(), 0);
  ASSERT_FALSE(this->errors().empty());
  EXPECT_CONTAINS(this->errors().front(), "\"velocity\" is contoured by a component or by the L2 norm");
}
#endif

TEST_F(FilterInputs, ContoursArraysWhoseComponentsLieApart)
{
  const auto image = CellImage({ 24, 24, 24 }, VTK_FLOAT, Ball());
  vtkNew<vtkSOADataArrayTemplate<float>> samples;
  samples->SetName("apart");
  samples->DeepCopy(image->GetCellData()->GetScalars());
  samples->SetName("apart");
  const auto reference = FlyingEdges(DualImage(image), { 50 });
  image->GetCellData()->SetScalars(samples);
  ExpectSameCounts(this->run(image, 50), reference);
}

TEST_F(FilterInputs, LeavesOfACompositeThatAreNoImagesCauseOneWarning)
{
  vtkNew<vtkMultiBlockDataSet> blocks;
  const auto image = CellImage({ 24, 24, 24 }, VTK_FLOAT, Ball());
  blocks->SetBlock(0, image);
  blocks->SetBlock(1, vtkNew<vtkPolyData>());
  blocks->SetBlock(2, vtkNew<vtkUnstructuredGrid>());
  blocks->SetBlock(3, image);
  this->Filter->JoinBlocksOff();
  this->Filter->SetInputDataObject(blocks);
  this->Filter->SetValue(0, 50);
  for (std::size_t run = 1; run <= 2; ++run)
  {
    this->Filter->Modified();
    this->Filter->Update();
    ASSERT_EQ(this->warnings().size(), run);
    EXPECT_CONTAINS(this->warnings().back(), "2 of 4");
    auto* output = vtkMultiBlockDataSet::SafeDownCast(this->Filter->GetOutputDataObject(0));
    ASSERT_NE(output, nullptr);
    for (const unsigned int leaf : { 0, 3 })
    {
      auto* mesh = vtkPolyData::SafeDownCast(output->GetBlock(leaf));
      ASSERT_NE(mesh, nullptr);
      ExpectSameCounts(mesh, FlyingEdges(DualImage(image), { 50 }));
    }
  }
  EXPECT_TRUE(this->errors().empty());
}

TEST_F(FilterInputs, CellsThatTouchANanMakeNoTriangle)
{
  const double nan = std::numeric_limits<double>::quiet_NaN();
  // Half of the samples are NaN: no point lies there, and every point is finite.
  const auto value = Ball();
  const auto image =
    CellImage({ 24, 24, 24 }, VTK_FLOAT, [&](int i, int j, int k) { return i < 12 ? nan : value(i, j, k); });
  vtkPolyData* mesh = this->run(image, 50);
  ASSERT_GT(mesh->GetNumberOfPolys(), 0);
  double bounds[6];
  mesh->GetBounds(bounds);
  EXPECT_EQ(bounds[0], 12.5); // the first cell centre with a number
  MeshCopy copy;
  EXPECT_EQ(vmc::test::unreferencedPoints(ViewOf(mesh, copy)), 0u);
}

TEST_F(FilterInputs, NothingToContourGivesAnEmptyOutput)
{
  const auto image = CellImage({ 24, 24, 24 }, VTK_FLOAT, Ball());
  EXPECT_EQ(this->run(image, 1000)->GetNumberOfPoints(), 0);
  EXPECT_EQ(this->run(CellImage({ 9, 9, 9 }, VTK_FLOAT, [](int, int, int) { return 5; }), 5)->GetNumberOfPoints(), 0);
  EXPECT_EQ(this->run(CellImage({ 9, 9, 1 }, VTK_FLOAT, Noise()), 50)->GetNumberOfPoints(), 0); // no dual cell
  this->Filter->SetNumberOfContours(0);
  this->Filter->Update();
  EXPECT_EQ(this->Filter->GetOutput()->GetNumberOfPoints(), 0);
  EXPECT_TRUE(this->errors().empty());
  EXPECT_TRUE(this->warnings().empty());
}
