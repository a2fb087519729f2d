// Copies in host memory by several threads.
#ifndef vmcParallelCopy_h
#define vmcParallelCopy_h

#include <cstddef>

namespace vmc
{

// How many threads copy faster than fewer do on this machine: one thread moves about a tenth of what its memory could.
// At least 1.
unsigned copyThreads();

// As std::memcpy; larger arrays by several threads. Returns when all is there.
void copyInParallel(std::byte* to, const std::byte* from, std::size_t sizeInBytes);

}

#endif
