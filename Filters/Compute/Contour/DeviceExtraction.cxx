// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Contour/DeviceExtraction.h"

#include "Compute/Contour/Extraction.h"
#include "Compute/Contour/JoinedMesh.h"
#include "Compute/Contour/Outputs.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <exception>
#include <future>
#include <iterator>
#include <string>
#include <system_error>
#include <utility>

namespace vmc
{

namespace
{

// Windows are uploaded ahead only if half of the memory holds a window of so many layers of bricks. A window has 11
// layers of samples more than its bricks have: 14 % with 10 layers of bricks. Fewer layers were not timed.
constexpr std::uint32_t LeastLayersAhead = 10;

// Calls work(), and marks the device if it fails. What is unsupported, and the memory of the host, are not its fault.
template <class Work>
auto marked(ExtractionDevice& device, const Work& work)
{
  try
  {
    return translated(device.session->context()->device(), work);
  }
  catch (const Error& error)
  {
    device.hasFailed = error.kind() == Error::Kind::OutOfMemory || error.kind() == Error::Kind::DeviceLost ||
                       error.kind() == Error::Kind::Internal;
    throw;
  }
}

// Returns work(). If it fails, the submissions that update the tables of the devices may have failed. There may be no
// memory for an Error either, so any exception counts.
template <class Work>
auto forgettingTables(const std::vector<ExtractionDevice>& devices, const Work& work)
{
  try
  {
    return work();
  }
  catch (...)
  {
    for (const ExtractionDevice& device : devices)
      device.state->forgetTables();
    throw;
  }
}

// Calls work(number, progress) for all devices at the same time, for the first one in this thread, which alone calls
// `progress`. If that returns false, or after an error, the others stop. Returns false if they were stopped. Throws the
// error of the first device that has one. Adds to the reports of the others the memory that they use.
template <class Work>
bool onAllDevices(std::vector<ExtractionDevice>& devices, std::vector<Report>& reports, std::uint64_t memoryLimit,
  const Progress& progress, const Work& work)
{
  std::atomic<bool> isStopped = false;
  const auto stopAfterErrors = [&](std::size_t number, const Progress& own)
  {
    try
    {
      if (!marked(devices[number], [&] { return work(number, own); }))
        isStopped = true;
    }
    catch (...)
    {
      isStopped = true;
      throw;
    }
  };
  const auto inThread = [&](std::size_t number)
  {
    const LimitedMemory memory = devices[number].session->limitMemory(memoryLimit);
    stopAfterErrors(number, [&](double) { return !isStopped; });
    reports[number].deviceBytes = std::max(reports[number].deviceBytes, memory.largest());
  };
  std::vector<std::future<void>> others; // their destructors wait
  for (std::size_t number = 1; number < devices.size(); ++number)
    others.push_back(std::async(std::launch::async, inThread, number));
  double last = 0;
  stopAfterErrors(0, [&](double done) { return progress(last = done) && !isStopped; });
  for (std::future<void>& other : others)
  {
    while (other.wait_for(std::chrono::milliseconds(20)) != std::future_status::ready)
      if (!isStopped && !progress(last)) // so that the user can stop those that take longer
        isStopped = true;
    other.get();
  }
  return !isStopped;
}

// The work of the devices in one attempt, [device].
using Extractions = std::vector<std::unique_ptr<Extraction>>;

// Extracts the planned surfaces. Returns nothing if `progress` stopped it.
std::optional<Surface> extracted(std::vector<ExtractionDevice>& devices, const Extractions& extractions,
  HostMemoryPool& blocks, const Request& request, std::vector<Report>& reports, const Progress& progress)
{
  Extraction& first = *extractions.front();
  Surface surface = first.emptySurface();
  if (std::none_of(extractions.begin(), extractions.end(), [](const auto& device) { return device->hasTasks(); }))
    return surface;

  const auto count = [&](std::size_t number, const Progress& own)
  { return extractions[number]->count(extractions.size() == 1, own); };
  if (!onAllDevices(devices, reports, request.memoryLimit, progress, count)) // first sweep
    return std::nullopt;

  Extraction::placeTasks(extractions, surface); // all ids are known
  marked(devices.front(), [&] { first.reserveOutputs(); });
  for (std::size_t number = 1; number < extractions.size(); ++number)
    extractions[number]->shareOutputs(first);
  const bool addsArrays = request.memory == OutputMemory::Host && request.isFinished;
  const auto addArrays = [&] { addCountedArrays(surface.meshes, request, blocks); }; // while the devices work
  const auto emit = [&](std::size_t number, const Progress& own)
  { return extractions[number]->emit(addsArrays && number == 0 ? addArrays : std::function<void()>(), own); };
  if (!onAllDevices(devices, reports, request.memoryLimit, progress, emit)) // second sweep
    return std::nullopt;
  if (addsArrays && !first.hasTasks())
    addArrays();

  first.moveOutputs(surface);
  for (const auto& device : extractions)
    device->finish(surface);
  return surface;
}

// The memory that the request lets a device use, in bytes.
std::uint64_t memoryOf(const ExtractionDevice& device, const Request& request)
{
  const std::uint64_t bytes = device.session->context()->device().memoryBytes();
  return request.memoryLimit != 0 ? std::min(bytes, request.memoryLimit) : bytes;
}

// Divides the brick layers of all volumes, one volume after the other, between devices in proportion to their memory.
// Returns layers[device][volume].
std::vector<std::vector<LayerRange>> layersOf(
  const VolumeList& volumes, const Request& request, const std::vector<ExtractionDevice>& devices)
{
  if (devices.size() == 1)
    return { std::vector<LayerRange>(volumes.size()) };
  std::vector<double> before{ 0 }; // the layers of the volumes before, by the number of their bricks
  for (const Volume& volume : volumes)
  {
    const std::array<std::uint32_t, 3> size = volume.gridSize();
    std::uint64_t bricks = 1;
    for (const std::uint32_t samples : size)
      bricks *= BRICKS_ALONG(samples);
    before.push_back(before.back() + double(bricks));
  }
  double memory = 0, all = 0;
  for (const ExtractionDevice& device : devices)
    all += double(memoryOf(device, request));
  std::vector<std::vector<LayerRange>> layers(devices.size());
  for (std::size_t d = 0; d < devices.size(); ++d)
  {
    memory += double(memoryOf(devices[d], request));
    for (std::size_t v = 0; v < volumes.size(); ++v)
    {
      const std::uint32_t count = BRICKS_ALONG(volumes.first[v].gridSize()[2]);
      const double own = before[v + 1] - before[v];
      const double end = own > 0 ? (memory / all * before.back() - before[v]) / own * count : 0;
      const bool isLast = d + 1 == devices.size();
      layers[d].push_back({ d == 0 ? 0 : layers[d - 1][v].end,
        isLast ? count : static_cast<std::uint32_t>(std::lround(std::clamp(end, 0.0, double(count)))) });
    }
  }
  return layers;
}

// Returns a function that calls `progress` with values that do not decrease, though an extraction that begins again
// begins at 0.
Progress growing(const Progress& progress)
{
  return [&progress, last = 0.0](double done) mutable
  {
    last = std::max(last, done);
    return !progress || progress(last);
  };
}

// Adds the meshes of further volumes. Nothing was extracted: then there is no surface.
void append(std::optional<Surface>& surface, std::optional<Surface> further)
{
  if (!further || surface->meshes.empty())
    surface = std::move(further);
  else
    std::move(further->meshes.begin(), further->meshes.end(), std::back_inserter(surface->meshes));
}

MemoryLadder::Sizes sizesOf(const Volume& volume, const Request& request, const std::vector<ExtractionDevice>& devices)
{
  MemoryLadder::Sizes sizes = sizesOf(volume, request.memoryLimit);
  sizes.memoryBytes = sizes.limitInBytes = 0;
  for (const ExtractionDevice& device : devices)
  {
    sizes.memoryBytes += memoryOf(device, request);
    sizes.limitInBytes = std::max(sizes.limitInBytes, memoryOf(device, request));
  }
  return sizes;
}

MemoryLadder startLadder(
  const VolumeList& volumes, const Request& request, const std::vector<ExtractionDevice>& devices)
{
  MemoryLadder ladder(std::any_of(
    devices.begin(), devices.end(), [](const ExtractionDevice& device) { return device.session->holdsMemory(); }));
  if (volumes.size() == 1 && volumes.begin()->hasDualCell())
    ladder.begin(sizesOf(*volumes.begin(), request, devices));
  return ladder;
}

// Decides how to continue after memory was exhausted: with fewer volumes together, then with smaller slabs. Returns
// false if nothing is left to try. layers: of the largest slab.
bool stepDown(const VolumeList& volumes, const Request& request, const std::vector<ExtractionDevice>& devices,
  std::uint32_t layers, bool isSlabTooLarge, MemoryLadder& ladder, std::size_t& together)
{
  if (volumes.size() == 1 || (!isSlabTooLarge && ladder.step() != MemoryLadder::Step::WholeAlone))
    return ladder.next(layers, isSlabTooLarge, sizesOf(*volumes.begin(), request, devices));
  if (request.memory != OutputMemory::Host)
    throw Error(Error::Kind::OutOfMemory,
      "The surfaces of " + std::to_string(volumes.size()) + " volumes do not fit in the memory of the device.");
  together = volumes.size() / 2;
  return true;
}

// An attempt to extract the surfaces of a list of volumes, in one step of the ladder.
class Attempt
{
public:
  Attempt(std::vector<ExtractionDevice>& devices, HostMemoryPool& blocks, const VolumeList& volumes,
    const Request& request, const MemoryLadder& ladder)
    : reports(devices.size())
    , LargestSlabs(devices.size(), 0)
    , Devices(devices)
    , Blocks(blocks)
    , Volumes(volumes)
    , InputRequest(request)
    , Ladder(ladder)
  {
  }

