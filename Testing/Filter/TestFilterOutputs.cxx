// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "FilterTest.h"
#include "FlyingEdgesReference.h"

#include "vtkCell.h"
#include "vtkCellArray.h"
#include "vtkCellData.h"
#include "vtkDataArray.h"
#include "vtkDoubleArray.h"
#include "vtkIdList.h"
#include "vtkMath.h"
#include "vtkMatrix3x3.h"
#include "vtkPointData.h"
#include "vtkVersionMacros.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>
#include <string>

namespace
{

using FilterOutputs = FilterTest;

// Name, type and components of points and arrays.
std::set<std::string> arraysOf(vtkPolyData* mesh)
{
  const auto described = [](vtkDataArray* array)
  {
    const char* component = array->GetComponentName(0);
    return std::string(array->GetName()) + " " + array->GetDataTypeAsString() + " " +
           std::to_string(array->GetNumberOfComponents()) + (component ? component : "");
  };
  std::set<std::string> arrays{ described(mesh->GetPoints()->GetData()) };
  for (vtkDataSetAttributes* data : { static_cast<vtkDataSetAttributes*>(mesh->GetPointData()),
         static_cast<vtkDataSetAttributes*>(mesh->GetCellData()) })
    for (int i = 0; i < data->GetNumberOfArrays(); ++i)
      arrays.insert(described(data->GetArray(i)));
  return arrays;
}

}

TEST_F(FilterOutputs, WindingAndNormalsAgreeAlsoInAMirror)
{
  for (const double mirror : { 1.0, -1.0 })
  {
    SCOPED_TRACE(mirror);
    const auto image = CellImage({ 24, 24, 24 }, VTK_FLOAT, Ball());
    image->SetDirectionMatrix(mirror, 0, 0, 0, 1, 0, 0, 0, 1);
    vtkPolyData* mesh = this->run(image, 50);
    MeshCopy copy;
    const vmc::test::MeshView view = ViewOf(mesh, copy);
    EXPECT_TRUE(vmc::test::edgeUseOf(view).isClosed());
    EXPECT_GT(vmc::test::signedVolumeOf(view), 0); // counterclockwise seen from outside
    for (std::size_t t = 0; t < view.triangleCount; ++t)
    {
      const auto winding = vmc::test::windingNormal(view, t);
      ASSERT_GT(vtkMath::Dot(winding.data(), mesh->GetPointData()->GetNormals()->GetTuple3(copy.triangles[3 * t])), 0);
    }
  }
}

TEST_F(FilterOutputs, ManyIsovaluesMakeTheirSurfacesInOrder)
{
  const auto image = CellImage({ 24, 24, 24 }, VTK_UNSIGNED_CHAR, Ball());
  double range[2] = { 20, 80 };
  this->Filter->GenerateValues(4, range);
  this->Filter->SetInputData(image);
  this->Filter->Update();
  vtkPolyData* mesh = this->Filter->GetOutput();
  ExpectSameCounts(mesh, FlyingEdges(DualImage(image), { 20, 40, 60, 80 }));
  vtkDataArray* scalars = mesh->GetPointData()->GetScalars();
  EXPECT_STREQ(scalars->GetName(), "samples");
  EXPECT_EQ(scalars->GetDataType(), VTK_UNSIGNED_CHAR);
  EXPECT_EQ(scalars->GetTuple1(0), 20);
  EXPECT_EQ(scalars->GetTuple1(mesh->GetNumberOfPoints() - 1), 80);
}

TEST_F(FilterOutputs, ScalarsAreTheExactIsovalue)
{
  const auto image = CellImage({ 24, 24, 24 }, VTK_UNSIGNED_CHAR, Ball());
  vtkDataArray* scalars = this->run(image, 50.1)->GetPointData()->GetScalars();
  EXPECT_EQ(scalars->GetDataType(), VTK_DOUBLE); // an unsigned char would make it 50
  EXPECT_EQ(scalars->GetRange()[0], 50.1);
  EXPECT_EQ(scalars->GetRange()[1], 50.1);
  this->Filter->ComputeScalarsOff();
  EXPECT_EQ(this->run(image, 50.1)->GetPointData()->GetScalars(), nullptr);
}

TEST_F(FilterOutputs, ScalarsOfAnInfiniteIsovalueAreInfinite)
{
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const auto ball = Ball();
  for (const int type : { VTK_FLOAT, VTK_DOUBLE })
  {
    const auto image = CellImage(
      { 24, 24, 24 }, type, [&](int i, int j, int k) { return ball(i, j, k) > 50 ? infinity : ball(i, j, k); });
    vtkPolyData* mesh = this->run(image, infinity);
    ASSERT_GT(mesh->GetNumberOfPoints(), 0);
    for (vtkIdType p = 0; p < mesh->GetNumberOfPoints(); ++p)
      ASSERT_EQ(mesh->GetPointData()->GetScalars()->GetTuple1(p), infinity);
  }
}

