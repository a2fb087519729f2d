// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Constants of the host and the kernels. Compiled by C++ and GLSL: preprocessor only.
#ifndef VMC_SHARED_CONSTANTS_H
#define VMC_SHARED_CONSTANTS_H

// A brick owns 8 x 8 x 8 samples, the edges that leave them along +x, +y and +z, and the dual cells whose minimum
// corners they are. A row is the 8 samples of a brick along x; its number in the brick is 8 * z + y.
#define BRICK_SIZE 8
#define BRICK_ROWS (BRICK_SIZE * BRICK_SIZE)
// The dual cells of a brick touch 9 x 9 x 9 samples, in 9 x 9 rows.
#define BRICK_SAMPLES (BRICK_SIZE + 1)
#define BRICK_SAMPLE_ROWS (BRICK_SAMPLES * BRICK_SAMPLES)
// Words per brick of the volume: the smallest and the largest key.
#define BRICK_RANGE_WORDS 2
// Largest numbers of points (3 edges per sample) and triangles (5 per dual cell) of one brick.
#define BRICK_MAX_POINTS (3 * BRICK_SIZE * BRICK_ROWS)
#define BRICK_MAX_TRIANGLES (5 * BRICK_SIZE * BRICK_ROWS)

// First word of a row: which of its 24 edges cross the isosurface, and which of its 8 samples are inside, undefined
// beyond the grid. Second word: points of its brick before the row; from bit 16 triangles (of levels: 0).
#define ROW_SHIFT_X 0
#define ROW_SHIFT_Y 8
#define ROW_SHIFT_Z 16
#define ROW_SHIFT_INSIDE 24
#define ROW_EDGE_BITS 0xFFFFFFu

// slotOfBrick of a brick that the isosurface does not touch.
#define NO_SLOT 0xFFFFFFFFu

// Bricks along an axis of the grid, from its samples along the axis.
#define BRICKS_ALONG(samples) (((samples) + BRICK_SIZE - 1) / BRICK_SIZE)
// The factor by which quotientBy (Slab.glsl) multiplies, to divide by the divisor. The divisor must not be 0.
#define RECIPROCAL(divisor) (0xFFFFFFFFu / (divisor))

// Words per active brick.
#define ROW_WORDS (2 * BRICK_ROWS)        // two per row
#define VALID_CELL_WORDS (BRICK_ROWS / 4) // 8 bits per row, only with blank samples

// Meaning of the bits of a sample: values of SPECIALIZE_SAMPLE_KIND.
#define SAMPLE_UNSIGNED 0
#define SAMPLE_SIGNED 1
#define SAMPLE_FLOAT 2

// Numbers of the specialization constants.
#define SPECIALIZE_SAMPLE_BYTES 0
#define SPECIALIZE_SAMPLE_KIND 1
#define SPECIALIZE_BLANKING 2
#define SPECIALIZE_GHOSTS 3
#define SPECIALIZE_PADDED 4
#define SPECIALIZE_SLOPES 5
#define SPECIALIZE_ALIGNED 6
#define SPECIALIZE_SLOTS 7      // of the histogram, see HISTOGRAM_SLOTS
#define SPECIALIZE_BRICK_KIND 8 // BRICK_IS_..., of all bricks of a dispatch
#define SPECIALIZE_ELEMENT 9    // ELEMENT_...
#define SPECIALIZE_BY_REGION 10 // whether sums are by region; whether regions of elements are written
#define SPECIALIZE_MEASURES 11  // whether more than the number of triangles is summed
#define SPECIALIZE_NESTED 12    // of levels: whether no cell is covered in part

// Points or triangles that a workgroup of an emitting kernel lists at a time. Shared memory limits the number of
// workgroups that run together.
#define EMIT_LIST_SIZE 256

// Bits of SlabConstants::settings. One bit per output says whether the emitting kernels write it (binding: Bindings.h).
#define SETTING_WRITES(binding) (1u << ((binding)-BINDING_POSITION))
#define SETTING_FLIP_WINDING (1u << 16) // the geometry mirrors
#define SETTING_CLOSED (1u << 17)       // the outermost padding layers count as below every isovalue
#define SETTING_WIDE_IDS (1u << 18)     // point ids have 64 bits

// Flags of a sample (BINDING_GHOSTS).
#define GHOST_BLANK 1u     // the sample has no valid value: its dual cells are invalid, and gradients leave it out
#define GHOST_NOT_OWNED 2u // another piece owns the sample and the dual cell whose minimum corner it is

// An exclusive scan works on blocks of SCAN_BLOCK_SIZE bricks: one workgroup per block, one run of bricks per
// invocation.
#define SCAN_GROUP_SIZE 256
#define SCAN_RUN 4
#define SCAN_BLOCK_SIZE (SCAN_GROUP_SIZE * SCAN_RUN)

