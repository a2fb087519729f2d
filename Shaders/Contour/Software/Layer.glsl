// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Kernels that handle a brick, on software Vulkan. A workgroup is a vector of BRICK_SIZE invocations. Each handles a
// layer of the brick: its rows at one z. With one row per invocation most of the invocations that run together would
// wait for the one with the most work.
// Software Vulkan also executes the branch that a condition excludes. A load or store of shared memory costs as much as
// one of a buffer, even for an inactive invocation; two words at once cost little more than one. After a loop's exit
// test software Vulkan executes the rest of the loop once more: so loops have their test at the end.
#include "Shared/Constants.h"

// Indices into the row words and the point offsets of active bricks, both in vectors of four words. A layer has two
// vectors of row words and one of point offsets.
uint edgesOfLayer(uint slot, uint z) { return (ROW_WORDS / 4) * slot + 2 * z; }
uint pointOffsetsOfLayer(uint slot, uint z) { return (ROW_OFFSET_WORDS / 4) * slot + z; }
