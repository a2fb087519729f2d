// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "FaultCases.h"

#include <vulkan/vulkan.hpp>

#include <algorithm>
#include <random>
#include <sstream>
#include <utility>

namespace vmc::torture
{

namespace
{

constexpr std::uint64_t All = 1000000;           // more calls than a scenario makes
constexpr std::uint64_t SystematicRounds = 3;    // in which half of the failures are those of the first calls
constexpr std::uint64_t AllocationsPerRound = 8; // per scenario and engine
constexpr const char* Allocation = "allocation";

// The results with which a call may fail (Vulkan specification, "Return Codes" of each function).
std::vector<VkResult> resultsOf(VulkanCall call)
{
  std::vector<VkResult> results = { VK_ERROR_OUT_OF_HOST_MEMORY, VK_ERROR_OUT_OF_DEVICE_MEMORY };
  switch (call)
  {
    case VulkanCall::QueueSubmit:
    case VulkanCall::WaitForFences:
    case VulkanCall::DeviceWaitIdle:
    case VulkanCall::GetFenceStatus:
    case VulkanCall::GetQueryPoolResults:
      results.push_back(VK_ERROR_DEVICE_LOST);
      break;
    case VulkanCall::CreateDevice:
      results.insert(
        results.end(), { VK_ERROR_DEVICE_LOST, VK_ERROR_INITIALIZATION_FAILED, VK_ERROR_TOO_MANY_OBJECTS });
      break;
    case VulkanCall::EnumeratePhysicalDevices:
      results.push_back(VK_ERROR_INITIALIZATION_FAILED);
      break;
    case VulkanCall::AllocateMemory:
      results.insert(results.end(), { VK_ERROR_TOO_MANY_OBJECTS, VK_ERROR_INVALID_EXTERNAL_HANDLE });
      break;
    case VulkanCall::GetMemoryHostPointerPropertiesEXT:
      results = { VK_ERROR_OUT_OF_HOST_MEMORY, VK_ERROR_INVALID_EXTERNAL_HANDLE };
      break;
    case VulkanCall::GetMemoryFdKHR:
      results = { VK_ERROR_OUT_OF_HOST_MEMORY, VK_ERROR_TOO_MANY_OBJECTS };
      break;
    case VulkanCall::MapMemory:
      results.push_back(VK_ERROR_MEMORY_MAP_FAILED);
      break;
    case VulkanCall::AllocateDescriptorSets:
      results.insert(results.end(), { VK_ERROR_OUT_OF_POOL_MEMORY, VK_ERROR_FRAGMENTED_POOL });
      break;
    case VulkanCall::CreateDescriptorPool:
      results.push_back(VK_ERROR_FRAGMENTATION);
      break;
    case VulkanCall::CreateFence:
    case VulkanCall::CreatePipelineLayout:
    case VulkanCall::CreatePipelineCache:
      results = { VK_ERROR_OUT_OF_HOST_MEMORY };
      break;
    case VulkanCall::ResetDescriptorPool:
      results.clear(); // succeeds always
      break;
    default:
      break;
  }
  return results;
}

// The failures of one round: of each call of the run, with each result, one number.
class Round
{
public:
  Round(std::uint64_t seed, std::uint64_t number)
    : Number(number)
    , Random(seed * 1000003 + number)
  {
  }

  std::vector<FaultCase> of(const std::vector<CleanRun>& runs)
  {
    for (const CleanRun& run : runs)
    {
      for (std::uint32_t device = 0; device < MostFaultDevices; ++device)
        for (std::size_t call = 0; call < FaultyCallCount; ++call)
          this->addCalls(run, device, static_cast<VulkanCall>(call));
      this->addAllocations(run);
    }
    std::shuffle(this->Cases.begin(), this->Cases.end(), this->Random);
    return std::move(this->Cases);
  }

private:
  std::uint64_t upTo(std::uint64_t most) { return 1 + this->Random() % most; }

  void addCalls(const CleanRun& run, std::uint32_t device, VulkanCall call)
  {
    const std::uint64_t calls = run.calls[device][static_cast<std::size_t>(call)];
    if (calls == 0)
      return;
    for (const VkResult result : resultsOf(call))
    {
      const std::uint64_t next = this->Number + 1;
      const bool isSystematic = this->Number < SystematicRounds && next <= calls && this->upTo(2) == 1;
      FaultCase failure = run.base;
      failure.fault = { call, device, isSystematic ? next : this->upTo(calls), this->upTo(3) == 1 ? All : 1, result };
      this->Cases.push_back(failure);
    }
  }

  void addAllocations(const CleanRun& run)
  {
    for (std::uint64_t i = 0; i < AllocationsPerRound && run.allocations != 0; ++i)
    {
      const std::uint64_t next = this->Number * AllocationsPerRound / 2 + i / 2 + 1;
      FaultCase failure = run.base;
      failure.isOnHost = true;
      failure.fault.number = i % 2 == 0 && next <= run.allocations ? next : this->upTo(run.allocations);
      failure.fault.count = this->upTo(3) == 1 ? All : this->upTo(2);
      this->Cases.push_back(failure);
    }
  }

