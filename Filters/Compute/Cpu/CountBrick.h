// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Classifies the samples of a brick and counts its points and triangles.
#ifndef vmcCountBrick_h
#define vmcCountBrick_h

#include "Compute/Cpu/Cases.h"
#include "Compute/Cpu/Neighbourhood.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace vmc::cpu
{

// Inside samples: row 9 * z + y of the 9 x 9 rows that the brick's cells touch, one bit per sample along x.
using InsideRows = std::array<std::uint16_t, BRICK_SAMPLE_ROWS>;

// Bits of the samples in a vector of 16 bytes that are at least the threshold.
template <class Sample>
VMC_INLINE std::uint32_t insideBitsOfVector(const Sample* samples, Sample threshold)
{
  using Vector [[gnu::vector_size(16)]] = Sample;
  Vector vector;
  std::memcpy(&vector, static_cast<const void*>(samples), sizeof(vector));
  const auto flags = vector >= threshold; // 0 or -1
#ifdef __SSE2__
  if constexpr (sizeof(Sample) == 8)
    return static_cast<std::uint32_t>(_mm_movemask_pd((__m128d)flags));
  else if constexpr (sizeof(Sample) == 4)
    return static_cast<std::uint32_t>(_mm_movemask_ps((__m128)flags));
  else if constexpr (sizeof(Sample) == 2)
    return static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_packs_epi16((__m128i)flags, _mm_setzero_si128())));
  else
    return static_cast<std::uint32_t>(_mm_movemask_epi8((__m128i)flags));
#else
  std::uint32_t bits = 0;
  for (std::size_t i = 0; i < 16 / sizeof(Sample); ++i)
    bits |= flags[i] != 0 ? 1u << i : 0u;
  return bits;
#endif
}

// Bits of the BRICK_SIZE samples of a row that are at least the threshold.
template <class Sample>
VMC_INLINE std::uint32_t insideBitsOfRow(const Sample* row, Sample threshold)
{
  constexpr int Count = 16 / sizeof(Sample);
  std::uint32_t bits = 0;
  if constexpr (Count > BRICK_SIZE)
  {
    std::array<Sample, Count> padded{}; // a row is shorter than a vector
    std::memcpy(padded.data(), static_cast<const void*>(row), BRICK_SIZE * sizeof(Sample));
    bits |= insideBitsOfVector(padded.data(), threshold) & 0xFFu;
  }
  else
    for (int i = 0; i < BRICK_SIZE; i += Count)
      bits |= insideBitsOfVector(row + i, threshold) << i;
  return bits;
}

// The same of the next sample, too.
template <class Sample>
VMC_INLINE std::uint16_t insideBits(const Sample* row, Sample threshold)
{
  return static_cast<std::uint16_t>(
    insideBitsOfRow(row, threshold) | (readSample(row + BRICK_SIZE) >= threshold ? 1u << BRICK_SIZE : 0u));
}

template <class Sample>
VMC_INLINE void classify(const BrickSamples<Sample>& samples, Sample threshold, InsideRows& inside)
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

// Returns the edges and the cells of the row that lie in the grid.
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

// Cells of the rows from (-1, -1) on: bit x + 1 of row 9 * (z + 1) + (y + 1).
using ValidRows = std::array<std::uint16_t, BRICK_SAMPLE_ROWS>;

