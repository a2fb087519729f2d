// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The histogram of a hierarchy of levels by brute force. Compares samples with each edge and each centre.
#ifndef vmcReferenceLevelHistogram_h
#define vmcReferenceLevelHistogram_h

#include "Compute/Histogram/ValueCounts.h"
#include "Reference/LevelSurface.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace vmc::reference
{

// Adds a leaf to the counts of its level.
inline void countLeaf(const CellThere& leaf, const Bins& bins, ValueCounts& counts)
{
  std::uint32_t bin = 0;
  while (bin + 1 < bins.count && leaf.sample >= bins.edge(bin + 1))
    ++bin;
  std::uint64_t& count = leaf.isHidden              ? counts.ghosts
                         : std::isnan(leaf.sample)  ? counts.nan
                         : leaf.sample < bins.lower ? counts.below
                         : leaf.sample > bins.upper ? counts.above
                                                    : counts.samples[bin];
  ++count;
}

// Returns the counts of each level. A dual cell is counted with its finest level.
inline LevelCounts levelHistogram(const Levels& levels, const LevelLeaves& leaves, const Bins& bins)
{
  LevelCounts counts(levels.ratio.size(), ValueCounts(bins));
  for (const LevelCell& leaf : leaves.leaves())
    countLeaf(leaves.at(leaf), bins, counts[leaf.level]);
  for (const LevelDualCell& cell : LevelSurface(levels, leaves, 0).dualCells)
    for (std::uint32_t bin = 0; bin < bins.count; ++bin)
    {
      const auto inside = std::count_if(cell.leaf.begin(), cell.leaf.end(),
        [&](const LevelCell& leaf) { return leaves.at(leaf).sample >= bins.centre(bin); });
      counts[cell.level].cutCells[bin] += inside != 0 && inside != 8 ? 1 : 0;
    }
  return counts;
}

}

#endif
