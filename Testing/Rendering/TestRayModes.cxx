// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Tests of the settings that select rays or triangles, and of changes between frames.
#include "RayTest.h"

#include "vtkCamera.h"
#include "vtkCellData.h"
#include "vtkDataArray.h"
#include "vtkHardwareSelector.h"
#include "vtkPlane.h"
#include "vtkProperty.h"
#include "vtkSelection.h"
#include "vtkStringArray.h"

#include <functional>
#include <string>
#include <utility>

namespace vmc::test
{

namespace
{

// Tells whether frames have needed an extraction or rays. Two runs never take exactly the same time.
class Runs
{
public:
  explicit Runs(vtkVulkanIsosurfaceMapper* mapper)
    : Owner(mapper)
    , Time(mapper->GetContour()->GetTotalTime())
  {
  }
  // Since the last call.
  bool any()
  {
    const double time = this->Owner->GetContour()->GetTotalTime();
    return std::exchange(this->Time, time) != time;
  }

private:
  vtkVulkanIsosurfaceMapper* Owner;
  double Time;
};

void addToSamples(vtkImageData* image, double difference)
{
  vtkDataArray* const samples = image->GetCellData()->GetScalars();
  for (vtkIdType i = 0; i < samples->GetNumberOfTuples(); ++i)
    samples->SetTuple1(i, samples->GetTuple1(i) + difference);
  samples->Modified();
}

}

class RayModes : public RayTest
{
protected:
  void SetUp() override
  {
    RayTest::SetUp();
    if (!IsSkipped())
      this->setMoving(false);
  }

  // The rates of VTK's interactor styles.
  void setMoving(bool isMoving) { this->MainWindow->window()->SetDesiredUpdateRate(isMoving ? 5 : 0.002); }

  Picture drawAgain() { return RenderingTest::drawAgain(this->MainWindow.get()); }

  // The next moving frame; the rates are those of a still one after it.
  Picture drawMoving()
  {
    this->setMoving(true);
    const Picture picture = this->drawAgain();
    this->setMoving(false);
    return picture;
  }

  // Draws the scene with a new mapper.
  Picture drawAnew(const Scene& scene, int mode) { return this->draw(scene, makeRayMapper(scene, mode)); }

