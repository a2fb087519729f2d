// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Pictures with each property of the actor.
#include "RenderingTest.h"

#include "vtkCamera.h"
#include "vtkProperty.h"

namespace vmc::test
{

namespace
{

// So close that triangles have tens of pixels, for lines and points. isOnlyPolyData: see Scene.
Scene closeUp(bool isOnlyPolyData = false)
{
  Scene scene;
  scene.view = [](vtkRenderer* renderer) { renderer->GetActiveCamera()->Zoom(5); };
  scene.isOnlyPolyData = isOnlyPolyData;
  return scene;
}

}

class PictureOfProperty : public PictureTest
{
protected:
  // The picture with the property, which is not that without it.
  void expectPictureWith(const std::function<void(vtkProperty*)>& set, Scene scene = {})
  {
    const Scene without = scene;
    scene.actor = [set](vtkActor* actor) { set(actor->GetProperty()); };
    this->expectPictureOf(scene, without);
  }
};
INSTANTIATE_PICTURES(PictureOfProperty);

TEST_P(PictureOfProperty, OneColor)
{
  this->expectPictureWith([](vtkProperty* property) { property->SetColor(0.3, 0.8, 0.4); });
}

TEST_P(PictureOfProperty, AmbientDiffuseAndSpecularLight)
{
  this->expectPictureWith(
    [](vtkProperty* property)
    {
      property->SetAmbient(0.3);
      property->SetAmbientColor(0.1, 0.2, 0.9);
      property->SetDiffuse(0.5);
      property->SetDiffuseColor(0.9, 0.3, 0.1);
      property->SetSpecular(0.8);
      property->SetSpecularColor(1, 1, 0.5);
      property->SetSpecularPower(20);
    });
}

TEST_P(PictureOfProperty, NoLighting)
{
  this->expectPictureWith([](vtkProperty* property) { property->LightingOff(); });
}

TEST_P(PictureOfProperty, FlatInterpolation)
{
  this->expectPictureWith([](vtkProperty* property) { property->SetInterpolationToFlat(); });
}

TEST_P(PictureOfProperty, PhysicallyBasedShading)
{
  this->expectPictureWith(
    [](vtkProperty* property)
    {
      property->SetInterpolationToPBR();
      property->SetMetallic(0.4);
      property->SetRoughness(0.3);
    });
}

TEST_P(PictureOfProperty, SurfaceWithoutNormals)
{
  Scene scene;
  scene.contour = [](vtkVulkanMarchingCubes* filter) { filter->ComputeNormalsOff(); };
  this->expectPictureOf(scene, Scene());
}

TEST_P(PictureOfProperty, PointsOfTheirOwnForEachTriangle)
{
  Scene scene;
  scene.contour = [](vtkVulkanMarchingCubes* filter) { filter->MergePointsOff(); };
  this->expectPictureOf(scene);
}

TEST_P(PictureOfProperty, Edges)
{
  this->expectPictureWith(
    [](vtkProperty* property)
    {
      property->EdgeVisibilityOn();
      property->SetEdgeColor(0.1, 0, 0.3);
    },
    closeUp());
}

TEST_P(PictureOfProperty, ThickEdges)
{
  this->expectPictureWith(
    [](vtkProperty* property)
    {
      property->EdgeVisibilityOn();
      property->SetLineWidth(3);
    },
    closeUp());
}

TEST_P(PictureOfProperty, BackFaceCulling)
{
  this->expectPictureWith([](vtkProperty* property) { property->BackfaceCullingOn(); });
}

TEST_P(PictureOfProperty, FrontFaceCulling)
{
  this->expectPictureWith([](vtkProperty* property) { property->FrontfaceCullingOn(); });
}

TEST_P(PictureOfProperty, BackFaceProperty)
{
  Scene scene;
  scene.actor = [](vtkActor* actor)
  {
    vtkNew<vtkProperty> back;
    back->SetColor(0.2, 0.5, 1);
    actor->SetBackfaceProperty(back);
  };
  this->expectPictureOf(scene, Scene());
}

TEST_P(PictureOfProperty, Wireframe)
{
  this->expectPictureWith([](vtkProperty* property) { property->SetRepresentationToWireframe(); }, closeUp(true));
}

TEST_P(PictureOfProperty, Points)
{
  this->expectPictureWith(
    [](vtkProperty* property)
    {
      property->SetRepresentationToPoints();
      property->SetPointSize(4);
    },
    closeUp(true));
}

TEST_P(PictureOfProperty, EdgesAndVertices)
{
  Scene edges = closeUp(true), vertices = edges; // vertices are points
  edges.actor = [](vtkActor* actor) { actor->GetProperty()->EdgeVisibilityOn(); };
  vertices.actor = [](vtkActor* actor)
  {
    actor->GetProperty()->EdgeVisibilityOn();
    actor->GetProperty()->VertexVisibilityOn();
    actor->GetProperty()->SetVertexColor(1, 0.2, 0);
    actor->GetProperty()->SetPointSize(5);
  };
  this->expectPictureOf(vertices, edges);
}

// The representation changes to and fro with one mapper.
TEST_P(PictureOfProperty, SurfaceAfterAWireframe)
{
  const Scene surface;
  Scene wireframe;
  wireframe.actor = [](vtkActor* actor) { actor->GetProperty()->SetRepresentationToWireframe(); };
  const Picture expected = this->reference(wireframe);
  const auto mapper = makeMapper(surface);
  const Picture first = this->draw(surface, mapper);
  expectPath(mapper);
  expectSame(this->draw(wireframe, mapper), expected);
  expectPath(mapper, vtkVulkanIsosurfaceMapper::POLY_DATA);
  expectEqual(this->draw(surface, mapper), first);
  expectPath(mapper);
}

}
