// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The CPU filter of Fallback CPU has the same surface as the device, for every type, both associations and many
// requests.
#include "FilterTest.h"
#include "FlyingEdgesReference.h"

#include "vtkCellData.h"
#include "vtkDataArray.h"
#include "vtkDataSetAttributes.h"
#include "vtkMatrix3x3.h"
#include "vtkMinimalStandardRandomSequence.h"
#include "vtkPointData.h"
#include "vtkStaticCleanPolyData.h"
#include "vtkTypeInt64Array.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>

namespace
{

constexpr double infinity = std::numeric_limits<double>::infinity();

enum class Option
{
  Nothing,
  Attributes,
  Gradients,
  AttributesAlone, // without the isovalues
  DoublePoints,
  DoubleAtSamples, // the isovalue is the value of many samples
  OwnCorners,
  DoubleCorners,
  Isovalues,
  Mirror,
  Component,
  Magnitude,
  Nan,
  NanAtSamples,
  Infinities,
  Count
};
const char* const optionNames[] = { "Nothing", "Attributes", "Gradients", "AttributesAlone", "DoublePoints",
  "DoubleAtSamples", "OwnCorners", "DoubleCorners", "Isovalues", "Mirror", "Component", "Magnitude", "Nan",
  "NanAtSamples", "Infinities" };

// Whether the option needs samples of float or double.
bool isOfFloats(Option option)
{
  return option == Option::Nan || option == Option::NanAtSamples || option == Option::Infinities;
}

bool hasAttributes(Option option)
{
  return option == Option::Attributes || option == Option::AttributesAlone || option == Option::NanAtSamples ||
         option == Option::Infinities;
}

bool hasDoublePoints(Option option)
{
  return option == Option::DoublePoints || option == Option::DoubleAtSamples || option == Option::DoubleCorners;
}

bool hasOwnCorners(Option option)
{
  return option == Option::OwnCorners || option == Option::DoubleCorners;
}

double isovalueOf(Option option)
{
  if (option == Option::Isovalues)
    return 30.25;
  return option == Option::DoubleAtSamples || option == Option::NanAtSamples ? 50 : 50.25;
}

struct Case
{
  int type; // of VTK
  bool ofCells;
  Option option;
};

std::string nameOf(const Case& which)
{
  std::string name = vtkImageScalarTypeNameMacro(which.type);
  name.erase(std::remove_if(name.begin(), name.end(), [](char c) { return !std::isalnum(c); }), name.end());
  return name + (which.ofCells ? "Cells" : "Points") + optionNames[static_cast<int>(which.option)];
}

void PrintTo(const Case& which, std::ostream* os)
{
  *os << nameOf(which);
}

std::vector<Case> allCases()
{
  std::vector<Case> cases;
  for (const int type :
    { VTK_CHAR, VTK_SIGNED_CHAR, VTK_UNSIGNED_CHAR, VTK_SHORT, VTK_UNSIGNED_SHORT, VTK_INT, VTK_UNSIGNED_INT, VTK_LONG,
      VTK_UNSIGNED_LONG, VTK_LONG_LONG, VTK_UNSIGNED_LONG_LONG, VTK_ID_TYPE, VTK_FLOAT, VTK_DOUBLE })
    for (const bool ofCells : { true, false })
      for (int option = 0; option < static_cast<int>(Option::Count); ++option)
        if (!isOfFloats(static_cast<Option>(option)) || type == VTK_FLOAT || type == VTK_DOUBLE)
          cases.push_back({ type, ofCells, static_cast<Option>(option) });
  return cases;
}

// Whole numbers over [0, 100], the same on every machine.
vtkSmartPointer<vtkDataArray> noiseArray(const char* name, int type, int components, vtkIdType tuples)
{
  vtkSmartPointer<vtkDataArray> array;
  array.TakeReference(vtkDataArray::CreateDataArray(type));
  array->SetName(name);
  array->SetNumberOfComponents(components);
  array->SetNumberOfTuples(tuples);
  vtkNew<vtkMinimalStandardRandomSequence> random;
  random->SetSeed(17 + components);
  for (vtkIdType tuple = 0; tuple < tuples; ++tuple)
    for (int c = 0; c < components; ++c)
      array->SetComponent(tuple, c, std::floor(random->GetNextRangeValue(0, 101)));
  return array;
}

// Some samples are NaN, or infinite beside one of the opposite sign; the others are noise. No sample has two neighbours
// that are NaN, or two neighbours with the same infinity.
double specialValue(Option option, int i, int j, int k, double otherwise)
{
  const int number = (i + 2 * j + 3 * k) % 29;
  if (option == Option::Infinities)
    return number == 0 ? -infinity : number == 1 ? infinity : otherwise;
  return isOfFloats(option) && number == 0 ? std::nan("") : otherwise;
}

// An image whose cells have samples and, depending on the case, other arrays.
vtkSmartPointer<vtkImageData> cellsFor(const Case& which)
{
  const CellValue noise = Noise();
  const auto image = CellImage({ 13, 11, 9 }, which.type,
    [&](int i, int j, int k) { return specialValue(which.option, i, j, k, noise(i, j, k)); });
  const vtkIdType count = image->GetNumberOfCells();
  if (which.option == Option::Component || which.option == Option::Magnitude)
    image->GetCellData()->SetScalars(noiseArray("samples", which.type, 3, count));
  if (hasAttributes(which.option))
  {
    image->GetCellData()->AddArray(noiseArray("velocity", VTK_SHORT, 3, count));
    image->GetCellData()->AddArray(noiseArray("weight", VTK_DOUBLE, 1, count));
  }
  if (which.option == Option::Mirror)
  {
    image->SetExtent(-3, 10, 5, 16, 2, 11);
    image->SetOrigin(1, -2, 3);
    image->SetSpacing(0.5, 2, 1.25);
    image->SetDirectionMatrix(0, -1, 0, -0.6, 0, 0.8, 0.8, 0, 0.6);
  }
  return image;
}

// The same samples on the points of the dual image.
vtkSmartPointer<vtkImageData> pointsFor(vtkImageData* cells)
{
  const auto image = DualImage(cells);
  image->GetPointData()->ShallowCopy(cells->GetCellData());
  return image;
}

vtkSmartPointer<vtkPolyData> withSharedPoints(vtkPolyData* mesh)
{
  vtkNew<vtkStaticCleanPolyData> clean;
  clean->SetInputData(mesh);
  clean->SetTolerance(0);
  clean->Update();
  return clean->GetOutput();
}

// The largest difference of the values of a pair of points. Values lie in [0, 100]. The error of a position on the edge
// is at most 2^-22 of its length, and the rounding to float at most half of 2^-17. Gradients are sums of several such
// values, divided by the spacing.
constexpr double LargestDifference = 100.0 / (1 << 22) + 1.0 / (1 << 17);
double toleranceOf(const std::string& array)
{
  return array == "Gradients" ? 16 * LargestDifference : array == "samples" ? 0 : LargestDifference;
}

// Gradients beside infinite samples are infinite or NaN. Which of them depends on how a device interpolates.
void expectSameValue(double found, double expected, const std::string& array)
{
  if (array == "Gradients" && !std::isfinite(expected))
    EXPECT_FALSE(std::isfinite(found));
  else
    EXPECT_NEAR(found, expected, toleranceOf(array));
}

void expectSameArrays(vtkPolyData* mesh, vtkPolyData* reference, const std::vector<vtkIdType>& partner)
{
  ASSERT_EQ(mesh->GetPointData()->GetNumberOfArrays(), reference->GetPointData()->GetNumberOfArrays());
  for (int i = 0; i < reference->GetPointData()->GetNumberOfArrays(); ++i)
  {
    vtkDataArray* expected = reference->GetPointData()->GetArray(i);
    SCOPED_TRACE(expected->GetName());
    vtkDataArray* found = mesh->GetPointData()->GetArray(expected->GetName());
    ASSERT_NE(found, nullptr);
    EXPECT_EQ(found->GetDataType(), expected->GetDataType());
    ASSERT_EQ(found->GetNumberOfComponents(), expected->GetNumberOfComponents());
    if (expected == reference->GetPointData()->GetNormals())
      continue; // Agreement::normalsWithinOneDegree compares them
    for (vtkIdType p = 0; p < reference->GetNumberOfPoints(); ++p)
      for (int c = 0; c < expected->GetNumberOfComponents(); ++c)
        expectSameValue(found->GetComponent(partner[p], c), expected->GetComponent(p, c), expected->GetName());
  }
  EXPECT_EQ(mesh->GetPointData()->GetScalars() != nullptr, reference->GetPointData()->GetScalars() != nullptr);
}

// The largest distance, in cells, between points of double near the origin. The error of one is at most 2^-22, that of
// the other the rounding of doubles below 2^10, which is less than 2^-40.
constexpr double RoundingOfDouble = 1.0 / (1 << 22) + 1.0 / (1ll << 40);

class CpuAgainstDeviceTest : public FilterTest
{
protected:
  void configure(const Case& which)
  {
    this->Filter->SetInputArrayToProcess(0, 0, 0,
      which.ofCells ? vtkDataObject::FIELD_ASSOCIATION_CELLS : vtkDataObject::FIELD_ASSOCIATION_POINTS,
      vtkDataSetAttributes::SCALARS);
    this->Filter->SetInterpolateAttributes(hasAttributes(which.option));
    this->Filter->SetComputeScalars(which.option != Option::AttributesAlone);
    this->Filter->SetComputeGradients(which.option == Option::Gradients || isOfFloats(which.option));
    this->Filter->SetMergePoints(!hasOwnCorners(which.option));
    this->Filter->SetArrayComponent(which.option == Option::Component ? 1 : -1);
    if (hasDoublePoints(which.option))
      this->Filter->SetOutputPointsPrecision(vtkAlgorithm::DOUBLE_PRECISION);
    if (which.option == Option::Isovalues)
      this->Filter->GenerateValues(3, 30.25, 70.25);
  }

