// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The passes over the active bricks of a level, on one thread.
#ifndef vmcLevelKernels_h
#define vmcLevelKernels_h

#include "Compute/Cpu/BrickKernels.h"
#include "Compute/Volume/LevelBricks.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace vmc
{

// A marked edge: a bit of a row of an active brick.
struct RowBit
{
  std::uint32_t slot;  // of the level
  std::uint32_t place; // bits 0 to 4: the bit, 5 to 10: the row, 11: a low edge, 12 to 17: the level; 18 to 26: of
                       // a corner of a stitched triangle, the number in its brick of the leaf that has the cell

  static constexpr std::uint32_t of(std::uint32_t bit, std::uint32_t row, bool isLow, std::size_t level)
  {
    return bit | row << 5 | (isLow ? 1u << 11 : 0) | static_cast<std::uint32_t>(level) << 12;
  }
  static constexpr std::uint32_t ofOwner(std::uint32_t cell) { return cell << 18; }

  std::uint32_t bit() const { return this->place & 31u; }
  std::uint32_t row() const { return this->place >> 5 & 63u; }
  bool isLow() const { return (this->place >> 11 & 1u) != 0; }
  std::uint32_t level() const { return this->place >> 12 & 63u; }
  std::uint32_t owner() const { return this->place >> 18; }
};

// The corners of the triangles of an active brick that touch coarser leaves.
using StitchedTriangles = std::vector<RowBit>;

// The input and the output of the passes for one isovalue of a level. Active bricks are given by their slots in the
// level. Borrows everything; `levels` must not grow meanwhile.
struct LevelPass : SurfacePass
{
  const LevelBricks& bricks;
  std::size_t level;
  const std::vector<LevelPass>& levels;            // the passes of all levels for this isovalue
  const std::vector<Attribute>& attributes;        // see AttributeBricks
  std::unique_ptr<StitchedTriangles[]> stitched{}; // [slot]; null of a single level
  // LevelKernels::classify writes both arrays for all bricks of the level, 65 bytes per brick and isovalue.
  BrickBits* inside = nullptr; // [brick]: cells whose samples are inside; without meaning if they are no leaves
  std::uint8_t* cutsStitched = nullptr; // [brick]: 1 if stitched cells may have triangles

  const LevelOfBricks& own() const { return this->bricks.levels[this->level]; }

  // Returns whether the numbers of the samples at the ends of crossed edges are needed.
  bool needSamples() const { return !this->attributes.empty() || this->mesh.crossings; }

  // The slot of the active brick with a cell of the level.
  std::uint32_t slotOf(const LevelIndex& cell) const
  {
    return this->active.slotOfBrick[this->own().table.placeOf(cell).slot];
  }
};

struct LevelKernels
{
  BrickKernel classify; // runs over all bricks of all levels before the other kernels
  // Marks the edges with points, also those between two coarser leaves, in the rows of their level. So the levels are
  // counted one after the other, the coarsest first, and their rows are cleared before.
  BrickKernel count;
  BrickKernel numberPoints; // counts the marked edges, when all levels are counted
  BrickKernel emitPoints, emitTriangles;
};

// The functions on a LevelPass for this sample type and this processor.
LevelKernels levelKernelsFor(SampleType type);

}

#endif
