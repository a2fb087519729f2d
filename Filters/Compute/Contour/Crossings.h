// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Crossings on the host, whose samples may have numbers of more than 32 bits: the rest is in EdgeCrossing::place.
#ifndef vmcCrossings_h
#define vmcCrossings_h

#include "Shared/Structs.h"

#include <cstdint>

namespace vmc
{

// The sample at the start of a crossing of a volume.
inline std::uint64_t startOf(const EdgeCrossing& crossing)
{
  return std::uint64_t(crossing.place >> CROSSING_HOST_SHIFT) << 32 | crossing.start;
}

// Adds a number of samples to the starts of crossings of a volume.
inline void moveStarts(EdgeCrossing* begin, EdgeCrossing* end, std::uint64_t samples)
{
  for (; begin != end; ++begin)
  {
    const std::uint64_t start = startOf(*begin) + samples;
    begin->start = static_cast<std::uint32_t>(start);
    begin->place = (begin->place & ((1u << CROSSING_HOST_SHIFT) - 1)) |
                   static_cast<std::uint32_t>(start >> 32 << CROSSING_HOST_SHIFT);
  }
}

// A crossing between two leaves of levels, without a fraction. The lower half of its place belongs to the first one.
inline EdgeCrossing crossingBetween(std::uint64_t startLeaf, std::uint64_t endLeaf)
{
  return { static_cast<std::uint32_t>(startLeaf), static_cast<std::uint32_t>(endLeaf), 0,
    static_cast<std::uint32_t>(startLeaf >> 32 | endLeaf >> 32 << 16) };
}

// Replaces the ends of crossings of levels, which a device has written for attributes, by those for names.
inline void setOtherLeaves(EdgeCrossing* begin, EdgeCrossing* end)
{
  for (; begin != end; ++begin)
    *begin = crossingBetween(begin->start, begin->place);
}

inline std::uint64_t startLeafOf(const EdgeCrossing& crossing)
{
  return std::uint64_t(crossing.place & 0xFFFFu) << 32 | crossing.start;
}

inline std::uint64_t endLeafOf(const EdgeCrossing& crossing)
{
  return std::uint64_t(crossing.place >> 16) << 32 | crossing.end;
}

}

#endif