  const Scene Start;
};
INSTANTIATE_PICTURES(RayModes);

TEST_P(RayModes, TheModesGiveTheSamePicturesEachTime)
{
  const Picture triangles = this->drawAnew(this->Start, Mapper::TRIANGLES);
  const Picture rays = this->drawAnew(this->Start, Mapper::ONLY_RAYS);
  expectDifferent(rays, triangles); // a little
  const auto mapper = makeRayMapper(this->Start, Mapper::TRIANGLES);
  this->draw(this->Start, mapper);
  for (int i = 0; i < 2; ++i)
  {
    mapper->SetSurfaceMode(Mapper::ONLY_RAYS);
    expectEqual(this->drawAgain(), rays);
    expectRays(mapper);
    EXPECT_EQ(mapper->GetNumberOfTriangles(), 0);
    EXPECT_EQ(mapper->GetNumberOfPoints(), 0);
    for (const int mode : { Mapper::RAYS_WHILE_MOVING, Mapper::TRIANGLES })
    {
      mapper->SetSurfaceMode(mode);
      expectEqual(this->drawAgain(), triangles);
      expectPath(mapper);
      EXPECT_GT(mapper->GetNumberOfTriangles(), 0);
    }
  }
}

TEST_P(RayModes, AfterAMovementTheTrianglesOfBeforeAreDrawn)
{
  const auto mapper = makeRayMapper(this->Start, Mapper::RAYS_WHILE_MOVING);
  const Picture still = this->draw(this->Start, mapper);
  expectPath(mapper);
  const double total = mapper->GetContour()->GetTotalTime();
  for (int i = 0; i < 2; ++i)
  {
    expectCovered(this->drawMoving());
    expectRays(mapper);
    EXPECT_NE(mapper->GetContour()->GetTotalTime(), total);
    expectEqual(this->drawAgain(), still);
    expectPath(mapper);
    EXPECT_EQ(mapper->GetContour()->GetTotalTime(), total);
  }
}

namespace
{

bool hasStage(vtkVulkanIsosurfaceMapper* mapper, const char* stage)
{
  return mapper->GetContour()->GetStageNames()->LookupValue(stage) >= 0;
}

}

// This holds if no execution made the frame, too. A hidden surface has no times.
TEST_P(RayModes, TheTimesAreThoseOfTheFrame)
{
  const auto mapper = makeRayMapper(this->Start, Mapper::RAYS_WHILE_MOVING);
  this->draw(this->Start, mapper);
  const double total = mapper->GetContour()->GetTotalTime();
  for (int i = 0; i < 2; ++i)
  {
    this->drawMoving();
    EXPECT_TRUE(hasStage(mapper, "CastRays"));
    EXPECT_FALSE(hasStage(mapper, "EmitSurface"));
    this->drawAgain();
    EXPECT_FALSE(hasStage(mapper, "CastRays"));
    EXPECT_TRUE(hasStage(mapper, "EmitSurface"));
    EXPECT_EQ(mapper->GetContour()->GetTotalTime(), total);
    EXPECT_GT(mapper->GetContour()->GetNumberOfActiveBricks(), 0);
  }
  mapper->ReleaseSurface();
  EXPECT_EQ(mapper->GetContour()->GetTotalTime(), 0);
  EXPECT_EQ(mapper->GetContour()->GetNumberOfActiveBricks(), 0);
  EXPECT_EQ(mapper->GetContour()->GetStageNames()->GetNumberOfValues(), 0);
}

// A movement that begins before the first triangles are there.
TEST_P(RayModes, TheFirstFrameMayMove)
{
  const Picture triangles = this->drawAnew(this->Start, Mapper::TRIANGLES);
  const auto mapper = makeRayMapper(this->Start, Mapper::RAYS_WHILE_MOVING);
  this->setMoving(true);
  expectCovered(this->draw(this->Start, mapper));
  expectRays(mapper);
  this->setMoving(false);
  expectEqual(this->drawAgain(), triangles);
  expectPath(mapper);
}

TEST_P(RayModes, AnIsovalueThatMovesIsThatOfTheTrianglesAfterIt)
{
  const Scene other = withOtherIsovalues(this->Start);
  const Picture expected = this->drawAnew(other, Mapper::TRIANGLES);
  const auto mapper = makeRayMapper(this->Start, Mapper::RAYS_WHILE_MOVING);
  const Picture first = this->draw(this->Start, mapper);
  for (const auto& [isovalue, picture] :
    { std::pair(other.isovalues[0], &expected), std::pair(this->Start.isovalues[0], &first) })
  {
    mapper->GetContour()->SetValue(0, -0.7);
    this->drawMoving();
    mapper->GetContour()->SetValue(0, isovalue);
    this->drawMoving();
    expectRays(mapper);
    expectEqual(this->drawAgain(), *picture);
    expectPath(mapper);
  }
}

// A picture of rays has the pixels of its window: it follows each change.
TEST_P(RayModes, EachChangeIsSeen)
{
  Scene scene;
  const auto mapper = makeRayMapper(scene);
  this->draw(scene, mapper);
  const auto expectChange = [&](const std::function<void()>& change)
  {
    const Picture before = this->drawAgain();
    change();
    const Picture after = this->draw(scene, mapper);
    expectRays(mapper);
    expectDifferent(before, after);
    expectEqual(after, this->drawAnew(scene, Mapper::ONLY_RAYS));
    this->draw(scene, mapper);
  };
  expectChange([&] { addToSamples(scene.image, 0.4); });
  expectChange([&] { scene.view = [](vtkRenderer* renderer) { renderer->GetActiveCamera()->Azimuth(20); }; });
  expectChange([&] { scene.view = [](vtkRenderer* renderer) { renderer->GetActiveCamera()->Zoom(2); }; });
  expectChange([&] { scene.actor = [](vtkActor* actor) { actor->SetPosition(3, 0, 0); }; });
  expectChange([&] { scene.image->SetSpacing(1, 1, 0.8); });
  expectChange(
    [&]
    {
      scene.image = imageOf(distance);
      mapper->SetInputData(scene.image);
    });
  expectChange(
    [&]
    {
      scene.isovalues = { 11 };
      scene.setContour(mapper->GetContour());
    });
  expectChange(
    [&]
    {
      scene.contour = [](vtkVulkanMarchingCubes* filter) { filter->SetBoundary(2); };
      scene.setContour(mapper->GetContour());
    });
}

// Nothing is cast for a frame that shows the same.
TEST_P(RayModes, AFrameWithoutAChangeNeedsNoRays)
{
  const auto mapper = makeRayMapper(this->Start);
  const Picture first = this->draw(this->Start, mapper);
  Runs runs(mapper);
  expectEqual(this->drawAgain(), first);
  expectRays(mapper);
  EXPECT_FALSE(runs.any());
}

// Triangles do not depend on the view.
TEST_P(RayModes, AnotherViewNeedsNoExtraction)
{
  const auto mapper = makeRayMapper(this->Start, Mapper::RAYS_WHILE_MOVING);
  this->draw(this->Start, mapper);
  Runs runs(mapper);
  Scene turned;
  turned.view = [](vtkRenderer* renderer) { renderer->GetActiveCamera()->Azimuth(20); };
  this->draw(turned, mapper);
  expectPath(mapper);
  EXPECT_FALSE(runs.any());
}

TEST_P(RayModes, AnArrayIsRemovedAndAddedAgain)
{
  for (const int mode : { Mapper::ONLY_RAYS, Mapper::RAYS_WHILE_MOVING })
  {
    SCOPED_TRACE(mode);
    const Scene scene;
    const auto mapper = makeRayMapper(scene, mode);
    const Picture first = this->draw(scene, mapper);
    const Picture moving = this->drawMoving();
    this->drawAgain();
    const vtkSmartPointer<vtkDataArray> samples = scene.image->GetCellData()->GetScalars();
    scene.image->GetCellData()->RemoveArray("samples");
    expectEmpty(this->drawMoving());
    expectEmpty(this->drawAgain());
    EXPECT_FALSE(this->takeErrors().empty());
    scene.image->GetCellData()->SetScalars(samples);
    expectEqual(this->drawAgain(), first);
    expectCovered(this->drawMoving());
    expectEqual(this->drawAgain(), first);
    expectPath(mapper, mode == Mapper::ONLY_RAYS ? int(Mapper::RAYS) : path());
  }
}

// The reason does not depend on the view.
TEST_P(RayModes, AMissingArrayIsOneErrorInAllViews)
{
  Scene scene;
  scene.contour = [](vtkVulkanMarchingCubes* filter)
  { filter->SetInputArrayToProcess(0, 0, 0, vtkDataObject::FIELD_ASSOCIATION_CELLS, "no such array"); };
  const auto mapper = makeRayMapper(scene);
  this->setMoving(true);
  for (const double angle : { 0.0, 10.0, 20.0 })
  {
    scene.view = [angle](vtkRenderer* renderer) { renderer->GetActiveCamera()->Azimuth(angle); };
    expectEmpty(this->draw(scene, mapper));
    EXPECT_EQ(this->takeErrors().size(), angle == 0 ? 1u : 0u);
  }
  this->Start.setContour(mapper->GetContour());
  mapper->GetContour()->SetInputArrayToProcess(0, 0, 0, vtkDataObject::FIELD_ASSOCIATION_CELLS, "samples");
  expectCovered(this->draw(scene, mapper));
  expectRays(mapper);
}

// Its matrix has no inverse, so there are no rays.
TEST_P(RayModes, AnActorThatWasFlatIsDrawn)
{
  Scene scene;
  double thickness = 0;
  scene.actor = [&](vtkActor* actor) { actor->SetScale(1, 1, thickness); };
  const auto mapper = makeRayMapper(scene);
  this->draw(scene, mapper);
  EXPECT_EQ(this->takeErrors().size(), 1u);
  thickness = 1;
  expectCovered(this->draw(scene, mapper));
  expectRays(mapper);
}

TEST_P(RayModes, WithoutAnImageOrIsovaluesNothingIsDrawn)
{
  for (const int mode : { Mapper::ONLY_RAYS, Mapper::RAYS_WHILE_MOVING })
  {
    SCOPED_TRACE(mode);
    const auto mapper = makeRayMapper(this->Start, mode);
    const Picture first = this->draw(this->Start, mapper);
    this->drawMoving();
    mapper->GetContour()->SetNumberOfContours(0);
    expectEmpty(this->drawMoving());
    expectEmpty(this->drawAgain());
    EXPECT_EQ(mapper->GetDrawnBy(), Mapper::NOT_DRAWN) << mapper->GetDrawnByText();
    mapper->GetContour()->SetValue(0, this->Start.isovalues[0]);
    expectEqual(this->drawAgain(), first);
    mapper->SetInputData(nullptr);
    expectEmpty(this->drawMoving());
    expectEmpty(this->drawAgain());
    mapper->SetInputData(this->Start.image);
    expectCovered(this->drawMoving());
    expectEqual(this->drawAgain(), first);
    mapper->GetContour()->SetValue(0, 100);
    expectEmpty(this->drawMoving());
    expectEmpty(this->drawAgain());
  }
}

TEST_P(RayModes, TheSurfaceIsReleased)
{
  for (const int mode : { Mapper::ONLY_RAYS, Mapper::RAYS_WHILE_MOVING })
  {
    SCOPED_TRACE(mode);
    const auto mapper = makeRayMapper(this->Start, mode);
    const Picture first = this->draw(this->Start, mapper);
    for (const bool isAfterMovement : { false, true })
    {
      if (isAfterMovement)
        this->drawMoving();
      mapper->ReleaseSurface();
      EXPECT_EQ(mapper->GetDrawnBy(), Mapper::NOT_DRAWN);
      expectEqual(this->drawAgain(), first);
      mapper->ReleaseGraphicsResources(this->MainWindow->window());
      expectCovered(this->drawMoving());
      expectEqual(this->drawAgain(), first);
    }
  }
}

TEST_P(RayModes, SelectionsFindNothing)
{
  const auto mapper = makeRayMapper(this->Start);
  const Picture first = this->draw(this->Start, mapper);
  vtkNew<vtkHardwareSelector> selector;
  selector->SetRenderer(this->MainWindow->renderer());
  selector->SetArea(0, 0, 199, 149);
  selector->SetFieldAssociation(vtkDataObject::FIELD_ASSOCIATION_CELLS);
  const auto selection = vtkSmartPointer<vtkSelection>::Take(selector->Select());
  EXPECT_EQ(selection->GetNumberOfNodes(), 0u);
  expectEqual(this->drawAgain(), first);
}

TEST_P(RayModes, AResizedWindowIsFilled)
{
  Scene scene;
  scene.view = [](vtkRenderer* renderer) // does not depend on the size of the window
  {
    renderer->GetActiveCamera()->SetPosition(60, -50, 45);
    renderer->ResetCameraClippingRange(0, Side, 0, Side, 0, Side);
  };
  const auto mapper = makeRayMapper(scene);
  this->draw(scene, mapper);
  for (const auto& [width, height] : { std::pair(260, 120), std::pair(91, 113), std::pair(200, 150) })
  {
    this->MainWindow->window()->SetSize(width, height);
    const Picture drawn = this->drawAgain();
    EXPECT_EQ(mapper->GetNumberOfRays(), width * height);
    expectCovered(drawn);
    auto window = makeWindow(width, height);
    expectEqual(drawn, this->draw(scene, makeRayMapper(scene), window.get()));
    close(window);
  }
}

TEST_P(RayModes, OneMapperIsInTwoWindowsInTurns)
{
  auto window = makeWindow();
  const auto mapper = makeRayMapper(this->Start, Mapper::RAYS_WHILE_MOVING);
  const Picture still = this->draw(this->Start, mapper);
  for (int i = 0; i < 2; ++i)
  {
    expectEqual(this->draw(this->Start, mapper, window.get()), still);
    expectPath(mapper);
    expectCovered(this->drawMoving());
    expectRays(mapper);
    expectEqual(this->draw(this->Start, mapper), still);
  }
  close(window);
}

// The time of a picture is not yet known in the first moving frame. Then it has a pixel for 4 x 4 of the window.
TEST_P(RayModes, AMovingFrameMayBeCoarse)
{
  for (const char* device : { "", "CPU" })
  {
    SCOPED_TRACE(device);
    const auto mapper = makeRayMapper(this->Start);
    mapper->GetContour()->SetDevice(device);
    this->setMoving(true);
    const Picture coarse = this->draw(this->Start, mapper);
    EXPECT_EQ(mapper->GetNumberOfRays(), 50 * 38); // 200 x 150, rounded up
    for (int frame = 0; frame < 4; ++frame)
    {
      mapper->GetContour()->Modified();
      expectCovered(this->drawAgain());
      EXPECT_GE(mapper->GetNumberOfRays(), 50 * 38);
    }
    this->setMoving(false);
    const Picture fine = this->drawAgain();
    EXPECT_EQ(mapper->GetNumberOfRays(), 200 * 150);
    const int covered = coveredPixels(fine);
    EXPECT_NEAR(coveredPixels(coarse), covered, 0.1 * covered); // of some hundred blocks, those at silhouettes differ
    expectDifferent(coarse, fine);
  }
}

// On the CPU, a large picture of many surfaces takes longer than a moving frame should.
TEST_P(RayModes, ALargeMovingPictureOfTheCpuIsFineWhenItRests)
{
  Scene scene;
  for (int i = 0; i < 10; ++i)
    scene.isovalues.push_back(-1.4 + 0.28 * i);
  auto window = makeWindow(600, 450);
  const auto mapper = makeRayMapper(scene);
  mapper->GetContour()->SetDevice("CPU");
  const Picture still = this->draw(scene, mapper, window.get());
  window->window()->SetDesiredUpdateRate(5);
  for (int frame = 0; frame < 3; ++frame)
  {
    mapper->GetContour()->Modified();
    const Picture moving = RenderingTest::drawAgain(window.get());
    EXPECT_NEAR(coveredPixels(moving), coveredPixels(still), 0.05 * coveredPixels(still));
    EXPECT_GE(mapper->GetNumberOfRays(), 150 * 113);
    expectRays(mapper);
  }
  window->window()->SetDesiredUpdateRate(0.002);
  expectEqual(RenderingTest::drawAgain(window.get()), still);
  close(window);
}

// Tests of the settings with which rays cannot draw.
class RayObstacles : public RayModes
{
protected:
  // Expects triangles and this reason, in both modes of rays; without the setting, rays are drawn again.
  void expectTriangles(const Scene& scene, const std::string& reason, int drawnBy = path())
  {
    const Picture expected = this->drawAnew(scene, Mapper::TRIANGLES);
    for (const int mode : { Mapper::ONLY_RAYS, Mapper::RAYS_WHILE_MOVING })
    {
      const auto mapper = makeRayMapper(this->Start, mode);
      this->draw(this->Start, mapper);
      scene.setMapper(mapper);
      scene.setContour(mapper->GetContour());
      this->setMoving(true);
      expectEqual(this->draw(scene, mapper), expected);
      expectPath(mapper, drawnBy);
      EXPECT_CONTAINS(mapper->GetDrawnByText(), ": " + reason);
      mapper->RemoveAllClippingPlanes();
      mapper->GetContour()->SetNumberOfContours(1);
      this->Start.setMapper(mapper);
      this->Start.setContour(mapper->GetContour());
      expectCovered(this->draw(this->Start, mapper));
      expectRays(mapper);
      this->setMoving(false);
    }
  }

