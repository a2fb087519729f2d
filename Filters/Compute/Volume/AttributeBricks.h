// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The values of an attribute of the leaves of a hierarchy.
#ifndef vmcAttributeBricks_h
#define vmcAttributeBricks_h

#include "Compute/Memory/HostMemoryPool.h"
#include "Compute/Volume/LevelBricks.h"
#include "Compute/Volume/Levels.h"

#include <cstddef>
#include <cstdint>

namespace vmc
{

struct AttributeBricks
{
  SampleType type = SampleType::Float32;
  std::uint32_t components = 1;
  HostBlock values; // [brick of all levels][BrickCells][components]; without a meaning where no patch has a cell

  Attribute view() const { return { this->values.data(), this->type, this->components, 0 }; }
};

// Copies an attribute of all patches, on at most so many threads. number: of the attribute in each patch. Throws
// OutOfHostMemory.
AttributeBricks attributeBricksOf(
  const Levels& levels, const LevelBricks& bricks, std::size_t number, unsigned threads);

}

#endif
