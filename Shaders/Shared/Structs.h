// Push constants and small buffers that host and kernels share. Compiled by C++ (namespace vmc) and GLSL.
// Every member is a 4-byte scalar, or a vector of four of which three are used, so that both sides lay them out alike;
// at most 128 bytes a push-constant block.
#ifndef VMC_SHARED_STRUCTS_H
#define VMC_SHARED_STRUCTS_H

#ifdef __cplusplus
#include <array>
#include <cstdint>
namespace vmc
{
using uint = std::uint32_t;
using vec4 = std::array<float, 4>;
using ivec4 = std::array<std::int32_t, 4>;
#endif

// One slab of the volume and one isovalue: push constants of every kernel that works on bricks or samples.
// Kernels work on a grid of samples: those of the image and, where the surface shall reach the border of the domain,
// one or two padding layers at each such side. Bricks count grid samples, windows count image samples. A slab is a
// range of brick layers along z. It may end with a look-ahead layer, which is classified and counted, so that triangles
// can name its points, but not emitted: it is the first layer of the next slab.
struct SlabConstants
{
  uint sizeX; // samples of the grid along each axis, padding included
  uint sizeY;
  uint sizeZ;
  uint windowLayer;  // first z-layer of image samples in the bound window
  uint windowOffset; // samples from the start of the binding to the first sample of that layer
  uint bricksX;      // bricks of the volume along x and y
  uint bricksY;
  uint brickLayer;     // first brick layer of the slab
  uint brickCount;     // bricks of the slab, look-ahead layer included
  uint ownBrickCount;  // bricks that the slab emits
  uint maxGroups;      // of one dispatch along one axis
  uint activeCapacity; // active bricks that the buffers have room for: the stride of BINDING_BRICK_OFFSET
  uint pointCapacity;  // points and triangles, likewise
  uint triangleCapacity;
  uint pointBase;    // id of the slab's first point
  uint thresholdKey; // a sample is inside when its key is not below this one ...
  uint thresholdLow; // ... and, in 64-bit samples of that key, its low word is not below this one; else 0
  uint selectUpTo;   // a brick is active when its smallest key is not above this and its largest not below thresholdKey
  float isovalueHigh;   // 32-bit float samples: isovalue = (high + low) * 2^exponent. Others: unused
  float isovalueLow;    // see above. Integers: threshold - isovalue, in [0, 1]
  int isovalueExponent; // see above
  uint isovalueLowWord; // 64-bit float samples: the two words of the isovalue. Others: unused
  uint isovalueHighWord;
  uint settings;    // SETTING_... in Constants.h
  uint padding;     // layers at the low side of x, y, z, then at the high side: 2 bits each
  float border;     // where padding lies: steps beyond the outermost image samples, 0 or 0.5
  uint ghostOffset; // bytes from the start of BINDING_GHOSTS to the first flag of the window
};

// Index space to world space. A coordinate is kept as the unevaluated sum of two floats, so that a large origin does
// not cost the fraction of a cell.
struct Geometry
{
  vec4 originHigh; // world position of sample (0, 0, 0) of the volume
  vec4 originLow;
  vec4 axisHigh[3]; // world vector of one step along x, y, z
  vec4 axisLow[3];
  // Rows of the inverse transpose of the matrix above, each column divided by a power of two so that its largest
  // element is in [1, 2); and the exponents of these powers.
  vec4 gradientToWorld[3];
  ivec4 gradientExponent;
};

// Push constants of InterpolateAttribute and RepeatCorners.
struct ValueConstants
{
  uint count;        // points, or corners of triangles
  uint components;   // values a point
  uint windowOffset; // samples from the start of the binding to the first sample of the window
  uint strideY;      // samples from one row to the next
  uint strideZ;      // samples from one layer to the next
};

#ifdef __cplusplus
static_assert(sizeof(SlabConstants) <= 128, "push constants are limited to 128 bytes");
static_assert(sizeof(SlabConstants) == 27 * 4 && sizeof(Geometry) == 48 * 4, "no padding");
}
#endif

#endif
