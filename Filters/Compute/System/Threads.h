// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The threads of the process, from oneTBB, and the name of the CPU as a device.
#ifndef vmcThreads_h
#define vmcThreads_h

#include <functional>
#include <string>

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

}

#endif
