// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Numbering of the corners and edges of a dual cell. Compiled by C++ and GLSL.
// Corner c lies at x = c & 1, y = c >> 1 & 1, z = c >> 2. Edge e runs along axis e >> 2 (0 x, 1 y, 2 z). Bit 0 of e is
// the offset of its start along the first of the other two axes, bit 1 that along the second, in the order x, y, z.
#ifndef VMC_SHARED_CELL_H
#define VMC_SHARED_CELL_H

#include "Shared/Constants.h"

#define EDGE_AXIS(edge) ((edge) >> 2)
#define EDGE_START_X(edge) (EDGE_AXIS(edge) == 0u ? 0u : ((edge)&1u))
#define EDGE_START_Y(edge) (EDGE_AXIS(edge) == 0u ? ((edge)&1u) : EDGE_AXIS(edge) == 1u ? 0u : ((edge) >> 1 & 1u))
#define EDGE_START_Z(edge) (EDGE_AXIS(edge) == 2u ? 0u : ((edge) >> 1 & 1u))

// Place of an edge relative to its cell: offset in rows in bits 0 to 3, with BRICK_SAMPLES rows per layer; offset in
// samples in bit 4; axis from bit 5.
#define EDGE_PLACE(edge)                                                                                               \
  (EDGE_START_Y(edge) + BRICK_SAMPLES * EDGE_START_Z(edge) + 16 * EDGE_START_X(edge) + 32 * EDGE_AXIS(edge))
#define PLACE_ROWS(place) ((place)&15u)
#define PLACE_SAMPLES(place) ((place) >> 4 & 1u)
#define PLACE_AXIS(place) ((place) >> 5)

#endif
