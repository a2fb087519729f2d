#include "ParallelCopy.h"

#include <algorithm>
#include <cstring>
#include <exception>
#include <thread>
#include <vector>

namespace vmc
{

namespace
{

// What fills a link of 55 GB/s as far as it goes; more of them are in each other's way.
constexpr unsigned MostThreads = 8;

// A thread of its own is worth it for this much: it takes some hundred microseconds to copy.
constexpr std::size_t BytesForAThread = 4 << 20;

}

unsigned copyThreads()
{
  return std::clamp(std::thread::hardware_concurrency(), 1u, MostThreads);
}

void copyInParallel(std::byte* to, const std::byte* from, std::size_t sizeInBytes)
{
  const std::size_t parts = std::clamp<std::size_t>(sizeInBytes / BytesForAThread, 1, copyThreads());
  const std::size_t part = sizeInBytes / parts;
  std::vector<std::thread> threads;
  threads.reserve(parts);
  std::size_t begun = 0; // bytes
  try
  {
    for (; begun < (parts - 1) * part; begun += part)
      threads.emplace_back(std::memcpy, to + begun, from + begun, part);
  }
  catch (const std::exception&)
  {
    // No more threads: this one copies the rest.
  }
  std::memcpy(to + begun, from + begun, sizeInBytes - begun);
  for (std::thread& thread : threads)
    thread.join();
}

}
