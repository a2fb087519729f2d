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

// What fills a link of 55 GB/s as far as it goes; more of them are in each other's way.
constexpr unsigned MostThreads = 8;

// A thread of its own is worth it for this much: it takes longer to write than a thread takes to start.
constexpr std::size_t BytesForAThread = 1 << 20;

}

unsigned copyThreads()
{
  return std::clamp(std::thread::hardware_concurrency(), 1u, MostThreads);
}

void inParallel(
  std::size_t count, std::size_t bytesPerElement, const std::function<void(std::size_t begin, std::size_t end)>& work)
{
  const std::size_t parts = std::clamp<std::size_t>(count * bytesPerElement / BytesForAThread, 1, copyThreads());
  const std::size_t part = count / parts;
  std::vector<std::thread> threads;
  threads.reserve(parts);
  std::size_t begun = 0;
  try
  {
    for (; begun < (parts - 1) * part; begun += part)
      threads.emplace_back(std::cref(work), begun, begun + part);
  }
  catch (const std::exception&)
  {
    // No more threads: this one does the rest.
  }
  work(begun, count);
  for (std::thread& thread : threads)
    thread.join();
}

void copyInParallel(std::byte* to, const std::byte* from, std::size_t sizeInBytes)
{
  inParallel(sizeInBytes, 1,
    [=](std::size_t begin, std::size_t end)
    {
      if (begin != end) // an array of no bytes may have no address
        std::memcpy(to + begin, from + begin, end - begin);
    });
}

}
