// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The filter's output in filters and writers of VTK. Expected is what they make of the same mesh as any source of VTK
// makes it: with points and cells that are inserted one by one.
#include "DownstreamUses.h"
#include "FilterTest.h"

#include "vtkCellArray.h"
#include "vtkCellData.h"
#include "vtkIdList.h"
#include "vtkPointData.h"
#include "vtkSMPTools.h"
#include "vtkVersionMacros.h"

#include <set>
#include <string>

class Downstream : public FilterTest
{
protected:
  // Two nested balls, with all arrays.
  vtkPolyData* output()
  {
    this->Filter->ComputeGradientsOn();
    this->Filter->ComputeSampleIdsOn();
    this->Filter->SetValue(1, 30);
    return this->run(CellImage({ 24, 24, 24 }, VTK_FLOAT, Ball()), 50);
  }

  static vtkSmartPointer<vtkPolyData> insertedOneByOne(vtkPolyData* mesh)
  {
    vtkNew<vtkPoints> points;
    for (vtkIdType i = 0; i < mesh->GetNumberOfPoints(); ++i)
      points->InsertNextPoint(mesh->GetPoint(i));
    vtkNew<vtkCellArray> triangles;
    vtkNew<vtkIdList> ids;
    for (vtkIdType i = 0; i < mesh->GetNumberOfPolys(); ++i)
    {
      mesh->GetPolys()->GetCellAtId(i, ids);
      triangles->InsertNextCell(ids);
    }
    auto plain = vtkSmartPointer<vtkPolyData>::New();
    plain->SetPoints(points);
    plain->SetPolys(triangles);
    plain->GetPointData()->DeepCopy(mesh->GetPointData());
    plain->GetCellData()->DeepCopy(mesh->GetCellData());
    plain->GetFieldData()->DeepCopy(mesh->GetFieldData());
    return plain;
  }

  // The names of the uses in which the mesh gives other contents than when inserted one by one. They run on one thread:
  // the last digits of VTK 9.6's sums over cells depend on how threads share the cells.
  static std::set<std::string> differing(vtkPolyData* mesh)
  {
    const vtkSmartPointer<vtkPolyData> plain = insertedOneByOne(mesh);
    std::set<std::string> names;
    vtkSMPTools::LocalScope(vtkSMPTools::Config(std::string("Sequential")),
      [&]
      {
        for (const DownstreamUse& use : DownstreamUses())
        {
          const std::string expected = use.contents(plain);
          EXPECT_GE(expected.size(), 2 * sizeof(double)) << use.name << " gives nothing";
          if (use.contents(mesh) != expected)
            names.insert(use.name);
        }
      });
    return names;
  }
};

// These hold two cells at once: the reason for 64 bits. Files of VTK's own formats tell the width.
TEST_F(Downstream, KnownFiltersOfVtkFailWithIdsOf32Bits)
{
  this->Filter->SetOutputIds(vtkVulkanMarchingCubes::IDS_32_BIT);
  std::set<std::string> expected = { "vtkMultiObjectMassProperties", "vtkSmoothPolyDataFilter, feature edges",
    "vtkPolyDataWriter", "vtkXMLPolyDataWriter" };
#if VTK_VERSION_NUMBER < VTK_VERSION_CHECK(9, 3, 0)
  expected.insert({ "vtkLoopSubdivisionFilter", "vtkButterflySubdivisionFilter", "vtkLinearSubdivisionFilter" });
#endif
  EXPECT_EQ(differing(this->output()), expected);
}

TEST_F(Downstream, FiltersAndWritersOfVtkGiveWhatTheyGiveOfItsOwnMeshes)
{
  EXPECT_GE(DownstreamUses().size(), 40u);
  EXPECT_EQ(differing(this->output()), std::set<std::string>());
}
