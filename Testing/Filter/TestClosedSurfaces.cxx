// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// With Boundary Close the surface of any volume is closed, also at the border of the domain.
#include "FilterTest.h"
#include "FlyingEdgesReference.h"
#include "RealVolumes.h"

#include "vtkCompositeDataIterator.h"
#include "vtkCompositeDataSet.h"
#include "vtkXMLUniformGridAMRReader.h"

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

using ClosedLeaves = FilterTest;

// The surface of the whole AMR has caps between the leaves, so there is a warning. A finer level replaces all cells of
// a leaf of this AMR, or none.
TEST_F(ClosedLeaves, OfAnAmrUseEachEdgeTwiceInOppositeDirections)
{
  const std::string file = AmrFile();
  if (file.empty())
    GTEST_SKIP() << "amr is not in the folder that VMC_VOLUME_FILES names.";
  vtkNew<vtkXMLUniformGridAMRReader> reader;
  reader->SetFileName(file.c_str());
  reader->SetMaximumLevelsToReadByDefault(0); // all
  this->Filter->SetInputConnection(reader->GetOutputPort());
  this->Filter->SetInputArrayToProcess(0, 0, 0, vtkDataObject::FIELD_ASSOCIATION_CELLS, "Fractal Volume Fraction");
  this->Filter->SetBoundary(vtkVulkanMarchingCubes::BOUNDARY_CLOSE);
  this->Filter->JoinBlocksOff();
  for (const double isovalue : { 0.3, 0.5, 1.0 })
  {
    SCOPED_TRACE(isovalue);
    this->Filter->SetValue(0, isovalue);
    this->Filter->Update();
    auto* const output = vtkCompositeDataSet::SafeDownCast(this->Filter->GetOutputDataObject(0));
    ASSERT_NE(output, nullptr);
    int surfaces = 0, empty = 0;
    const auto leaf = vtk::TakeSmartPointer(output->NewIterator());
    for (leaf->InitTraversal(); !leaf->IsDoneWithTraversal(); leaf->GoToNextItem())
    {
      auto* const mesh = vtkPolyData::SafeDownCast(leaf->GetCurrentDataObject());
      ASSERT_NE(mesh, nullptr);
      const bool isEmpty = mesh->GetNumberOfPolys() == 0;
      ++(isEmpty ? empty : surfaces);
      if (!isEmpty)
        expectClosed(mesh);
    }
    EXPECT_GT(surfaces, 1);
    EXPECT_EQ(surfaces + empty, 81); // 1 + 8 + 40 + 32 on four levels
  }
  EXPECT_EQ(this->warnings().size(), 3u); // one per execution
  EXPECT_TRUE(this->errors().empty());
}
