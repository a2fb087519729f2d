#include "FlyingEdgesReference.h"

#include "vtkCallbackCommand.h"
#include "vtkCell.h"
#include "vtkCellArray.h"
#include "vtkCellData.h"
#include "vtkDataArray.h"
#include "vtkDoubleArray.h"
#include "vtkFloatArray.h"
#include "vtkMath.h"
#include "vtkMatrix3x3.h"
#include "vtkMinimalStandardRandomSequence.h"
#include "vtkNew.h"
#include "vtkPointData.h"
#include "vtkSOADataArrayTemplate.h"
#include "vtkStringArray.h"
#include "vtkUnsignedCharArray.h"
#include "vtkVulkanMarchingCubes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <map>

namespace
{

using Dimensions = std::array<int, 3>;

// An image of so many cells with cell data "samples" of the type: a function of the cell's number along each axis.
vtkSmartPointer<vtkImageData> cellImage(
  const Dimensions& cells, int type, const std::function<double(int, int, int)>& value)
{
  auto image = vtkSmartPointer<vtkImageData>::New();
  image->SetDimensions(cells[0] + 1, cells[1] + 1, cells[2] + 1);
  vtkSmartPointer<vtkDataArray> samples;
  samples.TakeReference(vtkDataArray::CreateDataArray(type));
  samples->SetName("samples");
  samples->SetNumberOfTuples(image->GetNumberOfCells());
  vtkIdType cell = 0;
  for (int k = 0; k < cells[2]; ++k)
    for (int j = 0; j < cells[1]; ++j)
      for (int i = 0; i < cells[0]; ++i)
        samples->SetTuple1(cell++, value(i, j, k));
  image->GetCellData()->SetScalars(samples);
  return image;
}

// Values over [0, 100], the same on every machine.
std::function<double(int, int, int)> noise()
{
  auto random = vtkSmartPointer<vtkMinimalStandardRandomSequence>::New();
  random->SetSeed(7);
  return [random](int, int, int) { return std::floor(random->GetNextRangeValue(0, 101)); };
}

// A ball around the middle of 24^3 cells: 100 in the middle, 50 at radius 8. The values are exact in float.
std::function<double(int, int, int)> ball()
{
  return [](int i, int j, int k)
  {
    const double x = i - 11.4, y = j - 11.6, z = k - 11.5;
    return std::floor(1024 * std::max(0.0, 100 - 50 * std::sqrt(x * x + y * y + z * z) / 8)) / 1024;
  };
}

class VulkanMarchingCubesFilter : public testing::Test
{
protected:
  void SetUp() override
  {
    if (this->Filter->GetDeviceNames()->GetNumberOfValues() == 0)
      GTEST_SKIP() << "No usable Vulkan device.";
    this->Filter->SetFallback(vtkVulkanMarchingCubes::FALLBACK_ERROR);
    const auto count = [](vtkObject*, unsigned long event, void* self, void* text)
    {
      auto* test = static_cast<VulkanMarchingCubesFilter*>(self);
      test->Said[event].emplace_back(static_cast<const char*>(text));
    };
    vtkNew<vtkCallbackCommand> observer;
    observer->SetCallback(count);
    observer->SetClientData(this);
    this->Filter->AddObserver(vtkCommand::ErrorEvent, observer);
    this->Filter->AddObserver(vtkCommand::WarningEvent, observer);
  }

  vtkPolyData* run(vtkImageData* image, double isovalue)
  {
    this->Filter->SetInputData(image);
    this->Filter->SetValue(0, isovalue);
    this->Filter->Update();
    return this->Filter->GetOutput();
  }

  const std::vector<std::string>& errors() { return this->Said[vtkCommand::ErrorEvent]; }
  const std::vector<std::string>& warnings() { return this->Said[vtkCommand::WarningEvent]; }