TEST_F(FilterOutputs, NormalsAreMadeOnRequest)
{
  const auto image = CellImage({ 24, 24, 24 }, VTK_FLOAT, Ball());
  EXPECT_NE(this->run(image, 50)->GetPointData()->GetNormals(), nullptr);
  this->Filter->ComputeNormalsOff();
  EXPECT_EQ(this->run(image, 50)->GetPointData()->GetNormals(), nullptr);
}

TEST_F(FilterOutputs, GradientsPointTowardsHigherValuesPerWorldUnit)
{
  const auto image = CellImage({ 12, 12, 12 }, VTK_FLOAT, [](int i, int j, int k) { return 3 * i + 2 * j - k; });
  image->SetSpacing(0.5, 2, 1);
  this->Filter->ComputeGradientsOn();
  vtkPolyData* mesh = this->run(image, 20.25);
  vtkDataArray* gradients = mesh->GetPointData()->GetArray("Gradients");
  ASSERT_NE(gradients, nullptr);
  for (vtkIdType p = 0; p < mesh->GetNumberOfPoints(); ++p)
  {
    EXPECT_FLOAT_EQ(gradients->GetComponent(p, 0), 6);
    EXPECT_FLOAT_EQ(gradients->GetComponent(p, 1), 1);
    EXPECT_FLOAT_EQ(gradients->GetComponent(p, 2), -1);
  }
}

TEST_F(FilterOutputs, IdsHave64BitsAsThoseOfVtkUnless32AreRequested)
{
  const auto image = CellImage({ 19, 18, 17 }, VTK_SHORT, Noise());
  this->Filter->SetValue(1, 20); // a second surface
  for (const bool merge : { true, false })
  {
    this->Filter->SetMergePoints(merge);
    this->Filter->SetOutputIds(vtkVulkanMarchingCubes::IDS_64_BIT);
    const auto wide = this->runAndCopy(image, 50);
    this->Filter->SetOutputIds(vtkVulkanMarchingCubes::IDS_32_BIT);
    vtkPolyData* narrow = this->run(image, 50);
    EXPECT_EQ(wide->GetPolys()->GetConnectivityArray()->GetDataTypeSize(), 8);
    EXPECT_EQ(narrow->GetPolys()->GetConnectivityArray()->GetDataTypeSize(), 4);
    ASSERT_GT(wide->GetNumberOfPolys(), 0);
    ASSERT_EQ(narrow->GetNumberOfPolys(), wide->GetNumberOfPolys());
    vtkNew<vtkIdList> a, b;
    for (vtkIdType i = 0; i < wide->GetNumberOfPolys(); ++i)
    {
      wide->GetPolys()->GetCellAtId(i, a);
      narrow->GetPolys()->GetCellAtId(i, b);
      ASSERT_TRUE(std::equal(a->begin(), a->end(), b->begin(), b->end())) << "triangle " << i;
    }
  }
}

TEST_F(FilterOutputs, IdsHave64BitsByDefault)
{
  EXPECT_EQ(this->Filter->GetOutputIds(), vtkVulkanMarchingCubes::IDS_64_BIT);
  vtkCellArray* const triangles = this->run(CellImage({ 9, 8, 7 }, VTK_SHORT, Noise()), 50)->GetPolys();
  EXPECT_EQ(triangles->GetConnectivityArray()->GetDataTypeSize(), 8);
}

TEST_F(FilterOutputs, TrianglesHaveNoOffsetsInMemorySinceVtk96)
{
  for (const bool merge : { true, false })
  {
    this->Filter->SetMergePoints(merge);
    vtkCellArray* const triangles = this->run(CellImage({ 9, 8, 7 }, VTK_SHORT, Noise()), 50)->GetPolys();
    EXPECT_EQ(triangles->GetOffsetsArray()->HasStandardMemoryLayout(), VTK_VERSION_NUMBER < VTK_VERSION_CHECK(9, 6, 0));
    EXPECT_EQ(triangles->IsHomogeneous(), 3);
  }
}

