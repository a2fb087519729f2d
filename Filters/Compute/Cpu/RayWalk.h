// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The way of a ray through blocks of cells, which are described in Shaders/Rays/RayWalk.glsl.
#ifndef vmcRayWalk_h
#define vmcRayWalk_h

#include "Compute/Cpu/Grid.h"
#include "Compute/Cpu/RayCell.h"
#include "Shared/Structs.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace vmc::cpu
{

using Cell = std::array<std::int32_t, 3>;

constexpr std::size_t NoAxis = 3;

// The position of a ray: the cell, which it entered at t across this axis. NoAxis: it starts in the cell.
struct RayPosition
{
  Cell cell{};
  double t = 0;
  std::size_t axis = NoAxis;
};

// A ray from `start` to `start + along`, at distances t in [0, 1], in steps from the first image sample.
struct Ray
{
  Vector start, along, inverse; // inverse: 1 / along
  Cell step;                    // of the cell that the ray crosses next: 1 or -1

  Ray(const RayTable& table, std::uint32_t x, std::uint32_t y)
  {
    for (std::size_t a = 0; a < 3; ++a)
    {
      const auto at = [&](std::size_t plane)
      {
        return double(table.originHigh[plane][a]) + double(table.originLow[plane][a]) +
               x * (double(table.stepXHigh[plane][a]) + double(table.stepXLow[plane][a])) +
               y * (double(table.stepYHigh[plane][a]) + double(table.stepYLow[plane][a]));
      };
      this->start[a] = at(0);
      this->along[a] = at(1) - at(0);
      this->inverse[a] = 1 / this->along[a];
      this->step[a] = this->along[a] < 0 ? -1 : 1;
    }
  }

  // The t of a plane; `otherwise` if the ray is parallel to it.
  double crossing(std::size_t axis, double plane, double otherwise) const
  {
    return this->along[axis] == 0 ? otherwise : (plane - this->start[axis]) * this->inverse[axis];
  }
};

// Cells that the ray walks through together: grid positions [first, last] along each axis.
struct Block
{
  Cell first, last;

  bool contains(const Cell& cell) const
  {
    return cell[0] >= this->first[0] && cell[0] <= this->last[0] && cell[1] >= this->first[1] &&
           cell[1] <= this->last[1] && cell[2] >= this->first[2] && cell[2] <= this->last[2];
  }

  // The block of this size that contains the cell, as far as it is in this one.
  Block part(const Cell& cell, std::int32_t size) const
  {
    Block part{};
    for (std::size_t a = 0; a < 3; ++a)
    {
      part.first[a] = cell[a] / size * size;
      part.last[a] = std::min(part.first[a] + size - 1, this->last[a]);
    }
    return part;
  }
};

// The t at which a ray leaves a block, and the axis of the side.
struct Exit
{
  double t;
  std::size_t axis;
};

inline Exit exitOf(const Grid& grid, const Ray& ray, const Block& block)
{
  Exit exit{ std::numeric_limits<double>::infinity(), 0 };
  for (std::size_t a = 0; a < 3; ++a)
  {
    const std::int32_t plane = ray.step[a] > 0 ? block.last[a] + 1 : block.first[a];
    const double t = ray.crossing(
      a, grid.axis[a].coordinate[static_cast<std::size_t>(plane)], std::numeric_limits<double>::infinity());
    exit = t < exit.t ? Exit{ t, a } : exit;
  }
  return exit;
}

// The cell at distance t, in a block that contains it up to rounding.
inline Cell cellAt(const Grid& grid, const Ray& ray, const Block& block, double t)
{
  Cell cell{};
  for (std::size_t a = 0; a < 3; ++a)
  {
    const double at = std::floor(ray.start[a] + t * ray.along[a]) + grid.axis[a].low;
    cell[a] = static_cast<std::int32_t>(std::clamp<double>(at, block.first[a], block.last[a]));
  }
  return cell;
}

// The first position behind a block, which the ray leaves there.
inline RayPosition positionBehind(const Grid& grid, const Ray& ray, const Block& block, const Exit& exit)
{
  RayPosition position{ cellAt(grid, ray, block, exit.t), exit.t, exit.axis };
  position.cell[exit.axis] = ray.step[exit.axis] > 0 ? block.last[exit.axis] + 1 : block.first[exit.axis] - 1;
  return position;
}

// The first position of the ray in the grid; none if the ray misses the grid.
inline std::optional<RayPosition> enter(const Grid& grid, const Ray& ray, const Block& whole)
{
  RayPosition position;
  double end = 1;
  Vector entries{};
  for (std::size_t a = 0; a < 3; ++a)
  {
    const double low = grid.axis[a].coordinate.front(), high = grid.axis[a].coordinate.back();
    if (ray.along[a] == 0 && (ray.start[a] < low || ray.start[a] > high))
      return std::nullopt;
    const bool isUp = ray.step[a] > 0;
    entries[a] = ray.crossing(a, isUp ? low : high, 0);
    position.t = std::max(position.t, entries[a]);
    end = std::min(end, ray.crossing(a, isUp ? high : low, 1));
  }
  if (!(position.t <= end))
    return std::nullopt;
  position.cell = cellAt(grid, ray, whole, position.t);
  for (std::size_t a = 0; a < 3; ++a)
    if (position.t > 0 && entries[a] == position.t) // it enters through this side, perhaps into padding without width
    {
      position.cell[a] = ray.step[a] > 0 ? whole.first[a] : whole.last[a];
      position.axis = a;
    }
  return position;
}

// One bit per brick in a word per group of 4 x 4 x 4 bricks: whether the isosurface may touch the brick.
class BrickMarks
{
public:
  explicit BrickMarks(const Grid& grid)
  {
    std::size_t count = 1;
    for (std::size_t a = 0; a < 3; ++a)
    {
      this->Groups[a] = (grid.axis[a].bricks + BRICK_GROUP_SIZE - 1) / BRICK_GROUP_SIZE;
      count *= this->Groups[a];
    }
    this->Words.resize(count);
  }

  void set(const std::array<std::uint32_t, 3>& brick) { this->wordOf(brick) |= std::uint64_t(1) << bitOf(brick); }
  // Returns whether the group that contains the brick has any marked brick.
  bool groupHasAny(const std::array<std::uint32_t, 3>& brick) const { return this->Words[this->indexOf(brick)] != 0; }
  bool isSet(const std::array<std::uint32_t, 3>& brick) const
  {
    return (this->Words[this->indexOf(brick)] >> bitOf(brick) & 1u) != 0;
  }

private:
  std::uint64_t& wordOf(const std::array<std::uint32_t, 3>& brick) { return this->Words[this->indexOf(brick)]; }

  std::size_t indexOf(const std::array<std::uint32_t, 3>& brick) const
  {
    return brick[0] / BRICK_GROUP_SIZE +
           this->Groups[0] * (brick[1] / BRICK_GROUP_SIZE + this->Groups[1] * (brick[2] / BRICK_GROUP_SIZE));
  }

  static std::uint32_t bitOf(const std::array<std::uint32_t, 3>& brick)
  {
    return brick[0] % BRICK_GROUP_SIZE + BRICK_GROUP_SIZE * (brick[1] % BRICK_GROUP_SIZE) +
           BRICK_GROUP_SIZE * BRICK_GROUP_SIZE * (brick[2] % BRICK_GROUP_SIZE);
  }

  std::array<std::size_t, 3> Groups{};
  std::vector<std::uint64_t> Words;
};

}

#endif
