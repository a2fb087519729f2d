// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Rays/CastOnDevice.h"

#include "Compute/Context.h"
#include "Compute/Contour/Parameters.h"
#include "Compute/Rays/RayTables.h"
#include "Embedded/Kernels.h"
#include "Shared/Bindings.h"

#include <optional>
#include <string>

namespace vmc
{

namespace
{

// The number of calls of recordSlab per submission, which has at most 64 timed stages.
constexpr std::size_t RecordsPerSubmission = 16;

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

void requirePicture(const RayCamera& camera, std::uint64_t largest)
{
  const std::uint64_t bytes = pixelBytesOf(camera);
  if (bytes > largest)
    throw Error(Error::Kind::Unsupported, "A picture of " + std::to_string(camera.width) + " x " +
                                            std::to_string(camera.height) + " pixels needs a buffer of " +
                                            std::to_string(bytes) + " bytes; the device binds at most " +
                                            std::to_string(largest) + ".");
}

// The work of castOnDevice on a volume that rays may hit.
struct Task
{
  DeviceSession& session;
  const RayBuffers& buffers;
  const Volume& volume;
  const ContourPlan& plan;
  const RayRequest& request;
  Region hits, brickMask, rayBounds;
};

// Records the passes over a slab for one isovalue.
void recordSlab(const Task& task, const VolumeArrays& arrays, const Slab& slab, std::size_t isovalue)
{
  const Volume& volume = task.volume;
  const std::optional<Threshold> threshold =
    thresholdOf(task.request.isovalues[isovalue], volume.type, volume.padding.closed);
  if (!threshold)
    return;
  SlabConstants parameters = parametersOf(volume, task.plan, slab, *threshold, {});
  parameters.isovalueNumber = static_cast<std::uint32_t>(isovalue);
  const Operand brickRange{ BINDING_BRICK_RANGE, arrays.ranges->keys.region() };
  const Operand brickMask{ BINDING_BRICK_MASK, task.brickMask };
  const Operand samples{ BINDING_SAMPLES, arrays.samples(volume, task.plan, slab) };
  const Operand ghosts{ BINDING_GHOSTS, task.session.ghosts(volume, task.plan, slab, arrays) };
  const Operand geometry{ BINDING_GEOMETRY, task.buffers.geometry };
  const Operand rays{ BINDING_RAYS, task.buffers.table };
  const Operand hits{ BINDING_RAY_HIT, task.hits };
  const Operand rayBounds{ BINDING_RAY_BOUND, task.rayBounds };
  const Specialization specialization = specializationOf(volume, Request(), arrays.ranges->hasNan);
  KernelCache& kernelsOfDevice = task.session.context()->kernels();
  const Kernel& markKernel = kernelsOfDevice.get(kernels::MarkBricks);
  const Kernel& boundKernel = kernelsOfDevice.get(kernels::BoundRays, specialization);
  const Kernel& castKernel = kernelsOfDevice.get(kernels::CastRays, specialization);
  CommandRecorder& record = task.session.recorder();
  record.stage(Stage::MarkBricks);
  record.dispatch(markKernel, { brickRange }, { brickMask }, parameters, groupsOfBricks(task.plan));
  record.stage(Stage::BoundRays);
  record.fill(task.rayBounds, RAY_NO_BOUND);
  record.dispatch(boundKernel, { brickMask, rays, rayBounds }, { rayBounds }, parameters, groupsOfBricks(task.plan));
  record.stage(Stage::CastRays);
  record.dispatch(castKernel, { samples, ghosts, brickMask, geometry, rays, rayBounds, hits }, { hits }, parameters,
    groupsOfPixels(task.request.camera));
}

// Records the rays of a table through the volume; the last submission is left to the caller.
void recordRays(const RayTable& table, const Task& task, VolumeArrays& arrays, Report& report)
{
  const Geometry geometry = geometryOf(task.volume.geometry);
  CommandRecorder& record = task.session.recorder();
  record.update(task.buffers.table, &table, sizeof(table));
  record.update(task.buffers.geometry, &geometry, sizeof(geometry));
  std::size_t records = 0;
  const auto submit = [&]
  {
    record.submitAndWait(report.stages);
    record.begin();
    records = 0;
  };
  for (const Slab& slab : nearestFirst(task.plan.slabs(), table))
  {
    task.session.uploadSlab(task.volume, task.plan, slab, arrays, report);
    for (std::size_t i = 0; i < task.request.isovalues.size(); ++i)
    {
      recordSlab(task, arrays, slab, i);
      if (++records == RecordsPerSubmission)
        submit();
    }
    if (!task.plan.holdsWholeArrays()) // the next slab replaces the windows
      submit();
  }
}

// Returns the picture after record(hits) has recorded the rays.
template <class Record>
Picture makePicture(DeviceSession& session, const RayRequest& request, Report& report, const Record& record)
{
  const char* const Name = "the pixels";
  const std::shared_ptr<Context>& context = session.context();
  const std::uint64_t bytes = pixelBytesOf(request.camera);
  const bool isForHost = request.memory == OutputMemory::Host;
  OutputArray hits(*context, bytes, Name, isForHost ? OutputMemory::Device : request.memory);
  session.recorder().begin();
  session.recorder().fill(hits.region(), RAY_NO_HIT);
  record(hits.region());
  Picture picture;
  if (isForHost)
    picture.onHost =
      RayPicture(submitAndDownload(*context, session.recorder(), std::move(hits), bytes, Name, report.stages));
  else
  {
    session.recorder().submitAndWait(report.stages);
    picture.context = context;
    picture.onDevice = std::move(hits);
  }
  return picture;
}

}

RayBuffers::RayBuffers(Device& device)
  : table(device, sizeof(RayTable), Buffer::Memory::Device, "the rays")
  , geometry(device, sizeof(Geometry), Buffer::Memory::Device, "the geometry")
{
}

Picture castOnDevice(
  DeviceSession& session, const RayBuffers& buffers, const Volume& volume, const RayRequest& request, Report& report)
{
  requirePicture(request.camera, session.context()->device().limits().maxBindingBytes);
  Picture picture;
  picture.context = request.memory == OutputMemory::Host ? nullptr : session.context();
  if (pixelBytesOf(request.camera) == 0)
    return picture;
  const bool mayHit = volume.hasDualCell() && !request.isovalues.empty();
  const std::optional<RayTable> table = mayHit ? rayTableOf(request.camera, volume) : std::nullopt;
  if (!table)
    return makePicture(session, request, report, [](const Region&) {});
  return session.withVolume<Picture>(volume, request.memoryLimit, report,
    [&](const ContourPlan& plan, VolumeArrays& arrays)
    {
      DeviceMemoryPool& pool = session.context()->deviceMemory();
      const PooledBuffer mask = pool.acquire(8 * groupsOfBricks(plan), "the marks of bricks");
      const PooledBuffer bounds = pool.acquire(8 * groupsOfPixels(request.camera), "the bounds of rays");
      return makePicture(session, request, report,
        [&](const Region& hits)
        {
          recordRays(
            *table, { session, buffers, volume, plan, request, hits, mask.region(), bounds.region() }, arrays, report);
        });
    });
}

}