TEST_F(FilterOutputs, OwnCornersAreTheSharedPointsRepeated)
{
  const auto image = CellImage({ 19, 18, 17 }, VTK_SHORT, Noise());
  const auto merged = this->runAndCopy(image, 50);
  this->Filter->MergePointsOff();
  vtkPolyData* own = this->run(image, 50);
  ASSERT_EQ(own->GetNumberOfPolys(), merged->GetNumberOfPolys());
  ASSERT_EQ(own->GetNumberOfPoints(), 3 * own->GetNumberOfPolys());
  vtkDataArray* ids = merged->GetPolys()->GetConnectivityArray();
  for (vtkIdType corner = 0; corner < own->GetNumberOfPoints(); ++corner)
  {
    const auto shared = static_cast<vtkIdType>(ids->GetTuple1(corner));
    for (int c = 0; c < 3; ++c)
    {
      ASSERT_EQ(own->GetPoint(corner)[c], merged->GetPoint(shared)[c]);
      ASSERT_EQ(own->GetPointData()->GetNormals()->GetComponent(corner, c),
        merged->GetPointData()->GetNormals()->GetComponent(shared, c));
    }
    ASSERT_EQ(own->GetPolys()->GetConnectivityArray()->GetTuple1(corner), corner);
  }
}

TEST_F(FilterOutputs, InterpolatesTheOtherArrays)
{
  const auto image = CellImage({ 24, 24, 24 }, VTK_FLOAT, Ball());
  // Linear fields: linear interpolation is exact except for rounding.
  vtkNew<vtkDoubleArray> place;
  place->SetName("place");
  place->SetNumberOfComponents(3);
  place->SetNumberOfTuples(image->GetNumberOfCells());
  const auto column = CellImage({ 24, 24, 24 }, VTK_SHORT, [](int i, int j, int) { return 10 * i - j; });
  for (vtkIdType cell = 0; cell < image->GetNumberOfCells(); ++cell)
    place->SetTuple3(cell, cell % 24 + 0.5, cell / 24 % 24 + 0.5, cell / 576 + 0.5);
  image->GetCellData()->AddArray(place);
  column->GetCellData()->GetScalars()->SetName("column");
  image->GetCellData()->AddArray(column->GetCellData()->GetScalars());
  this->Filter->InterpolateAttributesOn();
  vtkPolyData* mesh = this->run(image, 50);
  vtkDataArray* places = mesh->GetPointData()->GetArray("place");
  vtkDataArray* columns = mesh->GetPointData()->GetArray("column");
  ASSERT_NE(places, nullptr);
  ASSERT_NE(columns, nullptr);
  for (vtkIdType p = 0; p < mesh->GetNumberOfPoints(); ++p)
  {
    const double* at = mesh->GetPoint(p);
    for (int c = 0; c < 3; ++c)
      ASSERT_NEAR(places->GetComponent(p, c), at[c], 4e-6);                       // two roundings of a float below 32
    ASSERT_NEAR(columns->GetTuple1(p), 10 * (at[0] - 0.5) - (at[1] - 0.5), 5e-5); // likewise below 256
  }
}

TEST_F(FilterOutputs, AttributesNamedLikeComputedArraysAreLeftOut)
{
  const auto image = CellImage({ 24, 24, 24 }, VTK_FLOAT, Ball());
  for (const char* name : { "Normals", "Gradients", "SampleIds", "other" })
    AddConstant(image, name, 1, 7);
  AddConstant(image, "another", 1, 7)->SetName("samples");
  this->Filter->InterpolateAttributesOn();
  this->Filter->ComputeGradientsOn();
  this->Filter->ComputeSampleIdsOn();
  this->Filter->SetFallback(vtkVulkanMarchingCubes::FALLBACK_CPU);
  for (const double limit : { 0.0, NoDeviceMemory })
  {
    SCOPED_TRACE(limit);
    this->Filter->SetMemoryLimit(limit);
    vtkPointData* found = this->run(image, 50)->GetPointData();
    EXPECT_EQ(found->GetNumberOfArrays(), 4);
    for (const char* slope : { "Normals", "Gradients" })
      EXPECT_EQ(found->GetArray(slope)->GetNumberOfComponents(), 3);
    EXPECT_EQ(found->GetArray("samples")->GetTuple1(0), 50);
    EXPECT_EQ(found->GetArray("other")->GetTuple1(0), 7);
  }
}

