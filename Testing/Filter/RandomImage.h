// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Random images. All have the same cell and point arrays, of several types and numbers of components.
#ifndef RandomImage_h
#define RandomImage_h

#include "vtkDataArray.h"
#include "vtkDataObject.h"
#include "vtkImageData.h"
#include "vtkSmartPointer.h"

#include <array>
#include <iterator>
#include <random>
#include <string>

// Random numbers, the same on every machine.
class RandomNumbers
{
public:
  explicit RandomNumbers(int seed)
    : Engine(static_cast<std::mt19937::result_type>(seed))
  {
  }

  // 0 ... count - 1.
  int below(int count) { return static_cast<int>(this->Engine() % static_cast<unsigned int>(count)); }
  bool oneIn(int count) { return this->below(count) == 0; }
  template <class Range>
  const auto& anyOf(const Range& range)
  {
    return *(std::begin(range) + this->below(static_cast<int>(std::size(range))));
  }

private:
  std::mt19937 Engine;
};

// Samples are integers from 0 to this number, so isovalues may be equal to samples. Some arrays of float or double also
// have a few NaN.
constexpr int LargestSample = 10;

// An array of every image.
struct ArrayRecipe
{
  const char* name;
  int association; // vtkDataObject::CELL or POINT
  int type;        // of VTK
  int components;
};

// The first array of each association is the active one. Each type of samples has kernels of its own, which take time
// to compile, so there are few types here.
constexpr std::array<ArrayRecipe, 6> ArrayRecipes = { {
  { "density", vtkDataObject::CELL, VTK_FLOAT, 1 },
  { "label", vtkDataObject::CELL, VTK_SHORT, 1 },
  { "flow", vtkDataObject::CELL, VTK_FLOAT, 3 },
  { "weight", vtkDataObject::CELL, VTK_FLOAT, 1 },
  { "height", vtkDataObject::POINT, VTK_FLOAT, 1 },
  { "pair", vtkDataObject::POINT, VTK_SHORT, 2 },
} };

// An image of random size: one to three bricks along an axis, sometimes one layer, sometimes so large that it exceeds a
// memory limit. withAllTypes: arrays have random types instead of those of their recipes.
vtkSmartPointer<vtkImageData> RandomImage(RandomNumbers& random, bool withAllTypes);

// A ghost array of so many cells or points, with all kinds of ghosts.
vtkSmartPointer<vtkDataArray> RandomGhosts(RandomNumbers& random, vtkIdType count);

// Fills an array with new values: a ghost array with ghosts, another array with samples.
void FillArray(RandomNumbers& random, vtkDataArray* array);

// An array of the same name, type, components and tuples with other values.
vtkSmartPointer<vtkDataArray> ArrayLike(RandomNumbers& random, vtkDataArray* array);

// Cells along each axis, as in "12 x 7 x 1".
std::string SizeOf(vtkImageData* image);

#endif