// Arrays of BINDING_BLOCK_SUM, which have one word per block. Sums of points and of triangles have parts, each in an
// array, because additions near each other wait for each other: slot s adds to part s % BLOCK_SUM_PARTS.
#define BLOCK_SUM_PARTS 8
#define BLOCK_SUM_ACTIVE 0                                       // active bricks of each block of bricks of the slab
#define BLOCK_SUM_POINTS 1                                       // points of each block of active bricks
#define BLOCK_SUM_TRIANGLES (BLOCK_SUM_POINTS + BLOCK_SUM_PARTS) // triangles of each block of active bricks
#define BLOCK_SUM_ARRAYS (BLOCK_SUM_TRIANGLES + BLOCK_SUM_PARTS)

// Workgroup sizes of the kernels with one element per invocation. Those that do little for each element of a mesh have
// larger ones: a GPU begins small workgroups more slowly than such a kernel ends them. On an H200, ListOpenEdges takes
// a third less time, the others a fifth.
#define LINEAR_GROUP_SIZE 64
#define MESH_GROUP_SIZE 256

// Words of BINDING_TOTALS. OWN: of the bricks before the halo layer.
#define TOTAL_ACTIVE 0
#define TOTAL_OWN_ACTIVE 1
#define TOTAL_OWN_POINTS 2
#define TOTAL_OWN_TRIANGLES 3
#define TOTAL_POINTS 4
#define TOTAL_TRIANGLES 5
#define TOTAL_HAS_NAN 6
#define TOTAL_INVERTED_SMALLEST_KEY 7 // ~key: without samples both are 0, as in cleared totals
#define TOTAL_LARGEST_KEY 8
#define TOTAL_WORDS 9

// Levels. A brick is numbered among those of all levels, the coarsest first; a leaf is named by the number of its
// sample, which is BRICK_CELLS times the brick plus its number in the brick.
#define LEVELS_MOST 64
#define BRICK_CELLS (BRICK_SIZE * BRICK_ROWS)
#define BRICK_BIT_WORDS (BRICK_CELLS / 32)
#define NO_LEAF 0xFFFFFFFFu
// Words per brick in LevelTable::bricks: x, y and z in bricks of its level; the level, and its kind from bit 8.
#define LEVEL_BRICK_WORDS 4
#define BRICK_IS_PLAIN 0 // the values of BrickKind
#define BRICK_IS_BORDERED 1
#define BRICK_IS_MASKED 2
#define BRICK_IS_STITCHED 3
// Groups of active bricks of levels. A pass has a dispatch for each of them, with a kernel for the kind of its bricks.
#define LEVEL_GROUP_PLAIN 0
#define LEVEL_GROUP_MASKED 1 // and bordered
#define LEVEL_GROUP_UNCUT 2  // stitched, but no stitched cell has a triangle
#define LEVEL_GROUP_STITCHED 3
#define LEVEL_GROUPS 4
// Words per brick of BINDING_ACTIVE_BRICK: an active brick, then a slot of each group. The sizes of the groups follow.
#define LEVEL_LIST_WORDS (1 + LEVEL_GROUPS)
// Words per pair of levels in LevelTable::pairs, three each: cells of the finer level per cell of the coarser one; r
// and o, with which the cell i of the finer level lies in the cell o + floor((r + i) / cells) of the coarser one.
#define LEVEL_PAIR_WORDS 9
// Words per level in LevelTable::domains: along x, y and z, the first cell in the domain, then the first one behind it.
#define LEVEL_DOMAIN_WORDS 6
// Cells of a level along each axis, counted from the first one, are below this number.
#define LEVEL_MOST_CELLS (1 << 24)
// The block of a brick consists of its cells and one cell around them. Its rows lie along x.
#define LEVEL_BLOCK_SIZE (BRICK_SIZE + 2)
#define LEVEL_BLOCK_ROWS (LEVEL_BLOCK_SIZE * LEVEL_BLOCK_SIZE)
// A page has 8 x 8 x 8 entries.
#define LEVEL_PAGE_SHIFT 3

// EdgeCrossing::place: bits 0 and 1 are the axis. For each axis follows how many padding layers the start lies beyond
// the image sample that it repeats, as a signed number. The other bits are for the host.
#define CROSSING_OFFSET_SHIFT 2
#define CROSSING_OFFSET_BITS 3
#define CROSSING_HOST_SHIFT (CROSSING_OFFSET_SHIFT + 3 * CROSSING_OFFSET_BITS)

