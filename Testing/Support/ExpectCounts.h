// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Comparison of the counts of histograms.
#ifndef vmcExpectCounts_h
#define vmcExpectCounts_h

#include "Compute/Histogram/ValueCounts.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>
#include <vector>

namespace vmc::test
{

inline std::uint64_t sumOf(const std::vector<std::uint64_t>& counts)
{
  return std::accumulate(counts.begin(), counts.end(), std::uint64_t(0));
}

// Volumes of samples are not compared.
inline void expectEqual(const ValueCounts& found, const ValueCounts& expected)
{
  EXPECT_EQ(found.samples, expected.samples);
  EXPECT_EQ(found.cutCells, expected.cutCells);
  EXPECT_EQ(found.below, expected.below);
  EXPECT_EQ(found.above, expected.above);
  EXPECT_EQ(found.nan, expected.nan);
  EXPECT_EQ(found.ghosts, expected.ghosts);
}

}

#endif
