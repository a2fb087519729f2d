// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Conversion of composite data sets of images to the compute core's view of levels of patches.
#ifndef vmcLevelsFromData_h
#define vmcLevelsFromData_h

#include "SampleCache.h"
#include "VolumeFromImage.h"

#include "vtkImageData.h"
#include "vtkSmartPointer.h"

#include "Compute/Volume/Levels.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

class vtkCompositeDataSet;

namespace vmc::filters
{

class BlockExchange;

// A block of a composite data set: an image or a grid with points. The data set must outlive it.
struct LevelBlock
{
  vtkSmartPointer<vtkImageData> image; // see filters::imageOf
  ImageSamples samples;
  unsigned int flatIndex = 0;              // in the data set
  unsigned int level = 0;                  // of an AMR: as the data set numbers it; of another data set: in the group
  std::shared_ptr<const GhostFlags> flags; // a copy of the flags for LevelPatch::flags; null: none is needed
  int rank = 0;                            // of the process that has the block, if the blocks of several are joined
  bool isOwned = true;                     // false: it is the copy of a block of another rank

  // Returns whether a cell has this flag of vtkGhostType.
  bool hasCells(int kind) const { return this->samples.ghosts && (this->samples.ghosts->kinds & kind) != 0; }
};

// The blocks of one lattice.
struct LevelGroup
{
  std::vector<LevelBlock> blocks; // [patch]: coarse levels first, blocks of a level in the order of the data set
  // Views of the blocks. The lattice point (0, 0, 0) is the low corner of the bounding box of the coarsest blocks.
  // Without patches, the only block can be contoured as an image alone: it has point data, a singular direction
  // matrix, or is a rectilinear grid.
  vmc::Levels levels;
  // Equal on all ranks that have blocks of the lattice, or pieces of the image; -1: there are no other ones.
  int sharedNumber = -1;

  bool isShared() const { return this->sharedNumber >= 0; }
};

// Why a block is in no group.
struct BlockError
{
  unsigned int flatIndex = 0;
  std::string message;
};

// The blocks of a composite data set by their lattices.
struct GroupedData
{
  std::vector<LevelGroup> groups; // in the order of their first blocks in the data set
  std::vector<BlockError> errors; // of blocks whose samples cannot be found
  std::vector<std::string> warnings;
  std::size_t blocks = 0;      // of the data set, without null ones
  std::size_t otherBlocks = 0; // that are no images and no rectilinear grids: they are in no group
  bool isOfAllRanks = false;   // the blocks of all ranks are joined: errors, warnings and counts are those of all
  bool hasGap = false;         // if isOfAllRanks: the surface has a gap between two groups (see filters::haveGap)
  // If isOfAllRanks and there are no groups: an image without points with the arrays of a block of another rank.
  std::optional<LevelBlock> example;
};

// Returns the samples of a block, as filters::samplesOf does.
using SamplesOfBlock = std::function<ImageSamples(vtkImageData*)>;

// Groups the blocks of cell data by their lattices: blocks of one group have the same direction matrix and the same
// type of samples; along each axis, the steps of a level are those of the next finer one times an integer, and each
// corner of a block is a lattice point of its level. Any other block is a group of its own. Blocks without points are
// left out. Attributes that not all blocks of a group have are removed from its samples.
//
// The levels of an AMR are those of the data set. Throws std::invalid_argument if its blocks do not share a lattice, or
// if a block is smaller than its AMR box. The sentence states the block, the value found and the value allowed. A block
// may be larger than its box, by ghost layers: origin, spacing and extent of a block tell where its cells are.
//
// Blocks with padding have the border of their lattice (Levels::border) in place of their own ones.
//
// Blocks of another data set are sorted by their spacings. Blocks that are far apart, without others between them, are
// different groups; with padding, any blocks that do not touch. A block with the same cells as another one, none of
// them duplicate, is in another group: it is another image of the same region.
//
// Flags of ghost cells: a duplicate cell is not there, a hidden cell is a hole. Refined cells of an AMR count as
// ordinary ones: finer blocks cover them, and where these are not loaded, the coarse value is the best one. In another
// data set, this flag may be the only sign of finer data outside the group: a refined cell is not there. That changes
// nothing where finer blocks of the group cover it.
//
// `ranks` joins the blocks of several ranks, which all call this: the groups have the lattices of all blocks, and
// copies of the blocks of other ranks that are near. Groups of which this rank has no block are left out. null: this
// rank's blocks are joined only.
//
// `cache` keeps copies of flags. Takes n log n time if the spacings along x have few different values; with padding, a
// time that grows with the number of pairs of blocks that overlap along x.
GroupedData levelsFromData(
  vtkCompositeDataSet* data, const SamplesOfBlock& samplesOf, SampleCache& cache, BlockExchange* ranks = nullptr);

// Divides groups into images alone: a single block of all ranks; and, if the data set is not whole but that of one of
// several ranks whose blocks are not joined, blocks of one level that all have ghost cells. Duplicate cells of a
// lattice are not there, also if no block of this rank has the originals; those of images close the gaps between all
// blocks. Groups with refined cells stay.
void separateImages(std::vector<LevelGroup>& groups, bool isWhole);

}

#endif
