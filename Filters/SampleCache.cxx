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
  vtkSmartPointer<vtkDataArray> values;
  values.TakeReference(vtkDataArray::CreateDataArray(array->GetDataType()));
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
  vtkSmartPointer<vtkDataArray> copy;
  copy.TakeReference(vtkDataArray::CreateDataArray(array->GetDataType()));
  copy->DeepCopy(array);
  return copy;
}

template <class Map>
void wantNothing(Map& map)
{
  for (auto& entry : map)
    entry.second.isWanted = false;
}

template <class Map>
void dropUnwanted(Map& map)
{
  for (auto entry = map.begin(); entry != map.end();)
    entry = entry->second.isWanted ? std::next(entry) : map.erase(entry);
}

// The value of the key. Makes it if the map does not contain it.
template <class Map, class Make>
auto wanted(Map& map, const typename Map::key_type& key, const Make& make)
{
  auto entry = map.find(key);
  if (entry == map.end())
    entry = map.insert({ key, { make() } }).first;
  entry->second.isWanted = true;
  return entry->second.value;
}

}

void SampleCache::beginPass()
{
  wantNothing(this->Copies);
  wantNothing(this->Ghosts);
}

void SampleCache::endPass()
{
  dropUnwanted(this->Copies);
  dropUnwanted(this->Ghosts);
}

SampleCache::Samples SampleCache::inOneBlock(vtkDataArray* array)
{
  const std::uint64_t identity = identityOf(array);
  if (array->HasStandardMemoryLayout())
    return { array, identity };
  return { wanted(this->Copies, identity, [=] { return copyOf(array); }), identity };
}

SampleCache::Samples SampleCache::component(vtkDataArray* array, int component)
{
  if (array->GetNumberOfComponents() == 1)
    return this->inOneBlock(array);
  const std::uint64_t identity = identityOf({ identityOf(array), static_cast<std::uint64_t>(component) });
  return { wanted(this->Copies, identity,
             [=] { return component < 0 ? magnitudeOf(array) : componentOf(array, component); }),
    identity };
}

std::shared_ptr<const GhostFlags> SampleCache::ghosts(std::uint64_t identity, const std::function<GhostFlags()>& make)
{
  return wanted(this->Ghosts, identity,
    [&]
    {
      GhostFlags flags = make();
      return flags.ofSamples.empty() ? nullptr : std::make_shared<const GhostFlags>(std::move(flags));
    });
}

}
