// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Packets.h"
#include "Embedded/Packets.h"

#include "Compute/Context.h"
#include "Compute/Contour/Parameters.h"
#include "Compute/Rays/RayTables.h"
#include "Embedded/Kernels.h"
#include "Shared/Bindings.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace vmc::benchmarks
{

namespace
{

std::uint32_t productOf(const std::array<std::uint32_t, 3>& counts)
{
  return counts[0] * counts[1] * counts[2];
}

// The nodes along each axis of the level above one with these nodes.
std::array<std::uint32_t, 3> above(std::array<std::uint32_t, 3> nodes)
{
  for (std::uint32_t& count : nodes)
    count = (count + BRICK_GROUP_SIZE - 1) / BRICK_GROUP_SIZE;
  return nodes;
}

// The levels above level 1, up to the root.
std::vector<PacketLevel> levelsOf(const ContourPlan& plan)
{
  std::vector<PacketLevel> levels;
  std::uint32_t first = 0;
  for (std::array<std::uint32_t, 3> nodes = above(plan.bricks()); productOf(nodes) > 1; nodes = above(nodes))
  {
    levels.push_back({ nodes[0], nodes[1], nodes[2], first, first + productOf(nodes) });
    first = levels.back().first;
  }
  return levels;
}

std::uint32_t nodesOf(const PacketLevel& level)
{
  return productOf(above({ level.belowX, level.belowY, level.belowZ }));
}

// Returns the number of nodes of all levels but level 0.
std::uint32_t nodesOfTree(const ContourPlan& plan)
{
  const std::vector<PacketLevel> levels = levelsOf(plan);
  return levels.empty() ? productOf(above(plan.bricks())) : levels.back().first + nodesOf(levels.back());
}

std::uint32_t mostBricks(const ContourPlan& plan)
{
  return *std::max_element(plan.bricks().begin(), plan.bricks().end());
}

bool isSupported(const ContourPlan& plan)
{
  return plan.slabs().size() == 1 && mostBricks(plan) <= PACKET_MOST_BRICKS;
}

void requireSupported(const ContourPlan& plan)
{
  if (!isSupported(plan))
    throw Error(Error::Kind::Unsupported,
      "Packets of rays need a volume of one slab with at most " + std::to_string(PACKET_MOST_BRICKS) +
        " bricks along an axis; this one has " + std::to_string(plan.slabs().size()) + " slabs with " +
        std::to_string(mostBricks(plan)) + " bricks.");
}

}

PacketCaster::PacketCaster(std::shared_ptr<Context> context, std::shared_ptr<VolumeCache> volumes)
  : Session(std::move(context), std::move(volumes))
  , Buffers(this->Session.context()->device())
{
}

bool PacketCaster::supports(const Volume& volume, const DeviceLimits& limits)
{
  return isSupported(planOf(volume, limits));
}

// Records the marks of the nodes of all levels.
void PacketCaster::recordMarks(const Task& task)
{
  KernelCache& kernelsOfDevice = this->Session.context()->kernels();
  const Operand ranges{ BINDING_BRICK_RANGE, task.arrays.ranges->keys.region() };
  const Operand brickMask{ BINDING_BRICK_MASK, task.brickMask };
  this->Session.recorder().stage(Stage::MarkBricks);
  this->Session.recorder().dispatch(kernelsOfDevice.get(kernels::MarkBricks), { ranges }, { brickMask },
    task.parameters, productOf(above(task.plan.bricks())));
  for (const PacketLevel& level : levelsOf(task.plan))
    this->Session.recorder().dispatch(
      kernelsOfDevice.get(kernels::MarkNodes), { brickMask }, { brickMask }, level, nodesOf(level));
}

void PacketCaster::recordRays(const Task& task)
{
  const Volume& volume = task.volume;
  const Slab& slab = task.plan.slabs().front();
  const Operand samples{ BINDING_SAMPLES, task.arrays.samples(volume, task.plan, slab) };
  const Operand ghosts{ BINDING_GHOSTS, this->Session.ghosts(volume, task.plan, slab, task.arrays) };
  const Operand brickMask{ BINDING_BRICK_MASK, task.brickMask };
  const Operand geometry{ BINDING_GEOMETRY, this->Buffers.geometry };
  const Operand rays{ BINDING_RAYS, this->Buffers.table };
  const Operand hits{ BINDING_RAY_HIT, task.hits };
  const Kernel& kernel = this->Session.context()->kernels().get(
    kernels::CastPackets, specializationOf(volume, Request(), task.arrays.ranges->hasNan));
  this->Session.recorder().stage(Stage::CastRays);
  this->Session.recorder().dispatch(kernel, { samples, ghosts, brickMask, geometry, rays, hits }, { hits },
    task.parameters, groupsFor(task.camera.width, RAY_GROUP_SIDE) * groupsFor(task.camera.height, RAY_GROUP_SIDE));
}

Picture PacketCaster::cast(const Volume& volume, const RayRequest& request, Report& report)
{
  const RayCamera& camera = request.camera;
  const std::optional<RayTable> table = rayTableOf(camera, volume);
  const std::optional<Threshold> threshold = request.isovalues.size() == 1
                                               ? thresholdOf(request.isovalues[0], volume.type, volume.padding.closed)
                                               : std::nullopt;
  if (!table || !threshold)
    throw Error(Error::Kind::Unsupported, "Packets of rays need one isovalue, and a volume that the camera sees.");
  return this->Session.withVolume<Picture>(volume, request.memoryLimit, report,
    [&](const ContourPlan& plan, VolumeArrays& arrays)
    {
      requireSupported(plan);
      const Slab& slab = plan.slabs().front();
      this->Session.uploadSlab(volume, plan, slab, arrays, report);
      const std::uint64_t bytes = std::uint64_t(camera.width) * camera.height * sizeof(RayHit);
      const PooledBuffer mask =
        this->Session.context()->deviceMemory().acquire(8 * nodesOfTree(plan), "the tree of marks");
      OutputArray hits(*this->Session.context(), bytes, "the pixels", OutputMemory::Device);
      const Task task{ volume, plan, arrays, camera, parametersOf(volume, plan, slab, *threshold, {}), mask.region(),
        hits.region() };
      const Geometry geometry = geometryOf(volume.geometry);
      this->Session.recorder().begin();
      this->Session.recorder().fill(task.hits, RAY_NO_HIT);
      this->Session.recorder().update(this->Buffers.table, &*table, sizeof(*table));
      this->Session.recorder().update(this->Buffers.geometry, &geometry, sizeof(geometry));
      this->recordMarks(task);
      this->recordRays(task);
      Picture picture;
      picture.onHost = RayPicture(submitAndDownload(
        *this->Session.context(), this->Session.recorder(), std::move(hits), bytes, "the pixels", report.stages));
      return picture;
    });
}

}
