// Slabs of volumes as kernels get them, chosen to meet every edge of the brick grid.
#ifndef vmcSlabInputs_h
#define vmcSlabInputs_h

#include "Compute/Vulkan/Kernel.h"
#include "Reference/PackedValues.h"
#include "Shared/Structs.h"
#include "Support/AnalyticVolumes.h"

#include <string>
#include <vector>

namespace vmc::test
{

// Samples in a window behind `skew` values that no kernel may look at.
struct SlabInput
{
  std::string name;
  SlabConstants slab{};
  reference::PackedValues samples;
  reference::PackedValues ghosts; // no words: none

  // Of the kernels that read samples or work on bricks.
  Specialization specialization(bool asOnGpu = false) const;
};

struct SlabChoice
{
  std::array<std::uint32_t, 3> size;
  SampleType type = SampleType::Float32;
  std::uint32_t skew = 0;       // values between the start of the binding and the window
  std::uint32_t firstLayer = 0; // of bricks
  std::uint32_t layers = 0;     // 0: all of the rest
  unsigned nanPercent = 0;      // of the samples; floats only
  unsigned ghostPercent = 0;    // of the samples: half of them blank, half foreign
  Padding padding{};
};

// Random samples with the isovalue in the middle of their range.
SlabInput makeSlabInput(const SlabChoice& choice);

// One brick and less, group sizes minus and plus one, two bricks, primes, every type, unaligned windows, look-ahead
// layers, blank and foreign samples, padding.
std::vector<SlabInput> slabInputs();

}

#endif
