// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Contour/MeshDownload.h"

#include "Compute/Context.h"
#include "Compute/Contour/TriangleOffsets.h"
#include "Compute/System/HostClock.h"

#include <algorithm>
#include <utility>

namespace vmc
{

namespace
{

// Converts sample indices of the window to those of the volume, which need 64 bits.
HostBlock widened(Context& context, const HostBlock& numbers, std::int64_t firstSample)
{
  const std::size_t count = numbers.size() / sizeof(std::uint32_t);
  HostBlock wide = context.hostMemory().acquire(count * sizeof(std::int64_t));
  const auto* from = reinterpret_cast<const std::uint32_t*>(numbers.data());
  std::transform(from, from + count, reinterpret_cast<std::int64_t*>(wide.data()),
    [firstSample](std::uint32_t number) { return firstSample + number; });
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
  this->Recorder.begin(this->IsTimed);
  this->Recorder.stage(Stage::Download);
  for (std::size_t i = 0; i < part.arrays.size(); ++i)
  {
    const Output& output = this->Layout.outputs[i];
    part.arrays[i].recordDownload(this->DeviceContext, this->Recorder, this->bytesOf(output, part), output.name);
  }
  Mesh mesh;
  mesh.pointCount = part.pointCount;
  mesh.triangleCount = part.triangleCount;
  this->Recorder.submitAndWait(times,
    [&]
    {
      if (isOnly && idsAreNarrow(part.pointCount, part.triangleCount))
        mesh.offsets = triangleOffsets<std::int32_t>(this->DeviceContext.hostMemory(), part.triangleCount);
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

void MeshDownload::take(DeviceMeshPart& part, Mesh& mesh) const
{
  for (std::size_t i = 0; i < part.arrays.size(); ++i)
  {
    const Output& output = this->Layout.outputs[i];
    if (output.isAttribute())
      mesh.attributes.resize(output.attribute + 1);
    if (const std::uint64_t bytes = this->bytesOf(output, part))
    {
      HostBlock values = part.arrays[i].takeDownloaded(this->DeviceContext, bytes);
      *blockOf(mesh, output) =
        output.isWidened ? widened(this->DeviceContext, values, part.firstSample) : std::move(values);
    }
  }
}

}