// The cells that touch no blank sample and are owned.
template <class Sample>
VMC_INLINE ValidRows validRows(const Neighbourhood<Sample>& around)
{
  constexpr int Size = Neighbourhood<Sample>::Size;
  std::array<std::uint32_t, Size * Size> blank{};
  for (int row = 0; row < Size * Size; ++row)
    blank[row] = around.flagsInRow(GHOST_BLANK, row);
  ValidRows valid{};
  for (int z = 0; z < BRICK_SAMPLES; ++z)
    for (int y = 0; y < BRICK_SAMPLES; ++y)
    {
      const int row = z * Size + y;
      const std::uint32_t touched = blank[row] | blank[row + 1] | blank[row + Size] | blank[row + Size + 1];
      valid[BRICK_SAMPLES * z + y] =
        static_cast<std::uint16_t>(~(touched | touched >> 1 | around.flagsInRow(GHOST_NOT_OWNED, row)) & 0x1FFu);
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

VMC_INLINE InsideLayer insideLayer(const InsideRows& inside, int z)
{
  const std::uint16_t* const rows = inside.data() + BRICK_SAMPLES * z;
  return { loadLayer(rows), loadLayer(rows + 1), loadLayer(rows + BRICK_SAMPLES), loadLayer(rows + BRICK_SAMPLES + 1) };
}

// Row words of a layer: [y].
using LayerWords = std::array<std::uint32_t, BRICK_SIZE>;

VMC_INLINE void setWords(const InsideLayer& inside, LayerWords& words)
{
  static_assert(ROW_SHIFT_X == 0 && ROW_SHIFT_Y == 8 && ROW_SHIFT_Z == 16 && ROW_SHIFT_INSIDE == 24);
  const LayerOfRows here = inside.here;
  const LayerOfRows low = ((here ^ here >> 1) & 0xFF) | (here ^ inside.nextY) << 8; // halves of the row words
  const LayerOfRows high = ((here ^ inside.nextZ) & 0xFF) | here << 8;
  const LayerOfRows first = __builtin_shufflevector(low, high, 0, 8, 1, 9, 2, 10, 3, 11);
  const LayerOfRows last = __builtin_shufflevector(low, high, 4, 12, 5, 13, 6, 14, 7, 15);
  std::memcpy(words.data(), &first, sizeof(first));
  std::memcpy(words.data() + 4, &last, sizeof(last));
}

// Removes the edges and the cells of row y that are beyond the limits.
VMC_INLINE void applyLimits(const RowLimits& limits, std::uint32_t y, LayerWords& words, LayerOfRows& cells)
{
  words[y] &= limits.edges | 0xFFu << ROW_SHIFT_INSIDE;
  cells[y] &= static_cast<std::uint16_t>(limits.cells);
}

// Writes the words and the points before each row of a layer, of which `points` are before its first row. Returns those
// before the next layer.
VMC_INLINE std::uint32_t putRows(
  const LayerWords& words, std::uint32_t points, std::uint32_t* rowWord, std::uint16_t* rowPoints)
{
  for (std::size_t y = 0; y < BRICK_SIZE; ++y)
  {
    rowWord[y] = words[y];
    rowPoints[y] = static_cast<std::uint16_t>(points);
    points += bitCount(words[y] & 0xFFFFFFu);
  }
  return points;
}

// Writes the row words of a brick, the points before each row, and the numbers of points and triangles. limitsOf(y, z)
// returns the RowLimits of a row; without limits it is nullptr.
template <class LimitsOf>
VMC_INLINE void countRows(
  const InsideRows& inside, const ActiveBricks& active, std::size_t slot, const LimitsOf& limitsOf)
{
  std::uint32_t points = 0, triangles = 0;
  for (int z = 0; z < BRICK_SIZE; ++z)
  {
    const std::size_t firstRow = slot * BRICK_ROWS + BRICK_SIZE * z;
    const InsideLayer layer = insideLayer(inside, z);
    LayerWords words;
    setWords(layer, words);
    LayerOfRows cells = cutCells(layer);
    if constexpr (!std::is_null_pointer_v<LimitsOf>)
      for (int y = 0; y < BRICK_SIZE; ++y)
      {
        const RowLimits limits = limitsOf(y, z);
        applyLimits(limits, y, words, cells);
        if (active.validCells)
          active.validCells[firstRow + y] = static_cast<std::uint8_t>(limits.cells);
      }
    points = putRows(words, points, active.rowWord + firstRow, active.rowPoints + firstRow);
    triangles += trianglesOfCells(cells, layer);
  }
  active.points[slot] = points;
  active.triangles[slot] = triangles;
}

template <class Sample>
VMC_INLINE void countBrick(const BrickPass& pass, std::size_t slot)
{
  const std::array<std::uint32_t, 3> corner = pass.grid.cornerOf(pass.active.brick[slot]);
  const auto threshold = thresholdValue<Sample>(pass.threshold);
  const bool isPlain = pass.hasBlanking ? isWithinImage(pass.grid, corner, 1, 2) && !hasFlagsOrNan<Sample>(pass, corner)
                                        : isWithinImage(pass.grid, corner, 0, 1);
  if (pass.active.isPlain)
    pass.active.isPlain[slot] = (pass.hasBlanking ? isPlain : isWithinImage(pass.grid, corner, 1, 2)) ? 1 : 0;
  InsideRows inside;
  if (isPlain)
  {
    classify(samplesInImage<Sample>(pass, corner), threshold, inside);
    if (pass.active.validCells)
      std::fill_n(pass.active.validCells + slot * BRICK_ROWS, BRICK_ROWS, std::uint8_t(0xFF));
    countRows(inside, pass.active, slot, nullptr);
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
