// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The picture follows each change of the settings and of the input.
#include "RenderingTest.h"

#include "vtkCellData.h"
#include "vtkDataArray.h"
#include "vtkExtractVOI.h"
#include "vtkFloatArray.h"
#include "vtkHardwareSelector.h"
#include "vtkPolyData.h"
#include "vtkSelection.h"
#include "vtkTrivialProducer.h"

#include <algorithm>
#include <string>

namespace vmc::test
{

class MapperChanges : public PathTest
{
protected:
  Picture drawAgain() { return RenderingTest::drawAgain(this->MainWindow.get()); }

  // Expects an empty picture and one error, which contains the text. VTK's pipeline may add an error of its own, which
  // only says that there was one.
  void expectErrorInNextFrame(const std::string& text)
  {
    expectEmpty(this->drawAgain());
    std::vector<std::string> errors = this->takeErrors();
    const auto isOfPipeline = [](const std::string& error)
    { return error.find("returned failure for request") != std::string::npos; };
    errors.erase(std::remove_if(errors.begin(), errors.end(), isOfPipeline), errors.end());
    ASSERT_EQ(errors.size(), 1u) << (errors.empty() ? "" : errors.back());
    EXPECT_CONTAINS(errors[0], text);
  }

  // Expects that the mapper draws the scene again.
  void expectThatItDraws(vtkVulkanIsosurfaceMapper* mapper, const Picture& expected)
  {
    mapper->SetInputData(this->Start.image);
    expectEqual(this->drawAgain(), expected);
    expectPath(mapper);
  }

