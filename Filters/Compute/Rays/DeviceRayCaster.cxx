// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Rays/DeviceRayCaster.h"

#include "Compute/Context.h"
#include "Compute/Contour/Parameters.h"
#include "Compute/Rays/RayTables.h"
#include "Compute/Volume/VolumeUser.h"
#include "Compute/Vulkan/Instance.h"
#include "Embedded/Kernels.h"
#include "Shared/Bindings.h"

#include <cstring>
#include <optional>
#include <string>
#include <utility>

namespace vmc
{

namespace
{

// Slabs times isovalues of a submission: a submission has at most 64 timed stages.
constexpr std::size_t PassesPerSubmission = 24;

std::uint64_t groupsOfBricks(const ContourPlan& plan)
{
  std::uint64_t groups = 1;
  for (const std::uint32_t bricks : plan.bricks())
    groups *= groupsFor(bricks, BRICK_GROUP_SIZE);
  return groups;
}

std::uint64_t groupsOfPixels(const RayCamera& camera)
{
  return groupsFor(camera.width, RAY_GROUP_SIDE) * groupsFor(camera.height, RAY_GROUP_SIDE);
}

}

class DeviceRayCaster::Implementation : public VolumeUser
{
public:
  Implementation(std::shared_ptr<Context> context, std::shared_ptr<VolumeCache> volumes)
    : VolumeUser(std::move(context), std::move(volumes))
    , Table(this->allocator(), sizeof(RayTable), Buffer::Memory::Device, "the rays")
    , GeometryOnDevice(this->allocator(), sizeof(Geometry), Buffer::Memory::Device, "the geometry")
    , Unused(this->allocator(), 4, Buffer::Memory::Device, "no ghost flags")
  {
  }

  std::vector<RayHit> cast(const Volume& volume, const RayRequest& request, Report& report);

private:
  struct Task
  {
    const Volume& volume;
    const ContourPlan& plan;
    const RayRequest& request;
    const VolumeArrays& arrays;
    Region hits, brickMask;
  };

  Allocator& allocator() { return this->DeviceContext->allocator(); }
  void castInto(const RayTable& table, const Task& task, VolumeArrays& arrays, Report& report);
  void recordSlab(const Task& task, const Slab& slab, std::size_t isovalue);

  Buffer Table, GeometryOnDevice, Unused, OnHost;
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
  const Specialization specialization = specializationOf(volume, Request(), task.arrays.ranges->hasNan);
  KernelCache& kernelsOfDevice = this->DeviceContext->kernels();
  const Kernel& markKernel = kernelsOfDevice.get(kernels::MarkBricks);
  const Kernel& castKernel = kernelsOfDevice.get(kernels::CastRays, specialization);
  const std::uint64_t pixelGroups = groupsOfPixels(task.request.camera);
  CommandRecorder& record = this->Recorder;
  record.stage(Stage::MarkBricks);
  record.dispatch(markKernel, { brickRange }, { brickMask }, parameters, groupsOfBricks(task.plan));
  record.stage(Stage::CastRays);
  record.dispatch(castKernel, { samples, ghosts, brickMask, geometry, rays, hits }, { hits }, parameters, pixelGroups);
}

// Casts the rays of a table into the volume. The hits are in OnHost then.
void DeviceRayCaster::Implementation::castInto(
  const RayTable& table, const Task& task, VolumeArrays& arrays, Report& report)
{
  const Geometry geometry = geometryOf(task.volume.geometry);
  CommandRecorder& record = this->Recorder;
  record.begin();
  record.update(this->Table, &table, sizeof(table));
  record.update(this->GeometryOnDevice, &geometry, sizeof(geometry));
  record.fill(task.hits, RAY_NO_HIT);
  std::size_t passes = 0;
  const auto submit = [&]
  {
    record.submitAndWait(report.stages);
    record.begin();
    passes = 0;
  };
  for (const Slab& slab : task.plan.slabs())
  {
    this->bringSlab(task.volume, task.plan, slab, arrays, report);
    for (std::size_t i = 0; i < task.request.isovalues.size(); ++i)
    {
      this->recordSlab(task, slab, i);
      if (++passes == PassesPerSubmission)
        submit();
    }
    if (!task.plan.holdsWholeArrays()) // the next slab replaces the windows
      submit();
  }
  record.copy(task.hits, this->OnHost);
  record.submitAndWait(report.stages);
}

std::vector<RayHit> DeviceRayCaster::Implementation::cast(
  const Volume& volume, const RayRequest& request, Report& report)
{
  const std::uint64_t pixels = std::uint64_t(request.camera.width) * request.camera.height;
  const std::uint64_t bytes = pixels * sizeof(RayHit), largest = this->DeviceContext->device().limits().maxBindingBytes;
  if (bytes > largest)
    throw Error(Error::Kind::Unsupported, "A picture of " + std::to_string(request.camera.width) + " x " +
                                            std::to_string(request.camera.height) + " pixels needs a buffer of " +
                                            std::to_string(bytes) + " bytes; the device binds at most " +
                                            std::to_string(largest) + ".");
  std::vector<RayHit> result(pixels, NoHit);
  if (pixels == 0 || !volume.hasDualCell() || request.isovalues.empty())
    return result;
  const std::optional<RayTable> table = rayTableOf(request.camera, volume);
  if (!table)
    return result;
  this->withVolume<bool>(volume, request.memoryLimit, report,
    [&](const ContourPlan& plan, VolumeArrays& arrays)
    {
      DeviceMemoryPool& pool = this->DeviceContext->deviceMemory();
      const PooledBuffer hits = pool.acquire(bytes, "the pixels");
      const PooledBuffer mask = pool.acquire(8 * groupsOfBricks(plan), "the marks of bricks");
      if (this->OnHost.size() < bytes)
      {
        this->OnHost = Buffer();
        this->OnHost = Buffer(this->allocator(), bytes, Buffer::Memory::Readback, "the pixels on the host");
      }
      this->castInto(*table, { volume, plan, request, arrays, hits.region(), mask.region() }, arrays, report);
      return true;
    });
  std::memcpy(result.data(), this->OnHost.mapped(), bytes);
  return result;
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
    this->Impl->releaseVolumes(identity);
}

std::vector<RayHit> DeviceRayCaster::cast(const Volume& volume, const RayRequest& request, Report& report)
{
  const Device& device = this->Impl->context()->device();
  report.device = device.traits().name;
  return translated(device, [&] { return this->Impl->cast(volume, request, report); });
}

}
