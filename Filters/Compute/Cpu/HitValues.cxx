// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Cpu/HitValues.h"

#include "Compute/Cpu/RayWalk.h"
#include "Compute/Cpu/Samples.h"
#include "Compute/Rays/RayTables.h"
#include "Compute/System/Parallel.h"
#include "Compute/Volume/WithType.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>

namespace vmc
{

namespace
{

using namespace cpu;

// The eight samples around a place, and their weights. Beyond the samples, the nearest place among them counts.
struct Surroundings
{
  std::array<std::size_t, 8> sample{};
  std::array<double, 8> weight{};

  Surroundings(const Volume& volume, const Vector& at)
  {
    this->weight.fill(1);
    std::size_t stride = 1;
    for (std::size_t a = 0; a < 3; ++a)
    {
      const double last = volume.size[a] - 1, place = std::clamp(at[a], 0.0, last);
      const auto low = static_cast<std::size_t>(std::min(place, std::max(last - 1, 0.0)));
      const double share = place - double(low);
      for (std::size_t c = 0; c < 8; ++c)
      {
        const bool isUpper = (c >> a & 1u) != 0;
        this->sample[c] += stride * (low + (isUpper && last > 0 ? 1 : 0));
        this->weight[c] *= isUpper ? share : 1 - share;
      }
      stride *= volume.size[a];
    }
  }
};

template <class Value>
void interpolate(const Attribute& attribute, const Surroundings& around, float* result)
{
  const auto* const values = static_cast<const Value*>(attribute.values);
  for (std::uint32_t component = 0; component < attribute.components; ++component)
  {
    double sum = 0;
    for (std::size_t c = 0; c < 8; ++c)
      if (around.weight[c] != 0) // else the value may be NaN
        sum += around.weight[c] * double(readSample(values + around.sample[c] * attribute.components + component));
    result[component] = static_cast<float>(sum);
  }
}

}

HostBlock valuesAtHits(const RayPicture& picture, const RayCamera& camera, const Volume& volume,
  const Attribute& attribute, HostMemoryPool& memory, unsigned threads)
{
  constexpr std::size_t PixelsAtOnce = 4096;
  HostBlock block = memory.acquire(picture.size() * attribute.components * sizeof(float));
  const std::optional<RayTable> table = rayTableOf(camera, volume); // none: there is no hit
  withType(attribute.type,
    [&](auto zero)
    {
      inParts(picture.size(), PixelsAtOnce, usableThreads(threads),
        [&](std::size_t begin, std::size_t end)
        {
          float* result = reinterpret_cast<float*>(block.data()) + begin * attribute.components;
          for (; begin < end; ++begin, result += attribute.components)
          {
            const RayHit& hit = picture[begin];
            if (hit.isovalue == RAY_NO_HIT || !table)
            {
              std::fill_n(result, attribute.components, 0.F);
              continue;
            }
            const Ray ray(*table, static_cast<std::uint32_t>(begin % camera.width),
              static_cast<std::uint32_t>(begin / camera.width));
            Vector at{};
            for (std::size_t a = 0; a < 3; ++a)
              at[a] = ray.start[a] + hit.t * ray.along[a];
            interpolate<decltype(zero)>(attribute, Surroundings(volume, at), result);
          }
        });
    });
  return block;
}

}
