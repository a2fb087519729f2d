// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Reference/LevelLeaves.h"
#include "Support/RandomLevels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>

namespace
{

using vmc::reference::LevelCell;
using vmc::reference::LevelIndex;
using vmc::reference::LevelLeaves;
using vmc::reference::LevelPatch;
using vmc::reference::Levels;
using vmc::test::RandomLevels;

constexpr std::uint64_t Seeds = 160; // those of the tests that use the hierarchies

// The number of hierarchies that have a feature, by its name.
using Features = std::map<std::string, std::size_t>;

void addFeaturesOfPatches(const Levels& levels, std::set<std::string>& features)
{
  std::set<std::pair<std::size_t, LevelIndex>> owned;
  for (const LevelPatch& patch : levels.patches)
    for (std::int64_t i = 0; i < patch.count(); ++i)
    {
      const unsigned flags = patch.flagsAt(i);
      if (std::isnan(patch.samples[static_cast<std::size_t>(i)]))
        features.insert("NaN");
      if ((flags & vmc::reference::LevelFlag::Hidden) != 0)
        features.insert("hidden cells");
      if ((flags & vmc::reference::LevelFlag::Duplicate) != 0)
        features.insert("duplicate cells");
      else if (!owned.insert({ patch.level, patch.cellAt(i) }).second)
        features.insert("overlapping patches");
      if (patch.low[0] < 0)
        features.insert("negative indices");
    }
}

void addFeaturesOfGeometry(const Levels& levels, std::set<std::string>& features)
{
  if (levels.isMirrored())
    features.insert("mirrored steps");
  if (std::abs(levels.origin[0]) > 1e5)
    features.insert("far origin");
  if (levels.steps[0][1] != 0)
    features.insert("oblique steps");
  const auto length = [](const auto& v) { return std::hypot(v[0], v[1], v[2]); };
  if (length(levels.steps[0]) > 3 * length(levels.steps[2]))
    features.insert("anisotropic steps");
}

// Features of the positions where leaves touch along x.
void addFeaturesOfLeaves(const LevelLeaves& leaves, std::set<std::string>& features)
{
  for (const LevelCell& leaf : leaves.leaves())
  {
    LevelIndex position = leaves.toFinest(leaf.level, { leaf.index[0] + 1, leaf.index[1], leaf.index[2] });
    const std::optional<LevelCell> next = leaves.leafAt(position);
    if (!next && leaf.level > 0)
      features.insert("fine leaf at the border");
    if (next && next->level + 1 < leaf.level)
      features.insert("jump of two levels");
  }
  if (!leaves.partlyCovered().empty())
    features.insert("mis-nested");
}

void addFeaturesOfRatios(const Levels& levels, std::set<std::string>& features)
{
  features.insert(std::to_string(levels.ratio.size()) + " levels");
  for (std::size_t level = 1; level < levels.ratio.size(); ++level)
  {
    const LevelIndex& ratio = levels.ratio[level];
    features.insert("ratio " + std::to_string(ratio[0]));
    if (ratio[0] != ratio[1])
      features.insert("ratio per axis");
    if (level > 1 && ratio != levels.ratio[level - 1])
      features.insert("ratio per level");
  }
}

Features countFeatures()
{
  Features count;
  for (std::uint64_t seed = 0; seed < Seeds; ++seed)
  {
    const RandomLevels random = vmc::test::randomLevels(seed);
    std::set<std::string> features = { "field " + std::to_string(static_cast<int>(random.field)) };
    addFeaturesOfRatios(random.levels, features);
    addFeaturesOfPatches(random.levels, features);
    addFeaturesOfGeometry(random.levels, features);
    addFeaturesOfLeaves(LevelLeaves(random.levels), features);
    for (const std::string& feature : features)
      ++count[feature];
  }
  return count;
}

}

TEST(RandomLevels, EveryFeatureIsCommon)
{
  const Features count = countFeatures();
  for (const char* const feature : { "1 levels", "2 levels", "3 levels", "4 levels", "ratio 2", "ratio 3", "ratio 4",
         "ratio per axis", "ratio per level", "jump of two levels", "mis-nested", "fine leaf at the border", "NaN",
         "hidden cells", "duplicate cells", "overlapping patches", "negative indices", "mirrored steps", "far origin",
         "oblique steps", "anisotropic steps", "field 0", "field 1", "field 2", "field 3" })
    EXPECT_GE(count.count(feature) == 0 ? 0 : count.at(feature), Seeds / 20) << feature;
}

TEST(RandomLevels, OnlyThoseThatSayItMayBeMisNested)
{
  for (std::uint64_t seed = 0; seed < Seeds; ++seed)
  {
    const RandomLevels random = vmc::test::randomLevels(seed);
    EXPECT_EQ(random.mayBeMisNested, seed % 4 == 3);
    EXPECT_TRUE(random.mayBeMisNested || LevelLeaves(random.levels).partlyCovered().empty()) << "seed " << seed;
  }
}

TEST(RandomLevels, HierarchiesAreSmall)
{
  for (std::uint64_t seed = 0; seed < Seeds; ++seed)
  {
    const std::size_t leaves = LevelLeaves(vmc::test::randomLevels(seed).levels).leaves().size();
    EXPECT_GT(leaves, 0u) << "seed " << seed;
    EXPECT_LT(leaves, 6'000u) << "seed " << seed;
  }
}

TEST(RandomLevels, OverlappingCellsHaveEqualSamples)
{
  for (std::uint64_t seed = 0; seed < Seeds; ++seed)
  {
    std::map<std::pair<std::size_t, LevelIndex>, double> samples;
    for (const LevelPatch& patch : vmc::test::randomLevels(seed).levels.patches)
      for (std::int64_t i = 0; i < patch.count(); ++i)
        if ((patch.flagsAt(i) & vmc::reference::LevelFlag::Duplicate) == 0)
        {
          const double sample = patch.samples[static_cast<std::size_t>(i)];
          const double first = samples.insert({ { patch.level, patch.cellAt(i) }, sample }).first->second;
          EXPECT_TRUE(first == sample || (std::isnan(first) && std::isnan(sample))) << "seed " << seed;
        }
  }
}
