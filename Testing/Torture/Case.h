// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Random inputs and requests of the core, as settings that can be printed and reduced.
#ifndef vmcTortureCase_h
#define vmcTortureCase_h

#include "Compute/Contour/Request.h"
#include "Compute/Measure/RegionTable.h"
#include "Compute/Volume/Volume.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace vmc::torture
{

// The samples of a volume.
enum class Pattern
{
  Noise,     // over the whole range of the type; floats between -1 and 1
  FewValues, // 0, 1, 2 and 3
  Smooth,    // a gyroid
  Extremes   // among noise: the ends of the type, their neighbours, values beside 0
};

// The positions of the samples of a volume.
enum class Units
{
  Plain,    // sample (i, j, k) is at (i, j, k)
  Scaled,   // steps of different lengths
  Oblique,  // steps that are not orthogonal
  Mirrored, // left-handed steps
  Far,      // small steps, far from the origin
  Points,   // coordinates of the samples
  Cells     // coordinates of the sides of their cells
};

struct AttributeSettings
{
  SampleType type = SampleType::Float32;
  std::uint32_t components = 1;
};

struct VolumeSettings
{
  std::array<std::uint32_t, 3> size{ 2, 2, 2 };
  SampleType type = SampleType::Float32;
  Pattern pattern = Pattern::Noise;
  std::uint64_t seed = 0;                                  // of samples and flags
  int exponent = 0;                                        // of the power of two that multiplies floats
  double nanPart = 0, infinityPart = 0;                    // of the samples, only of floats
  double blankPart = 0, notOwnedPart = 0, strangePart = 0; // of the flags; strange ones have bits without a meaning
  Padding padding;
  Units units = Units::Plain;
  int unitExponent = 0; // of the power of two that multiplies steps and coordinates
  std::vector<AttributeSettings> attributes;
  bool hasIdentity = false;

  bool isFloat() const { return this->type == SampleType::Float32 || this->type == SampleType::Float64; }
  bool hasCoordinates() const { return this->units == Units::Points || this->units == Units::Cells; }
  bool isExtreme() const
  {
    return this->unitExponent != 0 || this->exponent != 0 || this->pattern == Pattern::Extremes;
  }
  bool hasFlags() const { return this->blankPart + this->notOwnedPart + this->strangePart > 0; }
};

// A hierarchy of test::randomLevels.
struct LevelSettings
{
  std::uint64_t seed = 0;
  bool hasBorder = false, isClosed = false;
  std::size_t pieces = 1; // more: the surface is made once more in so many pieces
};

// One execution: the input and the request of a call of the core.
struct Case
{
  std::uint64_t seed = 0, number = 0;
  std::vector<VolumeSettings> volumes; // empty: the input is a hierarchy
  LevelSettings levels;
  Request request; // its memory limit is for devices only
  std::optional<RegionChoice> regions;

  // The row of the table that counts the case.
  std::string className() const;
};

// Returns the case of a seed and a number. It does not depend on other cases.
Case randomCase(std::uint64_t seed, std::uint64_t number);

// Returns the settings that are not the default ones, in words.
std::string describe(const Case& of);

}

#endif
