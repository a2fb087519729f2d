// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/System/Parallel.h"

#include <algorithm>
#include <cstring>
#include <exception>
#include <thread>
#include <vector>

namespace vmc
{

namespace
{

// This many threads saturate a link of 55 GB/s; more threads slow each other down.
constexpr unsigned MaxThreads = 8;

// Writing this many bytes takes longer than starting a thread.
constexpr std::size_t MinBytesPerThread = 1 << 20;

}

unsigned copyThreads()
{
  return std::clamp(std::thread::hardware_concurrency(), 1u, MaxThreads);
}

unsigned processorThreads()
{
  return std::max(std::thread::hardware_concurrency(), 1u);
}

void inParallel(std::size_t count, std::size_t bytesPerElement,
  const std::function<void(std::size_t begin, std::size_t end)>& work, unsigned threads)
{
  const std::size_t parts = std::clamp<std::size_t>(count * bytesPerElement / MinBytesPerThread, 1, threads);
  const std::size_t part = count / parts;
  std::vector<std::thread> others;
  others.reserve(parts);
  std::size_t partBegin = 0;
  try
  {
    for (; partBegin < (parts - 1) * part; partBegin += part)
      others.emplace_back(std::cref(work), partBegin, partBegin + part);
  }
  catch (const std::exception&)
  {
    // The system has no more threads: this thread does the rest.
  }
  work(partBegin, count);
  for (std::thread& thread : others)
    thread.join();
}

void copyInParallel(std::byte* to, const std::byte* from, std::size_t sizeInBytes)
{
  inParallel(sizeInBytes, 1,
    [=](std::size_t begin, std::size_t end)
    {
      if (begin != end) // the pointers may be null
        std::memcpy(to + begin, from + begin, end - begin);
    });
}

}