  vtkNew<vtkVulkanMarchingCubes> Filter;

private:
  std::map<unsigned long, std::vector<std::string>> Said;
};

void expectSameCounts(vtkPolyData* mesh, vtkPolyData* reference)
{
  EXPECT_EQ(mesh->GetNumberOfPoints(), reference->GetNumberOfPoints());
  EXPECT_EQ(mesh->GetNumberOfPolys(), reference->GetNumberOfPolys());
}

// The largest part of a cell by which points may differ from FlyingEdges': float positions of either side, at
// coordinates below 64.
constexpr double PositionTolerance = 1e-5;

std::string bytesOf(vtkDataArray* array)
{
  return std::string(static_cast<const char*>(array->GetVoidPointer(0)),
    static_cast<std::size_t>(array->GetNumberOfValues() * array->GetDataTypeSize()));
}

std::string bytesOf(vtkPolyData* mesh)
{
  return bytesOf(mesh->GetPoints()->GetData()) + bytesOf(mesh->GetPointData()->GetNormals()) +
         bytesOf(mesh->GetPolys()->GetConnectivityArray());
}

}

TEST_F(VulkanMarchingCubesFilter, ContoursEverySupportedTypeLikeFlyingEdges)
{
  for (const int type :
    { VTK_CHAR, VTK_SIGNED_CHAR, VTK_UNSIGNED_CHAR, VTK_SHORT, VTK_UNSIGNED_SHORT, VTK_INT, VTK_UNSIGNED_INT, VTK_LONG,
      VTK_UNSIGNED_LONG, VTK_LONG_LONG, VTK_UNSIGNED_LONG_LONG, VTK_ID_TYPE, VTK_FLOAT, VTK_DOUBLE })
  {
    SCOPED_TRACE(vtkImageScalarTypeNameMacro(type));
    const auto image = cellImage({ 21, 17, 10 }, type, noise());
    vtkPolyData* mesh = this->run(image, 50.25);
    // As doubles: FlyingEdges subtracts unsigned ints as such, which wraps around where samples fall along an edge.
    const auto reference = FlyingEdges(DualImage(cellImage({ 21, 17, 10 }, VTK_DOUBLE, noise())), { 50.25 });
    expectSameCounts(mesh, reference);
    EXPECT_LE(Compare(mesh, reference).largestDistance, PositionTolerance);
  }
  EXPECT_TRUE(this->errors().empty());
}

TEST_F(VulkanMarchingCubesFilter, ContoursPointDataOnThePoints)
{
  const auto dual = DualImage(cellImage({ 20, 20, 20 }, VTK_SHORT, noise()));
  this->Filter->SetInputArrayToProcess(0, 0, 0, vtkDataObject::FIELD_ASSOCIATION_POINTS, "samples");
  vtkPolyData* mesh = this->run(dual, 40);
  const auto reference = FlyingEdges(dual, { 40 });
  expectSameCounts(mesh, reference);
  EXPECT_LE(Compare(mesh, reference).largestDistance, PositionTolerance);
}

TEST_F(VulkanMarchingCubesFilter, HonoursOriginSpacingExtentAndDirection)
{
  const auto image = cellImage({ 24, 24, 24 }, VTK_FLOAT, ball());
  image->SetExtent(-5, 19, 3, 27, 100, 124);
  image->SetOrigin(10, -20, 30);
  image->SetSpacing(0.5, 2, 1.25);
  image->SetDirectionMatrix(0, -1, 0, 0.6, 0, -0.8, 0.8, 0, 0.6);
  vtkPolyData* mesh = this->run(image, 50);
  // The middle of the ball, in cells from the extent's corner, where the definition of vtkImageData puts it.
  const double middle[3] = { -5 + 11.9, 3 + 12.1, 100 + 12.0 };
  double world[3];
  image->TransformContinuousIndexToPhysicalPoint(middle, world);
  double inverse[3];
  for (vtkIdType p = 0; p < mesh->GetNumberOfPoints(); ++p)
  {
    image->TransformPhysicalPointToContinuousIndex(mesh->GetPoint(p), inverse);
    // Linear interpolation of a cone: the surface lies within a tenth of a cell of radius 8.
    ASSERT_NEAR(std::sqrt(vtkMath::Distance2BetweenPoints(inverse, middle)), 8, 0.1);
  }
  const auto reference = FlyingEdges(DualImage(image), { 50 });
  expectSameCounts(mesh, reference);
  const Agreement agreement = Compare(mesh, reference);
  EXPECT_LE(agreement.largestDistance, 2e-5); // coordinates up to 256 in float: half a unit in the last place is 1.5e-5
  EXPECT_GE(agreement.normalsWithinOneDegree, 0.99);
}

