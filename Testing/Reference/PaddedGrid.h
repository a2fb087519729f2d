// A volume laid out with its padding and flags in double, one entry a place of the grid. Knows nothing of windows, keys
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

// Indexed by grid place, x fastest.
struct PaddedGrid
{
  std::array<std::uint32_t, 3> size{ 0, 0, 0 };
  std::vector<double> value;
  std::vector<std::size_t> sample;               // number of the image sample that the place repeats
  std::vector<bool> outside;                     // below every isovalue, whatever its value
  std::vector<bool> blank, notOwned;             // as the flags of the sample; a NaN is blank
  std::array<std::vector<double>, 3> coordinate; // [axis][place along it]: steps from the first image sample

  // Samples without padding and flags.
  PaddedGrid(const std::array<std::uint32_t, 3>& imageSize, const std::vector<double>& samples)
  {
    Volume volume;
    volume.size = imageSize;
    this->lay(volume, [&samples](std::size_t i) { return samples[i]; });
  }

  // valueOf(sample number) tells the samples; of the volume size, padding and flags are looked at.
  PaddedGrid(const Volume& volume, const std::function<double(std::size_t)>& valueOf) { this->lay(volume, valueOf); }

  bool contains(const Position& p) const
  {
    return p[0] < this->size[0] && p[1] < this->size[1] && p[2] < this->size[2];
  }

  std::size_t indexOf(const Position& p) const
  {
    return (std::size_t(p[2]) * this->size[1] + p[1]) * this->size[0] + p[0];
  }

  // Whether the dual cell with this minimum corner makes triangles.
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
  void lay(const Volume& volume, const std::function<double(std::size_t)>& valueOf)
  {
    std::array<std::vector<std::uint32_t>, 3> image; // [axis][place along it]
    std::array<std::vector<bool>, 3> beyond;         // likewise: in the outermost layer of a side that closes
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      const std::uint32_t low = volume.padding.low[axis], samples = volume.size[axis], high = volume.padding.high[axis];
      this->size[axis] = low + samples + high;
      for (std::uint32_t place = 0; place < this->size[axis]; ++place)
      {
        const bool before = place < low, behind = place >= low + samples;
        image[axis].push_back(before ? 0 : behind ? samples - 1 : place - low);
        const double shift = before ? -double(volume.padding.border) : behind ? volume.padding.border : 0;
        this->coordinate[axis].push_back(image[axis].back() + shift);
        beyond[axis].push_back(
          volume.padding.closed && ((before && place == 0) || (behind && place == this->size[axis] - 1)));
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
