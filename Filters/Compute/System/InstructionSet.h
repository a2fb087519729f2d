// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Compiles functions for several instruction sets. Fused products are not used, so that all sets give the same bytes.
#ifndef vmcInstructionSet_h
#define vmcInstructionSet_h

#include <cstdlib>
#include <string>

// For Windows, GCC does not align the stack for vectors of 32 bytes (bug 54412).
#if defined(__GNUC__) && defined(__x86_64__) && !defined(_WIN32)
// A function with all functions that it calls, compiled for AVX2.
#define VMC_AVX2 __attribute__((target("avx2,bmi,bmi2,popcnt"), flatten))
#define VMC_HAS_AVX2 1
#endif
// A function that is always inlined, and so compiled for the instruction set of its callers.
#define VMC_INLINE [[gnu::always_inline]] inline

namespace vmc
{

// Returns whether functions that are VMC_AVX2 may be called. The environment variable VMC_CPU_INSTRUCTIONS=baseline
// forbids it.
inline bool mayUseAvx2()
{
#ifdef VMC_HAS_AVX2
  const char* const set = std::getenv("VMC_CPU_INSTRUCTIONS");
  return !(set && std::string(set) == "baseline") && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
         __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
#else
  return false;
#endif
}

#ifdef VMC_HAS_AVX2
template <auto Function>
struct Avx2;

// The function, which must be VMC_INLINE, compiled for AVX2.
template <class Result, class... Arguments, Result (*Function)(Arguments...)>
struct Avx2<Function>
{
  VMC_AVX2 static Result call(Arguments... arguments) { return Function(arguments...); }
};
#endif

// The function, which must be VMC_INLINE, compiled for the best instruction set that this processor may use.
template <auto Function>
decltype(Function) fastest()
{
#ifdef VMC_HAS_AVX2
  if (mayUseAvx2())
    return &Avx2<Function>::call;
#endif
  return Function;
}

}

#endif
