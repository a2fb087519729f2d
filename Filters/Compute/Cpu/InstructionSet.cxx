// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Cpu/InstructionSet.h"

#include <cstdlib>
#include <string>

namespace vmc
{

bool mayUseAvx2()
{
#ifdef VMC_HAS_AVX2
  const char* const set = std::getenv("VMC_CPU_INSTRUCTIONS");
  return !(set && std::string(set) == "baseline") && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
         __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
#else
  return false;
#endif
}

}