  const std::uint64_t Number;
  std::mt19937_64 Random;
  std::vector<FaultCase> Cases;
};

}

std::string FaultCase::text() const
{
  std::ostringstream text;
  text << this->scenario->name << "/" << nameOf(this->setup) << "/" << (this->isCold ? "cold" : "warm") << "/"
       << (this->isOnHost                         ? Allocation
            : this->fault.call == VulkanCall::End ? "none"
                                                  : nameOf(this->fault.call))
       << "/" << this->fault.device << "/" << this->fault.number << "/" << this->fault.count << "/"
       << int(this->fault.result);
  return text.str();
}

std::string FaultCase::className() const
{
  if (this->isOnHost)
    return std::string("host allocation, ") + (this->setup == Setup::Cpu ? "CPU" : "device");
  if (this->fault.call == VulkanCall::End)
    return "no failure";
  return std::string(nameOf(this->fault.call)) + ": " + vk::to_string(vk::Result(this->fault.result));
}

std::optional<FaultCase> FaultCase::parse(const std::string& text)
{
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, '/');)
    parts.push_back(part);
  if (parts.size() != 8)
    return std::nullopt;
  FaultCase parsed;
  for (const Scenario& scenario : scenarios())
    if (scenario.name == parts[0])
      parsed.scenario = &scenario;
  for (const Setup setup : AllSetups)
    if (nameOf(setup) == parts[1])
      parsed.setup = setup;
  parsed.isCold = parts[2] == "cold";
  parsed.isOnHost = parts[3] == Allocation;
  for (std::size_t call = 0; call < FaultyCallCount; ++call)
    if (parts[3] == nameOf(VulkanCall(call)))
      parsed.fault.call = VulkanCall(call);
  parsed.fault.device = std::uint32_t(std::strtoul(parts[4].c_str(), nullptr, 10)) % MostFaultDevices;
  parsed.fault.number = std::strtoull(parts[5].c_str(), nullptr, 10);
  parsed.fault.count = std::strtoull(parts[6].c_str(), nullptr, 10);
  parsed.fault.result = VkResult(std::strtol(parts[7].c_str(), nullptr, 10));
  return parsed.scenario ? std::optional<FaultCase>(parsed) : std::nullopt;
}

std::vector<FaultCase> cleanCases(bool hasDevice)
{
  std::vector<FaultCase> cases;
  const auto add = [&](const Scenario& scenario, Setup setup, bool isCold = false)
  {
    FaultCase one;
    one.scenario = &scenario;
    one.setup = setup;
    one.isCold = isCold;
    if (hasDevice || setup == Setup::Cpu)
      cases.push_back(one);
  };
  for (const Scenario& scenario : scenarios())
  {
    if (scenario.isShared)
    {
      add(scenario, Setup::TwoDevices);
      add(scenario, Setup::TwoDevices, /*isCold*/ true);
      continue;
    }
    for (const Setup setup : AllSetups)
      if (setup != Setup::TwoDevices)
        add(scenario, setup);
    if (scenario.name == "image" || scenario.name == "histogram")
      add(scenario, Setup::Unified, /*isCold*/ true);
  }
  return cases;
}

std::vector<FaultCase> faultCases(
  const std::vector<CleanRun>& runs, std::uint64_t seed, std::uint64_t first, std::uint64_t count)
{
  std::vector<FaultCase> cases;
  for (std::uint64_t round = 0; cases.size() < first + count; ++round)
  {
    const std::vector<FaultCase> more = Round(seed, round).of(runs);
    cases.insert(cases.end(), more.begin(), more.end());
  }
  std::vector<FaultCase> chosen(cases.begin() + std::ptrdiff_t(first), cases.begin() + std::ptrdiff_t(first + count));
  const auto comesBefore = [](const FaultCase& a, const FaultCase& b)
  { return std::make_pair(a.isCold, a.setup) < std::make_pair(b.isCold, b.setup); };
  std::stable_sort(chosen.begin(), chosen.end(), comesBefore);
  return chosen;
}

bool fits(Error::Kind kind, const FaultCase& failure)
{
  using Kind = Error::Kind;
  const bool isMemory = kind == Kind::OutOfMemory || kind == Kind::OutOfHostMemory;
  if (kind == Kind::NoDevice)
    return failure.isCold;
  if (failure.isOnHost)
    return isMemory;
  switch (failure.fault.result)
  {
    case VK_ERROR_DEVICE_LOST:
      return kind == Kind::DeviceLost;
    case VK_ERROR_OUT_OF_HOST_MEMORY:
    case VK_ERROR_OUT_OF_DEVICE_MEMORY:
    case VK_ERROR_OUT_OF_POOL_MEMORY:
    case VK_ERROR_FRAGMENTED_POOL:
    case VK_ERROR_FRAGMENTATION:
      return isMemory;
    default:
      return isMemory || kind == Kind::Internal;
  }
}

}
