// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Contour/SurfaceOutputs.h"

#include "Compute/Context.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace vmc
{

std::vector<SurfaceOutputs::Row> SurfaceOutputs::rowsOf(std::vector<VolumeTask>& volumes) const
{
  std::size_t rows = 0;
  for (VolumeTask& volume : volumes)
  {
    volume.offset.assign(volume.outputs.size(), 0);
    rows = std::max(rows, volume.outputs.size());
  }
  std::vector<Row> all(rows, Row{ "", 0 });
  for (std::size_t row = 0; row < rows; ++row)
    for (VolumeTask& volume : volumes)
    {
      if (row >= volume.outputs.size() || !this->isKept(volume.outputs[row]))
        continue;
      volume.offset[row] = RegionLayout::aligned(all[row].bytes);
      all[row] = { volume.outputs[row].name,
        volume.offset[row] + volume.outputs[row].bytes(volume.size.points, volume.size.triangles) };
    }
  return all;
}

void SurfaceOutputs::allocate(std::vector<VolumeTask>& volumes)
{
  this->Arrays.clear();
  for (const Row& row : this->rowsOf(volumes))
    this->Arrays.emplace_back(this->DeviceContext, this->Blocks, row.bytes, row.name, this->InputRequest.memory);
}

void SurfaceOutputs::share(const SurfaceOutputs& owner, std::vector<VolumeTask>& volumes)
{
  this->rowsOf(volumes);
  this->Arrays.clear();
  for (const OutputArray& array : owner.Arrays)
    this->Arrays.emplace_back(this->DeviceContext, this->Blocks, array);
}

SurfaceOutputs::Part SurfaceOutputs::partOf(const Output& output, const SlabTask& task) const
{
  const SlabConstants& parameters = task.parameters;
  if (output.element == Output::Element::Triangle)
    return { task.firstTriangle, parameters.triangleStart, parameters.triangleCapacity };
  if (this->isRepeated(output))
    return { 3 * task.firstTriangle, 3ull * parameters.triangleStart, 3ull * parameters.triangleCapacity };
  return { task.firstPoint, parameters.pointStart, parameters.pointCapacity };
}

bool SurfaceOutputs::areReachable() const
{
  const Device& device = this->DeviceContext.device();
  return this->InputRequest.memory != OutputMemory::Host ||
         (device.hasUnifiedMemory() && device.hostImportAlignment() != 0);
}

bool SurfaceOutputs::areWrittenInPlace() const
{
  for (std::size_t row = 0; row < this->Arrays.size(); ++row)
    if (this->Arrays[row].size() != 0 && !this->isWrittenInPlace(row))
      return false;
  return true;
}

bool SurfaceOutputs::isWrittenInPlace(std::size_t row) const
{
  return this->areReachable() && this->Arrays[row].region().buffer;
}

std::uint64_t SurfaceOutputs::temporaryBytes(const SlabTask& task) const
{
  std::uint64_t bytes = 0;
  for (std::size_t row = 0; row < task.volume->outputs.size(); ++row)
  {
    const Output& output = task.volume->outputs[row];
    if (this->isRepeated(output))
      bytes += output.bytes(task.points, 0);
    if (!this->isKept(output) || !this->isWrittenInPlace(row))
      bytes += output.bytesPerElement() * this->partOf(output, task).count;
  }
  return bytes;
}

// The region of a task in an output that its kernels write in place.
Region SurfaceOutputs::placeOf(const SlabTask& task, std::size_t row) const
{
  const Output& output = task.volume->outputs[row];
  const Part part = this->partOf(output, task);
  return Region(*this->Arrays[row].region().buffer,
    task.volume->offset[row] + (part.first - part.before) * output.bytesPerElement(),
    (part.before + part.count) * output.bytesPerElement());
}

std::uint64_t SurfaceOutputs::bind(const TaskRange& range, std::uint64_t least)
{
  RegionLayout temporary;
  for (SlabTask& task : range)
  {
    const std::vector<Output>& outputs = task.volume->outputs;
    task.outputs.assign(outputs.size(), Region());
    task.repeated.assign(outputs.size(), Region());
    for (std::size_t row = 0; row < outputs.size(); ++row)
    {
      const Output& output = outputs[row];
      const Part part = this->partOf(output, task);
      if (part.count == 0)
        continue;
      if (this->isRepeated(output))
        temporary.add(task.outputs[row], output.bytes(task.points, 0));
      Region& region = this->isRepeated(output) ? task.repeated[row] : task.outputs[row];
      if (this->isKept(output) && this->isWrittenInPlace(row))
        region = this->placeOf(task, row);
      else
        temporary.add(region, output.bytesPerElement() * (part.before + part.count));
    }
  }
  this->Temporary = OutputArray();
  if (temporary.size() != 0)
  {
    this->Temporary =
      OutputArray(this->DeviceContext, std::max(temporary.size(), least), "outputs of slabs", OutputMemory::Device);
    temporary.place(*this->Temporary.region().buffer);
  }
  return temporary.size();
}

void SurfaceOutputs::recordCopies(CommandRecorder& recorder, const TaskRange& range)
{
  for (const SlabTask& task : range)
    for (std::size_t row = 0; row < task.volume->outputs.size(); ++row)
    {
      const Output& output = task.volume->outputs[row];
      const Part part = this->partOf(output, task);
      if (part.count == 0 || !this->isKept(output) || this->isWrittenInPlace(row))
        continue;
      const std::uint64_t bytes = output.bytesPerElement();
      const Region& whole = this->isRepeated(output) ? task.repeated[row] : task.outputs[row];
      const Region from(*whole.buffer, whole.offset + part.before * bytes, part.count * bytes);
      const std::uint64_t to = task.volume->offset[row] + part.first * bytes;
      recorder.stage(Stage::Download);
      if (const Buffer* const target = this->Arrays[row].region().buffer)
        recorder.copy(from, *target, to);
      else
        this->HostCopies.push_back({ from, nullptr, this->Arrays[row].onHost() + to, from.size });
    }
  this->recordStaging(recorder);
}

// Records the copies of the sources to a staging buffer.
void SurfaceOutputs::recordStaging(CommandRecorder& recorder)
{
  std::uint64_t bytes = 0;
  for (const HostCopy& copy : this->HostCopies)
    bytes += copy.bytes;
  if (bytes == 0)
    return;
  this->Staging = Buffer(this->DeviceContext.device(), bytes, Buffer::Memory::Readback, "outputs on the host");
  std::uint64_t offset = 0;
  for (HostCopy& copy : this->HostCopies)
  {
    recorder.copy(copy.source, this->Staging, offset);
    copy.from = this->Staging.mapped() + offset;
    offset += copy.bytes;
  }
}

void SurfaceOutputs::finishCopies()
{
  for (const HostCopy& copy : this->HostCopies)
  {
    std::memcpy(copy.to, copy.from, copy.bytes);
    this->DeviceContext.device().work().hostCopiedBytes += copy.bytes;
  }
  this->HostCopies.clear();
  this->Staging = Buffer();
  this->Replaced.clear();
}

void SurfaceOutputs::recordShrinking(CommandRecorder& recorder, std::vector<VolumeTask>& volumes)
{
  const VolumeTask& volume = volumes.front();
  std::uint64_t held = 0, needed = 0;
  for (std::size_t row = 0; row < this->Arrays.size(); ++row)
  {
    held += this->Arrays[row].size();
    needed += volume.outputs[row].bytes(volume.size.points, volume.size.triangles);
  }
  if (this->InputRequest.memory != OutputMemory::Host || needed >= held / 4 * 3)
    return;
  this->Replaced = std::move(this->Arrays);
  this->allocate(volumes);
  recorder.stage(Stage::Download);
  for (std::size_t row = 0; row < this->Arrays.size(); ++row)
  {
    const OutputArray& from = this->Replaced[row];
    const OutputArray& to = this->Arrays[row];
    if (to.size() == 0)
      continue;
    if (to.region().buffer) // a device may import one block and not another
      recorder.copy(Region(*from.region().buffer, 0, to.size()), *to.region().buffer);
    else
      this->HostCopies.push_back({ {}, from.onHost(), to.onHost(), to.size() });
  }
}

void SurfaceOutputs::moveInto(Surface& surface, const std::vector<VolumeTask>& volumes)
{
  if (this->InputRequest.memory != OutputMemory::Host)
  {
    surface.outputs = volumes.front().outputs;
    surface.arrays = std::move(this->Arrays);
    return;
  }
  for (std::size_t row = 0; row < this->Arrays.size(); ++row)
  {
    std::vector<HostMemoryPool::Part> parts;
    for (const VolumeTask& volume : volumes)
      if (row < volume.outputs.size() && this->isKept(volume.outputs[row]))
      {
        const Output& output = volume.outputs[row];
        Mesh& mesh = surface.meshes[volume.index];
        parts.push_back(
          { blockOf(mesh, output), volume.offset[row], output.bytes(mesh.pointCount, mesh.triangleCount) });
      }
    if (!parts.empty())
      HostMemoryPool::cut(this->Arrays[row].takeBlock(), parts);
  }
}

}
