// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Reference implementation of the kernel InterpolateAttribute.
#ifndef vmcReferenceInterpolateAttribute_h
#define vmcReferenceInterpolateAttribute_h

#include "Reference/PackedValues.h"
#include "Shared/Structs.h"

#include <vector>

namespace vmc::reference
{

// Writes interpolated[point][component] in double.
inline void interpolateAttribute(const ValueConstants& push, const std::vector<EdgeCrossing>& crossing,
  const PackedValues& attribute, std::vector<double>& interpolated)
{
  for (std::uint32_t point = 0; point < push.count; ++point)
    for (std::uint32_t component = 0; component < push.components; ++component)
    {
      const auto valueAt = [&](std::uint64_t sample)
      { return attribute.value(push.windowOffset + sample * push.components + component); };
      const EdgeCrossing& edge = crossing[push.start + point];
      const double low = valueAt(edge.start);
      const double high = valueAt(edge.end);
      interpolated[std::size_t(push.start + point) * push.components + component] = low + edge.fraction * (high - low);
    }
}

}

#endif
