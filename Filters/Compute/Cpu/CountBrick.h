// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Classifies the samples of a brick and counts its points and triangles.
#ifndef vmcCountBrick_h
#define vmcCountBrick_h

#include "Compute/Cpu/Cases.h"
#include "Compute/Cpu/Neighbourhood.h"

#include <algorithm>
#include <cstring>

namespace vmc::cpu
{

// Inside samples: row 9 * z + y of the 9 x 9 rows that the brick's cells touch, one bit per sample along x.
using InsideRows = std::array<std::uint16_t, BRICK_SAMPLE_ROWS>;

// Bits of 9 samples that are at least the threshold. The first 8 are compared at once.
template <class Sample>
VMC_INLINE std::uint16_t insideBits(const Sample* row, Sample threshold)
{
  using Eight [[gnu::vector_size(8 * sizeof(Sample))]] = Sample;
  using Flags [[gnu::vector_size(8)]] = signed char;
  Eight eight;
  std::memcpy(&eight, static_cast<const void*>(row), sizeof(eight));
  const Flags flags = __builtin_convertvector(eight >= threshold, Flags); // 0 or -1
  std::uint64_t bytes = 0;
  std::memcpy(&bytes, &flags, sizeof(bytes));
  // Each byte keeps one bit; the product adds all bytes in the highest one.
  const std::uint64_t bits = (bytes & 0x8040201008040201u) * 0x0101010101010101u >> 56;
  return static_cast<std::uint16_t>(bits | (load(row + BRICK_SIZE) >= threshold ? 1u << BRICK_SIZE : 0u));
}

template <class Sample>
VMC_INLINE void classify(const Samples<Sample>& samples, Sample threshold, InsideRows& inside)
{
  for (int z = 0; z < BRICK_SAMPLES; ++z)
    for (int y = 0; y < BRICK_SAMPLES; ++y)
      inside[BRICK_SAMPLES * z + y] =
        insideBits(samples.first + y * samples.stride[1] + z * samples.stride[2], threshold);
}

// Removes the bits of positions that are outside.
VMC_INLINE void removeOutside(const Grid& grid, const std::array<std::uint32_t, 3>& corner, InsideRows& inside)
{
  const auto isOutside = [&](std::size_t a, std::uint32_t i)
  { return corner[a] + i < grid.axis[a].size && grid.axis[a].isOutside[corner[a] + i] != 0; };
  std::uint16_t kept = 0;
  for (std::uint32_t x = 0; x < BRICK_SAMPLES; ++x)
    kept |= static_cast<std::uint16_t>((isOutside(0, x) ? 0u : 1u) << x);
  for (std::uint32_t z = 0; z < BRICK_SAMPLES; ++z)
    for (std::uint32_t y = 0; y < BRICK_SAMPLES; ++y)
      inside[BRICK_SAMPLES * z + y] &= isOutside(1, y) || isOutside(2, z) ? std::uint16_t(0) : kept;
}

// The edges and the cells of a row that may have points and triangles.
struct RowLimits
{
  std::uint32_t edges = 0xFFFFFFu; // as in the row word
  std::uint32_t cells = 0xFFu;
};

// Those that lie in the grid.
VMC_INLINE RowLimits limitsInGrid(const Grid& grid, std::uint32_t x, std::uint32_t y, std::uint32_t z)
{
  const std::uint32_t sizeX = grid.axis[0].size, sizeY = grid.axis[1].size, sizeZ = grid.axis[2].size;
  const auto ones = [](std::uint32_t count) { return (1u << std::min<std::uint32_t>(BRICK_SIZE, count)) - 1; };
  const std::uint32_t samples = ones(sizeX - x), steps = ones(sizeX - 1 - x);
  const bool inside = y < sizeY && z < sizeZ;
  const bool stepsY = inside && y + 1 < sizeY, stepsZ = inside && z + 1 < sizeZ;
  RowLimits limits;
  limits.edges =
    (inside ? steps << ROW_SHIFT_X : 0) | (stepsY ? samples << ROW_SHIFT_Y : 0) | (stepsZ ? samples << ROW_SHIFT_Z : 0);
  limits.cells = stepsY && stepsZ ? steps : 0;
  return limits;
}

// Cells of the rows from (-1, -1) on that touch no blank sample and are owned: bit x + 1 of row 9 * (z + 1) + (y + 1).
using ValidRows = std::array<std::uint16_t, BRICK_SAMPLE_ROWS>;

template <class Sample>
VMC_INLINE ValidRows validRows(const Neighbourhood<Sample>& around)
{
  constexpr int Size = Neighbourhood<Sample>::Size;
  std::array<std::uint32_t, Size * Size> blank{}, notOwned{};
  for (int row = 0; row < Size * Size; ++row)
    for (int x = 0; x < Size; ++x)
    {
      const std::uint32_t flags = around.flags[row * Size + x];
      blank[row] |= ((flags & GHOST_BLANK) != 0 ? 1u : 0u) << x;
      notOwned[row] |= ((flags & GHOST_NOT_OWNED) != 0 ? 1u : 0u) << x;
    }
  ValidRows valid{};
  for (int z = 0; z < BRICK_SAMPLES; ++z)
    for (int y = 0; y < BRICK_SAMPLES; ++y)
    {
      const int row = z * Size + y;
      const std::uint32_t touched = blank[row] | blank[row + 1] | blank[row + Size] | blank[row + Size + 1];
      valid[BRICK_SAMPLES * z + y] = static_cast<std::uint16_t>(~(touched | touched >> 1 | notOwned[row]) & 0x1FFu);
    }
  return valid;
}

// Removes the invalid cells of row (y, z), and the edges whose four cells are all invalid.
VMC_INLINE RowLimits withoutInvalid(RowLimits limits, const ValidRows& valid, int y, int z)
{
  const int row = BRICK_SAMPLES * (z + 1) + y + 1;
  const std::uint32_t here = valid[row];
  const std::uint32_t besideY = here | valid[row - BRICK_SAMPLES]; // cells around y edges: same y, both z
  const std::uint32_t besideZ = here | valid[row - 1];             // cells around z edges: same z, both y
  const std::uint32_t besideX = besideY | besideZ | valid[row - BRICK_SAMPLES - 1];
  limits.edges &= (besideX >> 1 & 0xFFu) << ROW_SHIFT_X | ((besideY | besideY >> 1) & 0xFFu) << ROW_SHIFT_Y |
                  ((besideZ | besideZ >> 1) & 0xFFu) << ROW_SHIFT_Z;
  limits.cells &= here >> 1;
  return limits;
}

// Writes the row words of a brick, the points before each row, and the numbers of points and triangles. limitsOf(y, z)
// returns the RowLimits of a row.
template <class LimitsOf>
VMC_INLINE void countRows(
  const InsideRows& inside, const ActiveBricks& active, std::size_t slot, const LimitsOf& limitsOf)
{
  const auto& cases = caseTriangles();
  std::uint32_t points = 0, triangles = 0;
  for (int z = 0; z < BRICK_SIZE; ++z)
    for (int y = 0; y < BRICK_SIZE; ++y)
    {
      const int sampleRow = BRICK_SAMPLES * z + y;
      const CellRow row = { inside[sampleRow], inside[sampleRow + 1], inside[sampleRow + BRICK_SAMPLES],
        inside[sampleRow + BRICK_SAMPLES + 1] };
      const RowLimits limits = limitsOf(y, z);
      const std::size_t out = slot * BRICK_ROWS + BRICK_SIZE * z + y;
      active.rowPoints[out] = static_cast<std::uint16_t>(points);
      if (active.validCells)
        active.validCells[out] = static_cast<std::uint8_t>(limits.cells);
      active.rowWord[out] = (row.here & 0xFFu) << ROW_SHIFT_INSIDE;
      if (row.isUniform())
        continue;
      const std::uint32_t edges =
        (((row.here ^ row.here >> 1) & 0xFFu) << ROW_SHIFT_X | ((row.here ^ row.nextY) & 0xFFu) << ROW_SHIFT_Y |
          ((row.here ^ row.nextZ) & 0xFFu) << ROW_SHIFT_Z) &
        limits.edges;
      active.rowWord[out] |= edges;
      points += bitCount(edges);
      for (std::uint32_t cells = row.cut() & limits.cells; cells != 0; cells &= cells - 1)
        triangles += cases[row.caseOf(lowestBit(cells))].count;
    }
  active.points[slot] = points;
  active.triangles[slot] = triangles;
}

template <class Sample>
VMC_INLINE void countBrick(const BrickPass& pass, std::size_t slot)
{
  const std::array<std::uint32_t, 3> corner = pass.grid.cornerOf(pass.active.brick[slot]);
  const auto threshold = thresholdValue<Sample>(pass.threshold);
  InsideRows inside;
  if (!pass.hasBlanking && isWithinImage(pass.grid, corner, 0, 1))
  {
    classify(samplesInImage<Sample>(pass, corner), threshold, inside);
    countRows(inside, pass.active, slot, [](int, int) { return RowLimits(); });
    return;
  }
  Neighbourhood<Sample> around;
  around.fill(pass, corner);
  classify(around.samples(), threshold, inside);
  if (pass.grid.touchesOutside(corner))
    removeOutside(pass.grid, corner, inside);
  const auto inGrid = [&](int y, int z) { return limitsInGrid(pass.grid, corner[0], corner[1] + y, corner[2] + z); };
  if (!pass.hasBlanking)
  {
    countRows(inside, pass.active, slot, inGrid);
    return;
  }
  const ValidRows valid = validRows(around);
  countRows(inside, pass.active, slot, [&](int y, int z) { return withoutInvalid(inGrid(y, z), valid, y, z); });
}

}

#endif