  // Returns nothing if `progress` stopped it.
  std::optional<Surface> run(const Progress& progress)
  {
    for (ExtractionDevice& device : this->Devices)
      device.hasFailed = false;
    return this->Ladder.step() == MemoryLadder::Step::Windows ? this->runInWindows(progress)
                                                              : this->runAtOnce(progress);
  }

  // The sums over the devices.
  const Report& report()
  {
    for (std::size_t d = 1; d < this->reports.size(); ++d)
      this->reports.front().addDevice(this->reports[d]);
    this->reports.resize(1);
    this->reports.front().stages.add(this->HostStages);
    return this->reports.front();
  }

  std::uint32_t largestSlab() const // in layers
  {
    return *std::max_element(this->LargestSlabs.begin(), this->LargestSlabs.end());
  }

  std::vector<Report> reports; // [device]; of an attempt that fails, they count only if it is the last one

private:
  std::optional<Surface> runAtOnce(const Progress& progress)
  {
    const std::vector<std::vector<LayerRange>> layers = layersOf(this->Volumes, this->InputRequest, this->Devices);
    Extractions extractions;
    for (std::size_t d = 0; d < this->Devices.size(); ++d)
      marked(this->Devices[d],
        [&] { extractions.push_back(this->plan(d, layers[d], this->InputRequest, this->Ladder.residency())); });
    return extracted(this->Devices, extractions, this->Blocks, this->InputRequest, this->reports, progress);
  }

