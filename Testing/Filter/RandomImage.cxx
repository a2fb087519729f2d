// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "RandomImage.h"

#include "vtkDataSetAttributes.h"

#include <limits>

namespace
{

constexpr int AllTypes[] = { VTK_SIGNED_CHAR, VTK_UNSIGNED_CHAR, VTK_SHORT, VTK_UNSIGNED_SHORT, VTK_INT,
  VTK_UNSIGNED_INT, VTK_LONG_LONG, VTK_UNSIGNED_LONG_LONG, VTK_FLOAT, VTK_DOUBLE };

vtkSmartPointer<vtkDataArray> emptyArray(const char* name, int type, int components, vtkIdType tuples)
{
  const auto array = vtkSmartPointer<vtkDataArray>::Take(vtkDataArray::CreateDataArray(type));
  array->SetName(name);
  array->SetNumberOfComponents(components);
  array->SetNumberOfTuples(tuples);
  return array;
}

// The first quarter has one kind of ghost, other elements have random ones. A kind that is defined for cells only has
// no effect on points, and the other way round.
void fillGhosts(RandomNumbers& random, vtkDataArray* ghosts)
{
  constexpr int Kinds[] = { 0, vtkDataSetAttributes::DUPLICATECELL, vtkDataSetAttributes::HIDDENPOINT,
    vtkDataSetAttributes::REFINEDCELL, vtkDataSetAttributes::HIDDENCELL };
  const int first = random.anyOf(Kinds);
  const int distance = 1 + random.below(40);
  const vtkIdType count = ghosts->GetNumberOfTuples();
  for (vtkIdType i = 0; i < count; ++i)
    ghosts->SetTuple1(i, i < count / 4 ? first : random.oneIn(distance) ? random.anyOf(Kinds) : 0);
}

// The first part is constant and has no surface. The rest is noise.
void fillSamples(RandomNumbers& random, vtkDataArray* samples)
{
  const vtkIdType quiet = samples->GetNumberOfTuples() * random.below(4) / 4;
  const bool canBeNan = samples->GetDataType() == VTK_FLOAT || samples->GetDataType() == VTK_DOUBLE;
  const bool hasNan = canBeNan && random.oneIn(3);
  for (vtkIdType i = 0; i < samples->GetNumberOfTuples(); ++i)
    for (int c = 0; c < samples->GetNumberOfComponents(); ++c)
    {
      const double value = i < quiet ? 3 : random.below(LargestSample + 1);
      samples->SetComponent(i, c, hasNan && random.oneIn(200) ? std::numeric_limits<double>::quiet_NaN() : value);
    }
}

int someSide(RandomNumbers& random)
{
  return random.oneIn(16) ? 1 : random.oneIn(12) ? 33 : 6 + random.below(14);
}

}

void FillArray(RandomNumbers& random, vtkDataArray* array)
{
  const bool areGhosts = array->GetName() == std::string(vtkDataSetAttributes::GhostArrayName());
  areGhosts ? fillGhosts(random, array) : fillSamples(random, array);
}

vtkSmartPointer<vtkDataArray> ArrayLike(RandomNumbers& random, vtkDataArray* array)
{
  const auto values =
    emptyArray(array->GetName(), array->GetDataType(), array->GetNumberOfComponents(), array->GetNumberOfTuples());
  FillArray(random, values);
  return values;
}

vtkSmartPointer<vtkDataArray> RandomGhosts(RandomNumbers& random, vtkIdType count)
{
  const auto ghosts = emptyArray(vtkDataSetAttributes::GhostArrayName(), VTK_UNSIGNED_CHAR, 1, count);
  fillGhosts(random, ghosts);
  return ghosts;
}

vtkSmartPointer<vtkImageData> RandomImage(RandomNumbers& random, bool withAllTypes)
{
  auto image = vtkSmartPointer<vtkImageData>::New();
  int sides[3];
  for (int& side : sides)
    side = someSide(random);
  image->SetDimensions(sides[0] + 1, sides[1] + 1, sides[2] + 1);
  for (const ArrayRecipe& recipe : ArrayRecipes)
  {
    vtkDataSetAttributes* data = image->GetAttributes(recipe.association);
    const auto samples = emptyArray(recipe.name, withAllTypes ? random.anyOf(AllTypes) : recipe.type, recipe.components,
      image->GetNumberOfElements(recipe.association));
    FillArray(random, samples);
    data->AddArray(samples);
    if (!data->GetScalars())
      data->SetScalars(samples);
  }
  return image;
}

std::string SizeOf(vtkImageData* image)
{
  const int* points = image->GetDimensions();
  return std::to_string(points[0] - 1) + " x " + std::to_string(points[1] - 1) + " x " + std::to_string(points[2] - 1);
}
