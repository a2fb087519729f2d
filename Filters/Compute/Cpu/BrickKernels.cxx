// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Cpu/BrickKernels.h"

#include "Compute/Cpu/CountBrick.h"
#include "Compute/Cpu/EmitPoints.h"
#include "Compute/Cpu/EmitTriangles.h"
#include "Compute/Cpu/OpenEnds.h"
#include "Compute/System/InstructionSet.h"
#include "Compute/Volume/WithType.h"

namespace vmc
{

namespace
{

// Starts to load the samples of a brick. Hardware does not prefetch its rows, which lie far apart.
template <class Sample>
VMC_INLINE void prefetch(const BrickPass& pass, std::size_t slot)
{
  const std::array<std::uint32_t, 3> corner = pass.grid.cornerOf(pass.active.brick[slot]);
  if (!cpu::isWithinImage(pass.grid, corner, 0, 1))
    return;
  const cpu::BrickSamples<Sample> samples = cpu::samplesInImage<Sample>(pass, corner);
  for (int z = 0; z < BRICK_SAMPLES; ++z)
    for (int y = 0; y < BRICK_SAMPLES; ++y)
    {
      const Sample* const row = samples.first + y * samples.stride[1] + z * samples.stride[2];
      __builtin_prefetch(row);
      __builtin_prefetch(row + BRICK_SIZE); // may be in the next cache line
    }
}

template <class Sample>
VMC_INLINE void countSlots(const SurfacePass& surface, std::size_t begin, std::size_t end)
{
  const auto& pass = static_cast<const BrickPass&>(surface);
  for (; begin < end; ++begin)
  {
    if (begin + 1 < end)
      prefetch<Sample>(pass, begin + 1);
    cpu::countBrick<Sample>(pass, begin);
  }
}

template <class Sample>
VMC_INLINE void emitPointsOfSlots(const SurfacePass& surface, std::size_t begin, std::size_t end)
{
  const auto& pass = static_cast<const BrickPass&>(surface);
  cpu::PointScratch<Sample> scratch;
  for (; begin < end; ++begin)
  {
    if (begin + 1 < end)
      prefetch<Sample>(pass, begin + 1);
    cpu::emitPoints<Sample>(pass, begin, scratch);
  }
}

VMC_INLINE void emitTrianglesOfSlots(const SurfacePass& surface, std::size_t begin, std::size_t end)
{
  const auto& pass = static_cast<const BrickPass&>(surface);
  cpu::RowsAround scratch{}; // ids of earlier bricks remain, which only unused triangles read
  for (; begin < end; ++begin)
    cpu::emitTriangles(pass, begin, scratch);
}

template <class Sample>
void listOpenEndsOfSlots(const BrickPass& pass, std::size_t begin, std::size_t end, std::vector<std::uint32_t>& ends)
{
  for (; begin < end; ++begin)
    cpu::listOpenEnds<Sample>(pass, begin, ends);
}

}

BrickKernels brickKernelsFor(SampleType type)
{
  return withType(type,
    [](auto zero)
    {
      using Sample = decltype(zero);
      return BrickKernels{ fastest<&countSlots<Sample>>(), fastest<&emitPointsOfSlots<Sample>>(),
        fastest<&emitTrianglesOfSlots>(), &listOpenEndsOfSlots<Sample> };
    });
}

}
