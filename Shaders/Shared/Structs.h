// Push constants and small buffers that host and kernels share. Compiled by C++ (namespace vmc) and GLSL.
// Every member is a 4-byte scalar, so that both sides lay them out alike; at most 128 bytes a push-constant block.
#ifndef VMC_SHARED_STRUCTS_H
#define VMC_SHARED_STRUCTS_H

#ifdef __cplusplus
#include <cstdint>
namespace vmc
{
using uint = std::uint32_t;
#endif

// One slab of the volume and one isovalue: push constants of every kernel that works on bricks or samples.
// A slab is a range of brick layers along z. It may end with a look-ahead layer, which is classified and counted, so
// that triangles can name its points, but not emitted: it is the first layer of the next slab.
struct SlabConstants
{
  uint sizeX; // samples of the volume along each axis
  uint sizeY;
  uint sizeZ;
  uint windowLayer; // first z-layer of samples in the bound window
  uint windowSkew;  // samples from the start of the binding to the first sample of that layer
  uint bricksX;     // bricks of the volume along x and y
  uint bricksY;
  uint brickLayer;        // first brick layer of the slab
  uint brickCount;        // bricks of the slab, look-ahead layer included
  uint ownBrickCount;     // bricks that the slab emits
  uint activeCount;       // active bricks among brickCount: the stride of BINDING_BRICK_OFFSET
  uint emitCount;         // active bricks to emit
  uint pointBase;         // id of the slab's first point
  uint thresholdKey;      // a sample is inside when its key is not below this one
  float isovalueHigh;     // float samples: isovalue = high + low. Integers: unused
  float isovalueLow;      // float samples: see above. Integers: threshold - isovalue, in [0, 1)
  uint flipWinding;       // 1 when the geometry mirrors
  uint writesNormals;     // 1: EmitPoints writes BINDING_NORMAL
  uint writesCrossings;   // 1: EmitPoints writes BINDING_CROSSING
};

// Index space to world space. A coordinate is kept as the unevaluated sum of two floats, so that a large origin does
// not cost the fraction of a cell.
struct Geometry
{
  float originHigh[3]; // world position of sample (0, 0, 0) of the volume
  float originLow[3];
  float axisHigh[9]; // world vector of one step along x, y, z: axis[3 * axis + component]
  float axisLow[9];
  float gradientToWorld[9]; // rows of the inverse transpose of the matrix above: [3 * component + axis]
};

// Push constants of ReduceBlocks, ScanBlocks and ScanElements. Group y works on array y.
struct ScanConstants
{
  uint elementCount; // elements of each array
  uint blockCount;   // blocks of each array
  uint splitElement; // index of an element whose offset is also wanted; elementCount or more: none
  uint splitTotal;   // word of the totals buffer that takes it, for array 0; array 1 takes the next one
  uint sumTotal;     // word of the totals buffer that takes the sum of array 0; array 1 takes the next one
};

// Push constants of InterpolateAttribute and RepeatCorners.
struct ValueConstants
{
  uint count;           // points, or corners of triangles
  uint components;      // values a point
  uint windowSkew;      // samples from the start of the binding to the first sample of the window
  uint strideY;         // samples from one row to the next
  uint strideZ;         // samples from one layer to the next
  uint firstId;         // RepeatCorners: id of the point whose values come first
};

#ifdef __cplusplus
static_assert(sizeof(SlabConstants) <= 128, "push constants are limited to 128 bytes");
static_assert(sizeof(SlabConstants) == 19 * 4 && sizeof(Geometry) == 33 * 4, "only 4-byte members");
}
#endif

#endif