TEST_F(FilterOutputs, AContouredArrayNamedLikeAComputedOneHasScalarsNamedIsovalue)
{
  const auto image = CellImage({ 24, 24, 24 }, VTK_FLOAT, Ball());
  this->Filter->ComputeGradientsOn();
  this->Filter->SetFallback(vtkVulkanMarchingCubes::FALLBACK_CPU);
  for (const double limit : { 0.0, NoDeviceMemory })
    for (const char* name : { "Normals", "Gradients" })
      for (const double isovalue : { 50, 200 }) // 200: an empty surface
      {
        SCOPED_TRACE(std::string(name) + " at " + std::to_string(isovalue) + ", MiB: " + std::to_string(limit));
        image->GetCellData()->GetScalars()->SetName(name);
        this->Filter->SetMemoryLimit(limit);
        vtkPointData* found = this->run(image, isovalue)->GetPointData();
        EXPECT_EQ(found->GetNumberOfArrays(), 3);
        for (const char* slope : { "Normals", "Gradients" })
        {
          ASSERT_NE(found->GetArray(slope), nullptr);
          EXPECT_EQ(found->GetArray(slope)->GetNumberOfComponents(), 3);
        }
        EXPECT_EQ(found->GetNormals(), found->GetArray("Normals"));
        ASSERT_NE(found->GetScalars(), nullptr);
        EXPECT_EQ(found->GetScalars(), found->GetArray("Isovalue"));
        EXPECT_EQ(found->GetScalars()->GetNumberOfComponents(), 1);
      }
}

TEST_F(FilterOutputs, AContouredArrayNamedLikeOneThatIsNotComputedKeepsItsName)
{
  const auto image = CellImage({ 24, 24, 24 }, VTK_FLOAT, Ball());
  this->Filter->ComputeNormalsOff();
  for (const char* name : { "Normals", "Gradients", "samples" })
  {
    SCOPED_TRACE(name);
    image->GetCellData()->GetScalars()->SetName(name);
    vtkPointData* found = this->run(image, 50)->GetPointData();
    EXPECT_EQ(found->GetNumberOfArrays(), 1);
    ASSERT_NE(found->GetScalars(), nullptr);
    EXPECT_STREQ(found->GetScalars()->GetName(), name);
  }
}

TEST_F(FilterOutputs, AnImageWithoutPointsHasScalarsNamedAfterTheChosenArray)
{
  vtkNew<vtkImageData> nothing; // without arrays, as on a rank without a piece
  for (const int association : { vtkDataObject::CELL, vtkDataObject::POINT })
  {
    this->Filter->SetInputArrayToProcess(0, 0, 0, association, "density");
    vtkPolyData* mesh = this->run(nothing, 50);
    EXPECT_EQ(mesh->GetNumberOfPoints(), 0);
    ASSERT_NE(mesh->GetPointData()->GetScalars(), nullptr);
    EXPECT_STREQ(mesh->GetPointData()->GetScalars()->GetName(), "density");
    EXPECT_EQ(mesh->GetPointData()->GetScalars()->GetNumberOfComponents(), 1);
  }
  EXPECT_TRUE(this->errors().empty());
}

TEST_F(FilterOutputs, EmptySurfacesHaveTheArraysOfOthers)
{
  const auto image = CellImage({ 24, 24, 24 }, VTK_UNSIGNED_CHAR, Ball());
  AddConstant(image, "other", 2, 7)->SetComponentName(0, "first");
  vtkNew<vtkImageData> nothing;
  nothing->GetCellData()->CopyAllocate(image->GetCellData());
  this->Filter->InterpolateAttributesOn();
  this->Filter->ComputeGradientsOn();
  this->Filter->ComputeSampleIdsOn();
  this->Filter->SetOutputPointsPrecision(vtkAlgorithm::DOUBLE_PRECISION);
  this->Filter->SetFallback(vtkVulkanMarchingCubes::FALLBACK_CPU);
  const auto arrays = arraysOf(this->run(image, 50));
  EXPECT_EQ(arrays.size(), 6u);
  EXPECT_EQ(arraysOf(this->run(image, 200)), arrays);
  EXPECT_EQ(arraysOf(this->run(nothing, 50)), arrays);
  EXPECT_NE(arraysOf(this->run(image, 50.5)), arrays); // scalars of double
  EXPECT_EQ(arraysOf(this->run(image, 200.5)), arraysOf(this->run(image, 50.5)));
  this->Filter->SetNumberOfContours(0);
  this->Filter->Update();
  EXPECT_EQ(arraysOf(this->Filter->GetOutput()), arrays);
  this->Filter->SetMemoryLimit(NoDeviceMemory);
  EXPECT_EQ(arraysOf(this->run(image, 50)), arrays);
  EXPECT_EQ(arraysOf(this->run(image, 200)), arrays);
  EXPECT_TRUE(this->errors().empty());
}

