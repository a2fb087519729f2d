// Where the isosurface crosses an edge between two samples.
// Needs Slab.glsl and Samples.glsl.

// Fraction of the way from sample a to sample b, which lie on different sides, in [0, 1].
// The isovalue is wider than the samples: with it as one float, nearly equal large samples would lose every digit.
float crossingFraction(uint keyA, uint keyB)
{
  precise float fraction;
  if (SampleKind == SAMPLE_FLOAT)
  {
    const float a = floatOfKey(keyA);
    const float b = floatOfKey(keyB);
    if (isinf(a) || isinf(b))
      return isinf(a) && isinf(b) ? 0.5 : isinf(a) ? 1 : 0; // the limit as the sample grows
    // Halved, so that the difference of two large samples stays finite.
    fraction = ((0.5 * slab.isovalueHigh - 0.5 * a) + 0.5 * slab.isovalueLow) / (0.5 * b - 0.5 * a);
  }
  else if (keyA < keyB)
    fraction = (float(slab.thresholdKey - keyA) - slab.isovalueLow) / float(keyB - keyA);
  else
    fraction = (float(keyA - slab.thresholdKey) + slab.isovalueLow) / float(keyA - keyB);
  return clamp(fraction, 0, 1);
}

// A crossing in two words: sample index in the window, then the fraction with the axis in the two top bits, which are
// free in a float of [0, 1].
uvec2 packCrossing(uint index, uint axis, float fraction)
{
  return uvec2(index, floatBitsToUint(fraction) | axis << 30);
}