TEST_F(VulkanMarchingCubesFilter, WindingAndNormalsAgreeAlsoInAMirror)
{
  for (const double mirror : { 1.0, -1.0 })
  {
    SCOPED_TRACE(mirror);
    const auto image = cellImage({ 24, 24, 24 }, VTK_FLOAT, ball());
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

TEST_F(VulkanMarchingCubesFilter, ManyIsovaluesMakeTheirSurfacesInOrder)
{
  const auto image = cellImage({ 24, 24, 24 }, VTK_UNSIGNED_CHAR, ball());
  double range[2] = { 20, 80 };
  this->Filter->GenerateValues(4, range);
  this->Filter->SetInputData(image);
  this->Filter->Update();
  vtkPolyData* mesh = this->Filter->GetOutput();
  expectSameCounts(mesh, FlyingEdges(DualImage(image), { 20, 40, 60, 80 }));
  vtkDataArray* scalars = mesh->GetPointData()->GetScalars();
  EXPECT_STREQ(scalars->GetName(), "samples");
  EXPECT_EQ(scalars->GetDataType(), VTK_UNSIGNED_CHAR);
  EXPECT_EQ(scalars->GetTuple1(0), 20);
  EXPECT_EQ(scalars->GetTuple1(mesh->GetNumberOfPoints() - 1), 80);
}

TEST_F(VulkanMarchingCubesFilter, ScalarsAreTheExactIsovalue)
{
  const auto image = cellImage({ 24, 24, 24 }, VTK_UNSIGNED_CHAR, ball());
  vtkDataArray* scalars = this->run(image, 50.1)->GetPointData()->GetScalars();
  EXPECT_EQ(scalars->GetDataType(), VTK_DOUBLE); // an unsigned char would make it 50
  EXPECT_EQ(scalars->GetRange()[0], 50.1);
  EXPECT_EQ(scalars->GetRange()[1], 50.1);
  this->Filter->ComputeScalarsOff();
  EXPECT_EQ(this->run(image, 50.1)->GetPointData()->GetScalars(), nullptr);
}

TEST_F(VulkanMarchingCubesFilter, NormalsAreMadeOnRequest)
{
  const auto image = cellImage({ 24, 24, 24 }, VTK_FLOAT, ball());
  EXPECT_NE(this->run(image, 50)->GetPointData()->GetNormals(), nullptr);
  this->Filter->ComputeNormalsOff();
  EXPECT_EQ(this->run(image, 50)->GetPointData()->GetNormals(), nullptr);
}

TEST_F(VulkanMarchingCubesFilter, OwnCornersAreTheSharedPointsRepeated)
{
  const auto image = cellImage({ 19, 18, 17 }, VTK_SHORT, noise());
  vtkNew<vtkPolyData> merged;
  merged->DeepCopy(this->run(image, 50));
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

TEST_F(VulkanMarchingCubesFilter, InterpolatesTheOtherArrays)
{
  const auto image = cellImage({ 24, 24, 24 }, VTK_FLOAT, ball());
  // Linear fields: linear interpolation gives them exactly, but for rounding.
  vtkNew<vtkDoubleArray> place;
  place->SetName("place");
  place->SetNumberOfComponents(3);
  place->SetNumberOfTuples(image->GetNumberOfCells());
  const auto column = cellImage({ 24, 24, 24 }, VTK_SHORT, [](int i, int j, int) { return 10 * i - j; });
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

TEST_F(VulkanMarchingCubesFilter, AnotherIsovalueUploadsNothingAnotherArrayDoes)
{
  const auto image = cellImage({ 24, 24, 24 }, VTK_FLOAT, ball());
  this->run(image, 50);
  EXPECT_GT(this->Filter->GetUploadTime(), 0);
  EXPECT_GT(this->Filter->GetIndexTime(), 0);
  this->run(image, 60);
  EXPECT_EQ(this->Filter->GetUploadTime(), 0);
  EXPECT_EQ(this->Filter->GetIndexTime(), 0);

  vtkDataArray* samples = image->GetCellData()->GetScalars();
  for (vtkIdType cell = 0; cell < samples->GetNumberOfTuples(); ++cell)
    samples->SetTuple1(cell, samples->GetTuple1(cell) + 10);
  samples->Modified();
  image->Modified();
  vtkPolyData* mesh = this->run(image, 60);
  EXPECT_GT(this->Filter->GetUploadTime(), 0);
  expectSameCounts(mesh, FlyingEdges(DualImage(image), { 60 }));
}

TEST_F(VulkanMarchingCubesFilter, TwoRunsGiveIdenticalBytes)
{
  const auto image = cellImage({ 40, 33, 29 }, VTK_FLOAT, noise());
  const std::string first = bytesOf(this->run(image, 50));
  image->GetCellData()->GetScalars()->Modified();
  image->Modified();
  EXPECT_EQ(first, bytesOf(this->run(image, 50)));
}

TEST_F(VulkanMarchingCubesFilter, OutputOutlivesFilterAndDevice)
{
  vtkSmartPointer<vtkPolyData> kept;
  {
    vtkNew<vtkVulkanMarchingCubes> filter;
    filter->SetInputData(cellImage({ 24, 24, 24 }, VTK_FLOAT, ball()));
    filter->SetValue(0, 50);
    filter->Update();
    kept = filter->GetOutput();
  }
  double bounds[6];
  kept->ComputeBounds();
  kept->GetBounds(bounds);
  EXPECT_NEAR(bounds[1] - bounds[0], 16, 0.1); // the ball's diameter
}

TEST_F(VulkanMarchingCubesFilter, TellsDeviceStagesAndBricks)
{
  this->run(cellImage({ 24, 24, 24 }, VTK_FLOAT, ball()), 50);
  EXPECT_EQ(std::string(this->Filter->GetUsedDevice()), this->Filter->GetDeviceNames()->GetValue(0));
  EXPECT_EQ(this->Filter->GetNumberOfBricks(), 27);
  EXPECT_EQ(this->Filter->GetNumberOfActiveBricks(), 26); // all but the brick in the middle of the ball
  EXPECT_GT(this->Filter->GetExtractTime(), 0);
  EXPECT_GE(this->Filter->GetTotalTime(), this->Filter->GetExtractTime());
  EXPECT_GT(this->Filter->GetDeviceMemory(), 24 * 24 * 24 * 4);
  ASSERT_EQ(this->Filter->GetStageNames()->GetNumberOfValues(), this->Filter->GetStageTimes()->GetNumberOfValues());
  EXPECT_EQ(this->Filter->GetStageNames()->GetValue(0), "Upload");
}

TEST_F(VulkanMarchingCubesFilter, NothingToContourGivesAnEmptyOutput)
{
  const auto image = cellImage({ 24, 24, 24 }, VTK_FLOAT, ball());
  EXPECT_EQ(this->run(image, 1000)->GetNumberOfPoints(), 0);
  EXPECT_EQ(this->run(cellImage({ 9, 9, 9 }, VTK_FLOAT, [](int, int, int) { return 5; }), 5)->GetNumberOfPoints(), 0);
  EXPECT_EQ(this->run(cellImage({ 9, 9, 1 }, VTK_FLOAT, noise()), 50)->GetNumberOfPoints(), 0); // no dual cell
  this->Filter->SetNumberOfContours(0);
  this->Filter->Update();
  EXPECT_EQ(this->Filter->GetOutput()->GetNumberOfPoints(), 0);
  EXPECT_TRUE(this->errors().empty());
  EXPECT_TRUE(this->warnings().empty());
}

TEST_F(VulkanMarchingCubesFilter, CellsThatTouchANanMakeNoTriangle)
{
  const double nan = std::numeric_limits<double>::quiet_NaN();
  // Half of the ball's samples are not there: no point lies beyond, and every point is finite.
  const auto value = ball();
  const auto image =
    cellImage({ 24, 24, 24 }, VTK_FLOAT, [&](int i, int j, int k) { return i < 12 ? nan : value(i, j, k); });
  vtkPolyData* mesh = this->run(image, 50);
  ASSERT_GT(mesh->GetNumberOfPolys(), 0);
  double bounds[6];
  mesh->GetBounds(bounds);
  EXPECT_EQ(bounds[0], 12.5); // the first cell centre with a number
  MeshCopy copy;
  EXPECT_EQ(vmc::test::unreferencedPoints(ViewOf(mesh, copy)), 0u);
}

TEST_F(VulkanMarchingCubesFilter, AMissingArrayIsAnErrorThatListsTheArrays)
{
  this->Filter->SetInputArrayToProcess(0, 0, 0, vtkDataObject::FIELD_ASSOCIATION_CELLS, "no such array");
  vtkPolyData* mesh = this->run(cellImage({ 9, 9, 9 }, VTK_FLOAT, noise()), 50);
  EXPECT_EQ(mesh->GetNumberOfPoints(), 0);
  ASSERT_FALSE(this->errors().empty());
  EXPECT_NE(this->errors().front().find("Cell arrays: samples. Point arrays: none."), std::string::npos);
}

TEST_F(VulkanMarchingCubesFilter, ContoursAComponentOrTheMagnitudeOfAnArray)
{
  const auto image = cellImage({ 24, 24, 24 }, VTK_FLOAT, ball());
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
  this->Filter->SetInputArrayToProcess(0, 0, 0, vtkDataObject::FIELD_ASSOCIATION_CELLS, "velocity");
  const auto reference = FlyingEdges(DualImage(image), { 50 });
  this->Filter->SetArrayComponent(1);
  expectSameCounts(this->run(image, 50), reference);
  this->run(image, 60);
  EXPECT_EQ(this->Filter->GetUploadTime(), 0); // the copy of the component is kept
  this->Filter->SetArrayComponent(-1);
  EXPECT_LE(Compare(this->run(image, 50 * std::sqrt(2.0)), reference).largestDistance, PositionTolerance);
  this->Filter->SetArrayComponent(3);
  EXPECT_EQ(this->run(image, 50)->GetNumberOfPoints(), 0);
  ASSERT_FALSE(this->errors().empty());
  EXPECT_NE(this->errors().front().find("\"velocity\" has 3 components; component 3 is asked for."), std::string::npos);
}

TEST_F(VulkanMarchingCubesFilter, ContoursArraysThatDoNotKeepTheirValuesInOneBlock)
{
  const auto image = cellImage({ 24, 24, 24 }, VTK_FLOAT, ball());
  vtkNew<vtkSOADataArrayTemplate<float>> samples;
  samples->SetName("apart");
  samples->DeepCopy(image->GetCellData()->GetScalars());
  samples->SetName("apart");
  const auto reference = FlyingEdges(DualImage(image), { 50 });
  image->GetCellData()->SetScalars(samples);
  expectSameCounts(this->run(image, 50), reference);
}

TEST_F(VulkanMarchingCubesFilter, FlatImagesAndNegativeSpacingAreErrors)
{
  vtkNew<vtkImageData> flat;
  flat->SetDimensions(9, 9, 1);
  flat->AllocateScalars(VTK_FLOAT, 1);
  this->Filter->SetInputArrayToProcess(0, 0, 0, vtkDataObject::FIELD_ASSOCIATION_POINTS, vtkDataSetAttributes::SCALARS);
  this->run(flat, 50);
  ASSERT_EQ(this->errors().size(), 1u);
  EXPECT_NE(this->errors()[0].find("9 x 9 x 1 points"), std::string::npos);
  const auto image = cellImage({ 9, 9, 9 }, VTK_FLOAT, noise());
  image->SetSpacing(1, -2, 1);
  this->Filter->SetInputArrayToProcess(0, 0, 0, vtkDataObject::FIELD_ASSOCIATION_CELLS, vtkDataSetAttributes::SCALARS);
  this->run(image, 50);
  ASSERT_EQ(this->errors().size(), 2u);
  EXPECT_NE(this->errors()[1].find("spacing is 1.000000 -2.000000 1.000000"), std::string::npos);
}

TEST_F(VulkanMarchingCubesFilter, PointsOfDoubleKeepTheFractionAtALargeOrigin)
{
  const auto image = cellImage({ 24, 24, 24 }, VTK_FLOAT, ball());
  const auto dual = DualImage(image);
  this->Filter->SetOutputPointsPrecision(vtkAlgorithm::DOUBLE_PRECISION);
  vtkNew<vtkPolyData> near;
  near->DeepCopy(this->run(image, 50));
  image->SetOrigin(5e6, -5e6, 5e6);
  image->SetSpacing(1e-3, 1e-3, 1e-3);
  vtkPolyData* far = this->run(image, 50);
  ASSERT_EQ(far->GetPoints()->GetDataType(), VTK_DOUBLE);
  expectSameCounts(far, near);
  for (vtkIdType p = 0; p < far->GetNumberOfPoints(); ++p)
  {
    const std::array<double, 3> a = { near->GetPoint(p)[0], near->GetPoint(p)[1], near->GetPoint(p)[2] };
    // Both are right to 2^-22 of a cell, and the far one is rounded to a double at 5e6, half of 2^-30.
    const double tolerance = 2 * std::ldexp(1.0, -22) + 0.5 * std::ldexp(1.0, -30) / 1e-3;
    for (int c = 0; c < 3; ++c)
      ASSERT_NEAR((far->GetPoint(p)[c] - (c == 1 ? -5e6 : 5e6)) / 1e-3, a[c], tolerance);
  }
}

TEST_F(VulkanMarchingCubesFilter, GradientsPointTowardsHigherValuesPerWorldUnit)
{
  const auto image = cellImage({ 12, 12, 12 }, VTK_FLOAT, [](int i, int j, int k) { return 3 * i + 2 * j - k; });
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

TEST_F(VulkanMarchingCubesFilter, SampleIdsNameTheCellAtTheMinimumCorner)
{
  const auto image = cellImage({ 24, 24, 24 }, VTK_FLOAT, ball());
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

TEST_F(VulkanMarchingCubesFilter, BoundaryExtendsToTheBorderOrClosesTheSurface)
{
  // Higher towards the low corner: the surface meets three sides of the domain.
  const auto image = cellImage(
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
  // All is inside: the box itself, but for corners and edges cut off by nothing, as the lids lie in the sides.
  const vmc::test::MeshView box = ViewOf(this->run(image, -1000), copy);
  EXPECT_NEAR(vmc::test::signedVolumeOf(box), 12 * 12 * 12, 1e-3);
  EXPECT_TRUE(vmc::test::edgeUseOf(box).isClosed());
}

TEST_F(VulkanMarchingCubesFilter, HiddenCellsAreBlankAndDuplicatesBelongToOthers)
{
  const auto image = cellImage({ 24, 24, 24 }, VTK_FLOAT, ball());
  const vtkIdType all = this->run(image, 50)->GetNumberOfPolys();
  vtkIdType sum = 0;
  // Two pieces that overlap by two cells: the first owns cells with i < 12.
  for (const bool first : { true, false })
  {
    vtkNew<vtkUnsignedCharArray> ghosts;
    ghosts->SetName(vtkDataSetAttributes::GhostArrayName());
    ghosts->SetNumberOfValues(image->GetNumberOfCells());
    for (vtkIdType cell = 0; cell < image->GetNumberOfCells(); ++cell)
      ghosts->SetValue(cell, (cell % 24 < 12) == first ? 0 : vtkDataSetAttributes::DUPLICATECELL);
    image->GetCellData()->AddArray(ghosts);
    image->Modified();
    this->Filter->Modified();
    sum += this->run(image, 50)->GetNumberOfPolys();
  }
  EXPECT_EQ(sum, all);
  auto* ghosts =
    vtkUnsignedCharArray::SafeDownCast(image->GetCellData()->GetArray(vtkDataSetAttributes::GhostArrayName()));
  for (vtkIdType cell = 0; cell < image->GetNumberOfCells(); ++cell)
    ghosts->SetValue(cell, cell % 24 < 12 ? vtkDataSetAttributes::HIDDENCELL : 0);
  ghosts->Modified();
  this->Filter->Modified();
  double bounds[6];
  this->run(image, 50)->GetBounds(bounds);
  EXPECT_EQ(bounds[0], 12.5); // the first cell centre that is not hidden
  this->Filter->SetFallback(vtkVulkanMarchingCubes::FALLBACK_CPU);
  this->Filter->SetDevice("no such device");
  EXPECT_EQ(this->run(image, 50)->GetNumberOfPoints(), 0); // FlyingEdges cannot: an error, never a wrong surface
  EXPECT_FALSE(this->errors().empty());
}

TEST_F(VulkanMarchingCubesFilter, FallsBackToTheCpuWithOneWarningAndTheSameSurface)
{
  const auto image = cellImage({ 24, 24, 24 }, VTK_DOUBLE, ball());
  image->SetSpacing(1, 2, 3);
  image->SetDirectionMatrix(0, 1, 0, 1, 0, 0, 0, 0, 1); // mirrors
  vtkNew<vtkPolyData> onDevice;
  onDevice->DeepCopy(this->run(image, 50));
  this->Filter->SetFallback(vtkVulkanMarchingCubes::FALLBACK_CPU);
  this->Filter->SetDevice("no such device");
  vtkPolyData* onCpu = this->run(image, 50);
  EXPECT_EQ(this->warnings().size(), 1u);
  EXPECT_EQ(std::string(this->Filter->GetUsedDevice()).find("CPU: vtkFlyingEdges3D (No usable Vulkan device."), 0u);
  expectSameCounts(onCpu, onDevice);
  const Agreement agreement = Compare(onCpu, onDevice);
  // Coordinates up to 72: FlyingEdges rounds to float in index space, then again after the spacing of 3.
  EXPECT_LE(agreement.largestDistance, 2e-5);
  EXPECT_GE(agreement.normalsWithinOneDegree, 0.99);
  MeshCopy a, b;
  EXPECT_NEAR(vmc::test::signedVolumeOf(ViewOf(onCpu, a)) / vmc::test::signedVolumeOf(ViewOf(onDevice, b)), 1, 1e-4);
  this->Filter->MergePointsOff();
  onCpu = this->run(image, 50);
  EXPECT_EQ(onCpu->GetNumberOfPoints(), 3 * onCpu->GetNumberOfPolys());
}

TEST_F(VulkanMarchingCubesFilter, FallingBackLeavesOutCellsThatTouchANan)
{
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto value = ball();
  const auto image =
    cellImage({ 24, 24, 24 }, VTK_FLOAT, [&](int i, int j, int k) { return i < 12 ? nan : value(i, j, k); });
  vtkNew<vtkPolyData> onDevice;
  onDevice->DeepCopy(this->run(image, 50));
  this->Filter->SetFallback(vtkVulkanMarchingCubes::FALLBACK_CPU);
  this->Filter->SetDevice("no such device");
  expectSameCounts(this->run(image, 50), onDevice);
}

TEST_F(VulkanMarchingCubesFilter, AFilterMayRunWhileAnotherReportsProgress)
{
  vtkNew<vtkVulkanMarchingCubes> other;
  other->SetInputData(cellImage({ 24, 24, 24 }, VTK_FLOAT, ball()));
  other->SetValue(0, 50);
  vtkNew<vtkCallbackCommand> nested;
  nested->SetCallback(
    [](vtkObject*, unsigned long, void* filter, void*)
    {
      static_cast<vtkVulkanMarchingCubes*>(filter)->Modified();
      static_cast<vtkVulkanMarchingCubes*>(filter)->Update();
    });
  nested->SetClientData(other);
  this->Filter->AddObserver(vtkCommand::ProgressEvent, nested);
  const auto image = cellImage({ 20, 20, 20 }, VTK_FLOAT, noise());
  expectSameCounts(this->run(image, 50), FlyingEdges(DualImage(image), { 50 }));
  EXPECT_GT(other->GetOutput()->GetNumberOfPolys(), 0);
}

TEST_F(VulkanMarchingCubesFilter, TwoNamesOfOneDeviceShareIt)
{
  const auto image = cellImage({ 24, 24, 24 }, VTK_FLOAT, ball());
  vtkNew<vtkVulkanMarchingCubes> other;
  other->SetDevice(this->Filter->GetDeviceNames()->GetValue(0).substr(0, 4).c_str());
  other->SetInputData(image);
  other->SetValue(0, 40);
  for (int run = 0; run < 2; ++run)
  {
    this->run(image, 50 + run);
    other->SetValue(0, 40 + run);
    other->Update();
  }
  EXPECT_EQ(this->Filter->GetUploadTime(), 0);
  EXPECT_EQ(other->GetUploadTime(), 0);
}

TEST_F(VulkanMarchingCubesFilter, AnUnknownDeviceIsAnErrorThatNamesTheOthers)
{
  this->Filter->SetDevice("no such device");
  EXPECT_EQ(this->run(cellImage({ 9, 9, 9 }, VTK_FLOAT, noise()), 50)->GetNumberOfPoints(), 0);
  ASSERT_FALSE(this->errors().empty());
  EXPECT_NE(this->errors().front().find("\"no such device\""), std::string::npos);
  EXPECT_NE(this->errors().front().find(this->Filter->GetDeviceNames()->GetValue(0)), std::string::npos);
}

TEST_F(VulkanMarchingCubesFilter, SlabsUnderAMemoryLimitGiveTheSameBytes)
{
  const auto image = cellImage({ 80, 80, 80 }, VTK_FLOAT, ball()); // 2 MB
  const auto other = cellImage({ 80, 80, 80 }, VTK_SHORT, [](int i, int j, int k) { return i + 2 * j - k; });
  other->GetCellData()->GetScalars()->SetName("other");
  image->GetCellData()->AddArray(other->GetCellData()->GetScalars());
  this->Filter->InterpolateAttributesOn();
  for (const bool merge : { true, false })
  {
    this->Filter->SetMergePoints(merge);
    this->Filter->SetMemoryLimit(0);
    vtkPolyData* mesh = this->run(image, 50);
    const std::string whole = bytesOf(mesh) + bytesOf(mesh->GetPointData()->GetArray("other"));
    EXPECT_GT(this->Filter->GetDeviceMemory(), 2000000);
    this->Filter->SetMemoryLimit(2);
    for (int run = 0; run < 2; ++run)
    {
      this->Filter->Modified();
      mesh = this->run(image, 50);
      EXPECT_TRUE(bytesOf(mesh) + bytesOf(mesh->GetPointData()->GetArray("other")) == whole);
      EXPECT_LE(this->Filter->GetDeviceMemory(), 2 << 20);
      EXPECT_EQ(this->Filter->GetUsedDevice(), std::string(this->Filter->GetDeviceNames()->GetValue(0)));
    }
  }
}

TEST_F(VulkanMarchingCubesFilter, TooLittleDeviceMemoryFallsBackAndMoreIsTakenAgain)
{
  const auto image = cellImage({ 300, 300, 12 }, VTK_FLOAT, noise()); // one layer of bricks is more than 4 MB
  this->Filter->SetFallback(vtkVulkanMarchingCubes::FALLBACK_CPU);
  this->Filter->SetMemoryLimit(1);
  const vtkIdType triangles = this->run(image, 50)->GetNumberOfPolys();
  EXPECT_EQ(std::string(this->Filter->GetUsedDevice())
              .find("CPU: vtkFlyingEdges3D (One layer of bricks needs 4320000 bytes of device memory"),
    0u);
  this->Filter->SetMemoryLimit(0);
  EXPECT_EQ(this->run(image, 50)->GetNumberOfPolys(), triangles);
  EXPECT_EQ(std::string(this->Filter->GetUsedDevice()).find("CPU:"), std::string::npos);
}

TEST_F(VulkanMarchingCubesFilter, AbortGivesAnEmptyOutputAndTheFilterWorksAgain)
{
  const auto image = cellImage({ 24, 24, 24 }, VTK_FLOAT, ball());
  vtkNew<vtkCallbackCommand> abort;
  abort->SetCallback(
    [](vtkObject* caller, unsigned long, void*, void*) { static_cast<vtkAlgorithm*>(caller)->SetAbortExecute(1); });
  const unsigned long tag = this->Filter->AddObserver(vtkCommand::ProgressEvent, abort);
  EXPECT_EQ(this->run(image, 50)->GetNumberOfPoints(), 0);
  this->Filter->RemoveObserver(tag);
  this->Filter->SetAbortExecute(0);
  this->Filter->Modified();
  expectSameCounts(this->run(image, 50), FlyingEdges(DualImage(image), { 50 }));
  EXPECT_TRUE(this->errors().empty());
}

TEST_F(VulkanMarchingCubesFilter, FieldDataPasses)
{
  const auto image = cellImage({ 24, 24, 24 }, VTK_FLOAT, ball());
  vtkNew<vtkDoubleArray> time;
  time->SetName("time");
  time->InsertNextValue(3.5);
  image->GetFieldData()->AddArray(time);
  vtkPolyData* mesh = this->run(image, 50);
  ASSERT_NE(mesh->GetFieldData()->GetArray("time"), nullptr);
  EXPECT_EQ(mesh->GetFieldData()->GetArray("time")->GetTuple1(0), 3.5);
}
