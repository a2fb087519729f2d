#include "Compute/Contour/SlabPasses.h"

#include "Compute/Contour/CaseTable.h"
#include "Compute/Contour/MarchingCubes.h"
#include "Compute/Contour/TriangleOffsets.h"
#include "Compute/Memory/HostMemoryPool.h"
#include "Compute/System/Error.h"
#include "Compute/System/HostClock.h"
#include "Embedded/Kernels.h"
#include "Shared/Bindings.h"
#include "Shared/Constants.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

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

Specialization specializationOfBricks(bool isGpu)
{
  return { { SPECIALIZE_GPU, isGpu ? 1 : 0 }, { SPECIALIZE_GROUP_SIZE, isGpu ? BRICK_ROWS : BRICK_SIZE } };
}

namespace
{

// Whether each axis of the volume runs along that of the world.
bool isAligned(const IndexToWorld& map)
{
  for (std::size_t a = 0; a < 3; ++a)
    for (std::size_t c = 0; c < 3; ++c)
      if (a != c && map.axis[a][c] != 0)
        return false;
  return true;
}

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
  for (std::size_t a = 0; a < 3; ++a)
  {
    // Gradients transform by the inverse transpose, whose columns are the cross products of the other two axes.
    const auto& u = map.axis[(a + 1) % 3];
    const auto& v = map.axis[(a + 2) % 3];
    std::array<double, 3> column;
    for (std::size_t c = 0; c < 3; ++c)
    {
      splitInTwo(map.axis[a][c], geometry.axisHigh[a][c], geometry.axisLow[a][c]);
      const std::size_t d = (c + 1) % 3, e = (c + 2) % 3;
      column[c] = (u[d] * v[e] - u[e] * v[d]) / determinant;
    }
    const int exponent = std::ilogb(std::max({ std::abs(column[0]), std::abs(column[1]), std::abs(column[2]) }));
    geometry.gradientExponent[a] = exponent;
    for (std::size_t c = 0; c < 3; ++c)
      geometry.gradientToWorld[c][a] = static_cast<float>(std::scalbn(column[c], -exponent));
  }
  return geometry;
}

SlabPasses::SlabPasses(const Device& device, MemoryBudget& budget, Commands& commands, Totals& totals)
  : Owner(device)
  , Budget(budget)
  , Recorder(commands)
  , Counted(totals)
  , Arrays(device, budget)
  , Corners(device, budget)
{
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
         &this->RowPointOffset, &this->ValidCells, &this->BrickOffset, &this->Crossings })
    *buffer = Buffer();
  this->Arrays.release();
  this->Corners.release();
  this->There = Room();
}

void SlabPasses::begin(const Volume& volume, ResidentVolume& resident, const ContourPlan& plan, const Request& request)
{
  this->Resident = &resident;
  this->Input = &volume;
  this->Plan = &plan;
  this->Wanted = &request;
  this->chooseKernels();
  this->Arrays.choose(request, volume.attributes);
  if (request.mergePoints)
    this->Corners.release();
  else
    this->Corners.choose(request, volume.attributes);
  IndexToWorld map = volume.geometry;
  if (request.splitPositions) // two floats hold 48 bits: the host adds the origin, in double
    map.origin = { 0, 0, 0 };
  const Geometry geometry = geometryOf(map);
  this->HasTables = this->HasTables && std::memcmp(&geometry, &this->Map, sizeof(geometry)) == 0;
  this->Map = geometry;
  this->Counted.reserve();
  this->reserve(this->Dispatch, 3, "a dispatch");
  this->reserve(this->CaseTable, CASE_TABLE_WORDS, "case table");
  this->reserve(this->GeometryOnDevice, sizeof(Geometry) / 4, "geometry");
  this->reserve(this->Unused, 1, "nothing");
  this->reserve(this->UnusedCells, 1, "no cells");
}

