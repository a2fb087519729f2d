// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The mapper in several windows, and the order in which windows, actors and mappers are destroyed.
#include "RenderingTest.h"

#include "vtkCamera.h"
#include "vtkGenericOpenGLRenderWindow.h"

namespace vmc::test
{

class MapperWindows : public PathTest
{
protected:
  const Scene Start;
};
INSTANTIATE_FOR_EACH_PATH(MapperWindows);

TEST_P(MapperWindows, AnActorIsRemovedAndAddedAgain)
{
  const auto mapper = makeMapper(this->Start);
  const Picture first = this->draw(this->Start, mapper);
  this->MainWindow->renderer()->RemoveAllViewProps();
  expectEmpty(drawAgain(this->MainWindow.get()));
  expectEqual(this->draw(this->Start, mapper), first);
  expectPath(mapper);
}

TEST_P(MapperWindows, AnInvisibleActorIsShownAgain)
{
  const auto mapper = makeMapper(this->Start);
  const Picture first = this->draw(this->Start, mapper);
  Scene hidden;
  hidden.actor = [](vtkActor* actor) { actor->VisibilityOff(); };
  Scene shown;
  shown.actor = [](vtkActor* actor) { actor->VisibilityOn(); };
  expectEmpty(this->draw(hidden, mapper));
  expectEqual(this->draw(shown, mapper), first);
}

TEST_P(MapperWindows, GraphicsResourcesAreReleasedAndMadeAgain)
{
  const auto mapper = makeMapper(this->Start);
  const Picture first = this->draw(this->Start, mapper);
  for (int i = 0; i < 2; ++i)
  {
    mapper->ReleaseGraphicsResources(this->MainWindow->window());
    expectEqual(drawAgain(this->MainWindow.get()), first);
    expectPath(mapper);
  }
}

TEST_P(MapperWindows, EachOfTwoWindowsHasAMapper)
{
  const Scene other = withOtherIsovalues(this->Start);
  const Picture expectedFirst = this->reference(this->Start), expectedSecond = this->reference(other);
  auto window = makeWindow();
  const auto first = makeMapper(this->Start), second = makeMapper(other);
  this->draw(this->Start, first);
  this->draw(other, second, window.get());
  for (int i = 0; i < 2; ++i)
  {
    expectSame(drawAgain(this->MainWindow.get()), expectedFirst);
    expectSame(drawAgain(window.get()), expectedSecond);
    expectPath(first);
    expectPath(second);
  }
  close(window);
  expectSame(drawAgain(this->MainWindow.get()), expectedFirst);
}

TEST_P(MapperWindows, OneMapperIsInTwoWindowsInTurns)
{
  auto window = makeWindow();
  const auto mapper = makeMapper(this->Start);
  const Picture first = this->draw(this->Start, mapper);
  for (int i = 0; i < 2; ++i)
  {
    expectEqual(this->draw(this->Start, mapper, window.get()), first);
    expectPath(mapper);
    expectEqual(this->draw(this->Start, mapper), first);
    expectPath(mapper);
  }
  close(window);
  expectEqual(drawAgain(this->MainWindow.get()), first);
}

TEST_P(MapperWindows, AResizedWindowIsFilled)
{
  Scene scene;
  scene.view = [](vtkRenderer* renderer) // does not depend on the size of the window
  {
    renderer->GetActiveCamera()->SetViewAngle(30);
    renderer->GetActiveCamera()->SetPosition(60, -50, 45);
    renderer->ResetCameraClippingRange(0, Side, 0, Side, 0, Side);
  };
  const auto mapper = makeMapper(scene), other = RenderingTest::makeMapper(scene, vtkVulkanIsosurfaceMapper::POLY_DATA);
  this->draw(scene, mapper);
  for (const auto& [width, height] : { std::pair(260, 120), std::pair(90, 110), std::pair(200, 150) })
  {
    this->MainWindow->window()->SetSize(width, height);
    const Picture drawn = drawAgain(this->MainWindow.get());
    EXPECT_EQ(drawn.width, width);
    EXPECT_EQ(drawn.height, height);
    expectPath(mapper);
    expectCovered(drawn);
    auto window = makeWindow(width, height);
    expectSame(drawn, this->draw(scene, other, window.get()));
    close(window);
  }
}

TEST_P(MapperWindows, AMapperOutlivesItsWindow)
{
  const auto mapper = makeMapper(this->Start);
  auto window = makeWindow();
  const Picture first = this->draw(this->Start, mapper, window.get());
  close(window);
  expectEqual(this->draw(this->Start, mapper), first);
  expectPath(mapper);
  window = makeWindow();
  expectEqual(this->draw(this->Start, mapper, window.get()), first);
  expectPath(mapper);
  close(window);
}

TEST_P(MapperWindows, AMapperThatOutlivesItsLastWindowIsDestroyed)
{
  auto mapper = makeMapper(this->Start);
  auto window = makeWindow();
  const Picture first = this->draw(this->Start, mapper, window.get());
  close(window);
  mapper = nullptr;
  expectEqual(this->draw(this->Start, makeMapper(this->Start)), first);
}

TEST_P(MapperWindows, AMapperIsDestroyedBeforeItsWindow)
{
  const Picture expected = this->reference(this->Start);
  for (int i = 0; i < 3; ++i)
  {
    const auto mapper = makeMapper(this->Start);
    expectSame(this->draw(this->Start, mapper), expected);
    this->MainWindow->renderer()->RemoveAllViewProps();
  }
  expectEmpty(drawAgain(this->MainWindow.get()));
}

}
