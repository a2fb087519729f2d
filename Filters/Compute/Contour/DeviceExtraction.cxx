// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Contour/DeviceExtraction.h"

#include "Compute/Contour/Extraction.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <exception>
#include <future>
#include <iterator>
#include <string>
#include <utility>

namespace vmc
{

namespace
{

// A device, and what it does in one attempt.
struct DevicePart
{
  DevicePart(ExtractionDevice& extracting, HostMemoryPool& blocks, const Request& request, Report& attempt)
    : device(extracting)
    , report(attempt)
    , extraction(*extracting.session, *extracting.state, blocks, request, attempt)
  {
  }

  ExtractionDevice& device;
  Report& report;
  Extraction extraction;
};

using DeviceParts = std::vector<std::unique_ptr<DevicePart>>;

// Calls work(), and marks the device if it fails.
template <class Work>
auto marked(ExtractionDevice& device, const Work& work)
{
  try
  {
    return translated(device.session->context()->device(), work);
  }
  catch (const Error& error)
  {
    device.hasFailed = error.kind() != Error::Kind::OutOfHostMemory;
    throw;
  }
}

// Calls work(part, progress) for all devices at the same time, for the first one in this thread, which alone calls
// `progress`. If that returns false, or after an error, the others stop. Returns false if they were stopped. Throws the
// error of the first device that has one.
template <class Work>
bool onAllDevices(DeviceParts& parts, std::uint64_t memoryLimit, const Progress& progress, const Work& work)
{
  std::atomic<bool> isStopped = false;
  const auto stopAfterErrors = [&](DevicePart& part, const Progress& own)
  {
    try
    {
      isStopped = !marked(part.device, [&] { return work(part, own); }) || isStopped;
    }
    catch (...)
    {
      isStopped = true;
      throw;
    }
  };
  const auto inThread = [&](DevicePart& part)
  {
    const LimitedMemory memory = part.device.session->limitMemory(memoryLimit);
    stopAfterErrors(part, [&](double) { return !isStopped; });
    part.report.deviceBytes = std::max(part.report.deviceBytes, memory.largest());
  };
  std::vector<std::future<void>> others; // their destructors wait
  for (std::size_t i = 1; i < parts.size(); ++i)
    others.push_back(std::async(std::launch::async, inThread, std::ref(*parts[i])));
  stopAfterErrors(*parts.front(), [&](double done) { return progress(done) && !isStopped; });
  for (std::future<void>& other : others)
    other.get();
  return !isStopped;
}

// Extracts the planned surfaces. Returns nothing if `progress` stopped it.
std::optional<Surface> extracted(
  DeviceParts& parts, HostMemoryPool& blocks, const Request& request, const Progress& progress)
{
  Extraction& first = parts.front()->extraction;
  std::vector<Extraction*> all;
  for (const std::unique_ptr<DevicePart>& part : parts)
    all.push_back(&part->extraction);
  Surface surface = first.emptySurface();
  if (std::none_of(all.begin(), all.end(), [](const Extraction* device) { return device->hasTasks(); }))
    return surface;

  const auto count = [&](DevicePart& part, const Progress& own) { return part.extraction.count(all.size() == 1, own); };
  if (!onAllDevices(parts, request.memoryLimit, progress, count)) // first sweep
    return std::nullopt;

  Extraction::placeTasks(all, surface); // all ids are known
  marked(parts.front()->device, [&] { first.reserveOutputs(); });
  for (Extraction* device : all)
    if (device != &first)
      device->shareOutputs(first);
  const bool addsArrays = request.memory == OutputMemory::Host && request.isFinished;
  const auto addArrays = [&] { addCountedArrays(surface.meshes, request, blocks); }; // while the devices work
  const auto emit = [&](DevicePart& part, const Progress& own)
  { return part.extraction.emit(addsArrays && &part.extraction == &first ? addArrays : std::function<void()>(), own); };
  if (!onAllDevices(parts, request.memoryLimit, progress, emit)) // second sweep
    return std::nullopt;
  if (addsArrays && !first.hasTasks())
    addArrays();

  first.moveOutputs(surface);
  for (Extraction* device : all)
    device->finish(surface);
  return surface;
}

// Divides the brick layers of all volumes, one volume after the other, between devices in proportion to their memory.
// Returns layers[device][volume].
std::vector<std::vector<LayerRange>> layersOf(const VolumeList& volumes, const std::vector<ExtractionDevice>& devices)
{
  if (devices.size() == 1)
    return { std::vector<LayerRange>(volumes.size()) };
  const auto bricksAlong = [](std::uint32_t samples) { return (samples + BRICK_SIZE - 1) / BRICK_SIZE; };
  std::vector<double> before{ 0 }; // the layers of the volumes before, by the number of their bricks
  for (const Volume& volume : volumes)
  {
    const std::array<std::uint32_t, 3> size = volume.gridSize();
    before.push_back(before.back() + double(bricksAlong(size[0])) * bricksAlong(size[1]) * bricksAlong(size[2]));
  }
  double memory = 0, all = 0;
  for (const ExtractionDevice& device : devices)
    all += double(device.session->context()->device().memoryBytes());
  std::vector<std::vector<LayerRange>> layers(devices.size());
  for (std::size_t d = 0; d < devices.size(); ++d)
  {
    memory += double(devices[d].session->context()->device().memoryBytes());
    for (std::size_t v = 0; v < volumes.size(); ++v)
    {
      const std::uint32_t count = bricksAlong(volumes.first[v].gridSize()[2]);
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

// Decides how to continue after memory was exhausted: with fewer volumes together, then with smaller slabs. Returns
// false if nothing is left to try. layers: of the largest slab.
bool stepDown(const VolumeList& volumes, const Request& request, const DeviceLimits& limits, std::uint32_t layers,
  bool isSlabTooLarge, MemoryLadder& ladder, std::size_t& together)
{
  if (volumes.size() == 1 || (!isSlabTooLarge && ladder.step() != MemoryLadder::Step::WholeAlone))
    return ladder.next(layers, isSlabTooLarge, sizesOf(*volumes.begin(), limits, request.memoryLimit));
  if (request.memory != OutputMemory::Host)
    throw Error(Error::Kind::OutOfMemory,
      "The surfaces of " + std::to_string(volumes.size()) + " volumes do not fit in the memory of the device.");
  together = volumes.size() / 2;
  return true;
}
// Extracts the surfaces of a list of volumes in one step of the ladder. Sets the attempts[device] and the layers of the
// largest slab.
std::optional<Surface> attempt(std::vector<ExtractionDevice>& devices, HostMemoryPool& blocks,
  const VolumeList& volumes, const MemoryLadder& ladder, const Request& request, std::vector<Report>& attempts,
  std::uint32_t& largestSlab, const Progress& progress)
{
  const std::vector<std::vector<LayerRange>> layers = layersOf(volumes, devices);
  DeviceParts parts;
  for (std::size_t d = 0; d < devices.size(); ++d)
  {
    devices[d].hasFailed = false;
    parts.push_back(std::make_unique<DevicePart>(devices[d], blocks, request, attempts[d]));
    const auto plan = [&]
    { return parts.back()->extraction.plan(volumes, layers[d], ladder.residency(), ladder.keepsRows()); };
    largestSlab = std::max(largestSlab, marked(devices[d], plan));
  }
  return extracted(parts, blocks, request, progress);
}

MemoryLadder startLadder(const std::vector<ExtractionDevice>& devices)
{
  return MemoryLadder(std::any_of(
    devices.begin(), devices.end(), [](const ExtractionDevice& device) { return device.session->holdsMemory(); }));
}

}

std::optional<Surface> extractOnDevices(std::vector<ExtractionDevice>& devices, HostMemoryPool& blocks,
  const std::vector<Volume>& volumes, const Request& request, Report& report, const Progress& progress)
{
  const double waitedBefore = KernelCache::waitedMilliseconds();
  const Progress grows = growing(progress);
  const LimitedMemory memory = devices.front().session->limitMemory(request.memoryLimit);
  const DeviceLimits& limits = devices.front().session->context()->device().limits();
  MemoryLadder ladder = startLadder(devices);
  std::optional<Surface> surface = Surface();
  for (std::size_t done = 0, together = volumes.size(); surface && done < volumes.size();)
  {
    const Volume* const first = volumes.data() + done;
    const VolumeList list{ first, first + std::min(together, volumes.size() - done) };
    std::vector<Report> attempts(devices.size()); // of an attempt that fails, only if it is the last one
    std::uint32_t largestSlab = 0;
    const auto addAttempts = [&]
    {
      for (std::size_t d = 1; d < devices.size(); ++d)
        attempts.front().addDevice(attempts[d]);
      report.add(attempts.front());
    };
    try
    {
      append(surface,
        attempt(devices, blocks, list, ladder, request, attempts, largestSlab,
          [&](double share) { return grows((double(done) + share * double(list.size())) / double(volumes.size())); }));
      attempts.front().deviceBytes = memory.largest();
      addAttempts();
      done += list.size();
      together = 2 * list.size();
      ladder = startLadder(devices);
    }
    catch (const Error& error)
    {
      for (const ExtractionDevice& device : devices)
        device.state->forgetTables(); // the submission that updates them may have failed
      if (error.kind() != Error::Kind::OutOfMemory)
        throw;
      for (const ExtractionDevice& device : devices)
        device.state->history.clear();
      const bool isSlabTooLarge = dynamic_cast<const SlabTooLarge*>(&error) != nullptr;
      if (!stepDown(list, request, limits, largestSlab, isSlabTooLarge, ladder, together))
      {
        addAttempts();
        throw;
      }
      for (const ExtractionDevice& device : devices)
        if (!isSlabTooLarge)
          device.session->freeUnused(ladder.step() != MemoryLadder::Step::Windows);
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
  ExtractionDevice device{ &session, &state };
  HostMemoryPool& blocks = session.context()->hostMemory();
  for (bool isLast = false;; isLast = true)
  {
    Report attempt; // of an attempt that fails, only if it is the last one
    try
    {
      std::optional<Surface> surface = marked(device,
        [&]
        {
          DeviceParts parts;
          parts.push_back(std::make_unique<DevicePart>(device, blocks, request, attempt));
          parts.front()->extraction.plan(acquire());
          return extracted(parts, blocks, request, grows);
        });
      attempt.deviceBytes = memory.largest();
      report.add(attempt);
      return surface;
    }
    catch (const Error& error)
    {
      state.forgetTables(); // the submission that updates them may have failed
      if (error.kind() != Error::Kind::OutOfMemory || isLast)
        throw;
      state.history.clear();
      session.freeUnused(false);
    }
  }
}

}
