// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Reference implementation of the passes over one slab up to the scan: the inputs of the emitting kernels.
#ifndef vmcReferenceSlabReference_h
#define vmcReferenceSlabReference_h

#include "Reference/BuildBrickRanges.h"
#include "Reference/CompactBricks.h"
#include "Reference/CountBricks.h"
#include "Reference/ScanBricks.h"
#include "Reference/SelectBricks.h"

#include <algorithm>
#include <vector>

namespace vmc::reference
{

// Buffers after the scan, without spare capacity.
struct SlabReference
{
  SlabConstants slab;
  PackedValues samples;
  PackedValues ghosts; // empty: no flags
  bool blanking = false;
  std::vector<std::uint32_t> total = std::vector<std::uint32_t>(TOTAL_WORDS);
  std::vector<BrickRange> range;
  std::vector<std::uint32_t> slotOfBrick, activeBrick;
  std::vector<std::uint32_t> rows, validCells;
  std::vector<std::uint32_t> brickCount;  // value[array][slot], before the scan
  std::vector<std::uint32_t> brickOffset; // value[array][slot], after the scan
  std::vector<std::uint32_t> blockSum;    // sum[BLOCK_SUM_...][block]: points and triangles

  SlabReference(const SlabConstants& slabConstants, const PackedValues& packed, const PackedValues& flags = {})
    : slab(slabConstants)
    , samples(packed)
    , ghosts(flags)
  {
    this->range.resize(this->slab.firstRange + this->slab.brickCount);
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

  // A view of this object, which must outlive it.
  SlabGrid grid() const
  {
    return SlabGrid(this->slab, this->samples, this->ghosts.words.empty() ? nullptr : &this->ghosts);
  }

private:
  void select()
  {
    this->slotOfBrick.resize(this->slab.brickCount);
    this->activeBrick.resize(this->slab.brickCount);
    std::vector<std::uint32_t> workgroups(3);
    compactBricks(this->slab, this->range, this->slotOfBrick, this->activeBrick, this->total, workgroups);
    this->slab.activeCapacity = this->activeCount();
    this->activeBrick.resize(this->activeCount());
  }

  void count()
  {
    const std::size_t active = this->activeCount();
    this->rows.resize(active * ROW_WORDS);
    this->validCells.resize(active * VALID_CELL_WORDS);
    this->brickCount.resize(2 * active);
    this->blockSum.resize(BLOCK_SUM_ARRAYS * scanBlocks(this->slab));
    countBricks(this->grid(), this->slab, this->blanking, this->activeBrick, this->rows, this->validCells,
      this->brickCount, this->blockSum);
  }

  void scan()
  {
    this->brickOffset = this->brickCount;
    scanBricks(this->slab, this->blockSum, this->brickOffset, this->total);
    this->slab.pointCapacity = this->total[TOTAL_POINTS];
    this->slab.triangleCapacity = this->total[TOTAL_TRIANGLES];
  }
};

}

#endif
