// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Measure/DeviceMeasures.h"

#include "Compute/System/Error.h"
#include "Embedded/Kernels.h"
#include "Shared/Constants.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace vmc
{

namespace
{

constexpr std::uint32_t TrianglesOfGroup = LINEAR_GROUP_SIZE * SUM_RUN;

// The sums of so few keys have parts, see SumTriangles.
constexpr std::size_t FewKeys = 64, PartsOfFewKeys = 16;

float floatOf(std::uint32_t bits)
{
  float value = 0;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

// See keyOf in Positions.glsl.
float floatOfKey(std::uint32_t key)
{
  return floatOf((key & 0x80000000u) != 0 ? key & 0x7FFFFFFFu : ~key);
}

// Returns the smallest n with value < 2^n.
int exponentOf(double value)
{
  int exponent = 0;
  std::frexp(value, &exponent);
  return exponent;
}

// In these units, the largest coordinate of an edge is below 1, and those of all vectors between points are below
// 2^size. So the area, the volume and the moment of one triangle, each with its factor, are below 2^2, 2^(3 + size) and
// 2^(4 + size), and what its edges add to the vector area is below 2^(3 + 2 * size). Sums are below 2^FIXED_BITS.
// With 2^22 triangles and 2^10 cells along the domain, triangles in cells that are 2^11 times smaller than the largest
// ones of the grid have all digits of a float in the volume and the moment, and 2^20 times smaller ones in the area.
FixedUnits unitsOf(const Mesh& mesh)
{
  if (mesh.lengths.edge == 0)
    throw Error(Error::Kind::Internal, "The lengths of a mesh are not known.");
  FixedUnits units{};
  units.unit = exponentOf(mesh.lengths.edge); // within the range of floats, see geometryOf
  const int size = exponentOf(mesh.lengths.extent) - units.unit,
            bits = FIXED_BITS - exponentOf(double(mesh.triangleCount));
  units.area = bits - 2;
  units.volume = bits - 3 - size;
  units.moment = bits - 4 - size;
  units.vectorArea = bits - 3 - 2 * size;
  return units;
}

// Returns the sums of keys that SumTriangles has in parts.
std::vector<std::uint32_t> sumOfParts(
  const std::uint32_t* words, std::size_t parts, std::size_t keys, std::size_t wordsOfKey)
{
  std::vector<std::uint32_t> sums(words, words + keys * wordsOfKey);
  for (std::size_t part = 1; part < parts; ++part)
    for (std::size_t key = 0; key < keys; ++key)
    {
      std::uint32_t* const sum = sums.data() + key * wordsOfKey;
      const std::uint32_t* const more = words + (part * keys + key) * wordsOfKey;
      sum[SUM_TRIANGLES] += more[SUM_TRIANGLES];
      if (wordsOfKey == 1)
        continue;
      for (std::size_t word = SUM_AREA; word < SUM_EXTENT; word += FIXED_WORDS)
        for (std::uint64_t i = 0, carry = 0; i < FIXED_WORDS; ++i, carry >>= 32)
        {
          carry += std::uint64_t(sum[word + i]) + more[word + i];
          sum[word + i] = static_cast<std::uint32_t>(carry);
        }
      for (std::size_t word = SUM_EXTENT; word < SUM_FIRST; ++word)
        sum[word] = std::max(sum[word], more[word]);
    }
  return sums;
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
  , Parts(this->Keys <= FewKeys ? PartsOfFewKeys : 1)
{
  constexpr std::uint32_t FewEdges = 4096, TrianglesPerEdge = 32;
  passes.push.units = unitsOf(passes.mesh());
  passes.push.keys = static_cast<std::uint32_t>(this->Keys);
  passes.push.parts = static_cast<std::uint32_t>(this->Parts);
  passes.push.capacity = withMeasures ? std::max(FewEdges, passes.push.triangles / TrianglesPerEdge) : 0;
  const std::uint64_t points = withMeasures ? passes.push.points : 0;
  // The arrays that the host reads follow each other, see addWords.
  this->Memory = passes.bind({ { BINDING_DIFFERENCE, points }, { BINDING_EDGE_OF_POINT, points },
                               { BINDING_SUMS, this->Parts * this->Keys * this->wordsOfKey() },
                               { BINDING_OPEN_SUMS, withMeasures ? OPEN_SUM_WORDS * this->Keys : 0 },
                               { BINDING_OPEN_EDGES, OPEN_EDGE_WORDS * (1 + std::uint64_t(passes.push.capacity)) } },
    "measures");
  passes.clearUpTo(this->Memory, BINDING_OPEN_EDGES);
  this->recordSums();
  if (withMeasures)
    this->recordOpenEdges();
  this->addWords();
}

// Adds the sums, the sums of open edges and the number of listed edges as one region, because each copy takes several
// microseconds.
void DeviceMeasures::addWords()
{
  const Region& sums = this->Passes.bound[BINDING_SUMS];
  const std::uint64_t openSums = this->Passes.bound[BINDING_OPEN_SUMS].offset - sums.offset;
  const std::uint64_t edges = this->Passes.bound[BINDING_OPEN_EDGES].offset - sums.offset;
  this->SumsOnHost = this->Words.add(Region(*sums.buffer, sums.offset, edges + sizeof(std::uint32_t)));
  this->OpenSumsOnHost = this->SumsOnHost + openSums / sizeof(std::uint32_t);
  this->EdgesOnHost = this->SumsOnHost + edges / sizeof(std::uint32_t);
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
  const Specialization specialization = { { SPECIALIZE_BY_REGION, this->ByRegion ? 1 : 0 },
    { SPECIALIZE_MEASURES, this->WithMeasures ? 1 : 0 } };
  this->forKeys([&](std::uint32_t triangles)
    { this->Passes.run(kernels::SumTriangles, triangles, TrianglesOfGroup, specialization); });
}

void DeviceMeasures::recordOpenEdges()
{
  this->forKeys(
    [&](std::uint32_t triangles)
    {
      this->Passes.run(
        kernels::ListOpenEdges, triangles, MESH_GROUP_SIZE, { { SPECIALIZE_BY_REGION, this->ByRegion ? 1 : 0 } });
    });
  this->Passes.run(kernels::CountOpenEdges, this->Passes.push.capacity, LINEAR_GROUP_SIZE);
}

std::vector<SurfaceMeasures> DeviceMeasures::measures(
  const std::uint32_t* words, CommandRecorder& recorder, StageTimes& times)
{
  const FixedUnits& units = this->Passes.push.units;
  const std::vector<std::uint32_t> sums =
    sumOfParts(words + this->SumsOnHost, this->Parts, this->Keys, this->wordsOfKey());
  std::vector<SurfaceMeasures> all(this->Keys);
  for (std::size_t key = 0; key < this->Keys; ++key)
    if (this->WithMeasures)
      all[key] = measuresOf(sums.data() + key * SUM_WORDS, units, this->Passes.mesh().origin);
    else
      all[key].triangles = sums[key];
  if (!this->WithMeasures)
    return all;
  if (const std::uint32_t listed = words[this->EdgesOnHost]; listed > this->Passes.push.capacity)
  {
    this->Passes.begin(Stage::MeasureSurface, this->Words);
    this->Passes.push.capacity = listed;
    this->EdgeMemory =
      this->Passes.bind({ { BINDING_OPEN_EDGES, OPEN_EDGE_WORDS * (1 + std::uint64_t(listed)) } }, "open edges");
    this->Passes.clearUpTo(this->EdgeMemory, BINDING_OPEN_EDGES);
    for (const std::uint32_t binding : { BINDING_OPEN_SUMS, BINDING_EDGE_OF_POINT })
      recorder.fill(this->Passes.bound[binding], 0);
    this->recordOpenEdges();
    this->OpenSumsOnHost = this->Words.add(this->Passes.bound[BINDING_OPEN_SUMS]);
    words = this->Words.fetch(this->Passes.context(), recorder, times);
  }
  for (std::size_t key = 0; key < this->Keys; ++key)
  {
    const std::uint32_t* const openSums = words + this->OpenSumsOnHost + key * OPEN_SUM_WORDS;
    all[key].openEdges = openSums[OPEN_EDGES];
    if (all[key].triangles != 0)
      all[key].volume += volumeToCentre(sums.data() + key * SUM_WORDS, openSums, units);
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
