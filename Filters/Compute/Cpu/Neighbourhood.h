// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The samples around a brick, for bricks at the border of the image and for volumes with blank samples.
#ifndef vmcNeighbourhood_h
#define vmcNeighbourhood_h

#include "Compute/Cpu/BrickKernels.h"
#include "Compute/Cpu/Samples.h"

#include <algorithm>
#include <type_traits>

namespace vmc::cpu
{

// The first sample of a brick, and the distances to the next ones along each axis, in samples.
template <class Sample>
struct BrickSamples
{
  const Sample* first;
  std::array<std::ptrdiff_t, 3> stride;
};

// Distances from an image sample to the next ones along each axis, in samples.
VMC_INLINE std::array<std::ptrdiff_t, 3> imageStrides(const Volume& volume)
{
  const std::ptrdiff_t row = volume.size[0];
  return { 1, row, row * std::ptrdiff_t(volume.size[1]) };
}

// Returns whether the image has samples of its own at the positions [corner - before, corner + BRICK_SIZE + beyond) of
// each axis. The cells of a brick need beyond = 1; central differences at the ends of its edges need before = 1, beyond
// = 2.
VMC_INLINE bool isWithinImage(
  const Grid& grid, const std::array<std::uint32_t, 3>& corner, std::int64_t before, std::int64_t beyond)
{
  for (std::size_t a = 0; a < 3; ++a)
    if (!grid.axis[a].isWithinImage(corner[a] - before, corner[a] + std::int64_t(BRICK_SIZE) + beyond))
      return false;
  return true;
}

// The samples in the image, if isWithinImage.
template <class Sample>
VMC_INLINE BrickSamples<Sample> samplesInImage(const BrickPass& pass, const std::array<std::uint32_t, 3>& corner)
{
  return { static_cast<const Sample*>(pass.volume.samples) + pass.grid.sampleAt(corner[0], corner[1], corner[2]),
    imageStrides(pass.volume) };
}

// The samples beside a brick that its slopes and cells touch, with those of the brick: from one before to two beyond
// it.
constexpr int SlopeSamples = BRICK_SIZE + 3;

// Returns whether one of the flags of SlopeSamples samples along x is set, or one of these samples is NaN. index: of
// the first.
template <class Sample>
VMC_INLINE bool rowHasFlagsOrNan(const BrickPass& pass, std::size_t index)
{
  unsigned found = 0;
  for (std::size_t x = 0; pass.volume.ghosts && x < SlopeSamples; ++x)
    found |= pass.volume.ghosts[index + x];
  if constexpr (std::is_floating_point_v<Sample>)
    for (std::size_t x = 0; pass.hasNan && x < SlopeSamples; ++x)
    {
      const Sample sample = readSample(static_cast<const Sample*>(pass.volume.samples) + index + x);
      found |= sample != sample ? 1u : 0u;
    }
  return found != 0;
}

// The same for all SlopeSamples along each axis, which must be in the image.
template <class Sample>
VMC_INLINE bool hasFlagsOrNan(const BrickPass& pass, const std::array<std::uint32_t, 3>& corner)
{
  const std::array<std::ptrdiff_t, 3> stride = imageStrides(pass.volume);
  const std::size_t first = pass.grid.sampleAt(corner[0] - 1, corner[1] - 1, corner[2] - 1);
  for (int z = 0; z < SlopeSamples; ++z)
    for (int y = 0; y < SlopeSamples; ++y)
      if (rowHasFlagsOrNan<Sample>(pass, first + static_cast<std::size_t>(y * stride[1] + z * stride[2])))
        return true;
  return false;
}

// A copy of the samples and their flags, from one before the brick's corner to one beyond the brick along each axis.
// Positions beyond the grid repeat its outermost samples and, if the pass has blanking, are blank.
template <class Sample>
struct Neighbourhood
{
  static constexpr int Size = BRICK_SIZE + 2;
  static constexpr int First = 1 + Size + Size * Size; // index of the brick's first sample

  std::array<Sample, Size * Size * Size> sample;
  std::array<std::uint8_t, Size * Size * Size> flags; // GHOST_...; only if the pass has blanking

  BrickSamples<Sample> samples() const { return { this->sample.data() + First, { 1, Size, Size * Size } }; }

  // One bit per sample of row Size * (z + 1) + (y + 1): whether one of these flags is set. Bit 0 is that of x = -1.
  VMC_INLINE std::uint32_t flagsInRow(std::uint32_t which, int row) const
  {
    std::uint32_t bits = 0;
    for (int x = 0; x < Size; ++x)
      bits |= ((this->flags[row * Size + x] & which) != 0 ? 1u : 0u) << x;
    return bits;
  }

  VMC_INLINE void fill(const BrickPass& pass, const std::array<std::uint32_t, 3>& corner)
  {
    std::array<std::array<std::uint32_t, Size>, 3> at; // grid positions
    std::array<std::array<bool, Size>, 3> isBeyond;
    for (std::size_t a = 0; a < 3; ++a)
      for (int i = 0; i < Size; ++i)
      {
        const std::int64_t position = std::int64_t(corner[a]) + i - 1, last = std::int64_t(pass.grid.axis[a].size) - 1;
        at[a][i] = static_cast<std::uint32_t>(std::clamp<std::int64_t>(position, 0, last));
        isBeyond[a][i] = position < 0 || position > last;
      }
    const auto* const samples = static_cast<const Sample*>(pass.volume.samples);
    for (int z = 0; z < Size; ++z)
      for (int y = 0; y < Size; ++y)
      {
        const std::size_t row = pass.grid.sampleAt(0, at[1][y], at[2][z]) - pass.grid.axis[0].image[0];
        const int first = (z * Size + y) * Size;
        for (int x = 0; x < Size; ++x)
          this->sample[first + x] = readSample(samples + row + pass.grid.axis[0].image[at[0][x]]);
        for (int x = 0; pass.hasBlanking && x < Size; ++x)
          this->flags[first + x] =
            this->flagsOf(pass, row + pass.grid.axis[0].image[at[0][x]], this->sample[first + x]) |
            (isBeyond[0][x] || isBeyond[1][y] || isBeyond[2][z] ? GHOST_BLANK : 0);
      }
  }

private:
  VMC_INLINE static std::uint8_t flagsOf(const BrickPass& pass, std::size_t index, Sample sample)
  {
    std::uint8_t flags = pass.volume.ghosts ? pass.volume.ghosts[index] : 0;
    if constexpr (std::is_floating_point_v<Sample>)
      flags |= sample != sample ? GHOST_BLANK : 0;
    return flags;
  }
};

}

#endif
