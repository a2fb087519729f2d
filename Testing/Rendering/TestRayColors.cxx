// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Colours of isosurfaces that rays draw, and other actors before, behind and inside of them. Lights are off, so that
// each area has one colour.
#include "RayTest.h"

#include "vtkLookupTable.h"
#include "vtkProperty.h"

#include <array>
#include <cmath>
#include <string>

namespace vmc::test
{

namespace
{

using Colour = std::array<double, 3>;

constexpr double Opacity = 0.4;
constexpr Colour Background{ 0.1, 0.2, 0.4 }, Surface{ 0.9, 0.6, 0.3 }, Ball{ 0.3, 0.7, 0.3 };

// The colour behind, seen through the colour in front.
Colour through(const Colour& front, const Colour& behind)
{
  Colour seen{};
  for (std::size_t c = 0; c < 3; ++c)
    seen[c] = Opacity * front[c] + (1 - Opacity) * behind[c];
  return seen;
}

// Pixels of this colour, but for the tolerance.
int pixelsOf(const Picture& picture, const Colour& colour)
{
  int count = 0;
  for (std::size_t pixel = 0; pixel < picture.values.size(); pixel += 3)
  {
    bool isSame = true;
    for (std::size_t c = 0; c < 3; ++c)
      isSame = isSame && std::abs(picture.values[pixel + c] - 255 * colour[c]) <= ChannelTolerance;
    count += isSame ? 1 : 0;
  }
  return count;
}

void makeTranslucent(vtkActor* actor)
{
  actor->GetProperty()->SetOpacity(Opacity);
}

vtkSmartPointer<vtkActor> flatBall(double radius, double opacity = 1)
{
  auto actor = ball(radius);
  actor->GetProperty()->LightingOff();
  actor->GetProperty()->SetOpacity(opacity);
  return actor;
}

// Three surfaces in colours of their own. Values begin at `lowest`.
Scene coloured(double lowest, const std::function<void(vtkLookupTable*)>& set)
{
  Scene scene;
  scene.image = imageOf([lowest](const auto& p) { return lowest + 1.5 + gyroid(p); });
  scene.isovalues = { lowest + 2.6, lowest + 0.3, lowest + 1.1 };
  vtkNew<vtkLookupTable> map;
  map->SetHueRange(0.7, 0);
  map->SetTableRange(lowest + 0.2, lowest + 2.8);
  set(map);
  map->Build();
  scene.mapper = [map = vtkSmartPointer<vtkLookupTable>(map)](vtkPolyDataMapper* mapper)
  {
    mapper->ScalarVisibilityOn();
    mapper->SetLookupTable(map);
    mapper->UseLookupTableScalarRangeOn();
    mapper->InterpolateScalarsBeforeMappingOn();
  };
  return withoutLights(scene);
}

// A surface of radius 12 around a ball.
Scene shell(double radiusOfBall)
{
  Scene scene;
  scene.image = imageOf(distance);
  scene.isovalues = { 12 };
  scene.propsAfter = { flatBall(radiusOfBall) };
  return withoutLights(scene);
}

}

class RayColors : public RayTest
{
protected:
  // Expects the areas and colours of triangles, which are not those of the other scene.
  void expectAreasOf(const Scene& scene, const Scene& unlike)
  {
    const Picture expected = this->draw(scene, makeMapper(scene));
    const auto rays = makeRayMapper(scene);
    const Picture drawn = this->draw(scene, rays);
    expectRays(rays);
    expectCovered(drawn);
    expectSameAreas(drawn, expected);
    const Picture other = this->draw(unlike, makeMapper(unlike));
    EXPECT_GT(strangePixels(other, expected), 0.05 * coveredPixels(expected)) << save(other, expected);
  }
};
INSTANTIATE_PICTURES(RayColors);

TEST_P(RayColors, ColorsOfIsovalues)
{
  const auto keep = [](vtkLookupTable*) {};
  const auto turn = [](vtkLookupTable* map) { map->SetHueRange(0, 0.6); };
  this->expectAreasOf(coloured(-1.5, keep), coloured(-1.5, turn));
}

TEST_P(RayColors, LogarithmicColors)
{
  const auto set = [](vtkLookupTable* map) { map->SetScaleToLog10(); };
  const auto keep = [](vtkLookupTable*) {};
  this->expectAreasOf(coloured(0.05, set), coloured(0.05, keep));
}

TEST_P(RayColors, FewColorsAndColorsOutsideOfTheRange)
{
  const auto set = [](vtkLookupTable* map)
  {
    map->SetNumberOfTableValues(3);
    map->SetTableRange(-1.1, 0.5);
    map->UseBelowRangeColorOn();
    map->SetBelowRangeColor(1, 1, 1, 1);
    map->UseAboveRangeColorOn();
    map->SetAboveRangeColor(0, 0, 0, 1);
  };
  const auto keep = [](vtkLookupTable*) {};
  this->expectAreasOf(coloured(-1.5, set), coloured(-1.5, keep));
}

// Values of another array are interpolated to the surface. Those of rays and triangles differ as the surfaces do: by
// 1/8 of a cell, which is 1/224 of the map's range and less than 8 of 255 in a channel of a rainbow.
TEST_P(RayColors, AnotherArray)
{
  constexpr int SimilarChannel = 8;
  const char* const names[] = { "height", "flow" };
  for (const char* name : names)
    for (const int component : { -1, 1 }) // -1: the magnitude
    {
      SCOPED_TRACE(name + std::to_string(component));
      Scene scene = withoutLights(Scene());
      addArray(scene.image, "height", 1, [](const auto& p, int) { return p[2]; });
      addArray(scene.image, "flow", 3, [](const auto& p, int c) { return p[std::size_t(c)] / 2; });
      vtkNew<vtkLookupTable> map;
      map->SetTableRange(0, Side);
      if (component < 0)
        map->SetVectorModeToMagnitude();
      else
        map->SetVectorModeToComponent();
      map->SetVectorComponent(component);
      scene.mapper = [name, map = vtkSmartPointer<vtkLookupTable>(map)](vtkPolyDataMapper* mapper)
      {
        mapper->ScalarVisibilityOn();
        mapper->SetScalarModeToUsePointFieldData();
        mapper->SelectColorArray(name);
        mapper->SetLookupTable(map);
        mapper->UseLookupTableScalarRangeOn();
        mapper->InterpolateScalarsBeforeMappingOn();
      };
      const Picture expected = this->draw(scene, makeMapper(scene));
      const auto rays = makeRayMapper(scene);
      const Picture drawn = this->draw(scene, rays);
      expectRays(rays);
      expectCovered(drawn);
      EXPECT_LE(differingPixels(drawn, expected, SimilarChannel), 0.05 * coveredPixels(expected)) // silhouettes
        << save(drawn, expected);
      const Scene plain = withoutLights(Scene());
      EXPECT_GT(
        differingPixels(drawn, this->draw(plain, makeRayMapper(plain)), SimilarChannel), 0.5 * coveredPixels(expected));
    }
}

// The map is changed while the mapper lives.
TEST_P(RayColors, AnotherMapOfColors)
{
  const Scene first = coloured(-1.5, [](vtkLookupTable*) {});
  const Scene second = coloured(-1.5, [](vtkLookupTable* map) { map->SetHueRange(0, 0.6); });
  const auto mapper = makeRayMapper(first);
  const Picture before = this->draw(first, mapper);
  second.setMapper(mapper);
  expectEqual(this->draw(second, mapper), this->draw(second, makeRayMapper(second)));
  mapper->ScalarVisibilityOff();
  Scene plain = first;
  plain.mapper = nullptr;
  expectEqual(this->draw(plain, mapper), this->draw(plain, makeRayMapper(plain)));
  first.setMapper(mapper);
  expectEqual(this->draw(first, mapper), before);
}

// The ball cuts through the surface.
TEST_P(RayColors, AnOpaqueActorInsideAndOutside)
{
  Scene before = withoutLights(Scene()), after = before;
  before.propsBefore = { flatBall(9) };
  after.propsAfter = { flatBall(9) };
  this->expectAreasOf(before, withoutLights(Scene()));
  this->expectAreasOf(after, withoutLights(Scene()));
  expectEqual(this->draw(before, makeRayMapper(before)), this->draw(after, makeRayMapper(after)));
}

// One layer of the ball lies before a part of the surface, the other layer behind all of it.
TEST_P(RayColors, ATranslucentActorBeforeAndBehind)
{
  for (const bool isPeeled : { false, true })
  {
    SCOPED_TRACE(isPeeled);
    Scene scene = withoutLights(Scene());
    const Scene without = scene;
    scene.propsAfter = { flatBall(9, Opacity) };
    if (isPeeled)
      scene.view = peelLayers;
    this->expectAreasOf(scene, without);
  }
}

TEST_P(RayColors, ATranslucentSurfaceShowsItsFrontAndWhatIsBehind)
{
  Scene scene = shell(6), opaque = scene;
  scene.actor = [before = scene.actor](vtkActor* actor)
  {
    before(actor);
    makeTranslucent(actor);
  };
  for (const bool isPeeled : { false, true })
  {
    SCOPED_TRACE(isPeeled);
    if (isPeeled)
      scene.view = peelLayers;
    const auto rays = makeRayMapper(scene);
    const Picture drawn = this->draw(scene, rays);
    expectRays(rays);
    const int front = coveredPixels(this->draw(opaque, makeRayMapper(opaque)));
    Scene onlyBall = shell(6);
    onlyBall.isovalues = { 1e9 };
    const int balls = coveredPixels(this->draw(onlyBall, makeMapper(onlyBall)));
    EXPECT_GT(balls, 0.1 * front);
    EXPECT_EQ(pixelsOf(drawn, through(Surface, Ball)), balls) << savePicture(drawn, "translucent");
    EXPECT_EQ(pixelsOf(drawn, through(Surface, Background)), front - balls) << savePicture(drawn, "translucent");
  }
}

// A surface of one layer needs no peeling. The first pass of the peeling reads the depths of opaque actors.
TEST_P(RayColors, PeelingKeepsWhatHidesATranslucentSurface)
{
  Scene scene = withoutLights(Scene());
  scene.actor = [before = scene.actor](vtkActor* actor)
  {
    before(actor);
    makeTranslucent(actor);
  };
  scene.propsBefore = { flatBall(9) };
  const Picture blended = this->draw(scene, makeRayMapper(scene));
  Scene without = scene;
  without.propsBefore = {};
  expectDifferent(blended, this->draw(without, makeRayMapper(without)));
  scene.view = peelLayers;
  expectSame(this->draw(scene, makeRayMapper(scene)), blended);
}

// A map of colours makes the surface translucent.
TEST_P(RayColors, ATranslucentMapOfColors)
{
  const auto set = [](vtkLookupTable* map) { map->SetAlphaRange(Opacity, Opacity); };
  Scene scene = coloured(-1.5, set);
  const auto rays = makeRayMapper(scene);
  const Picture drawn = this->draw(scene, rays);
  expectRays(rays);
  const Scene opaque = coloured(-1.5, [](vtkLookupTable*) {});
  Picture expected = this->draw(opaque, makeRayMapper(opaque));
  for (std::size_t i = 0; i < expected.values.size(); ++i)
    expected.values[i] =
      static_cast<unsigned char>(std::lround(Opacity * expected.values[i] + (1 - Opacity) * 255 * Background[i % 3]));
  expectSame(drawn, expected);
}

}
