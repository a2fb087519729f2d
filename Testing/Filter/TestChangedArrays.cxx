// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Arrays whose values change without a call of their Modified(). Only Modified() of the image is called.
#include "FilterTest.h"
#include "FreshFilter.h"
#include "SilentChanges.h"

#include "vtkCellData.h"
#include "vtkDataArray.h"
#include "vtkDataSetAttributes.h"
#include "vtkFloatArray.h"

#include <cmath>
#include <string>

namespace
{

// A smooth field. Another phase changes every value.
double wave(double phase, int i, int j, int k)
{
  return 50 + 45 * std::sin(0.2 * i + phase) * std::cos(0.15 * j + 0.1 * k + 0.5 * phase);
}

void addFloats(vtkImageData* image, const char* name, int components, double phase)
{
  vtkNew<vtkFloatArray> values;
  values->SetName(name);
  values->SetNumberOfComponents(components);
  const int* cells = image->GetDimensions();
  for (int k = 0; k < cells[2] - 1; ++k)
    for (int j = 0; j < cells[1] - 1; ++j)
      for (int i = 0; i < cells[0] - 1; ++i)
        for (int c = 0; c < components; ++c)
          values->InsertNextValue(static_cast<float>(wave(phase + c, i, j, k)));
  image->GetCellData()->AddArray(values);
}

// Hides every cell whose number is a multiple of `distance`.
void addGhosts(vtkImageData* image, int distance)
{
  image->GetCellData()->AddArray(GhostArray(image->GetNumberOfCells(),
    [distance](vtkIdType cell) { return cell % distance == 0 ? vtkDataSetAttributes::HIDDENCELL : 0; }));
}

// A cube with `side` cells per axis. Another number changes every array.
vtkSmartPointer<vtkImageData> imageOf(int side, int number)
{
  auto image = vtkSmartPointer<vtkImageData>::New();
  image->SetDimensions(side + 1, side + 1, side + 1);
  addFloats(image, "samples", 1, number);
  addFloats(image, "pair", 2, number);
  addFloats(image, "other", 1, number + 0.5);
  addGhosts(image, 97 + number);
  return image;
}

struct Case
{
  const char* name;
  const char* contoured;
  const char* changed;
};

void PrintTo(const Case& which, std::ostream* os)
{
  *os << which.name;
}

class ChangedArrays
  : public FilterTest
  , public testing::WithParamInterface<Case>
{
};

}

TEST_P(ChangedArrays, AreReadAgainWhenOnlyTheImageIsModified)
{
  this->Filter->InterpolateAttributesOn();
  this->Filter->SetArrayComponent(0);
  this->Filter->SetInputArrayToProcess(0, 0, 0, vtkDataObject::FIELD_ASSOCIATION_CELLS, GetParam().contoured);
  for (const int side : { 16, 64 }) // 16 KiB and 1 MiB of float
    for (const SilentChange& change : SilentChanges)
    {
      SCOPED_TRACE(std::string(change.name) + ", side " + std::to_string(side));
      const auto image = imageOf(side, 0), other = imageOf(side, 1);
      ASSERT_GT(this->run(image, 50)->GetNumberOfPolys(), 0);
      change.apply(
        image->GetCellData()->GetArray(GetParam().changed), other->GetCellData()->GetArray(GetParam().changed));
      image->Modified();
      this->run(image, 50);
      EXPECT_EQ(DifferenceBetween(this->Filter->GetOutput(), FreshOutput(this->Filter)), "");
    }
}

INSTANTIATE_TEST_SUITE_P(All, ChangedArrays,
  testing::Values(Case{ "Samples", "samples", "samples" }, Case{ "ComponentsOfSamples", "pair", "pair" },
    Case{ "Attributes", "samples", "other" }, Case{ "AttributesOfComponents", "samples", "pair" },
    Case{ "Ghosts", "samples", "vtkGhostType" }),
  [](const auto& info) { return std::string(info.param.name); });