  std::unique_ptr<Extraction> plan(
    std::size_t device, const std::vector<LayerRange>& layers, const Request& request, const Residency& residency)
  {
    auto extraction = std::make_unique<Extraction>(
      *this->Devices[device].session, *this->Devices[device].state, this->Blocks, request, this->reports[device]);
    const std::uint32_t slab = extraction->plan(this->Volumes, layers, residency, this->Ladder.keepsRows());
    this->LargestSlabs[device] = std::max(this->LargestSlabs[device], slab);
    return extraction;
  }

  // The samples of the only volume exceed the memory: each device extracts the surface of one window of its layers
  // after the other, so that it uploads each once, and the host joins the surfaces. While a device extracts a surface,
  // it uploads the next window, if windows are large.
  std::optional<Surface> runInWindows(const Progress& progress)
  {
    if (this->InputRequest.memory != OutputMemory::Host)
      throw Error(
        Error::Kind::OutOfMemory, "The samples do not fit in the memory of the device beside a surface there.");
    Request request = this->InputRequest;
    request.wideIds = request.isFinished = false; // the host does this for the joined surface
    const std::vector<std::vector<LayerRange>> layers = layersOf(this->Volumes, this->InputRequest, this->Devices);
    std::vector<std::optional<Mesh>> meshes(this->Devices.size()); // none: no layers
    const auto work = [&](std::size_t d, const Progress& own)
    { return this->extractWindows(d, layers[d].front(), request, meshes[d], own); };
    if (!onAllDevices(this->Devices, this->reports, request.memoryLimit, progress, work))
      return std::nullopt;
    const HostClock clock;
    const auto count = static_cast<std::size_t>(
      std::count_if(meshes.begin(), meshes.end(), [](const auto& mesh) { return mesh.has_value(); }));
    JoinedMesh joined(count, outputsOf(request, this->Volumes.first->attributes), this->InputRequest, this->Blocks);
    for (std::optional<Mesh>& mesh : meshes)
      if (mesh)
        joined.add(std::move(*mesh));
    Surface surface;
    surface.meshes.push_back(joined.finish());
    if (this->InputRequest.isFinished)
      addCountedArrays(surface.meshes, this->InputRequest, this->Blocks);
    this->HostStages.add(Stage::Download, clock.milliseconds());
    return surface;
  }

