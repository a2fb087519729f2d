// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Push constants and small buffers of the host and the kernels. Compiled by C++ (namespace vmc) and GLSL.
// Every member is a 4-byte scalar, or a vector of four of which three are used: so both languages give it the same
// layout. A push-constant block has at most 128 bytes.
#ifndef VMC_SHARED_STRUCTS_H
#define VMC_SHARED_STRUCTS_H

#include "Shared/Constants.h"

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
// The grid consists of the image samples and, at each side where the surface is to reach the border of the domain, one
// or two padding layers. Bricks are measured in grid samples, windows in image samples. A slab is a range of brick
// layers along z. It may end with a halo layer, the first layer of the next slab: this layer is classified, and counted
// or copied from the next slab, because triangles refer to its points, but not emitted.
struct SlabConstants
{
  uint sizeX;            // samples of the grid along x, padding included
  uint sizeY;            // along y
  uint sizeZ;            // along z
  uint windowLayer;      // first z-layer of image samples in the window
  uint windowOffset;     // samples from the start of the binding to the first sample of that layer
  uint reciprocalX;      // RECIPROCAL of the number of bricks of the volume along x
  uint reciprocalY;      // along y
  uint brickLayer;       // first brick layer of the slab
  uint brickCount;       // bricks of the slab, halo layer included
  uint ownBrickCount;    // bricks that the slab emits
  uint maxGroups;        // largest number of workgroups of a dispatch along one axis
  uint activeCapacity;   // capacity of the buffers in active bricks; the stride of BINDING_BRICK_OFFSET
  uint pointCapacity;    // capacity of the output buffers in points
  uint triangleCapacity; // in triangles
  uint pointBase;        // id of the slab's first point
  uint pointStart;       // points in the bound outputs before the slab's first point
  uint triangleStart;    // triangles in the bound outputs before the slab's first triangle
  uint thresholdKey;     // a sample is inside if its key is not below this one
  uint thresholdLow;     // 64-bit samples: low word of that key. Others: 0
  uint selectUpTo;       // active brick: smallest key <= selectUpTo and largest key >= thresholdKey
  float isovalueHigh;    // 32-bit floats: isovalue = (high + low) * 2^exponent. Others: unused
  float isovalueLow;     // 32-bit floats: see above. Integers: threshold - isovalue, in [0, 1]
  int isovalueExponent;  // 32-bit floats: see above
  uint isovalueLowWord;  // 64-bit floats: low word of the isovalue. Others: unused
  uint isovalueHighWord; // 64-bit floats: high word of the isovalue. Others: unused
  uint settings;         // SETTING_... in Constants.h
  uint padding;          // number of layers at the low sides of x, y, z, then at the high sides: 2 bits each
  float border;          // distance of the padding from the outermost image samples in steps: 0 or 0.5
  uint ghostOffset;      // bytes from the start of BINDING_GHOSTS to the first flag of the window
  uint isovalueNumber;   // of the isovalues of a request; only for CastRays
  uint levelGroup;       // LEVEL_GROUP_... of the bricks of the dispatch; only of levels
  uint firstRange;       // number of the slab's first brick in BINDING_BRICK_RANGE
};

// Index space to world space. A coordinate is the unevaluated sum of two floats: so a large origin does not remove the
// fraction of a cell.
struct Geometry
{
  vec4 originHigh;  // world position of sample (0, 0, 0) of the volume
  vec4 originLow;   // its low part
  vec4 axisHigh[3]; // world vector of one step along x, y, z
  vec4 axisLow[3];  // their low parts
  // Rows of the inverse transpose of the matrix above. Each column is divided by a power of two, so that its largest
  // element is in [1, 2).
  vec4 gradientToWorld[3];
  ivec4 gradientExponent; // exponents of these powers
};

// The coordinate of a grid position along an axis that is parallel to the same axis of the world.
struct GridCoordinate
{
  float high;   // in the world
  float low;    // its low part
  float toNext; // distance to the next grid position; not used at the last one
};

// A level of a hierarchy.
struct LevelEntry
{
  uint firstBrick; // bricks of the coarser levels
  uint pages;      // place in the words: [z][y][x]: of the page's entries, or NO_SLOT; an entry is a brick or NO_SLOT
  uint pagesX;     // pages along x
  uint pagesY;     // along y
  uint pagesZ;     // along z
  int firstX;      // the first cell along x, counted from the origin of the level's geometry
  int firstY;      // along y
  int firstZ;      // along z
};

// The leaves of a hierarchy of levels. Places are numbers of words after the table.
struct LevelTable
{
  uint levels;        // number of levels
  uint pairs;         // place of LEVEL_PAIR_WORDS per pair of levels: pair fine * (fine - 1) / 2 + coarse
  uint bricks;        // place of LEVEL_BRICK_WORDS per brick
  uint leaves;        // place of one bit per sample: whether it is that of a leaf with a value
  uint hiding;        // of a cell that hides coarser leaves without being a leaf; not read with SPECIALIZE_NESTED
  uint partlyCovered; // of a cell that finer cells cover in part; not read with SPECIALIZE_NESTED
  uint notOwned;      // of a cell of another piece; NO_SLOT: there is none
  uint outside;       // of a leaf that counts as below every isovalue; NO_SLOT: there is none
  uint domains;       // place of LEVEL_DOMAIN_WORDS per level; NO_SLOT: the surface ends at the outermost centres
  LevelEntry level[LEVELS_MOST];
};

