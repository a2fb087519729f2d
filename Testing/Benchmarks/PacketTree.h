// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The tree of marks through which CastPackets walks. Compiled by C++ and GLSL, after Constants.h.
// The nodes of level 0 are the bricks of the volume. A node of the next level has 4 x 4 x 4 nodes of the level below,
// and one bit per node in two words: whether the isosurface may touch it. BINDING_BRICK_MASK has the nodes of level 1,
// as MarkBricks writes them, then those of level 2, and so on up to the root, which is alone in its level.
#ifndef VMC_PACKET_TREE_H
#define VMC_PACKET_TREE_H

// The levels of a tree of at most PACKET_MOST_BRICKS bricks along each axis: an entry of the stack has 9 bits per axis.
#define PACKET_LEVELS 6
#define PACKET_MOST_BRICKS 512
// A node leaves the stack before its children enter it.
#define PACKET_STACK_SIZE (1 + (PACKET_LEVELS - 1) * (BRICK_GROUP_BRICKS - 1))

#ifdef __cplusplus
#include <cstdint>
namespace vmc::benchmarks
{
using uint = std::uint32_t;
#endif

// Push constants of MarkNodes, which marks the nodes of one level.
struct PacketLevel
{
  uint belowX; // nodes of the level below along x
  uint belowY;
  uint belowZ;
  uint firstBelow; // index of its first node in BINDING_BRICK_MASK
  uint first;      // index of the first node of this level
};

#ifdef __cplusplus
}
#endif

#endif