  // Sets the mesh of the layers. Returns false if `progress` stopped it.
  bool extractWindows(std::size_t d, const LayerRange& layers, const Request& request, std::optional<Mesh>& mesh,
    const Progress& progress)
  {
    std::vector<ExtractionDevice> device{ this->Devices[d] };
    std::vector<Report> others(1); // of further devices: none
    const bool uploadsAhead = this->mayUploadAhead(d, layers);
    const std::vector<LayerRange> windows = this->windowsOf(d, layers, uploadsAhead ? 2 : 1);
    device.front().session->keepLayers(*this->Volumes.first, windows);
    device.front().session->releaseArrays(); // those of other users, too
    JoinedMesh joined(
      windows.size(), outputsOf(request, this->Volumes.first->attributes), this->InputRequest, this->Blocks);
    Residency residency;
    residency.isOneOfSeveral = uploadsAhead;
    std::unique_ptr<Extraction> next;
    for (std::size_t done = 0; done < windows.size(); ++done)
    {
      Extractions extractions;
      extractions.push_back(next ? std::move(next) : this->plan(d, { windows[done] }, request, residency));
      if (done == 0 && !this->uploadFirst(d, *extractions.front(), progress))
        return false;
      std::future<void> upload; // its destructor waits
      if (uploadsAhead && done + 1 < windows.size())
      {
        next = this->plan(d, { windows[done + 1] }, request, residency);
        upload = this->uploadAhead(d, *next);
      }
      std::optional<Surface> surface = extracted(device, extractions, this->Blocks, request, others,
        [&](double share) { return progress((double(done) + share) / double(windows.size())); });
      if (!surface)
        return false;
      const HostClock clock;
      joined.add(std::move(surface->meshes.front()));
      this->reports[d].stages.add(Stage::Download, clock.milliseconds());
      if (upload.valid())
        this->awaitUpload(d, upload);
    }
    if (!windows.empty())
      mesh = joined.finish();
    return true;
  }

  bool uploadFirst(std::size_t d, Extraction& extraction, const Progress& progress)
  {
    return extraction.upload(this->reports[d].stages, [&](double) { return progress(0); });
  }

  // Begins to upload in another thread. Nothing stops it. If there can be no thread, Extraction::count() uploads.
  std::future<void> uploadAhead(std::size_t d, Extraction& extraction) const
  {
    const auto upload = [this, d, &extraction]
    {
      const LimitedMemory memory = this->Devices[d].session->limitMemory(this->InputRequest.memoryLimit);
      StageTimes times; // other stages take place meanwhile
      extraction.upload(times, [](double) { return true; });
    };
    try
    {
      return std::async(std::launch::async, upload);
    }
    catch (const std::system_error&)
    {
      return {};
    }
  }

  // Adds the time to that of uploads.
  void awaitUpload(std::size_t d, std::future<void>& upload)
  {
    const HostClock clock;
    upload.get();
    this->reports[d].stages.add(Stage::Upload, clock.milliseconds());
  }

  // Returns whether windows for two at a time are large enough.
  bool mayUploadAhead(std::size_t d, const LayerRange& layers) const
  {
    const MemoryLadder::Sizes sizes = sizesOf(*this->Volumes.first, this->InputRequest, this->Devices);
    if (this->Ladder.residency().limitInBytes / 2 < sizes.leastBytes)
      return false;
    const std::vector<LayerRange> windows = this->windowsOf(d, layers, 2);
    return !windows.empty() && windows.front().end - windows.front().first >= LeastLayersAhead;
  }

  // Divides these layers evenly into as many windows as the residency needs for so many of them at a time. A window may
  // have several slabs. With two at a time, the largest ones come first, so that their memory suffices for those that
  // follow; else last, as the last one has no halo layer.
  std::vector<LayerRange> windowsOf(std::size_t d, const LayerRange& layers, std::uint64_t atOnce) const
  {
    Residency residency = this->Ladder.residency();
    residency.limitInBytes /= atOnce;
    residency.layers = layers;
    DeviceLimits limits; // those on memory alone
    limits.bindingAlignment = this->Devices[d].session->context()->device().limits().bindingAlignment;
    const ContourPlan plan = planOf(*this->Volumes.first, limits, residency);
    const auto count = static_cast<std::uint32_t>(plan.slabs().size());
    std::vector<LayerRange> windows;
    for (std::uint32_t i = 0, end = plan.layers().first; i < count; ++i)
    {
      const std::uint32_t first = end, left = plan.layers().end - first;
      end = first + (left + (atOnce > 1 ? count - i - 1 : 0)) / (count - i);
      windows.push_back({ first, end });
    }
    return windows;
  }

