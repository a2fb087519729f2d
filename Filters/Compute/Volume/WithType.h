// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// From a sample type to the C++ type of its values.
#ifndef vmcWithType_h
#define vmcWithType_h

#include "Compute/Volume/Volume.h"

#include <cstdint>

namespace vmc
{

// Returns what `use` returns for a value of the C++ type of the sample type.
template <class Use>
decltype(auto) withType(SampleType type, const Use& use)
{
  switch (type)
  {
    case SampleType::Int8:
      return use(std::int8_t());
    case SampleType::UInt8:
      return use(std::uint8_t());
    case SampleType::Int16:
      return use(std::int16_t());
    case SampleType::UInt16:
      return use(std::uint16_t());
    case SampleType::Int32:
      return use(std::int32_t());
    case SampleType::UInt32:
      return use(std::uint32_t());
    case SampleType::Int64:
      return use(std::int64_t());
    case SampleType::UInt64:
      return use(std::uint64_t());
    case SampleType::Float64:
      return use(double());
    default:
      return use(float());
  }
}

}

#endif
