// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Decides how an extraction continues when memory is exhausted.
#ifndef vmcMemoryLadder_h
#define vmcMemoryLadder_h

#include "Compute/Volume/ContourPlan.h"

#include <algorithm>
#include <cstdint>

namespace vmc
{

// The steps, in order: 1. the whole volume while other data stays on the device; 2. the whole volume alone; 3. slabs,
// with the windows of one slab on the device at a time; 4. smaller and smaller slabs; 5. an error. From step 2 on,
// a slab whose output does not fit is halved before the next step. A slab whose output exceeds the largest binding is
// halved in every step.
class MemoryLadder
{
public:
  enum class Step
  {
    WholeBesideOthers,
    WholeAlone,
    Slabs // and smaller ones
  };

  enum class Answer
  {
    HalveSlab, // continue with the halves of the failed slab
    Restart,   // free all unused memory and restart with residency()
    Fail
  };

  struct Sizes
  {
    std::uint64_t bytesPerSample = 0; // sum over all arrays of the volume
    std::uint64_t wholeBytes = 0;     // of all arrays
    std::uint64_t leastBytes = 0;     // for slabs of one layer (ContourPlan::leastResidentBytes)
    std::uint64_t limitInBytes = 0;   // the memory limit of the request; 0: none
  };

  // hasOthers: the device holds other data that can be freed.
  explicit MemoryLadder(bool hasOthers)
    : CurrentStep(hasOthers ? Step::WholeBesideOthers : Step::WholeAlone)
  {
  }

  Step step() const { return this->CurrentStep; }
  const Residency& residency() const { return this->WindowResidency; }

  // canHalve: the memory ran out over a slab of several layers of bricks. isSlabTooLarge: free memory does not help.
  Answer afterOutOfMemory(bool canHalve, bool isSlabTooLarge, const Sizes& volume)
  {
    if (isSlabTooLarge)
      return canHalve ? Answer::HalveSlab : Answer::Fail;
    if (this->CurrentStep == Step::WholeBesideOthers)
    {
      this->CurrentStep = Step::WholeAlone;
      return Answer::Restart;
    }
    if (canHalve)
      return Answer::HalveSlab;
    const std::uint64_t limit = this->nextLimit(volume);
    if (limit == this->WindowResidency.limitInBytes)
      return Answer::Fail;
    this->CurrentStep = Step::Slabs;
    this->WindowResidency = { volume.bytesPerSample, limit };
    return Answer::Restart;
  }

private:
  // The first windows may take what the limit or the arrays are; later ones half of those before, but not less than the
  // smallest slabs need.
  std::uint64_t nextLimit(const Sizes& volume) const
  {
    if (this->CurrentStep != Step::Slabs)
      return volume.limitInBytes != 0 ? volume.limitInBytes : std::max(volume.leastBytes, volume.wholeBytes);
    const std::uint64_t half = std::max(volume.leastBytes, this->WindowResidency.limitInBytes / 2);
    return std::min(half, this->WindowResidency.limitInBytes);
  }

  Step CurrentStep;
  Residency WindowResidency; // initially without a limit: whole arrays
};

}

#endif
