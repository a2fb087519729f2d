// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Prints one line per kernel: its name, the buffers that it reads, and the buffers that it writes, as its SPIR-V
// declares them. Buffers have the names of Shaders/Shared/Bindings.h.
#include "Compute/Vulkan/Kernel.h"
#include "Embedded/Kernels.h"
#include "Shared/Bindings.h"

#include <iostream>
#include <iterator>

namespace
{

struct Buffer
{
  std::uint32_t binding;
  const char* name;
};
#define NAMED(name)                                                                                                    \
  Buffer                                                                                                               \
  {                                                                                                                    \
    BINDING_##name, #name                                                                                              \
  }
const Buffer Buffers[] = { NAMED(SAMPLES), NAMED(BRICK_RANGE), NAMED(TOTALS), NAMED(BLOCK_SUM), NAMED(SLOT_OF_BRICK),
  NAMED(ACTIVE_BRICK), NAMED(CASE_TABLE), NAMED(ROWS), NAMED(LOW_EDGES), NAMED(VALID_CELLS), NAMED(BRICK_OFFSET),
  NAMED(GEOMETRY), NAMED(POSITION), NAMED(POSITION_LOW), NAMED(NORMAL), NAMED(GRADIENT), NAMED(CROSSING),
  NAMED(TRIANGLE_CELL), NAMED(TRIANGLE), NAMED(ATTRIBUTE), NAMED(INTERPOLATED), NAMED(SHARED_VALUES),
  NAMED(CORNER_VALUES), NAMED(GHOSTS), NAMED(DISPATCH), NAMED(BINS), NAMED(VALUE_COUNT), NAMED(BRICK_MASK), NAMED(RAYS),
  NAMED(RAY_HIT), NAMED(RAY_BOUND), NAMED(COORDINATES), NAMED(LEVELS), NAMED(LEVEL_SLOPES), NAMED(LEVEL_BLOCK_ROWS),
  NAMED(SUMS), NAMED(DIFFERENCE), NAMED(OPEN_EDGES), NAMED(PARENT), NAMED(REGION), NAMED(RANK), NAMED(BLOCK_COUNT),
  NAMED(PLACE), NAMED(POINT_PLACE), NAMED(REGION_ID), NAMED(OLD_VALUES), NAMED(KEPT_VALUES), NAMED(UNFINISHED),
  NAMED(EDGE_OF_POINT), NAMED(OPEN_SUMS) };
static_assert(std::size(Buffers) == BINDING_COUNT, "every binding has a name");

void print(vmc::BindingMask mask)
{
  std::cout << '|';
  const char* separator = "";
  for (const Buffer& buffer : Buffers)
    if ((mask >> buffer.binding & 1u) != 0)
    {
      std::cout << separator << buffer.name;
      separator = ",";
    }
}

}

int main()
{
  for (const vmc::kernels::Words* const kernel : vmc::kernels::allKernels)
  {
    const vmc::BindingMasks masks = vmc::bindingMasksOf(*kernel);
    std::cout << kernel->name;
    print(masks.read);
    print(masks.written);
    std::cout << '\n';
  }
  return 0;
}
