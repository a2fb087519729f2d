// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "RenderingTest.h"

#include "OpenGLFunctions.h"

#include "vtkActor.h"
#include "vtkActorCollection.h"
#include "vtkCallbackCommand.h"
#include "vtkCommand.h"
#include "vtkGenericOpenGLRenderWindow.h"
#include "vtkOutputWindow.h"
#include "vtkRenderer.h"
#include "vtkStringArray.h"
#include "vtkUnsignedCharArray.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace vmc::test
{

namespace
{

using Mapper = vtkVulkanIsosurfaceMapper;

std::string nameOfThisTest()
{
  const testing::TestInfo* const info = testing::UnitTest::GetInstance()->current_test_info();
  std::string name = std::string(info->test_suite_name()) + "." + info->name();
  std::replace(name.begin(), name.end(), '/', '.');
  return name;
}

// Needs a current OpenGL context.
bool hasExtension(const std::string& name)
{
  GLint count = 0;
  glGetIntegerv(GL_NUM_EXTENSIONS, &count);
  for (GLint i = 0; i < count; ++i)
    if (name == reinterpret_cast<const char*>(glGetStringi(GL_EXTENSIONS, static_cast<GLuint>(i))))
      return true;
  return false;
}

// Pictures of tests that pass are saved too if this environment variable is set.
bool areAllPicturesSaved()
{
  return std::getenv("VMC_SAVE_ALL_PICTURES") != nullptr;
}

int pixelsOf(const Picture& picture)
{
  return picture.width * picture.height;
}

// The actor with this mapper in the renderer, or a new one.
vtkSmartPointer<vtkActor> actorOf(vtkMapper* mapper, vtkRenderer* renderer)
{
  vtkActorCollection* const actors = renderer->GetActors();
  vtkCollectionSimpleIterator next;
  actors->InitTraversal(next);
  while (vtkActor* const actor = actors->GetNextActor(next))
    if (actor->GetMapper() == mapper)
      return actor;
  auto actor = vtkSmartPointer<vtkActor>::New();
  actor->SetMapper(mapper);
  return actor;
}

void expectNoGlErrors(const Window& window)
{
  for (const std::string& error : window.errors())
    ADD_FAILURE() << "OpenGL reports: " << error;
}

}

RenderingTest::RenderingTest()
{
  const auto keep = [](vtkObject*, unsigned long event, void* self, void* text)
  {
    RenderingTest& test = *static_cast<RenderingTest*>(self);
    (event == vtkCommand::ErrorEvent ? test.Errors : test.Warnings).emplace_back(static_cast<const char*>(text));
  };
  this->Observer->SetCallback(keep);
  this->Observer->SetClientData(this);
  vtkOutputWindow::GetInstance()->AddObserver(vtkCommand::ErrorEvent, this->Observer);
  vtkOutputWindow::GetInstance()->AddObserver(vtkCommand::WarningEvent, this->Observer);
}

RenderingTest::~RenderingTest()
{
  vtkOutputWindow::GetInstance()->RemoveObserver(this->Observer);
}

void RenderingTest::SetUp()
{
  vtkNew<vtkVulkanMarchingCubes> filter;
  if (this->NeedsDevice && filter->GetDeviceNames()->GetNumberOfValues() == 1)
    GTEST_SKIP() << "No usable Vulkan device.";
  this->MainWindow = makeWindow();
}

void RenderingTest::TearDown()
{
  if (this->MainWindow)
    close(this->MainWindow);
  for (const std::string& message : this->Errors)
    ADD_FAILURE() << "VTK reports an error: " << message;
  for (const std::string& message : this->Warnings)
    ADD_FAILURE() << "VTK warns: " << message;
}

std::unique_ptr<Window> RenderingTest::makeWindow(int width, int height)
{
  return std::make_unique<Window>(width, height);
}

void RenderingTest::close(std::unique_ptr<Window>& window)
{
  expectNoGlErrors(*window);
  window.reset();
}

std::vector<std::string> RenderingTest::takeErrors()
{
  return std::exchange(this->Errors, {});
}

std::vector<std::string> RenderingTest::takeWarnings()
{
  return std::exchange(this->Warnings, {});
}

vtkSmartPointer<vtkVulkanIsosurfaceMapper> RenderingTest::makeMapper(const Scene& scene, int firstPath)
{
  auto mapper = vtkSmartPointer<vtkVulkanIsosurfaceMapper>::New();
  mapper->SetFirstPath(firstPath);
  mapper->SetInputData(scene.data());
  scene.setContour(mapper->GetContour());
  scene.setMapper(mapper);
  return mapper;
}

Picture RenderingTest::draw(const Scene& scene, vtkPolyDataMapper* mapper, Window* window)
{
  if (!window)
    window = this->MainWindow.get();
  scene.fill(window->renderer(), actorOf(mapper, window->renderer()));
  return drawAgain(window);
}

Picture RenderingTest::drawAgain(Window* window)
{
  window->render();
  const auto values = window->pixels();
  const int* const size = window->window()->GetSize();
  return { size[0], size[1], { values->GetPointer(0), values->GetPointer(0) + values->GetNumberOfValues() } };
}

Picture RenderingTest::reference(const Scene& scene)
{
  vtkNew<vtkVulkanMarchingCubes> filter;
  filter->SetInputData(scene.data());
  scene.setContour(filter);
  if (scene.reference)
    scene.reference(filter);
  vtkNew<vtkPolyDataMapper> mapper;
  mapper->SetInputConnection(filter->GetOutputPort());
  scene.setMapper(mapper);
  return this->draw(scene, mapper);
}

// Pictures of later comparisons in a test have higher numbers.
std::string RenderingTest::save(const Picture& drawn, const Picture& expected)
{
  static int number = 0;
  const std::string name = nameOfThisTest() + "." + std::to_string(++number);
  savePicture(expected, name + ".expected");
  savePicture(differencesOf(drawn, expected), name + ".differences");
  return savePicture(drawn, name + ".drawn");
}

void RenderingTest::expectSame(const Picture& drawn, const Picture& expected)
{
  const int differing = differingPixels(drawn, expected, ChannelTolerance);
  const bool isSame = differing <= PixelTolerance * pixelsOf(expected);
  if (!isSame || areAllPicturesSaved())
  {
    const std::string path = save(drawn, expected);
    EXPECT_TRUE(isSame) << differing << " of " << pixelsOf(expected) << " pixels differ: " << path;
  }
}

void RenderingTest::expectEqual(const Picture& drawn, const Picture& expected)
{
  const int differing = differingPixels(drawn, expected, 0);
  if (differing > 0)
    ADD_FAILURE() << differing << " of " << pixelsOf(expected) << " pixels differ: " << save(drawn, expected);
}

void RenderingTest::expectDifferent(const Picture& one, const Picture& other)
{
  const int differing = differingPixels(one, other, ChannelTolerance);
  if (differing <= PixelTolerance * pixelsOf(one))
    ADD_FAILURE() << "Only " << differing << " pixels differ: " << save(one, other);
}

void RenderingTest::expectCovered(const Picture& picture)
{
  const int covered = coveredPixels(picture);
  if (covered < SmallestCover * pixelsOf(picture))
    ADD_FAILURE() << "Only " << covered << " pixels are covered: " << savePicture(picture, nameOfThisTest());
}

void RenderingTest::expectEmpty(const Picture& picture)
{
  const int covered = coveredPixels(picture);
  if (covered > 0)
    ADD_FAILURE() << covered << " pixels are covered: " << savePicture(picture, nameOfThisTest());
}

bool RenderingTest::isDeviceMemoryExpected()
{
  vtkNew<vtkVulkanMarchingCubes> filter;
  const std::string vulkanDevice = filter->GetDeviceNames()->GetValue(0);
  return this->MainWindow->device().find(vulkanDevice) == 0 && hasExtension("GL_EXT_memory_object_fd");
}

void PathTest::SetUp()
{
  RenderingTest::SetUp();
  if (IsSkipped() || path() != Mapper::DEVICE_MEMORY || this->isDeviceMemoryExpected())
    return;
  const Scene scene;
  const auto mapper = makeMapper(scene);
  this->draw(scene, mapper);
  if (mapper->GetDrawnBy() != Mapper::DEVICE_MEMORY)
    GTEST_SKIP() << mapper->GetDrawnByText();
}

void PathTest::expectPath(vtkVulkanIsosurfaceMapper* mapper, int expected)
{
  EXPECT_EQ(mapper->GetDrawnBy(), expected) << mapper->GetDrawnByText();
}

std::string nameOfPath(const testing::TestParamInfo<int>& info)
{
  switch (info.param)
  {
    case Mapper::DEVICE_MEMORY:
      return "DeviceMemory";
    case Mapper::HOST_MEMORY:
      return "HostMemory";
    default:
      return "PolyData";
  }
}

Picture PictureTest::drawByPath(const Scene& scene, int path)
{
  const auto mapper = RenderingTest::makeMapper(scene, path);
  if (path == Mapper::POLY_DATA && scene.reference)
    scene.reference(mapper->GetContour());
  const Picture picture = this->draw(scene, mapper);
  expectPath(mapper, scene.isOnlyPolyData ? int(Mapper::POLY_DATA) : path);
  return picture;
}

void PictureTest::expectPictureOf(const Scene& scene)
{
  const Picture expected = this->reference(scene);
  expectCovered(expected);
  expectDifferent(expected, this->reference(withOtherIsovalues(scene)));
  const Picture drawn = this->drawByPath(scene, path());
  expectSame(drawn, expected);
  if (path() == Mapper::DEVICE_MEMORY)
    expectEqual(drawn, this->drawByPath(scene, Mapper::HOST_MEMORY));
  else
    expectSame(this->drawByPath(scene, Mapper::POLY_DATA), expected);
}

void PictureTest::expectPictureOf(const Scene& scene, const Scene& unlike)
{
  expectDifferent(this->reference(scene), this->reference(unlike));
  this->expectPictureOf(scene);
}

}