  // A copy of the output of the CPU filter. Expects one warning, or none if an earlier test had the same reason.
  vtkSmartPointer<vtkPolyData> runOnCpu()
  {
    const std::size_t before = this->warnings().size();
    this->Filter->SetFallback(vtkVulkanMarchingCubes::FALLBACK_CPU);
    this->Filter->SetMemoryLimit(NoDeviceMemory);
    this->Filter->Update();
    EXPECT_STREQ(this->Filter->GetUsedDevice(), "CPU");
    EXPECT_LE(this->warnings().size(), before + 1);
    EXPECT_TRUE(this->errors().empty());
    this->Filter->SetMemoryLimit(0);
    const auto mesh = vtkSmartPointer<vtkPolyData>::New();
    mesh->DeepCopy(this->Filter->GetOutput());
    return mesh;
  }
};

class CpuAgainstDevice
  : public CpuAgainstDeviceTest
  , public testing::WithParamInterface<Case>
{
};

}

TEST_P(CpuAgainstDevice, HasTheSamePointsTrianglesAndValues)
{
  const Case& which = GetParam();
  vtkSmartPointer<vtkImageData> image = cellsFor(which);
  const vtkSmartPointer<vtkImageData> dual = pointsFor(image);
  image = which.ofCells ? image : dual;
  this->configure(which);
  vtkSmartPointer<vtkPolyData> onDevice = this->runAndCopy(image, isovalueOf(which.option));
  vtkSmartPointer<vtkPolyData> onCpu = this->runOnCpu();
  ASSERT_GT(onDevice->GetNumberOfPolys(), 0);
  ExpectSameCounts(onCpu, onDevice);
  ASSERT_FALSE(this->HasFailure());
  EXPECT_EQ(onCpu->GetPoints()->GetDataType(), onDevice->GetPoints()->GetDataType());
  if (hasOwnCorners(which.option))
  {
    // Diagonals may differ, and so the number of triangles per point. Merged points are compared.
    EXPECT_EQ(onCpu->GetNumberOfPoints(), 3 * onCpu->GetNumberOfPolys());
    onDevice = withSharedPoints(onDevice);
    onCpu = withSharedPoints(onCpu);
    ASSERT_EQ(onCpu->GetNumberOfPoints(), onDevice->GetNumberOfPoints());
  }
  const Agreement agreement = Compare(onCpu, onDevice);
  ASSERT_LE(
    agreement.largestDistance, hasDoublePoints(which.option) ? RoundingOfDouble : LargestRounding(dual, onDevice));
  EXPECT_GE(agreement.normalsWithinOneDegree, 0.99);
  expectSameArrays(onCpu, onDevice, agreement.partner);
}