void SlabPasses::chooseKernels()
{
  Specialization specialization = specializationOf(*this->Input);
  specialization[SPECIALIZE_BLANKING] = this->hasBlanking() ? 1 : 0;
  specialization[SPECIALIZE_GHOSTS] = this->Input->ghosts ? 1 : 0;
  specialization[SPECIALIZE_SLOPES] = this->Wanted->computeNormals || this->Wanted->computeGradients ? 1 : 0;
  specialization[SPECIALIZE_ALIGNED] = isAligned(this->Input->geometry) ? 1 : 0;
  specialization.merge(specializationOfBricks(this->Owner.traits().type != DeviceTraits::Type::Cpu));
  if (specialization == this->KernelsSpecialization)
    return;
  const auto plain = [&](const kernels::Words& spirv) { return &this->Owner.kernels().get(spirv); };
  const auto kernel = [&](const kernels::Words& spirv) { return &this->Owner.kernels().get(spirv, specialization); };
  this->Kernels = { plain(kernels::SelectBricks), plain(kernels::CompactBricks), kernel(kernels::CountBricks),
    plain(kernels::ScanBricks), kernel(kernels::EmitPoints), kernel(kernels::EmitTriangles) };
  this->KernelsSpecialization = specialization;
}

bool SlabPasses::hasBlanking() const
{
  return this->Resident->hasNan() || this->Input->ghosts;
}

// The case table and the geometry of the volume, unless they are there.
void SlabPasses::recordTables()
{
  if (this->HasTables)
    return;
  this->Recorder.update(this->CaseTable, packedCaseTable().data(), sizeof(packedCaseTable()));
  this->Recorder.update(this->GeometryOnDevice, &this->Map, sizeof(this->Map));
}

void SlabPasses::bindSlab(const Slab& slab, const Threshold& threshold, std::uint64_t pointBase)
{
  this->Current = slab;
  this->Push = slabConstants(*this->Input, *this->Plan, slab);
  this->Push.maxGroups = this->Owner.limits().maxGroups;
  const auto set = [this](std::uint32_t setting, bool isSet) { this->Push.settings |= isSet ? setting : 0; };
  set(SETTING_FLIP_WINDING, this->Input->geometry.determinant() < 0);
  set(SETTING_WRITES(BINDING_NORMAL), this->Wanted->computeNormals);
  set(SETTING_WRITES(BINDING_CROSSING), !this->Input->attributes.empty());
  set(SETTING_WRITES(BINDING_GRADIENT), this->Wanted->computeGradients);
  set(SETTING_WRITES(BINDING_POSITION_LOW), this->Wanted->splitPositions);
  set(SETTING_WRITES(BINDING_TRIANGLE_CELL), this->Wanted->computeCells);
  this->FirstPoint = pointBase;
  this->Push.pointBase = this->Wanted->mergePoints ? static_cast<std::uint32_t>(pointBase) : 0;
  this->setThreshold(threshold);
  this->reserve(this->SlotOfBrick, this->Push.brickCount, "slots of bricks");
  this->reserve(this->ActiveBrick, this->Push.brickCount, "active bricks");
  this->reserve(this->BlockSum, BLOCK_SUM_ARRAYS * groupsFor(this->Push.brickCount, SCAN_BLOCK_SIZE), "block sums");
}

void SlabPasses::setThreshold(const Threshold& threshold)
{
  this->Push.thresholdKey = threshold.key;
  this->Push.isovalueHigh = threshold.high;
  this->Push.isovalueLow = threshold.low;
  this->Push.thresholdLow = threshold.lowKey;
  // Ranges of 64-bit samples know the high words: a smallest key equal to the threshold's may still lie below it.
  const bool isWide = bytesOf(this->Input->type) == 8;
  // Below key 0 lies only what is outside, which has that key itself.
  const bool mayBeEqual = (isWide && threshold.lowKey != 0) || threshold.key == 0;
  this->Push.selectUpTo = mayBeEqual ? threshold.key : threshold.key - 1;
  this->Push.isovalueExponent = threshold.exponent;
  std::memcpy(&this->Push.isovalueLowWord, &threshold.isovalue, sizeof(threshold.isovalue));
}

// Selecting bricks needs their ranges only; what follows needs the arrays.
void SlabPasses::bindArrays(std::vector<StageTime>& times)
{
  this->Resident->loadSlab(*this->Input, *this->Plan, this->Current, times);
  this->Bound[BINDING_SAMPLES] =
    this->Resident->samples(this->Plan->windowOf(this->Current, bytesOf(this->Input->type)));
  this->Bound[BINDING_GHOSTS] =
    this->Input->ghosts ? this->Resident->ghosts(this->Plan->windowOf(this->Current, 1)) : Region(this->Unused);
}

