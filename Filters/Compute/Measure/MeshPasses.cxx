// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Measure/MeshPasses.h"

#include "Compute/Contour/SlabTask.h"
#include "Compute/Contour/Surface.h"
#include "Embedded/Kernels.h"

#include <algorithm>

namespace vmc
{

MeshPasses::MeshPasses(CommandRecorder& recorder, const Surface& surface, std::size_t mesh)
  : DeviceContext(*surface.context)
  , Recorder(recorder)
  , InputMesh(surface.meshes[mesh])
  , Nothing(this->DeviceContext.deviceMemory().acquire(sizeof(std::uint32_t), "nothing"))
{
  for (std::uint32_t binding = BINDING_SUMS; binding < BINDING_COUNT; ++binding)
    this->bind(binding, this->Nothing.region());
  this->push.points = static_cast<std::uint32_t>(this->InputMesh.pointCount);
  this->push.triangles = static_cast<std::uint32_t>(this->InputMesh.triangleCount);
  this->push.idWords = this->InputMesh.hasWideIds ? 2 : 1;
  for (std::size_t row = 0; row < surface.outputs.size(); ++row)
    if (const std::uint32_t binding = surface.outputs[row].binding;
        binding == BINDING_POSITION || binding == BINDING_TRIANGLE)
      this->bind(binding, regionOf(surface, row, mesh));
}

void MeshPasses::begin(Stage stage, WordsOnHost& words)
{
  words.clear();
  this->Recorder.begin();
  this->Recorder.stage(stage);
}

PooledBuffer MeshPasses::bind(std::initializer_list<Array> arrays, const char* name)
{
  RegionLayout layout;
  std::vector<Region> regions(arrays.size());
  auto region = regions.begin();
  for (const Array& array : arrays)
    layout.add(*region++, 4 * std::max<std::uint64_t>(array.words, 1));
  PooledBuffer memory = layout.allocate(this->DeviceContext.deviceMemory(), name);
  region = regions.begin();
  for (const Array& array : arrays)
    this->bind(array.binding, *region++);
  return memory;
}

void MeshPasses::clearUpTo(const PooledBuffer& buffer, std::uint32_t binding)
{
  this->Recorder.fill({ buffer.buffer(), 0, this->bound[binding].offset + sizeof(std::uint32_t) }, 0);
}

void MeshPasses::run(const kernels::Words& kernel, std::uint64_t elements, std::uint32_t elementsOfGroup,
  const Specialization& specialization)
{
  const Kernel& made = this->DeviceContext.kernels().get(kernel, specialization);
  this->Recorder.dispatch(made, this->bound.only(made.masks().read), this->bound.only(made.masks().written), this->push,
    groupsFor(elements, elementsOfGroup));
}

void MeshPasses::number(std::uint32_t element, std::uint64_t elements, bool writesRegion)
{
  const Specialization specialization = { { SPECIALIZE_ELEMENT, element },
    { SPECIALIZE_BY_REGION, writesRegion ? 1 : 0 } };
  this->push.blocks = static_cast<std::uint32_t>(blocksOf(elements));
  this->run(kernels::CountElements, elements, SCAN_BLOCK_SIZE, specialization);
  this->run(kernels::ScanCounts, 1, 1);
  this->run(kernels::NumberElements, elements, SCAN_BLOCK_SIZE, specialization);
}

void WordsOnHost::clear()
{
  this->Regions.clear();
  this->Words = 0;
}

std::size_t WordsOnHost::add(const Region& region)
{
  const std::uint64_t first = this->Words;
  this->Regions.push_back(region);
  this->Words += region.size / 4;
  return first;
}

const std::uint32_t* WordsOnHost::fetch(Context& context, CommandRecorder& recorder, StageTimes& times)
{
  if (this->Memory.size() < 4 * this->Words)
    this->Memory = Buffer(context.device(), 4 * this->Words, Buffer::Memory::Readback, "measures on the host");
  std::uint64_t offset = 0;
  recorder.beginConcurrent();
  for (const Region& region : this->Regions)
  {
    recorder.copy(region, this->Memory, offset);
    offset += region.size;
  }
  recorder.endConcurrent();
  recorder.submitAndWait(times);
  return reinterpret_cast<const std::uint32_t*>(this->Memory.mapped());
}

}
