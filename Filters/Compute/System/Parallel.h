// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Divides work on host memory among the threads of the process.
#ifndef vmcParallel_h
#define vmcParallel_h

#include "Compute/System/Threads.h"

#include <cstddef>
#include <functional>
#include <vector>

namespace vmc
{

// Handles the part [begin, end) of some elements. Calls may be concurrent. If one throws, some parts are not handled,
// and the caller gets the exception.
using PartOfWork = std::function<void(std::size_t begin, std::size_t end)>;

// The number of threads that copy host memory fastest on this machine, at least 1. One thread reaches about a tenth of
// the memory bandwidth.
unsigned copyThreads();

// Calls `work` for parts of [0, count) of `atOnce` elements, the last one shorter, on at most `threads` threads. A
// thread that has finished a part takes the next one. Returns when all parts are done.
void inParts(std::size_t count, std::size_t atOnce, unsigned threads, const PartOfWork& work);

// Handles the part [begin, end) of the elements of an item.
using PartOfItem = std::function<void(std::size_t item, std::size_t begin, std::size_t end)>;

// As above for several items: for parts of [0, counts[item]). So many small items occupy all threads, too.
void inParts(const std::vector<std::size_t>& counts, std::size_t atOnce, unsigned threads, const PartOfItem& work);

// Calls `work` for parts of [0, count), in several threads if the elements take 2 MiB or more, at most `threads`.
// Returns when all parts are done.
void inParallel(
  std::size_t count, std::size_t bytesPerElement, const PartOfWork& work, unsigned threads = copyThreads());

// Copies like std::memcpy, in several threads. Null pointers are allowed for 0 bytes.
void copyInParallel(std::byte* to, const std::byte* from, std::size_t sizeInBytes);

}

#endif
