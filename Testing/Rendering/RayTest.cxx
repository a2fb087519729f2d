// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "RayTest.h"

#include "vtkCamera.h"
#include "vtkFloatArray.h"
#include "vtkProperty.h"

#include <algorithm>
#include <cstdlib>
#include <limits>

namespace vmc::test
{

namespace
{

constexpr double NothingDrawn = std::numeric_limits<double>::infinity();

// Calls visit(index of the pixel) for (x, y) and the pixels beside it.
template <class Visit>
void visitAround(const Picture& picture, int x, int y, const Visit& visit)
{
  for (int j = std::max(0, y - 1); j <= std::min(picture.height - 1, y + 1); ++j)
    for (int i = std::max(0, x - 1); i <= std::min(picture.width - 1, x + 1); ++i)
      visit(std::size_t(j * picture.width + i));
}

// Calls visit(x, y) for all pixels.
template <class Visit>
void visitAll(const Picture& picture, const Visit& visit)
{
  for (int y = 0; y < picture.height; ++y)
    for (int x = 0; x < picture.width; ++x)
      visit(x, y);
}

bool isSameColour(const Picture& one, std::size_t pixel, const Picture& other, std::size_t otherPixel)
{
  for (std::size_t c = 0; c < 3; ++c)
    if (std::abs(one.values[3 * pixel + c] - other.values[3 * otherPixel + c]) > ChannelTolerance)
      return false;
  return true;
}

Scene onCpu(Scene scene)
{
  scene.contour = [before = scene.contour](vtkVulkanMarchingCubes* filter)
  {
    if (before)
      before(filter);
    filter->SetDevice("CPU");
  };
  return scene;
}

}

vtkSmartPointer<vtkVulkanIsosurfaceMapper> RayTest::makeRayMapper(const Scene& scene, int mode)
{
  auto mapper = makeMapper(scene);
  mapper->SetSurfaceMode(mode);
  return mapper;
}

Frame RayTest::drawFrame(const Scene& scene, vtkPolyDataMapper* mapper, Window* window)
{
  Frame frame;
  frame.picture = this->draw(scene, mapper, window);
  frame.depths = depthsIn(window ? window : this->MainWindow.get());
  return frame;
}

std::vector<double> RayTest::depthsIn(Window* window)
{
  const int* const size = window->window()->GetSize();
  std::vector<double> depths;
  vtkNew<vtkFloatArray> buffer;
  window->window()->GetZbufferData(0, 0, size[0] - 1, size[1] - 1, buffer);
  vtkCamera* const camera = window->renderer()->GetActiveCamera();
  const double near = camera->GetClippingRange()[0], far = camera->GetClippingRange()[1];
  for (vtkIdType i = 0; i < buffer->GetNumberOfValues(); ++i)
  {
    const double z = buffer->GetValue(i);
    const double depth =
      camera->GetParallelProjection() ? near + z * (far - near) : near * far / (far - z * (far - near));
    depths.push_back(z == 1 ? NothingDrawn : depth);
  }
  return depths;
}

SurfaceDifference RayTest::compare(const Frame& drawn, const Frame& expected, double tolerance)
{
  SurfaceDifference difference;
  visitAll(drawn.picture,
    [&](int x, int y)
    {
      double nearest = NothingDrawn, farthest = 0;
      visitAround(drawn.picture, x, y,
        [&](std::size_t pixel)
        {
          nearest = std::min(nearest, expected.depths[pixel]);
          farthest = std::max(farthest, expected.depths[pixel]);
        });
      const auto pixel = std::size_t(y * drawn.picture.width + x);
      const double depth = drawn.depths[pixel];
      const bool isDrawn = depth != NothingDrawn;
      difference.pixels += isDrawn && expected.depths[pixel] != NothingDrawn;
      difference.outside += isDrawn ? nearest == NothingDrawn : farthest != NothingDrawn;
      difference.wrong += isDrawn && (depth < nearest - tolerance || depth > farthest + tolerance);
    });
  return difference;
}

void RayTest::expectSameSurface(const Scene& scene, double cell)
{
  const Frame expected = this->drawFrame(scene, makeMapper(scene));
  expectCovered(expected.picture);
  const auto rays = makeRayMapper(scene);
  const Frame drawn = this->drawFrame(scene, rays);
  expectRays(rays);
  const SurfaceDifference difference = compare(drawn, expected, SmoothDeviation * cell);
  EXPECT_LE(difference.share(), GrazedPixels) << save(drawn.picture, expected.picture);
  const Frame other = this->drawFrame(withOtherIsovalues(scene), makeRayMapper(withOtherIsovalues(scene)));
  EXPECT_GE(compare(other, expected, SmoothDeviation * cell).share(), PixelsOfOtherSurface);
  if (path() == Mapper::DEVICE_MEMORY)
  {
    const auto inHostMemory = makeRayMapper(scene);
    inHostMemory->SetFirstPath(Mapper::HOST_MEMORY);
    expectEqual(this->draw(scene, inHostMemory), drawn.picture);
  }
  else
    expectSame(this->draw(onCpu(scene), makeRayMapper(onCpu(scene))), drawn.picture);
}

int RayTest::strangePixels(const Picture& drawn, const Picture& expected)
{
  int strange = 0;
  visitAll(drawn,
    [&](int x, int y)
    {
      bool isKnown = false;
      visitAround(drawn, x, y,
        [&](std::size_t pixel)
        { isKnown = isKnown || isSameColour(drawn, std::size_t(y * drawn.width + x), expected, pixel); });
      strange += isKnown ? 0 : 1;
    });
  return strange;
}

void RayTest::expectSameAreas(const Picture& drawn, const Picture& expected)
{
  const int strange = strangePixels(drawn, expected), missing = strangePixels(expected, drawn);
  if (strange + missing > GrazedPixels * coveredPixels(expected))
    ADD_FAILURE() << strange << " pixels are not in the expected picture, " << missing
                  << " pixels of it are missing: " << save(drawn, expected);
}

Scene withoutLights(Scene scene)
{
  scene.actor = [before = scene.actor](vtkActor* actor)
  {
    if (before)
      before(actor);
    actor->GetProperty()->LightingOff();
  };
  return scene;
}

}
