// What an isovalue means for samples of one type.
#ifndef vmcIsovalue_h
#define vmcIsovalue_h

#include "Compute/Volume/Volume.h"

#include <cstdint>
#include <optional>

namespace vmc
{

// An isovalue in the terms of the kernels. A sample is inside when it is not below the threshold, which is the smallest
// value of the sample type that is not below the isovalue: the answer of a comparison in double.
struct Threshold
{
  std::uint32_t key;    // ordered key of the threshold (Shaders/Shared/Samples.glsl); of 64-bit samples its high word
  float high;           // 32-bit float samples: isovalue = (high + low) * 2^exponent; others: 0
  float low;            // integers: threshold - isovalue, in [0, 1]
  std::uint32_t lowKey; // low word of the key of 64-bit samples; others: 0
  double isovalue;
  std::int32_t exponent = 0; // see high; so neither part is denormal. Isovalue 0: below that of any number
};

// Nothing if samples of this type are all on one side of the isovalue, or if it is NaN. With `isClosed` padding lies
// below every isovalue: one that all samples are above has a threshold too.
std::optional<Threshold> thresholdOf(double isovalue, SampleType type, bool isClosed = false);

}

#endif
