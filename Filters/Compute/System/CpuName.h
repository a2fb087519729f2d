// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The name of the CPU engine.
#ifndef vmcCpuName_h
#define vmcCpuName_h

#include <string>

namespace vmc
{

// The name of the CPU in lists of devices.
constexpr const char* CpuName = "CPU";

// The name of the CPU in reports (see Report::device): "CPU, 16 threads".
inline std::string cpuName(unsigned threads)
{
  return std::string(CpuName) + ", " + std::to_string(threads) + (threads == 1 ? " thread" : " threads");
}

}

#endif
