// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Runs work on host memory in several threads.
#ifndef vmcParallel_h
#define vmcParallel_h

#include <cstddef>
#include <functional>

namespace vmc
{

// The number of threads that copy host memory fastest on this machine, at least 1. One thread reaches about a tenth of
// the memory bandwidth.
unsigned copyThreads();

// The number of threads that this machine runs at the same time, at least 1.
unsigned processorThreads();

// Calls `work(begin, end)` for disjoint parts of [0, count), in several threads if the elements take 2 MiB or more, at
// most `threads`. Returns when all parts are done. Calls of `work` may be concurrent; `work` must not throw.
void inParallel(std::size_t count, std::size_t bytesPerElement,
  const std::function<void(std::size_t begin, std::size_t end)>& work, unsigned threads = copyThreads());

// Copies like std::memcpy, in several threads. Null pointers are allowed for 0 bytes.
void copyInParallel(std::byte* to, const std::byte* from, std::size_t sizeInBytes);

}

#endif
