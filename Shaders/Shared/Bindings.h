// Binding number of every buffer, the same in every kernel that uses it. Compiled by C++ and GLSL.
// All are storage buffers but the geometry, which every invocation reads alike: a uniform buffer.
// Of the keys of 64-bit samples BINDING_BRICK_RANGE holds the high words.
#ifndef VMC_SHARED_BINDINGS_H
#define VMC_SHARED_BINDINGS_H

#define BINDING_SAMPLES 0          // uint word[]: samples packed x-fastest, little-endian, any alignment of the first
#define BINDING_BRICK_RANGE 1      // uvec2 range[brick of the volume]: smallest and largest sample key, NaN left out
#define BINDING_TOTALS 2           // uint total[TOTAL_WORDS]
#define BINDING_BLOCK_SUM 3        // uint sum[BLOCK_SUM_...][block]: sums over blocks of bricks, or of active bricks
#define BINDING_SLOT_OF_BRICK 4    // uint slot[brick of the slab]: index into the active bricks, or NO_SLOT
#define BINDING_ACTIVE_BRICK 5     // uint brick[slot]: active bricks of the slab, ascending
#define BINDING_CASE_TABLE 6       // uint word[]: triangles of each case, then their numbers (Constants.h)
#define BINDING_ROW_EDGES 7        // uint word[slot][row]: crossed edges and inside samples
#define BINDING_ROW_POINT_OFFSET 8 // uint pair[slot][row / 2]: points of the brick before the row, 16 bits each
#define BINDING_VALID_CELLS 9      // uint live[slot][row / 4]: 8 bits a row, only with blank samples
#define BINDING_BRICK_OFFSET 10    // uint value[array][slot]: points (array 0) and triangles (1): counts, then offsets
#define BINDING_GEOMETRY 11        // Geometry
// Outputs: from POSITION on, each with a bit SETTING_WRITES.
#define BINDING_POSITION 12      // float position[point][3]
#define BINDING_POSITION_LOW 13  // float low[point][3]: what the rounding of position to float left over
#define BINDING_NORMAL 14        // float normal[point][3]
#define BINDING_GRADIENT 15      // float gradient[point][3]
#define BINDING_CROSSING 16      // uvec2 crossing[point]: sample index in the window; axis and fraction
#define BINDING_TRIANGLE_CELL 17 // uint sample[triangle]: minimum corner of the dual cell, counted from the window
#define BINDING_TRIANGLE 18      // uint pointId[triangle][3]
// Others.
#define BINDING_ATTRIBUTE 19     // uint word[]: attribute values packed like the samples
#define BINDING_INTERPOLATED 20  // float value[point][component]
#define BINDING_SHARED_VALUES 21 // float value[point][component], to be repeated for each corner of each triangle
#define BINDING_CORNER_VALUES 22 // float value[triangle][3][component]
#define BINDING_GHOSTS 23        // uint word[]: GHOST_... flags of the image samples, a byte each
#define BINDING_DISPATCH 24      // uint groups[3]: of a dispatch of one group an active brick

#define BINDING_COUNT 25

#endif