// Makes the buffers that `There` speaks of, and binds all but the arrays of the volume.
void SlabPasses::bindRoom()
{
  const std::uint64_t active = this->There.activeBricks;
  this->Push.activeCapacity = this->There.activeBricks;
  this->Push.pointCapacity = this->There.points;
  this->Push.triangleCapacity = this->There.triangles;
  this->reserve(this->RowEdges, active * ROW_WORDS, "row edges");
  this->reserve(this->RowPointOffset, active * ROW_OFFSET_WORDS, "row point offsets");
  this->reserve(this->ValidCells, this->hasBlanking() ? active * VALID_CELL_WORDS : 1, "live cells");
  this->reserve(this->BrickOffset, 2 * active, "brick offsets");
  this->reserve(this->Crossings,
    (this->Push.settings & SETTING_WRITES(BINDING_CROSSING)) != 0 ? 2 * this->There.points : 1, "crossings");
  this->Arrays.reserve(this->There.points, this->There.triangles);
  this->Bound[BINDING_BRICK_RANGE] = this->Resident->brickRanges();
  this->Bound[BINDING_TOTALS] = this->Counted.onDevice();
  this->Bound[BINDING_DISPATCH] = this->Dispatch;
  this->Bound[BINDING_BLOCK_SUM] = this->BlockSum;
  this->Bound[BINDING_SLOT_OF_BRICK] = this->SlotOfBrick;
  this->Bound[BINDING_ACTIVE_BRICK] = this->ActiveBrick;
  this->Bound[BINDING_CASE_TABLE] = this->CaseTable;
  this->Bound[BINDING_GEOMETRY] = this->GeometryOnDevice;
  this->Bound[BINDING_ROW_EDGES] = this->RowEdges;
  this->Bound[BINDING_ROW_POINT_OFFSET] = this->RowPointOffset;
  this->Bound[BINDING_VALID_CELLS] = this->ValidCells;
  this->Bound[BINDING_BRICK_OFFSET] = this->BrickOffset;
  this->Bound[BINDING_CROSSING] = this->Crossings;
  this->Arrays.bind(this->Bound, this->Unused, this->UnusedCells);
}

void SlabPasses::recordSelection()
{
  const std::uint64_t blocks = groupsFor(this->Push.brickCount, SCAN_BLOCK_SIZE);
  this->Recorder.stage("SelectBricks");
  this->Recorder.dispatch(*this->Kernels.select, this->Bound, this->Push, blocks);
  this->Recorder.dispatch(*this->Kernels.compact, this->Bound, this->Push, blocks);
}

void SlabPasses::recordCounting()
{
  this->Recorder.stage("CountBricks");
  this->Recorder.dispatchIndirect(*this->Kernels.count, this->Bound, this->Push, this->Dispatch);
  this->Recorder.stage("ScanBricks");
  this->Recorder.dispatch(
    *this->Kernels.scan, this->Bound, this->Push, groupsFor(this->Push.activeCapacity, SCAN_BLOCK_SIZE), 2);
}

void SlabPasses::recordEmission()
{
  // Without shared points a triangle copies the values of its points, also of those that the next slab would emit.
  SlabConstants pointPush = this->Push;
  if (!this->Wanted->mergePoints)
    pointPush.ownBrickCount = this->Push.brickCount;
  this->Recorder.stage("EmitPoints");
  this->Recorder.dispatchIndirect(*this->Kernels.points, this->Bound, pointPush, this->Dispatch);
  this->Recorder.stage("EmitTriangles");
  this->Recorder.dispatchIndirect(*this->Kernels.triangles, this->Bound, this->Push, this->Dispatch);
}

