// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Cases of dual cells from the inside bits of rows, on the CPU.
#ifndef vmcCases_h
#define vmcCases_h

#include "Compute/Contour/CaseTable.h"
#include "Compute/Cpu/InstructionSet.h"
#include "Shared/Cell.h"

#include <array>
#include <cstdint>

namespace vmc::cpu
{

// The triangles of a case: three edges each (EDGE_PLACE in Cell.h).
struct CaseTriangles
{
  std::uint8_t count;
  std::array<std::uint8_t, 15> place;
};

// The triangles of all cases, by the number of the case: bit c is 1 if corner c is inside.
inline const std::array<CaseTriangles, 256>& caseTriangles()
{
  static const auto table = []
  {
    std::array<CaseTriangles, 256> all{};
    for (unsigned c = 0; c < all.size(); ++c)
      for (const CellTriangle& triangle : trianglesOfCase(c))
      {
        for (std::size_t i = 0; i < 3; ++i)
          all[c].place[3u * all[c].count + i] = static_cast<std::uint8_t>(EDGE_PLACE(unsigned(triangle[i])));
        ++all[c].count;
      }
    return all;
  }();
  return table;
}

// Inside bits of the four rows of 9 samples around a row of cells along x. Cell x lies between bits x and x + 1.
struct CellRow
{
  std::uint32_t here, nextY, nextZ, nextYZ;

  // Whether all samples are on one side.
  VMC_INLINE bool isUniform() const
  {
    return (this->here | this->nextY | this->nextZ | this->nextYZ) == 0 ||
           (this->here & this->nextY & this->nextZ & this->nextYZ) == (1u << BRICK_SAMPLES) - 1;
  }

  // Cells whose corners are not all on one side.
  VMC_INLINE std::uint32_t cut() const
  {
    const std::uint32_t some = this->here | this->nextY | this->nextZ | this->nextYZ;
    const std::uint32_t all = this->here & this->nextY & this->nextZ & this->nextYZ;
    return (some | some >> 1) & ~(all & all >> 1) & 0xFFu;
  }

  VMC_INLINE std::uint32_t caseOf(std::uint32_t x) const
  {
    return (this->here >> x & 3u) | (this->nextY >> x & 3u) << 2 | (this->nextZ >> x & 3u) << 4 |
           (this->nextYZ >> x & 3u) << 6;
  }
};

VMC_INLINE std::uint32_t lowestBit(std::uint32_t bits)
{
  return static_cast<std::uint32_t>(__builtin_ctz(bits));
}

VMC_INLINE std::uint32_t bitCount(std::uint32_t bits)
{
  return static_cast<std::uint32_t>(__builtin_popcount(bits));
}

}

#endif
