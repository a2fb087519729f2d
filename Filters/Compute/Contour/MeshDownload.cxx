// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Contour/MeshDownload.h"

#include "Compute/Context.h"
#include "Compute/Contour/TriangleIds.h"
#include "Compute/System/HostClock.h"

#include <utility>

namespace vmc
{

namespace
{

// int64: `first` plus each of the downloaded numbers.
HostBlock widened(Context& context, const DeviceArray& numbers, std::uint64_t sizeInBytes, std::int64_t first)
{
  HostBlock wide = context.hostMemory().acquire(2 * sizeInBytes);
  widen(numbers.downloaded(), sizeInBytes / sizeof(std::uint32_t), first, wide.data());
  return wide;
}

}

MeshDownload::MeshDownload(Context& context, CommandRecorder& commands, MeshLayout layout, bool isTimed)
  : DeviceContext(context)
  , Recorder(commands)
  , Layout(std::move(layout))
  , IsTimed(isTimed)
  , Builder(context.hostMemory())
{
}

void MeshDownload::restart()
{
  this->Builder = MeshBuilder(this->DeviceContext.hostMemory());
}

void MeshDownload::add(DeviceMeshPart part, bool isOnly, StageTimes& times)
{
  Mesh mesh;
  mesh.pointCount = part.pointCount;
  mesh.triangleCount = part.triangleCount;
  mesh.hasWideIds = isOnly && (this->Layout.wideIds || !idsAreNarrow(part.pointCount, part.triangleCount));
  this->record(part, mesh);
  this->Recorder.submitAndWait(times,
    [&]
    {
      if (isOnly)
        this->makeIds(part, mesh);
    });
  const HostClock clock;
  this->take(part, mesh);
  times.add(Stage::Download, clock.milliseconds());
  this->Builder.add(std::move(mesh));
}

std::uint64_t MeshDownload::bytesOf(const Output& output, const DeviceMeshPart& part) const
{
  return output.isDownloaded(this->Layout.mergePoints) ? output.bytes(part.pointCount, part.triangleCount) : 0;
}

// Records the copies, that of the point ids first: the host widens them while the device copies the other arrays.
void MeshDownload::record(DeviceMeshPart& part, const Mesh& mesh)
{
  this->Recorder.begin(this->IsTimed);
  this->Recorder.stage(Stage::Download);
  for (const bool arePointIds : { true, false })
  {
    for (std::size_t i = 0; i < part.arrays.size(); ++i)
    {
      const Output& output = this->Layout.outputs[i];
      if (output.isPointIds() == arePointIds)
        part.arrays[i].recordDownload(this->DeviceContext, this->Recorder, this->bytesOf(output, part), output.name);
    }
    if (arePointIds && mesh.hasWideIds)
      this->Recorder.mark();
  }
}

// Makes the offsets, and widens the point ids if the device copies arrays meanwhile.
void MeshDownload::makeIds(const DeviceMeshPart& part, Mesh& mesh) const
{
  const std::vector<Output>& outputs = this->Layout.outputs;
  mesh.offsets = triangleOffsets(this->DeviceContext.hostMemory(), part.triangleCount, mesh.hasWideIds);
  if (!this->Recorder.waitForMark())
    return;
  for (std::size_t i = 0; i < outputs.size(); ++i)
    if (outputs[i].isPointIds())
      mesh.triangles = widened(this->DeviceContext, part.arrays[i], this->bytesOf(outputs[i], part), 0);
}

void MeshDownload::take(DeviceMeshPart& part, Mesh& mesh) const
{
  for (std::size_t i = 0; i < part.arrays.size(); ++i)
  {
    const Output& output = this->Layout.outputs[i];
    if (output.isAttribute())
      mesh.attributes.resize(output.attribute + 1);
    const std::uint64_t bytes = this->bytesOf(output, part);
    if (bytes == 0 || blockOf(mesh, output)->size() != 0)
      continue;
    HostBlock& block = *blockOf(mesh, output);
    if (output.isWidened) // sample indices of the window become those of the volume
      block = widened(this->DeviceContext, part.arrays[i], bytes, part.firstSample);
    else if (output.isPointIds() && mesh.hasWideIds)
      block = widened(this->DeviceContext, part.arrays[i], bytes, 0);
    else
      block = part.arrays[i].takeDownloaded(this->DeviceContext, bytes);
  }
}

}
