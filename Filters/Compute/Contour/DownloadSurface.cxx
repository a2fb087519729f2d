// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Contour/DownloadSurface.h"

#include "Compute/Context.h"
#include "Compute/Contour/SlabTask.h"

#include <cstring>
#include <utility>
#include <vector>

namespace vmc
{

namespace
{

std::uint64_t bytesOf(const Surface& surface, std::size_t row, std::size_t mesh)
{
  return surface.outputs[row].bytes(surface.meshes[mesh].pointCount, surface.meshes[mesh].triangleCount);
}

// Where the elements of a mesh begin in an array of the surface.
std::uint64_t offsetOf(const Surface& surface, std::size_t row, std::size_t mesh)
{
  std::uint64_t offset = 0;
  for (std::size_t i = 0; i < mesh; ++i)
    offset = RegionLayout::aligned(offset) + bytesOf(surface, row, i);
  return RegionLayout::aligned(offset);
}

// Returns the bytes of an array up to the end of the last mesh that is not empty. The array may end there.
std::uint64_t usedBytes(const Surface& surface, std::size_t row)
{
  std::size_t end = surface.arrays[row].isEmpty() ? 0 : surface.meshes.size();
  while (end != 0 && bytesOf(surface, row, end - 1) == 0)
    --end;
  return end == 0 ? 0 : offsetOf(surface, row, end - 1) + bytesOf(surface, row, end - 1);
}

}

Region regionOf(const Surface& surface, std::size_t row, std::size_t mesh)
{
  const std::uint64_t bytes = bytesOf(surface, row, mesh);
  if (bytes == 0 || surface.arrays[row].isEmpty())
    return {};
  const Region whole = surface.arrays[row].region();
  return { *whole.buffer, whole.offset + offsetOf(surface, row, mesh), bytes };
}

void downloadSurface(Surface& surface, CommandRecorder& recorder, StageTimes& times)
{
  Context& context = *surface.context;
  std::vector<OutputArray> onHost(surface.arrays.size());
  std::vector<Buffer> staging(surface.arrays.size()); // where the device cannot import blocks
  recorder.begin();
  recorder.stage(Stage::Download);
  for (std::size_t row = 0; row < surface.arrays.size(); ++row)
  {
    const OutputArray& array = surface.arrays[row];
    const std::uint64_t bytes = usedBytes(surface, row);
    if (bytes == 0 ||
        (array.onHost() && bytes >= array.size() / 4 * 3)) // else a small surface would hold a large block
      continue;
    const char* const name = surface.outputs[row].name;
    onHost[row] = OutputArray(context, bytes, name, OutputMemory::Host);
    if (!onHost[row].region().buffer)
      staging[row] = Buffer(context.device(), bytes, Buffer::Memory::Readback, name);
    const Region whole = array.region();
    recorder.copy(
      { *whole.buffer, whole.offset, bytes }, staging[row].mapped() ? staging[row] : *onHost[row].region().buffer);
  }
  recorder.submitAndWait(times);
  for (std::size_t row = 0; row < surface.arrays.size(); ++row)
  {
    if (usedBytes(surface, row) == 0)
      continue;
    if (staging[row].mapped())
      std::memcpy(onHost[row].onHost(), staging[row].mapped(), onHost[row].size());
    std::vector<HostMemoryPool::Part> parts;
    for (std::size_t mesh = 0; mesh < surface.meshes.size(); ++mesh)
      if (HostBlock* const block = blockOf(surface.meshes[mesh], surface.outputs[row]))
        parts.push_back({ block, offsetOf(surface, row, mesh), bytesOf(surface, row, mesh) });
    OutputArray& from = onHost[row].isEmpty() ? surface.arrays[row] : onHost[row];
    HostMemoryPool::cut(from.takeBlock(), parts);
  }
  surface.arrays.clear();
  surface.outputs.clear();
  surface.context.reset();
}

}
