// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Finds where a ray crosses the isosurface in a cell. There the surface is that of the trilinear interpolant of its
// corners: along the ray a cubic polynomial, which is monotone between its extrema (G. Marmitt et al., "Fast and
// accurate ray-voxel intersection techniques for iso-surface ray tracing", 2004). An invalid cell (CountBricks.comp)
// has no surface.
// Include after Samples.glsl and RayWalk.glsl.

// The known properties of the corners of a cell: one bit per corner. Corner c lies at x = c & 1, y = c >> 1 & 1,
// z = c >> 2 (Cell.h).
struct Corners
{
  uint inside;
  uint blank;
};

// The corners whose bit `axis` is 1.
uint upperCorners(uint axis) { return axis == 0 ? 0xAAu : axis == 1 ? 0xCCu : 0xF0u; }

uvec3 placeOfCorner(uint c) { return uvec3(c & 1u, c >> 1 & 1u, c >> 2); }

// Corner c, which is the sample at this grid position.
void addCorner(uvec3 at, uint c, inout Corners corners)
{
  const uvec2 value = gridSample(at);
  if (isInsideAt(at, value))
    corners.inside |= 1u << c;
  if (Blanking && isBlank(ghostOf(at), value))
    corners.blank |= 1u << c;
}

// The loop is unrolled because the software Vulkan of Mesa 26.1 crashes in it where padded samples have flags.
Corners cornersOf(ivec3 cell)
{
  Corners corners = Corners(0, 0);
  [[unroll]] for (uint c = 0; c < 8; ++c)
    addCorner(uvec3(cell) + placeOfCorner(c), c, corners);
  return corners;
}

// Returns the corners of the next cell along an axis, which shares four of them with the cell before it.
Corners cornersAfterStep(Corners before, ivec3 cell, uint axis, bool isUp)
{
  const uint upper = upperCorners(axis), shift = 1u << axis;
  // The other four, as if the lowest of them was corner 0; then they are moved to their place.
  const uvec3 at = uvec3(cell) + (isUp ? uvec3(unitAlong(axis)) : uvec3(0));
  const bool isX = axis == 0, isZ = axis == 2;
  const uvec3 first = isX ? uvec3(0, 1, 0) : uvec3(1, 0, 0), second = isZ ? uvec3(0, 1, 0) : uvec3(0, 0, 1);
  const uint firstBit = isX ? 2 : 1, secondBit = isZ ? 2 : 4;
  Corners corners = Corners(0, 0);
  [[unroll]] for (uint n = 0; n < 4; ++n)
    addCorner(at + (n & 1u) * first + (n >> 1) * second, (n & 1u) * firstBit + (n >> 1) * secondBit, corners);
  corners.inside = isUp ? corners.inside << shift | (before.inside & upper) >> shift :
                          corners.inside | (before.inside & ~upper) << shift;
  corners.blank = isUp ? corners.blank << shift | (before.blank & upper) >> shift :
                         corners.blank | (before.blank & ~upper) << shift;
  return corners;
}

bool isValid(Corners corners, ivec3 cell)
{
  return !Blanking || (corners.blank == 0 && (ghostOf(uvec3(cell)) & GHOST_NOT_OWNED) == 0);
}

bool isUniform(Corners corners) { return corners.inside == 0 || corners.inside == 0xFFu; }

// Sample minus isovalue in the unit 2^unitExponent(exponent), see Samples.glsl; rounding may lose its sign. An infinite
// sample is far larger than all others.
float aboveIsovalue(uvec2 value, bool inside, int exponent)
{
  const float Infinite = 1208925819614629174706176.0; // 2^80; finite differences are at most 2^65
  if (isInfinite(value))
    return inside ? Infinite : -Infinite;
  if (SampleKind != SAMPLE_FLOAT)
  {
    const uvec2 threshold = uvec2(slab.thresholdKey, slab.thresholdLow);
    const Pair size = distanceOfKeys(inside ? threshold : value, inside ? value : threshold);
    const float above = sumWithLowPart(size, inside ? slab.isovalueLow : -slab.isovalueLow).high;
    return inside ? above : -above;
  }
  if (SampleBytes == 8)
    return difference(partsOfDouble(doubleOfSample(value), exponent),
      partsOfDouble(uvec2(slab.isovalueLowWord, slab.isovalueHighWord), exponent))
      .high;
  const float scale = powerOfTwo(slab.isovalueExponent - unitExponent(exponent));
  precise float above =
    (scaledFloat(bitsOfKey(value.x), exponent) - slab.isovalueHigh * scale) - slab.isovalueLow * scale;
  return above;
}

