// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Measure/DeviceRegions.h"

#include "Compute/Contour/SlabTask.h"
#include "Compute/Measure/DeviceMeasures.h"
#include "Embedded/Kernels.h"
#include "Shared/Constants.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <utility>

namespace vmc
{

namespace
{

// Ranks of the regions as BINDING_RANK has them.
std::vector<std::uint32_t> rankWordsOf(const ChosenRegions& chosen)
{
  std::vector<std::uint32_t> words(chosen.isKept.size());
  for (std::size_t i = 0; i < words.size(); ++i)
    words[i] = chosen.isKept[i] != 0 ? static_cast<std::uint32_t>(chosen.rank[i]) : NO_SLOT;
  return words;
}

void recordUpdate(CommandRecorder& recorder, const Region& region, const std::vector<std::uint32_t>& words)
{
  constexpr std::size_t WordsAtOnce = 1 << 14; // 64 KiB
  recorder.beginConcurrent();
  for (std::size_t first = 0; first < words.size(); first += WordsAtOnce)
    recorder.update(
      *region.buffer, words.data() + first, 4 * std::min(WordsAtOnce, words.size() - first), region.offset + 4 * first);
  recorder.endConcurrent();
}

}

DeviceRegions::DeviceRegions(const Surface& surface, std::size_t mesh, bool withMeasures, CommandRecorder& recorder,
  WordsOnHost& words, StageTimes& times)
{
  MeshPasses passes(recorder, surface, mesh);
  this->find(passes, recorder, words, times);
  this->fillTable(passes, withMeasures, recorder, words, times);
}

// Makes the forest, and numbers its roots.
void DeviceRegions::find(MeshPasses& passes, CommandRecorder& recorder, WordsOnHost& words, StageTimes& times)
{
  const std::uint32_t points = passes.push.points;
  const std::uint64_t blocks = MeshPasses::blocksOf(points);
  this->Memory = passes.bind({ { BINDING_UNFINISHED, 1 }, { BINDING_PARENT, points }, { BINDING_PLACE, points },
                               { BINDING_REGION_ID, points }, { BINDING_BLOCK_COUNT, blocks + 1 } },
    "regions of points");
  this->Parents = passes.bound[BINDING_PARENT];
  this->Numbers = passes.bound[BINDING_PLACE];
  this->RootsOfRegions = passes.bound[BINDING_REGION_ID];
  const std::vector<std::size_t>& firstPoint = passes.mesh().firstPoint;
  const std::uint32_t* found = nullptr;
  do // once, unless the way to a root is very long
  {
    passes.begin(Stage::FindRegions, words);
    if (!found)
    {
      passes.clearUpTo(this->Memory, BINDING_PLACE);
      passes.run(kernels::JoinNearby, passes.push.triangles, LINEAR_GROUP_SIZE * JOIN_RUN);
    }
    else
      recorder.fill(passes.bound[BINDING_UNFINISHED], 0);
    passes.run(kernels::JoinTriangles, passes.push.triangles, LINEAR_GROUP_SIZE);
    passes.run(kernels::FlattenForest, points, MESH_GROUP_SIZE);
    passes.number(ELEMENT_ROOT, points, /*writesRegion*/ true);
    words.add(passes.bound[BINDING_UNFINISHED]);
    words.add(passes.bound[BINDING_BLOCK_COUNT], blocks);
    for (const std::size_t point : firstPoint) // the first point of an isovalue is a root
      words.add(this->Numbers, std::min<std::size_t>(point, points - 1));
    found = words.fetch(passes.context(), recorder, times);
  } while (found[0] != 0);
  passes.bind(BINDING_REGION, this->Numbers);
  this->Table.resize(found[1]);
  for (std::size_t i = 0; i + 1 < firstPoint.size(); ++i)
    for (std::size_t region = firstPoint[i] < points ? found[2 + i] : this->Table.size(); region < this->Table.size();
         ++region)
      this->Table[region].isovalue = i;
}

void DeviceRegions::fillTable(
  MeshPasses& passes, bool withMeasures, CommandRecorder& recorder, WordsOnHost& words, StageTimes& times)
{
  passes.begin(Stage::FindRegions, words);
  DeviceMeasures recorded(passes, this->Table.size(), withMeasures, words);
  const std::size_t roots =
    words.add({ *this->RootsOfRegions.buffer, this->RootsOfRegions.offset, 4 * this->Table.size() });
  const std::uint32_t* const fetched = words.fetch(passes.context(), recorder, times);
  this->Roots.assign(fetched + roots, fetched + roots + this->Table.size());
  const std::vector<SurfaceMeasures> measures = recorded.measures(fetched, recorder, times);
  for (std::size_t region = 0; region < measures.size(); ++region)
    this->Table[region].measures = measures[region];
}

// Allocates the arrays for all elements of a mesh.
DeviceRegions::Kept::Kept(MeshPasses& passes, bool withRanks)
{
  const std::uint32_t pointCount = passes.push.points, triangleCount = passes.push.triangles;
  this->memory =
    passes.bind({ { BINDING_POINT_PLACE, pointCount }, { BINDING_PLACE, triangleCount } }, "places of elements");
  this->placeOfPoint = passes.bound[BINDING_POINT_PLACE];
  this->placeOfTriangle = passes.bound[BINDING_PLACE];
  if (!withRanks)
    return;
  this->rankMemory =
    passes.bind({ { BINDING_OLD_VALUES, pointCount }, { BINDING_KEPT_VALUES, triangleCount } }, "ranks of elements");
  this->pointRanks = passes.bound[BINDING_OLD_VALUES];
  this->triangleRanks = passes.bound[BINDING_KEPT_VALUES];
}

DeviceRegions::Kept DeviceRegions::keep(const Surface& surface, std::size_t mesh,
  const std::vector<SurfaceRegion>& table, const ChosenRegions& chosen, bool withRanks, CommandRecorder& recorder,
  WordsOnHost& words, StageTimes& times) const
{
  MeshPasses passes(recorder, surface, mesh);
  const std::uint32_t points = passes.push.points, triangles = passes.push.triangles;
  const std::uint64_t blocks = MeshPasses::blocksOf(points);
  const PooledBuffer temporary =
    passes.bind({ { BINDING_RANK, table.size() }, { BINDING_BLOCK_COUNT, blocks + 1 } }, "ranks of regions");
  Kept kept(passes, withRanks);
  passes.bind(BINDING_PARENT, this->Parents);
  passes.bind(BINDING_REGION, this->Numbers);
  passes.begin(Stage::KeepRegions, words);
  recordUpdate(recorder, passes.bound[BINDING_RANK], rankWordsOf(chosen));
  if (withRanks)
    passes.bind(BINDING_REGION_ID, kept.pointRanks);
  passes.bind(BINDING_PLACE, kept.placeOfPoint);
  passes.number(ELEMENT_POINT, points, withRanks);
  words.add(passes.bound[BINDING_BLOCK_COUNT], blocks);
  const PooledBuffer triangleCounts =
    passes.bind({ { BINDING_BLOCK_COUNT, MeshPasses::blocksOf(triangles) + 1 } }, "counts of triangles");
  if (withRanks)
    passes.bind(BINDING_REGION_ID, kept.triangleRanks);
  passes.bind(BINDING_PLACE, kept.placeOfTriangle);
  passes.number(ELEMENT_TRIANGLE, triangles, withRanks);

  // The first point that remains of an isovalue is the root of its first region that remains.
  const std::size_t isovalues = passes.mesh().firstPoint.size() - 1;
  std::vector<std::optional<std::size_t>> firstRoot(isovalues); // words on the host
  kept.firstTriangle.assign(isovalues + 1, 0);
  for (std::size_t region = 0; region < table.size(); ++region)
    if (const std::size_t isovalue = table[region].isovalue; chosen.isKept[region] != 0)
    {
      kept.firstTriangle[isovalue + 1] += table[region].measures.triangles;
      if (!firstRoot[isovalue])
        firstRoot[isovalue] = words.add(kept.placeOfPoint, this->Roots[region]);
    }
  std::partial_sum(kept.firstTriangle.begin(), kept.firstTriangle.end(), kept.firstTriangle.begin());
  const std::uint32_t* const found = words.fetch(passes.context(), recorder, times);
  kept.points = found[0];
  kept.triangles = kept.firstTriangle.back();
  kept.firstPoint.assign(isovalues + 1, kept.points);
  for (std::size_t i = isovalues; i-- > 0;)
    kept.firstPoint[i] = firstRoot[i] ? found[*firstRoot[i]] : kept.firstPoint[i + 1];
  return kept;
}

namespace
{

// The work of finishOnDevice.
class Finish
{
public:
  Finish(
    const Surface& surface, const Request& request, CommandRecorder& recorder, WordsOnHost& words, StageTimes& times)
    : Old(surface)
    , InputRequest(request)
    , Recorder(recorder)
    , Words(words)
    , Times(times)
    , Memory(request.memory == OutputMemory::Host ? OutputMemory::Device : request.memory)
  {
  }

