// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/System/Parallel.h"

#include <algorithm>
#include <atomic>
#include <cstring>

namespace vmc
{

namespace
{

// This many threads saturate a link of 55 GB/s; more threads slow each other down.
constexpr unsigned MaxThreads = 8;

// Writing this many bytes takes longer than waking a thread.
constexpr std::size_t MinBytesPerThread = 1 << 20;

}

unsigned copyThreads()
{
  return std::min(processorThreads(), MaxThreads);
}

void inParts(std::size_t count, std::size_t atOnce, unsigned threads, const PartOfWork& work)
{
  std::atomic<std::size_t> next{ 0 };
  const std::size_t parts = (count + atOnce - 1) / atOnce;
  onThreads(static_cast<unsigned>(std::clamp<std::size_t>(parts, 1, threads)),
    [&]
    {
      for (;;)
      {
        const std::size_t begin = next.fetch_add(atOnce, std::memory_order_relaxed);
        if (begin >= count)
          return;
        work(begin, std::min(begin + atOnce, count));
      }
    });
}

void inParts(const std::vector<std::size_t>& counts, std::size_t atOnce, unsigned threads, const PartOfItem& work)
{
  std::vector<std::size_t> partsUpTo; // [item]: parts of the items up to this one
  std::size_t parts = 0;
  partsUpTo.reserve(counts.size());
  for (const std::size_t count : counts)
    partsUpTo.push_back(parts += (count + atOnce - 1) / atOnce);
  inParts(parts, 1, threads,
    [&](std::size_t part, std::size_t)
    {
      const std::size_t item = std::upper_bound(partsUpTo.begin(), partsUpTo.end(), part) - partsUpTo.begin();
      const std::size_t begin = (part - (item == 0 ? 0 : partsUpTo[item - 1])) * atOnce;
      work(item, begin, std::min(begin + atOnce, counts[item]));
    });
}

void inParallel(std::size_t count, std::size_t bytesPerElement, const PartOfWork& work, unsigned threads)
{
  const std::size_t parts = std::clamp<std::size_t>(count * bytesPerElement / MinBytesPerThread, 1, threads);
  inParts(count, std::max<std::size_t>((count + parts - 1) / parts, 1), threads, work);
}

void copyInParallel(std::byte* to, const std::byte* from, std::size_t sizeInBytes)
{
  inParallel(
    sizeInBytes, 1, [=](std::size_t begin, std::size_t end) { std::memcpy(to + begin, from + begin, end - begin); });
}

}
