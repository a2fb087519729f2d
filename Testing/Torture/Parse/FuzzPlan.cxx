// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Plans for sizes, limits and shares of any kind: they are right, or the error is clear.
#include "Compute/System/Error.h"
#include "FuzzedBytes.h"
#include "Support/PlanChecks.h"

using namespace vmc;
using namespace vmc::torture;

namespace
{

constexpr std::uint32_t MostLayers = 4096; // of samples along z; the time is in proportion to their number

// A number of up to 64 bits. Most inputs have a small one.
std::uint64_t limitFrom(FuzzedBytes& bytes)
{
  const std::uint64_t digits = bytes.number<std::uint16_t>() + 1ull;
  return digits << bytes.upTo(47);
}

test::PlanInput inputFrom(FuzzedBytes& bytes)
{
  test::PlanInput input;
  input.size = { bytes.number<std::uint16_t>() + 1u, bytes.number<std::uint16_t>() + 1u,
    bytes.number<std::uint16_t>() % MostLayers + 1 };
  input.valueBytes = std::uint64_t(1) << bytes.upTo(3);
  input.valuesPerSample = bytes.upTo(8) + 1;
  for (int axis = 0; axis < 3; ++axis)
  {
    input.padding.low[axis] = bytes.upTo(2);
    input.padding.high[axis] = bytes.upTo(2);
  }
  input.limits.bindingAlignment = std::uint64_t(4) << bytes.upTo(8);
  input.limits.maxBufferBytes = limitFrom(bytes);
  input.limits.maxBindingBytes = std::min(limitFrom(bytes), input.limits.maxBufferBytes); // as a Device has it
  input.limits.maxGroups = bytes.number<std::uint32_t>();
  input.residency.bytesPerSample = input.sampleBytes() + bytes.upTo(32);
  if (const std::uint32_t kind = bytes.upTo(2); kind != 0)
    input.residency.limitInBytes = limitFrom(bytes);
  input.residency.largestSlab = bytes.number<std::uint32_t>();
  if (bytes.upTo(1) != 0)
    input.residency.layers = { bytes.number<std::uint16_t>(), bytes.number<std::uint16_t>() };
  input.residency.readsHalos = bytes.upTo(1) == 0;
  return input;
}

}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* input, std::size_t count)
{
  FuzzedBytes bytes(input, count);
  const test::PlanInput made = inputFrom(bytes);
  try
  {
    requireNothingWrong(test::wrongInPlan(made.plan(), made));
  }
  catch (const Error& error)
  {
    require(error.kind() == Error::Kind::Unsupported || error.kind() == Error::Kind::OutOfMemory, error.what());
    require(*error.what() != '\0', "An error has no text.");
  }
  return 0;
}
