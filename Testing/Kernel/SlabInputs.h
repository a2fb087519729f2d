// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Inputs of kernels: slabs whose sizes lie around each boundary of the brick grid.
#ifndef vmcSlabInputs_h
#define vmcSlabInputs_h

#include "Compute/Vulkan/Kernel.h"
#include "Reference/BuildBrickRanges.h"
#include "Reference/PackedValues.h"
#include "Shared/Structs.h"
#include "Support/AnalyticVolumes.h"

#include <string>
#include <vector>

namespace vmc::test
{

// The results of the reference implementation of BuildBrickRanges.
struct RangesOfSlab
{
  std::vector<reference::BrickRange> range; // of all bricks up to the last one of the slab
  std::vector<std::uint32_t> total;         // [TOTAL_...]
};

// The samples of a window, after values that no kernel may read.
struct SlabInput
{
  std::string name;
  SlabConstants slab{};
  reference::PackedValues samples;
  reference::PackedValues ghosts; // no words: no ghost array

  // For kernels that read samples or work on bricks.
  Specialization specialization() const;

  RangesOfSlab ranges() const;

  bool hasHalo() const { return this->slab.ownBrickCount < this->slab.brickCount; }
  // The samples, with other bits where the bricks before the halo layer need none of them. These bricks need two layers
  // beyond: their dual cells touch the first one, gradients at its samples the second one.
  reference::PackedValues samplesOfOwnBricks() const;
};

struct SlabChoice
{
  std::array<std::uint32_t, 3> size;
  SampleType type = SampleType::Float32;
  std::uint32_t offset = 0;     // values between the start of the binding and the window
  std::uint32_t firstLayer = 0; // of bricks
  std::uint32_t layers = 0;     // 0: all remaining layers
  unsigned nanPercent = 0;      // of the samples; floats only
  unsigned ghostPercent = 0;    // of the samples: half of them blank, half not owned
  Padding padding{};
};

// Random samples with the isovalue in the middle of their range.
SlabInput makeSlabInput(const SlabChoice& choice);

// One brick and less, workgroup sizes minus and plus one, two bricks, prime sizes, every type, unaligned windows, halo
// layers, blank samples, samples that are not owned, padding.
std::vector<SlabInput> slabInputs();

}

#endif
