// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// One workgroup: a packet of 8 x 8 pixels. One invocation: the ray through the centre of one of them.
// Reads the tree of marks (PacketTree.h), the samples of the cells that the ray crosses in marked bricks and their
// flags, and at the crossing their neighbours. Writes the ray's first crossing of the isosurface.
// This is what CastRays is compared with: the rays of a packet walk through the tree together, with one stack in shared
// memory. They visit a node if at least one of them passes through it (J. Günther, S. Popov, H.-P. Seidel, P.
// Slusallek, "Realtime ray tracing on GPU with BVH-based packet traversal", IEEE Symposium on Interactive Ray Tracing,
// 2007). The children of a node are visited in the order in which the ray at the middle of the packet passes them.
// Other orders along some rays cost time only: a ray keeps its nearest crossing.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#include "Shared/Constants.h"
layout(local_size_x = RAY_GROUP_SIZE) in;
#include "Shared/Slab.glsl"
#include "Shared/Samples.glsl"
#include "Shared/WorldPosition.glsl"
#include "Shared/Gradient.glsl"
#include "Shared/BrickGroups.glsl"
#include "Rays/RayWalk.glsl"
#include "Rays/RayCell.glsl"
#include "Rays/RayHit.glsl"
#include "PacketTree.h"

layout(std430, binding = BINDING_BRICK_MASK) readonly buffer BrickMask { uvec2 brickMask[]; };

shared uvec3 sharedNodes[PACKET_LEVELS]; // of each level along each axis
shared uint sharedFirst[PACKET_LEVELS];  // index of the first node of each level but 0
shared uint sharedStack[PACKET_STACK_SIZE];
shared uint sharedWanted[2]; // whether a ray passes through the node: of this turn, and of the next one

// The nearest crossing of a ray so far, see castRay in CastRays.comp.
struct Crossing
{
  RayPosition position;
  float exit;
  uint exitAxis;
  float share; // of the segment in the cell
};

struct Node
{
  uint level;
  uvec3 at;
};

uint packedNode(Node node) { return node.level << 27 | node.at.z << 18 | node.at.y << 9 | node.at.x; }

Node unpackedNode(uint bits) { return Node(bits >> 27, uvec3(bits, bits >> 9, bits >> 18) & 511u); }

uvec2 maskOf(Node node)
{
  const uvec3 nodes = sharedNodes[node.level];
  return brickMask[sharedFirst[node.level] + node.at.x + nodes.x * (node.at.y + nodes.y * node.at.z)];
}

// Stores the levels of the tree and returns that of the root.
uint describeTree()
{
  uvec3 nodes = uvec3(bricksX(), bricksY(), brickLayers());
  uint first = 0, root = 0;
  for (uint level = 0; level < PACKET_LEVELS; ++level)
  {
    if (gl_LocalInvocationID.x == 0)
    {
      sharedNodes[level] = nodes;
      sharedFirst[level] = first;
    }
    if (level > 0)
    {
      first += nodes.x * nodes.y * nodes.z;
      root = root == 0 && nodes == uvec3(1) ? level : root;
    }
    nodes = (nodes + BRICK_GROUP_SIZE - 1) / BRICK_GROUP_SIZE;
  }
  return root;
}

// The numbers of the children are those of the order of visits, combined with this one by exclusive or.
uint orderOf(Ray ray)
{
  return (ray.along.x < 0 ? 3u : 0u) | (ray.along.y < 0 ? 12u : 0u) | (ray.along.z < 0 ? 48u : 0u);
}

// Exchanges each of the bits of `lower` with the bit `distance` above it.
uint exchanged(uint bits, uint lower, uint distance) { return (bits & lower) << distance | bits >> distance & lower; }

// The bits of the children in the order of their visits.
uvec2 inOrder(uvec2 mask, uint order)
{
  for (uint i = 0; i < 2; ++i)
  {
    if ((order & 1u) != 0)
      mask[i] = exchanged(exchanged(mask[i], 0x55555555u, 1), 0x33333333u, 2);
    if ((order & 4u) != 0)
      mask[i] = exchanged(exchanged(mask[i], 0x0F0F0F0Fu, 4), 0x00FF00FFu, 8);
    if ((order & 16u) != 0)
      mask[i] = exchanged(mask[i], 0x0000FFFFu, 16);
  }
  return (order & 16u) != 0 ? mask.yx : mask;
}

bool isSet(uvec2 mask, uint bit) { return ((bit < 32 ? mask.x : mask.y) >> bit % 32 & 1u) != 0; }

uint bitsAbove(uvec2 mask, uint bit)
{
  const uint above = (bit < 32 ? mask.x : mask.y) >> bit % 32 >> 1;
  return bitCount(above) + (bit < 32 ? bitCount(mask.y) : 0);
}

