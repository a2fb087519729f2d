// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "FilterTest.h"
#include "FlyingEdgesReference.h"

#include "vtkBitArray.h"
#include "vtkCellData.h"
#include "vtkCleanPolyData.h"
#include "vtkCommand.h"
#include "vtkCompositeDataPipeline.h"
#include "vtkDataSetAttributes.h"
#include "vtkErrorCode.h"
#include "vtkExecutive.h"
#include "vtkFloatArray.h"
#include "vtkMatrix3x3.h"
#include "vtkMultiBlockDataSet.h"
#include "vtkOutputWindow.h"
#include "vtkPointData.h"
#include "vtkStringArray.h"
#include "vtkStringOutputWindow.h"
#include "vtkTable.h"
#include "vtkUnsignedCharArray.h"
#include "vtkVulkanImageHistogram.h"
#include "vtkXMLPolyDataWriter.h"

#include <vtksys/SystemTools.hxx>

#include <cmath>
#include <limits>
#include <string>
#include <utility>

namespace
{

class FilterErrors : public FilterTest
{
protected:
  void choose(int association, const char* name) { this->Filter->SetInputArrayToProcess(0, 0, 0, association, name); }

  // Expects a run with one error and an empty output, and that the filter works afterwards. Returns the error.
  std::string errorOf(vtkImageData* image)
  {
    const std::size_t before = this->errors().size();
    this->Filter->SetInputData(image);
    this->Filter->SetValue(0, 50);
    EXPECT_EQ(this->Filter->GetExecutive()->Update(), 0);
    EXPECT_NE(this->Filter->GetErrorCode(), vtkErrorCode::NoError);
    EXPECT_EQ(this->Filter->GetOutput()->GetNumberOfPoints(), 0);
    EXPECT_EQ(this->Filter->GetOutput()->GetPointData()->GetNumberOfArrays(), 0);
    EXPECT_EQ(this->errors().size(), before + 1);
    EXPECT_TRUE(this->warnings().empty());
    const std::string error = this->errors().empty() ? "" : this->errors().back();
    this->expectThatItWorks();
    return error;
  }

  // Expects an error with this text, also with Fallback CPU: the CPU does not contour such an image either.
  void expectRefusal(vtkImageData* image, const std::string& thing, const std::string& value)
  {
    for (const int fallback : { vtkVulkanMarchingCubes::FALLBACK_ERROR, vtkVulkanMarchingCubes::FALLBACK_CPU })
    {
      this->Filter->SetFallback(fallback);
      const std::string error = this->errorOf(image);
      EXPECT_CONTAINS(error, thing);
      EXPECT_CONTAINS(error, value);
    }
  }

private:
  void expectThatItWorks()
  {
    const std::size_t before = this->errors().size();
    this->Filter->SetInputArrayToProcess(
      0, 0, 0, vtkDataObject::FIELD_ASSOCIATION_CELLS, vtkDataSetAttributes::SCALARS);
    const auto image = CellImage({ 24, 24, 24 }, VTK_FLOAT, Ball());
    ExpectSameCounts(this->run(image, 50), FlyingEdges(DualImage(image), { 50 }));
    EXPECT_EQ(this->errors().size(), before);
    EXPECT_EQ(this->Filter->GetErrorCode(), vtkErrorCode::NoError);
  }
};

// An array of so many tuples, all 0.
vtkSmartPointer<vtkFloatArray> zeros(const char* name, vtkIdType tuples)
{
  auto array = vtkSmartPointer<vtkFloatArray>::New();
  array->SetName(name);
  array->SetNumberOfTuples(tuples);
  array->FillValue(0);
  return array;
}

constexpr double NotANumber = std::numeric_limits<double>::quiet_NaN();
constexpr double Infinity = std::numeric_limits<double>::infinity();

constexpr int Cells = vtkDataObject::FIELD_ASSOCIATION_CELLS;
constexpr int Points = vtkDataObject::FIELD_ASSOCIATION_POINTS;

}

TEST_F(FilterErrors, AMissingArrayIsAnErrorThatListsTheArrays)
{
  const auto image = CellImage({ 9, 9, 9 }, VTK_FLOAT, Noise());
  this->choose(Cells, "no such array");
  EXPECT_CONTAINS(this->errorOf(image),
    "There is no numeric cell array \"no such array\". Cell arrays: samples. Point arrays: none.");
  this->choose(Points, "samples");
  EXPECT_CONTAINS(
    this->errorOf(image), "There is no numeric point array \"samples\". Cell arrays: samples. Point arrays: none.");
}