// The corners as sample minus isovalue, in a common unit.
float[8] fieldOf(ivec3 cell, Corners corners)
{
  uvec2 value[8];
  int exponent = SampleKind == SAMPLE_FLOAT && SampleBytes == 4 ? max(slab.isovalueExponent + 127, 1) : 1;
  for (uint c = 0; c < 8; ++c)
  {
    value[c] = gridSample(uvec3(cell) + placeOfCorner(c));
    if (SampleKind == SAMPLE_FLOAT)
      exponent = max(exponent, exponentOfSample(value[c]));
  }
  if (SampleKind == SAMPLE_FLOAT && SampleBytes == 8)
    exponent = max(exponent, exponentOfDouble(uvec2(slab.isovalueLowWord, slab.isovalueHighWord)));
  float field[8];
  for (uint c = 0; c < 8; ++c)
  {
    const bool inside = (corners.inside >> c & 1u) != 0;
    const float above = aboveIsovalue(value[c], inside, exponent);
    field[c] = inside ? max(above, 0.0) : min(above, -1e-30);
  }
  return field;
}

// A mean of the corners with weights that are not negative: so between equal signs it has this sign.
float fieldAt(float field[8], vec3 at)
{
  const vec3 rest = 1 - at;
  const vec4 alongX = vec4(field[0], field[2], field[4], field[6]) * rest.x +
    vec4(field[1], field[3], field[5], field[7]) * at.x;
  const vec2 alongY = alongX.xz * rest.y + alongX.yw * at.y;
  return alongY.x * rest.z + alongY.y * at.z;
}

vec3 slopeAt(float field[8], vec3 at)
{
  const vec3 rest = 1 - at;
  const vec4 low = vec4(field[0], field[2], field[4], field[6]), high = vec4(field[1], field[3], field[5], field[7]);
  const vec4 differenceX = high - low, alongX = low * rest.x + high * at.x;
  const vec2 alongY = alongX.xz * rest.y + alongX.yw * at.y;
  const vec2 slopeX = differenceX.xz * rest.y + differenceX.yw * at.y;
  const vec2 differenceY = alongX.yw - alongX.xz;
  return vec3(
    slopeX.x * rest.z + slopeX.y * at.z, differenceY.x * rest.z + differenceY.y * at.z, alongY.y - alongY.x);
}

// The field on the way from `from` to `to`: a cubic polynomial in s from 0 to 1.
struct Cubic
{
  vec4 values;      // at s = 0, 1/3, 2/3 and 1
  vec4 coefficient; // of s^0 to s^3
};

Cubic cubicOf(float field[8], vec3 from, vec3 to)
{
  Cubic cubic;
  const vec4 at = vec4(fieldAt(field, from), fieldAt(field, mix(from, to, 1.0 / 3.0)),
    fieldAt(field, mix(from, to, 2.0 / 3.0)), fieldAt(field, to));
  cubic.values = at;
  // Differences from the first value, so that large values do not take digits of the others.
  const float a = at.y - at.x, b = at.z - at.x, c = at.w - at.x;
  cubic.coefficient = vec4(at.x, 9 * a - 4.5 * b + c, -22.5 * a + 18 * b - 4.5 * c, 13.5 * a - 13.5 * b + 4.5 * c);
  return cubic;
}

float valueAt(Cubic cubic, float s)
{
  const vec4 k = cubic.coefficient;
  return k.x + s * (k.y + s * (k.z + s * k.w));
}

// Returns whether an extremum may matter. Not between equal signs if the control points as a Bezier curve have the same
// sign: then there is no zero. Not between different signs if those of the derivative have equal signs: then the
// polynomial is monotone.
bool mayTurn(Cubic cubic)
{
  const vec4 k = cubic.coefficient;
  const bool isPositive = cubic.values.x >= 0;
  if (isPositive == (cubic.values.w >= 0))
    return isPositive != (k.x + k.y / 3 >= 0) || isPositive != (k.x + (2 * k.y + k.z) / 3 >= 0);
  const bool rises = k.y >= 0;
  return rises != (k.y + k.z >= 0) || rises != (k.y + 2 * k.z + 3 * k.w >= 0);
}

