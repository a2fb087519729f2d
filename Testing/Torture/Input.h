// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The arrays of a case.
#ifndef vmcTortureInput_h
#define vmcTortureInput_h

#include "Case.h"
#include "Support/AnalyticVolumes.h"

#include <array>
#include <cstdint>
#include <vector>

namespace vmc::torture
{

// Arrays of a volume, and views of them. Copies own their arrays.
struct VolumeInput
{
  test::Samples samples;
  std::vector<std::uint8_t> ghosts; // empty: none
  std::vector<test::Samples> attributes;
  std::vector<std::uint32_t> components; // [attribute]
  SampleGeometry geometry;               // affine
  Coordinates coordinates;               // of the samples, or of the sides of their cells; empty: the geometry counts
  bool isCellData = false;               // of the coordinates
  Padding padding;
  std::uint64_t identity = 0;

  // Throws Unsupported if the core refuses the coordinates.
  Volume volume() const;
  bool hasCoordinates() const { return !this->coordinates[0].empty(); }
  // Returns whether devices may not refuse the units, as they do where pairs of floats end (geometryOf in
  // Parameters.h).
  bool mustFitDevices() const;
};

test::Samples samplesOf(const VolumeSettings& settings);
VolumeInput inputOf(const VolumeSettings& settings);

// Reorders the axes of a volume: sample p of the result is sample q of the input, where q[axis[a]] = p[a], or, if the
// axis a is reversed, the distance from its end is p[a]. An affine volume keeps its surface. The surface of a volume
// with coordinates has reordered axes too: position x[axis[a]] of the input is x[a] of the result, negative if
// reversed.
struct AxisOrder
{
  std::array<std::size_t, 3> axis{ 0, 1, 2 };
  std::array<bool, 3> isReversed{ false, false, false };
};
VolumeInput reordered(const VolumeInput& input, const AxisOrder& order);

// The piece of a volume that owns the layers [begin, end) along z, with up to two more layers on each side.
struct PieceOfVolume
{
  VolumeInput input;
  std::uint32_t first; // layer of the volume
};
PieceOfVolume pieceOf(const VolumeInput& input, std::uint32_t begin, std::uint32_t end);

// The same samples times a power of two. Returns false if a sample or an isovalue would lose digits.
bool scaleValues(VolumeInput& input, std::vector<double>& isovalues, int exponent);

}

#endif
