// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "NumpyVolume.h"

#include "VertexValues.h"

#include "Compute/Contour/Outputs.h"
#include "Compute/Histogram/Suggestions.h"
#include "Compute/Memory/HostMemoryPool.h"
#include "Compute/System/Error.h"
#include "Compute/System/Parallel.h"
#include "Compute/System/Platform.h"
#include "Compute/Volume/Report.h"

#include <pybind11/stl.h>

#include <algorithm>
#include <chrono>
#include <utility>

namespace py = pybind11;

namespace vmc::python
{

namespace
{

std::atomic<int> runningCalls{ 0 };
std::atomic<bool> isEnding{ false };
const std::uint64_t processAtLoad = processId();

// Returns whether a run may continue. If not, sets Python's exception.
bool mayContinue(double /*share*/)
{
  const py::gil_scoped_acquire interpreter;
  if (isEnding)
    PyErr_SetString(PyExc_RuntimeError, "Python is about to end.");
  return !isEnding && PyErr_CheckSignals() == 0;
}

SampleType typeOf(const py::dtype& type)
{
  const bool isUnsigned = type.kind() == 'u';
  if (type.kind() == 'f')
    return type.itemsize() == 4 ? SampleType::Float32 : SampleType::Float64;
  switch (type.itemsize())
  {
    case 1:
      return isUnsigned ? SampleType::UInt8 : SampleType::Int8;
    case 2:
      return isUnsigned ? SampleType::UInt16 : SampleType::Int16;
    case 4:
      return isUnsigned ? SampleType::UInt32 : SampleType::Int32;
    default:
      return isUnsigned ? SampleType::UInt64 : SampleType::Int64;
  }
}

// Returns an array of this shape that owns the block.
template <class Value>
py::array arrayOf(HostBlock block, const std::vector<std::size_t>& shape)
{
  if (block.size() == 0)
    return py::array_t<Value>(shape);
  void* const memory = block.release();
  return py::array_t<Value>(shape, static_cast<const Value*>(memory), py::capsule(memory, &releaseHostMemory));
}

// Returns an array of copies of the values.
template <class Value, class From>
py::array_t<Value> copyOf(const std::vector<From>& values)
{
  py::array_t<Value> array(static_cast<py::ssize_t>(values.size()));
  std::copy(values.begin(), values.end(), array.mutable_data());
  return array;
}

// Returns the rows of the regions that remain, by their ranks.
std::vector<RegionRow> rowsOf(const std::vector<SurfaceRegion>& table, const ChosenRegions& chosen)
{
  std::vector<RegionRow> rows(static_cast<std::size_t>(std::count(chosen.isKept.begin(), chosen.isKept.end(), 1)));
  for (std::size_t i = 0; i < table.size(); ++i)
  {
    const SurfaceMeasures& of = table[i].measures;
    if (chosen.isKept[i] != 0)
      rows[static_cast<std::size_t>(chosen.rank[i])] = { static_cast<std::int64_t>(table[i].isovalue),
        static_cast<std::int64_t>(of.triangles), static_cast<std::int64_t>(of.openEdges), of.area, of.volume,
        of.centroid, of.bounds.low, of.bounds.high };
  }
  return rows;
}

template <class Id>
void reverseTriangles(HostBlock& block, unsigned threads)
{
  auto* const ids = reinterpret_cast<Id*>(block.data());
  constexpr std::size_t AtOnce = 1 << 16; // some microseconds
  inParts(block.size() / (3 * sizeof(Id)), AtOnce, threads,
    [=](std::size_t begin, std::size_t end)
    {
      for (; begin < end; ++begin)
        std::swap(ids[3 * begin], ids[3 * begin + 2]);
    });
}

}

RunningCall::RunningCall()
{
  if (isEnding)
    throw Error(Error::Kind::Internal, "Python is about to end.");
  ++runningCalls;
}

RunningCall::~RunningCall()
{
  --runningCalls;
}

void RunningCall::waitForAll()
{
  if (processId() != processAtLoad) // a forked process has none of the threads
    return;
  isEnding = true;
  const py::gil_scoped_release others;
  while (runningCalls != 0)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

NumpyVolume::Use::Use(NumpyVolume& volume)
  : Used(volume)
  , Alone(volume.OneUse, std::defer_lock)
{
  if (processId() != volume.Process)
    throw Error(Error::Kind::Internal, "The volume was made before fork(); make another one in this process.");
  if (volume.User == std::this_thread::get_id())
    throw Error(Error::Kind::Internal, "This thread uses the volume already.");
  while (!this->Alone.try_lock_for(std::chrono::milliseconds(50)))
    if (!mayContinue(0))
      throw Stopped();
  volume.User = std::this_thread::get_id();
}

NumpyVolume::Use::~Use()
{
  this->Used.User = std::thread::id();
}

NumpyVolume::NumpyVolume(py::array array, py::object flags, const Vector3& origin, const std::array<Vector3, 3>& steps,
  bool closed, const std::string& device)
  : Array(std::move(array))
  , Flags(std::move(flags))
  , Process(processId())
  , IsAutomatic(device.empty())
{
  const RunningCall running;
  Volume& volume = this->Samples;
  volume.samples = this->Array.data();
  volume.type = typeOf(this->Array.dtype());
  volume.ghosts = this->Flags.is_none() ? nullptr : static_cast<const std::uint8_t*>(py::array(this->Flags).data());
  for (std::size_t i = 0; i < 3; ++i)
    volume.size[i] = static_cast<std::uint32_t>(this->Array.shape(static_cast<py::ssize_t>(2 - i)));
  volume.geometry = SampleGeometry(origin, steps);
  volume.padding.closed = closed;
  if (closed)
    volume.padding.low = volume.padding.high = { 1, 1, 1 };
  static std::atomic<std::uint64_t> lastIdentity{ 0 };
  volume.identity = ++lastIdentity;
  volume.ghostIdentity = volume.ghosts ? ++lastIdentity : 0;
  const py::gil_scoped_release others;
  this->OwnEngine = Engine::shared(device);
  this->OwnSession = this->OwnEngine->makeSession();
}

// Releases what the engine keeps of the volume.
NumpyVolume::~NumpyVolume()
{
  const py::gil_scoped_release others;
  this->OwnSession->releaseVolumes(this->Samples.identity);
}

// Returns work(session, report). A GPU that was chosen automatically and cannot do it is replaced by the CPU.
template <class Work>
auto NumpyVolume::call(const Work& work)
{
  Report report;
  try
  {
    return work(*this->OwnSession, report);
  }
  catch (const Error& error)
  {
    const bool isOnCpu = this->OwnEngine->deviceName() == CpuName;
    if (error.kind() == Error::Kind::DeviceLost)
      Engine::forget(*this->OwnEngine);
    if (!this->IsAutomatic || isOnCpu)
      throw;
  }
  std::shared_ptr<Engine> cpu = Engine::shared(CpuName);
  this->OwnSession = cpu->makeSession();
  {
    const std::lock_guard<std::mutex> lock(this->EngineMutex);
    this->OwnEngine = std::move(cpu);
  }
  return work(*this->OwnSession, report);
}

// Returns the mesh of the request with the chosen regions. Sets the rows of the regions if they are numbered.
Mesh NumpyVolume::extract(const Request& request, const RegionChoice& choice, std::vector<RegionRow>& regions)
{
  const bool hasRegions = request.computeRegions || choice.keep != RegionChoice::Keep::All;
  RegionRequest wanted{ choice, request.computeRegions };
  wanted.outputs = { outputsOf(request.unfinished(), {}) };
  wanted.borders = { borderOf(this->Samples) };
  return this->call(
    [&](Session& session, Report& report)
    {
      std::optional<Surface> surface = session.extract(
        std::vector<Volume>{ this->Samples }, hasRegions ? wanted.extraction(request) : request, report, &mayContinue);
      if (!surface)
        throw Stopped();
      if (hasRegions)
      {
        const auto found = session.findRegions(std::move(*surface), request, wanted, report);
        const std::vector<SurfaceRegion>& table = found->table().front();
        ChosenRegions chosen{ chosenOf(table, choice), {} };
        chosen.rank = ranksOf(table, chosen.isKept);
        if (request.computeRegions)
          regions = rowsOf(table, chosen);
        surface = found->finish({ chosen }, report);
      }
      return std::move(surface->meshes.front());
    });
}

py::dict NumpyVolume::surface(const SurfaceOptions& options)
{
  Request request;
  request.isovalues = options.levels;
  request.computeNormals = options.normals;
  request.wideIds = options.wideIds;
  request.writeOffsets = false;
  request.computeRegions = options.regions;
  request.threads = options.threads;
  request.timeStages = false;
  Mesh mesh;
  std::vector<RegionRow> regions;
  HostBlock values;
  const RunningCall running;
  {
    const py::gil_scoped_release others;
    const Use use(*this);
    mesh = this->extract(request, options.choice, regions);
    if (!options.rightHanded)
      mesh.hasWideIds ? reverseTriangles<std::int64_t>(mesh.triangles, options.threads)
                      : reverseTriangles<std::uint32_t>(mesh.triangles, options.threads);
    values = valuesOfVertices(mesh, this->Samples, this->OwnEngine->hostMemory(), options.threads);
  }
  const std::size_t points = mesh.pointCount, triangles = mesh.triangleCount;
  py::dict arrays;
  arrays["vertices"] = arrayOf<float>(std::move(mesh.positions), { points, 3 });
  arrays["faces"] = mesh.hasWideIds || options.wideIds
                      ? arrayOf<std::int64_t>(std::move(mesh.triangles), { triangles, 3 })
                      : arrayOf<std::int32_t>(std::move(mesh.triangles), { triangles, 3 });
  if (options.normals)
    arrays["normals"] = arrayOf<float>(std::move(mesh.normals), { points, 3 });
  arrays["values"] = arrayOf<float>(std::move(values), { points });
  if (options.regions)
  {
    arrays["vertex_regions"] = arrayOf<std::int32_t>(std::move(mesh.pointRegions), { points });
    arrays["face_regions"] = arrayOf<std::int32_t>(std::move(mesh.triangleRegions), { triangles });
    arrays["regions"] = copyOf<RegionRow>(regions);
  }
  arrays["first_vertex"] = copyOf<std::int64_t>(mesh.firstPoint);
  arrays["first_face"] = copyOf<std::int64_t>(mesh.firstTriangle);
  return arrays;
}

py::list NumpyVolume::measure(const std::vector<double>& levels)
{
  Request request;
  request.isovalues = levels;
  request.computeNormals = false;
  request.computeMeasures = true;
  Mesh mesh;
  DomainShare share;
  const RunningCall running;
  {
    const py::gil_scoped_release others;
    const Use use(*this);
    std::vector<RegionRow> regions;
    mesh = this->extract(request, {}, regions);
    share = this->call([&](Session& session, Report& report)
      { return session.findShares(std::vector<Volume>{ this->Samples }, levels, {}, report).front(); });
  }
  py::list all;
  for (std::size_t i = 0; i < levels.size(); ++i)
  {
    using py::literals::operator""_a;
    const SurfaceMeasures& measures = mesh.measures[i];
    const bool isEmpty = measures.bounds.isEmpty();
    all.append(py::dict("level"_a = levels[i], "faces"_a = measures.triangles, "area"_a = measures.area,
      "volume"_a = measures.volume, "open_edges"_a = measures.openEdges, "centroid"_a = measures.centroid,
      "low"_a = isEmpty ? Vector3{} : measures.bounds.low, "high"_a = isEmpty ? Vector3{} : measures.bounds.high,
      "volume_above"_a = share.above[i], "share_above"_a = share.domain > 0 ? share.above[i] / share.domain : 0.0));
  }
  return all;
}

std::optional<std::pair<double, double>> NumpyVolume::findRange()
{
  const std::optional<SampleRange> range = this->call(
    [&](Session& session, Report& report) { return session.findRanges({ this->Samples }, {}, report).front(); });
  return range ? std::optional(std::pair(range->smallest, range->largest)) : std::nullopt;
}

std::optional<std::pair<double, double>> NumpyVolume::range()
{
  const RunningCall running;
  const py::gil_scoped_release others;
  const Use use(*this);
  return this->findRange();
}

std::pair<Bins, ValueCounts> NumpyVolume::count(
  std::optional<std::uint32_t> bins, std::optional<std::pair<double, double>> range)
{
  const py::gil_scoped_release others;
  const Use use(*this);
  if (!range)
    range = this->findRange().value_or(std::pair(0.0, 0.0));
  const auto [smallest, largest] = *range;
  const Bins chosen =
    bins ? equalBins(smallest, largest, *bins) : binsOf(kindOf(this->Samples.type), smallest, largest);
  std::optional<std::vector<ValueCounts>> counts = this->call([&](Session& session, Report& report)
    { return session.count({ this->Samples }, chosen, {}, report, &mayContinue); });
  if (!counts)
    throw Stopped();
  return { chosen, std::move(counts->front()) };
}

py::dict NumpyVolume::histogram(
  std::optional<std::uint32_t> bins, const std::optional<std::pair<double, double>>& range)
{
  const RunningCall running;
  const auto [chosen, counts] = this->count(bins, range);
  py::array_t<double> edges(chosen.count + 1);
  for (std::uint32_t i = 0; i <= chosen.count; ++i)
    edges.mutable_at(i) = chosen.edge(i);
  py::dict arrays;
  arrays["counts"] = copyOf<std::int64_t>(counts.samples);
  arrays["edges"] = edges;
  arrays["cut_cells"] = copyOf<std::int64_t>(counts.cutCells);
  return arrays;
}

py::dict NumpyVolume::suggest()
{
  using py::literals::operator""_a;
  const RunningCall running;
  const auto [bins, counts] = this->count({}, {});
  return py::dict("threshold"_a = otsuThreshold(bins, counts),
    "valleys"_a = valleysOf(bins, counts, kindOf(this->Samples.type)), "most_cut_cells"_a = mostCutCells(bins, counts));
}

// Casts some rows at once: a signal can stop the run between them.
py::array NumpyVolume::cast(
  const std::vector<double>& levels, const Matrix4& worldToClip, std::uint32_t width, std::uint32_t height)
{
  const RunningCall running;
  HostBlock hits;
  {
    const py::gil_scoped_release others;
    const Use use(*this);
    hits = this->OwnEngine->hostMemory().acquire(std::size_t(width) * height * sizeof(RayHit));
    const std::uint32_t rowsAtOnce = std::max(1u, (1u << 18) / width);
    auto* next = reinterpret_cast<RayHit*>(hits.data());
    for (std::uint32_t row = 0; row < height; row += rowsAtOnce)
    {
      const std::uint32_t rows = std::min(rowsAtOnce, height - row);
      RayRequest request;
      request.isovalues = levels;
      request.camera = { width, rows, worldToClip };
      // These rows become -1 to 1: their middle is 0.
      const double scale = double(height) / rows, middle = (2.0 * row + rows) / height - 1;
      for (std::size_t i = 0; i < 4; ++i)
        request.camera.worldToClip[1][i] = scale * (worldToClip[1][i] - middle * worldToClip[3][i]);
      const Picture picture =
        this->call([&](Session& session, Report& report) { return session.cast(this->Samples, request, report); });
      next = std::copy(picture.onHost.begin(), picture.onHost.end(), next);
      if (!mayContinue(0))
        throw Stopped();
    }
  }
  return arrayOf<std::uint8_t>(std::move(hits), { std::size_t(width) * height, sizeof(RayHit) });
}

}