// The extrema, in [0, 1] and ascending; 1 if there is none.
vec2 extremaOf(Cubic cubic)
{
  const vec4 sizes = abs(cubic.coefficient);
  const float size = max(max(sizes.y, sizes.z), max(sizes.w, 1e-30));
  const float first = cubic.coefficient.y / size, second = 2 * (cubic.coefficient.z / size),
              third = 3 * (cubic.coefficient.w / size);
  const float discriminant = second * second - 4 * third * first;
  if (!(discriminant > 0))
    return vec2(1);
  const float q = -0.5 * (second + (second < 0 ? -1.0 : 1.0) * sqrt(discriminant));
  const vec2 roots = vec2(q != 0 ? first / q : 2.0, third != 0 ? q / third : 2.0);
  const vec2 inside = mix(vec2(1), roots, bvec2(roots.x > 0 && roots.x < 1, roots.y > 0 && roots.y < 1));
  return vec2(min(inside.x, inside.y), max(inside.x, inside.y));
}

// The zero between s = low and s = high, at which the polynomial has different signs and between which it is
// monotone: repeated linear interpolation, with half of the value at an end that stays (M. Dowell, P. Jarratt, "A
// modified regula falsi method", BIT 11, 1971).
float zeroBetween(Cubic cubic, float low, float high, float atLow, float atHigh)
{
  int kept = 0;
  float s = high;
  for (int i = 0; i < RAY_ITERATIONS; ++i)
  {
    s = low + (high - low) * clamp(atLow / (atLow - atHigh), 0.0, 1.0);
    const float value = valueAt(cubic, s);
    if ((value >= 0) == (atHigh >= 0))
    {
      high = s;
      atHigh = value;
      atLow *= kept < 0 ? 0.5 : 1.0;
      kept = -1;
    }
    else
    {
      low = s;
      atLow = value;
      atHigh *= kept > 0 ? 0.5 : 1.0;
      kept = 1;
    }
  }
  return s;
}

// The first s in [0, 1] where the surface lies on the way from `from` to `to`; 2 if there is none.
float firstZero(float field[8], vec3 from, vec3 to)
{
  const Cubic cubic = cubicOf(field, from, to);
  float low = 0, atLow = cubic.values.x, high = 1, atHigh = cubic.values.w;
  if (mayTurn(cubic))
  {
    const vec2 extrema = extremaOf(cubic);
    const float atFirst = fieldAt(field, mix(from, to, extrema.x)), atSecond = fieldAt(field, mix(from, to, extrema.y));
    if ((atFirst >= 0) != (atLow >= 0))
    {
      high = extrema.x;
      atHigh = atFirst;
    }
    else if ((atSecond >= 0) != (atFirst >= 0))
    {
      low = extrema.x;
      atLow = atFirst;
      high = extrema.y;
      atHigh = atSecond;
    }
    else
    {
      low = extrema.y;
      atLow = atSecond;
    }
  }
  return (atHigh >= 0) != (atLow >= 0) ? zeroBetween(cubic, low, high, atLow, atHigh) : 2.0;
}

// Coordinates in a cell, from 0 to 1 along each axis, where the ray crosses a face at right angles to this axis (or
// NoAxis): at entry or at exit. There the coordinate is exactly 0 or 1, so the field depends on the corners of the face
// alone, and the cells on both sides compute the same: no crossing is lost between them. The same holds in padding
// without width.
vec3 pointInCell(Ray ray, ivec3 cell, float t, uint axis, bool isAtExit)
{
  const vec3 low = gridCoordinate(uvec3(cell)), width = gridCoordinate(uvec3(cell + 1)) - low;
  const vec3 point = positionFrom(ray, low, t);
  vec3 result;
  for (uint a = 0; a < 3; ++a)
    result[a] = a == axis || width[a] == 0 ? ((ray.step[a] > 0) == isAtExit ? 1.0 : 0.0) :
                                             clamp(point[a] / width[a], 0.0, 1.0);
  return result;
}

// The part of a ray in a cell, in coordinates of the cell.
struct Segment
{
  vec3 from;
  vec3 to;
};

// Returns the segment of the ray from its position to `exit`, where it leaves the cell across this axis.
Segment segmentThrough(Ray ray, RayPosition position, float exit, uint exitAxis)
{
  return Segment(
    pointInCell(ray, position.cell, position.t, position.axis, false),
    pointInCell(ray, position.cell, exit, exitAxis, true));
}
