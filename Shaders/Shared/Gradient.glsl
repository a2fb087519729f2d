// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Gradients of the samples, by central differences.
// Include after Slab.glsl, Samples.glsl and WorldPosition.glsl.

// Returns whether a gradient can use a neighbour: it is in the domain, not blank and not the same image sample. A
// neighbour that is not owned is usable: so both pieces compute the same normals at their seam.
bool isUsable(uvec3 at, uvec3 neighbour, uvec2 value)
{
  return !isOutside(neighbour) && !isBlank(ghostOf(neighbour), value) && imagePosition(neighbour) != imagePosition(at);
}

// The neighbours of a sample from which its gradient is computed. The sample itself replaces an unusable neighbour.
struct Neighbours
{
  uvec2 before[3];
  uvec2 after[3];
  vec3 distance; // in steps, from before to after along each axis; 0: both are the sample
};

Neighbours neighboursOf(uvec3 at, uvec2 value)
{
  Neighbours found;
  for (uint axis = 0; axis < 3; ++axis)
  {
    uvec3 step = uvec3(0);
    step[axis] = 1;
    found.before[axis] = value;
    found.after[axis] = value;
    found.distance[axis] = 0;
    if (at[axis] > 0)
    {
      const uvec2 neighbour = gridSample(at - step);
      const bool usable = isUsable(at, at - step, neighbour);
      found.before[axis] = usable ? neighbour : value;
      found.distance[axis] += usable ? distanceToNext(at - step, axis) : 0;
    }
    if (at[axis] + 1 < gridSize()[axis])
    {
      const uvec2 neighbour = gridSample(at + step);
      const bool usable = isUsable(at, at + step, neighbour);
      found.after[axis] = usable ? neighbour : value;
      found.distance[axis] += usable ? distanceToNext(at, axis) : 0;
    }
  }
  return found;
}

int largestExponent(Neighbours found)
{
  int exponent = 0;
  for (uint axis = 0; axis < 3; ++axis)
    exponent = max(exponent, max(exponentOfSample(found.before[axis]), exponentOfSample(found.after[axis])));
  return exponent;
}

// Central differences, one-sided beside an unusable neighbour, in the unit of this exponent per step.
vec3 gradient(Neighbours found, int exponent)
{
  vec3 slope;
  for (uint axis = 0; axis < 3; ++axis)
    slope[axis] = found.distance[axis] == 0 ?
      0 : sampleDifference(found.before[axis], found.after[axis], exponent) / found.distance[axis];
  return slope;
}

// The gradient at a fraction of the way between two samples.
Scaled gradientBetween(Neighbours ofEnds[2], float fraction)
{
  int exponent = 0;
  [[unroll]] for (uint end = 0; end < 2; ++end)
    exponent = max(exponent, largestExponent(ofEnds[end]));
  vec3 slope[2];
  [[unroll]] for (uint end = 0; end < 2; ++end)
    slope[end] = gradient(ofEnds[end], exponent);
  return Scaled(mix(slope[0], slope[1], fraction), unitExponent(exponent));
}

float largestComponent(vec3 v) { return max(max(abs(v.x), abs(v.y)), abs(v.z)); }
