// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Reference implementation of the kernel ScanBricks.
#ifndef vmcReferenceScanBricks_h
#define vmcReferenceScanBricks_h

#include "Reference/SelectBricks.h"
#include "Shared/Constants.h"
#include "Shared/Structs.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace vmc::reference
{

// A sum that saturates at the largest 32-bit number. As no term is negative, sums of sums saturate where sums do.
inline std::uint32_t stuck(std::uint64_t sum)
{
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(sum, 0xFFFFFFFFu));
}

// Replaces value[array][slot] by the sums of the blocks before plus the values before it in its block. Writes the
// result of the first active brick of the halo layer to total[TOTAL_OWN_POINTS + array] and the sum of all values to
// total[TOTAL_POINTS + array].
inline void scanBricks(const SlabConstants& slab, const std::vector<std::uint32_t>& sum,
  std::vector<std::uint32_t>& value, std::vector<std::uint32_t>& total)
{
  for (std::uint32_t array = 0; array < 2; ++array)
  {
    const std::uint32_t sums = array == 0 ? BLOCK_SUM_POINTS : BLOCK_SUM_TRIANGLES;
    std::uint64_t before = 0;
    std::uint64_t blocksBefore = 0;
    for (std::uint32_t slot = 0; slot < total[TOTAL_ACTIVE]; ++slot)
    {
      if (slot % SCAN_BLOCK_SIZE == 0)
      {
        before = blocksBefore;
        for (std::uint32_t part = 0; part < BLOCK_SUM_PARTS; ++part)
          blocksBefore += sum[blockSumWord(slab, sums, slot + part)];
      }
      std::uint32_t& entry = value[array * slab.activeCapacity + slot];
      const std::uint32_t count = entry;
      entry = stuck(before);
      if (slab.ownBrickCount < slab.brickCount && slot == total[TOTAL_OWN_ACTIVE])
        total[TOTAL_OWN_POINTS + array] = entry;
      before += count;
    }
    total[TOTAL_POINTS + array] = stuck(before);
  }
}

}

#endif
