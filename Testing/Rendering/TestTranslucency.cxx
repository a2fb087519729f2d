// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Pictures of translucent surfaces, and of other actors beside and inside a surface.
#include "RenderingTest.h"

#include "vtkLookupTable.h"
#include "vtkProperty.h"

namespace vmc::test
{

namespace
{

void makeTranslucent(vtkActor* actor)
{
  actor->GetProperty()->SetOpacity(0.4);
}

Scene translucent()
{
  Scene scene;
  scene.actor = makeTranslucent;
  return scene;
}

// A ball inside a translucent spherical surface of radius 12.
Scene ballInside()
{
  Scene scene;
  scene.image = imageOf(distance);
  scene.isovalues = { 12 };
  scene.actor = makeTranslucent;
  scene.propsAfter = { ball(6) };
  return scene;
}

}

class PictureOfTranslucency : public PictureTest
{
protected:
  // The picture of the scene with peeling, which is not that without.
  void expectPictureWithPeeling(Scene scene)
  {
    const Scene withoutPeeling = scene;
    scene.view = peelLayers;
    this->expectPictureOf(scene, withoutPeeling);
  }
};
INSTANTIATE_PICTURES(PictureOfTranslucency);

TEST_P(PictureOfTranslucency, Opacity)
{
  this->expectPictureOf(translucent(), Scene());
}

TEST_P(PictureOfTranslucency, OpacityWithDepthPeeling)
{
  this->expectPictureWithPeeling(translucent());
}

TEST_P(PictureOfTranslucency, TranslucentColorMap)
{
  vtkNew<vtkLookupTable> map;
  map->SetHueRange(0.7, 0);
  map->SetAlphaRange(0.2, 0.9);
  map->SetTableRange(-1, 1);
  map->Build();
  Scene scene;
  scene.isovalues = { -0.9, 0.1, 0.8 };
  const Scene opaque = scene;
  scene.mapper = [map = vtkSmartPointer<vtkLookupTable>(map)](vtkPolyDataMapper* mapper)
  {
    mapper->ScalarVisibilityOn();
    mapper->SetLookupTable(map);
    mapper->UseLookupTableScalarRangeOn();
    mapper->InterpolateScalarsBeforeMappingOn();
  };
  this->expectPictureOf(scene, opaque);
  this->expectPictureWithPeeling(scene);
}

TEST_P(PictureOfTranslucency, OpaqueActorInside)
{
  Scene withoutBall = ballInside();
  withoutBall.propsAfter.clear();
  this->expectPictureOf(ballInside(), withoutBall);
}

TEST_P(PictureOfTranslucency, OpaqueActorInsideWithDepthPeeling)
{
  this->expectPictureWithPeeling(ballInside());
}

// The picture does not depend on which actor is drawn first.
TEST_P(PictureOfTranslucency, IntersectingOpaqueActors)
{
  Scene before, after;
  before.propsBefore = { ball(9) };
  after.propsAfter = { ball(9) };
  this->expectPictureOf(before, Scene());
  this->expectPictureOf(after, Scene());
  const auto mapper = makeMapper(before);
  expectEqual(this->draw(before, mapper), this->draw(after, mapper));
}

// Translucent and opaque in turn, with one mapper.
TEST_P(PictureOfTranslucency, OpaqueAgain)
{
  const Scene opaque;
  const Picture expected = this->reference(translucent());
  const auto mapper = makeMapper(opaque);
  const Picture first = this->draw(opaque, mapper);
  expectSame(this->draw(translucent(), mapper), expected);
  expectPath(mapper);
  expectEqual(this->draw(opaque, mapper), first);
}

}
