// The twins of the passes over one slab, up to the scan: what every emitting kernel starts from.
#ifndef vmcReferenceSlabTwins_h
#define vmcReferenceSlabTwins_h

#include "BuildBrickRanges.h"
#include "CompactBricks.h"
#include "CountBricks.h"
#include "ReduceBlocks.h"
#include "ScanElements.h"
#include "SelectBricks.h"

#include <algorithm>
#include <vector>

namespace vmc::reference
{

// Buffers as they are after the scan, with room for just what there is.
struct SlabTwins
{
  SlabConstants slab;
  PackedValues samples;
  PackedValues ghosts; // no words: none
  bool blanking = false;
  std::vector<std::uint32_t> total = std::vector<std::uint32_t>(TOTAL_WORDS);
  std::vector<BrickRange> range;
  std::vector<std::uint32_t> slotOfBrick, activeBrick;
  std::vector<std::uint32_t> rowEdges, rowPointOffset, liveCells;
  std::vector<std::uint32_t> brickCount;  // value[array][slot] before the scan
  std::vector<std::uint32_t> brickOffset; // and after

  SlabTwins(const SlabConstants& slabConstants, const PackedValues& packed, const PackedValues& flags = {})
    : slab(slabConstants)
    , samples(packed)
    , ghosts(flags)
  {
    const std::uint32_t before = this->slab.brickLayer * this->slab.bricksX * this->slab.bricksY;
    this->range.resize(before + this->slab.brickCount);
    buildBrickRanges(this->slab, this->samples, this->range, this->total);
    this->blanking = this->total[TOTAL_HAS_NAN] != 0 || !this->ghosts.words.empty();
    this->select();
    this->count();
    this->scan();
  }

  std::uint32_t activeCount() const { return this->total[TOTAL_ACTIVE]; }
  // Active bricks that the slab emits.
  std::uint32_t emitCount() const
  {
    return this->slab.ownBrickCount < this->slab.brickCount ? this->total[TOTAL_OWN_ACTIVE] : this->activeCount();
  }

  // A view: the twins must outlive it.
  SlabGrid grid() const
  {
    return SlabGrid(this->slab, this->samples, this->ghosts.words.empty() ? nullptr : &this->ghosts);
  }

private:
  void select()
  {
    this->slotOfBrick.resize(this->slab.brickCount);
    this->activeBrick.resize(this->slab.brickCount);
    compactBricks(this->slab, this->range, this->slotOfBrick, this->activeBrick, this->total);
    this->slab.activeRoom = this->activeCount();
    this->activeBrick.resize(this->activeCount());
  }

  void count()
  {
    const std::size_t active = this->activeCount();
    this->rowEdges.resize(active * ROW_WORDS);
    this->rowPointOffset.resize(active * ROW_OFFSET_WORDS);
    this->liveCells.resize(active * LIVE_CELL_WORDS);
    this->brickCount.resize(2 * active);
    countBricks(this->grid(), this->slab, this->blanking, this->activeBrick, this->rowEdges, this->rowPointOffset,
      this->liveCells, this->brickCount);
  }

  void scan()
  {
    const std::uint32_t active = this->activeCount();
    const std::uint32_t split = this->slab.ownBrickCount < this->slab.brickCount ? TOTAL_OWN_ACTIVE : NO_TOTAL;
    const ScanConstants push{ active, (active + SCAN_BLOCK_SIZE - 1) / SCAN_BLOCK_SIZE, TOTAL_ACTIVE, split,
      TOTAL_OWN_POINTS, TOTAL_POINTS };
    std::vector<std::uint32_t> sum(2 * push.blockCount);
    this->brickOffset = this->brickCount;
    reduceBlocks(push, 2, this->brickOffset, sum, this->total);
    scanElements(push, 2, this->brickOffset, sum, this->total);
  }
};

}

#endif
