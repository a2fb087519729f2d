// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Surfaces without some of their regions, and measured ones.
#include "RenderingTest.h"

#include "vtkDoubleArray.h"
#include "vtkNew.h"
#include "vtkVulkanMarchingCubes.h"

#include <algorithm>
#include <cmath>

namespace vmc::test
{

class MapperRegions : public RenderingTest
{
protected:
  // A ball of radius 8, and four of radius 4 around it.
  static Scene balls()
  {
    Scene scene;
    scene.image = imageOf(
      [](const std::array<double, 3>& at)
      {
        const auto ball = [&](double x, double y, double z, double radius)
        { return radius - std::sqrt(std::pow(at[0] - x, 2) + std::pow(at[1] - y, 2) + std::pow(at[2] - z, 2)); };
        return std::max(
          { ball(14, 14, 14, 8), ball(5, 5, 5, 4), ball(22, 5, 22, 4), ball(5, 22, 22, 4), ball(22, 22, 5, 4) });
      });
    scene.isovalues = { 0 };
    return scene;
  }
  static Scene largestBall()
  {
    Scene scene = balls();
    scene.contour = [](vtkVulkanMarchingCubes* filter)
    { filter->SetKeepRegions(vtkVulkanMarchingCubes::KEEP_LARGEST); };
    return scene;
  }
};

TEST_F(MapperRegions, ArePartOfThePicture)
{
  const Picture whole = this->reference(balls()), largest = this->reference(largestBall());
  expectDifferent(largest, whole);
  for (const int path : { vtkVulkanIsosurfaceMapper::DEVICE_MEMORY, vtkVulkanIsosurfaceMapper::POLY_DATA })
  {
    const auto mapper = makeMapper(largestBall(), path);
    expectSame(this->draw(largestBall(), mapper), largest);
    mapper->GetContour()->SetKeepRegions(vtkVulkanMarchingCubes::KEEP_ALL);
    expectSame(drawAgain(this->MainWindow.get()), whole);
    mapper->GetContour()->SetKeepRegions(vtkVulkanMarchingCubes::KEEP_LARGEST);
    expectSame(drawAgain(this->MainWindow.get()), largest);
  }
}

TEST_F(MapperRegions, AreDrawnWithTriangles)
{
  const auto mapper = makeMapper(largestBall());
  mapper->SetSurfaceMode(vtkVulkanIsosurfaceMapper::ONLY_RAYS);
  expectSame(this->draw(largestBall(), mapper), this->reference(largestBall()));
  EXPECT_CONTAINS(std::string(mapper->GetDrawnByText()), "regions");
}

TEST_F(MapperRegions, MeasuresAreThoseOfTheFilter)
{
  const Scene scene = balls();
  vtkNew<vtkVulkanMarchingCubes> filter;
  scene.setContour(filter);
  filter->SetInputData(scene.image);
  filter->ComputeMeasuresOn();
  const auto mapper = makeMapper(scene);
  mapper->GetContour()->ComputeMeasuresOn();
  for (const double isovalue : { 0.0, 1.0 })
  {
    filter->SetValue(0, isovalue);
    filter->Update();
    mapper->GetContour()->SetValue(0, isovalue);
    this->draw(scene, mapper);
    vtkDoubleArray* const area = mapper->GetContour()->GetSurfaceArea();
    ASSERT_EQ(area->GetNumberOfTuples(), 1);
    EXPECT_NEAR(area->GetValue(0), filter->GetSurfaceArea()->GetValue(0), 1e-6 * area->GetValue(0));
    EXPECT_EQ(mapper->GetContour()->GetOpenEdges()->GetValue(0), 0);
    EXPECT_EQ(mapper->GetContour()->GetVolumeAbove()->GetValue(0), filter->GetVolumeAbove()->GetValue(0));
    EXPECT_EQ(mapper->GetContour()->GetShareOfDomain()->GetValue(0), filter->GetShareOfDomain()->GetValue(0));
  }
  mapper->GetContour()->ComputeMeasuresOff();
  this->draw(scene, mapper);
  EXPECT_EQ(mapper->GetContour()->GetSurfaceArea()->GetNumberOfTuples(), 0);
}

}
