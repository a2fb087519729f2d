// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Push constants of a slab; positions of its bricks and samples.
// Include after the kernel has declared its workgroup size (Invocation.glsl).
#include "Shared/Constants.h"
#include "Shared/Bindings.h"
#include "Shared/Structs.h"
#include "Shared/Invocation.glsl"

layout(push_constant) uniform Push { SlabConstants slab; };
layout(constant_id = SPECIALIZE_PADDED) const bool Padded = false;

bool isSet(uint setting) { return (slab.settings & setting) != 0; }

// Returns whether the kernel writes the output of this binding.
bool writes(uint binding) { return isSet(SETTING_WRITES(binding)); }

// Bricks of the volume along x and along y.
uint bricksX() { return BRICKS_ALONG(slab.sizeX); }
uint bricksY() { return BRICKS_ALONG(slab.sizeY); }

// Layers of bricks that the slab emits.
uint ownLayers() { return slab.ownBrickCount / (bricksX() * bricksY()); }

// Returns number / divisor from RECIPROCAL(divisor). The reciprocal is at most 1 below 2^32 / divisor; so the high word
// of its product with the number is the quotient or one less. A division by a variable takes several times as long.
uint quotientBy(uint number, uint divisor, uint reciprocal)
{
  uint high, low;
  umulExtended(number, reciprocal, high, low);
  return number - high * divisor < divisor ? high : high + 1;
}

// The number of a brick in layers of bricks that begin with layer 0.
uint brickNumber(uvec3 at) { return at.x + bricksX() * (at.y + bricksY() * at.z); }

// Minimum corner of a brick of the slab, in grid samples.
uvec3 brickCorner(uint brick)
{
  const uint yz = quotientBy(brick, bricksX(), slab.reciprocalX);
  const uint z = quotientBy(yz, bricksY(), slab.reciprocalY);
  return BRICK_SIZE * uvec3(brick - bricksX() * yz, yz - bricksY() * z, z + slab.brickLayer);
}

// The number of a brick of the slab in BINDING_BRICK_RANGE.
uint rangeOfBrick(uint brick) { return brick + slab.firstRange; }

uvec3 gridSize() { return uvec3(slab.sizeX, slab.sizeY, slab.sizeZ); }

uvec3 lowPadding() { return Padded ? uvec3(slab.padding, slab.padding >> 2, slab.padding >> 4) & 3u : uvec3(0); }
uvec3 highPadding() { return Padded ? uvec3(slab.padding >> 6, slab.padding >> 8, slab.padding >> 10) & 3u : uvec3(0); }
uvec3 imageSize() { return gridSize() - lowPadding() - highPadding(); }

// Position of the image sample at a grid position. Padding repeats the outermost samples.
uvec3 imagePosition(uvec3 at)
{
  return Padded ? uvec3(clamp(ivec3(at) - ivec3(lowPadding()), ivec3(0), ivec3(imageSize()) - 1)) : at;
}

// Returns whether a grid position counts as below every isovalue: the outermost layer of a padded side of a closed
// surface.
bool isOutside(uvec3 at)
{
  if (!Padded || !isSet(SETTING_CLOSED))
    return false;
  const bvec3 low = equal(at, uvec3(0)), high = equal(at, gridSize() - 1);
  const bvec3 lowPadded = greaterThan(lowPadding(), uvec3(0)), highPadded = greaterThan(highPadding(), uvec3(0));
  for (uint axis = 0; axis < 3; ++axis)
    if ((low[axis] && lowPadded[axis]) || (high[axis] && highPadded[axis]))
      return true;
  return false;
}

// Coordinate of a grid position in steps from the first image sample. Padding lies on the border.
vec3 gridCoordinate(uvec3 at)
{
  if (!Padded)
    return vec3(at);
  return clamp(vec3(ivec3(at) - ivec3(lowPadding())), vec3(-slab.border), vec3(imageSize() - 1) + slab.border);
}

// Image samples of a layer of the volume.
uint samplesPerLayer() { return imageSize().x * imageSize().y; }

// Index of an image sample in the window. The plan keeps every index below 2^32.
uint sampleNumber(uvec3 position)
{
  const uvec3 size = imageSize();
  return position.x + size.x * (position.y + size.y * (position.z - slab.windowLayer));
}

// Number of blocks of SCAN_BLOCK_SIZE bricks in the slab.
uint scanBlocks() { return (slab.brickCount + SCAN_BLOCK_SIZE - 1) / SCAN_BLOCK_SIZE; }