// Passes from this one on, as far as there is room at all, in one submission.
void SlabPasses::submitFrom(Pass first, std::vector<StageTime>& times)
{
  this->bindRoom();
  this->Recorder.begin(this->Wanted->timeStages);
  this->recordTables();
  if (first == Pass::Select)
    this->recordSelection();
  if (first <= Pass::Count && this->There.activeBricks != 0)
    this->recordCounting();
  this->Recorder.beginConcurrent(); // all of them only read totals, and triangles need the offsets of points alone
  this->Counted.recordFetch(this->Recorder);
  if (this->There.points != 0)
    this->recordEmission();
  this->Recorder.endConcurrent();
  this->Recorder.submitAndWait(times);
  this->HasTables = true;
}

// The pass that has to be done again, with more room.
SlabPasses::Pass SlabPasses::makeRoom()
{
  if (this->activeCount() > this->There.activeBricks)
  {
    this->There.activeBricks = this->activeCount();
    return Pass::Count;
  }
  if (this->activeCount() == 0)
    return Pass::Done;
  this->checkIds();
  if (this->pointsToEmit() <= this->There.points && this->triangleCount() <= this->There.triangles)
    return Pass::Done;
  this->There.points = std::max(this->There.points, this->pointsToEmit());
  this->There.triangles = std::max(this->There.triangles, this->triangleCount());
  return Pass::Emit;
}

std::uint32_t SlabPasses::run(
  const Slab& slab, const Threshold& threshold, std::uint64_t pointBase, std::vector<StageTime>& times)
{
  this->bindSlab(slab, threshold, pointBase);
  Pass first = Pass::Select;
  if (this->Plan->holdsWholeArrays())
    this->bindArrays(times);
  else // samples are not brought for nothing
  {
    const Room there = std::exchange(this->There, Room());
    this->submitFrom(Pass::Select, times);
    this->There = there;
    if (this->activeCount() == 0)
      return 0;
    this->bindArrays(times);
    first = Pass::Count;
    this->There.activeBricks = std::max(this->There.activeBricks, this->activeCount());
  }
  do
    this->submitFrom(first, times);
  while ((first = this->makeRoom()) != Pass::Done);
  return this->ownActiveCount();
}

std::uint32_t SlabPasses::activeCount() const
{
  return this->Counted[TOTAL_ACTIVE];
}

std::uint32_t SlabPasses::ownActiveCount() const
{
  return this->Counted[this->Current.haloLayers != 0 ? TOTAL_OWN_ACTIVE : TOTAL_ACTIVE];
}

// Without an active look-ahead brick the scan has met no split.
std::uint32_t SlabPasses::pointsToEmit() const
{
  const bool all = !this->Wanted->mergePoints || this->ownActiveCount() == this->activeCount();
  return this->Counted[all ? TOTAL_POINTS : TOTAL_OWN_POINTS];
}

std::uint32_t SlabPasses::triangleCount() const
{
  return this->Counted[this->ownActiveCount() == this->activeCount() ? TOTAL_TRIANGLES : TOTAL_OWN_TRIANGLES];
}

void SlabPasses::checkIds() const
{
  constexpr std::uint32_t Stuck = 0xFFFFFFFFu; // sums stick there
  if (this->Counted[TOTAL_POINTS] == Stuck || this->Counted[TOTAL_TRIANGLES] == Stuck)
    throw Error(Error::Kind::OutOfMemory, "One slab makes more than 4294967294 points or triangles.");
  const std::uint64_t corners = this->Wanted->mergePoints ? 0 : 3 * std::uint64_t(this->triangleCount());
  const std::uint64_t points = this->FirstPoint + std::max<std::uint64_t>(this->pointsToEmit(), corners);
  if (points > Stuck)
    throw Error(Error::Kind::Unsupported,
      "The isosurfaces have " + std::to_string(points) + " points or more; ids allow 4294967295.");
}

void SlabPasses::recordAttribute(std::size_t index, std::uint64_t points, const Region& target)
{
  const Attribute& attribute = this->Input->attributes[index];
  const Window window =
    this->Plan->windowOf(this->Current, bytesOf(attribute.type) * attribute.components, attribute.components);
  ValueConstants push{};
  push.count = static_cast<std::uint32_t>(points);
  push.components = attribute.components;
  push.windowOffset = window.skew;
  push.strideY = this->Input->size[0];
  push.strideZ = this->Input->size[0] * this->Input->size[1];
  this->Bound[BINDING_ATTRIBUTE] = this->Resident->attribute(index, window);
  this->Bound[BINDING_INTERPOLATED] = target;
  this->Recorder.dispatch(this->Owner.kernels().get(kernels::InterpolateAttribute, specializationOf(attribute.type)),
    this->Bound, push, groupsFor(points * attribute.components, LINEAR_GROUP_SIZE));
}

