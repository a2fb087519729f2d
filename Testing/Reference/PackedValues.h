// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Decodes samples and attributes packed into 32-bit words, for all reference implementations.
#ifndef vmcReferencePackedValues_h
#define vmcReferencePackedValues_h

#include "Compute/Volume/Volume.h"
#include "Shared/Structs.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace vmc::reference
{

constexpr std::uint64_t HighBit = 1ull << 63;

inline bool isWide(SampleType type)
{
  return bytesOf(type) == 8;
}

// Ordered key of a value of a sample type: its rank among all values of the type, from 0. NaN: 0.
inline std::uint64_t keyOf(double value, SampleType type)
{
  switch (type)
  {
    case SampleType::Int8:
      return static_cast<std::uint64_t>(value + 128);
    case SampleType::Int16:
      return static_cast<std::uint64_t>(value + 32768);
    case SampleType::Int32:
      return static_cast<std::uint64_t>(value + 2147483648.0);
    case SampleType::Int64:
      return static_cast<std::uint64_t>(static_cast<std::int64_t>(value)) + HighBit;
    case SampleType::Float32:
    case SampleType::Float64:
      break;
    default:
      return static_cast<std::uint64_t>(value);
  }
  if (std::isnan(value))
    return 0;
  std::uint64_t rank = 0; // rank of the magnitude
  const double wide = std::fabs(value);
  const float narrow = static_cast<float>(wide);
  if (isWide(type))
    std::memcpy(&rank, &wide, sizeof(wide));
  else
    std::memcpy(&rank, &narrow, sizeof(narrow));
  const std::uint64_t zero = isWide(type) ? HighBit : 1ull << 31;
  return std::signbit(value) ? zero - 1 - rank : zero + rank;
}

// The integer with this key, rounded to double.
inline double valueOfKey(std::uint64_t key, SampleType type)
{
  switch (type)
  {
    case SampleType::Int8:
      return double(key) - 128;
    case SampleType::Int16:
      return double(key) - 32768;
    case SampleType::Int32:
      return double(key) - 2147483648.0;
    case SampleType::Int64:
      return static_cast<double>(static_cast<std::int64_t>(key - HighBit));
    default:
      return static_cast<double>(key);
  }
}

// Smallest key of an inside sample.
inline std::uint64_t thresholdOf(const SlabConstants& slab, SampleType type)
{
  return isWide(type) ? std::uint64_t(slab.thresholdKey) << 32 | slab.thresholdLow : slab.thresholdKey;
}

// The buffer of BINDING_SAMPLES or BINDING_ATTRIBUTE.
struct PackedValues
{
  std::vector<std::uint32_t> words;
  SampleType type = SampleType::Float32;

  double value(std::uint64_t index) const // rounded to double
  {
    const std::uint64_t bits = this->bits(index);
    switch (this->type)
    {
      case SampleType::Int8:
        return static_cast<std::int8_t>(bits);
      case SampleType::Int16:
        return static_cast<std::int16_t>(bits);
      case SampleType::Int32:
        return static_cast<std::int32_t>(bits);
      case SampleType::Int64:
        return static_cast<double>(static_cast<std::int64_t>(bits));
      case SampleType::Float32:
      {
        float number = 0;
        std::memcpy(&number, &bits, sizeof(number));
        return number;
      }
      case SampleType::Float64:
      {
        double number = 0;
        std::memcpy(&number, &bits, sizeof(number));
        return number;
      }
      default:
        return static_cast<double>(bits);
    }
  }

  std::uint64_t key(std::uint64_t index) const
  {
    if (this->type == SampleType::Int64)
      return this->bits(index) + HighBit;
    return this->type == SampleType::UInt64 ? this->bits(index) : keyOf(this->value(index), this->type);
  }

private:
  std::uint64_t bits(std::uint64_t index) const
  {
    const std::size_t size = bytesOf(this->type);
    std::uint64_t bits = 0; // the host is little-endian, like the packed words
    std::memcpy(&bits, reinterpret_cast<const std::byte*>(this->words.data()) + index * size, size);
    return bits;
  }
};

}

#endif
