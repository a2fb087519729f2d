// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Flags of samples, and which samples are blank. Without flags the specialization constant removes every read.
// Include after Slab.glsl and Samples.glsl.

layout(constant_id = SPECIALIZE_BLANKING) const bool Blanking = false;
layout(constant_id = SPECIALIZE_GHOSTS) const bool Ghosts = false;
layout(std430, binding = BINDING_GHOSTS) readonly buffer GhostFlags { uint ghostWord[]; };

// GHOST_... flags of the sample at a grid position.
uint ghostOf(uvec3 at)
{
  if (!Ghosts)
    return 0;
  const uint index = slab.ghostOffset + sampleNumber(imagePosition(at));
  return ghostWord[index / 4] >> (8 * (index % 4)) & 0xFFu;
}

// Returns whether a sample with these flags and this value is blank.
bool isBlank(uint ghost, uvec2 value) { return (ghost & GHOST_BLANK) != 0 || isNan(value); }
