// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Shares the bricks of hierarchies.
#ifndef vmcLevelCache_h
#define vmcLevelCache_h

#include "Compute/System/Stage.h"
#include "Compute/Volume/AttributeBricks.h"
#include "Compute/Volume/LevelBricks.h"
#include "Compute/Volume/Levels.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace vmc
{

// The bricks of a hierarchy that a user holds.
struct HeldLevels
{
  Levels description; // what they were made of; its arrays may not exist any more
  std::shared_ptr<const LevelBricks> bricks;
  std::vector<std::shared_ptr<const AttributeBricks>> attributes; // as the patches have them

  bool isKnown = false;       // each array of a patch has an identity
  std::size_t ownPatches = 0; // see LevelPatch::isOwned

  bool hasIdentity(std::uint64_t identity) const; // of an array of a patch
  // Returns the number of own patches with these samples.
  std::size_t patchesOf(std::uint64_t identity) const;
  // Returns whether the bricks are known to be those of the hierarchy. Attributes do not matter.
  bool hasCellsOf(const Levels& levels) const;
  std::vector<Attribute> attributeViews() const;
};

using SharedLevels = std::shared_ptr<const HeldLevels>;

// Shares the bricks of hierarchies whose arrays have identities between all users that hold them. Any thread may use
// it.
class LevelCache
{
public:
  // Returns the bricks of each hierarchy. Those that no user holds are made, by at most so many threads, as the stage
  // Upload; if a user holds those of a hierarchy with the same cells, only bricks with other samples are read. Threads
  // that ask at the same time may both make them. Throws as bricksOf does.
  std::vector<SharedLevels> acquire(const std::vector<Levels>& hierarchies, unsigned threads, StageTimes& times);

private:
  // The entries that users hold, by the parts that they share with a hierarchy.
  struct ReusableLevels
  {
    std::vector<SharedLevels> sameCells, sameSamples; // with the same cells, and with the same samples, too
    SharedLevels same;                                // with the same attributes, too; null: none
  };
  ReusableLevels find(const Levels& levels);

  std::mutex Mutex; // guards the entries
  std::vector<std::weak_ptr<const HeldLevels>> Entries;
};

}

#endif