void SlabPasses::recordRepeat(
  const Region& shared, const Region& corners, std::uint32_t components, std::uint64_t triangles)
{
  ValueConstants push{};
  push.count = static_cast<std::uint32_t>(3 * triangles);
  push.components = components;
  this->Bound[BINDING_SHARED_VALUES] = shared;
  this->Bound[BINDING_CORNER_VALUES] = corners;
  this->Recorder.dispatch(this->Owner.kernels().get(kernels::RepeatCorners), this->Bound, push,
    groupsFor(3 * triangles * components, LINEAR_GROUP_SIZE));
}

// Every array of values at the points once more, with the points of each triangle in its own places.
void SlabPasses::recordRepetition()
{
  this->Corners.reserve(3 * std::uint64_t(this->triangleCount()), 0);
  this->Recorder.stage("RepeatCorners");
  for (std::size_t i = 0; i < this->Corners.pointArrays().size(); ++i)
  {
    const MeshArrays::PointArray& shared = this->Arrays.pointArrays()[i];
    this->recordRepeat(
      shared.values.target(), this->Corners.pointArrays()[i].values.target(), shared.components, this->triangleCount());
  }
}

void SlabPasses::recordAttributes()
{
  this->Recorder.stage("InterpolateAttribute");
  for (std::size_t i = 0; i < this->Input->attributes.size(); ++i)
    this->recordAttribute(i, this->pointsToEmit(), this->Arrays.attributeArray(i).values.target());
}

Mesh SlabPasses::download(std::vector<StageTime>& times)
{
  const bool merge = this->Wanted->mergePoints;
  const std::uint64_t triangles = this->triangleCount();
  const std::uint64_t points = merge ? this->pointsToEmit() : 3 * triangles;
  MeshArrays& arrays = merge ? this->Arrays : this->Corners;
  this->Recorder.begin(this->Wanted->timeStages);
  if (!this->Input->attributes.empty() && points != 0)
    this->recordAttributes();
  if (!merge && points != 0)
    this->recordRepetition();
  if (!this->Wanted->keepOnDevice)
  {
    this->Recorder.stage("Download");
    arrays.recordDownload(this->Recorder, points, merge ? triangles : 0);
    this->Arrays.recordCellDownload(this->Recorder, triangles);
  }
  Mesh part;
  this->Recorder.submitAndWait(times,
    [&]
    {
      const bool isWhole = this->Plan->slabs().size() == 1 && this->Wanted->isovalues.size() == 1;
      if (isWhole && !this->Wanted->keepOnDevice && idsAreNarrow(points, triangles))
        part.offsets = triangleOffsets<std::int32_t>(this->Owner.hostMemory(), triangles);
    });
  if (!this->Wanted->keepOnDevice)
  {
    const HostClock clock;
    arrays.take(points, merge ? triangles : 0, part);
    part.triangleCells = this->wholeCells(this->Arrays.takeCells(triangles));
    addTime(times, "Download", clock.milliseconds());
  }
  part.pointCount = points;
  part.triangleCount = triangles;
  return part;
}

// Sample numbers of the window become those of the volume, which need 64 bits.
HostBlock SlabPasses::wholeCells(const HostBlock& cells) const
{
  const std::size_t count = cells.size() / sizeof(std::uint32_t);
  const std::int64_t first = std::int64_t(this->Push.windowLayer) * this->Input->size[0] * this->Input->size[1];
  HostBlock whole = this->Owner.hostMemory().take(count * sizeof(std::int64_t));
  const auto* from = reinterpret_cast<const std::uint32_t*>(cells.data());
  std::transform(from, from + count, reinterpret_cast<std::int64_t*>(whole.data()),
    [first](std::uint32_t number) { return first + number; });
  return whole;
}

}
