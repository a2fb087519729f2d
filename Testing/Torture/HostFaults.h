// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Lets allocations of host memory fail. A program with HostFaults.cxx has its own operator new.
#ifndef vmcHostFaults_h
#define vmcHostFaults_h

#include <cstddef>
#include <cstdint>

namespace vmc::torture
{

// Allocations are counted from 1 on, over all threads: those by code of this program, and those by the C++ library on
// threads of this program outside Vulkan. Allocations by drivers are left alone.
namespace HostFaults
{

// Call it before the others. isInVulkan: returns whether this thread is inside a call of Vulkan.
void initialize(bool (*isInVulkan)());

// Begins to count. As many as `count` allocations fail from this number on, but none of fewer bytes than `smallest`.
void begin(std::uint64_t number, std::uint64_t count, std::size_t smallest);
void end(); // none fails any more
std::uint64_t allocations();

// While an object exists, allocations of this thread are neither counted nor fail.
class Pause
{
public:
  Pause();
  ~Pause();
  Pause(const Pause&) = delete;
  Pause& operator=(const Pause&) = delete;
};

}

}

#endif
