// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Measure/DeviceMeasures.h"

#include "Embedded/Kernels.h"
#include "Shared/Constants.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace vmc
{

namespace
{

static_assert(sizeof(OpenEdge) == 4 * OPEN_EDGE_WORDS);

constexpr std::uint32_t TrianglesOfGroup = LINEAR_GROUP_SIZE * SUM_RUN;

float floatOf(std::uint32_t bits)
{
  float value = 0;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

// As in Positions.glsl.
float floatOfKey(std::uint32_t key)
{
  return floatOf((key & 0x80000000u) != 0 ? key & 0x7FFFFFFFu : ~key);
}

int biasedExponent(float value)
{
  std::uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof(bits));
  return static_cast<int>(bits >> 23 & 0xFFu);
}

// The exponents of SumTriangles, see there.
struct Units
{
  int unit, area, volume, moment;

  Units(const std::uint32_t* extent, std::uint32_t triangles)
  {
    float largest = 0;
    for (std::size_t axis = 0; axis < 3; ++axis)
      largest =
        std::max(largest, floatOfKey(extent[EXTENT_HIGH + axis]) - floatOfKey(~extent[EXTENT_LOW + axis]));
    this->unit = biasedExponent(floatOf(extent[EXTENT_EDGE])) - 126;
    const int size = biasedExponent(largest) - 126 - this->unit;
    int bits = FIXED_BITS;
    for (; triangles != 0; triangles >>= 1)
      --bits;
    this->area = bits - 2;
    this->volume = bits - 3 - size;
    this->moment = bits - 4 - size;
  }
};

// A sum of SumTriangles divided by 2^exponent.
double sumAt(const std::uint32_t* words, int exponent)
{
  const bool isNegative = (words[2] & 0x80000000u) != 0;
  double magnitude = isNegative ? 1 : 0; // of a negative sum: the complement of all words, and 1
  for (int i = 0; i < FIXED_WORDS; ++i)
    magnitude += std::ldexp(double(isNegative ? ~words[i] : words[i]), 32 * i);
  return std::ldexp(isNegative ? -magnitude : magnitude, -exponent);
}

SurfaceMeasures measuresOf(const std::uint32_t* sums, const Units& units, const Vector3& meshOrigin)
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

bool isBefore(const OpenEdge& a, const OpenEdge& b)
{
  return a.low != b.low ? a.low < b.low : a.high < b.high;
}

// Sorts edges, and keeps those that are listed once.
void keepSingle(std::vector<OpenEdge>& edges)
{
  std::sort(edges.begin(), edges.end(), isBefore);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < edges.size();)
  {
    std::size_t next = i + 1;
    while (next < edges.size() && !isBefore(edges[i], edges[next]))
      ++next;
    if (next == i + 1)
      edges[kept++] = edges[i];
    i = next;
  }
  edges.resize(kept);
}

}

bool isMeasurableOnDevice(const Surface& surface, const Request& request)
{
  const bool hasFinalIds = std::all_of(surface.meshes.begin(), surface.meshes.end(),
    [](const Mesh& mesh) { return mesh.hasWideIds || idsAreNarrow(mesh.pointCount, mesh.triangleCount); });
  return surface.isOnDevice() && request.mergePoints && hasFinalIds;
}

DeviceSums::DeviceSums(MeshPasses& passes, std::size_t regions, bool withMeasures, WordsOnHost& words)
  : Keys(regions != 0 ? regions : passes.mesh().firstPoint.size() - 1)
  , WordsPerKey(withMeasures ? SUM_WORDS : 1)
  , Triangles(passes.push.triangles)
  , Extent(passes.bind(BINDING_EXTENT, EXTENT_WORDS, "extent of the surface"))
  , Sums(passes.bind(BINDING_SUMS, this->Keys * this->WordsPerKey, "sums over triangles"))
{
  passes.clear(BINDING_EXTENT);
  passes.clear(BINDING_SUMS);
  if (withMeasures)
    passes.run(kernels::BoundTriangles, this->Triangles, TrianglesOfGroup);
  const Specialization specialization = { { SPECIALIZE_BY_REGION, regions != 0 ? 1 : 0 },
    { SPECIALIZE_MEASURES, withMeasures ? 1 : 0 } };
  const auto sum = [&](std::size_t first, std::size_t last)
  {
    passes.push.firstTriangle = static_cast<std::uint32_t>(first);
    passes.push.lastTriangle = static_cast<std::uint32_t>(last);
    if (first != last)
      passes.run(kernels::SumTriangles, last - first, TrianglesOfGroup, specialization);
  };
  for (std::size_t i = 0; i < this->Keys && regions == 0; ++i)
  {
    passes.push.key = static_cast<std::uint32_t>(i);
    passes.push.firstPoint = static_cast<std::uint32_t>(passes.mesh().firstPoint[i]);
    sum(passes.mesh().firstTriangle[i], passes.mesh().firstTriangle[i + 1]);
  }
  if (regions != 0)
    sum(0, this->Triangles);
  this->FirstExtent = words.add(passes.bound[BINDING_EXTENT]);
  this->FirstSum = words.add(passes.bound[BINDING_SUMS]);
}

