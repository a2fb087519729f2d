// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The bounds of the mapper are those of the image, without any extraction.
#include "RenderingTest.h"

#include "vtkMath.h"
#include "vtkTrivialProducer.h"

namespace vmc::test
{

namespace
{

void expectBoundsOf(vtkImageData* image, vtkVulkanIsosurfaceMapper* mapper)
{
  double expected[6];
  image->GetBounds(expected);
  for (int i = 0; i < 6; ++i)
    EXPECT_EQ(mapper->GetBounds()[i], expected[i]) << "bound " << i;
}

}

class MapperBounds : public RenderingTest
{
};

TEST_F(MapperBounds, AreThoseOfTheImage)
{
  const Scene scene;
  const auto mapper = makeMapper(scene);
  expectBoundsOf(scene.image, mapper);
  EXPECT_EQ(mapper->GetBounds()[1], Side);
  EXPECT_EQ(mapper->GetDrawnBy(), vtkVulkanIsosurfaceMapper::NOT_DRAWN);
  EXPECT_EQ(mapper->GetNumberOfPoints(), 0);
  EXPECT_EQ(mapper->GetNumberOfTriangles(), 0);
}

TEST_F(MapperBounds, HonourTheDirectionMatrix)
{
  const Scene scene;
  scene.image->SetOrigin(5, 6, 7);
  scene.image->SetDirectionMatrix(0, -1, 0, 1, 0, 0, 0, 0, -1);
  const auto mapper = makeMapper(scene);
  expectBoundsOf(scene.image, mapper);
  EXPECT_EQ(mapper->GetBounds()[0], 5 - Side);
}

TEST_F(MapperBounds, FollowTheImage)
{
  const Scene scene;
  const auto mapper = makeMapper(scene);
  expectBoundsOf(scene.image, mapper);
  scene.image->SetSpacing(1, 2, 3);
  expectBoundsOf(scene.image, mapper);
  const Scene other;
  other.image->SetOrigin(-9, 0, 0);
  mapper->SetInputData(other.image);
  expectBoundsOf(other.image, mapper);
}

TEST_F(MapperBounds, AreThoseOfTheProducersImage)
{
  const Scene scene;
  vtkNew<vtkTrivialProducer> producer;
  producer->SetOutput(scene.image);
  vtkNew<vtkVulkanIsosurfaceMapper> mapper;
  mapper->SetInputConnection(producer->GetOutputPort());
  expectBoundsOf(scene.image, mapper);
  EXPECT_EQ(mapper->GetContouredData(), scene.image);
}

TEST_F(MapperBounds, AreUninitializedWithoutAnImage)
{
  vtkNew<vtkVulkanIsosurfaceMapper> mapper;
  EXPECT_FALSE(vtkMath::AreBoundsInitialized(mapper->GetBounds()));
  EXPECT_EQ(mapper->GetContouredData(), nullptr);
}

TEST_F(MapperBounds, DoNotDependOnTheSurface)
{
  Scene scene;
  scene.isovalues = { 100 }; // no surface
  const auto mapper = makeMapper(scene);
  this->draw(scene, mapper);
  expectBoundsOf(scene.image, mapper);
}

}
