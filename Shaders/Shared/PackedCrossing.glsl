// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// A crossed edge in two words. The first word is the index in the window of the edge's first sample. The second word is
// the fraction, with the axis in its two top bits, which are 0 in a float of [0, 1].

uvec2 packCrossing(uint number, uint axis, float fraction)
{
  return uvec2(number, floatBitsToUint(fraction) | axis << 30);
}

uint sampleOfCrossing(uvec2 crossing) { return crossing.x; }
uint axisOfCrossing(uvec2 crossing) { return crossing.y >> 30; }
float fractionOfCrossing(uvec2 crossing) { return uintBitsToFloat(crossing.y & 0x3FFFFFFFu); }
