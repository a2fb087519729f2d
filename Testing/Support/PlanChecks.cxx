// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "PlanChecks.h"

#include "Shared/Constants.h"

#include <algorithm>
#include <vector>

namespace vmc::test
{

namespace
{

// The index of the sample that this cell of the padded grid repeats, or the sample itself.
std::uint32_t sampleAt(std::int64_t layer, const PlanInput& input)
{
  return static_cast<std::uint32_t>(std::clamp<std::int64_t>(layer - input.padding.low[2], 0, input.size[2] - 1));
}

bool contains(const Window& outer, const Window& inner)
{
  return outer.offset <= inner.offset && inner.offset + inner.size <= outer.offset + outer.size;
}

// The window begins at an aligned offset, contains the samples that the slab's bricks touch, those of its halo layer if
// kernels read it, and one more on both sides, and stays inside the padded buffer.
std::string wrongInWindow(
  const ContourPlan& plan, const Slab& slab, const PlanInput& input, std::uint64_t bytes, std::uint32_t values)
{
  const Window window = plan.windowOf(slab, bytes, values);
  const std::uint64_t layerBytes = std::uint64_t(input.size[0]) * input.size[1] * bytes;
  const std::int64_t first = std::int64_t(BRICK_SIZE) * slab.firstLayer;
  const bool isLast = slab.firstLayer + slab.layers == plan.layers().end;
  const std::uint32_t haloLayers = input.residency.readsHalos || isLast ? slab.haloLayers : 0;
  const std::int64_t end = std::int64_t(BRICK_SIZE) * (slab.firstLayer + slab.layers + haloLayers);
  const std::uint32_t windowEnd = window.firstSampleLayer + window.sampleLayers;
  const std::uint64_t before = window.offsetInValues * (bytes / values);
  if (window.firstSampleLayer > sampleAt(first - 1, input) || windowEnd <= sampleAt(end + 1, input))
    return "A window lacks samples.";
  if (windowEnd > input.size[2] ||
      window.offset + window.size > paddedBytes(std::uint64_t(input.size[0]) * input.size[1] * input.size[2], bytes))
    return "A window exceeds the array.";
  if (window.offset % input.limits.bindingAlignment != 0 || before >= input.limits.bindingAlignment)
    return "A window is not aligned.";
  if (window.offset + before != window.firstSampleLayer * layerBytes ||
      window.size < before + window.sampleLayers * layerBytes)
    return "The offset or the size of a window is wrong.";
  return {};
}

std::string wrongInSlab(const ContourPlan& plan, const Slab& slab, const PlanInput& input)
{
  const Window window = plan.windowOf(slab, input.sampleBytes(), input.valuesPerSample);
  if (window.size > input.limits.maxBindingBytes ||
      (slab.layers > 1 && std::uint64_t(plan.bricksOf(slab)) * ROW_WORDS * 4 > input.limits.maxBindingBytes))
    return "A slab exceeds a binding.";
  if (plan.bricksOf(slab) > std::uint64_t(input.limits.maxGroups) * SCAN_BLOCK_SIZE ||
      std::uint64_t(input.size[0]) * input.size[1] * window.sampleLayers >= 1ull << 32)
    return "A slab exceeds what kernels count.";
  if (slab.layers > input.residency.largestSlab)
    return "A slab exceeds the largest one.";
  for (const std::uint64_t bytes : { std::uint64_t(1), input.sampleBytes() })
    if (const std::string wrong = wrongInWindow(plan, slab, input, bytes, bytes == 1 ? 1 : input.valuesPerSample);
        !wrong.empty())
      return wrong;
  return {};
}

std::string wrongInSegments(const ContourPlan& plan, const PlanInput& input, std::uint64_t bytes)
{
  const std::vector<Window> segments = plan.segments(bytes);
  for (const Window& segment : segments)
    if (segment.size > input.limits.maxBufferBytes)
      return "A segment exceeds a buffer.";
  auto segment = segments.begin(); // both are in ascending order
  for (const Slab& slab : plan.slabs())
  {
    const Window window = plan.windowOf(slab, bytes);
    segment = std::find_if(segment, segments.end(), [&](const Window& outer) { return contains(outer, window); });
    if (segment == segments.end())
      return "The window of a slab is in no segment.";
  }
  return {};
}

}

std::string wrongInPlan(const ContourPlan& plan, const PlanInput& input)
{
  std::uint32_t layer = plan.layers().first;
  for (const Slab& slab : plan.slabs())
  {
    if (slab.firstLayer != layer || slab.layers == 0)
      return "The slabs do not tile the layers.";
    layer += slab.layers;
    if (slab.haloLayers != (layer < plan.bricks()[2] ? 1u : 0u))
      return "A slab lacks its halo layer.";
    if (const std::string wrong = wrongInSlab(plan, slab, input); !wrong.empty())
      return wrong;
  }
  if (layer != plan.layers().end)
    return "The slabs do not tile the layers.";
  for (const std::uint64_t bytes : { std::uint64_t(1), input.valueBytes, input.sampleBytes() })
    if (const std::string wrong = wrongInSegments(plan, input, bytes); !wrong.empty())
      return wrong;
  return {};
}

}
