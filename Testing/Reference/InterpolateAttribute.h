// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Reference implementation of the kernel InterpolateAttribute.
#ifndef vmcReferenceInterpolateAttribute_h
#define vmcReferenceInterpolateAttribute_h

#include "Reference/PackedValues.h"
#include "Shared/Structs.h"

#include <array>
#include <vector>

namespace vmc::reference
{

using Crossing = std::array<std::uint32_t, 2>; // an element of BINDING_CROSSING

inline std::uint32_t axisOf(const Crossing& crossing)
{
  return crossing[1] >> 30;
}

inline float fractionOf(const Crossing& crossing)
{
  const std::uint32_t bits = crossing[1] & 0x3FFFFFFFu;
  float fraction = 0;
  std::memcpy(&fraction, &bits, sizeof(fraction));
  return fraction;
}

// Writes interpolated[point][component] in double.
inline void interpolateAttribute(const ValueConstants& push, const std::vector<Crossing>& crossing,
  const PackedValues& attribute, std::vector<double>& interpolated)
{
  const std::array<std::uint64_t, 3> stride = { 1, push.strideY, push.strideZ };
  for (std::uint32_t point = 0; point < push.count; ++point)
    for (std::uint32_t component = 0; component < push.components; ++component)
    {
      const auto valueAt = [&](std::uint64_t sample)
      { return attribute.value(push.windowOffset + sample * push.components + component); };
      const Crossing& edge = crossing[push.start + point];
      const double low = valueAt(edge[0]);
      const double high = valueAt(edge[0] + stride[axisOf(edge)]);
      interpolated[std::size_t(push.start + point) * push.components + component] =
        low + fractionOf(edge) * (high - low);
    }
}

}

#endif