INSTANTIATE_TEST_SUITE_P(
  All, CpuAgainstDevice, testing::ValuesIn(allCases()), [](const auto& info) { return nameOf(info.param); });

using CpuAgainstDeviceAtLimits = CpuAgainstDeviceTest;

// Differences of such samples exceed the range of their type.
TEST_F(CpuAgainstDeviceAtLimits, OfWideIntegersHasTheSamePoints)
{
  for (const int type : { VTK_INT, VTK_UNSIGNED_INT, VTK_LONG_LONG, VTK_UNSIGNED_LONG_LONG })
  {
    SCOPED_TRACE(vtkImageScalarTypeNameMacro(type));
    const double low = vtkDataArray::GetDataTypeMin(type), high = vtkDataArray::GetDataTypeMax(type);
    const CellValue noise = Noise();
    const auto image =
      CellImage({ 13, 11, 9 }, type, [&](int i, int j, int k) { return low + noise(i, j, k) / 101 * (high - low); });
    const auto onDevice = this->runAndCopy(image, low / 2 + high / 2 + 1e6);
    ASSERT_GT(onDevice->GetNumberOfPolys(), 0);
    const auto onCpu = this->runOnCpu();
    ExpectSameCounts(onCpu, onDevice);
    ASSERT_FALSE(this->HasFailure());
    EXPECT_LE(Compare(onCpu, onDevice).largestDistance, LargestRounding(DualImage(image), onDevice));
  }
}