std::vector<SurfaceMeasures> DeviceSums::measures(const std::uint32_t* words, const Vector3& meshOrigin) const
{
  const Units units(words + this->FirstExtent, this->Triangles);
  std::vector<SurfaceMeasures> all(this->Keys);
  for (std::size_t key = 0; key < this->Keys; ++key)
  {
    const std::uint32_t* const sums = words + this->FirstSum + key * this->WordsPerKey;
    if (this->WordsPerKey == SUM_WORDS)
      all[key] = measuresOf(sums, units, meshOrigin);
    else
      all[key].triangles = sums[SUM_TRIANGLES];
  }
  return all;
}

OpenEdgeList::OpenEdgeList(MeshPasses& passes, bool byRegion, WordsOnHost& words)
  : Passes(passes)
  , ByRegion(byRegion)
  , Words(words)
  , Difference(passes.bind(BINDING_DIFFERENCE, passes.push.points, "differences of edges"))
{
  constexpr std::uint32_t FewEdges = 4096, TrianglesPerEdge = 64;
  passes.clear(BINDING_DIFFERENCE);
  passes.run(kernels::CompareEdges, passes.push.triangles, LINEAR_GROUP_SIZE);
  this->record(std::max(FewEdges, passes.push.triangles / TrianglesPerEdge));
}

void OpenEdgeList::record(std::uint32_t capacity)
{
  this->Edges = PooledBuffer();
  this->Edges =
    this->Passes.bind(BINDING_OPEN_EDGES, std::uint64_t(OPEN_EDGE_WORDS) * (1 + std::uint64_t(capacity)), "open edges");
  this->Passes.push.capacity = capacity;
  this->Passes.clear(BINDING_OPEN_EDGES);
  this->Passes.run(kernels::ListOpenEdges, this->Passes.push.triangles, LINEAR_GROUP_SIZE,
    { { SPECIALIZE_BY_REGION, this->ByRegion ? 1 : 0 } });
  this->FirstWord = this->Words.add(this->Edges.region());
}

std::vector<OpenEdge> OpenEdgeList::edges(const std::uint32_t* words, CommandRecorder& recorder, StageTimes& times)
{
  if (const std::uint32_t count = words[this->FirstWord]; count > this->Passes.push.capacity)
  {
    recorder.begin();
    recorder.stage(Stage::MeasureSurface);
    this->record(count);
    words = this->Words.fetch(this->Passes.context(), recorder, times);
  }
  const std::uint32_t* const list = words + this->FirstWord;
  std::vector<OpenEdge> edges(list[0]);
  std::memcpy(edges.data(), list + OPEN_EDGE_WORDS, edges.size() * sizeof(OpenEdge));
  keepSingle(edges);
  return edges;
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
    recorder.begin();
    recorder.stage(Stage::MeasureSurface);
    const DeviceSums sums(passes, 0, true, words);
    OpenEdgeList list(passes, false, words);
    const std::uint32_t* const fetched = words.fetch(passes.context(), recorder, times);
    mesh.measures = sums.measures(fetched, mesh.origin);
    for (const OpenEdge& edge : list.edges(fetched, recorder, times))
    {
      const auto next = std::upper_bound(mesh.firstPoint.begin(), mesh.firstPoint.end(), std::size_t(edge.low));
      ++mesh.measures[static_cast<std::size_t>(next - mesh.firstPoint.begin()) - 1].openEdges;
    }
  }
}

}
