// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Cpu/EmitPoints.h"
#include "Compute/Volume/WithType.h"

namespace vmc::cpu
{

namespace
{

// Returns the value at a fraction of the way between two elements. If the fraction is 0, the second one may lie beyond
// the values.
template <class Value>
float interpolated(const Value* values, std::size_t start, std::size_t end, double fraction)
{
  const auto atStart = static_cast<double>(readSample(values + start));
  return static_cast<float>(
    fraction == 0 ? atStart : atStart * (1 - fraction) + static_cast<double>(readSample(values + end)) * fraction);
}

}

void emitAttributes(
  const std::vector<Attribute>& attributes, const MeshArrays& mesh, std::size_t point, const Batch& batch)
{
  for (std::size_t number = 0; number < attributes.size(); ++number)
    withType(attributes[number].type,
      [&](auto zero)
      {
        const auto* const values = static_cast<const decltype(zero)*>(attributes[number].values);
        const std::size_t components = attributes[number].components;
        float* to = mesh.attributes[number] + point * components;
        for (std::size_t i = 0; i < batch.count; ++i)
          for (std::size_t c = 0; c < components; ++c)
            *to++ = interpolated(
              values, batch.sample[i] * components + c, batch.sampleAtEnd[i] * components + c, batch.fraction[i]);
      });
}

}
