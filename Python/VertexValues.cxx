// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "VertexValues.h"

#include "Compute/System/InstructionSet.h"
#include "Compute/System/Parallel.h"
#include "Compute/Volume/WithType.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstring>

namespace vmc::python
{

namespace
{

// Maps positions along one of their axes to numbers of samples.
struct SampleAxis
{
  double first = 0, perUnit = 0; // the position of sample 0, and samples per unit
  double last = 0;               // sample
  double stride = 0;             // between samples along the axis, in samples of the volume
};

struct Vertices
{
  std::array<SampleAxis, 3> axes;
  const std::byte* samples;
  const float* positions; // [vertex][axis]
  float* values;          // [vertex]
};

std::array<SampleAxis, 3> sampleAxesOf(const Volume& volume)
{
  std::array<SampleAxis, 3> axes;
  double stride = 1;
  for (std::size_t i = 0; i < 3; ++i)
  {
    for (std::size_t axis = 0; axis < 3; ++axis)
      if (const double step = volume.geometry.step(i)[axis]; step != 0)
        axes[axis] = { volume.geometry.positionOfZero()[axis], 1 / step, volume.size[i] - 1.0, stride };
    stride *= volume.size[i];
  }
  return axes;
}

template <class Sample>
VMC_INLINE Sample sampleAt(const std::byte* samples, double index)
{
  Sample sample;
  std::memcpy(&sample, samples + static_cast<std::size_t>(index) * sizeof(Sample), sizeof(sample)); // of any alignment
  return sample;
}

// The number of vertices whose indices are found at once, by vector instructions.
constexpr std::size_t BatchSize = 64;
using Batch = std::array<double, BatchSize>;

// The samples on both sides of a position along an axis. Positions are rounded to float, by at most 2^-24 of their
// size.
struct Sides
{
  double low, high;
};

VMC_INLINE Sides sidesOf(const SampleAxis& axis, double position)
{
  const double at = (position - axis.first) * axis.perUnit;
  const double near = std::max(1e-4, std::abs(position * axis.perUnit) * 0x1p-23);
  const double low = std::floor(at + near), high = std::ceil(at - near);
  // NaN, which is not above 0, becomes 0.
  return { low > 0 ? std::min(low, axis.last) : 0, high > 0 ? std::min(high, axis.last) : 0 };
}

// Finds the indices of the samples on both sides of positions. Axes are copied, so that no store can change them.
VMC_INLINE void findIndices(
  std::array<SampleAxis, 3> axes, const std::array<Batch, 3>& positions, Batch& low, Batch& high)
{
  for (std::size_t i = 0; i < BatchSize; ++i)
  {
    const Sides x = sidesOf(axes[0], positions[0][i]), y = sidesOf(axes[1], positions[1][i]),
                z = sidesOf(axes[2], positions[2][i]);
    low[i] = x.low * axes[0].stride + y.low * axes[1].stride + z.low * axes[2].stride;
    high[i] = x.high * axes[0].stride + y.high * axes[1].stride + z.high * axes[2].stride;
  }
}

template <class Sample>
VMC_INLINE void findValues(const Vertices& vertices, std::size_t begin, std::size_t end)
{
  std::array<Batch, 3> positions{};
  Batch low, high;
  for (; begin < end; begin += BatchSize)
  {
    const std::size_t count = std::min(BatchSize, end - begin);
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t a = 0; a < 3; ++a)
        positions[a][i] = vertices.positions[3 * (begin + i) + a];
    findIndices(vertices.axes, positions, low, high);
    for (std::size_t i = 0; i < count; ++i)
      vertices.values[begin + i] = static_cast<float>(
        std::max(sampleAt<Sample>(vertices.samples, low[i]), sampleAt<Sample>(vertices.samples, high[i])));
  }
}

}

HostBlock valuesOfVertices(const Mesh& mesh, const Volume& volume, HostMemoryPool& memory, unsigned threads)
{
  HostBlock values = memory.acquire(mesh.pointCount * sizeof(float));
  const Vertices vertices{ sampleAxesOf(volume), static_cast<const std::byte*>(volume.samples),
    reinterpret_cast<const float*>(mesh.positions.data()), reinterpret_cast<float*>(values.data()) };
  const auto find = withType(volume.type, [](auto zero) { return fastest<&findValues<decltype(zero)>>(); });
  constexpr std::size_t AtOnce = 4096; // some microseconds
  inParts(mesh.pointCount, AtOnce, threads, [&](std::size_t begin, std::size_t end) { find(vertices, begin, end); });
  return values;
}

}