// Rays. A group of 4 x 4 x 4 bricks has one bit per brick in two words.
#define BRICK_GROUP_SIZE 4
#define BRICK_GROUP_BRICKS (BRICK_GROUP_SIZE * BRICK_GROUP_SIZE * BRICK_GROUP_SIZE)
#define RAY_GROUP_SIDE 8 // pixels along each side of a packet: the square of a workgroup
#define RAY_GROUP_SIZE (RAY_GROUP_SIDE * RAY_GROUP_SIDE)
// The value of both words of BINDING_RAY_BOUND if no marked brick covers the packet.
#define RAY_NO_BOUND 0xFFFFFFFFu
// Linear interpolations until a crossing is found.
#define RAY_ITERATIONS 8
// Every word of a RayHit without a crossing: the bits of infinity.
#define RAY_NO_HIT 0x7F800000u

// Histogram. The thresholds are the edges and the centres of the bins in ascending order; the rank of a sample is the
// number of thresholds that are not above it. With n bins there are n + 2 slots of samples (below the bins, the bins,
// above them) and n + 1 slots of cells: (rank + 1) / 2 and rank / 2. The rank of an 8-bit sample is its key + 1, and is
// its slot. A sample outside the domain (Slab.glsl, isOutside) has rank 0.
#define HISTOGRAM_LARGEST_BINS 1024 // the counters fit shared memory of 16 KiB
#define HISTOGRAM_SLOTS(bins) ((bins) + 2)
#define HISTOGRAM_BYTE_SLOTS 257
#define HISTOGRAM_GROUP_SIZE 256
// A run of CountValues, which one invocation counts: dual cells along x, y and z. Few bytes along x, so that
// neighbouring invocations read neighbouring memory.
#define HISTOGRAM_RUN_CELLS(sampleBytes) ((sampleBytes) >= 2 ? 4u : 8u)
#define HISTOGRAM_RUN_ROWS(sampleBytes) ((sampleBytes) >= 2 ? 2u : 1u)
#define HISTOGRAM_MOST_RUN_ROWS 2
#define HISTOGRAM_RUN_LAYERS 32u
// Words of BINDING_VALUE_COUNT, from the end of both arrays of slots.
#define HISTOGRAM_NAN 0
#define HISTOGRAM_GHOSTS 1
#define HISTOGRAM_EXTRA_WORDS 2

// Measures and regions of a surface. Values of SPECIALIZE_ELEMENT: the elements that are counted or kept.
#define ELEMENT_ROOT 0 // points without a parent
#define ELEMENT_POINT 1
#define ELEMENT_TRIANGLE 2
// Words of BINDING_SUMS. Sums have FIXED_WORDS each: see Fixed.glsl.
#define FIXED_WORDS 3
#define SUM_TRIANGLES 0
#define SUM_AREA 1   // of twice the area
#define SUM_VOLUME 4 // of six times the volume between the triangle and the first point
#define SUM_MOMENT 7 // of six times the area times the vector from the first point to the centroid, along x, y and z
// Keys of the smallest coordinates of corners along x, y and z, inverted, then of the largest ones. Keys of floats have
// their order; 0 is below all of them.
#define SUM_EXTENT 16
#define SUM_FIRST 22 // bits of the coordinates of the first point: of a region, its smallest one
#define SUM_WORDS 25
// Magnitudes of all sums are below 2^FIXED_BITS.
#define FIXED_BITS 94
// Triangles of an invocation of the kernels that sum.
#define SUM_RUN 16
// Words per listed edge: the smaller point, the larger one, the region or isovalue with EDGE_IS_REVERSED if its
// triangle passes it from the larger to the smaller point, and 1 + the edge that was listed before it for the smaller
// point, or 0.
#define OPEN_EDGE_WORDS 4
#define EDGE_IS_REVERSED 0x80000000u
// Words of BINDING_OPEN_SUMS.
#define OPEN_EDGES 0
#define OPEN_VECTOR_AREA 1 // along x, y and z: of twice the vector area, the sum over triangles of area times normal
#define OPEN_SUM_WORDS 10
// Steps towards the root of a tree, and attempts to join two trees, until the pass must be repeated.
#define FOREST_STEPS 256
#define FOREST_ATTEMPTS 32
// Triangles of an invocation of JoinNearby, and the points that its workgroup joins.
#define JOIN_RUN 8
#define NEAR_POINTS 512

// Case table. Each case has a word for each of its triangles, then words of 0. From the lowest bit up, the word of a
// triangle has three edges (EDGE_PLACE in Cell.h) and the number of the case's triangles from this one on.
#define CASE_COUNT 256
#define CASE_WORDS 5
#define CASE_EDGE_BITS 7
#define CASE_TRIANGLES_SHIFT (3 * CASE_EDGE_BITS)

#endif
