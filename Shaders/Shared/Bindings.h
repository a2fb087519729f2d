// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Binding number of every buffer, the same in every kernel that uses it. Compiled by C++ and GLSL.
// BINDING_GEOMETRY is a uniform buffer, because all invocations read the same words. All others are storage buffers.
// BINDING_BRICK_RANGE holds only the high words of 64-bit keys.
#ifndef VMC_SHARED_BINDINGS_H
#define VMC_SHARED_BINDINGS_H

#define BINDING_SAMPLES 0       // uint word[]: packed samples, x fastest, little-endian; the first at any alignment
#define BINDING_BRICK_RANGE 1   // uvec2 range[firstRange + brick]: smallest and largest key, NaN left out
#define BINDING_TOTALS 2        // uint total[TOTAL_WORDS]
#define BINDING_BLOCK_SUM 3     // uint sum[BLOCK_SUM_... + part][block]
#define BINDING_SLOT_OF_BRICK 4 // uint slot[brick of the slab]: index into the active bricks, or NO_SLOT
#define BINDING_ACTIVE_BRICK 5  // uint brick[slot]: active bricks, ascending; of levels, then lists of groups
#define BINDING_CASE_TABLE 6    // uint word[case][CASE_WORDS]: see Constants.h
#define BINDING_ROWS 7          // uvec2 words[slot][row]: crossed edges and inside samples; counts. See Constants.h
#define BINDING_LOW_EDGES 8     // uint edges[slot][row]: of levels, towards coarser leaves; bits as in BINDING_ROWS
#define BINDING_VALID_CELLS 9   // uint word[slot][row / 4]: valid cells, 8 bits per row; only with blank samples
#define BINDING_BRICK_OFFSET 10 // uint value[array][slot]: points (0), triangles (1); counts, then offsets
#define BINDING_GEOMETRY 11     // Geometry
// Outputs. SETTING_WRITES has one bit for each of them.
#define BINDING_POSITION 12     // float position[point][3]
#define BINDING_POSITION_LOW 13 // float low[point][3]: rounding error of position
#define BINDING_NORMAL 14       // float normal[point][3]
#define BINDING_GRADIENT 15     // float gradient[point][3]
#define BINDING_CROSSING 16     // EdgeCrossing crossing[point]
#define BINDING_TRIANGLE_CELL                                                                                          \
  17 // uint sample[triangle][2]: index in the volume of the dual cell's minimum corner, low word first
#define BINDING_TRIANGLE 18 // uint pointId[triangle][3], or [triangle][3][2] with SETTING_WIDE_IDS
// Other buffers.
#define BINDING_ATTRIBUTE 19     // uint word[]: attribute values, packed like the samples
#define BINDING_INTERPOLATED 20  // float value[point][component]
#define BINDING_SHARED_VALUES 21 // float value[point][component]: read once per corner of each triangle
#define BINDING_CORNER_VALUES 22 // float value[triangle][3][component]
#define BINDING_GHOSTS 23        // uint word[]: GHOST_... flags of the image samples, 8 bits each
#define BINDING_DISPATCH 24      // uint workgroups[3]: one per active brick; of levels, then [LEVEL_GROUP_...][3]

#define BINDING_BINS 25        // BinTable, then uint threshold[]: keys, two words each for 64-bit samples, high first
#define BINDING_VALUE_COUNT 26 // uint count[2][slot], then HISTOGRAM_... words: samples, steps of cut cells
#define BINDING_BRICK_MASK 27  // uvec2 mask[group of bricks of the volume]: one bit per brick
#define BINDING_RAYS 28        // RayTable
#define BINDING_RAY_HIT 29     // RayHit hit[pixel], row by row
#define BINDING_RAY_BOUND 30   // uint bits[packet][2]: of t before all marked bricks; complement of that behind them

#define BINDING_COORDINATES 31 // GridCoordinate coordinate[grid position]: along x, then along y, then along z

#define BINDING_LEVELS 32       // LevelTable, then uint word[]
#define BINDING_LEVEL_SLOPES 33 // uint word[]: see LevelSlopes.glsl
#define BINDING_LEVEL_BLOCK_ROWS                                                                                       \
  34 // uint word[slot][LEVEL_BLOCK_ROWS]: of stitched bricks of levels, see LevelBlock.glsl

// Measures and regions of a surface.
#define BINDING_SUMS 35 // uint word[part][region or isovalue][SUM_WORDS]
#define BINDING_DIFFERENCE                                                                                             \
  36 // uint difference[point]: not 0 if an edge at the point has one triangle alone, but for a chance of 2^-32
#define BINDING_OPEN_EDGES 37 // uint word[OPEN_EDGE_WORDS]: the number of edges; then uint edge[][OPEN_EDGE_WORDS]
#define BINDING_PARENT 38 // uint distance[point]: to its parent, a smaller point of the same region; 0: it is a root
#define BINDING_REGION 39 // uint number[point]: of the region of a root
#define BINDING_RANK 40   // uint rank[region]: RegionId, or NO_SLOT: the region is removed
#define BINDING_BLOCK_COUNT 41   // uint count[block]: elements before the block; after the last block, all
#define BINDING_PLACE 42         // uint place[element]: its number among those that are kept, or NO_SLOT
#define BINDING_POINT_PLACE 43   // uint place[point]: the same of points
#define BINDING_REGION_ID 44     // uint rank[kept element]; of roots, point[region]
#define BINDING_OLD_VALUES 45    // uint word[element][component]
#define BINDING_KEPT_VALUES 46   // uint word[kept element][component]
#define BINDING_UNFINISHED 47    // uint flag: 1 if the pass must be repeated
#define BINDING_EDGE_OF_POINT 48 // uint edge[point]: 1 + the last listed one whose smaller point it is, or 0
#define BINDING_OPEN_SUMS 49     // uint word[region or isovalue][OPEN_SUM_WORDS]

#define BINDING_COUNT 50 // at most 64, because masks of bindings have 64 bits

#endif
