// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The properties that every plan has, for its tests and its fuzz target.
#ifndef vmcPlanChecks_h
#define vmcPlanChecks_h

#include "Compute/Volume/ContourPlan.h"

#include <array>
#include <cstdint>
#include <string>

namespace vmc::test
{

// The arguments of a plan.
struct PlanInput
{
  std::array<std::uint32_t, 3> size{};
  std::uint64_t valueBytes = 1; // of the widest array
  std::uint32_t valuesPerSample = 1;
  DeviceLimits limits{};
  Padding padding{};
  Residency residency{};

  std::uint64_t sampleBytes() const { return this->valueBytes * this->valuesPerSample; }
  ContourPlan plan() const
  {
    return ContourPlan(this->size, this->sampleBytes(), this->limits, this->padding, this->residency);
  }
};

// Returns what is wrong with the plan, as a sentence; empty if nothing is: the slabs tile the layers, fit the limits of
// the device, and their windows contain all samples that kernels read, inside the padded array and inside one segment.
std::string wrongInPlan(const ContourPlan& plan, const PlanInput& input);

}

#endif
