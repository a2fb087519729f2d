// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Rays/DeviceRayCaster.h"

#include "Compute/Context.h"
#include "Compute/Contour/Parameters.h"
#include "Compute/Rays/RayTables.h"
#include "Compute/Volume/DeviceSession.h"
#include "Compute/Vulkan/Instance.h"
#include "Embedded/Kernels.h"
#include "Shared/Bindings.h"

#include <optional>
#include <string>
#include <utility>

namespace vmc
{

namespace
{

// Slabs times isovalues of a submission: a submission has at most 64 timed stages.
constexpr std::size_t PassesPerSubmission = 16;

std::uint64_t groupsOfBricks(const ContourPlan& plan)
{
  std::uint64_t groups = 1;
  for (const std::uint32_t bricks : plan.bricks())
    groups *= groupsFor(bricks, BRICK_GROUP_SIZE);
  return groups;
}

std::uint64_t pixelBytesOf(const RayCamera& camera)
{
  return std::uint64_t(camera.width) * camera.height * sizeof(RayHit);
}

std::uint64_t groupsOfPixels(const RayCamera& camera)
{
  return groupsFor(camera.width, RAY_GROUP_SIDE) * groupsFor(camera.height, RAY_GROUP_SIDE);
}

}

class DeviceRayCaster::Implementation
{
public:
  Implementation(std::shared_ptr<Context> context, std::shared_ptr<VolumeCache> volumes)
    : Session(std::move(context), std::move(volumes))
    , Table(this->allocator(), sizeof(RayTable), Buffer::Memory::Device, "the rays")
    , GeometryOnDevice(this->allocator(), sizeof(Geometry), Buffer::Memory::Device, "the geometry")
    , Unused(this->allocator(), 4, Buffer::Memory::Device, "no ghost flags")
  {
  }

  // The array of hits. If it is not exported, it is downloaded, too.
  DeviceArray cast(const Volume& volume, const RayRequest& request, bool isExported, Report& report);

  DeviceSession& session() { return this->Session; }

private:
  struct Task
  {
    const Volume& volume;
    const ContourPlan& plan;
    const RayRequest& request;
    const VolumeArrays& arrays;
    Region hits, brickMask, rayBounds;
  };

  Allocator& allocator() { return this->Session.context()->allocator(); }
  DeviceArray begin(std::uint64_t sizeInBytes, bool isExported);
  void end(DeviceArray& hits, std::uint64_t sizeInBytes, bool isExported, Report& report);
  void castInto(const RayTable& table, const Task& task, VolumeArrays& arrays, Report& report);
  void recordSlab(const Task& task, const Slab& slab, std::size_t isovalue);

