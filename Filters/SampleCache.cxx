#include "SampleCache.h"

#include "vtkDoubleArray.h"
#include "vtkTimeStamp.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <vector>

namespace
{

constexpr int AllComponents = -2; // where -1 is their magnitude

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

// Scales the vector by a power of two where squares overflow or underflow. That changes no digit of the result.
double lengthOf(std::vector<double>& vector)
{
  constexpr double Safe = 0x1p-900; // squares that underflow are far below the last digit of such a sum
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

// The value of the key, made where it is not there.
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

bool GhostSources::operator<(const GhostSources& other) const
{
  return std::tie(this->cells, this->points, this->imageExtent, this->pieceExtent) <
         std::tie(other.cells, other.points, other.imageExtent, other.pieceExtent);
}

void SampleCache::beginPass()
{
  wantNothing(this->Copies);
  wantNothing(this->Identities);
}

void SampleCache::endPass()
{
  dropUnwanted(this->Copies);
  dropUnwanted(this->Identities);
}

vtkSmartPointer<vtkDataArray> SampleCache::inOneBlock(vtkDataArray* array)
{
  if (array->HasStandardMemoryLayout())
    return array;
  return wanted(this->Copies, { array->GetMTime(), AllComponents }, [=] { return copyOf(array); });
}

vtkSmartPointer<vtkDataArray> SampleCache::component(vtkDataArray* array, int component)
{
  if (array->GetNumberOfComponents() == 1)
    return this->inOneBlock(array);
  return wanted(this->Copies, { array->GetMTime(), component },
    [=] { return component < 0 ? magnitudeOf(array) : componentOf(array, component); });
}

vtkMTimeType SampleCache::identityOf(const GhostSources& sources)
{
  const auto next = []
  {
    vtkTimeStamp stamp; // of the counter that modification times come from
    stamp.Modified();
    return stamp.GetMTime();
  };
  return wanted(this->Identities, sources, next);
}
