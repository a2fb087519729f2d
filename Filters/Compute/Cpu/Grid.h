// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The grid of a volume: its samples and its padding, in bricks.
#ifndef vmcGrid_h
#define vmcGrid_h

#include "Compute/Volume/Volume.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace vmc
{

// One axis of the grid. Vectors have one element per grid position.
struct GridAxis
{
  std::uint32_t size = 0;   // grid positions
  std::uint32_t bricks = 0; // along the axis
  std::uint32_t low = 0;    // padding layers at the low side
  std::uint32_t samples = 0;
  std::vector<std::uint32_t> image;    // index of the image sample; padding repeats the outermost ones
  std::vector<double> coordinate;      // see Volume::gridCoordinates
  std::vector<std::uint8_t> isOutside; // the position counts as below every isovalue

  // Returns whether the image has samples of its own at all positions [begin, end).
  bool isWithinImage(std::int64_t begin, std::int64_t end) const
  {
    return begin >= std::int64_t(this->low) && end <= std::int64_t(this->low) + this->samples;
  }
};

struct Grid
{
  explicit Grid(const Volume& volume);

  std::array<GridAxis, 3> axis;
  bool hasOutside = false;

  std::size_t brickCount() const
  {
    return std::size_t(this->axis[0].bricks) * this->axis[1].bricks * this->axis[2].bricks;
  }

  // The smallest grid position of a brick.
  std::array<std::uint32_t, 3> cornerOf(std::size_t brick) const
  {
    const std::size_t x = this->axis[0].bricks, y = this->axis[1].bricks;
    return { std::uint32_t(brick % x * BRICK_SIZE), std::uint32_t(brick / x % y * BRICK_SIZE),
      std::uint32_t(brick / x / y * BRICK_SIZE) };
  }

  // Returns whether the cells of the brick touch positions that are outside.
  bool touchesOutside(const std::array<std::uint32_t, 3>& corner) const;

  // Index of the image sample at a grid position.
  std::size_t sampleAt(std::uint32_t x, std::uint32_t y, std::uint32_t z) const
  {
    return (std::size_t(this->axis[2].image[z]) * this->axis[1].samples + this->axis[1].image[y]) *
             this->axis[0].samples +
           this->axis[0].image[x];
  }
};

}

#endif
