// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "OutputChanges.h"

#include "vtkCellArray.h"
#include "vtkDataArray.h"
#include "vtkDataSetAttributes.h"
#include "vtkPolyData.h"

void ReplaceCells(vtkPolyData* mesh)
{
  const vtkIdType square[4] = { 0, 1, 2, 3 };
  if (mesh->GetPolys()->GetOffsetsArray()->HasStandardMemoryLayout())
    mesh->GetPolys()->Reset();
  else
    mesh->GetPolys()->UseDefaultStorage(); // that of VTK 9.6 for triangles takes no other cells
  mesh->GetPolys()->InsertNextCell(4, square);
}

void OverwriteArrays(vtkPolyData* mesh)
{
  mesh->GetPoints()->GetData()->Fill(7);
  for (const int association : { vtkDataObject::POINT, vtkDataObject::CELL })
    for (int i = 0; i < mesh->GetAttributes(association)->GetNumberOfArrays(); ++i)
      mesh->GetAttributes(association)->GetArray(i)->Fill(7);
  if (mesh->GetPolys()->GetOffsetsArray()->HasStandardMemoryLayout()) // those of VTK 9.6 are computed
    mesh->GetPolys()->GetOffsetsArray()->Fill(7);
  mesh->GetPolys()->GetConnectivityArray()->Fill(7);
}
