// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/System/Parallel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <vector>

TEST(Parallel, CopiesEveryByteAndNoneBeyond)
{
  constexpr std::size_t MiB = 1 << 20;
  for (const std::size_t size : { std::size_t(0), std::size_t(1), 4 * MiB - 1, 8 * MiB, 8 * MiB + 1, 70 * MiB + 7 })
  {
    std::vector<std::uint32_t> words(size / 4 + 1);
    for (std::size_t i = 0; i < words.size(); ++i)
      words[i] = static_cast<std::uint32_t>(i * 2654435761u); // adjacent words differ
    const auto* from = reinterpret_cast<const std::byte*>(words.data());
    std::vector<std::byte> to(size + 1, std::byte{ 99 });
    vmc::copyInParallel(to.data(), from, size);
    EXPECT_TRUE(std::equal(to.begin(), to.end() - 1, from)) << size;
    EXPECT_EQ(to.back(), std::byte{ 99 });
  }
}

TEST(Parallel, PartsOfSeveralItemsCoverEachElementOnce)
{
  const std::vector<std::size_t> counts = { 0, 7, 1, 0, 0, 20, 4, 5, 0 };
  for (const std::size_t atOnce : { 1, 4, 5, 100 })
    for (const unsigned threads : { 1u, 3u })
    {
      std::vector<std::vector<int>> handled; // [item][element]
      for (const std::size_t count : counts)
        handled.emplace_back(count, 0);
      vmc::inParts(counts, atOnce, threads,
        [&](std::size_t item, std::size_t begin, std::size_t end)
        {
          EXPECT_EQ(begin % atOnce, 0u);
          EXPECT_EQ(end, std::min(begin + atOnce, counts[item]));
          for (; begin < end; ++begin)
            ++handled[item][begin];
        });
      for (std::size_t item = 0; item < counts.size(); ++item)
        EXPECT_EQ(handled[item], std::vector<int>(counts[item], 1)) << "item " << item;
    }
}

#ifdef __linux__
// 4000 arenas of oneTBB 2021.8 keep 29 MiB.
TEST(Parallel, CallsLeaveNoMemory)
{
  const auto call = [](int times)
  {
    for (int i = 0; i < times; ++i)
      vmc::inParts(2, 1, 2, [](std::size_t, std::size_t) {});
  };
  const auto residentPages = []
  {
    std::size_t total = 0, resident = 0;
    std::ifstream("/proc/self/statm") >> total >> resident;
    return resident;
  };
  call(1000);
  const std::size_t before = residentPages();
  call(4000);
  EXPECT_LT(residentPages(), before + 1024);
}
#endif