// Returns whether the ray passes through the block before `end`. A ray parallel to a side counts as between it and the
// opposite one.
bool passes(Ray ray, Block block, float end)
{
  const bvec3 isUp = greaterThan(ray.step, ivec3(0));
  const vec3 low = gridCoordinate(uvec3(block.first)), high = gridCoordinate(uvec3(block.last + 1));
  const vec3 entries = crossings(ray, mix(high, low, isUp), 0), exits = crossings(ray, mix(low, high, isUp), 1);
  return max(max(entries.x, entries.y), max(entries.z, 0)) <= min(min(exits.x, exits.y), min(exits.z, end));
}

// Looks for a crossing before `end` in a marked brick. If there is one, it becomes the end.
void walkBrick(Ray ray, Block brick, inout float end, inout Crossing nearest)
{
  RayPosition position;
  // A brick at the end of the volume may have samples but no cells.
  if (any(greaterThan(brick.first, brick.last)) || !enterBlock(ray, 0, brick, position) || position.t >= end)
    return;
  Corners corners = cornersOf(position.cell);
  while (position.t < end)
  {
    uint exitAxis;
    const float exit = max(exitOf(ray, Block(position.cell, position.cell), exitAxis), position.t);
    if (!isUniform(corners) && isValid(corners, position.cell))
    {
      const Segment part = segmentThrough(ray, position, exit, exitAxis);
      const float share = firstZero(fieldOf(position.cell, corners), part.from, part.to);
      const float t = mix(position.t, exit, share);
      if (share <= 1 && t < end)
      {
        end = t;
        nearest = Crossing(position, exit, exitAxis, share);
      }
      if (share <= 1)
        return;
    }
    const ivec3 toNext = ray.step * unitAlong(exitAxis);
    position = RayPosition(position.cell + toNext, exit, exitAxis);
    if (!contains(brick, position.cell))
      return;
    corners = cornersAfterStep(corners, position.cell, exitAxis, toNext.x + toNext.y + toNext.z > 0);
  }
}

// Adds the marked children of a node to the stack, the first one to be visited on top. Returns their number.
uint pushChildren(Node node, uint order, uint size)
{
  const uint number = gl_LocalInvocationID.x, child = number ^ order;
  const uvec2 marked = inOrder(maskOf(node), order);
  if (isSet(marked, number))
  {
    const uvec3 at = uvec3(child, child / BRICK_GROUP_SIZE, child / (BRICK_GROUP_SIZE * BRICK_GROUP_SIZE));
    sharedStack[size + bitsAbove(marked, number)] =
      packedNode(Node(node.level - 1, BRICK_GROUP_SIZE * node.at + at % BRICK_GROUP_SIZE));
  }
  return bitCount(marked.x) + bitCount(marked.y);
}

// The end of the ray: 1, or the t of its first crossing. All rays of a packet call it together.
float walkTree(Ray ray, uint order, float end, inout Crossing nearest)
{
  const Block whole = blockOfSlab();
  const uint root = describeTree();
  const bool isFirst = gl_LocalInvocationID.x == 0;
  if (isFirst)
  {
    sharedStack[0] = packedNode(Node(root, uvec3(0)));
    sharedWanted[0] = 0;
  }
  uint turn = 0;
  for (uint size = 1; size > 0;)
  {
    barrier(); // the stack is written
    --size;
    const Node node = unpackedNode(sharedStack[size]);
    const int cells = BRICK_SIZE << 2 * node.level;
    const Block block = blockOf(cells * ivec3(node.at), cells, whole);
    if (node.level == 0)
    {
      walkBrick(ray, block, end, nearest);
      continue;
    }
    if (isFirst)
      sharedWanted[1 - turn] = 0;
    if (passes(ray, block, end))
      sharedWanted[turn] = 1;
    barrier(); // the stack is read, and all rays have been asked
    if (sharedWanted[turn] != 0)
      size += pushChildren(node, order, size);
    turn = 1 - turn;
  }
  return end;
}

void main()
{
  const uint side = RAY_GROUP_SIDE, across = (rays.width + side - 1) / side;
  const uint packet = workgroupIndex(), invocation = gl_LocalInvocationID.x;
  const uvec2 corner = side * uvec2(packet % across, packet / across);
  if (corner.y >= rays.height)
    return;
  const uvec2 pixel = corner + uvec2(invocation % side, invocation / side);
  const bool isInPicture = pixel.x < rays.width && pixel.y < rays.height;
  const Ray ray = rayThrough(pixel);
  Crossing nearest;
  nearest.share = 2;
  const float t = walkTree(ray, orderOf(rayThrough(corner + side / 2)), isInPicture ? 1.0 : -1.0, nearest);
  if (nearest.share > 1)
    return;
  const Segment part = segmentThrough(ray, nearest.position, nearest.exit, nearest.exitAxis);
  const ivec3 cell = nearest.position.cell;
  writeHit(pixel.y * rays.width + pixel.x, t,
    slopeOfHit(cell, mix(part.from, part.to, nearest.share), cornersOf(cell)));
}
