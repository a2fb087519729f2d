// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Parallel loops on all processors of the host.
#ifndef vmcBenchmarkThreads_h
#define vmcBenchmarkThreads_h

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

namespace vmc::benchmarks
{

inline unsigned processors()
{
  return std::max(1u, std::thread::hardware_concurrency());
}

// Calls work(i) once for each i below `count`, in any order, from several threads. `work` must not throw.
template <class Work>
void inParallel(std::size_t count, const Work& work)
{
  std::atomic<std::size_t> next{ 0 };
  const auto run = [&]
  {
    for (std::size_t i = next++; i < count; i = next++)
      work(i);
  };
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < processors(); ++t)
    threads.emplace_back(run);
  for (std::thread& thread : threads)
    thread.join();
}

}

#endif