  std::vector<std::uint32_t> LargestSlabs; // [device]
  StageTimes HostStages;                   // after the devices have finished
  std::vector<ExtractionDevice>& Devices;
  HostMemoryPool& Blocks;
  const VolumeList& Volumes;
  const Request& InputRequest;
  const MemoryLadder& Ladder;
};

}

namespace
{

// Rethrows the current exception unless memory is exhausted, which `last` remembers. Where rows are not kept, slabs
// need more samples: if these are unsupported, rethrows the error of memory that led there.
void rethrowUnlessExhausted(const Error& current, const MemoryLadder& ladder, std::exception_ptr& last)
{
  if (current.kind() == Error::Kind::Unsupported && !ladder.keepsRows() && last)
    std::rethrow_exception(last);
  if (current.kind() != Error::Kind::OutOfMemory)
    throw;
  last = std::current_exception();
}

}

std::optional<Surface> extractOnDevices(std::vector<ExtractionDevice>& devices, HostMemoryPool& blocks,
  const std::vector<Volume>& volumes, const Request& request, Report& report, const Progress& progress)
{
  const double waitedBefore = KernelCache::waitedMilliseconds();
  const Progress grows = growing(progress);
  const LimitedMemory memory = devices.front().session->limitMemory(request.memoryLimit);
  std::optional<MemoryLadder> ladder; // of the list that is being extracted
  std::exception_ptr exhausted;       // the last error of memory
  std::optional<Surface> surface = Surface();
  for (std::size_t done = 0, together = volumes.size(); surface && done < volumes.size();)
  {
    const Volume* const first = volumes.data() + done;
    const VolumeList list{ first, first + std::min(together, volumes.size() - done) };
    if (!ladder)
      ladder = startLadder(list, request, devices);
    Attempt attempt(devices, blocks, list, request, *ladder);
    try
    {
      const auto run = [&]
      {
        return attempt.run(
          [&](double share) { return grows((double(done) + share * double(list.size())) / double(volumes.size())); });
      };
      append(surface, forgettingTables(devices, run));
      attempt.reports.front().deviceBytes = memory.largest();
      report.add(attempt.report());
      done += list.size();
      together = 2 * list.size();
      ladder.reset();
    }
    catch (const Error& error)
    {
      rethrowUnlessExhausted(error, *ladder, exhausted);
      for (const ExtractionDevice& device : devices)
        device.state->history.clear();
      const bool isSlabTooLarge = dynamic_cast<const SlabTooLarge*>(&error) != nullptr;
      if (!stepDown(list, request, devices, attempt.largestSlab(), isSlabTooLarge, *ladder, together))
      {
        report.add(attempt.report());
        throw;
      }
      for (const ExtractionDevice& device : devices)
        if (!isSlabTooLarge)
          device.session->freeUnused(ladder->step() != MemoryLadder::Step::Windows);
    }
  }
  if (const double waited = KernelCache::waitedMilliseconds() - waitedBefore; waited > 0)
    report.stages.add(Stage::MakeKernels, waited);
  return surface;
}

std::optional<Surface> extractOnDevice(DeviceSession& session, ExtractionState& state, const AcquireLevels& acquire,
  const Request& request, Report& report, const Progress& progress)
{
  const Progress grows = growing(progress);
  const LimitedMemory memory = session.limitMemory(request.memoryLimit);
  std::vector<ExtractionDevice> device{ { &session, &state } };
  HostMemoryPool& blocks = session.context()->hostMemory();
  for (bool isLast = false;; isLast = true)
  {
    std::vector<Report> attempt(1); // of an attempt that fails, only if it is the last one
    try
    {
      const auto run = [&]
      {
        Extractions extractions;
        extractions.push_back(std::make_unique<Extraction>(session, state, blocks, request, attempt.front()));
        extractions.front()->plan(acquire());
        return extracted(device, extractions, blocks, request, attempt, grows);
      };
      std::optional<Surface> surface = forgettingTables(device, [&] { return marked(device.front(), run); });
      attempt.front().deviceBytes = memory.largest();
      report.add(attempt.front());
      return surface;
    }
    catch (const Error& error)
    {
      if (error.kind() != Error::Kind::OutOfMemory || isLast)
        throw;
      state.history.clear();
      session.freeUnused(false);
    }
  }
}

}