  void expectTrianglesFor(const std::function<void(vtkActor*)>& set, const std::string& reason, int drawnBy = path())
  {
    Scene scene;
    scene.actor = [set](vtkActor* actor)
    {
      actor->SetBackfaceProperty(nullptr);
      set(actor);
    };
    this->expectTriangles(scene, reason, drawnBy);
  }
};
INSTANTIATE_PICTURES(RayObstacles);

TEST_P(RayObstacles, Edges)
{
  this->expectTrianglesFor(
    [](vtkActor* actor) { actor->GetProperty()->EdgeVisibilityOn(); }, "Edges are drawn with triangles.");
}

TEST_P(RayObstacles, Culling)
{
  const char* const reason = "Surfaces whose sides differ are drawn with triangles.";
  this->expectTrianglesFor([](vtkActor* actor) { actor->GetProperty()->FrontfaceCullingOn(); }, reason);
  this->expectTrianglesFor([](vtkActor* actor) { actor->GetProperty()->BackfaceCullingOn(); }, reason);
}

TEST_P(RayObstacles, CoatsAndAnisotropy)
{
  const char* const reason = "Coats and anisotropy are drawn with triangles.";
  for (const bool isCoat : { false, true })
    this->expectTrianglesFor(
      [isCoat](vtkActor* actor)
      {
        actor->GetProperty()->SetInterpolationToPBR();
        actor->GetProperty()->SetCoatStrength(isCoat ? 0.5 : 0);
        actor->GetProperty()->SetAnisotropy(isCoat ? 0 : 0.5);
      },
      reason);
}

TEST_P(RayObstacles, ClippingPlanes)
{
  Scene scene;
  vtkNew<vtkPlane> plane;
  plane->SetOrigin(14, 11, 20);
  plane->SetNormal(-0.6, 0.8, 0);
  scene.mapper = [&plane](vtkPolyDataMapper* mapper) { mapper->AddClippingPlane(plane); };
  this->expectTriangles(scene, "Clipped surfaces are drawn with triangles.");
}

TEST_P(RayObstacles, Wireframes)
{
  this->expectTrianglesFor([](vtkActor* actor) { actor->GetProperty()->SetRepresentationToWireframe(); },
    "Points and wireframes are drawn from vtkPolyData.", Mapper::POLY_DATA);
}

TEST_P(RayObstacles, ColorsMappedBeforeTheInterpolation)
{
  Scene scene;
  scene.mapper = [](vtkPolyDataMapper* mapper)
  {
    mapper->SetScalarVisibility(true);
    mapper->InterpolateScalarsBeforeMappingOff();
  };
  this->expectTriangles(
    scene, "Colours that are mapped before the interpolation are drawn from vtkPolyData.", Mapper::POLY_DATA);
}

TEST_P(RayObstacles, AStaticMapper)
{
  const Picture triangles = this->drawAnew(this->Start, Mapper::TRIANGLES);
  const auto mapper = makeRayMapper(this->Start);
  mapper->SetStatic(true);
  expectEqual(this->draw(this->Start, mapper), triangles);
  expectPath(mapper);
  EXPECT_CONTAINS(mapper->GetDrawnByText(), ": A static mapper draws triangles.");
}

// A picture of rays would show the view of before.
TEST_P(RayObstacles, AMapperThatBecomesStaticAfterAMovement)
{
  for (const int mode : { Mapper::ONLY_RAYS, Mapper::RAYS_WHILE_MOVING })
  {
    SCOPED_TRACE(mode);
    Scene turned;
    turned.view = [](vtkRenderer* renderer) { renderer->GetActiveCamera()->Azimuth(20); };
    const Picture expected = this->drawAnew(turned, Mapper::TRIANGLES);
    const auto mapper = makeRayMapper(this->Start, mode);
    this->draw(this->Start, mapper);
    this->drawMoving();
    expectRays(mapper);
    mapper->SetStatic(true);
    expectEqual(this->draw(turned, mapper), expected);
    expectPath(mapper);
    mapper->SetStatic(false);
    this->setMoving(true);
    expectCovered(this->draw(turned, mapper));
    expectRays(mapper);
    this->setMoving(false);
  }
}

TEST_P(RayObstacles, BackfaceProperty)
{
  const auto mapper = makeRayMapper(this->Start);
  Scene scene;
  scene.actor = [](vtkActor* actor)
  {
    vtkNew<vtkProperty> back;
    back->SetColor(0.2, 0.5, 1);
    actor->SetBackfaceProperty(back);
  };
  const Picture expected = this->drawAnew(scene, Mapper::TRIANGLES);
  expectDifferent(expected, this->drawAnew(this->Start, Mapper::TRIANGLES));
  expectEqual(this->draw(scene, mapper), expected);
  expectPath(mapper);
  EXPECT_CONTAINS(mapper->GetDrawnByText(), ": Surfaces whose sides differ are drawn with triangles.");
}

// Rays have colours for 256 isovalues. The test draws these, and then one more.
TEST_P(RayObstacles, ColorsOfMoreThan256Isovalues)
{
  Scene scene;
  scene.isovalues.clear();
  for (int i = 0; i < 256; ++i)
    scene.isovalues.push_back(-1.4 + 0.01 * i);
  scene.mapper = [](vtkPolyDataMapper* mapper)
  {
    mapper->ScalarVisibilityOn();
    mapper->SetScalarRange(-1.4, 1.4);
  };
  this->MainWindow = makeWindow(50, 38); // a pass over its pixels for each isovalue
  const auto mapper = makeRayMapper(scene);
  expectCovered(this->draw(scene, mapper));
  expectRays(mapper);
  scene.isovalues.push_back(1.3);
  scene.setContour(mapper->GetContour());
  expectCovered(this->draw(scene, mapper));
  expectPath(mapper);
  EXPECT_CONTAINS(mapper->GetDrawnByText(), ": Colours of more than 256 isovalues are drawn with triangles.");
  mapper->ScalarVisibilityOff();
  scene.mapper = nullptr;
  expectCovered(this->draw(scene, mapper));
  expectRays(mapper);
}

}
