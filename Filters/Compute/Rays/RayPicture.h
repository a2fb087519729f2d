// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Pictures of rays in host memory.
#ifndef vmcRayPicture_h
#define vmcRayPicture_h

#include "Compute/Memory/HostMemoryPool.h"
#include "Shared/Constants.h"
#include "Shared/Structs.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>

namespace vmc
{

// A ray without a crossing: every word has the bits of infinity, RAY_NO_HIT.
constexpr RayHit NoHit = { std::numeric_limits<float>::infinity(), std::numeric_limits<float>::infinity(), RAY_NO_HIT,
  RAY_NO_HIT };

// The nearest crossing per pixel, row by row from the bottom, in host memory.
class RayPicture
{
public:
  RayPicture() = default; // without pixels

  // block: RayHit[pixel]
  explicit RayPicture(HostBlock block)
    : Pixels(std::move(block))
  {
  }

  std::size_t size() const { return this->Pixels.size() / sizeof(RayHit); } // in pixels
  RayHit* begin() const { return reinterpret_cast<RayHit*>(this->Pixels.data()); }
  RayHit* end() const { return this->begin() + this->size(); }
  const RayHit& operator[](std::size_t pixel) const { return this->begin()[pixel]; }
  const HostBlock& block() const { return this->Pixels; }

private:
  HostBlock Pixels;
};

}

#endif
