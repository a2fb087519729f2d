// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Contour/MeshExport.h"

#include "Compute/Context.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace vmc
{

namespace
{

bool isExported(const DeviceMeshPart& part)
{
  return std::all_of(part.arrays.begin(), part.arrays.end(),
    [](const DeviceArray& array)
    { return array.region().size == 0 || array.region().buffer->kind() == Buffer::Memory::Exported; });
}

// Allocates one part for the whole mesh.
DeviceMeshPart wholeOf(const DeviceMesh& mesh)
{
  DeviceMeshPart whole;
  whole.pointCount = mesh.pointCount();
  whole.triangleCount = mesh.triangleCount();
  for (const Output& row : mesh.layout.outputs)
    whole.arrays.emplace_back(
      *mesh.context, row.isDownloaded(true) ? row.bytes(whole.pointCount, whole.triangleCount) : 0, row.name, true);
  for (const DeviceMeshPart& part : mesh.parts)
    whole.activeBricks += part.activeBricks;
  return whole;
}

// Records copies of all parts, one after the other. Ids of points count from the first part already.
void recordJoin(CommandRecorder& commands, const DeviceMesh& mesh, const DeviceMeshPart& whole)
{
  for (std::size_t i = 0; i < whole.arrays.size(); ++i)
  {
    std::uint64_t end = 0;
    for (const DeviceMeshPart& part : mesh.parts)
    {
      const std::uint64_t bytes = mesh.layout.outputs[i].bytes(part.pointCount, part.triangleCount);
      if (whole.arrays[i].region().size == 0 || bytes == 0)
        continue;
      commands.copy(Region(*part.arrays[i].region().buffer, 0, bytes), *whole.arrays[i].region().buffer, end);
      end += bytes;
    }
  }
}

void recordIsovalues(CommandRecorder& commands, const DeviceMesh& mesh, const std::vector<double>& isovalues)
{
  for (std::size_t i = 0; i < isovalues.size(); ++i)
  {
    const auto difference = static_cast<float>(isovalues[i] - isovalues[0]);
    std::uint32_t word = 0;
    std::memcpy(&word, &difference, sizeof(word));
    const std::uint64_t first = mesh.firstPoint[i], count = mesh.firstPoint[i + 1] - first;
    if (count != 0)
      commands.fill(Region(*mesh.isovalues.region().buffer, first * sizeof(word), count * sizeof(word)), word);
  }
}

}

DeviceMesh exportedMesh(
  CommandRecorder& commands, DeviceMesh mesh, const Request& request, bool withIsovalues, StageTimes& times)
{
  const bool isCopied = mesh.parts.size() > 1 || (mesh.parts.size() == 1 && !isExported(mesh.parts.front()));
  if (!isCopied && !withIsovalues)
    return mesh;
  DeviceMeshPart whole;
  commands.begin(request.timeStages);
  commands.stage(Stage::Export);
  commands.beginConcurrent(); // the regions are disjoint
  if (isCopied)
  {
    whole = wholeOf(mesh);
    recordJoin(commands, mesh, whole);
  }
  if (withIsovalues)
  {
    mesh.isovalues = DeviceArray(*mesh.context, mesh.pointCount() * sizeof(float), "isovalues of points", true);
    recordIsovalues(commands, mesh, request.isovalues);
  }
  commands.endConcurrent();
  commands.submitAndWait(times);
  if (isCopied)
  {
    mesh.parts.clear();
    mesh.parts.push_back(std::move(whole));
  }
  return mesh;
}

}
