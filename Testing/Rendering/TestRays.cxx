// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The isosurface that rays draw is that of triangles.
#include "../Filter/RealVolumes.h"
#include "RayTest.h"

#include <algorithm>
#include <cstdio>
#include <string>

namespace vmc::test
{

class Rays : public RayTest
{
};
INSTANTIATE_PICTURES(Rays);

TEST_P(Rays, CellData)
{
  this->expectSameSurface(Scene());
}

TEST_P(Rays, CommonScenes)
{
  for (const NamedScene& common : commonScenes())
  {
    SCOPED_TRACE(common.name);
    this->expectSameSurface(common.scene, common.cell);
  }
}

// Cells of 0.001 at 10^6, where adjacent floats are 0.06 apart.
TEST_P(Rays, FarOrigin)
{
  Scene scene;
  scene.image->SetSpacing(0.001, 0.001, 0.001);
  scene.image->SetOrigin(1e6, -1e6, 1e6);
  this->expectSameSurface(scene, 0.001);
}

// Two surfaces side by side, in viewports of different sizes.
TEST_P(Rays, TwoRenderersInOneWindow)
{
  const Scene left, right = withOtherIsovalues(left);
  vtkNew<vtkRenderer> second;
  this->MainWindow->window()->AddRenderer(second);
  this->MainWindow->renderer()->SetViewport(0, 0, 0.4, 1);
  second->SetViewport(0.4, 0, 1, 1);
  const auto drawBoth = [&](vtkPolyDataMapper* leftMapper, vtkPolyDataMapper* rightMapper)
  {
    vtkNew<vtkActor> actor;
    actor->SetMapper(rightMapper);
    right.fill(second, actor);
    return this->drawFrame(left, leftMapper);
  };
  const Frame expected = drawBoth(makeMapper(left), makeMapper(right));
  const auto leftRays = makeRayMapper(left), rightRays = makeRayMapper(right);
  const Frame drawn = drawBoth(leftRays, rightRays);
  expectRays(leftRays);
  expectRays(rightRays);
  const SurfaceDifference difference = compare(drawn, expected, SmoothDeviation);
  EXPECT_GT(difference.pixels, 0.2 * drawn.picture.width * drawn.picture.height);
  EXPECT_LE(difference.share(), GrazedPixels) << save(drawn.picture, expected.picture);
  // The second actor, drawn by the mapper of the first one: it casts rays for each of the viewports.
  const auto one = makeRayMapper(left);
  const Picture both = drawBoth(one, one).picture;
  expectEqual(both, drawBoth(makeRayMapper(left), makeRayMapper(left)).picture);
}

// The normals at the corners of a triangle and those that rays interpolate come from the same differences of samples.
// In between, the former are linear on the triangle, the latter along the edges of the cell. Where the surface is
// smooth, that are some degrees, and some values of 255 in a colour.
TEST_P(Rays, TheShadingIsThatOfTriangles)
{
  constexpr int SimilarChannel = 8;
  constexpr double OtherPixels = 0.05; // silhouettes, and where the surface is seen edge-on
  const Scene scene, other = withOtherIsovalues(scene);
  const Picture expected = this->draw(scene, makeMapper(scene));
  const auto shareOfOthers = [&](const Scene& drawn)
  {
    return differingPixels(this->draw(drawn, makeRayMapper(drawn)), expected, SimilarChannel) /
           double(coveredPixels(expected));
  };
  EXPECT_LE(shareOfOthers(scene), OtherPixels);
  EXPECT_GT(shareOfOthers(other), 2 * OtherPixels);
}

// Noise makes surfaces whose radius of curvature is less than a cell. There, the interpolant's surface may leave the
// triangles by a cell and even connect other corners, and normals change inside of a cell.
class RaysOfRealVolumes : public RayTest
{
protected:
  static constexpr double NoisyDeviation = 0.5;
  static constexpr double NoisyPixels = 0.01; // that differ by more
  static constexpr int SimilarChannel = 16;

  // otherColours: the share of covered pixels whose colour may differ by more than SimilarChannel.
  void expectSurfaceOf(const RealVolume& volume, double otherColours)
  {
    std::string whyNot;
    Scene scene;
    scene.image = LoadRealVolume(volume, whyNot);
    if (!scene.image)
      GTEST_SKIP() << whyNot;
    scene.isovalues = volume.isovalues;
    this->MainWindow = makeWindow(1000, 750);
    const Frame expected = this->drawFrame(scene, makeMapper(scene));
    expectCovered(expected.picture);
    const auto rays = makeRayMapper(scene);
    const Frame drawn = this->drawFrame(scene, rays);
    expectRays(rays);
    const double* const spacing = scene.image->GetSpacing();
    const double tolerance = NoisyDeviation * std::max({ spacing[0], spacing[1], spacing[2] });
    const double wrong = compare(drawn, expected, tolerance).share();
    const double unlike =
      differingPixels(drawn.picture, expected.picture, SimilarChannel) / double(coveredPixels(expected.picture));
    std::printf("%s: %.3g %% of the pixels are elsewhere, %.3g %% have another colour; rays took %.3g ms\n",
      NameOf(volume).c_str(), 100 * wrong, 100 * unlike, rays->GetContour()->GetTotalTime());
    EXPECT_LE(wrong, NoisyPixels) << save(drawn.picture, expected.picture);
    EXPECT_LE(unlike, otherColours) << save(drawn.picture, expected.picture);
    scene.isovalues[0] *= 1.5; // another surface in each of these volumes
    EXPECT_GT(compare(this->drawFrame(scene, makeRayMapper(scene)), expected, tolerance).share(), 5 * NoisyPixels);
  }
};
INSTANTIATE_PICTURES(RaysOfRealVolumes);

// In these tests, `otherColours` is above the share that was measured for the volume (bonsai 0.105, engine 0.0017, head
// 0.101): the normals of triangles are interpolated between points, those of rays are not.

// A plant: leaves as thin as a cell.
TEST_P(RaysOfRealVolumes, Bonsai)
{
  this->expectSurfaceOf({ "bonsai_256x256x256_uint8.raw", "", { 40 } }, 0.15);
}

// Smooth, with edges.
TEST_P(RaysOfRealVolumes, Engine)
{
  this->expectSurfaceOf({ "engine_256x256x128_uint8.raw", "", { 80 } }, 0.01);
}

// The volume has a direction matrix, slices far apart, and noise.
TEST_P(RaysOfRealVolumes, Head)
{
  this->expectSurfaceOf({ "headsq_oriented_cells.vti", "", { 1150 } }, 0.15);
}

}
