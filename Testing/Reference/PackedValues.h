// Decodes values packed into 32-bit words, as kernels see samples and attributes. The only copy for all twins.
#ifndef vmcReferencePackedValues_h
#define vmcReferencePackedValues_h

#include "Volume.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace vmc::reference
{

// Ordered key of a value of a sample type: its rank among all values of the type, from 0; 0 for NaN.
inline std::uint32_t keyOf(double value, SampleType type)
{
  switch (type)
  {
    case SampleType::Int8:
      return static_cast<std::uint32_t>(value + 128);
    case SampleType::Int16:
      return static_cast<std::uint32_t>(value + 32768);
    case SampleType::Int32:
      return static_cast<std::uint32_t>(value + 2147483648.0);
    case SampleType::Float32:
      break;
    default:
      return static_cast<std::uint32_t>(value);
  }
  if (std::isnan(value))
    return 0;
  const float magnitude = static_cast<float>(std::fabs(value));
  std::uint32_t rank = 0; // among the floats without a sign
  std::memcpy(&rank, &magnitude, sizeof(rank));
  return std::signbit(value) ? 0x7FFFFFFFu - rank : 0x80000000u + rank;
}

// The value that has the key. Not for the key of NaN.
inline double valueOfKey(std::uint32_t key, SampleType type)
{
  switch (type)
  {
    case SampleType::Int8:
      return double(key) - 128;
    case SampleType::Int16:
      return double(key) - 32768;
    case SampleType::Int32:
      return double(key) - 2147483648.0;
    case SampleType::Float32:
      break;
    default:
      return key;
  }
  const std::uint32_t rank = key >= 0x80000000u ? key - 0x80000000u : 0x7FFFFFFFu - key;
  float magnitude = 0;
  std::memcpy(&magnitude, &rank, sizeof(magnitude));
  return key >= 0x80000000u ? magnitude : -double(magnitude);
}

// The buffer of BINDING_SAMPLES or BINDING_ATTRIBUTE.
struct PackedValues
{
  std::vector<std::uint32_t> words;
  SampleType type = SampleType::Float32;

  double value(std::uint64_t index) const
  {
    const std::size_t size = bytesOf(this->type);
    std::uint32_t bits = 0; // the machine is little-endian, as the kernels assume
    std::memcpy(&bits, reinterpret_cast<const std::byte*>(this->words.data()) + index * size, size);
    switch (this->type)
    {
      case SampleType::Int8:
        return static_cast<std::int8_t>(bits);
      case SampleType::Int16:
        return static_cast<std::int16_t>(bits);
      case SampleType::Int32:
        return static_cast<std::int32_t>(bits);
      case SampleType::Float32:
      {
        float number = 0;
        std::memcpy(&number, &bits, sizeof(number));
        return number;
      }
      default:
        return bits;
    }
  }

  std::uint32_t key(std::uint64_t index) const { return keyOf(this->value(index), this->type); }
};

}

#endif