TEST_F(FilterErrors, AnImageWithoutAnActiveArrayIsAnErrorThatListsTheArrays)
{
  vtkNew<vtkImageData> image;
  image->SetDimensions(9, 9, 9);
  image->GetPointData()->AddArray(zeros("pressure", 729));
  image->GetPointData()->AddArray(zeros("density", 729));
  const std::string error = this->errorOf(image);
  EXPECT_CONTAINS(error, "The input has no active array to contour: set Contour By (in Python ContourBy, in C++ "
                         "SetInputArrayToProcess). Cell arrays: none. Point arrays: pressure, density.");
}

TEST_F(FilterErrors, TheOnlyArrayNeedsNotBeActive)
{
  const auto image = CellImage({ 24, 24, 24 }, VTK_FLOAT, Ball());
  const auto dual = DualImage(image);
  dual->GetPointData()->SetActiveScalars(nullptr);
  image->GetCellData()->SetActiveScalars(nullptr);
  image->GetCellData()->AddArray(GhostArray(image->GetNumberOfCells(), [](vtkIdType) { return 0; }));
  const vtkIdType triangles = this->run(image, 50)->GetNumberOfPolys();
  EXPECT_GT(triangles, 0);
  EXPECT_EQ(this->run(dual, 50)->GetNumberOfPolys(), triangles);
  EXPECT_TRUE(this->errors().empty());
}

namespace
{

// Keeps everything that VTK prints while it exists.
class PrintedText
{
public:
  PrintedText() { vtkOutputWindow::SetInstance(this->Window); }
  ~PrintedText() { vtkOutputWindow::SetInstance(this->Before); }
  PrintedText(const PrintedText&) = delete;
  PrintedText& operator=(const PrintedText&) = delete;

  std::string text() { return this->Window->GetOutput(); }

private:
  const vtkSmartPointer<vtkOutputWindow> Before = vtkOutputWindow::GetInstance();
  vtkNew<vtkStringOutputWindow> Window;
};

int countOf(const std::string& part, const std::string& text)
{
  int count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++count;
  return count;
}

}

TEST(FilterMessages, AFailureIsOneErrorAndFiltersDownstreamDoNotExecute)
{
  PrintedText printed;
  vtkNew<vtkVulkanMarchingCubes> filter;
  vtkNew<vtkCleanPolyData> downstream;
  const auto image = CellImage({ 9, 9, 9 }, VTK_FLOAT, Noise());
  vtkNew<vtkMultiBlockDataSet> blocks;
  for (int block = 0; block < 3; ++block)
    blocks->SetBlock(block, image);
  filter->SetInputData(image);
  filter->SetValue(0, 50);
  downstream->SetInputConnection(filter->GetOutputPort());
  downstream->Update();
  EXPECT_GT(downstream->GetOutput()->GetNumberOfPolys(), 0);
  filter->SetInputArrayToProcess(0, 0, 0, Cells, "no such array");
  const vtkIdType before = downstream->GetOutput()->GetNumberOfPolys();
  EXPECT_EQ(downstream->GetExecutive()->Update(), 0);
  EXPECT_EQ(filter->GetOutput()->GetNumberOfPoints(), 0);
  EXPECT_EQ(downstream->GetOutput()->GetNumberOfPolys(), before);
  EXPECT_EQ(countOf("ERROR", printed.text()), 1) << printed.text();
  filter->SetInputDataObject(blocks); // one error, not one per leaf
  filter->Update();
  EXPECT_EQ(countOf("ERROR", printed.text()), 2) << printed.text();
}

TEST(FilterMessages, AWriterDownstreamOfAFailureWritesNothing)
{
  PrintedText printed;
  vtkNew<vtkVulkanMarchingCubes> filter;
  vtkNew<vtkXMLPolyDataWriter> writer;
  filter->SetInputData(CellImage({ 9, 9, 9 }, VTK_FLOAT, Noise()));
  filter->SetValue(0, 50);
  writer->SetInputConnection(filter->GetOutputPort());
  writer->WriteToOutputStringOn();
  writer->Write();
  const std::string written = writer->GetOutputString();
  EXPECT_FALSE(written.empty());
  filter->SetInputArrayToProcess(0, 0, 0, Cells, "no such array");
  writer->Write();
  EXPECT_TRUE(writer->GetOutputString() == written);
  EXPECT_EQ(countOf("ERROR", printed.text()), 1) << printed.text();
}

