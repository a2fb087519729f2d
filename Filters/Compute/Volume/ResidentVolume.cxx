#include "Compute/Volume/ResidentVolume.h"

#include "Compute/System/HostClock.h"
#include "Embedded/Kernels.h"
#include "Shared/Bindings.h"
#include "Shared/Constants.h"

namespace vmc
{

SlabConstants slabConstants(const Volume& volume, const ContourPlan& plan, const Slab& slab)
{
  const Window window = plan.windowOf(slab, bytesOf(volume.type));
  SlabConstants push{};
  push.sizeX = volume.gridSize()[0];
  push.sizeY = volume.gridSize()[1];
  push.sizeZ = volume.gridSize()[2];
  for (int axis = 0; axis < 3; ++axis)
    push.padding |= volume.padding.low[axis] << (2 * axis) | volume.padding.high[axis] << (2 * axis + 6);
  push.settings = volume.padding.closed ? SETTING_CLOSED : 0;
  push.border = volume.padding.border;
  push.ghostOffset = plan.windowOf(slab, 1).skew;
  push.windowLayer = window.firstSampleLayer;
  push.windowOffset = window.skew;
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
  , Samples(device, budget, "samples")
  , Ghosts(device, budget, "ghost flags")
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
  this->releaseArrays();
  this->BrickRanges = Buffer();
}

void ResidentVolume::releaseArrays()
{
  this->Samples.release();
  this->Ghosts.release();
  for (ResidentArray& attribute : this->Attributes)
    attribute.release();
}

void ResidentVolume::load(const Volume& volume, const ContourPlan& plan, const Specialization& specialization,
  Commands& commands, Totals& totals, std::vector<StageTime>& times)
{
  this->keepKnown(volume);
  if (this->holds(volume))
    return;
  this->Held = Volume(); // nothing, until all of it is there
  this->HasNan = false;
  const std::uint64_t bytes = plan.brickCount() * 8;
  if (this->BrickRanges.size() != bytes)
  {
    this->BrickRanges = Buffer();
    this->BrickRanges = Buffer(this->Owner, this->Budget, bytes, Buffer::Memory::Device, "brick ranges");
  }
  for (const Slab& slab : plan.slabs())
  {
    const HostClock clock;
    this->loadSamples(volume, plan, slab);
    addTime(times, "Upload", clock.milliseconds());
    this->buildBrickRanges(volume, plan, slab, specialization, commands, totals, times);
  }
  this->Held = volume; // no more than its description: the rest is borrowed
  this->Held.attributes.clear();
  this->Held.ghosts = nullptr;
}

// Arrays that this volume does not have give their memory back, and those without an identity may have changed.
void ResidentVolume::keepKnown(const Volume& volume)
{
  this->Samples.forgetUnknown();
  this->Ghosts.forgetUnknown();
  if (!volume.ghosts)
    this->Ghosts.release();
  while (this->Attributes.size() > volume.attributes.size())
    this->Attributes.pop_back();
  while (this->Attributes.size() < volume.attributes.size())
    this->Attributes.emplace_back(this->Owner, this->Budget, "an attribute");
  for (ResidentArray& attribute : this->Attributes)
    attribute.forgetUnknown();
}

bool ResidentVolume::loadSamples(const Volume& volume, const ContourPlan& plan, const Slab& slab)
{
  const std::uint64_t bytes = bytesOf(volume.type);
  return this->Samples.load(
    volume.samples, volume.sampleCount() * bytes, volume.identity, plan.residentWindowOf(slab, bytes));
}

void ResidentVolume::loadSlab(
  const Volume& volume, const ContourPlan& plan, const Slab& slab, std::vector<StageTime>& times)
{
  const HostClock clock;
  bool copied = this->loadSamples(volume, plan, slab);
  if (volume.ghosts)
    copied |=
      this->Ghosts.load(volume.ghosts, volume.sampleCount(), volume.ghostIdentity, plan.residentWindowOf(slab, 1));
  for (std::size_t i = 0; i < volume.attributes.size(); ++i)
  {
    const Attribute& attribute = volume.attributes[i];
    const std::uint64_t bytes = bytesOf(attribute.type) * attribute.components;
    copied |= this->Attributes[i].load(attribute.values, volume.sampleCount() * bytes, attribute.identity,
      plan.residentWindowOf(slab, bytes, attribute.components));
  }
  if (copied)
    addTime(times, "Upload", clock.milliseconds());
}

void ResidentVolume::buildBrickRanges(const Volume& volume, const ContourPlan& plan, const Slab& slab,
  const Specialization& specialization, Commands& commands, Totals& totals, std::vector<StageTime>& times)
{
  totals.reserve();
  const SlabConstants push = slabConstants(volume, plan, slab);
  commands.begin();
  totals.recordClear(commands);
  commands.stage("BuildBrickRanges");
  commands.dispatch(this->Owner.kernels().get(kernels::BuildBrickRanges, specialization),
    { { BINDING_SAMPLES, this->samples(plan.windowOf(slab, bytesOf(volume.type))) },
      { BINDING_BRICK_RANGE, this->BrickRanges }, { BINDING_TOTALS, totals.onDevice() } },
    push, groupsFor(push.brickCount, LINEAR_GROUP_SIZE));
  totals.recordFetch(commands);
  commands.submitAndWait(times);
  this->HasNan = this->HasNan || totals[TOTAL_HAS_NAN] != 0;
}

}
