// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Extractions of one kind of volume, compared point by point with the exact surface.
#ifndef vmcMeasurement_h
#define vmcMeasurement_h

#include "Compute/Session.h"
#include "Compute/Volume/Volume.h"
#include "Errors.h"

#include <array>
#include <string>

namespace vmc::accuracy
{

// A kind of volume.
struct Kind
{
  std::string name;
  SampleType type = SampleType::Float32;
  SampleGeometry geometry;
  Padding padding; // with the border half a step beyond the samples
};

// The errors for points of one precision.
struct Measurement
{
  std::string name;      // of the kind
  bool isDouble = false; // points
  bool countsAgree = true;
  std::size_t points = 0;
  Errors position;         // absolute: cells
  Statistic shareOfBound;  // error of a coordinate / its bound
  Errors scalar;           // the samples, interpolated at the point, less the isovalue
  Errors normal, gradient; // absolute: degrees; values per world unit
  Errors attribute;        // another array, interpolated by the device
};

// The error of every coordinate is at most the larger of this fraction of a cell and 1 ulp.
constexpr long double CellBound = 0x1p-22L;

// Measures a smooth and a random volume at two isovalues each; first with points of float, then of double.
std::array<Measurement, 2> measure(Session& session, const Kind& kind);

}

#endif