  DeviceSession Session;
  Buffer Table, GeometryOnDevice, Unused;
};

// Records the passes over a slab for one isovalue.
void DeviceRayCaster::Implementation::recordSlab(const Task& task, const Slab& slab, std::size_t isovalue)
{
  const Volume& volume = task.volume;
  const std::optional<Threshold> threshold =
    thresholdOf(task.request.isovalues[isovalue], volume.type, volume.padding.closed);
  if (!threshold)
    return;
  SlabConstants parameters = parametersOf(volume, task.plan, slab, *threshold, {});
  parameters.isovalueNumber = static_cast<std::uint32_t>(isovalue);
  const Operand brickRange{ BINDING_BRICK_RANGE, task.arrays.ranges->keys.region() };
  const Operand brickMask{ BINDING_BRICK_MASK, task.brickMask };
  const Operand samples{ BINDING_SAMPLES, task.arrays.samples(volume, task.plan, slab) };
  const Operand ghosts{ BINDING_GHOSTS, volume.ghosts ? task.arrays.ghosts(task.plan, slab) : Region(this->Unused) };
  const Operand geometry{ BINDING_GEOMETRY, this->GeometryOnDevice };
  const Operand rays{ BINDING_RAYS, this->Table };
  const Operand hits{ BINDING_RAY_HIT, task.hits };
  const Operand rayBounds{ BINDING_RAY_BOUND, task.rayBounds };
  const Specialization specialization = specializationOf(volume, Request(), task.arrays.ranges->hasNan);
  KernelCache& kernelsOfDevice = this->Session.context()->kernels();
  const Kernel& markKernel = kernelsOfDevice.get(kernels::MarkBricks);
  const Kernel& boundKernel = kernelsOfDevice.get(kernels::BoundRays, specialization);
  const Kernel& castKernel = kernelsOfDevice.get(kernels::CastRays, specialization);
  CommandRecorder& record = this->Session.recorder();
  record.stage(Stage::MarkBricks);
  record.dispatch(markKernel, { brickRange }, { brickMask }, parameters, groupsOfBricks(task.plan));
  record.stage(Stage::BoundRays);
  record.fill(task.rayBounds, RAY_NO_BOUND);
  record.dispatch(boundKernel, { brickMask, rays, rayBounds }, { rayBounds }, parameters, groupsOfBricks(task.plan));
  record.stage(Stage::CastRays);
  record.dispatch(castKernel, { samples, ghosts, brickMask, geometry, rays, rayBounds, hits }, { hits }, parameters,
    groupsOfPixels(task.request.camera));
}

// Allocates the hits and begins to record: no ray has a crossing so far.
DeviceArray DeviceRayCaster::Implementation::begin(std::uint64_t sizeInBytes, bool isExported)
{
  DeviceArray hits(*this->Session.context(), sizeInBytes, "the pixels", isExported);
  this->Session.recorder().begin();
  this->Session.recorder().fill(hits.region(), RAY_NO_HIT);
  return hits;
}

void DeviceRayCaster::Implementation::end(DeviceArray& hits, std::uint64_t sizeInBytes, bool isExported, Report& report)
{
  if (!isExported)
    hits.recordDownload(*this->Session.context(), this->Session.recorder(), sizeInBytes, "the pixels");
  this->Session.recorder().submitAndWait(report.stages);
}

// Records the rays of a table through the volume; the last submission is left to the caller.
void DeviceRayCaster::Implementation::castInto(
  const RayTable& table, const Task& task, VolumeArrays& arrays, Report& report)
{
  const Geometry geometry = geometryOf(task.volume.geometry);
  CommandRecorder& record = this->Session.recorder();
  record.update(this->Table, &table, sizeof(table));
  record.update(this->GeometryOnDevice, &geometry, sizeof(geometry));
  std::size_t passes = 0;
  const auto submit = [&]
  {
    record.submitAndWait(report.stages);
    record.begin();
    passes = 0;
  };
  for (const Slab& slab : nearestFirst(task.plan.slabs(), table))
  {
    this->Session.uploadSlab(task.volume, task.plan, slab, arrays, report);
    for (std::size_t i = 0; i < task.request.isovalues.size(); ++i)
    {
      this->recordSlab(task, slab, i);
      if (++passes == PassesPerSubmission)
        submit();
    }
    if (!task.plan.holdsWholeArrays()) // the next slab replaces the windows
      submit();
  }
}

DeviceArray DeviceRayCaster::Implementation::cast(
  const Volume& volume, const RayRequest& request, bool isExported, Report& report)
{
  const std::uint64_t bytes = pixelBytesOf(request.camera);
  const std::uint64_t largest = this->Session.context()->device().limits().maxBindingBytes;
  if (bytes > largest)
    throw Error(Error::Kind::Unsupported, "A picture of " + std::to_string(request.camera.width) + " x " +
                                            std::to_string(request.camera.height) + " pixels needs a buffer of " +
                                            std::to_string(bytes) + " bytes; the device binds at most " +
                                            std::to_string(largest) + ".");
  if (bytes == 0)
    return {};
  const bool mayHit = volume.hasDualCell() && !request.isovalues.empty();
  const std::optional<RayTable> table = mayHit ? rayTableOf(request.camera, volume) : std::nullopt;
  if (!table)
  {
    DeviceArray hits = this->begin(bytes, isExported);
    this->end(hits, bytes, isExported, report);
    return hits;
  }
  return this->Session.withVolume<DeviceArray>(volume, request.memoryLimit, report,
    [&](const ContourPlan& plan, VolumeArrays& arrays)
    {
      DeviceMemoryPool& pool = this->Session.context()->deviceMemory();
      const PooledBuffer mask = pool.acquire(8 * groupsOfBricks(plan), "the marks of bricks");
      const PooledBuffer bounds = pool.acquire(8 * groupsOfPixels(request.camera), "the bounds of rays");
      DeviceArray hits = this->begin(bytes, isExported);
      this->castInto(
        *table, { volume, plan, request, arrays, hits.region(), mask.region(), bounds.region() }, arrays, report);
      this->end(hits, bytes, isExported, report);
      return hits;
    });
}

DeviceRayCaster::DeviceRayCaster(std::shared_ptr<Context> context, std::shared_ptr<VolumeCache> volumes)
{
  translated(context->device(), [&] { this->Impl = std::make_unique<Implementation>(context, std::move(volumes)); });
}

DeviceRayCaster::~DeviceRayCaster()
{
  if (!mayUseVulkan())
    static_cast<void>(this->Impl.release()); // left to the operating system
}

void DeviceRayCaster::releaseVolumes(std::uint64_t identity)
{
  if (mayUseVulkan())
    this->Impl->session().releaseVolumes(identity);
}

RayPicture DeviceRayCaster::cast(const Volume& volume, const RayRequest& request, Report& report)
{
  Context& context = *this->Impl->session().context();
  report.device = context.device().traits().name;
  return translated(context.device(),
    [&]
    {
      DeviceArray hits = this->Impl->cast(volume, request, false, report);
      return RayPicture(hits.takeDownloaded(context, pixelBytesOf(request.camera)));
    });
}

DeviceRayPicture DeviceRayCaster::castOnDevice(const Volume& volume, const RayRequest& request, Report& report)
{
  const std::shared_ptr<Context>& context = this->Impl->session().context();
  report.device = context->device().traits().name;
  return translated(context->device(),
    [&] {
      return DeviceRayPicture{ context, this->Impl->cast(volume, request, true, report) };
    });
}

}
