// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The share of a domain that is above isovalues.
#ifndef vmcDomainShare_h
#define vmcDomainShare_h

#include "Compute/Histogram/Bins.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

namespace vmc
{

// The volumes of samples of a domain, each of which has the volume of its cell (see SampleGeometry::width). Samples
// that are NaN or have flags do not count.
struct DomainShare
{
  double domain = 0;         // of all samples; 0 without isovalues
  std::vector<double> above; // [isovalue]: of the samples that are not below it; 0 if it is NaN

  // others: of the same isovalues.
  void add(const DomainShare& others)
  {
    this->domain += others.domain;
    for (std::size_t i = 0; i < this->above.size(); ++i)
      this->above[i] += others.above[i];
  }
};

// One bin, of which an edge separates the samples that are not below an isovalue from the others.
class BinAtIsovalue
{
public:
  // The lower edge of the bin is the isovalue. The largest double, beyond which no edge lies, and infinity are the next
  // number after the upper edge. For NaN and negative infinity, the bin does not matter.
  explicit BinAtIsovalue(double isovalue)
    : Isovalue(isovalue)
  {
    if (isovalue >= Largest)
      this->Bin.upper = std::nextafter(isovalue, 0.0);
    else if (std::isfinite(isovalue))
      this->Bin = { isovalue, isovalue < 0 ? 0 : isovalue == 0 ? 1 : std::min(2 * isovalue, Largest), 1 };
  }

  const Bins& bins() const { return this->Bin; }

  // Returns the part of counts, or of volumes, that is not below the isovalue. inBin: of the bin, above and below it.
  template <class Number>
  Number above(const std::array<Number, 3>& inBin) const
  {
    if (std::isnan(this->Isovalue))
      return 0;
    const bool hasBin = this->Isovalue < Largest, hasAll = this->Isovalue < -Largest;
    return inBin[1] + (hasBin ? inBin[0] : 0) + (hasAll ? inBin[2] : 0);
  }

private:
  static constexpr double Largest = std::numeric_limits<double>::max();

  double Isovalue;
  Bins Bin;
};

}

#endif
