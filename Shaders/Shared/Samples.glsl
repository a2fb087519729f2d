// Samples as ordered keys: unsigned numbers that compare as the samples do, whatever the sample type. The inside test,
// brick ranges and brick selection work on keys alone; only the crossing needs to know what a key means.
//   unsigned integers: the value; signed: the value with its sign bit flipped;
//   float: the bits, complemented if negative, else with the sign bit set; NaN becomes 0, below minus infinity.
#include "Bindings.h"
#include "Packed.glsl"

layout(std430, binding = BINDING_SAMPLES) readonly buffer Samples { uint sampleWord[]; };

const uint NanKey = 0;

uint keyOfBits(uint bits)
{
  if (SampleKind == SAMPLE_UNSIGNED)
    return bits;
  if (SampleKind == SAMPLE_SIGNED)
    return bits ^ (1u << (ValueBits - 1));
  if ((bits & 0x7FFFFFFFu) > 0x7F800000u)
    return NanKey;
  return (bits & 0x80000000u) != 0 ? ~bits : bits | 0x80000000u;
}

bool isNan(uint key) { return SampleKind == SAMPLE_FLOAT && key == NanKey; }

float floatOfKey(uint key)
{
  return uintBitsToFloat((key & 0x80000000u) != 0 ? key & 0x7FFFFFFFu : ~key);
}

uint sampleKey(uint index)
{
  return keyOfBits(sampleWord[wordOfValue(index)] >> shiftOfValue(index) & ValueMask);
}

// Value of sample b minus value of sample a; finite for finite samples of moderate size, exact to one rounding.
float keyDifference(uint a, uint b)
{
  if (SampleKind == SAMPLE_FLOAT)
    return floatOfKey(b) - floatOfKey(a);
  return b >= a ? float(b - a) : -float(a - b);
}
