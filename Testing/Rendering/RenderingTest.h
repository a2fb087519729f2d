// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The fixtures of tests that draw.
#ifndef vmcRenderingTest_h
#define vmcRenderingTest_h

#include "Picture.h"
#include "Scene.h"
#include "Support/Contains.h"
#include "Support/OffscreenWindow.h"

#include "vtkNew.h"
#include "vtkSmartPointer.h"
#include "vtkVulkanIsosurfaceMapper.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

class vtkCallbackCommand;

namespace vmc::test
{

using Window = OffscreenWindow;

// The tolerance of a comparison with VTK's drawing: a pixel differs if a channel differs by more than 2 of 255. The
// positions, normals and shaders are the same, but colours pass through other textures and float operations, which
// changes a channel by 1; opacity adds two such colours.
constexpr int ChannelTolerance = 2;
// The share of pixels that may differ: the last bits of a position decide which pixels an edge of a triangle covers.
constexpr double PixelTolerance = 0.001;
// The share of pixels that the surface covers at least. Every scene is made to cover more than a tenth of its window.
constexpr double SmallestCover = 0.1;

// Has a window of 200 x 150 pixels. The test fails on each OpenGL error, and on each VTK message that the test does not
// fetch with takeErrors or takeWarnings. Without a Vulkan device the test is skipped.
class RenderingTest : public testing::Test
{
protected:
  RenderingTest();
  ~RenderingTest() override;
  void SetUp() override;
  void TearDown() override;

  // A further window of this size.
  static std::unique_ptr<Window> makeWindow(int width = 200, int height = 150);
  // Expects that no OpenGL error was reported in the window, and destroys it.
  static void close(std::unique_ptr<Window>& window);

  // The error messages and the warnings of VTK since the last call.
  std::vector<std::string> takeErrors();
  std::vector<std::string> takeWarnings();

  // A mapper under test, with the settings of the scene and its image.
  static vtkSmartPointer<vtkVulkanIsosurfaceMapper> makeMapper(
    const Scene& scene, int firstPath = vtkVulkanIsosurfaceMapper::DEVICE_MEMORY);

  // Fills a window with the scene and draws it. The surface is that of the mapper. An actor of this mapper that is in
  // the window stays there, so that the mapper keeps its graphics resources. Without a window: in the first one.
  Picture draw(const Scene& scene, vtkPolyDataMapper* mapper, Window* window = nullptr);
  // Draws what is in the window.
  static Picture drawAgain(Window* window);
  // The scene, drawn by VTK.
  Picture reference(const Scene& scene);

  // Each saves the pictures if it fails.
  // Expects the same picture but for the tolerances above.
  static void expectSame(const Picture& drawn, const Picture& expected);
  // Expects the same bytes.
  static void expectEqual(const Picture& drawn, const Picture& expected);
  // Expects that more pixels differ than expectSame tolerates.
  static void expectDifferent(const Picture& one, const Picture& other);
  static void expectCovered(const Picture& picture);
  static void expectEmpty(const Picture& picture);
  // Saves the two pictures and their differences. Returns where they are.
  static std::string save(const Picture& drawn, const Picture& expected);

  // Returns whether OpenGL in the window and the first Vulkan device are one device by name, and OpenGL can import its
  // memory.
  bool isDeviceMemoryExpected();

  std::unique_ptr<Window> MainWindow;
  bool NeedsDevice = true;

private:
  std::vector<std::string> Errors, Warnings;
  vtkNew<vtkCallbackCommand> Observer;
};

// A test of one path of the mapper. For DEVICE_MEMORY, it is skipped if OpenGL and Vulkan are not one device.
class PathTest
  : public RenderingTest
  , public testing::WithParamInterface<int>
{
protected:
  void SetUp() override;

  static int path() { return GetParam(); }
  // A mapper that tries this path first.
  static vtkSmartPointer<vtkVulkanIsosurfaceMapper> makeMapper(const Scene& scene)
  {
    return RenderingTest::makeMapper(scene, path());
  }
  // Expects that the mapper has drawn the last frame by this path.
  static void expectPath(vtkVulkanIsosurfaceMapper* mapper, int expected = path());
};

std::string nameOfPath(const testing::TestParamInfo<int>& info);

#define INSTANTIATE_FOR_EACH_PATH(suite)                                                                               \
  INSTANTIATE_TEST_SUITE_P(, suite,                                                                                    \
    testing::Values(vtkVulkanIsosurfaceMapper::DEVICE_MEMORY, vtkVulkanIsosurfaceMapper::HOST_MEMORY,                  \
      vtkVulkanIsosurfaceMapper::POLY_DATA),                                                                           \
    nameOfPath)

// Compares the pictures of scenes with VTK's. The test of HOST_MEMORY also draws as POLY_DATA.
class PictureTest : public PathTest
{
protected:
  // Expects that the mapper draws the scene as VTK draws the output of the filter, by the path that
  // vtkVulkanIsosurfaceMapper.h documents; that DEVICE_MEMORY and HOST_MEMORY give equal bytes; and that the picture is
  // not trivial: the surface covers enough pixels, and that of other isovalues gives another picture.
  void expectPictureOf(const Scene& scene);
  // Does the same, and expects that VTK's picture of the other scene is a different one. The other scene lacks what is
  // tested.
  void expectPictureOf(const Scene& scene, const Scene& unlike);

private:
  Picture drawByPath(const Scene& scene, int path);
};

#define INSTANTIATE_PICTURES(suite)                                                                                    \
  INSTANTIATE_TEST_SUITE_P(, suite,                                                                                    \
    testing::Values(vtkVulkanIsosurfaceMapper::DEVICE_MEMORY, vtkVulkanIsosurfaceMapper::HOST_MEMORY), nameOfPath)

}

#endif
