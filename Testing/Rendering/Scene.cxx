// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Scene.h"

#include "vtkCamera.h"
#include "vtkCellData.h"
#include "vtkDataArray.h"
#include "vtkDataSetAttributes.h"
#include "vtkFloatArray.h"
#include "vtkMath.h"
#include "vtkNew.h"
#include "vtkPropCollection.h"
#include "vtkProperty.h"
#include "vtkSphereSource.h"
#include "vtkTransform.h"
#include "vtkUnsignedCharArray.h"

#include <cmath>
#include <limits>

namespace vmc::test
{

namespace
{

constexpr vtkIdType SampleCount = vtkIdType(Side) * Side * Side;

std::array<double, 3> positionOf(vtkIdType sample)
{
  return { double(sample % Side), double(sample / Side % Side), double(sample / (Side * Side)) };
}

// The whole image from +x -y +z, somewhat closer than ResetCamera sets it.
void placeCamera(vtkRenderer* renderer, vtkImageData* image)
{
  vtkCamera* const camera = renderer->GetActiveCamera();
  double center[3];
  image->GetCenter(center);
  camera->SetParallelProjection(false);
  camera->SetViewAngle(30);
  camera->SetWindowCenter(0, 0);
  camera->SetFocalPoint(center);
  camera->SetPosition(center[0] + 0.7, center[1] - 1, center[2] + 0.5);
  camera->SetViewUp(0, 0, 1);
  renderer->ResetCamera(image->GetBounds());
  camera->Zoom(1.3);
}

std::vector<vtkProp*> propsOf(vtkRenderer* renderer)
{
  std::vector<vtkProp*> props;
  vtkCollectionSimpleIterator next;
  renderer->GetViewProps()->InitTraversal(next);
  while (vtkProp* const prop = renderer->GetViewProps()->GetNextProp(next))
    props.push_back(prop);
  return props;
}

}

vtkSmartPointer<vtkImageData> imageOf(const SampleFormula& value, int type, int association)
{
  auto image = vtkSmartPointer<vtkImageData>::New();
  const int points = association == vtkDataObject::CELL ? Side + 1 : Side;
  image->SetDimensions(points, points, points);
  const auto samples = vtkSmartPointer<vtkDataArray>::Take(vtkDataArray::CreateDataArray(type));
  samples->SetName("samples");
  samples->SetNumberOfTuples(SampleCount);
  for (vtkIdType i = 0; i < SampleCount; ++i)
    samples->SetTuple1(i, value(positionOf(i)));
  image->GetAttributes(association)->SetScalars(samples);
  return image;
}

vtkSmartPointer<vtkDataArray> addArray(
  vtkImageData* image, const char* name, int components, const ComponentFormula& value, int association)
{
  const auto array = vtkSmartPointer<vtkFloatArray>::New();
  array->SetName(name);
  array->SetNumberOfComponents(components);
  array->SetNumberOfTuples(SampleCount);
  for (vtkIdType i = 0; i < SampleCount; ++i)
    for (int c = 0; c < components; ++c)
      array->SetComponent(i, c, value(positionOf(i), c));
  image->GetAttributes(association)->AddArray(array);
  return array;
}

double gyroid(const std::array<double, 3>& position)
{
  const double turn = 2 * vtkMath::Pi() / 16;
  const double x = turn * position[0], y = turn * position[1], z = turn * position[2];
  return std::sin(x) * std::cos(y) + std::sin(y) * std::cos(z) + std::sin(z) * std::cos(x);
}

double distance(const std::array<double, 3>& position)
{
  constexpr double Middle = (Side - 1) / 2.0;
  return std::hypot(position[0] - Middle, position[1] - Middle, position[2] - Middle);
}

// Turned about all axes; mirrored if asked for. Unequal spacing, and an extent that does not begin at 0.
void orient(vtkImageData* image, bool isMirrored)
{
  int extent[6];
  image->GetExtent(extent);
  image->SetExtent(7, 7 + extent[1], -12, -12 + extent[3], 3, 3 + extent[5]);
  image->SetSpacing(0.9, 1.2, 1.1);
  image->SetOrigin(-40, 3, 11);
  vtkNew<vtkTransform> turn;
  turn->RotateZ(-15);
  turn->RotateY(40);
  turn->RotateX(-20);
  turn->Scale(1, 1, isMirrored ? -1 : 1);
  double direction[9];
  for (int c = 0; c < 9; ++c)
    direction[c] = turn->GetMatrix()->GetElement(c / 3, c % 3);
  image->SetDirectionMatrix(direction);
}

// Flags a ball of cells: the gyroid's surfaces in it are not drawn.
void addGhosts(vtkImageData* image, unsigned char flag)
{
  vtkNew<vtkUnsignedCharArray> ghosts;
  ghosts->SetName(vtkDataSetAttributes::GhostArrayName());
  for (vtkIdType cell = 0; cell < image->GetNumberOfCells(); ++cell)
  {
    const double x = cell % Side, y = cell / Side % Side, z = cell / (Side * Side);
    ghosts->InsertNextValue(distance({ x, y + 9, z }) < 9 ? flag : 0);
  }
  image->GetCellData()->AddArray(ghosts);
}

vtkSmartPointer<vtkActor> ball(double radius)
{
  vtkNew<vtkSphereSource> source;
  source->SetCenter(14, 14, 14);
  source->SetRadius(radius);
  source->SetThetaResolution(40);
  source->SetPhiResolution(40);
  vtkNew<vtkPolyDataMapper> mapper;
  mapper->SetInputConnection(source->GetOutputPort());
  auto actor = vtkSmartPointer<vtkActor>::New();
  actor->SetMapper(mapper);
  actor->GetProperty()->SetColor(0.3, 0.7, 0.3);
  return actor;
}

void peelLayers(vtkRenderer* renderer)
{
  renderer->UseDepthPeelingOn();
  renderer->SetMaximumNumberOfPeels(20);
  renderer->SetOcclusionRatio(0);
}

void Scene::setContour(vtkVulkanMarchingCubes* filter) const
{
  filter->SetFallback(vtkVulkanMarchingCubes::FALLBACK_ERROR);
  filter->SetNumberOfContours(static_cast<int>(this->isovalues.size()));
  for (std::size_t i = 0; i < this->isovalues.size(); ++i)
    filter->SetValue(static_cast<int>(i), this->isovalues[i]);
  if (this->contour)
    this->contour(filter);
}

void Scene::setMapper(vtkPolyDataMapper* drawing) const
{
  drawing->ScalarVisibilityOff();
  if (this->mapper)
    this->mapper(drawing);
}

void Scene::fill(vtkRenderer* renderer, vtkActor* surface) const
{
  surface->SetProperty(vtkNew<vtkProperty>());
  surface->GetProperty()->SetColor(0.9, 0.6, 0.3);
  if (this->actor)
    this->actor(surface);
  for (vtkProp* prop : propsOf(renderer))
    if (prop != surface || !this->propsBefore.empty())
      renderer->RemoveViewProp(prop);
  for (const auto& prop : this->propsBefore)
    renderer->AddViewProp(prop);
  renderer->AddViewProp(surface); // not a second time
  for (const auto& prop : this->propsAfter)
    renderer->AddViewProp(prop);
  renderer->SetBackground(0.1, 0.2, 0.4);
  renderer->UseDepthPeelingOff();
  placeCamera(renderer, this->image);
  if (this->view)
    this->view(renderer);
}

namespace
{

NamedScene named(const char* name, const std::function<void(Scene&)>& change, double cell = 1)
{
  NamedScene made{ name, Scene(), cell };
  change(made.scene);
  return made;
}

NamedScene withBoundary(const char* name, int boundary)
{
  return named(name, [boundary](Scene& scene)
    { scene.contour = [boundary](vtkVulkanMarchingCubes* filter) { filter->SetBoundary(boundary); }; });
}

NamedScene withView(const char* name, const std::function<void(vtkRenderer*)>& view)
{
  return named(name, [&](Scene& scene) { scene.view = view; });
}

void contourPoints(Scene& scene)
{
  scene.image = imageOf(gyroid, VTK_FLOAT, vtkDataObject::POINT);
  scene.contour = [](vtkVulkanMarchingCubes* filter)
  { filter->SetInputArrayToProcess(0, 0, 0, vtkDataObject::FIELD_ASSOCIATION_POINTS, "samples"); };
}

double gyroidWithHole(const std::array<double, 3>& p)
{
  return distance({ p[0], p[1] + 9, p[2] }) < 9 ? std::numeric_limits<double>::quiet_NaN() : gyroid(p);
}

// The middle of a cavity. The cells are as large in the picture as those of other scenes only some cells away, so the
// camera has a wide angle.
void lookFromInside(vtkRenderer* renderer)
{
  vtkCamera* const camera = renderer->GetActiveCamera();
  camera->SetPosition(12.5, 14.2, 13.7);
  camera->SetFocalPoint(28, 20, 17);
  camera->SetViewAngle(90);
  renderer->ResetCameraClippingRange(0, Side, 0, Side, 0, Side);
}

// Sees the whole image from the other side.
void lookFromBehind(vtkRenderer* renderer)
{
  renderer->GetActiveCamera()->Azimuth(155);
  renderer->GetActiveCamera()->Elevation(-30);
  renderer->ResetCameraClippingRange();
}

void placeActor(vtkActor* actor)
{
  actor->SetOrigin(14, 14, 14);
  actor->SetPosition(3, -2, 1);
  actor->SetOrientation(20, 30, 40);
  actor->SetScale(0.9, 0.7, 1.1);
}

}

std::vector<NamedScene> commonScenes()
{
  const auto flag = [](unsigned char ghost) { return [ghost](Scene& scene) { addGhosts(scene.image, ghost); }; };
  return {
    named("point data", contourPoints),
    named("several isovalues",
      [](Scene& scene) {
        scene.isovalues = { -1.2, 1.1, -0.4 };
      }),
    named(
      "rotated image", [](Scene& scene) { orient(scene.image, false); }, 1.2),
    named(
      "mirrored image", [](Scene& scene) { orient(scene.image, true); }, 1.2),
    named("NaN", [](Scene& scene) { scene.image = imageOf(gyroidWithHole); }),
    named("hidden cells", flag(vtkDataSetAttributes::HIDDENCELL)),
    named("duplicate cells", flag(vtkDataSetAttributes::DUPLICATECELL)),
    withBoundary("extended boundary", vtkVulkanMarchingCubes::BOUNDARY_EXTEND),
    withBoundary("closed boundary", vtkVulkanMarchingCubes::BOUNDARY_CLOSE),
    withView("parallel projection", [](vtkRenderer* renderer) { renderer->GetActiveCamera()->ParallelProjectionOn(); }),
    withView("oblique window", [](vtkRenderer* renderer) { renderer->GetActiveCamera()->SetWindowCenter(0.3, -0.2); }),
    withView("from inside", lookFromInside),
    withView("from behind", lookFromBehind),
    named(
      "placed and scaled actor", [](Scene& scene) { scene.actor = placeActor; }, 1.1),
  };
}

Scene withOtherIsovalues(Scene scene)
{
  for (double& isovalue : scene.isovalues)
    isovalue += 0.15;
  return scene;
}

}