// A crossed edge, for the attributes and the name of its point.
struct EdgeCrossing
{
  uint start;     // sample at the first end: its index in the window, or the number of a leaf
  uint end;       // sample at the other end
  float fraction; // of the way from start to end
  uint place;     // of a volume: the axis and CROSSING_OFFSET_...; of levels: the other leaf, also if it is outside
};

// Push constants of InterpolateAttribute and RepeatCorners.
struct ValueConstants
{
  uint start;        // points, or corners of triangles, in the bound arrays before the first one
  uint count;        // points, or corners of triangles
  uint components;   // values per point
  uint windowOffset; // values from the start of the binding to the first value of the window
};

// The exponents of the units of fixed-point sums over triangles: lengths are divided by 2^unit, and what is summed is
// multiplied by 2^[area, ...].
struct FixedUnits
{
  int unit;
  int area;
  int volume;
  int moment;
  int vectorArea;
};

// Push constants of the kernels of measures and regions.
struct MeshConstants
{
  uint points;        // of the mesh
  uint triangles;     // of the mesh
  uint idWords;       // words per point id: 1 or 2
  uint firstTriangle; // of those that are summed
  uint lastTriangle;  // behind them
  uint key;           // of the sums, unless triangles are summed by region
  uint keys;          // isovalues or regions
  uint parts;         // of the sums of each key
  uint firstPoint;    // of the key
  uint capacity;      // of BINDING_OPEN_EDGES in edges
  uint components;    // words per element of `points` elements
  uint keptIdWords;   // words per point id of the kept triangles
  uint blocks;        // of elements
  FixedUnits units;   // of sums
};

// The bins of a histogram: where a sample lies in the list of thresholds, and where it must be compared with them. The
// position of threshold i is i + 0.5: so the integer that is nearest to a sample's position is the number of thresholds
// of the list that are not above the sample. Positions are divided by the number of thresholds in the list.
struct BinTable
{
  uint thresholds;       // in the list
  uint firstRank;        // thresholds before the list: no value of the sample type is below them
  uint referenceKey;     // a sample
  uint referenceLow;     // 64-bit samples: low word of its key. Others: 0
  int exponent;          // of differences from it, see sampleDifference
  float scale;           // of these differences to positions
  float offset;          // position of the reference
  float certainFraction; // a sample farther from the nearest integer is compared with the thresholds there; undivided
};

// Rays through the centres of pixels, in index space: from a point of the near plane (element 0) to one of the far
// plane (element 1). A point is origin + x * stepX + y * stepY for pixel (x, y); coordinates are unevaluated sums of
// two floats, in steps from the first image sample. Backwards, a position in index space is at t = toDistance *
// (position, 1) and in pixel (toPixelX, toPixelY) * (position, 1) / (1 + (ratio - 1) * t).
struct RayTable
{
  vec4 originHigh[2];
  vec4 originLow[2];
  vec4 stepXHigh[2];
  vec4 stepXLow[2];
  vec4 stepYHigh[2];
  vec4 stepYLow[2];
  vec4 toPixelX; // all four are used
  vec4 toPixelY;
  vec4 toDistance;
  uint width; // pixels
  uint height;
  float ratio;     // distance of the far plane from the eye divided by that of the near plane; 1: parallel projection
  float nearDepth; // of the planes in the depth buffer, in [0, 1]
  float farDepth;
  uint padding0; // to a multiple of 16 bytes
  uint padding1;
  uint padding2;
};

// The first crossing of a ray and an isosurface.
struct RayHit
{
  float t;       // share of the way from the near point to the far point
  float depth;   // in the depth buffer
  uint normal;   // unit vector in world space on the side of lower values: octahedral, two 16-bit signed numbers
  uint isovalue; // number of the isovalue in the request; RAY_NO_HIT: no crossing
};

#ifdef __cplusplus
static_assert(sizeof(RayTable) == 68 * 4 && sizeof(RayHit) == 4 * 4, "no padding");
static_assert(sizeof(SlabConstants) <= 128, "push constants are limited to 128 bytes");
static_assert(sizeof(SlabConstants) == 32 * 4 && sizeof(Geometry) == 48 * 4 && sizeof(BinTable) == 8 * 4, "no padding");
static_assert(sizeof(GridCoordinate) == 3 * 4 && sizeof(EdgeCrossing) == 4 * 4, "no padding");
static_assert(sizeof(LevelTable) == (9 + 8 * LEVELS_MOST) * 4, "no padding");
}
#endif

#endif
