// Where the bricks and samples of a slab lie, and which samples are inside or blank, for all twins.
#ifndef vmcReferenceSlabGrid_h
#define vmcReferenceSlabGrid_h

#include "Constants.h"
#include "PackedValues.h"
#include "Structs.h"

#include <array>
#include <cmath>
#include <cstdint>

namespace vmc::reference
{

using Position = std::array<std::uint32_t, 3>; // of a sample of the volume

// The samples that a slab sees through its window.
class SlabGrid
{
public:
  SlabGrid(const SlabConstants& slab, const PackedValues& samples)
    : Slab(slab)
    , Values(samples)
  {
  }

  Position brickCorner(std::uint32_t brick) const
  {
    const std::uint32_t layer = this->Slab.bricksX * this->Slab.bricksY;
    return { BRICK_SIZE * (brick % this->Slab.bricksX), BRICK_SIZE * (brick % layer / this->Slab.bricksX),
      BRICK_SIZE * (brick / layer + this->Slab.brickLayer) };
  }

  bool contains(const Position& p) const
  {
    return p[0] < this->Slab.sizeX && p[1] < this->Slab.sizeY && p[2] < this->Slab.sizeZ;
  }

  // Index of a sample, counted from the first sample of the window.
  std::uint32_t indexInWindow(const Position& p) const
  {
    return ((p[2] - this->Slab.windowLayer) * this->Slab.sizeY + p[1]) * this->Slab.sizeX + p[0];
  }

  double value(const Position& p) const { return this->Values.value(this->Slab.windowSkew + this->indexInWindow(p)); }
  std::uint32_t key(const Position& p) const { return keyOf(this->value(p), this->Values.type); }
  bool isBlank(const Position& p) const { return std::isnan(this->value(p)); }
  bool isInside(const Position& p) const { return !this->isBlank(p) && this->key(p) >= this->Slab.thresholdKey; }

  // Whether the dual cell with this minimum corner exists and touches no blank sample.
  bool isLiveCell(const Position& p) const
  {
    if (!this->contains({ p[0] + 1, p[1] + 1, p[2] + 1 }))
      return false;
    for (std::uint32_t corner = 0; corner < 8; ++corner)
      if (this->isBlank(cornerOf(p, corner)))
        return false;
    return true;
  }

  std::uint32_t caseOfCell(const Position& p) const
  {
    std::uint32_t cellCase = 0;
    for (std::uint32_t corner = 0; corner < 8; ++corner)
      cellCase |= (this->isInside(cornerOf(p, corner)) ? 1u : 0u) << corner;
    return cellCase;
  }

  // Whether any of the (up to four) dual cells around the edge that leaves p along the axis is live.
  bool hasLiveCell(const Position& p, std::uint32_t axis) const
  {
    const std::uint32_t u = (axis + 1) % 3, v = (axis + 2) % 3;
    for (std::uint32_t side = 0; side < 4; ++side)
    {
      Position cell = p;
      cell[u] -= side & 1u; // below 0 it wraps around, far beyond the volume
      cell[v] -= side >> 1;
      if (this->contains(cell) && this->isLiveCell(cell))
        return true;
    }
    return false;
  }

  static Position cornerOf(const Position& p, std::uint32_t corner)
  {
    return { p[0] + (corner & 1u), p[1] + (corner >> 1 & 1u), p[2] + (corner >> 2) };
  }

  static Position endOf(Position p, std::uint32_t axis)
  {
    ++p[axis];
    return p;
  }

private:
  const SlabConstants& Slab;
  const PackedValues& Values;
};

// Row number `row` of a brick: the sample at its low end.
inline Position rowStart(const Position& corner, std::uint32_t row)
{
  return { corner[0], corner[1] + row % BRICK_SIZE, corner[2] + row / BRICK_SIZE };
}

}

#endif
