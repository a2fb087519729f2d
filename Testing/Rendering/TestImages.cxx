// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Pictures of each kind of image.
#include "RenderingTest.h"

#include "vtkCamera.h"
#include "vtkDataArray.h"
#include "vtkProperty.h"

#include <string>

namespace vmc::test
{

namespace
{

using Filter = vtkVulkanMarchingCubes;

std::function<void(Filter*)> contourArray(int association, const char* name, int component = -1)
{
  return [association, name, component](Filter* filter)
  {
    filter->SetInputArrayToProcess(0, 0, 0, association, name);
    filter->SetArrayComponent(component);
  };
}

// Integers in [-128, 127] or [0, 255].
Scene integers(int type)
{
  const bool isSigned = vtkSmartPointer<vtkDataArray>::Take(vtkDataArray::CreateDataArray(type))->GetDataTypeMin() < 0;
  const double middle = isSigned ? 0 : 128;
  Scene scene;
  scene.image = imageOf([middle](const auto& p) { return middle + 80 * gyroid(p); }, type);
  scene.isovalues = { middle + 16 };
  return scene;
}

Scene withOtherIntegers(Scene scene)
{
  scene.isovalues[0] += 12;
  return scene;
}

}

class PictureOfImage : public PictureTest
{
};
INSTANTIATE_PICTURES(PictureOfImage);

TEST_P(PictureOfImage, CellData)
{
  this->expectPictureOf(Scene());
}

TEST_P(PictureOfImage, CommonScenes)
{
  for (const NamedScene& common : commonScenes())
  {
    SCOPED_TRACE(common.name);
    this->expectPictureOf(common.scene, Scene());
  }
}

// Front and back are right too: they have different colours.
TEST_P(PictureOfImage, MirroredImage)
{
  Scene scene, rotated;
  orient(scene.image, true);
  orient(rotated.image, false);
  for (Scene* each : { &scene, &rotated })
    each->actor = [](vtkActor* actor)
    {
      vtkNew<vtkProperty> back;
      back->SetColor(0.2, 0.5, 1);
      actor->SetBackfaceProperty(back);
    };
  this->expectPictureOf(scene, rotated);
}

// The samples of the arrays of each integer type are the same, so the pictures are too.
TEST_P(PictureOfImage, IntegerTypes)
{
  Picture first;
  for (const int type : { VTK_SIGNED_CHAR, VTK_UNSIGNED_CHAR, VTK_SHORT, VTK_UNSIGNED_SHORT })
  {
    SCOPED_TRACE(vtkImageScalarTypeNameMacro(type));
    const Scene scene = integers(type);
    const auto mapper = makeMapper(scene);
    const Picture drawn = this->draw(scene, mapper);
    expectPath(mapper);
    const Picture expected = this->reference(scene);
    expectCovered(expected);
    expectSame(drawn, expected);
    expectDifferent(expected, this->reference(withOtherIntegers(scene)));
  }
}

TEST_P(PictureOfImage, Doubles)
{
  Scene scene;
  scene.image = imageOf(gyroid, VTK_DOUBLE);
  this->expectPictureOf(scene);
}

TEST_P(PictureOfImage, ComponentAndMagnitudeOfVectors)
{
  Scene scene;
  addArray(scene.image, "flow", 2,
    [](const auto& p, int c) {
      return c == 0 ? 0.5 * gyroid(p) : 0.5 * gyroid({ p[0], p[1] + 4, p[2] - 3 });
    });
  scene.contour = contourArray(vtkDataObject::FIELD_ASSOCIATION_CELLS, "flow", 1);
  const Scene component = scene;
  this->expectPictureOf(component, Scene());
  scene.contour = contourArray(vtkDataObject::FIELD_ASSOCIATION_CELLS, "flow");
  scene.isovalues = { 0.4 };
  this->expectPictureOf(scene, component);
}

// Cells of 0.001 at 10^6, where adjacent floats are 0.06 apart. The positions are relative to the image in the near
// picture and in the far one, and the cameras too, so the pictures agree, wherever the camera stands.
TEST_P(PictureOfImage, FarOrigin)
{
  constexpr double Cell = 0.001;
  Scene far, near;
  for (Scene* scene : { &far, &near })
  {
    scene->image->SetSpacing(Cell, Cell, Cell);
    scene->reference = [](Filter* filter) { filter->SetOutputPointsPrecision(vtkAlgorithm::DOUBLE_PRECISION); };
  }
  far.image->SetOrigin(1e6, -1e6, 1e6);
  this->expectPictureOf(far);
  const auto farMapper = makeMapper(far), nearMapper = makeMapper(near);
  Picture last;
  for (const double steps : { 0.0, 0.37, 0.74 })
  {
    SCOPED_TRACE(steps);
    for (Scene* scene : { &far, &near })
      scene->view = [steps](vtkRenderer* renderer)
      {
        double focus[3], position[3];
        renderer->GetActiveCamera()->GetFocalPoint(focus);
        renderer->GetActiveCamera()->GetPosition(position);
        renderer->GetActiveCamera()->SetFocalPoint(focus[0] + steps * Cell, focus[1], focus[2]);
        renderer->GetActiveCamera()->SetPosition(position[0] + steps * Cell, position[1], position[2]);
      };
    const Picture drawn = this->draw(far, farMapper);
    expectSame(drawn, this->draw(near, nearMapper));
    if (last.width > 0)
      expectDifferent(drawn, last);
    last = drawn;
  }
}

// The origin moves while the mapper lives.
TEST_P(PictureOfImage, NewOrigin)
{
  Scene scene;
  const auto mapper = makeMapper(scene);
  const Picture first = this->draw(scene, mapper);
  scene.image->SetOrigin(1000, 2000, -500);
  scene.image->SetSpacing(1, 1, 2);
  const Picture second = this->draw(scene, mapper);
  expectPath(mapper);
  expectSame(second, this->reference(scene));
  expectDifferent(first, second);
}

}
