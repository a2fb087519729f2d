// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Positions of the bricks and samples of a slab; inside and blank samples. For all reference implementations.
#ifndef vmcReferenceSlabGrid_h
#define vmcReferenceSlabGrid_h

#include "Reference/PackedValues.h"
#include "Shared/Constants.h"
#include "Shared/Structs.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

namespace vmc::reference
{

using Position = std::array<std::uint32_t, 3>; // grid position, padding included

// Layers of bricks that a slab emits.
inline std::uint32_t ownLayers(const SlabConstants& slab)
{
  return slab.ownBrickCount / (BRICKS_ALONG(slab.sizeX) * BRICKS_ALONG(slab.sizeY));
}

// The grid of a slab, read through its window.
class SlabGrid
{
public:
  // ghosts: the buffer of BINDING_GHOSTS, or null without flags. All arguments must outlive the grid.
  SlabGrid(const SlabConstants& slab, const PackedValues& samples, const PackedValues* ghosts = nullptr)
    : Slab(slab)
    , Values(samples)
    , Ghosts(ghosts)
  {
  }

  Position brickCorner(std::uint32_t brick) const
  {
    const std::uint32_t bricksX = BRICKS_ALONG(this->Slab.sizeX), layer = bricksX * BRICKS_ALONG(this->Slab.sizeY);
    return { BRICK_SIZE * (brick % bricksX), BRICK_SIZE * (brick % layer / bricksX),
      BRICK_SIZE * (brick / layer + this->Slab.brickLayer) };
  }

  Position size() const { return { this->Slab.sizeX, this->Slab.sizeY, this->Slab.sizeZ }; }

  bool contains(const Position& p) const
  {
    return p[0] < this->Slab.sizeX && p[1] < this->Slab.sizeY && p[2] < this->Slab.sizeZ;
  }

  // Number of padding layers at the low side (0) or the high side (1) of an axis.
  std::uint32_t layers(std::uint32_t axis, std::uint32_t side) const
  {
    return this->Slab.padding >> (2 * axis + 6 * side) & 3u;
  }

  // Position of the image sample at a grid position.
  Position imageOf(const Position& p) const
  {
    Position image;
    for (std::uint32_t axis = 0; axis < 3; ++axis)
      image[axis] =
        p[axis] < this->layers(axis, 0) ? 0 : std::min(p[axis] - this->layers(axis, 0), this->imageSize(axis) - 1);
    return image;
  }

  // Returns whether a grid position counts as below every isovalue: the outermost layer of a padded side of a closed
  // surface.
  bool isOutside(const Position& p) const
  {
    bool outside = false;
    for (std::uint32_t axis = 0; axis < 3; ++axis)
      outside = outside || (this->layers(axis, 0) != 0 && p[axis] == 0) ||
                (this->layers(axis, 1) != 0 && p[axis] == this->size()[axis] - 1);
    return outside && (this->Slab.settings & SETTING_CLOSED) != 0;
  }

  // Returns whether the position is not in the padding.
  bool isImageSample(const Position& p) const
  {
    for (std::uint32_t axis = 0; axis < 3; ++axis)
      if (p[axis] < this->layers(axis, 0) || p[axis] >= this->layers(axis, 0) + this->imageSize(axis))
        return false;
    return true;
  }

  // Replaces the coordinates along each axis: [axis][grid position]. They must outlive the grid.
  void setCoordinates(const std::array<std::vector<double>, 3>& coordinates) { this->Coordinates = &coordinates; }

  // Coordinate of a grid position along an axis, in steps from the first image sample, if they are not replaced.
  double coordinate(const Position& p, std::uint32_t axis) const
  {
    if (this->Coordinates)
      return (*this->Coordinates)[axis][p[axis]];
    const double beyond = p[axis] < this->layers(axis, 0)                            ? -double(this->Slab.border)
                          : p[axis] >= this->layers(axis, 0) + this->imageSize(axis) ? this->Slab.border
                                                                                     : 0;
    return this->imageOf(p)[axis] + beyond;
  }

