// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Pictures from each kind of camera, with clipping planes, and of placed actors.
#include "RenderingTest.h"

#include "vtkCamera.h"
#include "vtkLight.h"
#include "vtkPlane.h"
#include "vtkTransform.h"

namespace vmc::test
{

class PictureByCamera : public PictureTest
{
};
INSTANTIATE_PICTURES(PictureByCamera);

TEST_P(PictureByCamera, WideAngle)
{
  Scene scene;
  scene.view = [](vtkRenderer* renderer)
  {
    renderer->GetActiveCamera()->SetViewAngle(80);
    renderer->GetActiveCamera()->Dolly(3);
    renderer->ResetCameraClippingRange(0, Side, 0, Side, 0, Side);
  };
  this->expectPictureOf(scene, Scene());
}

TEST_P(PictureByCamera, ObliqueClippingPlanes)
{
  Scene scene;
  scene.mapper = [](vtkPolyDataMapper* mapper)
  {
    const double normals[2][3] = { { -0.6, 0.8, 0 }, { 0, -0.28, -0.96 } };
    for (const double* normal : normals)
    {
      vtkNew<vtkPlane> plane;
      plane->SetOrigin(14, 11, 20);
      plane->SetNormal(normal[0], normal[1], normal[2]);
      mapper->AddClippingPlane(plane);
    }
  };
  this->expectPictureOf(scene, Scene());
}

TEST_P(PictureByCamera, MovingClippingPlane)
{
  Scene scene;
  vtkNew<vtkPlane> plane;
  plane->SetOrigin(14, 14, 14);
  plane->SetNormal(0, 1, 0);
  scene.mapper = [&plane](vtkPolyDataMapper* mapper) { mapper->AddClippingPlane(plane); };
  const auto mapper = makeMapper(scene);
  const Picture first = this->draw(scene, mapper);
  plane->SetOrigin(14, 20, 14);
  const Picture second = drawAgain(this->MainWindow.get());
  expectPath(mapper);
  expectDifferent(first, second);
  expectSame(second, this->reference(scene));
}

TEST_P(PictureByCamera, UserMatrix)
{
  Scene scene;
  scene.actor = [](vtkActor* actor)
  {
    vtkNew<vtkTransform> transform;
    transform->Translate(6, -4, 2);
    transform->RotateWXYZ(25, 1, 2, 3);
    transform->Scale(0.6, 1.1, 0.8);
    actor->SetUserTransform(transform);
  };
  this->expectPictureOf(scene, Scene());
}

TEST_P(PictureByCamera, SeveralLights)
{
  Scene scene;
  scene.view = [](vtkRenderer* renderer)
  {
    renderer->RemoveAllLights();
    const double positions[2][3] = { { 60, -20, 30 }, { -40, -30, 50 } };
    for (const double* position : positions)
    {
      vtkNew<vtkLight> light;
      light->SetLightTypeToSceneLight();
      light->SetPositional(true);
      light->SetPosition(position[0], position[1], position[2]);
      light->SetFocalPoint(14, 14, 14);
      light->SetConeAngle(60);
      light->SetColor(position[0] > 0 ? 1 : 0.3, 0.6, 0.9);
      renderer->AddLight(light);
    }
  };
  const Picture unlit = this->reference(Scene());
  this->expectPictureOf(scene);
  expectDifferent(this->reference(scene), unlit);
}

TEST_P(PictureByCamera, MovingCamera)
{
  std::vector<Scene> scenes;
  std::vector<Picture> expected;
  for (const double angle : { 0.0, 10.0, 95.0, 170.0 })
  {
    scenes.emplace_back().view = [angle](vtkRenderer* renderer)
    {
      renderer->GetActiveCamera()->Azimuth(angle);
      renderer->GetActiveCamera()->Elevation(angle / 10);
      renderer->ResetCameraClippingRange(0, Side, 0, Side, 0, Side);
    };
    expected.push_back(this->reference(scenes.back()));
  }
  const auto mapper = makeMapper(scenes[0]);
  for (std::size_t i = 0; i < scenes.size(); ++i)
  {
    expectSame(this->draw(scenes[i], mapper), expected[i]);
    expectPath(mapper);
  }
  expectDifferent(expected[0], expected[1]);
}

}
