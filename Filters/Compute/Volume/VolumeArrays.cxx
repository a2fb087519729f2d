// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Volume/VolumeArrays.h"

#include "Compute/Context.h"
#include "Compute/System/Parallel.h"
#include "Compute/System/Stage.h"
#include "Compute/Vulkan/CommandRecorder.h"
#include "Shared/Constants.h"

#include <algorithm>

namespace vmc
{

namespace
{

void copyOnDevice(CommandRecorder& recorder, const Region& from, const Buffer& to)
{
  StageTimes none;
  recorder.begin();
  recorder.copy(from, to);
  recorder.submitAndWait(none);
}

}

ResidentArray::ResidentArray(Context& context, const void* values, std::uint64_t sizeInBytes,
  const std::vector<Window>& windows, const char* name, Reuse reuse, const Neighbour& neighbour)
{
  this->Parts.reserve(windows.size());
  for (const Window& window : windows)
    this->Parts.push_back({ context.deviceMemory().acquire(window.size, name, reuse), window.offset, window.size });
  for (const Part& part : this->Parts)
  {
    // The padding of a window at the end of the array lies outside the array.
    const std::uint64_t bytes = std::min(part.size, sizeInBytes - part.offset);
    const std::byte* const from = static_cast<const std::byte*>(values) + part.offset;
    const Buffer& to = part.values.buffer();
    if (to.mapped())
      copyInParallel(to.mapped(), from, bytes);
    else
    {
      const Region beginning = neighbour.array ? neighbour.array->regionFrom(part.offset, bytes) : Region();
      if (beginning.size != bytes)
        context.uploadRing().copy(from + beginning.size, bytes - beginning.size, to, beginning.size);
      if (beginning.size != 0) // last, as it waits in the queue behind the extraction that uses the neighbour
        copyOnDevice(*neighbour.recorder, beginning, to);
    }
  }
}

// Returns the region of the bytes of the array from `offset` on, as far as one window has them, at most `most` bytes.
Region ResidentArray::regionFrom(std::uint64_t offset, std::uint64_t most) const
{
  const Part* const part = this->find({ 0, 0, offset, 1, 0 });
  if (!part)
    return Region();
  const std::uint64_t start = offset - part->offset;
  return Region(part->values.buffer(), start, std::min(part->size - start, most));
}

const ResidentArray::Part* ResidentArray::find(const Window& window) const
{
  const auto found = std::find_if(this->Parts.begin(), this->Parts.end(),
    [&](const Part& part)
    { return window.offset >= part.offset && window.offset + window.size <= part.offset + part.size; });
  return found != this->Parts.end() ? &*found : nullptr;
}

HostArray samplesOf(const Volume& volume)
{
  return { volume.samples, volume.identity, bytesOf(volume.type), 1, "samples" };
}

std::vector<HostArray> hostArraysOf(const Volume& volume)
{
  std::vector<HostArray> arrays{ samplesOf(volume) };
  if (volume.ghosts)
    arrays.push_back({ volume.ghosts, volume.ghostIdentity, 1, 1, "ghost flags" });
  for (const Attribute& attribute : volume.attributes)
    arrays.push_back({ attribute.values, attribute.identity, bytesOf(attribute.type) * attribute.components,
      attribute.components, "an attribute" });
  return arrays;
}

Region VolumeArrays::samples(const Volume& volume, const ContourPlan& plan, const Slab& slab) const
{
  return this->arrays[0]->region(plan.windowOf(slab, bytesOf(volume.type)));
}

Region VolumeArrays::ghosts(const ContourPlan& plan, const Slab& slab) const
{
  return this->arrays[1]->region(plan.windowOf(slab, 1));
}

Region VolumeArrays::attribute(const Volume& volume, std::size_t index, const ContourPlan& plan, const Slab& slab) const
{
  const Attribute& attribute = volume.attributes[index];
  return this->arrays[(volume.ghosts ? 2 : 1) + index]->region(
    plan.windowOf(slab, bytesOf(attribute.type) * attribute.components, attribute.components));
}

namespace
{

// Bytes per sample of the widest array, which limits the samples per binding.
std::uint64_t widestSample(const Volume& volume)
{
  std::uint64_t widest = 0;
  for (const HostArray& array : hostArraysOf(volume))
    widest = std::max(widest, array.bytesPerSample);
  return widest;
}

// The sum over all arrays of the volume.
std::uint64_t bytesPerSample(const Volume& volume)
{
  std::uint64_t bytes = 0;
  for (const HostArray& array : hostArraysOf(volume))
    bytes += array.bytesPerSample;
  return bytes;
}

}

ContourPlan planOf(const Volume& volume, const DeviceLimits& limits, const Residency& residency)
{
  return ContourPlan(volume.size, widestSample(volume), limits, volume.padding, residency);
}

MemoryLadder::Sizes sizesOf(const Volume& volume, std::uint64_t memoryLimit)
{
  MemoryLadder::Sizes sizes;
  sizes.bytesPerSample = bytesPerSample(volume);
  sizes.wholeBytes = sizes.bytesPerSample * volume.sampleCount();
  Residency residency{ sizes.bytesPerSample };
  residency.readsHalos = false; // refuses no layer that some plan binds
  sizes.leastBytes = planOf(volume, DeviceLimits(), residency).leastResidentBytes();
  sizes.limitInBytes = memoryLimit;
  return sizes;
}

bool uploadWindows(
  Context& context, const Volume& volume, const ContourPlan& plan, const Slab& slab, VolumeArrays& arrays)
{
  const std::vector<HostArray> hostArrays = hostArraysOf(volume);
  arrays.arrays.resize(hostArrays.size());
  bool isUploaded = false;
  for (std::size_t i = 0; i < hostArrays.size(); ++i)
  {
    const HostArray& array = hostArrays[i];
    const Window window = plan.windowOf(slab, array.bytesPerSample, array.valuesPerSample);
    std::shared_ptr<const ResidentArray>& resident = arrays.arrays[i];
    if (resident && resident->holds(window))
      continue;
    resident.reset(); // releases its memory before the next window is allocated
    resident = std::make_shared<ResidentArray>(
      context, array.values, volume.sampleCount() * array.bytesPerSample, std::vector<Window>{ window }, array.name);
    isUploaded = true;
  }
  return isUploaded;
}

SlabConstants parametersOf(const Volume& volume, const ContourPlan& plan, const Slab& slab)
{
  const Window window = plan.windowOf(slab, bytesOf(volume.type));
  SlabConstants parameters{};
  parameters.sizeX = volume.gridSize()[0];
  parameters.sizeY = volume.gridSize()[1];
  parameters.sizeZ = volume.gridSize()[2];
  for (int axis = 0; axis < 3; ++axis)
    parameters.padding |= volume.padding.low[axis] << (2 * axis) | volume.padding.high[axis] << (2 * axis + 6);
  parameters.border = volume.padding.border;
  parameters.settings = volume.padding.closed ? SETTING_CLOSED : 0;
  parameters.windowLayer = window.firstSampleLayer;
  parameters.windowOffset = window.offsetInValues;
  parameters.ghostOffset = plan.windowOf(slab, 1).offsetInValues;
  parameters.reciprocalX = RECIPROCAL(plan.bricks()[0]);
  parameters.reciprocalY = RECIPROCAL(plan.bricks()[1]);
  parameters.brickLayer = slab.firstLayer;
  parameters.brickCount = plan.bricksOf(slab);
  parameters.ownBrickCount = plan.ownBricksOf(slab);
  parameters.maxGroups = plan.limits().maxGroups;
  parameters.firstRange = plan.bricks()[0] * plan.bricks()[1] * (slab.firstLayer - plan.layers().first);
  return parameters;
}

Specialization specializationOf(SampleType type)
{
  const bool isSigned =
    type == SampleType::Int8 || type == SampleType::Int16 || type == SampleType::Int32 || type == SampleType::Int64;
  const bool isFloat = type == SampleType::Float32 || type == SampleType::Float64;
  const std::uint32_t kind = isFloat ? SAMPLE_FLOAT : isSigned ? SAMPLE_SIGNED : SAMPLE_UNSIGNED;
  return { { SPECIALIZE_SAMPLE_BYTES, static_cast<std::uint32_t>(bytesOf(type)) }, { SPECIALIZE_SAMPLE_KIND, kind } };
}

Specialization specializationOf(const Volume& volume)
{
  Specialization specialization = specializationOf(volume.type);
  specialization[SPECIALIZE_PADDED] = volume.padding.isEmpty() ? 0 : 1;
  return specialization;
}

}
