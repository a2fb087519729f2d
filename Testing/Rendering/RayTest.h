// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The fixture of tests that compare isosurfaces drawn by rays with those drawn by triangles.
#ifndef vmcRayTest_h
#define vmcRayTest_h

#include "RenderingTest.h"

#include <vector>

namespace vmc::test
{

// The contents of a window.
struct Frame
{
  Picture picture;
  std::vector<double>
    depths; // per pixel: distance from the eye along the direction of view; infinite: nothing is drawn
};

// The differences between the surfaces in two frames.
struct SurfaceDifference
{
  int pixels = 0;  // that show the surface in both frames
  int outside = 0; // drawn where the other frame has no surface nearby, or not drawn where it has surface all around
  int wrong = 0;   // drawn before or behind the surface nearby
  double share() const { return double(this->outside + this->wrong) / this->pixels; }
};

// The path also selects the memory of the picture of rays.
class RayTest : public PathTest
{
protected:
  using Mapper = vtkVulkanIsosurfaceMapper;

  // The tolerance in cells. Rays find the surface of the trilinear interpolant. Triangles join its points on the edges
  // of the cells by straight lines, so the two surfaces differ inside of the cells. For a surface whose radius of
  // curvature is at least three cells, as the gyroid's, the sagitta of a chord of sqrt(3) cells is 1/8 of a cell. In
  // the windows of 200 x 150 pixels, it is half a pixel.
  static constexpr double SmoothDeviation = 0.125;
  // The share of pixels that may differ by more. There, a ray grazes the surface: it meets the interpolant's surface
  // and passes the triangles, or meets them in another order.
  static constexpr double GrazedPixels = 0.003;
  // The surface of other isovalues, half a cell away, differs in more than these pixels. Elsewhere it is hidden by that
  // tolerance, because it is seen edge-on.
  static constexpr double PixelsOfOtherSurface = 0.05;

  static vtkSmartPointer<Mapper> makeRayMapper(const Scene& scene, int mode = Mapper::ONLY_RAYS);
  static void expectRays(Mapper* mapper) { expectPath(mapper, Mapper::RAYS); }

  Frame drawFrame(const Scene& scene, vtkPolyDataMapper* mapper, Window* window = nullptr);
  // Returns the depths of the frame in the window, by the camera of its first renderer.
  static std::vector<double> depthsIn(Window* window);

  // A pixel may show what it or a pixel beside it shows in the other frame, nearer or farther by the tolerance in world
  // units.
  static SurfaceDifference compare(const Frame& drawn, const Frame& expected, double tolerance);

  // Expects the surface of triangles, within the tolerances above. The picture of other isovalues must not pass. For
  // HOST_MEMORY, the rays of the CPU give the same picture; for DEVICE_MEMORY, the picture in host memory has equal
  // bytes. cell: the longest side of a cell in world space.
  void expectSameSurface(const Scene& scene, double cell = 1);

  // Pixels that differ by more than ChannelTolerance from the pixel at that place in the expected picture and from
  // those beside it. Silhouettes may differ by one pixel, but the colours inside of them not.
  static int strangePixels(const Picture& drawn, const Picture& expected);
  // Expects that each picture has few pixels that are strange in the other one. For scenes without lights, whose areas
  // of one colour are larger than a pixel.
  static void expectSameAreas(const Picture& drawn, const Picture& expected);
};

// The settings of a scene whose colours do not depend on normals.
Scene withoutLights(Scene scene);

}

#endif
