// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Measure/DeviceMeasures.h"

#include "Embedded/Kernels.h"
#include "Shared/Constants.h"
#include "Shared/FixedUnits.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace vmc
{

namespace
{

constexpr std::uint32_t TrianglesOfGroup = LINEAR_GROUP_SIZE * SUM_RUN;

float floatOf(std::uint32_t bits)
{
  float value = 0;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

float floatOfKey(std::uint32_t key)
{
  return floatOf(BITS_OF_KEY(key));
}

int biasedExponent(float value)
{
  std::uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof(bits));
  return static_cast<int>(bits >> 23 & 0xFFu);
}

// As unitsOf in FixedSums.glsl.
FixedUnits unitsOf(const std::uint32_t* extent, std::uint32_t triangles)
{
  float largest = 0;
  for (std::size_t axis = 0; axis < 3; ++axis)
    largest = std::max(largest, floatOfKey(extent[EXTENT_HIGH + axis]) - floatOfKey(~extent[EXTENT_LOW + axis]));
  int bits = 0;
  for (; triangles != 0; triangles >>= 1)
    ++bits;
  return fixedUnitsOf(biasedExponent(floatOf(extent[EXTENT_EDGE])), biasedExponent(largest), bits);
}

// A sum of SumTriangles divided by 2^exponent.
double sumAt(const std::uint32_t* words, int exponent)
{
  const bool isNegative = (words[2] & 0x80000000u) != 0;
  double magnitude = isNegative ? 1 : 0; // of a negative sum: the complement of all words, and 1
  double unit = 1;
  for (int i = 0; i < FIXED_WORDS; ++i, unit *= 0x1p32)
    magnitude += double(isNegative ? ~words[i] : words[i]) * unit;
  return std::ldexp(isNegative ? -magnitude : magnitude, -exponent);
}

// Returns the measures without open edges, and with the volume relative to the first point.
SurfaceMeasures measuresOf(const std::uint32_t* sums, const FixedUnits& units, const Vector3& meshOrigin)
{
  SurfaceMeasures measures;
  measures.triangles = sums[SUM_TRIANGLES];
  measures.area = sumAt(sums + SUM_AREA, units.area - 2 * units.unit) / 2;
  measures.volume = sumAt(sums + SUM_VOLUME, units.volume - 3 * units.unit) / 6;
  for (std::size_t axis = 0; axis < 3 && measures.triangles != 0; ++axis)
  {
    measures.bounds.low[axis] = meshOrigin[axis] + floatOfKey(~sums[SUM_EXTENT + axis]);
    measures.bounds.high[axis] = meshOrigin[axis] + floatOfKey(sums[SUM_EXTENT + 3 + axis]);
    const double moment = sumAt(sums + SUM_MOMENT + FIXED_WORDS * axis, units.moment - 3 * units.unit) / 6;
    if (measures.area > 0)
      measures.centroid[axis] = meshOrigin[axis] + floatOf(sums[SUM_FIRST + axis]) + moment / measures.area;
  }
  return measures;
}

// Returns the change of the volume from the first point to the centre of the bounds.
double volumeToCentre(const std::uint32_t* sums, const std::uint32_t* openSums, const FixedUnits& units)
{
  double volume = 0;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    const double low = floatOfKey(~sums[SUM_EXTENT + axis]), high = floatOfKey(sums[SUM_EXTENT + 3 + axis]);
    const double vectorArea =
      sumAt(openSums + OPEN_VECTOR_AREA + FIXED_WORDS * axis, units.vectorArea - 2 * units.unit) / 2;
    volume += (floatOf(sums[SUM_FIRST + axis]) - (low + high) / 2) * vectorArea / 3;
  }
  return volume;
}

}

bool isMeasurableOnDevice(const Surface& surface, const Request& request)
{
  const bool hasFinalIds = std::all_of(surface.meshes.begin(), surface.meshes.end(),
    [](const Mesh& mesh) { return mesh.hasWideIds || idsAreNarrow(mesh.pointCount, mesh.triangleCount); });
  return surface.isOnDevice() && request.mergePoints && hasFinalIds;
}

DeviceMeasures::DeviceMeasures(MeshPasses& passes, std::size_t regions, bool withMeasures, WordsOnHost& words)
  : Passes(passes)
  , Words(words)
  , ByRegion(regions != 0)
  , WithMeasures(withMeasures)
  , Keys(this->ByRegion ? regions : passes.mesh().firstPoint.size() - 1)
{
  constexpr std::uint32_t FewEdges = 4096, TrianglesPerEdge = 32;
  this->recordSums();
  if (withMeasures)
    this->recordOpenEdges(std::max(FewEdges, passes.push.triangles / TrianglesPerEdge));
}

