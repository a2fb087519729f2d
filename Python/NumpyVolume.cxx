// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "NumpyVolume.h"

#include "VertexValues.h"

#include "Compute/Contour/Outputs.h"
#include "Compute/Histogram/Suggestions.h"
#include "Compute/Memory/HostMemoryPool.h"
#include "Compute/System/Error.h"
#include "Compute/System/Parallel.h"
#include "Compute/Volume/Report.h"

#include <pybind11/stl.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <utility>

namespace py = pybind11;

namespace vmc::python
{

namespace
{

// Returns the array with the native order of bytes, of a type of the core: small floats become float32, long ones
// float64, and bool becomes uint8.
py::array withKnownType(py::array array)
{
  if (array.ndim() != 3)
    throw py::value_error("The volume has " + std::to_string(array.ndim()) + " axes; 3 are allowed.");
  const py::dtype type = array.dtype();
  const char kind = type.kind();
  if (kind == 'b')
    return array.attr("view")("uint8");
  if (kind != 'i' && kind != 'u' && kind != 'f')
    throw py::type_error("The volume has elements of type " +
                         std::string(py::str(static_cast<const py::object&>(type))) +
                         "; integers, floats and bool are allowed.");
  if (kind == 'f' && type.itemsize() != 4 && type.itemsize() != 8)
    return array.attr("astype")(type.itemsize() < 4 ? "float32" : "float64");
  if (!type.attr("isnative").cast<bool>())
    return array.attr("astype")(type.attr("newbyteorder")("="));
  return array;
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

std::string shapeOf(const py::array& array)
{
  return py::str(array.attr("shape"));
}

// Returns the flags of the samples, in the order of the core's axes.
std::vector<std::uint8_t> flagsOf(const py::array& volume, const ArrayLayout& layout, const py::object& mask)
{
  if (mask.is_none())
    return {};
  const auto valid = py::array_t<bool>::ensure(mask);
  if (!valid || valid.ndim() != 3 || !std::equal(volume.shape(), volume.shape() + 3, valid.shape()))
    throw py::value_error("The mask has the shape " + std::string(py::str(mask.attr("shape"))) + "; the volume has " +
                          shapeOf(volume) + ".");
  std::vector<std::uint8_t> flags;
  flags.reserve(static_cast<std::size_t>(volume.size()));
  std::array<py::ssize_t, 3> at{}; // per axis of the array
  const auto forAxis = [&](std::size_t axis, const auto& next)
  {
    const std::size_t of = layout.axis[axis];
    const py::ssize_t count = volume.shape(static_cast<py::ssize_t>(of));
    for (py::ssize_t i = 0; i < count; ++i)
    {
      at[of] = layout.isReversed[axis] ? count - 1 - i : i;
      next();
    }
  };
  const auto add = [&] { flags.push_back(*valid.data(at[0], at[1], at[2]) ? 0 : Ghost::Blank); };
  forAxis(2, [&] { forAxis(1, [&] { forAxis(0, add); }); });
  return flags;
}

// An array that owns a block. shape: of the array.
template <class Value>
py::array arrayOf(HostBlock block, const std::vector<std::size_t>& shape)
{
  if (block.size() == 0)
    return py::array_t<Value>(shape);
  void* const memory = block.release();
  return py::array_t<Value>(shape, static_cast<const Value*>(memory), py::capsule(memory, &releaseHostMemory));
}

// Returns false after a signal, whose exception it sets.
bool mayContinue(double /*share*/)
{
  const py::gil_scoped_acquire interpreter;
  return PyErr_CheckSignals() == 0;
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
void reverseTriangles(HostBlock& block)
{
  auto* const ids = reinterpret_cast<Id*>(block.data());
  inParallel(block.size() / (3 * sizeof(Id)), 3 * sizeof(Id),
    [=](std::size_t begin, std::size_t end)
    {
      for (; begin < end; ++begin)
        std::swap(ids[3 * begin], ids[3 * begin + 2]);
    });
}

}

// Axes of one element come last: their strides have no meaning.
ArrayLayout::ArrayLayout(const py::array& array)
{
  const auto extent = [&](std::size_t a)
  {
    const auto of = static_cast<py::ssize_t>(a);
    return array.shape(of) == 1 ? PY_SSIZE_T_MAX : std::abs(array.strides(of));
  };
  this->axis = { 2, 1, 0 };
  std::stable_sort(
    this->axis.begin(), this->axis.end(), [&](std::size_t a, std::size_t b) { return extent(a) < extent(b); });
  this->first = static_cast<const std::byte*>(array.data());
  py::ssize_t next = array.itemsize();
  for (std::size_t i = 0; i < 3; ++i)
  {
    const auto of = static_cast<py::ssize_t>(this->axis[i]);
    const py::ssize_t count = array.shape(of), stride = count == 1 ? next : array.strides(of);
    this->isReversed[i] = stride < 0;
    if (stride < 0)
      this->first += stride * (count - 1);
    this->hasGaps = this->hasGaps || std::abs(stride) != next;
    next *= count;
  }
}

NumpyVolume::NumpyVolume(py::array array, const Vector3& spacing, const Vector3& origin, const py::object& mask,
  bool closed, const std::string& device)
  : Array(withKnownType(std::move(array)))
  , IsAutomatic(device.empty())
{
  if (this->Array.size() == 0)
    throw py::value_error("The volume has the shape " + shapeOf(this->Array) + ", and so no element.");
  ArrayLayout layout(this->Array);
  if (layout.hasGaps)
  {
    this->Array = this->Array.attr("copy")("C");
    layout = ArrayLayout(this->Array);
  }
  this->Flags = flagsOf(this->Array, layout, mask);
  Volume& volume = this->Samples;
  volume.samples = layout.first;
  volume.type = typeOf(this->Array.dtype());
  volume.ghosts = this->Flags.empty() ? nullptr : this->Flags.data();
  Vector3 first = origin;
  std::array<Vector3, 3> steps{};
  for (std::size_t i = 0; i < 3; ++i)
  {
    const std::size_t of = layout.axis[i];
    const py::ssize_t count = this->Array.shape(static_cast<py::ssize_t>(of));
    if (count > std::numeric_limits<std::int32_t>::max())
      throw py::value_error("The volume has the shape " + shapeOf(this->Array) + "; axes of 2147483647 are allowed.");
    volume.size[i] = static_cast<std::uint32_t>(count);
    steps[i][of] = layout.isReversed[i] ? -spacing[of] : spacing[of];
    if (layout.isReversed[i])
      first[of] += spacing[of] * static_cast<double>(count - 1);
  }
  volume.geometry = SampleGeometry(first, steps);
  volume.padding.closed = closed;
  if (closed)
    volume.padding.low = volume.padding.high = { 1, 1, 1 };
  static std::atomic<std::uint64_t> lastIdentity{ 0 };
  volume.identity = ++lastIdentity;
  const py::gil_scoped_release others;
  this->OwnEngine = Engine::shared(device);
  this->OwnSession = this->OwnEngine->makeSession();
}

// Its identity does not occur again.
NumpyVolume::~NumpyVolume()
{
  const py::gil_scoped_release others;
  this->OwnSession->releaseVolumes(this->Samples.identity);
}

// Calls work(session, report) without the interpreter lock. A GPU that was chosen automatically and cannot do it is
// replaced by the CPU.
template <class Work>
auto NumpyVolume::call(const Work& work)
{
  const std::lock_guard<std::mutex> alone(this->OneCall);
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
  this->OwnSession.reset();
  this->OwnEngine = Engine::shared(CpuName);
  this->OwnSession = this->OwnEngine->makeSession();
  return work(*this->OwnSession, report);
}

// Returns the mesh of the request with the chosen regions; nothing after a signal. Sets the rows of the regions if they
// are numbered.
std::optional<Mesh> NumpyVolume::extract(
  const Request& request, const RegionChoice& choice, std::vector<RegionRow>& regions)
{
  const bool hasRegions = request.computeRegions || choice.keep != RegionChoice::Keep::All;
  RegionRequest wanted{ choice, request.computeRegions };
  wanted.outputs = { outputsOf(request.unfinished(), {}) };
  wanted.borders = { borderOf(this->Samples) };
  std::optional<Surface> surface;
  this->call(
    [&](Session& session, Report& report)
    {
      surface = session.extract(
        std::vector<Volume>{ this->Samples }, hasRegions ? wanted.extraction(request) : request, report, &mayContinue);
      if (!surface || !hasRegions)
        return;
      const auto found = session.findRegions(std::move(*surface), request, wanted, report);
      const std::vector<SurfaceRegion>& table = found->table().front();
      ChosenRegions chosen{ chosenOf(table, choice), {} };
      chosen.rank = ranksOf(table, chosen.isKept);
      if (request.computeRegions)
        regions = rowsOf(table, chosen);
      surface = found->finish({ chosen }, report);
    });
  return surface ? std::optional(std::move(surface->meshes.front())) : std::nullopt;
}

py::dict NumpyVolume::surface(const SurfaceOptions& options)
{
  Request request;
  request.isovalues = options.levels;
  request.computeNormals = options.normals;
  request.wideIds = options.wideIds;
  request.computeRegions = options.regions;
  request.threads = options.threads;
  request.timeStages = false;
  std::optional<Mesh> mesh;
  std::vector<RegionRow> regions;
  HostBlock values;
  {
    const py::gil_scoped_release others;
    mesh = this->extract(request, options.choice, regions);
    if (mesh && !options.rightHanded)
      mesh->hasWideIds ? reverseTriangles<std::int64_t>(mesh->triangles)
                       : reverseTriangles<std::uint32_t>(mesh->triangles);
    if (mesh)
      values = valuesOfVertices(*mesh, this->Samples, this->OwnEngine->hostMemory(), options.threads);
  }
  if (!mesh)
    throw py::error_already_set();
  const std::size_t points = mesh->pointCount, triangles = mesh->triangleCount;
  py::dict arrays;
  arrays["vertices"] = arrayOf<float>(std::move(mesh->positions), { points, 3 });
  arrays["faces"] = mesh->hasWideIds || options.wideIds
                      ? arrayOf<std::int64_t>(std::move(mesh->triangles), { triangles, 3 })
                      : arrayOf<std::int32_t>(std::move(mesh->triangles), { triangles, 3 });
  if (options.normals)
    arrays["normals"] = arrayOf<float>(std::move(mesh->normals), { points, 3 });
  arrays["values"] = arrayOf<float>(std::move(values), { points });
  if (options.regions)
  {
    arrays["vertex_regions"] = arrayOf<std::int32_t>(std::move(mesh->pointRegions), { points });
    arrays["face_regions"] = arrayOf<std::int32_t>(std::move(mesh->triangleRegions), { triangles });
    arrays["regions"] = py::array_t<RegionRow>(regions.size(), regions.data());
  }
  arrays["first_vertex"] = mesh->firstPoint;
  arrays["first_face"] = mesh->firstTriangle;
  return arrays;
}

py::list NumpyVolume::measure(const std::vector<double>& levels)
{
  Request request;
  request.isovalues = levels;
  request.computeNormals = false;
  request.computeMeasures = true;
  std::optional<Mesh> mesh;
  DomainShare share;
  {
    const py::gil_scoped_release others;
    std::vector<RegionRow> regions;
    mesh = this->extract(request, {}, regions);
    if (mesh)
      this->call([&](Session& session, Report& report)
        { share = session.findShares(std::vector<Volume>{ this->Samples }, levels, {}, report).front(); });
  }
  if (!mesh)
    throw py::error_already_set();
  py::list all;
  for (std::size_t i = 0; i < levels.size(); ++i)
  {
    using py::literals::operator""_a;
    const SurfaceMeasures& measures = mesh->measures[i];
    const bool isEmpty = measures.bounds.isEmpty();
    all.append(py::dict("level"_a = levels[i], "faces"_a = measures.triangles, "area"_a = measures.area,
      "volume"_a = measures.volume, "open_edges"_a = measures.openEdges, "centroid"_a = measures.centroid,
      "low"_a = isEmpty ? Vector3{} : measures.bounds.low, "high"_a = isEmpty ? Vector3{} : measures.bounds.high,
      "volume_above"_a = share.above[i], "share_above"_a = share.domain > 0 ? share.above[i] / share.domain : 0.0));
  }
  return all;
}

std::optional<std::pair<double, double>> NumpyVolume::range()
{
  const py::gil_scoped_release others;
  std::optional<SampleRange> range;
  this->call(
    [&](Session& session, Report& report) { range = session.findRanges({ this->Samples }, {}, report).front(); });
  return range ? std::optional(std::pair(range->smallest, range->largest)) : std::nullopt;
}

std::pair<Bins, ValueCounts> NumpyVolume::count(
  std::optional<std::uint32_t> bins, std::optional<std::pair<double, double>> range)
{
  if (!range)
    range = this->range().value_or(std::pair(0.0, 0.0));
  const auto [smallest, largest] = *range;
  const Bins chosen =
    bins ? equalBins(smallest, largest, *bins) : binsOf(kindOf(this->Samples.type), smallest, largest);
  std::optional<std::vector<ValueCounts>> counts;
  {
    const py::gil_scoped_release others;
    this->call([&](Session& session, Report& report)
      { counts = session.count({ this->Samples }, chosen, {}, report, &mayContinue); });
  }
  if (!counts)
    throw py::error_already_set();
  return { chosen, std::move(counts->front()) };
}

py::dict NumpyVolume::histogram(
  std::optional<std::uint32_t> bins, const std::optional<std::pair<double, double>>& range)
{
  const auto [chosen, counts] = this->count(bins, range);
  py::array_t<double> edges(chosen.count + 1);
  for (std::uint32_t i = 0; i <= chosen.count; ++i)
    edges.mutable_at(i) = chosen.edge(i);
  const auto integers = [](const std::vector<std::uint64_t>& values)
  { return py::array_t<std::int64_t>(values.size(), reinterpret_cast<const std::int64_t*>(values.data())); };
  py::dict arrays;
  arrays["counts"] = integers(counts.samples);
  arrays["edges"] = edges;
  arrays["cut_cells"] = integers(counts.cutCells);
  return arrays;
}

py::dict NumpyVolume::suggest()
{
  using py::literals::operator""_a;
  const auto [bins, counts] = this->count({}, {});
  return py::dict("threshold"_a = otsuThreshold(bins, counts),
    "valleys"_a = valleysOf(bins, counts, kindOf(this->Samples.type)), "most_cut_cells"_a = mostCutCells(bins, counts));
}

py::array NumpyVolume::cast(
  const std::vector<double>& levels, const Matrix4& worldToClip, std::uint32_t width, std::uint32_t height)
{
  RayRequest request;
  request.isovalues = levels;
  request.camera = { width, height, worldToClip };
  Picture picture;
  {
    const py::gil_scoped_release others;
    this->call([&](Session& session, Report& report) { picture = session.cast(this->Samples, request, report); });
  }
  return py::array_t<std::uint8_t>(
    { picture.onHost.size(), sizeof(RayHit) }, reinterpret_cast<const std::uint8_t*>(picture.onHost.block().data()));
}

}
