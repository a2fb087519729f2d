#include "ResidentVolume.h"

#include "Bindings.h"
#include "Constants.h"
#include "HostClock.h"

#include <algorithm>
#include <cstring>

namespace vmc
{

namespace
{
// Devices with their own memory are filled through a staging buffer of this size.
constexpr std::uint64_t StagingBytes = 64ull << 20;
}

SlabConstants slabConstants(const Volume& volume, const ContourPlan& plan, const Slab& slab)
{
  const Window window = plan.windowOf(slab, bytesOf(volume.type));
  SlabConstants push{};
  push.sizeX = volume.gridSize()[0];
  push.sizeY = volume.gridSize()[1];
  push.sizeZ = volume.gridSize()[2];
  for (int axis = 0; axis < 3; ++axis)
    push.padding |= volume.padding.low[axis] << (2 * axis) | volume.padding.high[axis] << (2 * axis + 6);
  push.closed = volume.padding.closed ? 1 : 0;
  push.border = volume.padding.border;
  push.ghostSkew = plan.windowOf(slab, 1).skew;
  push.windowLayer = window.firstSampleLayer;
  push.windowSkew = window.skew;
  push.bricksX = plan.bricks()[0];
  push.bricksY = plan.bricks()[1];
  push.brickLayer = slab.firstLayer;
  push.brickCount = plan.bricksOf(slab);
  push.ownBrickCount = plan.ownBricksOf(slab);
  return push;
}

ResidentVolume::ResidentVolume(const Device& device, MemoryBudget& budget)
  : Owner(device)
  , Budget(budget)
{
}

bool ResidentVolume::holds(const Volume& volume) const
{
  return volume.identity != 0 && volume.identity == this->Held.identity && volume.type == this->Held.type &&
         volume.size == this->Held.size && volume.padding == this->Held.padding;
}

void ResidentVolume::release()
{
  this->Held = Volume();
  this->Samples = Buffer();
  this->BrickRanges = Buffer();
  this->Ghosts = Buffer();
  this->Attributes.clear();
}

void ResidentVolume::load(const Volume& volume, const ContourPlan& plan, const Specialization& specialization,
  Commands& commands, std::vector<StageTime>& times)
{
  if (this->holds(volume))
    return;
  this->Held = Volume(); // nothing, until all of it is there
  const std::uint64_t bytes = paddedBytes(volume.sampleCount(), bytesOf(volume.type));
  const HostClock clock;
  if (this->Samples.size() != bytes)
  {
    this->Samples = Buffer(); // before the new one takes its place
    this->Samples = Buffer(this->Owner, this->Budget, bytes, Buffer::Memory::Device, "samples");
  }
  this->copyIn(volume.samples, volume.sampleCount() * bytesOf(volume.type), this->Samples, commands);
  addTime(times, "Upload", clock.milliseconds());
  this->buildBrickRanges(volume, plan, specialization, commands, times);
  this->Held = volume;
  this->Held.attributes.clear();
  this->Held.ghosts = nullptr;
}

void ResidentVolume::loadAttributes(const Volume& volume, Commands& commands, std::vector<StageTime>& times)
{
  this->Attributes.clear();
  this->Ghosts = Buffer();
  if (volume.attributes.empty() && !volume.ghosts)
    return;
  const HostClock clock;
  if (volume.ghosts)
  {
    const std::uint64_t samples = volume.sampleCount();
    this->Ghosts = Buffer(this->Owner, this->Budget, paddedBytes(samples, 1), Buffer::Memory::Device, "ghost flags");
    this->copyIn(volume.ghosts, samples, this->Ghosts, commands);
  }
  for (const Attribute& attribute : volume.attributes)
  {
    const std::uint64_t values = volume.sampleCount() * attribute.components;
    this->Attributes.emplace_back(
      this->Owner, this->Budget, paddedBytes(values, bytesOf(attribute.type)), Buffer::Memory::Device, "an attribute");
    this->copyIn(attribute.values, values * bytesOf(attribute.type), this->Attributes.back(), commands);
  }
  addTime(times, "Upload", clock.milliseconds());
}

void ResidentVolume::copyIn(const void* values, std::uint64_t sizeInBytes, const Buffer& target, Commands& commands)
{
  const std::byte* from = static_cast<const std::byte*>(values);
  if (target.mapped())
  {
    std::memcpy(target.mapped(), from, sizeInBytes);
    return;
  }
  const Buffer staging(
    this->Owner, this->Budget, std::min(sizeInBytes, StagingBytes), Buffer::Memory::Upload, "upload staging");
  std::vector<StageTime> untold; // the host's clock sees the copies
  for (std::uint64_t done = 0; done < sizeInBytes; done += staging.size())
  {
    const std::uint64_t part = std::min(staging.size(), sizeInBytes - done);
    std::memcpy(staging.mapped(), from + done, part);
    commands.begin();
    commands.copy(Region(staging, 0, part), target, done);
    commands.submitAndWait(untold);
  }
}

void ResidentVolume::buildBrickRanges(const Volume& volume, const ContourPlan& plan,
  const Specialization& specialization, Commands& commands, std::vector<StageTime>& times)
{
  const std::uint64_t bytes = plan.brickCount() * 8;
  if (this->BrickRanges.size() != bytes)
  {
    this->BrickRanges = Buffer();
    this->BrickRanges = Buffer(this->Owner, this->Budget, bytes, Buffer::Memory::Device, "brick ranges");
  }
  const Buffer totals(this->Owner, this->Budget, TOTAL_WORDS * 4, Buffer::Memory::Device, "totals");
  const Buffer landing(this->Owner, this->Budget, TOTAL_WORDS * 4, Buffer::Memory::Readback, "totals on the host");
  Specialization linear = specialization;
  linear[SPECIALIZE_GROUP_SIZE] = LINEAR_GROUP_SIZE;
  const Kernel& kernel = this->Owner.kernels().get(shaders::BuildBrickRanges, linear);

  commands.begin();
  commands.fill(totals, 0);
  commands.stage("BuildBrickRanges");
  for (const Slab& slab : plan.slabs())
  {
    const Window window = plan.windowOf(slab, bytesOf(volume.type));
    const SlabConstants push = slabConstants(volume, plan, slab);
    commands.dispatch(kernel,
      { { BINDING_SAMPLES, Region(this->Samples, window.offset, window.size) },
        { BINDING_BRICK_RANGE, this->BrickRanges }, { BINDING_TOTALS, totals } },
      push, groupsFor(push.brickCount, LINEAR_GROUP_SIZE));
  }
  commands.copy(totals, landing);
  commands.submitAndWait(times);
  this->HasNan = reinterpret_cast<const std::uint32_t*>(landing.mapped())[TOTAL_HAS_NAN] != 0;
}

}
