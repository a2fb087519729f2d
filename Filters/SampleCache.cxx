// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "SampleCache.h"

#include "ArrayIdentity.h"

#include "vtkDoubleArray.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace vmc::filters
{

namespace
{

vtkSmartPointer<vtkDataArray> componentOf(vtkDataArray* array, int component)
{
  auto values = vtkSmartPointer<vtkDataArray>::Take(vtkDataArray::CreateDataArray(array->GetDataType()));
  values->SetNumberOfTuples(array->GetNumberOfTuples());
  values->CopyComponent(0, array, component);
  return values;
}

double squareOf(const std::vector<double>& vector)
{
  double square = 0;
  for (const double value : vector)
    square += value * value;
  return square;
}

// Scales the vector by a power of two if squares overflow or underflow. This changes no digit of the result.
double lengthOf(std::vector<double>& vector)
{
  constexpr double Safe = 0x1p-900; // squares that underflow do not change a sum of at least this size
  const double square = squareOf(vector);
  if (std::isnan(square) || (square >= Safe && std::isfinite(square)))
    return std::sqrt(square);
  double largest = 0;
  for (const double value : vector)
    largest = std::max(largest, std::abs(value));
  if (largest == 0 || std::isinf(largest))
    return largest;
  const int exponent = std::ilogb(largest);
  for (double& value : vector)
    value = std::ldexp(value, -exponent);
  return std::ldexp(std::sqrt(squareOf(vector)), exponent);
}

vtkSmartPointer<vtkDataArray> magnitudeOf(vtkDataArray* array)
{
  auto values = vtkSmartPointer<vtkDoubleArray>::New();
  values->SetNumberOfTuples(array->GetNumberOfTuples());
  std::vector<double> tuple(array->GetNumberOfComponents());
  for (vtkIdType i = 0; i < array->GetNumberOfTuples(); ++i)
  {
    array->GetTuple(i, tuple.data());
    values->SetValue(i, lengthOf(tuple));
  }
  return values;
}

vtkSmartPointer<vtkDataArray> copyOf(vtkDataArray* array)
{
  auto copy = vtkSmartPointer<vtkDataArray>::Take(vtkDataArray::CreateDataArray(array->GetDataType()));
  copy->DeepCopy(array);
  return copy;
}

}

void SampleCache::beginRun()
{
  this->Copies.before = std::exchange(this->Copies.now, {});
  this->Ghosts.before = std::exchange(this->Ghosts.now, {});
}

void SampleCache::endRun()
{
  this->Copies.before.clear();
  this->Ghosts.before.clear();
}

SampleCache::Samples SampleCache::inOneBlock(vtkDataArray* array)
{
  const std::uint64_t identity = identityOf(array);
  if (array->HasStandardMemoryLayout())
    return { array, identity };
  return { this->Copies.find(identity, [=] { return copyOf(array); }), identity };
}

SampleCache::Samples SampleCache::component(vtkDataArray* array, int component)
{
  if (array->GetNumberOfComponents() == 1)
    return this->inOneBlock(array);
  const std::uint64_t identity = identityOf({ identityOf(array), static_cast<std::uint64_t>(component) });
  return { this->Copies.find(
             identity, [=] { return component < 0 ? magnitudeOf(array) : componentOf(array, component); }),
    identity };
}

std::shared_ptr<const GhostFlags> SampleCache::ghosts(std::uint64_t identity, const std::function<GhostFlags()>& make)
{
  return this->Ghosts.find(identity,
    [&]
    {
      GhostFlags flags = make();
      return flags.ofSamples.empty() ? nullptr : std::make_shared<const GhostFlags>(std::move(flags));
    });
}

}
