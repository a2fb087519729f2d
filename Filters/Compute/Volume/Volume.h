// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The input of an extraction: a view of the caller's arrays.
#ifndef vmcVolume_h
#define vmcVolume_h

#include "Shared/Constants.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace vmc
{

using Vector3 = std::array<double, 3>;

// Coordinates along each axis.
using Coordinates = std::array<std::vector<double>, 3>;

// The map from sample indices, which start at 0, to world space. It is affine, or the samples have coordinates along
// each axis of the world. Initially sample (i, j, k) is at (i, j, k). Copies share their coordinates.
class SampleGeometry
{
public:
  SampleGeometry() = default;
  // An affine map. steps: [axis].
  SampleGeometry(const Vector3& origin, const std::array<Vector3, 3>& steps)
    : PositionOfZero(origin)
    , Steps(steps)
  {
  }

  // Samples at these coordinates. The border lies at the outermost samples. Throws Unsupported unless each axis has a
  // coordinate and all are finite and increase.
  static SampleGeometry ofPoints(const Coordinates& points);
  // Samples at the centres of the cells between these coordinates. The border is that of the cells. Throws Unsupported
  // unless each axis has two coordinates and all are finite and increase.
  static SampleGeometry ofCells(const Coordinates& sides);

  void setOrigin(const Vector3& origin); // moves all samples
  // These two are for affine maps.
  void setSteps(const std::array<Vector3, 3>& steps) { this->Steps = steps; }
  void setStep(std::size_t axis, const Vector3& step) { this->Steps[axis] = step; }

  bool hasCoordinates() const { return this->Table != nullptr; }
  Vector3 origin() const;                       // world position of sample (0, 0, 0)
  Vector3 position(const Vector3& index) const; // index: in samples, may be between samples

  // A position is positionOfZero() plus, for each axis, step(axis) times the coordinate along the axis. With an affine
  // map, the coordinate of a sample is its index. Other maps have steps of length 1 along the axes of the world.
  const Vector3& positionOfZero() const { return this->PositionOfZero; }
  const Vector3& step(std::size_t axis) const { return this->Steps[axis]; }

  // The coordinate of a sample. Index -1 is the low border, and the number of samples is the high border. Only for maps
  // with coordinates.
  double coordinate(std::size_t axis, std::int64_t index) const
  {
    return (*this->Table)[axis][static_cast<std::size_t>(index + 1)];
  }
  // The size of the cell of a sample along an axis. The cell of a point ends half-way to the points beside it; where it
  // has only one neighbour, both halves are equal, and a single point has a cell of size 1. Only for maps with
  // coordinates.
  double width(std::size_t axis, std::size_t index) const { return (*this->Widths)[axis][index]; }
  // Returns whether the map has coordinates for so many samples along each axis, or is affine.
  bool fits(const std::array<std::uint32_t, 3>& size) const;

  // Determinant of the steps: the volume of a cell, negative when the map mirrors, 0 when it cannot be inverted.
  double determinant() const;

  // [axis]: the world gradient that is 1 per step along the axis and 0 along the others: the columns of the inverse
  // transpose. Throws Unsupported if the map cannot be inverted.
  std::array<Vector3, 3> gradientToWorld() const;

private:
  SampleGeometry(Coordinates table, Coordinates widths);

  Vector3 PositionOfZero{ 0, 0, 0 };
  std::array<Vector3, 3> Steps{ { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } } };
  std::shared_ptr<const Coordinates> Table;  // [axis]: the low border, the samples, the high border; null: affine
  std::shared_ptr<const Coordinates> Widths; // [axis][sample]; null: affine
};

enum class SampleType
{
  Int8,
  UInt8,
  Int16,
  UInt16,
  Int32,
  UInt32,
  Float32,
  Int64,
  UInt64,
  Float64
};

// 1, 2, 4 or 8.
std::size_t bytesOf(SampleType type);

// An array to interpolate at the points of the surface.
struct Attribute
{
  const void* values = nullptr; // components values per sample; borrowed
  SampleType type = SampleType::Float32;
  std::uint32_t components = 1;
  std::uint64_t identity = 0; // see Volume::identity
};

// Layers added around the samples, so that the surface reaches the border of the domain. They repeat the outermost
// samples and lie on the border.
struct Padding
{
  std::array<std::uint32_t, 3> low{ 0, 0, 0 }; // layers at the low side of each axis, 0 to 2
  std::array<std::uint32_t, 3> high{ 0, 0, 0 };
  bool closed = false; // the outermost padding layer of each padded side counts as below every isovalue
  // Distance of the border from the outermost samples: 0 or 0.5 sample steps. Unused if the geometry has coordinates.
  float border = 0;

  bool isEmpty() const { return this->low == this->high && this->low == std::array<std::uint32_t, 3>{ 0, 0, 0 }; }
};

// Flags of a sample that the extraction uses in part or not at all.
enum Ghost : std::uint8_t
{
  Blank = GHOST_BLANK,       // no valid value: dual cells that touch it are not valid, gradients omit it
  NotOwned = GHOST_NOT_OWNED // another piece owns the sample and the dual cell with this minimum corner
};

// Samples of a scalar field on a grid, x fastest, without gaps. For cell data a sample is the value of a cell,
// and the surface lies on the dual grid, whose corners are the cell centres. All pointers are borrowed; the arrays must
// outlive the extraction.
struct Volume
{
  const void* samples = nullptr; // size[0] * size[1] * size[2] samples, any alignment
  SampleType type = SampleType::Float32;
  std::array<std::uint32_t, 3> size{ 0, 0, 0 };
  // Volumes with equal identities other than 0 have equal samples, so the array on the device is reused. 0: unknown.
  std::uint64_t identity = 0;
  SampleGeometry geometry;
  std::vector<Attribute> attributes;
  Padding padding;
  const std::uint8_t* ghosts = nullptr; // Ghost flags per sample; null: none
  std::uint64_t ghostIdentity = 0;      // see identity

  std::uint64_t sampleCount() const { return std::uint64_t(this->size[0]) * this->size[1] * this->size[2]; }
  std::array<std::uint32_t, 3> gridSize() const; // size plus padding, in samples
  bool hasDualCell() const;                      // at least two samples of the grid along each axis
  void checkCoordinates() const;                 // throws Unsupported if the geometry does not fit

  // The coordinates of the samples of the grid along an axis, see SampleGeometry. Padding lies on the border. Throws
  // Unsupported if the geometry does not fit.
  std::vector<double> gridCoordinates(std::size_t axis) const;
};

}

#endif