// Calls record(number) for the triangles of each isovalue, whose numbers it sets, or for all together.
template <class Record>
void DeviceMeasures::forKeys(const Record& record)
{
  const Mesh& mesh = this->Passes.mesh();
  MeshConstants& push = this->Passes.push;
  for (std::size_t i = 0; i < (this->ByRegion ? 1 : this->Keys); ++i)
  {
    push.key = static_cast<std::uint32_t>(i);
    push.firstPoint = static_cast<std::uint32_t>(mesh.firstPoint[i]);
    push.firstTriangle = static_cast<std::uint32_t>(mesh.firstTriangle[i]);
    push.lastTriangle = this->ByRegion ? push.triangles : static_cast<std::uint32_t>(mesh.firstTriangle[i + 1]);
    if (push.firstTriangle < push.lastTriangle)
      record(push.lastTriangle - push.firstTriangle);
  }
}

void DeviceMeasures::recordSums()
{
  this->SumMemory = this->Passes.bind(
    { { BINDING_SUMS, this->Keys * (this->WithMeasures ? SUM_WORDS : 1) }, { BINDING_EXTENT, EXTENT_WORDS },
      { BINDING_DIFFERENCE, this->WithMeasures ? this->Passes.push.points : 0 } },
    "sums and differences");
  this->Passes.clear(this->SumMemory);
  if (this->WithMeasures)
    this->Passes.run(kernels::CompareEdges, this->Passes.push.triangles, TrianglesOfGroup);
  const Specialization specialization = { { SPECIALIZE_BY_REGION, this->ByRegion ? 1 : 0 },
    { SPECIALIZE_MEASURES, this->WithMeasures ? 1 : 0 } };
  this->forKeys([&](std::uint32_t triangles)
    { this->Passes.run(kernels::SumTriangles, triangles, TrianglesOfGroup, specialization); });
  this->ExtentOnHost = this->Words.add(this->Passes.bound[BINDING_EXTENT]);
  this->SumsOnHost = this->Words.add(this->Passes.bound[BINDING_SUMS]);
}

void DeviceMeasures::recordOpenEdges(std::uint32_t capacity)
{
  this->Passes.push.capacity = capacity;
  this->EdgeMemory = PooledBuffer();
  this->EdgeMemory = this->Passes.bind(
    { { BINDING_OPEN_SUMS, OPEN_SUM_WORDS * this->Keys }, { BINDING_EDGE_OF_POINT, this->Passes.push.points },
      { BINDING_OPEN_EDGES, OPEN_EDGE_WORDS * (1 + std::uint64_t(capacity)) } },
    "open edges");
  this->Passes.clearUpTo(this->EdgeMemory, BINDING_OPEN_EDGES);
  this->forKeys(
    [&](std::uint32_t triangles)
    {
      this->Passes.run(
        kernels::ListOpenEdges, triangles, LINEAR_GROUP_SIZE, { { SPECIALIZE_BY_REGION, this->ByRegion ? 1 : 0 } });
    });
  this->Passes.run(kernels::CountOpenEdges, capacity, LINEAR_GROUP_SIZE);
  this->EdgesOnHost = this->Words.add(this->Passes.bound[BINDING_OPEN_EDGES], 0);
  this->OpenSumsOnHost = this->Words.add(this->Passes.bound[BINDING_OPEN_SUMS]);
}

std::vector<SurfaceMeasures> DeviceMeasures::measures(
  const std::uint32_t* words, CommandRecorder& recorder, StageTimes& times)
{
  const FixedUnits units = unitsOf(words + this->ExtentOnHost, this->Passes.push.triangles);
  std::vector<SurfaceMeasures> all(this->Keys);
  for (std::size_t key = 0; key < this->Keys; ++key)
    if (this->WithMeasures)
      all[key] = measuresOf(words + this->SumsOnHost + key * SUM_WORDS, units, this->Passes.mesh().origin);
    else
      all[key].triangles = words[this->SumsOnHost + key];
  if (!this->WithMeasures)
    return all;
  if (const std::uint32_t listed = words[this->EdgesOnHost]; listed > this->Passes.push.capacity)
  {
    this->Passes.begin(Stage::MeasureSurface, this->Words);
    this->recordOpenEdges(listed);
    this->SumsOnHost = this->Words.add(this->Passes.bound[BINDING_SUMS]); // the words are overwritten
    words = this->Words.fetch(this->Passes.context(), recorder, times);
  }
  for (std::size_t key = 0; key < this->Keys; ++key)
  {
    const std::uint32_t* const openSums = words + this->OpenSumsOnHost + key * OPEN_SUM_WORDS;
    all[key].openEdges = openSums[OPEN_EDGES];
    if (all[key].triangles != 0)
      all[key].volume += volumeToCentre(words + this->SumsOnHost + key * SUM_WORDS, openSums, units);
  }
  return all;
}

void measureOnDevice(Surface& surface, CommandRecorder& recorder, WordsOnHost& words, StageTimes& times)
{
  for (std::size_t i = 0; i < surface.meshes.size(); ++i)
  {
    Mesh& mesh = surface.meshes[i];
    mesh.measures.assign(mesh.firstPoint.size() - 1, {});
    if (mesh.triangleCount == 0)
      continue;
    MeshPasses passes(recorder, surface, i);
    passes.begin(Stage::MeasureSurface, words);
    DeviceMeasures measures(passes, 0, true, words);
    const std::uint32_t* const fetched = words.fetch(passes.context(), recorder, times);
    mesh.measures = measures.measures(fetched, recorder, times);
  }
}

}
