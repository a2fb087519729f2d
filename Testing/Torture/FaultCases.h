// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The failures that are tried, one by one.
#ifndef vmcFaultCases_h
#define vmcFaultCases_h

#include "Compute/System/Error.h"
#include "FaultLayer/FaultLayer.h"
#include "Scenarios.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace vmc::torture
{

// A scenario on an engine, of which calls of Vulkan or allocations of host memory fail.
struct FaultCase
{
  const Scenario* scenario = nullptr;
  Setup setup = Setup::Cpu;
  bool isCold = false;   // the engine is opened and its kernels are made while calls fail
  bool isOnHost = false; // allocations of host memory fail, of which `fault` holds the numbers
  VulkanFault fault;

  std::string text() const;      // as parse() reads it
  std::string className() const; // of the table
  static std::optional<FaultCase> parse(const std::string& text);
};

// The calls of Vulkan by one scenario on one engine, and its allocations, without a failure.
struct CleanRun
{
  FaultCase base; // without a fault
  FaultLayer::Counts calls{};
  std::uint64_t allocations = 0;
};

// Returns the scenarios with their engines: without a device, those of the CPU.
std::vector<FaultCase> cleanCases(bool hasDevice);

// Returns `count` failures from number `first` on of the sequence that the seed determines. Half of its first ones are
// the first calls of each kind. The failures of one engine follow each other.
std::vector<FaultCase> faultCases(
  const std::vector<CleanRun>& runs, std::uint64_t seed, std::uint64_t first, std::uint64_t count);

// Returns whether an error of this kind is a clear answer to the failure.
bool fits(Error::Kind kind, const FaultCase& failure);

}

#endif
