// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The bricks of a hierarchy of levels on a device.
#ifndef vmcLevelArrays_h
#define vmcLevelArrays_h

#include "Compute/Memory/DeviceMemoryPool.h"
#include "Compute/Volume/AttributeBricks.h"
#include "Compute/Volume/LevelBricks.h"
#include "Compute/Volume/VolumeArrays.h"
#include "Shared/Constants.h"

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace vmc
{

class Context;

// An attribute of the bricks.
struct LevelAttribute
{
  std::shared_ptr<const AttributeBricks> bricks; // the source
  PooledBuffer values;                           // BINDING_ATTRIBUTE
};

// The samples never change.
struct LevelArrays
{
  std::shared_ptr<const LevelBricks> bricks; // the source
  PooledBuffer samples;                      // of all bricks
  PooledBuffer table;                        // BINDING_LEVELS
  PooledBuffer slopes;                       // BINDING_LEVEL_SLOPES; without memory until they are needed
  std::shared_ptr<const BrickRanges> ranges;
  std::vector<LevelAttribute> attributes;
  std::array<bool, LEVEL_GROUPS> hasGroup{}; // whether bricks may be in it

  // Uploads the bricks. Throws Unsupported if an array exceeds the largest binding of the device or a level has cells
  // of more than 2^28 finer ones along an axis, OutOfMemory, DeviceLost, Internal.
  LevelArrays(Context& context, std::shared_ptr<const LevelBricks> levelBricks);

  // Uploads the slopes, if they are not there, on at most so many threads. Returns whether it did. Throws as the
  // constructor.
  bool addSlopes(Context& context, unsigned threads);

  // Uploads the attributes that are not there, and releases all others. Returns whether it uploaded any. Throws as the
  // constructor.
  bool setAttributes(Context& context, const std::vector<std::shared_ptr<const AttributeBricks>>& bricksOfAttributes);

  std::vector<Attribute> attributeViews() const; // of those on the host

  // Every binding needs a buffer.
  Region slopesOrTable() const { return this->slopes.size() != 0 ? this->slopes.region() : this->table.region(); }
};

// Returns the words of BINDING_LEVELS. Throws Unsupported as LevelArrays does.
std::vector<std::uint32_t> levelWordsOf(const LevelBricks& bricks);

// Returns the words of BINDING_BRICK_RANGE for the bricks of all levels, then those of their stitched cells.
std::vector<std::uint32_t> levelRangesOf(const LevelBricks& bricks);

// Returns the words of BINDING_LEVEL_SLOPES, which it computes on at most so many threads.
std::vector<std::uint32_t> levelSlopeWordsOf(const LevelBricks& bricks, unsigned threads);

}

#endif
