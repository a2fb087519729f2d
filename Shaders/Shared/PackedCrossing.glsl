// A crossed edge in two words: the number of its first sample in the window; then the fraction with the axis in the two
// top bits, which are free in a float of [0, 1].

uvec2 packCrossing(uint number, uint axis, float fraction)
{
  return uvec2(number, floatBitsToUint(fraction) | axis << 30);
}

uint sampleOfCrossing(uvec2 crossing) { return crossing.x; }
uint axisOfCrossing(uvec2 crossing) { return crossing.y >> 30; }
float fractionOfCrossing(uvec2 crossing) { return uintBitsToFloat(crossing.y & 0x3FFFFFFFu); }
