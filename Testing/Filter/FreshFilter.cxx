// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "FreshFilter.h"

#include "FilterTest.h"

#include "vtkCellArray.h"
#include "vtkCellData.h"
#include "vtkCompositeDataIterator.h"
#include "vtkCompositeDataSet.h"
#include "vtkDataArray.h"
#include "vtkPointData.h"
#include "vtkPolyData.h"

#include <algorithm>

void CopySettings(vtkVulkanMarchingCubes* from, vtkVulkanMarchingCubes* to)
{
  to->SetInputArrayToProcess(0, from->GetInputArrayInformation(0));
  to->SetNumberOfContours(static_cast<int>(from->GetNumberOfContours()));
  for (int i = 0; i < from->GetNumberOfContours(); ++i)
    to->SetValue(i, from->GetValue(i));
  to->SetComputeNormals(from->GetComputeNormals());
  to->SetComputeGradients(from->GetComputeGradients());
  to->SetComputeSampleIds(from->GetComputeSampleIds());
  to->SetComputeScalars(from->GetComputeScalars());
  to->SetArrayComponent(from->GetArrayComponent());
  to->SetBoundary(from->GetBoundary());
  to->SetJoinBlocks(from->GetJoinBlocks());
  to->SetOutputPointsPrecision(from->GetOutputPointsPrecision());
  to->SetInterpolateAttributes(from->GetInterpolateAttributes());
  to->SetMergePoints(from->GetMergePoints());
  to->SetOutputIds(from->GetOutputIds());
  to->SetDevice(from->GetDevice());
  to->SetMemoryLimit(from->GetMemoryLimit());
  to->SetFallback(from->GetFallback());
}

vtkSmartPointer<vtkDataObject> FreshOutput(vtkVulkanMarchingCubes* filter)
{
  vtkDataObject* input = filter->GetInputDataObject(0, 0);
  const auto copy = vtkSmartPointer<vtkDataObject>::Take(input->NewInstance());
  copy->DeepCopy(input);
  vtkNew<vtkVulkanMarchingCubes> fresh;
  CopySettings(filter, fresh);
  fresh->SetInputDataObject(copy);
  fresh->Update();
  return fresh->GetOutputDataObject(0);
}

namespace
{

std::string shapeOf(vtkDataArray* array)
{
  return std::to_string(array->GetNumberOfTuples()) + " tuples of " + std::to_string(array->GetNumberOfComponents()) +
         " " + array->GetDataTypeAsString();
}

std::string differenceOfArrays(const std::string& name, vtkDataArray* found, vtkDataArray* expected)
{
  if (!found || !expected)
    return found == expected ? "" : name + (found ? " is not expected." : " is missing.");
  if (shapeOf(found) != shapeOf(expected))
    return name + " has " + shapeOf(found) + " instead of " + shapeOf(expected) + ".";
  const std::string a = BytesOf(found), b = BytesOf(expected);
  if (a == b)
    return "";
  const auto byte = std::mismatch(a.begin(), a.end(), b.begin()).first - a.begin();
  const vtkIdType value = byte / found->GetDataTypeSize();
  const vtkIdType tuple = value / found->GetNumberOfComponents();
  const int component = static_cast<int>(value % found->GetNumberOfComponents());
  return name + ", tuple " + std::to_string(tuple) + " of " + std::to_string(found->GetNumberOfTuples()) +
         ", component " + std::to_string(component) + " is " + std::to_string(found->GetComponent(tuple, component)) +
         " instead of " + std::to_string(expected->GetComponent(tuple, component)) + ".";
}

std::string differenceOfActive(const std::string& name, vtkDataArray* found, vtkDataArray* expected)
{
  const std::string a = found ? found->GetName() : "none", b = expected ? expected->GetName() : "none";
  return a == b ? "" : "The active " + name + " are " + a + " instead of " + b + ".";
}

std::string differenceOfAttributes(
  const std::string& elements, vtkDataSetAttributes* found, vtkDataSetAttributes* expected)
{
  std::string difference;
  for (vtkDataSetAttributes* names : { found, expected }) // an array may be in one of them only
    for (int i = 0; i < names->GetNumberOfArrays() && difference.empty(); ++i)
    {
      const char* name = names->GetArrayName(i);
      difference =
        differenceOfArrays(elements + " array \"" + name + "\"", found->GetArray(name), expected->GetArray(name));
    }
  if (difference.empty())
    difference = differenceOfActive("scalars", found->GetScalars(), expected->GetScalars());
  if (difference.empty())
    difference = differenceOfActive("normals", found->GetNormals(), expected->GetNormals());
  return difference;
}

std::string differenceOfMeshes(vtkPolyData* found, vtkPolyData* expected)
{
  const auto points = [](vtkPolyData* mesh) { return mesh->GetPoints() ? mesh->GetPoints()->GetData() : nullptr; };
  std::string difference = differenceOfArrays("Points", points(found), points(expected));
  if (difference.empty())
    difference =
      differenceOfArrays("Offsets", found->GetPolys()->GetOffsetsArray(), expected->GetPolys()->GetOffsetsArray());
  if (difference.empty())
    difference = differenceOfArrays(
      "Connectivity", found->GetPolys()->GetConnectivityArray(), expected->GetPolys()->GetConnectivityArray());
  if (difference.empty())
    difference = differenceOfAttributes("Point", found->GetPointData(), expected->GetPointData());
  if (difference.empty())
    difference = differenceOfAttributes("Cell", found->GetCellData(), expected->GetCellData());
  return difference;
}

std::string differenceOfLeaves(vtkCompositeDataSet* found, vtkCompositeDataSet* expected)
{
  const auto leaf = vtkSmartPointer<vtkCompositeDataIterator>::Take(expected->NewIterator());
  leaf->SkipEmptyNodesOff();
  std::string difference;
  for (leaf->InitTraversal(); !leaf->IsDoneWithTraversal() && difference.empty(); leaf->GoToNextItem())
    difference = DifferenceBetween(found->GetDataSet(leaf), expected->GetDataSet(leaf));
  return difference.empty() ? "" : "Leaf " + std::to_string(leaf->GetCurrentFlatIndex() - 1) + ": " + difference;
}

}

std::string DifferenceBetween(vtkDataObject* found, vtkDataObject* expected)
{
  if (!found || !expected)
    return found == expected ? "" : found ? "There is an output that is not expected." : "There is no output.";
  if (found->GetDataObjectType() != expected->GetDataObjectType())
    return std::string("The output is a ") + found->GetClassName() + " instead of a " + expected->GetClassName() + ".";
  if (vtkCompositeDataSet* composite = vtkCompositeDataSet::SafeDownCast(expected))
    return differenceOfLeaves(vtkCompositeDataSet::SafeDownCast(found), composite);
  return differenceOfMeshes(vtkPolyData::SafeDownCast(found), vtkPolyData::SafeDownCast(expected));
}
