// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Hierarchies of levels as the input of the core.
#ifndef vmcLevelViews_h
#define vmcLevelViews_h

#include "Compute/Volume/Levels.h"
#include "Reference/Levels.h"
#include "Support/AnalyticVolumes.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <utility>
#include <vector>

namespace vmc::test
{

// The first seeds of random hierarchies run in each test; the variable VMC_LEVEL_SEEDS, a number, runs more.
inline std::uint64_t levelSeedCount()
{
  const char* const seeds = std::getenv("VMC_LEVEL_SEEDS");
  return seeds ? std::strtoull(seeds, nullptr, 10) : 160;
}

// Views of the hierarchy.
inline Levels viewOf(const reference::Levels& from)
{
  Levels levels;
  levels.type = SampleType::Float64;
  for (const reference::LevelIndex& ratio : from.ratio)
    levels.ratio.push_back({ std::uint32_t(ratio[0]), std::uint32_t(ratio[1]), std::uint32_t(ratio[2]) });
  for (const reference::LevelPatch& patch : from.patches)
  {
    LevelPatch view;
    view.level = patch.level;
    view.low = patch.low;
    for (std::size_t a = 0; a < 3; ++a)
      view.size[a] = static_cast<std::uint32_t>(patch.size[a]);
    view.samples = patch.samples.data();
    view.flags = patch.flags.empty() ? nullptr : patch.flags.data();
    levels.patches.push_back(view);
  }
  levels.origin = from.origin;
  levels.steps = from.steps;
  return levels;
}

// An image, cut into patches of `cut` cells along each axis.
struct CutImage
{
  Levels levels;
  std::vector<std::vector<std::byte>> bytes; // [patch]

  CutImage(const Samples& image, const Levels& lattice, std::uint32_t cut)
    : levels(lattice)
  {
    this->levels.type = image.type;
    this->levels.ratio = { { 1, 1, 1 } };
    for (std::uint32_t z = 0; z < image.size[2]; z += cut)
      for (std::uint32_t y = 0; y < image.size[1]; y += cut)
        for (std::uint32_t x = 0; x < image.size[0]; x += cut)
          this->add(image, { x, y, z }, cut);
    for (std::size_t i = 0; i < this->bytes.size(); ++i)
      this->levels.patches[i].samples = this->bytes[i].data();
  }

private:
  void add(const Samples& image, const std::array<std::uint32_t, 3>& low, std::uint32_t cut)
  {
    LevelPatch patch;
    for (std::size_t a = 0; a < 3; ++a)
    {
      patch.low[a] = low[a];
      patch.size[a] = std::min(cut, image.size[a] - low[a]);
    }
    std::vector<std::byte> copied;
    const std::size_t bytesPerSample = bytesOf(image.type);
    for (std::uint32_t z = low[2]; z < low[2] + patch.size[2]; ++z)
      for (std::uint32_t y = low[1]; y < low[1] + patch.size[1]; ++y)
      {
        const std::size_t first = ((std::size_t(z) * image.size[1] + y) * image.size[0] + low[0]) * bytesPerSample;
        copied.insert(copied.end(), image.bytes.begin() + std::ptrdiff_t(first),
          image.bytes.begin() + std::ptrdiff_t(first + patch.size[0] * bytesPerSample));
      }
    this->levels.patches.push_back(patch);
    this->bytes.push_back(std::move(copied));
  }
};

}

#endif
