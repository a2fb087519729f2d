// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "CountedSurface.h"

#include "Compute/Contour/CaseTable.h"
#include "Threads.h"

#include <array>
#include <vector>

namespace vmc::benchmarks
{

namespace
{

using Mask = std::vector<std::uint8_t>; // one value per sample of a layer: 1 inside, 0 outside

struct Tally
{
  std::uint64_t points = 0, triangles = 0, activeCells = 0;
};

std::array<std::uint8_t, 256> triangleCounts()
{
  std::array<std::uint8_t, 256> counts{};
  for (unsigned cellCase = 0; cellCase < counts.size(); ++cellCase)
    counts[cellCase] = static_cast<std::uint8_t>(trianglesOfCase(cellCase).size());
  return counts;
}

template <class Value>
void readLayer(const Value* layer, double isovalue, Mask& inside)
{
  for (std::size_t i = 0; i < inside.size(); ++i)
    inside[i] = double(layer[i]) >= isovalue;
}

// Number of crossed edges within a layer and from it to the next.
std::uint64_t crossedEdges(const Mask& layer, const Mask* next, std::size_t sizeX, std::size_t sizeY)
{
  std::uint64_t crossed = 0;
  for (std::size_t y = 0; y < sizeY; ++y)
  {
    const std::uint8_t* row = layer.data() + y * sizeX;
    for (std::size_t x = 0; x + 1 < sizeX; ++x)
      crossed += row[x] ^ row[x + 1];
    for (std::size_t x = 0; y + 1 < sizeY && x < sizeX; ++x)
      crossed += row[x] ^ row[x + sizeX];
    for (std::size_t x = 0; next && x < sizeX; ++x)
      crossed += row[x] ^ (*next)[y * sizeX + x];
  }
  return crossed;
}

// Counts triangles and active cells among the dual cells between a layer and the next.
void countCells(const Mask& layer, const Mask& next, std::size_t sizeX, std::size_t sizeY, Tally& tally)
{
  static const std::array<std::uint8_t, 256> triangles = triangleCounts();
  for (std::size_t y = 0; y + 1 < sizeY; ++y)
  {
    const std::array<const std::uint8_t*, 4> row = { layer.data() + y * sizeX, layer.data() + (y + 1) * sizeX,
      next.data() + y * sizeX, next.data() + (y + 1) * sizeX };
    for (std::size_t x = 0; x + 1 < sizeX; ++x)
    {
      unsigned cellCase = 0;
      for (unsigned r = 0; r < row.size(); ++r)
        cellCase |= unsigned(row[r][x]) << 2 * r | unsigned(row[r][x + 1]) << (2 * r + 1);
      tally.triangles += triangles[cellCase];
      tally.activeCells += cellCase != 0 && cellCase != 255;
    }
  }
}

template <class Value>
CountedSurface count(const test::Samples& samples, double isovalue)
{
  const std::size_t sizeX = samples.size[0], sizeY = samples.size[1], sizeZ = samples.size[2];
  const Value* values = reinterpret_cast<const Value*>(samples.bytes.data());
  std::vector<Tally> tallies(sizeZ);
  inParallel(sizeZ,
    [&](std::size_t z)
    {
      const bool isLast = z + 1 == sizeZ;
      Mask layer(sizeX * sizeY), next(isLast ? 0 : sizeX * sizeY);
      readLayer(values + z * sizeX * sizeY, isovalue, layer);
      readLayer(values + (z + 1) * sizeX * sizeY, isovalue, next);
      tallies[z].points = crossedEdges(layer, isLast ? nullptr : &next, sizeX, sizeY);
      if (!isLast)
        countCells(layer, next, sizeX, sizeY, tallies[z]);
    });
  CountedSurface surface;
  std::uint64_t activeCells = 0;
  for (const Tally& tally : tallies)
  {
    surface.counts.points += tally.points;
    surface.counts.triangles += tally.triangles;
    activeCells += tally.activeCells;
  }
  surface.activePercent = 100.0 * double(activeCells) / (double(sizeX - 1) * double(sizeY - 1) * double(sizeZ - 1));
  return surface;
}

}

CountedSurface countSurface(const test::Samples& samples, double isovalue)
{
  switch (samples.type)
  {
    case SampleType::UInt8:
      return count<std::uint8_t>(samples, isovalue);
    case SampleType::UInt16:
      return count<std::uint16_t>(samples, isovalue);
    default:
      return count<float>(samples, isovalue);
  }
}

}
