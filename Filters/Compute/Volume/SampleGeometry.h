// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Where the samples of a volume are in the world.
#ifndef vmcSampleGeometry_h
#define vmcSampleGeometry_h

#include <array>
#include <cstddef>

namespace vmc
{

using Vector3 = std::array<double, 3>;

// Affine map from sample indices, which start at 0, to world space. Initially sample (i, j, k) is at (i, j, k).
class SampleGeometry
{
public:
  SampleGeometry() = default;
  // steps: [axis].
  SampleGeometry(const Vector3& origin, const std::array<Vector3, 3>& steps)
    : Origin(origin)
    , Steps(steps)
  {
  }

  void setOrigin(const Vector3& origin) { this->Origin = origin; }
  void setSteps(const std::array<Vector3, 3>& steps) { this->Steps = steps; }
  void setStep(std::size_t axis, const Vector3& step) { this->Steps[axis] = step; }

  const Vector3& origin() const { return this->Origin; }                    // of sample (0, 0, 0)
  const Vector3& step(std::size_t axis) const { return this->Steps[axis]; } // from a sample to the next along the axis
  Vector3 position(const Vector3& index) const;                             // index: in samples, may be between samples

  // Determinant of the steps: the volume of a cell, negative when the map mirrors, 0 when it cannot be inverted.
  double determinant() const;

  // [axis]: the world gradient that is 1 per step along the axis and 0 along the others: the columns of the inverse
  // transpose. Throws Unsupported if the map cannot be inverted.
  std::array<Vector3, 3> gradientToWorld() const;

private:
  Vector3 Origin{ 0, 0, 0 };
  std::array<Vector3, 3> Steps{ { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } } };
};

}

#endif
