#include "SlabPasses.h"

#include "Bindings.h"
#include "CaseTable.h"
#include "Constants.h"
#include "Error.h"
#include "HostClock.h"
#include "MarchingCubes.h"
#include "PrefixSum.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace vmc
{

Specialization specializationOf(SampleType type)
{
  const bool isSigned =
    type == SampleType::Int8 || type == SampleType::Int16 || type == SampleType::Int32 || type == SampleType::Int64;
  const bool isFloat = type == SampleType::Float32 || type == SampleType::Float64;
  const std::uint32_t kind = isFloat ? SAMPLE_FLOAT : isSigned ? SAMPLE_SIGNED : SAMPLE_UNSIGNED;
  return { { SPECIALIZE_SAMPLE_BYTES, static_cast<std::uint32_t>(bytesOf(type)) }, { SPECIALIZE_SAMPLE_KIND, kind } };
}

Specialization specializationOf(const Volume& volume)
{
  Specialization specialization = specializationOf(volume.type);
  specialization[SPECIALIZE_PADDED] = volume.padding.isEmpty() ? 0 : 1;
  return specialization;
}

namespace
{

// The two floats whose sum is nearest to a value. The rounded value is read back from memory because GCC 12 makes 0 of
// the remainder where it vectorizes the rounding of neighbouring values.
void splitInTwo(double value, float& high, float& low)
{
  const volatile float rounded = static_cast<float>(value);
  high = rounded;
  low = static_cast<float>(value - high);
}

}

Geometry geometryOf(const IndexToWorld& map)
{
  const double determinant = map.determinant();
  if (determinant == 0 || !std::isfinite(determinant))
    throw Error(Error::Kind::Unsupported, "The image's spacing and direction have determinant " +
                                            std::to_string(determinant) + "; it must be finite and not 0.");
  Geometry geometry{};
  for (int c = 0; c < 3; ++c)
    splitInTwo(map.origin[c], geometry.originHigh[c], geometry.originLow[c]);
  for (int a = 0; a < 3; ++a)
    for (int c = 0; c < 3; ++c)
    {
      splitInTwo(map.axis[a][c], geometry.axisHigh[3 * a + c], geometry.axisLow[3 * a + c]);
      // Gradients transform by the inverse transpose, whose columns are the cross products of the other two axes.
      const auto& u = map.axis[(a + 1) % 3];
      const auto& v = map.axis[(a + 2) % 3];
      const int d = (c + 1) % 3, e = (c + 2) % 3;
      geometry.gradientToWorld[3 * c + a] = static_cast<float>((u[d] * v[e] - u[e] * v[d]) / determinant);
    }
  return geometry;
}

SlabPasses::SlabPasses(const Device& device, MemoryBudget& budget, Commands& commands)
  : Owner(device)
  , Budget(budget)
  , Recorder(commands)
{
}

const Kernel& SlabPasses::kernel(const shaders::Words& spirv, std::uint32_t groupSize) const
{
  Specialization specialization = this->Samples;
  if (groupSize != 0)
    specialization[SPECIALIZE_GROUP_SIZE] = groupSize;
  return this->Owner.kernels().get(spirv, specialization);
}

// Makes sure that a buffer has room for so many words. Its contents are lost when it grows.
void SlabPasses::reserve(Buffer& buffer, std::uint64_t words, const char* name)
{
  if (buffer.size() >= words * 4 && buffer.size() != 0)
    return;
  buffer = Buffer();
  buffer = Buffer(this->Owner, this->Budget, std::max<std::uint64_t>(words, 1) * 4, Buffer::Memory::Device, name);
}

void SlabPasses::release()
{
  for (Buffer* buffer : { &this->SlotOfBrick, &this->BlockSum, &this->ActiveBrick, &this->RowEdges,
         &this->RowPointOffset, &this->LiveCells, &this->BrickOffset, &this->Crossings })
    *buffer = Buffer();
}

void SlabPasses::begin(const Volume& volume, ResidentVolume& resident, const ContourPlan& plan, const Request& request)
{
  this->Resident = &resident;
  this->Input = &volume;
  this->Plan = &plan;
  this->Wanted = &request;
  this->Samples = specializationOf(volume);
  this->Samples[SPECIALIZE_BLANKING] = this->hasBlanking() ? 1 : 0;
  this->Samples[SPECIALIZE_GHOSTS] = volume.ghosts ? 1 : 0;
  this->reserve(this->TotalsOnDevice, TOTAL_WORDS, "totals");
  this->reserve(this->CaseTable, 2 * CASE_COUNT, "case table");
  this->reserve(this->GeometryOnDevice, sizeof(Geometry) / 4, "geometry");
  this->reserve(this->Unused, 1, "nothing");
  if (this->TotalsOnHost.size() == 0)
    this->TotalsOnHost =
      Buffer(this->Owner, this->Budget, TOTAL_WORDS * 4, Buffer::Memory::Readback, "totals on the host");

  IndexToWorld map = volume.geometry;
  if (request.splitPositions) // two floats hold 48 bits: the host adds the origin, in double
    map.origin = { 0, 0, 0 };
  const Geometry geometry = geometryOf(map);
  std::vector<StageTime> untold;
  this->Recorder.begin();
  this->Recorder.update(this->CaseTable, packedCaseTable().data(), sizeof(packedCaseTable()));
  this->Recorder.update(this->GeometryOnDevice, &geometry, sizeof(geometry));
  this->Recorder.fill(this->TotalsOnDevice, 0);
  this->Recorder.submitAndWait(untold);
}

bool SlabPasses::hasBlanking() const
{
  return this->Resident->hasNan() || this->Input->ghosts;
}

void SlabPasses::bindSlab(const Slab& slab)
{
  this->Current = slab;
  this->Push = slabConstants(*this->Input, *this->Plan, slab);
  this->Push.flipWinding = this->Input->geometry.determinant() < 0 ? 1 : 0;
  this->Push.writesNormals = this->Wanted->computeNormals ? 1 : 0;
  this->Push.writesCrossings = this->Input->attributes.empty() ? 0 : 1;
  this->Push.writesGradients = this->Wanted->computeGradients ? 1 : 0;
  this->Push.writesLow = this->Wanted->splitPositions ? 1 : 0;
  this->Push.writesCells = this->Wanted->computeCells ? 1 : 0;
  this->reserve(this->SlotOfBrick, this->Push.brickCount, "slots of bricks");
  this->reserve(this->ActiveBrick, this->Push.brickCount, "active bricks");
  this->reserve(this->BlockSum, scanBlocks(this->Push.brickCount), "block sums");
  this->Bound = { { BINDING_BRICK_RANGE, this->Resident->brickRanges() }, { BINDING_TOTALS, this->TotalsOnDevice },
    { BINDING_BLOCK_SUM, this->BlockSum }, { BINDING_SLOT_OF_BRICK, this->SlotOfBrick },
    { BINDING_ACTIVE_BRICK, this->ActiveBrick }, { BINDING_CASE_TABLE, this->CaseTable },
    { BINDING_GEOMETRY, this->GeometryOnDevice } };
}

// Selecting bricks needs their ranges only; what follows needs the arrays.
void SlabPasses::bindArrays(std::vector<StageTime>& times)
{
  this->Resident->loadSlab(*this->Input, *this->Plan, this->Current, this->Recorder, times);
  this->Bound[BINDING_SAMPLES] =
    this->Resident->samples(this->Plan->windowOf(this->Current, bytesOf(this->Input->type)));
  this->Bound[BINDING_GHOSTS] =
    this->Input->ghosts ? this->Resident->ghosts(this->Plan->windowOf(this->Current, 1)) : Region(this->Unused);
}

void SlabPasses::readTotals(std::vector<StageTime>& times)
{
  this->Recorder.copy(this->TotalsOnDevice, this->TotalsOnHost);
  this->Recorder.submitAndWait(times);
  std::memcpy(this->Totals, this->TotalsOnHost.mapped(), sizeof(this->Totals));
}

std::uint32_t SlabPasses::select(const Slab& slab, const Threshold& threshold, std::vector<StageTime>& times)
{
  this->bindSlab(slab);
  this->Push.thresholdKey = threshold.key;
  this->Push.isovalueHigh = threshold.high;
  this->Push.isovalueLow = threshold.low;
  this->Push.thresholdLow = threshold.lowKey;
  // Ranges of 64-bit samples know the high words: a smallest key equal to the threshold's may still lie below it.
  const bool isWide = bytesOf(this->Input->type) == 8;
  // Below key 0 lies only what is outside, which has that key itself.
  const bool mayBeEqual = (isWide && threshold.lowKey != 0) || threshold.key == 0;
  this->Push.selectUpTo = mayBeEqual ? threshold.key : threshold.key - 1;
  std::memcpy(&this->Push.isovalueWord0, &threshold.isovalue, sizeof(threshold.isovalue));
  const std::uint32_t blocks = scanBlocks(this->Push.brickCount);
  this->Recorder.begin();
  this->Recorder.stage("SelectBricks");
  this->Recorder.dispatch(this->kernel(shaders::SelectBricks, SCAN_GROUP_SIZE), this->Bound, this->Push, blocks);
  recordBlockScan(this->Recorder, this->Owner.kernels(), this->Bound, 1, blocks, TOTAL_ACTIVE);
  this->Recorder.dispatch(this->kernel(shaders::CompactBricks, SCAN_GROUP_SIZE), this->Bound, this->Push, blocks);
  this->readTotals(times);
  this->Push.activeCount = this->Totals[TOTAL_ACTIVE];
  this->Push.emitCount = this->Totals[slab.lookAhead != 0 ? TOTAL_OWN_ACTIVE : TOTAL_ACTIVE];
  return this->Push.emitCount;
}

std::uint32_t SlabPasses::count(std::vector<StageTime>& times)
{
  const std::uint64_t active = this->Push.activeCount;
  this->bindArrays(times);
  this->reserve(this->RowEdges, active * ROW_WORDS, "row edges");
  this->reserve(this->RowPointOffset, active * ROW_OFFSET_WORDS, "row point offsets");
  this->reserve(this->LiveCells, this->hasBlanking() ? active * LIVE_CELL_WORDS : 1, "live cells");
  this->reserve(this->BrickOffset, 2 * active, "brick offsets");
  this->reserve(this->BlockSum, 2 * scanBlocks(this->Push.activeCount), "block sums");
  this->Bound[BINDING_ROW_EDGES] = this->RowEdges;
  this->Bound[BINDING_ROW_POINT_OFFSET] = this->RowPointOffset;
  this->Bound[BINDING_LIVE_CELLS] = this->LiveCells;
  this->Bound[BINDING_BRICK_OFFSET] = this->BrickOffset;
  this->Bound[BINDING_BLOCK_SUM] = this->BlockSum;

  this->Recorder.begin();
  this->Recorder.stage("CountBricks");
  this->Recorder.dispatch(this->kernel(shaders::CountBricks), this->Bound, this->Push, active);
  this->Recorder.stage("Scan");
  recordPrefixSum(this->Recorder, this->Owner.kernels(), this->Bound, 2, this->Push.activeCount,
    { TOTAL_POINTS, this->Push.emitCount, TOTAL_OWN_POINTS });
  this->readTotals(times);
  if (this->Push.emitCount == this->Push.activeCount) // no look-ahead brick: the scan met no split
  {
    this->Totals[TOTAL_OWN_POINTS] = this->Totals[TOTAL_POINTS];
    this->Totals[TOTAL_OWN_TRIANGLES] = this->Totals[TOTAL_TRIANGLES];
  }
  return this->Totals[TOTAL_OWN_TRIANGLES];
}

void SlabPasses::checkIds(std::uint64_t pointBase, std::uint64_t points) const
{
  constexpr std::uint32_t Stuck = 0xFFFFFFFFu; // sums stick there
  if (this->Totals[TOTAL_POINTS] == Stuck || this->Totals[TOTAL_TRIANGLES] == Stuck)
    throw Error(Error::Kind::OutOfMemory, "One slab makes more than 4294967294 points or triangles.");
  if (pointBase + points > Stuck)
    throw Error(Error::Kind::Unsupported,
      "The isosurfaces have " + std::to_string(pointBase + points) + " points or more; ids allow 4294967295.");
}

Mesh SlabPasses::emit(std::uint64_t pointBase, std::vector<StageTime>& times)
{
  const bool merge = this->Wanted->mergePoints;
  const std::uint64_t triangles = this->Totals[TOTAL_OWN_TRIANGLES];
  // Without shared points a triangle copies the values of its points, also of those that the next slab would emit.
  const std::uint64_t shared = this->Totals[merge ? TOTAL_OWN_POINTS : TOTAL_POINTS];
  const std::uint64_t points = merge ? shared : 3 * triangles;
  this->checkIds(pointBase, std::max(points, shared));
  this->Push.pointBase = merge ? static_cast<std::uint32_t>(pointBase) : 0;

  Outputs outputs = this->makeOutputs(shared, triangles);
  this->bindOutputs(outputs);
  this->Recorder.begin();
  this->recordEmission(shared, outputs);
  Outputs corners;
  if (!merge)
    corners = this->recordRepetition(outputs, triangles);
  return this->download(merge ? outputs : corners, points, triangles, times);
}

SlabPasses::Outputs SlabPasses::makeOutputs(std::uint64_t points, std::uint64_t triangles) const
{
  const auto make = [this](bool wanted, std::uint64_t sizeInBytes, const char* name)
  { return wanted ? OutputArray(this->Owner, this->Budget, sizeInBytes, name) : OutputArray(); };
  Outputs outputs;
  outputs.positions = make(true, points * 12, "positions");
  outputs.positionsLow = make(this->Wanted->splitPositions, points * 12, "low parts of positions");
  outputs.normals = make(this->Wanted->computeNormals, points * 12, "normals");
  outputs.gradients = make(this->Wanted->computeGradients, points * 12, "gradients");
  outputs.triangles = make(true, triangles * 12, "triangles");
  outputs.cells = make(this->Wanted->computeCells, triangles * 4, "cells of triangles");
  for (const Attribute& attribute : this->Input->attributes)
    outputs.attributes.push_back(make(true, points * attribute.components * 4, "attribute values"));
  return outputs;
}

std::vector<SlabPasses::PointArray> SlabPasses::pointArrays(Outputs& outputs) const
{
  std::vector<PointArray> arrays;
  for (OutputArray* array : { &outputs.positions, &outputs.positionsLow, &outputs.normals, &outputs.gradients })
    arrays.push_back({ array, 3 });
  for (std::size_t i = 0; i < outputs.attributes.size(); ++i)
    arrays.push_back({ &outputs.attributes[i], this->Input->attributes[i].components });
  return arrays;
}

// A kernel's bindings must all hold a buffer, also those that this request leaves unwritten.
void SlabPasses::bindOutputs(const Outputs& outputs)
{
  const auto orUnused = [this](const OutputArray& array)
  { return Region(array.target().size() != 0 ? array.target() : this->Unused); };
  if (!this->Input->attributes.empty())
    this->reserve(this->Crossings, 2 * std::uint64_t(this->Totals[TOTAL_POINTS]), "crossings");
  this->Bound[BINDING_POSITION] = orUnused(outputs.positions);
  this->Bound[BINDING_POSITION_LOW] = orUnused(outputs.positionsLow);
  this->Bound[BINDING_NORMAL] = orUnused(outputs.normals);
  this->Bound[BINDING_GRADIENT] = orUnused(outputs.gradients);
  this->Bound[BINDING_TRIANGLE_CELL] = orUnused(outputs.cells);
  this->Bound[BINDING_TRIANGLE] = orUnused(outputs.triangles);
  this->Bound[BINDING_CROSSING] = this->Crossings.size() != 0 ? this->Crossings : this->Unused;
}

void SlabPasses::recordEmission(std::uint64_t points, const Outputs& outputs)
{
  SlabConstants pointPush = this->Push;
  if (!this->Wanted->mergePoints)
    pointPush.emitCount = this->Push.activeCount;
  this->Recorder.stage("EmitPoints");
  this->Recorder.dispatch(
    this->kernel(shaders::EmitPoints), this->Bound, pointPush, points != 0 ? pointPush.emitCount : 0);
  this->Recorder.stage("EmitTriangles");
  if (this->Totals[TOTAL_OWN_TRIANGLES] != 0)
    this->Recorder.dispatch(this->kernel(shaders::EmitTriangles), this->Bound, this->Push, this->Push.emitCount);
  if (outputs.attributes.empty() || points == 0)
    return;
  this->Recorder.stage("InterpolateAttributes");
  for (std::size_t i = 0; i < outputs.attributes.size(); ++i)
    this->recordAttribute(i, points, outputs.attributes[i].target());
}

void SlabPasses::recordAttribute(std::size_t index, std::uint64_t points, const Buffer& target)
{
  const Attribute& attribute = this->Input->attributes[index];
  const Window window =
    this->Plan->windowOf(this->Current, bytesOf(attribute.type) * attribute.components, attribute.components);
  ValueConstants push{};
  push.count = static_cast<std::uint32_t>(points);
  push.components = attribute.components;
  push.windowSkew = window.skew;
  push.strideY = this->Input->size[0];
  push.strideZ = this->Input->size[0] * this->Input->size[1];
  Specialization specialization = specializationOf(attribute.type);
  specialization[SPECIALIZE_GROUP_SIZE] = LINEAR_GROUP_SIZE;
  this->Bound[BINDING_ATTRIBUTE] = this->Resident->attribute(index, window);
  this->Bound[BINDING_INTERPOLATED] = target;
  this->Recorder.dispatch(this->Owner.kernels().get(shaders::InterpolateAttribute, specialization), this->Bound, push,
    groupsFor(points * attribute.components, LINEAR_GROUP_SIZE));
}

SlabPasses::Outputs SlabPasses::recordRepetition(Outputs& shared, std::uint64_t triangles)
{
  Outputs corners = this->makeOutputs(3 * triangles, 0);
  const std::vector<PointArray> from = this->pointArrays(shared), to = this->pointArrays(corners);
  this->Recorder.stage("RepeatCorners");
  for (std::size_t i = 0; i < from.size(); ++i)
    if (from[i].array->target().size() != 0)
      this->recordRepeat(from[i].array->target(), to[i].array->target(), from[i].components, triangles);
  corners.cells = std::move(shared.cells);
  return corners;
}

void SlabPasses::recordRepeat(
  const Buffer& shared, const Buffer& corners, std::uint32_t components, std::uint64_t triangles)
{
  ValueConstants push{};
  push.count = static_cast<std::uint32_t>(3 * triangles);
  push.components = components;
  this->Bound[BINDING_SHARED_VALUES] = shared;
  this->Bound[BINDING_CORNER_VALUES] = corners;
  this->Recorder.dispatch(this->kernel(shaders::RepeatCorners, LINEAR_GROUP_SIZE), this->Bound, push,
    groupsFor(3 * triangles * components, LINEAR_GROUP_SIZE));
}

Mesh SlabPasses::download(
  Outputs& outputs, std::uint64_t points, std::uint64_t triangles, std::vector<StageTime>& times)
{
  this->Recorder.stage("Download");
  for (const PointArray& array : this->pointArrays(outputs))
    array.array->recordDownload(this->Recorder);
  outputs.triangles.recordDownload(this->Recorder);
  outputs.cells.recordDownload(this->Recorder);
  this->Recorder.submitAndWait(times);

  const HostClock clock;
  Mesh part;
  part.pointCount = points;
  part.triangleCount = triangles;
  part.positions = outputs.positions.take();
  part.positionsLow = outputs.positionsLow.take();
  part.normals = outputs.normals.take();
  part.gradients = outputs.gradients.take();
  part.triangles = outputs.triangles.take();
  part.triangleCells = this->wholeCells(outputs.cells.take());
  for (OutputArray& attribute : outputs.attributes)
    part.attributes.push_back(attribute.take());
  addTime(times, "Download", clock.milliseconds());
  return part;
}

// Sample numbers of the window become those of the volume, which need 64 bits.
HostBlock SlabPasses::wholeCells(const HostBlock& cells) const
{
  const std::size_t count = cells.size() / sizeof(std::uint32_t);
  const std::int64_t first = std::int64_t(this->Push.windowLayer) * this->Input->size[0] * this->Input->size[1];
  HostBlock whole(count * sizeof(std::int64_t));
  const auto* from = reinterpret_cast<const std::uint32_t*>(cells.data());
  std::transform(from, from + count, reinterpret_cast<std::int64_t*>(whole.data()),
    [first](std::uint32_t number) { return first + number; });
  return whole;
}

}