  const Scene Start;
};
INSTANTIATE_FOR_EACH_PATH(MapperChanges);

TEST_P(MapperChanges, AnIsovalueChangesThePictureAndBack)
{
  const Scene other = withOtherIsovalues(this->Start);
  const Picture expected = this->reference(other);
  const auto mapper = makeMapper(this->Start);
  const Picture first = this->draw(this->Start, mapper);
  mapper->GetContour()->SetValue(0, other.isovalues[0]);
  const Picture second = this->drawAgain();
  expectPath(mapper);
  expectSame(second, expected);
  expectDifferent(second, first);
  mapper->GetContour()->SetValue(0, this->Start.isovalues[0]);
  expectEqual(this->drawAgain(), first);
  expectPath(mapper);
}

TEST_P(MapperChanges, TheNumberOfIsovaluesChanges)
{
  Scene two;
  two.isovalues = { 0.2, -1 };
  const Picture expected = this->reference(two);
  const auto mapper = makeMapper(this->Start);
  const Picture first = this->draw(this->Start, mapper);
  mapper->GetContour()->SetValue(1, -1);
  expectSame(this->drawAgain(), expected);
  mapper->GetContour()->SetNumberOfContours(1);
  expectEqual(this->drawAgain(), first);
  mapper->GetContour()->SetNumberOfContours(0);
  expectEmpty(this->drawAgain());
  mapper->GetContour()->SetValue(0, 0.2);
  expectEqual(this->drawAgain(), first);
}

TEST_P(MapperChanges, AnIsovalueWithoutASurfaceDrawsNothing)
{
  const auto mapper = makeMapper(this->Start);
  const Picture first = this->draw(this->Start, mapper);
  mapper->GetContour()->SetValue(0, 100);
  expectEmpty(this->drawAgain());
  EXPECT_EQ(mapper->GetNumberOfPoints(), 0);
  EXPECT_EQ(mapper->GetNumberOfTriangles(), 0);
  mapper->GetContour()->SetValue(0, this->Start.isovalues[0]);
  expectEqual(this->drawAgain(), first);
  expectPath(mapper);
}

TEST_P(MapperChanges, TheFirstFrameMayBeEmpty)
{
  Scene empty;
  empty.isovalues = { 100 };
  const Picture expected = this->reference(this->Start);
  const auto mapper = makeMapper(empty);
  expectEmpty(this->draw(this->Start, mapper));
  mapper->GetContour()->SetValue(0, this->Start.isovalues[0]);
  expectSame(this->drawAgain(), expected);
  expectPath(mapper);
}

TEST_P(MapperChanges, CountsAreThoseOfTheFilter)
{
  vtkNew<vtkVulkanMarchingCubes> filter;
  filter->SetInputData(this->Start.image);
  this->Start.setContour(filter);
  filter->Update();
  const auto mapper = makeMapper(this->Start);
  this->draw(this->Start, mapper);
  EXPECT_GT(mapper->GetNumberOfTriangles(), 0);
  EXPECT_EQ(mapper->GetNumberOfTriangles(), filter->GetOutput()->GetNumberOfPolys());
  EXPECT_EQ(mapper->GetNumberOfPoints(), filter->GetOutput()->GetNumberOfPoints());
}

TEST_P(MapperChanges, ValuesWrittenInPlaceChangeThePicture)
{
  Scene scene;
  const auto mapper = makeMapper(scene);
  const Picture first = this->draw(scene, mapper);
  vtkDataArray* const samples = scene.image->GetCellData()->GetScalars();
  for (vtkIdType i = 0; i < samples->GetNumberOfTuples(); ++i)
    samples->SetTuple1(i, samples->GetTuple1(i) + 0.4);
  samples->Modified();
  const Picture second = this->drawAgain();
  expectPath(mapper);
  expectDifferent(second, first);
  expectSame(second, this->reference(scene));
}

TEST_P(MapperChanges, AnotherImageChangesThePicture)
{
  Scene other;
  other.image = imageOf(distance);
  other.isovalues = { 12 };
  const Picture expected = this->reference(other);
  const auto mapper = makeMapper(this->Start);
  const Picture first = this->draw(this->Start, mapper);
  mapper->SetInputData(other.image);
  mapper->GetContour()->SetValue(0, 12);
  expectSame(this->drawAgain(), expected);
  expectPath(mapper);
  EXPECT_EQ(mapper->GetContouredData(), other.image);
  mapper->GetContour()->SetValue(0, this->Start.isovalues[0]);
  this->expectThatItDraws(mapper, first);
}

TEST_P(MapperChanges, AnotherArrayChangesThePicture)
{
  Scene scene;
  addArray(scene.image, "shifted", 1, [](const auto& p, int) { return gyroid({ p[0] + 5, p[1], p[2] }); });
  Scene other = scene;
  other.contour = [](vtkVulkanMarchingCubes* filter)
  { filter->SetInputArrayToProcess(0, 0, 0, vtkDataObject::FIELD_ASSOCIATION_CELLS, "shifted"); };
  const Picture expected = this->reference(other);
  const auto mapper = makeMapper(scene);
  const Picture first = this->draw(scene, mapper);
  other.setContour(mapper->GetContour());
  const Picture second = this->drawAgain();
  expectPath(mapper);
  expectSame(second, expected);
  expectDifferent(second, first);
  mapper->GetContour()->SetInputArrayToProcess(0, 0, 0, vtkDataObject::FIELD_ASSOCIATION_CELLS, "samples");
  expectEqual(this->drawAgain(), first);
}

// The other array is only a colour, so the surface stays and the values change.
TEST_P(MapperChanges, ValuesOfAColorArrayChangeThePicture)
{
  Scene scene;
  const auto color = addArray(scene.image, "color", 1, [](const auto& p, int) { return p[2]; });
  scene.reference = [](vtkVulkanMarchingCubes* filter) { filter->InterpolateAttributesOn(); };
  scene.mapper = [](vtkPolyDataMapper* mapper)
  {
    mapper->ScalarVisibilityOn();
    mapper->SetScalarModeToUsePointFieldData();
    mapper->SelectColorArray("color");
    mapper->SetScalarRange(0, Side);
    mapper->InterpolateScalarsBeforeMappingOn();
  };
  const auto mapper = makeMapper(scene);
  const Picture first = this->draw(scene, mapper);
  for (vtkIdType i = 0; i < color->GetNumberOfTuples(); ++i)
    color->SetTuple1(i, i % Side);
  color->Modified();
  const Picture second = this->drawAgain();
  expectPath(mapper);
  expectDifferent(second, first);
  expectSame(second, this->reference(scene));
}

TEST_P(MapperChanges, SettingsOfTheExtractionChangeThePicture)
{
  Scene closed, withoutNormals;
  closed.contour = [](vtkVulkanMarchingCubes* filter) { filter->SetBoundary(2); };
  withoutNormals.contour = [](vtkVulkanMarchingCubes* filter) { filter->ComputeNormalsOff(); };
  const Picture expectedClosed = this->reference(closed), expectedWithout = this->reference(withoutNormals);
  const auto mapper = makeMapper(this->Start);
  const Picture first = this->draw(this->Start, mapper);
  mapper->GetContour()->SetBoundary(2);
  expectSame(this->drawAgain(), expectedClosed);
  mapper->GetContour()->SetBoundary(0);
  mapper->GetContour()->ComputeNormalsOff();
  expectSame(this->drawAgain(), expectedWithout);
  expectPath(mapper);
  mapper->GetContour()->ComputeNormalsOn();
  expectEqual(this->drawAgain(), first);
}

TEST_P(MapperChanges, AFlatImageIsOneErrorAndDrawsNothing)
{
  const auto mapper = makeMapper(this->Start);
  const Picture first = this->draw(this->Start, mapper);
  vtkNew<vtkImageData> flat;
  flat->SetDimensions(9, 9, 1);
  vtkNew<vtkFloatArray> samples;
  samples->SetNumberOfTuples(64);
  samples->FillValue(0);
  flat->GetCellData()->SetScalars(samples);
  mapper->SetInputData(flat);
  this->expectErrorInNextFrame("9 x 9 x 1 points");
  this->expectThatItDraws(mapper, first);
}

TEST_P(MapperChanges, AMissingArrayIsOneErrorAndDrawsNothing)
{
  const auto mapper = makeMapper(this->Start);
  const Picture first = this->draw(this->Start, mapper);
  mapper->GetContour()->SetInputArrayToProcess(0, 0, 0, vtkDataObject::FIELD_ASSOCIATION_CELLS, "no such array");
  this->expectErrorInNextFrame("no such array");
  mapper->GetContour()->SetInputArrayToProcess(0, 0, 0, vtkDataObject::FIELD_ASSOCIATION_CELLS, "samples");
  this->expectThatItDraws(mapper, first);
}

// The image of the next frame has another extent, but the same producer, as in ParaView's representation.
TEST_P(MapperChanges, AfterAnErrorAnotherImageIsDrawnWithoutAnError)
{
  Scene other = this->Start;
  vtkNew<vtkExtractVOI> part;
  part->SetInputData(this->Start.image);
  part->SetVOI(2, 20, 3, 24, 4, 28);
  part->Update();
  other.image = part->GetOutput();
  const auto mapper = makeMapper(this->Start);
  vtkNew<vtkTrivialProducer> producer;
  const auto show = [&](vtkImageData* image)
  {
    producer->SetOutput(image);
    producer->SetWholeExtent(image->GetExtent());
  };
  const auto contour = [&](const char* array)
  { mapper->GetContour()->SetInputArrayToProcess(0, 0, 0, vtkDataObject::FIELD_ASSOCIATION_CELLS, array); };
  mapper->SetInputConnection(producer->GetOutputPort());
  show(this->Start.image);
  const Picture first = this->draw(this->Start, mapper);
  contour("no such array");
  this->expectErrorInNextFrame("no such array");
  show(other.image);
  this->expectErrorInNextFrame("no such array");
  for (int frame = 0; frame < 3; ++frame)
    expectEmpty(this->drawAgain());
  show(this->Start.image);
  this->expectErrorInNextFrame("no such array");
  show(other.image);
  contour("samples");
  const Picture expected = this->reference(other);
  expectSame(this->draw(other, mapper), expected);
  expectPath(mapper);
}

TEST_P(MapperChanges, AnImageWithoutPointsDrawsNothing)
{
  const auto mapper = makeMapper(this->Start);
  const Picture first = this->draw(this->Start, mapper);
  mapper->SetInputData(vtkNew<vtkImageData>());
  expectEmpty(this->drawAgain());
  this->expectThatItDraws(mapper, first);
}

// VTK's mappers report an error in some cases and draw nothing silently in others.
TEST_P(MapperChanges, NoInputDrawsNothing)
{
  const auto mapper = makeMapper(this->Start);
  const Picture first = this->draw(this->Start, mapper);
  mapper->SetInputData(nullptr);
  EXPECT_EQ(mapper->GetContouredData(), nullptr);
  expectEmpty(this->drawAgain());
  EXPECT_LE(this->takeErrors().size(), 1u);
  this->expectThatItDraws(mapper, first);
}

TEST_P(MapperChanges, TheSurfaceIsExtractedAgainAfterReleaseSurface)
{
  const auto mapper = makeMapper(this->Start);
  const Picture first = this->draw(this->Start, mapper);
  for (int i = 0; i < 2; ++i)
  {
    mapper->ReleaseSurface();
    expectEqual(this->drawAgain(), first);
    expectPath(mapper);
    EXPECT_EQ(mapper->GetContour()->GetUploadTime(), 0); // the samples stay on the device
  }
}

TEST_P(MapperChanges, TheFirstPathChanges)
{
  const Picture expected = this->reference(this->Start);
  const auto mapper = makeMapper(this->Start);
  this->draw(this->Start, mapper);
  for (const int other :
    { int(vtkVulkanIsosurfaceMapper::POLY_DATA), int(vtkVulkanIsosurfaceMapper::HOST_MEMORY), path() })
  {
    mapper->SetFirstPath(other);
    expectSame(this->drawAgain(), expected);
    expectPath(mapper, other);
  }
}

// The samples of an image are uploaded once for all mappers.
TEST_P(MapperChanges, ASecondMapperOfAnImageDoesNotUpload)
{
  const Scene other = withOtherIsovalues(this->Start);
  const Picture expected = this->reference(other);
  const auto image = imageOf(gyroid); // not yet on the device
  const auto first = makeMapper(this->Start), second = makeMapper(other);
  first->SetInputData(image);
  second->SetInputData(image);
  this->draw(this->Start, first);
  EXPECT_GT(first->GetContour()->GetUploadTime(), 0);
  expectSame(this->draw(other, second), expected);
  EXPECT_EQ(second->GetContour()->GetUploadTime(), 0);
}

// Two surfaces of one image, in one window, one beside the other. Each change of one leaves the other as it is.
TEST_P(MapperChanges, TwoMappersInOneWindowDrawTheirOwnSurfaces)
{
  const auto drawBoth = [this](vtkPolyDataMapper* one, vtkPolyDataMapper* other)
  {
    Scene both;
    vtkNew<vtkActor> shifted;
    shifted->SetMapper(other);
    shifted->SetPosition(-20, 0, 0);
    both.propsAfter = { shifted };
    return this->draw(both, one);
  };
  Scene low, high;
  low.isovalues = { -0.8 };
  high.isovalues = { 0.9 };
  const auto makeReference = [](vtkVulkanMarchingCubes* filter, const Scene& scene)
  {
    filter->SetInputData(scene.image);
    scene.setContour(filter);
    auto mapper = vtkSmartPointer<vtkPolyDataMapper>::New();
    mapper->SetInputConnection(filter->GetOutputPort());
    scene.setMapper(mapper);
    return mapper;
  };
  vtkNew<vtkVulkanMarchingCubes> lowFilter, highFilter;
  const auto expectedLow = makeReference(lowFilter, low), expectedHigh = makeReference(highFilter, high);
  const Picture expected = drawBoth(expectedLow, expectedHigh);
  lowFilter->SetValue(0, 0.1);
  const Picture expectedAfter = drawBoth(expectedLow, expectedHigh);
  const auto one = makeMapper(low), other = makeMapper(high);
  expectSame(drawBoth(one, other), expected);
  one->GetContour()->SetValue(0, 0.1);
  expectSame(this->drawAgain(), expectedAfter);
  expectPath(one);
  expectPath(other);
}

// A static mapper does not update the image, but draws what it has.
TEST_P(MapperChanges, AStaticMapperDrawsAfterItsGraphicsResourcesWereReleased)
{
  const auto mapper = makeMapper(this->Start);
  const Picture first = this->draw(this->Start, mapper);
  for (const bool isStatic : { true, false })
  {
    mapper->SetStatic(isStatic);
    expectEqual(this->drawAgain(), first);
    mapper->ReleaseGraphicsResources(this->MainWindow->window());
    expectEqual(this->drawAgain(), first);
    expectPath(mapper);
  }
}

TEST_P(MapperChanges, AMapperDoesNotBecomeACopy)
{
  const auto mapper = makeMapper(this->Start);
  mapper->ShallowCopy(makeMapper(this->Start));
  EXPECT_EQ(this->takeErrors().size(), 1u);
  this->expectThatItDraws(mapper, this->draw(this->Start, mapper));
}

// Without ids of points and cells, a selection must not find any.
TEST_P(MapperChanges, SelectionsFindOnlyPolyData)
{
  const auto mapper = makeMapper(this->Start);
  this->draw(this->Start, mapper);
  vtkNew<vtkHardwareSelector> selector;
  selector->SetRenderer(this->MainWindow->renderer());
  selector->SetArea(0, 0, 199, 149);
  selector->SetFieldAssociation(vtkDataObject::FIELD_ASSOCIATION_CELLS);
  const auto selection = vtkSmartPointer<vtkSelection>::Take(selector->Select());
  EXPECT_EQ(selection->GetNumberOfNodes() != 0, path() == vtkVulkanIsosurfaceMapper::POLY_DATA);
}

}
