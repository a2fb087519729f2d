// Work in host memory by several threads.
#ifndef vmcParallel_h
#define vmcParallel_h

#include <cstddef>
#include <functional>

namespace vmc
{

// How many threads copy faster than fewer do on this machine: one thread moves about a tenth of what its memory could.
// At least 1.
unsigned copyThreads();

// Calls `work(begin, end)` for parts of [0, count) that do not overlap, from several threads where the elements
// together take enough memory to be worth it. Returns when all is done. `work` may be called at the same time for
// several parts and must not throw.
void inParallel(
  std::size_t count, std::size_t bytesPerElement, const std::function<void(std::size_t begin, std::size_t end)>& work);

// As std::memcpy.
void copyInParallel(std::byte* to, const std::byte* from, std::size_t sizeInBytes);

}

#endif
