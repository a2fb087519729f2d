// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Cases of dual cells from the inside bits of rows, on the CPU.
#ifndef vmcCases_h
#define vmcCases_h

#include "Compute/Contour/CaseTable.h"
#include "Compute/System/InstructionSet.h"
#include "Shared/Cell.h"

#include <array>
#include <cstdint>
#include <cstring>

namespace vmc::cpu
{

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "Vectors are read as integers of another width.");

// A table with the id of each edge's point: [axis][row of 9 x 9][sample].
constexpr std::uint32_t IdsPerAxis = BRICK_SAMPLE_ROWS * BRICK_SAMPLES;

constexpr std::uint32_t idIndex(std::uint32_t axis, std::uint32_t row, std::uint32_t sample)
{
  return axis * IdsPerAxis + row * BRICK_SAMPLES + sample;
}

// Returns where the id of an edge's point lies, relative to that of the edge that starts at the minimum corner of the
// cell and runs along x.
constexpr std::uint32_t idOffset(std::uint32_t place)
{
  return idIndex(PLACE_AXIS(place), PLACE_ROWS(place), PLACE_SAMPLES(place));
}

// The triangles of a case: three edges each, as idOffset().
struct CaseTriangles
{
  std::uint16_t count;
  std::array<std::uint16_t, 15> edge; // those of unused triangles are 0
};

// The triangles of all cases, by the number of the case: bit c is 1 if corner c is inside.
using CaseTable = std::array<CaseTriangles, 256>;

// mirrored: for a map to the world that mirrors, which flips the winding.
inline const CaseTable& caseTriangles(bool mirrored)
{
  static const auto tables = []
  {
    std::array<CaseTable, 2> both{};
    for (unsigned c = 0; c < both[0].size(); ++c)
      for (const CellTriangle& triangle : trianglesOfCase(c))
        for (std::size_t flips = 0; flips < 2; ++flips)
        {
          CaseTriangles& to = both[flips][c];
          for (std::size_t i = 0; i < 3; ++i)
            to.edge[3u * to.count + (flips != 0 ? (3 - i) % 3 : i)] =
              static_cast<std::uint16_t>(idOffset(EDGE_PLACE(unsigned(triangle[i]))));
          ++to.count;
        }
    return both;
  }();
  return tables[mirrored ? 1 : 0];
}

// A value for each of the 8 rows of a layer of cells, at y = 0 to 7.
using LayerOfRows [[gnu::vector_size(16)]] = std::uint16_t;

// Values from + 0 to from + 7.
VMC_INLINE LayerOfRows loadLayer(const std::uint16_t* from)
{
  LayerOfRows rows;
  std::memcpy(&rows, from, sizeof(rows));
  return rows;
}

// Inside bits of the rows of 9 samples around each row of cells of a layer: at (y, z), next y, next z and next of both.
struct InsideLayer
{
  LayerOfRows here, nextY, nextZ, nextYZ;
};

// Returns the cells of a layer whose corners are on both sides, one bit per cell of a row. Only these have triangles.
VMC_INLINE LayerOfRows cutCells(const InsideLayer& inside)
{
  const auto& [here, nextY, nextZ, nextYZ] = inside;
  const LayerOfRows some = here | nextY | nextZ | nextYZ, all = here & nextY & nextZ & nextYZ;
  return (some | some >> 1) & ~(all & all >> 1) & 0xFF;
}