TEST(FilterMessages, EachFailureIsOneErrorWithAnExecutiveOfTheCaller)
{
  PrintedText printed;
  vtkNew<vtkVulkanMarchingCubes> filter;
  vtkNew<vtkCompositeDataPipeline> pipeline;
  filter->SetExecutive(pipeline);
  filter->SetInputData(CellImage({ 9, 9, 9 }, VTK_FLOAT, Noise()));
  filter->SetValue(0, 50);
  filter->SetInputArrayToProcess(0, 0, 0, Cells, "no such array");
  for (int errors = 1; errors <= 3; ++errors)
  {
    filter->Modified();
    EXPECT_EQ(pipeline->Update(), 0);
    EXPECT_EQ(countOf("ERROR", printed.text()), errors) << printed.text();
    EXPECT_EQ(countOf("returned failure", printed.text()), 0) << printed.text();
    EXPECT_FALSE(pipeline->HasObserver(vtkCommand::ErrorEvent)); // its other errors are shown
  }
}

// A client of a server waits for the table, also for an empty one.
TEST(FilterMessages, AFailedHistogramIsOneErrorAndAnEmptyTable)
{
  PrintedText printed;
  vtkNew<vtkVulkanImageHistogram> filter;
  filter->SetDevice("CPU");
  filter->SetInputData(CellImage({ 9, 9, 9 }, VTK_FLOAT, Noise()));
  filter->SetInputArrayToProcess(0, 0, 0, Cells, "no such array");
  EXPECT_EQ(filter->GetExecutive()->Update(), 1);
  EXPECT_EQ(filter->GetOutput()->GetNumberOfColumns(), 0);
  EXPECT_NE(filter->GetErrorCode(), vtkErrorCode::NoError);
  EXPECT_EQ(countOf("ERROR", printed.text()), 1) << printed.text();
  EXPECT_EQ(countOf("returned failure", printed.text()), 0) << printed.text();
}

TEST_F(FilterErrors, ABlockWithoutTheArrayKeepsTheCountsOfTheOthers)
{
  const auto image = CellImage({ 24, 24, 24 }, VTK_FLOAT, Ball());
  const auto other = CellImage({ 9, 9, 9 }, VTK_FLOAT, Noise());
  other->GetCellData()->GetScalars()->SetName("other");
  vtkNew<vtkMultiBlockDataSet> blocks;
  blocks->SetBlock(0, image);
  blocks->SetBlock(1, other);
  this->choose(Cells, "samples");
  vtkPolyData* const whole = this->run(image, 50);
  const vtkIdType points = whole->GetNumberOfPoints(), triangles = whole->GetNumberOfPolys();
  EXPECT_GT(triangles, 0);
  this->Filter->SetInputDataObject(blocks);
  this->Filter->Update();
  EXPECT_EQ(this->errors().size(), 1u);
  EXPECT_EQ(this->Filter->GetNumberOfPoints(), points);
  EXPECT_EQ(this->Filter->GetNumberOfTriangles(), triangles);
}

TEST_F(FilterErrors, AnArrayOfStringsIsAnErrorThatListsTheArrays)
{
  const auto image = CellImage({ 9, 9, 9 }, VTK_FLOAT, Noise());
  vtkNew<vtkStringArray> names;
  names->SetName("names");
  names->SetNumberOfValues(image->GetNumberOfCells());
  image->GetCellData()->AddArray(names);
  this->choose(Cells, "names");
  EXPECT_CONTAINS(
    this->errorOf(image), "There is no numeric cell array \"names\". Cell arrays: samples, names. Point arrays: none.");
}

TEST_F(FilterErrors, AnArrayOfBitsIsAnErrorThatListsTheArrays)
{
  const auto image = CellImage({ 9, 9, 9 }, VTK_FLOAT, Noise());
  vtkNew<vtkBitArray> bits;
  bits->SetName("bits");
  bits->SetNumberOfValues(image->GetNumberOfCells());
  image->GetCellData()->AddArray(bits);
  this->choose(Cells, "bits");
  EXPECT_CONTAINS(this->errorOf(image),
    "\"bits\" has values of type bit; integers of 8 to 64 bits, float and double are "
    "supported. Cell arrays: samples, bits. Point arrays: none.");
  this->Filter->InterpolateAttributesOn();
  EXPECT_EQ(this->run(image, 50)->GetPointData()->GetArray("bits"), nullptr);
}

