// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Measures time on the host.
#ifndef vmcHostClock_h
#define vmcHostClock_h

#include <chrono>

namespace vmc
{

// Measures the time since its construction.
class HostClock
{
public:
  double milliseconds() const
  {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - this->Start).count();
  }

private:
  std::chrono::steady_clock::time_point Start = std::chrono::steady_clock::now();
};

}

#endif
