// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The blocks that several ranks need of each other.
#ifndef vmcBlockExchange_h
#define vmcBlockExchange_h

#include "LevelsFromData.h"
#include "PlacedBlock.h"

#include "vtkDataArray.h"
#include "vtkSmartPointer.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <vector>

class vtkMultiProcessController;

namespace vmc::filters
{

// Joins the blocks of all ranks of a controller. All of them must call its functions in the same order. First, each
// rank learns the places of all blocks, so all of them find the same lattices. Then it gets copies of the blocks of
// others that lie near its own ones. Copies are held for the next run: arrays that did not change are not sent again.
class BlockExchange
{
public:
  // Releases the copies in endRun if there was no exchange since beginRun.
  void beginRun();
  void endRun();

  void setController(vtkMultiProcessController* controller) { this->Controller = controller; }

  // Returns the placed blocks of all ranks, ordered by level, flat index and rank. Those of others have arrays without
  // tuples. `find` returns the placed blocks of this rank, and adds to `found`, which then has the errors of all ranks
  // and counts all blocks. Throws as onAllRanks does.
  std::vector<PlacedBlock> placesOfAllRanks(const std::function<std::vector<PlacedBlock>()>& find, GroupedData& found);

  // The blocks of other ranks that are no placed ones, without arrays, until endRun.
  const std::vector<LevelBlock>& others() const { return this->Others; }

  // An image without points that has the arrays of a block of another rank; nothing if no other rank has a block.
  const std::optional<LevelBlock>& example() const { return this->Example; }

  // Calls the function on all ranks. If it throws on any rank, this throws std::invalid_argument on all of them, with
  // the message of the first one.
  void onAllRanks(const std::function<void()>& work) const;

  // Makes the domains of groups with a border those of the cells of all ranks. groups: as for receiveBlocks.
  void uniteDomains(std::vector<LevelGroup>& groups) const;

  // Removes the blocks of other ranks that this one does not need, and groups of which it has no block. Gets the arrays
  // of all others. A rank needs the cells that lie within two cells of the coarsest level from its own ones (see
  // vmc::Levels); it gets the whole blocks. groups: of the placed blocks, in the same order on all ranks. Those without
  // patches, which may come first, are not exchanged.
  void receiveBlocks(std::vector<LevelGroup>& groups);

private:
  struct Transfers;
  using Arrays = std::map<std::uint64_t, vtkSmartPointer<vtkDataArray>>; // [identity]

  void addTransfers(LevelGroup& group, std::map<int, Transfers>& ofRank) const;
  void receiveArrays(std::map<int, Transfers>& ofRank);
  void findHeld(SampleCache::Samples& array, const LevelBlock& block, Arrays& held, Transfers& transfers) const;
  void exchangeWith(int rank, Transfers& transfers);

  vtkMultiProcessController* Controller = nullptr;
  bool IsUsed = false; // since beginRun
  Arrays Received;     // of the last exchange
  std::vector<LevelBlock> Others;
  std::optional<LevelBlock> Example;
};

}

#endif