  // How many layers of the padding a position lies beyond the image along an axis, as a signed number.
  std::uint32_t layerOf(const Position& p, std::uint32_t axis) const
  {
    return p[axis] - this->layers(axis, 0) - this->imageOf(p)[axis];
  }

  // Index of an image sample in the window.
  std::uint64_t indexInVolume(const Position& image) const
  {
    return (std::uint64_t(image[2]) * this->imageSize(1) + image[1]) * this->imageSize(0) + image[0];
  }

  std::uint32_t indexInWindow(const Position& image) const
  {
    return ((image[2] - this->Slab.windowLayer) * this->imageSize(1) + image[1]) * this->imageSize(0) + image[0];
  }

  double value(const Position& p) const { return this->Values.value(this->valueIndex(p)); }
  bool isNan(const Position& p) const { return !this->isOutside(p) && std::isnan(this->value(p)); }
  bool isBlank(const Position& p) const { return this->isNan(p) || (this->flags(p) & GHOST_BLANK) != 0; }

  // The key of a sample. Positions outside have the smallest key except that of NaN.
  std::uint64_t key(const Position& p) const
  {
    const bool isFloat = this->Values.type == SampleType::Float32 || this->Values.type == SampleType::Float64;
    return this->isOutside(p) ? (isFloat ? 1 : 0) : this->Values.key(this->valueIndex(p));
  }

  bool isInside(const Position& p) const
  {
    return !this->isOutside(p) && !this->isNan(p) && this->key(p) >= thresholdOf(this->Slab, this->Values.type);
  }

  // GHOST_... flags of the sample at a grid position.
  unsigned flags(const Position& p) const
  {
    if (!this->Ghosts)
      return 0;
    return static_cast<unsigned>(this->Ghosts->value(this->Slab.ghostOffset + this->indexInWindow(this->imageOf(p))));
  }

  // Returns whether the dual cell with this minimum corner is valid: it is in the grid, owned, and touches no blank
  // sample.
  bool isValidCell(const Position& p) const
  {
    if (!this->contains({ p[0] + 1, p[1] + 1, p[2] + 1 }) || (this->flags(p) & GHOST_NOT_OWNED) != 0)
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
  std::uint32_t imageSize(std::uint32_t axis) const
  {
    return this->size()[axis] - this->layers(axis, 0) - this->layers(axis, 1);
  }

  std::uint32_t valueIndex(const Position& p) const
  {
    return this->Slab.windowOffset + this->indexInWindow(this->imageOf(p));
  }

  const SlabConstants& Slab;
  const PackedValues& Values;
  const PackedValues* Ghosts;
  const std::array<std::vector<double>, 3>* Coordinates = nullptr;
};

// Returns whether any of the (up to four) dual cells around the edge that leaves p along the axis is valid.
template <class Grid>
bool hasValidCell(const Grid& grid, const Position& p, std::uint32_t axis)
{
  for (std::uint32_t side = 0; side < 4; ++side)
  {
    Position cell = p;
    cell[(axis + 1) % 3] -= side & 1u; // wraps around below 0: then the volume does not contain it
    cell[(axis + 2) % 3] -= side >> 1;
    if (grid.contains(cell) && grid.isValidCell(cell))
      return true;
  }
  return false;
}

// The first sample of a row of a brick.
inline Position rowStart(const Position& corner, std::uint32_t row)
{
  return { corner[0], corner[1] + row % BRICK_SIZE, corner[2] + row / BRICK_SIZE };
}

// Calls use(start, axis) with the crossed edges of a brick, in the order of their points. rows: the words of its rows.
template <class Use>
void forEachCrossedEdge(const Position& corner, const std::uint32_t* rows, const Use& use)
{
  for (std::uint32_t row = 0; row < BRICK_ROWS; ++row)
    for (std::uint32_t bit = 0; bit < 3 * BRICK_SIZE; ++bit)
    {
      if ((rows[2 * row] >> bit & 1u) == 0)
        continue;
      Position start = rowStart(corner, row);
      start[0] += bit % BRICK_SIZE;
      use(start, bit / BRICK_SIZE);
    }
}

}

#endif
