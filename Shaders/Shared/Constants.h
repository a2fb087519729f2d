// Constants that the C++ host and the GLSL kernels must agree on. Compiled by both; preprocessor only.
#ifndef VMC_SHARED_CONSTANTS_H
#define VMC_SHARED_CONSTANTS_H

// A brick owns 8 x 8 x 8 samples: the edges that leave each of them along +x, +y and +z, and the dual cell whose
// minimum corner each of them is. A row is the 8 samples of a brick along x; row = 8 * z + y inside the brick.
#define BRICK_SIZE 8
#define BRICK_ROWS 64
// The dual cells of a brick touch 9 x 9 x 9 samples.
#define BRICK_SAMPLES 9
// Words of device memory per brick of the volume: the smallest and the largest key.
#define BRICK_RANGE_WORDS 2
// Most points (3 edges a sample) and triangles (5 a dual cell) that one brick can make.
#define BRICK_MAX_POINTS 1536
#define BRICK_MAX_TRIANGLES 2560

// Row word: which of the row's 24 edges cross the isosurface, and which of its 8 samples are inside.
#define ROW_SHIFT_X 0
#define ROW_SHIFT_Y 8
#define ROW_SHIFT_Z 16
#define ROW_SHIFT_INSIDE 24

// slotOfBrick of a brick that the isosurface does not touch.
#define NO_SLOT 0xFFFFFFFFu

// Words of device memory an active brick takes: row words, and row point offsets packed in pairs.
#define ROW_WORDS BRICK_ROWS
#define ROW_OFFSET_WORDS (BRICK_ROWS / 2)
// With blank samples only: 8 live-cell bits a row, four rows a word.
#define VALID_CELL_WORDS (BRICK_ROWS / 4)

// What the bits of a sample mean (specialization constant SAMPLE_KIND).
#define SAMPLE_UNSIGNED 0
#define SAMPLE_SIGNED 1
#define SAMPLE_FLOAT 2

// Specialization constant numbers.
#define SPECIALIZE_SAMPLE_BYTES 0
#define SPECIALIZE_SAMPLE_KIND 1
#define SPECIALIZE_BLANKING 2
#define SPECIALIZE_GHOSTS 3
#define SPECIALIZE_PADDED 4
#define SPECIALIZE_SLOPES 5
#define SPECIALIZE_ALIGNED 6
#define SPECIALIZE_GPU 7
#define SPECIALIZE_GROUP_SIZE 8 // of the kernels that work on a brick

// Triangles or points of a brick that a group of an emitting kernel lists at a time on a GPU, where shared memory
// limits how many groups run at once. Software Vulkan lists all.
#define GPU_LIST_SIZE 256

// Bits of SlabConstants::settings: which outputs the emitting kernels write, by binding (Bindings.h), and others.
#define SETTING_WRITES(binding) (1u << ((binding)-BINDING_POSITION))
#define SETTING_FLIP_WINDING (1u << 16) // the geometry mirrors
#define SETTING_CLOSED (1u << 17)       // the outermost padding layers count as below every isovalue

// Flags of a sample (BINDING_GHOSTS). Blank: its value means nothing; a dual cell that touches it makes nothing, and
// gradients leave it out. Foreign: another piece owns it, and the dual cell whose minimum corner it is.
#define GHOST_BLANK 1u
#define GHOST_NOT_OWNED 2u

// Exclusive scans work on blocks of this many bricks: one group of SCAN_GROUP_SIZE invocations, each with a run.
#define SCAN_GROUP_SIZE 256
#define SCAN_RUN 4
#define SCAN_BLOCK_SIZE 1024

// Arrays of block sums (BINDING_BLOCK_SUM), each with a sum for every block of bricks of the slab: active bricks; and
// of each block of active bricks the points and the triangles.
#define BLOCK_SUM_ACTIVE 0
#define BLOCK_SUM_POINTS 1
#define BLOCK_SUM_TRIANGLES 2
#define BLOCK_SUM_ARRAYS 3

// Group size of the kernels that take one element an invocation.
#define LINEAR_GROUP_SIZE 64

// Words of the totals buffer.
#define TOTAL_ACTIVE 0
#define TOTAL_OWN_ACTIVE 1
#define TOTAL_OWN_POINTS 2
#define TOTAL_OWN_TRIANGLES 3
#define TOTAL_POINTS 4
#define TOTAL_TRIANGLES 5
#define TOTAL_HAS_NAN 6
#define TOTAL_WORDS 8

// Case table: the triangle list of each case, 15 edges of 8 bits (EDGE_PLACE in Cell.h) from the low end of four
// words, and the number of triangles in their top 8 bits; then these numbers once more, 4 bits each, so that one cache
// line holds them all.
#define CASE_COUNT 256
#define CASE_WORDS 4
#define CASE_COUNTS_WORD 1024
#define CASE_TABLE_WORDS 1056

#endif