  void findKept(const std::vector<std::optional<DeviceRegions>>& regions,
    const std::vector<std::vector<SurfaceRegion>>& tables, const std::vector<ChosenRegions>& chosen);
  // Returns the surface of what was found.
  Surface copied();

private:
  void setMeshes();
  void setArrays();
  void recordCopies(std::size_t mesh);
  void recordIsovalues();

  const Surface& Old;
  Surface New;
  const Request& InputRequest;
  CommandRecorder& Recorder;
  WordsOnHost& Words;
  StageTimes& Times;
  const OutputMemory Memory;
  std::vector<std::optional<DeviceRegions::Kept>> Kept; // [mesh]
};

void Finish::findKept(const std::vector<std::optional<DeviceRegions>>& regions,
  const std::vector<std::vector<SurfaceRegion>>& tables, const std::vector<ChosenRegions>& chosen)
{
  for (std::size_t mesh = 0; mesh < regions.size(); ++mesh)
  {
    this->Kept.emplace_back();
    if (regions[mesh])
      this->Kept.back() = regions[mesh]->keep(this->Old, mesh, tables[mesh], chosen[mesh],
        this->InputRequest.computeRegions, this->Recorder, this->Words, this->Times);
  }
}

void Finish::setMeshes()
{
  this->New.context = this->Old.context;
  for (std::size_t i = 0; i < this->Old.meshes.size(); ++i)
  {
    Mesh& mesh = this->New.meshes.emplace_back();
    mesh.origin = this->Old.meshes[i].origin;
    mesh.lengths = this->Old.meshes[i].lengths;
    mesh.attributes.resize(this->Old.meshes[i].attributes.size());
    mesh.firstPoint.assign(this->InputRequest.isovalues.size() + 1, 0);
    mesh.firstTriangle = mesh.firstPoint;
    if (!this->Kept[i])
      continue;
    mesh.firstPoint = this->Kept[i]->firstPoint;
    mesh.firstTriangle = this->Kept[i]->firstTriangle;
    mesh.pointCount = this->Kept[i]->points;
    mesh.triangleCount = this->Kept[i]->triangles;
    mesh.hasWideIds = mesh.triangleCount != 0 && this->InputRequest.writesWideIds();
  }
}

// Allocates the arrays for the sizes of the meshes.
void Finish::setArrays()
{
  this->New.outputs = this->Old.outputs;
  for (Output& output : this->New.outputs)
    if (output.isPointIds())
      output.words = this->InputRequest.writesWideIds() ? 6 : 3;
  if (this->InputRequest.computeRegions)
  {
    this->New.outputs.push_back({ BINDING_REGION_ID, Output::Element::Point, 1, "RegionId", &Mesh::pointRegions });
    this->New.outputs.push_back(
      { BINDING_REGION_ID, Output::Element::Triangle, 1, "RegionId", &Mesh::triangleRegions });
  }
  std::uint64_t points = 0;
  for (const Mesh& mesh : this->New.meshes)
    points += mesh.pointCount;
  for (const Output& output : this->New.outputs)
  {
    std::uint64_t bytes = 0;
    for (const Mesh& mesh : this->New.meshes)
      bytes = RegionLayout::aligned(bytes) + output.bytes(mesh.pointCount, mesh.triangleCount);
    this->New.arrays.emplace_back(
      *this->New.context, blockOf(this->New.meshes.front(), output) ? bytes : 0, output.name, this->Memory);
  }
  if (this->InputRequest.pointIsovalues && this->InputRequest.memory != OutputMemory::Host)
    this->New.isovalues = OutputArray(*this->New.context, points * sizeof(float), "isovalues of points", this->Memory);
}

void Finish::recordCopies(std::size_t mesh)
{
  const DeviceRegions::Kept& kept = *this->Kept[mesh];
  MeshPasses passes(this->Recorder, this->Old, mesh);
  const std::uint32_t points = passes.push.points, triangles = passes.push.triangles;
  passes.push.keptIdWords = this->InputRequest.writesWideIds() ? 2 : 1;
  passes.bind(BINDING_POINT_PLACE, kept.placeOfPoint);
  for (std::size_t row = 0; row < this->New.outputs.size(); ++row)
  {
    const Output& output = this->New.outputs[row];
    const Region to = regionOf(this->New, row, mesh);
    if (!to.buffer)
      continue;
    const bool isOfPoints = output.element == Output::Element::Point;
    if (output.binding == BINDING_REGION_ID)
    {
      const Region& ranks = isOfPoints ? kept.pointRanks : kept.triangleRanks;
      this->Recorder.copy({ *ranks.buffer, ranks.offset, to.size }, *to.buffer, to.offset);
      continue;
    }
    passes.bind(BINDING_PLACE, isOfPoints ? kept.placeOfPoint : kept.placeOfTriangle);
    passes.bind(BINDING_OLD_VALUES, regionOf(this->Old, row, mesh));
    passes.bind(BINDING_KEPT_VALUES, to);
    passes.push.components = output.words;
    passes.push.points = isOfPoints ? points : triangles;
    if (output.isPointIds())
      passes.run(kernels::KeepTriangles, triangles, MESH_GROUP_SIZE);
    else
      passes.run(kernels::KeepValues, passes.push.points, MESH_GROUP_SIZE);
  }
}

void Finish::recordIsovalues()
{
  const std::vector<double>& isovalues = this->InputRequest.isovalues;
  std::uint64_t before = 0; // points of other meshes
  for (const Mesh& mesh : this->New.meshes)
  {
    for (std::size_t i = 0; i < isovalues.size() && !this->New.isovalues.isEmpty(); ++i)
    {
      const auto difference = static_cast<float>(isovalues[i] - isovalues.front());
      std::uint32_t word = 0;
      std::memcpy(&word, &difference, sizeof(word));
      const Region all = this->New.isovalues.region();
      const std::uint64_t points = mesh.firstPoint[i + 1] - mesh.firstPoint[i];
      if (points != 0)
        this->Recorder.fill({ *all.buffer, all.offset + 4 * (before + mesh.firstPoint[i]), 4 * points }, word);
    }
    before += mesh.pointCount;
  }
}

Surface Finish::copied()
{
  this->setMeshes();
  this->setArrays();
  this->Recorder.begin();
  this->Recorder.stage(Stage::KeepRegions);
  this->Recorder.beginConcurrent();
  for (std::size_t mesh = 0; mesh < this->Kept.size(); ++mesh)
    if (this->Kept[mesh])
      this->recordCopies(mesh);
  this->recordIsovalues();
  this->Recorder.endConcurrent();
  this->Recorder.submitAndWait(this->Times);
  return std::move(this->New);
}

}

Surface finishOnDevice(const Surface& surface, const std::vector<std::optional<DeviceRegions>>& regions,
  const std::vector<std::vector<SurfaceRegion>>& tables, const std::vector<ChosenRegions>& chosen,
  const Request& request, CommandRecorder& recorder, WordsOnHost& words, StageTimes& times)
{
  Finish finish(surface, request, recorder, words, times);
  finish.findKept(regions, tables, chosen);
  Surface finished = finish.copied();
  if (request.computeMeasures)
    measureOnDevice(finished, recorder, words, times);
  return finished;
}

}
