// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// A volume with its padding and flags, one entry per grid position, with values in double. Does not use windows, keys
// or packed values.
#ifndef vmcReferencePaddedGrid_h
#define vmcReferencePaddedGrid_h

#include "Compute/Volume/Volume.h"
#include "Reference/SlabGrid.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

namespace vmc::reference
{

// Arrays indexed by grid position, x fastest.
struct PaddedGrid
{
  std::array<std::uint32_t, 3> size{ 0, 0, 0 };
  std::vector<double> value;
  std::vector<std::size_t> sample;               // index of the image sample at the position
  std::vector<bool> outside;                     // counts as below every isovalue
  std::vector<bool> blank, notOwned;             // flags of the sample; NaN is blank
  std::array<std::vector<double>, 3> coordinate; // [axis][position along it]: steps from the first image sample; tests
                                                 // may replace them

  // Samples without padding and flags.
  PaddedGrid(const std::array<std::uint32_t, 3>& imageSize, const std::vector<double>& samples)
  {
    Volume volume;
    volume.size = imageSize;
    this->fill(volume, [&samples](std::size_t i) { return samples[i]; });
  }

  // valueOf(sample index) returns the samples. Of the volume only size, padding and flags are read.
  PaddedGrid(const Volume& volume, const std::function<double(std::size_t)>& valueOf) { this->fill(volume, valueOf); }

  bool contains(const Position& p) const
  {
    return p[0] < this->size[0] && p[1] < this->size[1] && p[2] < this->size[2];
  }

  std::size_t indexOf(const Position& p) const
  {
    return (std::size_t(p[2]) * this->size[1] + p[1]) * this->size[0] + p[0];
  }

  // Returns whether the dual cell with this minimum corner is valid: it is in the grid, owned, and touches no blank
  // sample.
  bool isValidCell(const Position& p) const
  {
    if (!this->contains({ p[0] + 1, p[1] + 1, p[2] + 1 }) || this->notOwned[this->indexOf(p)])
      return false;
    for (std::uint32_t corner = 0; corner < 8; ++corner)
      if (this->blank[this->indexOf(SlabGrid::cornerOf(p, corner))])
        return false;
    return true;
  }

private:
  void fill(const Volume& volume, const std::function<double(std::size_t)>& valueOf)
  {
    std::array<std::vector<std::uint32_t>, 3> image; // [axis][position along it]
    std::array<std::vector<bool>, 3> beyond;         // same indices: outermost padding layer of a closed surface
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      const std::uint32_t low = volume.padding.low[axis], samples = volume.size[axis], high = volume.padding.high[axis];
      this->size[axis] = low + samples + high;
      for (std::uint32_t position = 0; position < this->size[axis]; ++position)
      {
        const bool before = position < low, behind = position >= low + samples;
        image[axis].push_back(before ? 0 : behind ? samples - 1 : position - low);
        const double shift = before ? -double(volume.padding.border) : behind ? volume.padding.border : 0;
        this->coordinate[axis].push_back(image[axis].back() + shift);
        beyond[axis].push_back(
          volume.padding.closed && ((before && position == 0) || (behind && position == this->size[axis] - 1)));
      }
    }
    for (std::uint32_t z = 0; z < this->size[2]; ++z)
      for (std::uint32_t y = 0; y < this->size[1]; ++y)
        for (std::uint32_t x = 0; x < this->size[0]; ++x)
        {
          const std::size_t number =
            (std::size_t(image[2][z]) * volume.size[1] + image[1][y]) * volume.size[0] + image[0][x];
          const unsigned flags = volume.ghosts ? volume.ghosts[number] : 0;
          this->sample.push_back(number);
          this->value.push_back(valueOf(number));
          this->outside.push_back(beyond[0][x] || beyond[1][y] || beyond[2][z]);
          this->blank.push_back((flags & Ghost::Blank) != 0 || std::isnan(this->value.back()));
          this->notOwned.push_back((flags & Ghost::NotOwned) != 0);
        }
  }
};

}

#endif
