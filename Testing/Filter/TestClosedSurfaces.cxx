// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// With Boundary Close the surface of any volume is closed, also at the border of the domain.
#include "FilterTest.h"
#include "FlyingEdgesReference.h"
#include "RealVolumes.h"

namespace
{

class ClosedSurfaces
  : public FilterTest
  , public testing::WithParamInterface<RealVolume>
{
protected:
  void SetUp() override
  {
    FilterTest::SetUp();
    this->Filter->SetBoundary(vtkVulkanMarchingCubes::BOUNDARY_CLOSE);
  }
};

// Expects that two triangles use each edge, once in each direction, and that the windings face outward. The triangles
// in the four cells around a grid edge form one fan around its point, so every component of the surface has the Euler
// characteristic 2 - 2 * genus.
void expectClosed(vtkPolyData* mesh)
{
  MeshCopy copy;
  const vmc::test::MeshView view = ViewOf(mesh, copy);
  const vmc::test::EdgeUse use = vmc::test::edgeUseOf(view);
  EXPECT_EQ(use.border, 0u);
  EXPECT_EQ(use.doubled, 0u);
  EXPECT_EQ(use.overused, 0u);
  EXPECT_EQ(2 * use.edges, 3 * view.triangleCount);
  EXPECT_EQ(vmc::test::unreferencedPoints(view), 0u);
  EXPECT_EQ(vmc::test::degenerateTriangles(view), 0u);
  EXPECT_EQ(vmc::test::eulerCharacteristicOf(view) % 2, 0);
  EXPECT_GT(vmc::test::signedVolumeOf(view), 0);
}

std::string nameOf(const testing::TestParamInfo<RealVolume>& info)
{
  return NameOf(info.param);
}

}

TEST_P(ClosedSurfaces, UseEachEdgeTwiceInOppositeDirections)
{
  std::string whyNot;
  const vtkSmartPointer<vtkImageData> image = LoadRealVolume(GetParam(), whyNot);
  if (!image)
    GTEST_SKIP() << whyNot;
  for (const double isovalue : GetParam().isovalues)
  {
    SCOPED_TRACE(isovalue);
    vtkPolyData* mesh = this->run(image, isovalue);
    ASSERT_GT(mesh->GetNumberOfPolys(), 0);
    expectClosed(mesh);
  }
}

INSTANTIATE_TEST_SUITE_P(All, ClosedSurfaces, testing::ValuesIn(RealVolumes()), nameOf);

using ClosedBlocks = FilterTest;

TEST_F(ClosedBlocks, OfAnAmrUseEachEdgeTwiceInOppositeDirections)
{
  const std::vector<RealVolume> blocks = AmrBlocks();
  if (blocks.empty())
    GTEST_SKIP() << "amr is not in the folder that VMC_VOLUME_FILES names.";
  this->Filter->SetBoundary(vtkVulkanMarchingCubes::BOUNDARY_CLOSE);
  vtkIdType triangles = 0;
  for (const RealVolume& block : blocks)
    for (const double isovalue : block.isovalues)
    {
      SCOPED_TRACE(block.file + " at " + std::to_string(isovalue));
      std::string whyNot;
      const vtkSmartPointer<vtkImageData> image = LoadRealVolume(block, whyNot);
      ASSERT_NE(image, nullptr) << whyNot;
      vtkPolyData* mesh = this->run(image, isovalue);
      triangles += mesh->GetNumberOfPolys();
      if (mesh->GetNumberOfPolys() != 0)
        expectClosed(mesh);
    }
  EXPECT_GT(triangles, 0);
}