TEST_F(FilterOutputs, SampleIdsNameTheCellAtTheMinimumCorner)
{
  const auto image = CellImage({ 24, 24, 24 }, VTK_FLOAT, Ball());
  this->Filter->ComputeSampleIdsOn();
  vtkPolyData* mesh = this->run(image, 50);
  vtkDataArray* ids = mesh->GetCellData()->GetArray("SampleIds");
  ASSERT_NE(ids, nullptr);
  for (vtkIdType t = 0; t < mesh->GetNumberOfPolys(); ++t)
  {
    const auto id = static_cast<vtkIdType>(ids->GetTuple1(t));
    const double corner[3] = { id % 24 + 0.5, id / 24 % 24 + 0.5, id / 576 + 0.5 };
    for (int c = 0; c < 3; ++c)
    {
      const double* bounds = mesh->GetCell(t)->GetBounds();
      ASSERT_GE(bounds[2 * c], corner[c] - 1e-5); // a float position below 32
      ASSERT_LE(bounds[2 * c + 1], corner[c] + 1 + 1e-5);
    }
  }
}

TEST_F(FilterOutputs, PointsOfDoubleKeepTheFractionAtALargeOrigin)
{
  const auto image = CellImage({ 24, 24, 24 }, VTK_FLOAT, Ball());
  const auto dual = DualImage(image);
  this->Filter->SetOutputPointsPrecision(vtkAlgorithm::DOUBLE_PRECISION);
  const auto near = this->runAndCopy(image, 50);
  image->SetOrigin(5e6, -5e6, 5e6);
  image->SetSpacing(1e-3, 1e-3, 1e-3);
  vtkPolyData* far = this->run(image, 50);
  ASSERT_EQ(far->GetPoints()->GetDataType(), VTK_DOUBLE);
  ExpectSameCounts(far, near);
  for (vtkIdType p = 0; p < far->GetNumberOfPoints(); ++p)
  {
    const std::array<double, 3> a = { near->GetPoint(p)[0], near->GetPoint(p)[1], near->GetPoint(p)[2] };
    // The error of both is at most 2^-22 of a cell. Far from the origin, rounding to double at 5e6 adds half of 2^-30.
    const double tolerance = 2 * std::ldexp(1.0, -22) + 0.5 * std::ldexp(1.0, -30) / 1e-3;
    for (int c = 0; c < 3; ++c)
      ASSERT_NEAR((far->GetPoint(p)[c] - (c == 1 ? -5e6 : 5e6)) / 1e-3, a[c], tolerance);
  }
}

TEST_F(FilterOutputs, BoundaryExtendsToTheBorderOrClosesTheSurface)
{
  // Values increase towards the low corner, so the surface meets three sides of the domain.
  const auto image = CellImage(
    { 12, 12, 12 }, VTK_FLOAT, [](int i, int j, int k) { return 100 - 5 * std::sqrt(i * i + j * j + k * k); });
  double bounds[6];
  this->run(image, 60)->GetBounds(bounds);
  EXPECT_EQ(bounds[0], 0.5);
  this->Filter->SetBoundary(vtkVulkanMarchingCubes::BOUNDARY_EXTEND);
  this->run(image, 60)->GetBounds(bounds);
  EXPECT_EQ(bounds[0], 0);
  this->Filter->SetBoundary(vtkVulkanMarchingCubes::BOUNDARY_CLOSE);
  vtkPolyData* closed = this->run(image, 60);
  closed->GetBounds(bounds);
  EXPECT_EQ(bounds[0], 0);
  MeshCopy copy;
  EXPECT_TRUE(vmc::test::edgeUseOf(ViewOf(closed, copy)).isClosed());
  EXPECT_GT(vmc::test::signedVolumeOf(ViewOf(closed, copy)), 0);
  // All samples are inside, so the surface is the box itself: its caps lie in the sides of the domain.
  const vmc::test::MeshView box = ViewOf(this->run(image, -1000), copy);
  EXPECT_NEAR(vmc::test::signedVolumeOf(box), 12 * 12 * 12, 1e-3);
  EXPECT_TRUE(vmc::test::edgeUseOf(box).isClosed());
}

TEST_F(FilterOutputs, FieldDataIsPassedOn)
{
  const auto image = CellImage({ 24, 24, 24 }, VTK_FLOAT, Ball());
  vtkNew<vtkDoubleArray> time;
  time->SetName("time");
  time->InsertNextValue(3.5);
  image->GetFieldData()->AddArray(time);
  vtkPolyData* mesh = this->run(image, 50);
  ASSERT_NE(mesh->GetFieldData()->GetArray("time"), nullptr);
  EXPECT_EQ(mesh->GetFieldData()->GetArray("time")->GetTuple1(0), 3.5);
  this->Filter->SetNumberOfContours(0);
  this->Filter->Update();
  EXPECT_NE(this->Filter->GetOutput()->GetFieldData()->GetArray("time"), nullptr);
}