TEST_F(FilterErrors, AnArrayOfAWrongLengthIsAnErrorThatListsTheArrays)
{
  const auto image = CellImage({ 9, 9, 9 }, VTK_FLOAT, Noise());
  image->GetCellData()->AddArray(zeros("empty", 0));
  image->GetCellData()->AddArray(zeros("short", 728));
  image->GetPointData()->AddArray(zeros("long", 1001));
  const std::string arrays = " Cell arrays: samples, empty, short. Point arrays: long.";
  this->choose(Cells, "empty");
  EXPECT_CONTAINS(this->errorOf(image), "\"empty\" has 0 tuples; the image has 729 cells." + arrays);
  this->choose(Cells, "short");
  EXPECT_CONTAINS(this->errorOf(image), "\"short\" has 728 tuples; the image has 729 cells." + arrays);
  this->choose(Points, "long");
  EXPECT_CONTAINS(this->errorOf(image), "\"long\" has 1001 tuples; the image has 1000 points." + arrays);
}

TEST_F(FilterErrors, AGhostArrayOfAWrongLengthIsAnError)
{
  const auto image = CellImage({ 9, 9, 9 }, VTK_FLOAT, Noise());
  vtkNew<vtkUnsignedCharArray> ghosts;
  ghosts->SetName(vtkDataSetAttributes::GhostArrayName());
  ghosts->SetNumberOfValues(3);
  image->GetCellData()->AddArray(ghosts);
  EXPECT_CONTAINS(this->errorOf(image), "The ghost array of the cells has 3 values; the image has 729 cells.");
}

TEST_F(FilterErrors, FlatImagesAndNegativeSpacingAreErrors)
{
  vtkNew<vtkImageData> flat;
  flat->SetDimensions(9, 9, 1);
  flat->AllocateScalars(VTK_FLOAT, 1);
  this->Filter->SetInputArrayToProcess(0, 0, 0, vtkDataObject::FIELD_ASSOCIATION_POINTS, vtkDataSetAttributes::SCALARS);
  this->run(flat, 50);
  ASSERT_EQ(this->errors().size(), 1u);
  EXPECT_CONTAINS(this->errors()[0], "9 x 9 x 1 points");
  const auto image = CellImage({ 9, 9, 9 }, VTK_FLOAT, Noise());
  image->SetSpacing(1, -2, 1);
  this->Filter->SetInputArrayToProcess(0, 0, 0, vtkDataObject::FIELD_ASSOCIATION_CELLS, vtkDataSetAttributes::SCALARS);
  this->run(image, 50);
  ASSERT_EQ(this->errors().size(), 2u);
  EXPECT_CONTAINS(this->errors()[1], "spacing is 1 -2 1");
}

TEST_F(FilterErrors, AnOriginThatIsNotFiniteIsAnErrorThatNamesIt)
{
  for (const double value : { NotANumber, Infinity, -Infinity })
  {
    const auto image = CellImage({ 9, 9, 9 }, VTK_FLOAT, Noise());
    image->SetOrigin(1, value, 2);
    this->expectRefusal(image, "origin", value != value ? "nan" : "inf");
  }
}

TEST_F(FilterErrors, ADirectionThatIsNotFiniteIsAnErrorThatNamesIt)
{
  const auto image = CellImage({ 9, 9, 9 }, VTK_FLOAT, Noise());
  image->SetDirectionMatrix(1, 0, 0, 0, NotANumber, 0, 0, 0, 1);
  this->expectRefusal(image, "direction", "nan");
}

TEST_F(FilterErrors, ASpacingOutsideTheRangeOfFloatIsAnErrorThatNamesIt)
{
  for (const auto& [value, text] :
    { std::pair(1e-50, "1e-50"), std::pair(1e50, "1e+50"), std::pair(NotANumber, "nan"), std::pair(Infinity, "inf") })
  {
    SCOPED_TRACE(text);
    const auto image = CellImage({ 9, 9, 9 }, VTK_FLOAT, Noise());
    image->SetSpacing(1, 1, value);
    this->expectRefusal(image, "spacing", text);
  }
}

