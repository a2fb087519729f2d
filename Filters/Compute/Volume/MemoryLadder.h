// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Decides how an algorithm continues when memory is exhausted.
#ifndef vmcMemoryLadder_h
#define vmcMemoryLadder_h

#include "Compute/Volume/ContourPlan.h"

#include <algorithm>
#include <cstdint>

namespace vmc
{

// The steps, in order: 1. the whole volume while other data stays on the device; 2. the whole volume alone; 3. one slab
// after the other, of which nothing is kept between the sweeps; 4. smaller and smaller slabs; 5. slabs with the windows
// of one slab on the device at a time; 6. smaller windows; 7. an error. After each step, the algorithm begins again.
// Steps 3 and 4 are those of extractions, if the whole volume may fit. A slab whose output exceeds the largest binding
// gets smaller in every step.
class MemoryLadder
{
public:
  enum class Step
  {
    WholeBesideOthers,
    WholeAlone,
    OneSlabAtATime, // and smaller ones
    Windows         // and smaller ones
  };

  struct Sizes
  {
    std::uint64_t bytesPerSample = 0;  // sum over all arrays of the volume
    std::uint64_t wholeBytes = 0;      // of all arrays
    std::uint64_t leastBytes = 0;      // for slabs of one layer (ContourPlan::leastResidentBytes)
    std::uint64_t limitInBytes = 0;    // the memory limit of the request; 0: none
    std::uint64_t memoryBytes = ~0ull; // what all devices have, within the limit
  };

  // hasOthers: the device holds other data that can be freed.
  explicit MemoryLadder(bool hasOthers)
    : CurrentStep(hasOthers ? Step::WholeBesideOthers : Step::WholeAlone)
  {
  }

  // Begins with step 5 if the whole volume cannot fit.
  void begin(const Sizes& volume)
  {
    if (volume.wholeBytes > volume.memoryBytes)
      this->shrinkWindows(volume);
  }

  Step step() const { return this->CurrentStep; }
  const Residency& residency() const { return this->PlanResidency; } // of the plan in this step
  // Returns whether the rows of all slabs stay on the device between the sweeps of an extraction.
  bool keepsRows() const { return this->CurrentStep < Step::OneSlabAtATime; }

  // Goes to the next step after memory was exhausted. slabLayers: of the plan's largest slab; 0: smaller slabs with
  // whole arrays do not help. isSlabTooLarge: free memory does not help. Returns false if there is no next step.
  bool next(std::uint32_t slabLayers, bool isSlabTooLarge, const Sizes& volume)
  {
    if (isSlabTooLarge)
      return this->halveSlabs(slabLayers);
    if (this->CurrentStep == Step::WholeBesideOthers)
      this->CurrentStep = Step::WholeAlone;
    else if (this->CurrentStep == Step::WholeAlone && volume.wholeBytes > volume.memoryBytes)
      return this->shrinkWindows(volume);
    else if (this->CurrentStep == Step::WholeAlone && slabLayers != 0)
      this->CurrentStep = Step::OneSlabAtATime;
    else if (!this->halveSlabs(slabLayers))
      return this->shrinkWindows(volume);
    return true;
  }

private:
  bool halveSlabs(std::uint32_t slabLayers)
  {
    if (slabLayers > 1)
      this->PlanResidency.largestSlab = slabLayers / 2;
    return slabLayers > 1;
  }

  bool shrinkWindows(const Sizes& volume)
  {
    const std::uint64_t limit = this->nextLimit(volume);
    if (limit == this->PlanResidency.limitInBytes)
      return false;
    this->CurrentStep = Step::Windows;
    this->PlanResidency = { volume.bytesPerSample, limit };
    return true;
  }

  // The first windows may take what the limit or the arrays are; later ones half of those before, but not less than the
  // smallest slabs need.
  std::uint64_t nextLimit(const Sizes& volume) const
  {
    if (this->CurrentStep != Step::Windows)
      return volume.limitInBytes != 0 ? volume.limitInBytes : std::max(volume.leastBytes, volume.wholeBytes);
    const std::uint64_t half = std::max(volume.leastBytes, this->PlanResidency.limitInBytes / 2);
    return std::min(half, this->PlanResidency.limitInBytes);
  }

  Step CurrentStep;
  Residency PlanResidency; // initially without a limit: whole arrays
};

}

#endif