// Returns the number of triangles of cut cells of a layer, as trianglesOfCells (Shared/CellRow.glsl), which says why:
// that of inside corners, less 2 for each face with four of them, less 4 for two opposite corners that alone are
// outside.
VMC_INLINE std::uint32_t trianglesOfCells(const LayerOfRows& cells, const InsideLayer& inside)
{
  const auto& [here, nextY, nextZ, nextYZ] = inside;
  // Returns the number of ones at the cells in two words of each row: 8 bits of each fill a word.
  const auto countOf = [&](LayerOfRows a, LayerOfRows b)
  {
    using Halves [[gnu::vector_size(16)]] = std::uint64_t;
    const auto halves = (Halves)((a & cells) | (b & cells) << 8);
    return static_cast<std::uint32_t>(__builtin_popcountll(halves[0]) + __builtin_popcountll(halves[1]));
  };
  const std::uint32_t corners =
    countOf(here, here >> 1) + countOf(nextY, nextY >> 1) + countOf(nextZ, nextZ >> 1) + countOf(nextYZ, nextYZ >> 1);

  const LayerOfRows lowY = here & nextY, highY = nextZ & nextYZ; // two inside samples along y: at z, at z + 1
  const LayerOfRows lowZ = here & nextZ, highZ = nextY & nextYZ; // along z: at y, at y + 1
  const LayerOfRows four = lowY & highY;
  const std::uint32_t faces = countOf(lowY & lowY >> 1, highY & highY >> 1) +
                              countOf(lowZ & lowZ >> 1, highZ & highZ >> 1) + countOf(four, four >> 1);

  struct Diagonal
  {
    LayerOfRows both, none; // of its ends are inside
  };
  const auto diagonal = [](LayerOfRows a, LayerOfRows b) { return Diagonal{ a & b, ~(a | b) }; };
  const Diagonal first = diagonal(here, nextYZ >> 1), second = diagonal(here >> 1, nextYZ),
                 third = diagonal(nextY, nextZ >> 1), fourth = diagonal(nextY >> 1, nextZ);
  const LayerOfRows opposite = (((first.both & second.none) | (first.none & second.both)) & third.both & fourth.both) |
                               (((third.both & fourth.none) | (third.none & fourth.both)) & first.both & second.both);
  return corners - 2 * faces - 4 * countOf(opposite, LayerOfRows());
}

// The cells of a layer.
struct CellLayer
{
  std::array<std::uint64_t, BRICK_SIZE> corners; // [y]: the elements of InsideLayer
  std::array<std::uint64_t, 2> cut;              // bit 16 * (y % 4) + x of element y / 4: cutCells

  VMC_INLINE explicit CellLayer(const InsideLayer& inside)
  {
    const LayerOfRows both = cutCells(inside);
    std::memcpy(this->cut.data(), &both, sizeof(both));
    using Pairs [[gnu::vector_size(16)]] = std::uint32_t;
    const auto interleave = [](LayerOfRows a, LayerOfRows b, bool high)
    {
      return high ? (Pairs)__builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15)
                  : (Pairs)__builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11);
    };
    for (const bool high : { false, true })
    {
      const Pairs low = interleave(inside.here, inside.nextY, high), up = interleave(inside.nextZ, inside.nextYZ, high);
      const Pairs first = __builtin_shufflevector(low, up, 0, 4, 1, 5),
                  last = __builtin_shufflevector(low, up, 2, 6, 3, 7);
      std::memcpy(this->corners.data() + (high ? 4 : 0), &first, sizeof(first));
      std::memcpy(this->corners.data() + (high ? 6 : 2), &last, sizeof(last));
    }
  }

  // The number of the case of cell (x, y).
  VMC_INLINE std::uint32_t caseOf(std::uint32_t x, std::uint32_t y) const
  {
    // Two bits of each row; the product puts them side by side, from bit 48 on.
    const std::uint64_t bits = this->corners[y] >> x & 0x0003000300030003u;
    constexpr std::uint64_t Gather = 1ull << 48 | 1ull << 34 | 1ull << 20 | 1ull << 6;
    return static_cast<std::uint32_t>(bits * Gather >> 48 & 0xFFu);
  }
};

VMC_INLINE std::uint32_t lowestBit(std::uint64_t bits)
{
  return static_cast<std::uint32_t>(__builtin_ctzll(bits));
}

VMC_INLINE std::uint32_t bitCount(std::uint32_t bits)
{
  return static_cast<std::uint32_t>(__builtin_popcount(bits));
}

}

#endif
