// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The hit of a ray: its distance, depth and normal at a crossing.
// Include after Gradient.glsl, WorldPosition.glsl and RayCell.glsl.

layout(std430, binding = BINDING_RAY_HIT) buffer RayHits { RayHit hits[]; };

// The slope per step. Across padding without width it has no other component.
vec3 slopeInCell(ivec3 cell, vec3 slope)
{
  const vec3 width = gridCoordinate(uvec3(cell + 1)) - gridCoordinate(uvec3(cell));
  for (uint a = 0; a < 3; ++a)
    if (width[a] == 0 && slope[a] != 0)
      return vec3(a == 0 ? slope.x : 0, a == 1 ? slope.y : 0, a == 2 ? slope.z : 0);
  return slope / max(width, vec3(1e-6));
}

// The slope at a place in a cell: between the gradients at the corners, as between those at the ends of an edge in
// EmitPoints.glsl. The field decides if they cancel, if one is infinite, and on the cap of a closed surface. (Software
// Vulkan of Mesa 26.1 gives wrong slopes if the field is a value of the loop that found the cell.)
vec3 slopeOfHit(ivec3 cell, vec3 at, Corners corners)
{
  vec3 slope = vec3(0);
  int exponent = 0;
  bool isCap = false;
  for (uint c = 0; c < 8; ++c)
  {
    const uvec3 corner = uvec3(cell) + placeOfCorner(c);
    isCap = isCap || isOutside(corner);
    const Neighbours neighbours = neighboursOf(corner, gridSample(corner));
    const int ofCorner = max(largestExponent(neighbours), exponent);
    const vec3 weights = mix(1 - at, at, vec3(placeOfCorner(c)));
    slope = slope * powerOfTwo(exponent - ofCorner) +
      weights.x * weights.y * weights.z * gradient(neighbours, ofCorner);
    exponent = ofCorner;
  }
  const float size = largestComponent(slope);
  if (isCap || !(size > 0 && size < infinity()))
    return slopeInCell(cell, slopeAt(fieldOf(cell, corners), at));
  return slope / size;
}

// A unit vector in 32 bits: its projection on an octahedron (Z. H. Cigolle et al., "A Survey of Efficient
// Representations for Independent Unit Vectors", JCGT 3, 2014).
uint packedNormal(vec3 n)
{
  const vec3 folded = n / (abs(n.x) + abs(n.y) + abs(n.z));
  const vec2 signs = vec2(folded.x < 0 ? -1.0 : 1.0, folded.y < 0 ? -1.0 : 1.0);
  return packSnorm2x16(folded.z < 0 ? (1 - abs(folded.yx)) * signs : folded.xy);
}

void writeHit(uint pixel, float t, vec3 slope)
{
  const vec3 normal = -gradientToWorld(slope).value;
  const float size = largestComponent(normal);
  hits[pixel].t = t;
  hits[pixel].depth = mix(rays.nearDepth, rays.farDepth * rays.ratio, t) / mix(1.0, rays.ratio, t);
  hits[pixel].normal = packedNormal(size > 0 ? normal / size : vec3(0, 0, 1));
  hits[pixel].isovalue = slab.isovalueNumber;
}