TEST_F(FilterErrors, CoordinatesBeyondTheLargestFloatAreAnErrorThatNamesThem)
{
  const auto wide = CellImage({ 20, 20, 20 }, VTK_FLOAT, Noise());
  wide->SetSpacing(1, 1e38, 1);
  this->expectRefusal(wide, "coordinate", "e+39"); // the last sample lies at 1.95e39, the last point at 2e39
  const auto far = CellImage({ 20, 20, 20 }, VTK_FLOAT, Noise());
  far->SetOrigin(-4e39, 0, 0);
  this->expectRefusal(far, "coordinate", "-4e+39");
}

TEST_F(FilterErrors, PointsOfDoubleBeyondTheLargestFloatAreRightOrAnError)
{
  const auto wide = CellImage({ 20, 20, 20 }, VTK_FLOAT, Noise());
  wide->SetSpacing(1, 1e38, 1);
  this->Filter->SetOutputPointsPrecision(vtkAlgorithm::DOUBLE_PRECISION);
  vtkPolyData* mesh = this->run(wide, 50);
  EXPECT_EQ(this->errors().size(), mesh->GetNumberOfPoints() == 0 ? 1u : 0u);
  for (vtkIdType p = 0; p < mesh->GetNumberOfPoints(); ++p)
    for (int c = 0; c < 3; ++c)
      ASSERT_TRUE(std::isfinite(mesh->GetPoint(p)[c])) << p << ", " << c;
}

TEST_F(FilterErrors, AnUnknownDeviceIsAnErrorThatNamesTheOthersAlsoWithFallbackCpu)
{
  this->Filter->SetDevice("no such device");
  for (const int fallback : { vtkVulkanMarchingCubes::FALLBACK_ERROR, vtkVulkanMarchingCubes::FALLBACK_CPU })
  {
    this->Filter->SetFallback(fallback);
    EXPECT_EQ(this->run(CellImage({ 9, 9, 9 }, VTK_FLOAT, Noise()), 50)->GetNumberOfPoints(), 0);
    ASSERT_FALSE(this->errors().empty());
    EXPECT_CONTAINS(this->errors().back(), "There is no device \"no such device\". The devices are: ");
    EXPECT_CONTAINS(this->errors().back(),
      this->Filter->GetDeviceNames()->GetValue(0) + " (" + this->Filter->GetDeviceKinds()->GetValue(0) + ")");
  }
  EXPECT_EQ(this->errors().size(), 2u);
  EXPECT_TRUE(this->warnings().empty());
}

namespace
{

// Sets the environment variable VMC_DEVICE while it exists.
class DeviceVariable
{
public:
  explicit DeviceVariable(const std::string& value)
  {
    vtksys::SystemTools::GetEnv("VMC_DEVICE", this->Before);
    vtksys::SystemTools::PutEnv("VMC_DEVICE=" + value);
  }
  ~DeviceVariable() { vtksys::SystemTools::PutEnv("VMC_DEVICE=" + this->Before); }
  DeviceVariable(const DeviceVariable&) = delete;
  DeviceVariable& operator=(const DeviceVariable&) = delete;

private:
  std::string Before;
};

}

TEST_F(FilterErrors, TheEnvironmentSelectsTheDeviceThatIsAutomatic)
{
  const auto image = CellImage({ 24, 24, 24 }, VTK_FLOAT, Ball());
  const std::string name = this->Filter->GetDeviceNames()->GetValue(0);
  for (const std::string& value : { std::string("0"), name, name.substr(0, 4) })
  {
    const DeviceVariable variable(value);
    this->run(image, 50);
    EXPECT_EQ(this->Filter->GetUsedDevice(), name) << value;
    this->Filter->Modified();
  }
  const auto last = std::to_string(this->Filter->GetDeviceNames()->GetNumberOfValues() - 1);
  for (const std::string& value : { last, std::string("CPU"), std::string("cpu") })
  {
    const DeviceVariable variable(value);
    this->run(image, 50);
    EXPECT_TRUE(IsCpu(this->Filter->GetUsedDevice())) << value;
    EXPECT_STREQ(this->Filter->GetFallbackReason(), "");
    this->Filter->Modified();
  }
  const DeviceVariable variable("abacus");
  EXPECT_EQ(this->run(image, 51)->GetNumberOfPoints(), 0);
  ASSERT_EQ(this->errors().size(), 1u);
  EXPECT_CONTAINS(this->errors()[0], "The environment variable VMC_DEVICE is \"abacus\". There is no device");
  this->Filter->SetDevice(name.c_str());
  EXPECT_GT(this->run(image, 51)->GetNumberOfPoints(), 0);
}
