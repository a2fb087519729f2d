// Push constants of a slab, and where its bricks and samples lie.
// Include after the kernel has declared its group size: until then gl_WorkGroupSize silently means 1.
#include "Constants.h"
#include "Structs.h"

layout(push_constant) uniform Push { SlabConstants slab; };

// Minimum corner of a brick of the slab, in samples of the volume.
uvec3 brickCorner(uint brick)
{
  const uint x = brick % slab.bricksX;
  const uint yz = brick / slab.bricksX;
  return BRICK_SIZE * uvec3(x, yz % slab.bricksY, yz / slab.bricksY + slab.brickLayer);
}

// Index of a brick of the slab among all bricks of the volume.
uint brickOfVolume(uint brick) { return brick + slab.brickLayer * slab.bricksX * slab.bricksY; }

// Place of a sample of the volume in the bound window. The plan keeps every such index below 2^32.
uint sampleIndex(uvec3 position)
{
  return slab.windowSkew + position.x +
    slab.sizeX * (position.y + slab.sizeY * (position.z - slab.windowLayer));
}

uvec3 volumeSize() { return uvec3(slab.sizeX, slab.sizeY, slab.sizeZ); }

bool isActive(uvec2 range) { return range.x < slab.thresholdKey && range.y >= slab.thresholdKey; }

// Group and invocation numbers of dispatches that fold more groups than one axis allows into a second axis.
uint groupIndex() { return gl_WorkGroupID.x + gl_NumWorkGroups.x * gl_WorkGroupID.y; }
uint invocationIndex() { return groupIndex() * gl_WorkGroupSize.x + gl_LocalInvocationID.x; }