TEST_F(CpuAgainstDeviceAtLimits, OfLongImagesHasTheSamePointsOfDouble)
{
  const auto image = CellImage({ 600, 7, 7 }, VTK_DOUBLE,
    [](int i, int j, int k) { return std::sin(0.37 * i + 0.1) + std::cos(0.9 * j) + std::sin(0.7 * k); });
  this->Filter->SetOutputPointsPrecision(vtkAlgorithm::DOUBLE_PRECISION);
  const auto onDevice = this->runAndCopy(image, 0.1234567);
  const auto onCpu = this->runOnCpu();
  ExpectSameCounts(onCpu, onDevice);
  ASSERT_FALSE(this->HasFailure());
  EXPECT_LE(Compare(onCpu, onDevice).largestDistance, RoundingOfDouble);
}

// As floats, these points are equal to the samples beside them.
TEST_F(CpuAgainstDeviceAtLimits, OfPointsNearSamplesHasTheSamePointsOfDouble)
{
  const auto image = CellImage({ 600, 7, 7 }, VTK_DOUBLE, [](int i, int, int) { return i % 50; });
  this->Filter->SetOutputPointsPrecision(vtkAlgorithm::DOUBLE_PRECISION);
  const auto onDevice = this->runAndCopy(image, 10 + 1e-5);
  const auto onCpu = this->runOnCpu();
  ExpectSameCounts(onCpu, onDevice);
  ASSERT_FALSE(this->HasFailure());
  EXPECT_LE(Compare(onCpu, onDevice).largestDistance, RoundingOfDouble);
}

// Differences of such samples are infinite.
TEST_F(CpuAgainstDeviceAtLimits, OfLargeFloatsHasTheSamePointsAndNormals)
{
  for (const int type : { VTK_FLOAT, VTK_DOUBLE })
  {
    SCOPED_TRACE(vtkImageScalarTypeNameMacro(type));
    const double largest = type == VTK_FLOAT ? std::numeric_limits<float>::max() : std::numeric_limits<double>::max();
    const CellValue noise = Noise();
    const auto image =
      CellImage({ 13, 11, 9 }, type, [&](int i, int j, int k) { return (noise(i, j, k) - 50) / 51 * largest; });
    const auto onDevice = this->runAndCopy(image, largest / 100);
    const auto onCpu = this->runOnCpu();
    ExpectSameCounts(onCpu, onDevice);
    ASSERT_FALSE(this->HasFailure());
    const Agreement agreement = Compare(onCpu, onDevice);
    EXPECT_LE(agreement.largestDistance, LargestRounding(DualImage(image), onDevice));
    EXPECT_EQ(agreement.normalsWithinOneDegree, 1);
  }
}

// Central differences of alternating samples are 0, so the crossed edge gives the normal. The crossing lies at a
// quarter of the edge, so that one-sided differences at the border do not cancel.
TEST_F(CpuAgainstDeviceAtLimits, OfAlternatingSamplesHasTheSameNormals)
{
  const auto image =
    CellImage({ 13, 11, 9 }, VTK_UNSIGNED_CHAR, [](int i, int j, int k) { return (i + j + k) % 2 * 100; });
  image->SetSpacing(0.5, 2, 1.25);
  const auto onDevice = this->runAndCopy(image, 25);
  const auto onCpu = this->runOnCpu();
  ExpectSameCounts(onCpu, onDevice);
  ASSERT_FALSE(this->HasFailure());
  EXPECT_EQ(Compare(onCpu, onDevice).normalsWithinOneDegree, 1);
}

// Converted to double, the samples below the isovalue by 1 would be equal to it.
TEST_F(CpuAgainstDeviceAtLimits, OfIntegersBeyondTheDigitsOfADoubleHasTheSamePoints)
{
  constexpr vtkTypeInt64 isovalue = vtkTypeInt64(1) << 60;
  const auto image = CellImage({ 13, 11, 9 }, VTK_LONG_LONG, Noise());
  vtkDataArray* noise = image->GetCellData()->GetScalars();
  vtkNew<vtkTypeInt64Array> samples;
  samples->SetName("samples");
  for (vtkIdType cell = 0; cell < noise->GetNumberOfTuples(); ++cell)
    samples->InsertNextValue(isovalue - 50 + static_cast<vtkTypeInt64>(noise->GetTuple1(cell)));
  image->GetCellData()->SetScalars(samples);
  const auto onDevice = this->runAndCopy(image, static_cast<double>(isovalue));
  const auto onCpu = this->runOnCpu();
  ExpectSameCounts(onCpu, onDevice);
  ASSERT_FALSE(this->HasFailure());
  EXPECT_LE(Compare(onCpu, onDevice).largestDistance, LargestRounding(DualImage(image), onDevice));
}
