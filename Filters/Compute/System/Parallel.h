// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The threads of the process, from oneTBB, and functions that divide work on host memory among them.
#ifndef vmcParallel_h
#define vmcParallel_h

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace vmc
{

// The number of threads that this process may run at the same time, at least 1.
unsigned processorThreads();

// The number of threads that onThreads runs if so many are requested, at least 1. 0: one per processor. In a process
// that fork() made after its parent had used threads, 1, as the others do not exist there.
unsigned usableThreads(unsigned requested);

// Calls `work` at least once, and at most usableThreads(threads) times at the same time, on this thread and on others.
// Returns when all calls have returned. Throws one of the exceptions that calls of `work` throw.
void onThreads(unsigned threads, const std::function<void()>& work);

// The name of the CPU in lists of devices.
constexpr const char* CpuName = "CPU";

// The name of the CPU in reports (see Report::device): "CPU, 16 threads".
inline std::string cpuName(unsigned threads)
{
  return std::string(CpuName) + ", " + std::to_string(threads) + (threads == 1 ? " thread" : " threads");
}

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
