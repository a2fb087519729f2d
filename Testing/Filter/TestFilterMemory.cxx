// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The memory of the output: it outlives the filter, is reused, and may be written to.
#include "FilterTest.h"
#include "FreshFilter.h"
#include "OutputChanges.h"

#include "vtkCellArray.h"
#include "vtkDataArray.h"
#include "vtkPointData.h"

#include <set>
#include <string>

class FilterMemory : public FilterTest
{
protected:
  const vtkSmartPointer<vtkImageData> Image = CellImage({ 24, 24, 24 }, VTK_FLOAT, Ball());

  static std::set<void*> memoryOf(vtkPolyData* mesh)
  {
    std::set<void*> memory;
    for (vtkDataArray* array :
      { mesh->GetPoints()->GetData(), mesh->GetPointData()->GetNormals(), mesh->GetPointData()->GetScalars(),
        mesh->GetPolys()->GetConnectivityArray(), mesh->GetPolys()->GetOffsetsArray() })
      if (array->HasStandardMemoryLayout()) // offsets of VTK 9.6 are computed
        memory.insert(array->GetVoidPointer(0));
    return memory;
  }

  static void expectOffsetsOfTriangles(vtkPolyData* mesh)
  {
    vtkDataArray* offsets = mesh->GetPolys()->GetOffsetsArray();
    ASSERT_EQ(offsets->GetNumberOfValues(), mesh->GetNumberOfPolys() + 1);
    for (vtkIdType i = 0; i < offsets->GetNumberOfValues(); ++i)
      ASSERT_EQ(offsets->GetTuple1(i), 3 * i);
  }
};

TEST_F(FilterMemory, OutputOutlivesTheFilter)
{
  auto filter = vtkSmartPointer<vtkVulkanMarchingCubes>::New();
  filter->SetInputData(this->Image);
  filter->SetValue(0, 50);
  filter->Update();
  const vtkSmartPointer<vtkPolyData> mesh = filter->GetOutput();
  const std::string bytes = BytesOf(mesh);
  filter = nullptr;
  EXPECT_TRUE(BytesOf(mesh) == bytes);
  expectOffsetsOfTriangles(mesh);
}

// The CPU also has blocks that are not part of the output, and the pool may exchange them with those of the output.
TEST_F(FilterMemory, TheNextRunUsesTheSameMemory)
{
  const int runs = IsRunOnCpu() ? 4 : 1; // until the pool is full
  std::set<void*> memory;
  for (int run = 0; run < runs + 4; ++run)
  {
    this->Filter->Modified();
    for (void* const block : memoryOf(this->run(this->Image, 50)))
    {
      const bool isNew = memory.insert(block).second;
      EXPECT_FALSE(isNew && run >= runs) << "run " << run;
    }
  }
}

TEST_F(FilterMemory, ACopyKeepsItsValuesWhenTheFilterRunsAgain)
{
  vtkPolyData* mesh = this->run(this->Image, 50);
  const std::string bytes = BytesOf(mesh);
  vtkNew<vtkPolyData> shallow, deep;
  shallow->ShallowCopy(mesh);
  deep->DeepCopy(mesh);
  this->run(this->Image, 30); // a larger surface
  EXPECT_FALSE(BytesOf(this->Filter->GetOutput()) == bytes);
  for (vtkPolyData* copy : { shallow.Get(), deep.Get() })
  {
    EXPECT_TRUE(BytesOf(copy) == bytes);
    expectOffsetsOfTriangles(copy);
  }
}

TEST_F(FilterMemory, OutputsThatExistTogetherShareNoMemory)
{
  vtkNew<vtkPolyData> first;
  first->ShallowCopy(this->run(this->Image, 30));
  const std::set<void*> memory = memoryOf(first);
  for (void* const block : memoryOf(this->run(this->Image, 70)))
    EXPECT_EQ(memory.count(block), 0u);
}

TEST_F(FilterMemory, WritingIntoAnOutputChangesNoOther)
{
  vtkNew<vtkVulkanMarchingCubes> other;
  other->SetInputData(this->Image);
  vtkNew<vtkPolyData> kept, copy;
  kept->ShallowCopy(this->run(this->Image, 50));
  copy->DeepCopy(kept);
  for (void (*const change)(vtkPolyData*) : { ReplaceCells, OverwriteArrays })
  {
    change(this->run(this->Image, 70));
    EXPECT_EQ(DifferenceBetween(kept, copy), "");
    for (vtkVulkanMarchingCubes* filter : { this->Filter.Get(), other.Get() })
    {
      filter->SetValue(0, 60);
      filter->Modified();
      filter->Update();
      EXPECT_EQ(DifferenceBetween(filter->GetOutput(), FreshOutput(filter)), "");
      change(filter->GetOutput());
    }
  }
}

TEST_F(FilterMemory, AppendingToAnOutputChangesNoOther)
{
  vtkNew<vtkPolyData> first, copy;
  first->ShallowCopy(this->run(this->Image, 50));
  copy->DeepCopy(first);
  vtkPolyData* second = this->run(this->Image, 70);
  const vtkIdType triangles = second->GetNumberOfPolys();
  const vtkIdType triangle[3] = { 0, 1, 2 };
  second->GetPolys()->InsertNextCell(3, triangle);
  second->GetPolys()->InsertNextCell(3, triangle);
  EXPECT_EQ(second->GetPolys()->GetNumberOfCells(), triangles + 2);
  expectOffsetsOfTriangles(second);
  EXPECT_EQ(DifferenceBetween(first, copy), "");
  this->Filter->Modified();
  expectOffsetsOfTriangles(this->run(this->Image, 30));
}

TEST_F(FilterMemory, ArraysOfTheOutputCanGrowShrinkAndBeInitialized)
{
  vtkPolyData* mesh = this->run(this->Image, 50);
  vtkDataArray* normals = mesh->GetPointData()->GetNormals();
  const double first = normals->GetComponent(0, 0);
  normals->InsertNextTuple3(1, 2, 3);
  EXPECT_EQ(normals->GetComponent(0, 0), first);
  EXPECT_EQ(normals->GetComponent(mesh->GetNumberOfPoints(), 2), 3);
  mesh->GetPoints()->GetData()->Resize(2);
  mesh->GetPointData()->GetScalars()->Initialize();
  mesh->GetPolys()->GetOffsetsArray()->Initialize();
  mesh->GetPolys()->GetOffsetsArray()->InsertNextTuple1(7);
  this->Filter->Modified();
  expectOffsetsOfTriangles(this->run(this->Image, 50));
  EXPECT_EQ(this->Filter->GetOutput()->GetPointData()->GetScalars()->GetTuple1(0), 50);
}

TEST_F(FilterMemory, RepeatedRunsGiveTheSameBytesInReusedMemory)
{
  this->Filter->ComputeSampleIdsOn();
  this->Filter->ComputeGradientsOn();
  this->Filter->SetOutputPointsPrecision(vtkAlgorithm::DOUBLE_PRECISION);
  const std::string bytes = BytesOf(this->run(this->Image, 50));
  for (const double other : { 20.0, 80.0, 50.1, 200.0 })
  {
    this->run(this->Image, other);
    EXPECT_TRUE(BytesOf(this->run(this->Image, 50)) == bytes);
    expectOffsetsOfTriangles(this->Filter->GetOutput());
  }
}
