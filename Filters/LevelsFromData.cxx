// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "LevelsFromData.h"

#include "ArrayIdentity.h"
#include "BlockExchange.h"
#include "BlockLattice.h"
#include "GridImage.h"
#include "LeafGaps.h"
#include "PlacedBlock.h"

#include "vtkAMRBox.h"
#include "vtkCompositeDataIterator.h"
#include "vtkCompositeDataSet.h"
#include "vtkDataSetAttributes.h"
#include "vtkImageData.h"
#include "vtkMatrix3x3.h"
#include "vtkOverlappingAMR.h"
#include "vtkSmartPointer.h"
#include "vtkUniformGridAMR.h"
#include "vtkUnsignedCharArray.h"
#include "vtkVersionMacros.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <exception>
#include <iterator>
#include <numeric>
#include <optional>
#include <set>
#include <stdexcept>
#include <utility>

#if VTK_VERSION_NUMBER >= VTK_VERSION_CHECK(9, 6, 0)
#include "vtkUniformGridAMRIterator.h"
using AmrIterator = vtkUniformGridAMRIterator;
#else
#include "vtkUniformGridAMRDataIterator.h"
using AmrIterator = vtkUniformGridAMRDataIterator; // the name before VTK 9.6
#endif

namespace vmc::filters
{

namespace
{

std::string nameOf(const PlacedBlock& placed)
{
  return "Block " + std::to_string(placed.block.flatIndex) + " of level " + std::to_string(placed.block.level);
}

bool hasBorder(const LevelBlock& block)
{
  return !block.samples.padding.isEmpty();
}

// The lattices of a data set, and the types of their samples.
struct LatticeSearch
{
  std::vector<std::pair<vmc::SampleType, BlockLattice>> lattices;
  LatticeLookup lookup;               // of a tree of images
  std::size_t blocksOfOtherTypes = 0; // that would fit a lattice of samples of another type
};

// Throws if a block of an AMR does not fit, or has another spacing than the blocks of its level. first: of the lattice.
void checkFit(const BlockLattice& lattice, const PlacedBlock& first, const PlacedBlock& placed, const LatticeFit& fit,
  bool isNewLevel)
{
  const BlockPlace& place = placed.place;
  const std::array<double, 3> spacing = lattice.finestSpacing();
  if (place.direction != lattice.direction())
    throw std::invalid_argument(nameOf(placed) + " has the direction matrix " + textOf(place.direction.data(), 9) +
                                "; it must be that of the other blocks, " + textOf(lattice.direction().data(), 9) +
                                ".");
  if (fit.hasWrongSpacing || (!isNewLevel && !fit.isOfSameLevel()))
    throw std::invalid_argument(nameOf(placed) + " has the spacing " + textOf(place.spacing.data(), 3) +
                                "; it must be that of the " + (isNewLevel ? "next coarser level, " : "level, ") +
                                textOf(spacing.data(), 3) + (isNewLevel ? ", divided by integers." : "."));
  if (!fit.isGood())
    throw std::invalid_argument(
      nameOf(placed) + " lies between " + textOf(&fit.corners[0], 1) + " and " + textOf(&fit.corners[1], 1) +
      " along axis " + std::to_string(fit.wrongAxis) + ", counted in its cells from the low corner of block " +
      std::to_string(first.block.flatIndex) + "; both must be integers up to 2^31, " +
      std::to_string(place.size[fit.wrongAxis]) + " apart, within " + textOf(&fit.tolerance, 1) + ".");
}

// Returns the lattices of an AMR: one per type of samples. The blocks are sorted by levels.
LatticeSearch latticesOfAmr(const std::vector<PlacedBlock>& blocks)
{
  LatticeSearch found;
  for (std::size_t i = 0; i < blocks.size(); ++i)
  {
    const PlacedBlock& placed = blocks[i];
    const auto known = std::find_if(found.lattices.begin(), found.lattices.end(),
      [&](const auto& typeAndLattice) { return typeAndLattice.first == placed.type; });
    found.blocksOfOtherTypes += i > 0 && placed.type != blocks.front().type ? 1 : 0;
    if (known == found.lattices.end())
    {
      found.lattices.emplace_back(placed.type, BlockLattice(i, placed.place, true));
      continue;
    }
    BlockLattice& lattice = known->second;
    const PlacedBlock& first = blocks[lattice.members().front().block];
    const bool isNewLevel = blocks[lattice.members().back().block].block.level != placed.block.level;
    const LatticeFit fit = lattice.fit(placed.place);
    checkFit(lattice, first, placed, fit, isNewLevel);
    lattice.add(i, placed.place, fit, isNewLevel);
  }
  return found;
}

// Adds the block to the first lattice that it fits, or to a new one.
void addImage(std::size_t block, const PlacedBlock& placed, LatticeSearch& found)
{
  const GhostFlags* const ghosts = placed.block.samples.ghosts.get();
  const bool hasDuplicates = ghosts && (ghosts->kinds & vtkDataSetAttributes::DUPLICATECELL) != 0;
  bool isOfOtherType = false, isAdded = false;
  for (const std::size_t number : found.lookup.candidates(placed.place))
  {
    auto& [type, lattice] = found.lattices[number];
    const LatticeFit fit = lattice.fit(placed.place);
    if (!fit.isGood() || placed.place.direction != lattice.direction() ||
        (!hasDuplicates && lattice.hasCells(placed.place, fit)))
      continue;
    isAdded = type == placed.type;
    isOfOtherType = isOfOtherType || !isAdded;
    if (!isAdded)
      continue;
    lattice.add(block, placed.place, fit, !fit.isOfSameLevel());
    if (!fit.isOfSameLevel())
      found.lookup.add(number, lattice);
    break;
  }
  found.blocksOfOtherTypes += isOfOtherType ? 1 : 0;
  if (isAdded)
    return;
  found.lattices.emplace_back(placed.type, BlockLattice(block, placed.place, false));
  found.lookup.add(found.lattices.size() - 1, found.lattices.back().second);
}

// Returns the lattices of a tree of images. Blocks with coarse cells are added first.
LatticeSearch latticesOfImages(const std::vector<PlacedBlock>& blocks)
{
  std::vector<std::size_t> coarseFirst(blocks.size());
  std::iota(coarseFirst.begin(), coarseFirst.end(), std::size_t(0));
  const auto cellVolume = [&](std::size_t i)
  { return blocks[i].place.spacing[0] * blocks[i].place.spacing[1] * blocks[i].place.spacing[2]; };
  std::stable_sort(coarseFirst.begin(), coarseFirst.end(),
    [&](std::size_t a, std::size_t b) { return cellVolume(a) > cellVolume(b); });
  LatticeSearch found;
  for (const std::size_t i : coarseFirst)
    addImage(i, blocks[i], found);
  const auto placeOf = [&](std::size_t block) -> const BlockPlace& { return blocks[block].place; };
  for (const auto& [type, lattice] : std::exchange(found.lattices, {}))
    for (BlockLattice& part : partsOf(lattice, placeOf, hasBorder(blocks[lattice.members().front().block].block)))
      found.lattices.emplace_back(type, std::move(part));
  return found;
}

// Throws if the block has fewer cells than its AMR box. A box that nobody has set is invalid.
void checkBox(vtkOverlappingAMR* amr, unsigned int level, unsigned int index, const PlacedBlock& placed)
{
  const vtkAMRBox& box = amr->GetAMRBox(level, index);
  int cells[3] = { 0, 0, 0 };
  if (!box.IsInvalid())
    box.GetNumberOfCells(cells);
  const auto textOfCells = [](auto x, auto y, auto z)
  { return std::to_string(x) + " x " + std::to_string(y) + " x " + std::to_string(z); };
  const CellCounts& size = placed.place.size;
  for (std::size_t axis = 0; axis < 3; ++axis)
    if (cells[axis] > static_cast<std::int64_t>(size[axis]))
      throw std::invalid_argument(nameOf(placed) + " has " + textOfCells(size[0], size[1], size[2]) +
                                  " cells; its AMR box has " + textOfCells(cells[0], cells[1], cells[2]) +
                                  ", and may not be larger.");
}

// Returns the blocks that may share a lattice, in the order of the data set. All others become groups, or are counted.
std::vector<PlacedBlock> placedBlocks(vtkCompositeDataSet* data, const SamplesOfBlock& samplesOf, GroupedData& found)
{
  std::vector<PlacedBlock> blocks;
  auto* const overlapping = vtkOverlappingAMR::SafeDownCast(data);
  const auto leaf = vtkSmartPointer<vtkCompositeDataIterator>::Take(data->NewIterator());
  auto* const amrLeaf = AmrIterator::SafeDownCast(leaf);
  for (leaf->InitTraversal(); !leaf->IsDoneWithTraversal(); leaf->GoToNextItem())
  {
    LevelBlock block;
    block.image = imageOf(leaf->GetCurrentDataObject());
    vtkImageData* const image = block.image;
    ++found.blocks;
    found.otherBlocks += image ? 0 : 1;
    if (!image || image->GetNumberOfPoints() == 0)
      continue;
    block.flatIndex = leaf->GetCurrentFlatIndex();
    block.level = amrLeaf ? amrLeaf->GetCurrentLevel() : 0;
    try
    {
      block.samples = samplesOf(image);
    }
    catch (const std::exception& error)
    {
      found.errors.push_back({ block.flatIndex, error.what() });
      continue;
    }
    std::optional<PlacedBlock> placedBlock = placed(block);
    if (!placedBlock)
    {
      found.groups.emplace_back().blocks.push_back(std::move(block));
      continue;
    }
    if (overlapping && amrLeaf)
      checkBox(overlapping, amrLeaf->GetCurrentLevel(), amrLeaf->GetCurrentIndex(), *placedBlock);
    blocks.push_back(std::move(*placedBlock));
  }
  return blocks;
}

bool areAlike(vtkDataArray* a, vtkDataArray* b)
{
  return a->GetName() == std::string(b->GetName()) && a->GetDataType() == b->GetDataType() &&
         a->GetNumberOfComponents() == b->GetNumberOfComponents();
}

// Removes the attributes that not all blocks have. Adds their names. The order becomes that of the first block.
void keepCommonAttributes(std::vector<LevelBlock>& blocks, std::set<std::string>& removed)
{
  using Attributes = std::vector<SampleCache::Samples>;
  const auto findIn = [](const Attributes& attributes, vtkDataArray* array)
  {
    return std::find_if(attributes.begin(), attributes.end(),
      [=](const SampleCache::Samples& attribute) { return areAlike(attribute.values, array); });
  };
  Attributes common = blocks.front().samples.attributes;
  const auto isMissing = [&](const SampleCache::Samples& attribute)
  {
    return std::any_of(blocks.begin(), blocks.end(),
      [&](const LevelBlock& block)
      { return findIn(block.samples.attributes, attribute.values) == block.samples.attributes.end(); });
  };
  common.erase(std::remove_if(common.begin(), common.end(), isMissing), common.end());
  for (LevelBlock& block : blocks)
  {
    Attributes kept;
    for (const SampleCache::Samples& attribute : common)
      kept.push_back(*findIn(block.samples.attributes, attribute.values));
    for (const SampleCache::Samples& attribute : block.samples.attributes)
      if (findIn(common, attribute.values) == common.end())
        removed.insert(attribute.values->GetName());
    block.samples.attributes = std::move(kept);
  }
}

// The flags of a cell of a patch from those of vtkGhostType. See the comment of levelsFromData.
std::uint8_t flagsFrom(std::uint8_t ghost, bool isAmr)
{
  const bool isRefined = (ghost & vtkDataSetAttributes::REFINEDCELL) != 0;
  const int flags = ghost & (vmc::LevelFlag::Duplicate | vmc::LevelFlag::Hidden);
  return static_cast<std::uint8_t>(flags | (isRefined && !isAmr ? vmc::LevelFlag::Duplicate : 0));
}

// The core reads the array of the data set if it contains no bits of another meaning, or else a copy.
void setFlags(LevelBlock& block, vmc::LevelPatch& patch, bool isAmr, SampleCache& cache)
{
  static_assert(vmc::LevelFlag::Duplicate == vtkDataSetAttributes::DUPLICATECELL);
  static_assert(vmc::LevelFlag::Hidden == vtkDataSetAttributes::HIDDENCELL);
  if (!block.samples.ghosts) // no cell is a duplicate, hidden or refined
    return;
  vtkUnsignedCharArray* const array = block.samples.image->GetCellGhostArray();
  const std::uint64_t identity = identityOf({ block.samples.ghostIdentity, isAmr ? 1u : 0u });
  const int kinds = block.samples.ghosts->kinds;
  patch.flagIdentity = identity;
  if ((kinds & ~(vmc::LevelFlag::Duplicate | vmc::LevelFlag::Hidden)) == 0)
  {
    patch.flags = array->GetPointer(0);
    return;
  }
  const auto copy = [&]
  {
    GhostFlags flags;
    if (flagsFrom(static_cast<std::uint8_t>(kinds), isAmr) == 0)
      return flags;
    const unsigned char* const begin = array->GetPointer(0);
    flags.ofSamples.resize(static_cast<std::size_t>(array->GetNumberOfValues()));
    std::transform(begin, begin + array->GetNumberOfValues(), flags.ofSamples.begin(),
      [=](std::uint8_t ghost) { return flagsFrom(ghost, isAmr); });
    return flags;
  };
  block.flags = cache.ghosts(identity, copy);
  patch.flags = block.flags ? block.flags->ofSamples.data() : nullptr;
  patch.flagIdentity = block.flags ? identity : 0;
}

// Sets the geometry of levels. Returns the lowest index of the coarsest blocks along each axis, which becomes 0. The
// origin is computed from the coarsest block that is the first one by z, y and x, as that of an image which begins at
// the lattice point (0, 0, 0): blocks that share an origin have the geometry of the whole image.
vmc::LevelIndex setGeometry(const BlockLattice& lattice, const std::vector<PlacedBlock>& blocks, vmc::Levels& levels)
{
  const BlockLattice::Member* first = &lattice.members().front();
  vmc::LevelIndex lowest = first->low;
  for (const BlockLattice::Member& member : lattice.members())
  {
    if (member.level != 0)
      break;
    if (std::lexicographical_compare(member.low.rbegin(), member.low.rend(), first->low.rbegin(), first->low.rend()))
      first = &member;
    for (std::size_t axis = 0; axis < 3; ++axis)
      lowest[axis] = std::min(lowest[axis], member.low[axis]);
  }
  vtkImageData* const image = blocks[first->block].block.samples.image;
  vmc::Vector3 index{};
  for (std::size_t axis = 0; axis < 3; ++axis)
    index[axis] = image->GetExtent()[2 * axis] - static_cast<double>(first->low[axis] - lowest[axis]);
  const vmc::SampleGeometry geometry = geometryFrom(image, index);
  levels.origin = geometry.origin();
  levels.steps = { geometry.step(0), geometry.step(1), geometry.step(2) };
  return lowest;
}

// Moves the blocks of the lattice to a group.
LevelGroup groupOf(const BlockLattice& lattice, std::vector<PlacedBlock>& blocks, std::set<std::string>& removed)
{
  LevelGroup group;
  group.levels.type = blocks[lattice.members().front().block].type;
  group.levels.ratio = lattice.ratio();
  if (const LevelBlock& first = blocks[lattice.members().front().block].block; hasBorder(first))
    group.levels.border.emplace().isClosed = first.samples.padding.closed;
  group.levels.patches.reserve(lattice.members().size());
  group.blocks.reserve(lattice.members().size());
  vmc::LevelIndex origin = setGeometry(lattice, blocks, group.levels);
  std::size_t level = 0;
  for (const BlockLattice::Member& member : lattice.members())
  {
    for (; level < member.level; ++level)
      for (std::size_t axis = 0; axis < 3; ++axis)
        origin[axis] *= lattice.ratio()[level + 1][axis];
    vmc::LevelPatch& patch = group.levels.patches.emplace_back();
    patch.level = level;
    patch.size = blocks[member.block].place.size;
    patch.isOwned = blocks[member.block].block.isOwned;
    for (std::size_t axis = 0; axis < 3; ++axis)
      patch.low[axis] = member.low[axis] - origin[axis];
    group.blocks.push_back(std::move(blocks[member.block].block));
  }
  keepCommonAttributes(group.blocks, removed);
  return group;
}

// Sets the views of the arrays of the blocks that this rank owns, or of those of the others. The arrays stay where they
// are.
void setArrays(std::vector<LevelGroup>& groups, bool areOwned, bool isAmr, SampleCache& cache)
{
  for (LevelGroup& group : groups)
    for (std::size_t i = 0; i < group.levels.patches.size(); ++i)
    {
      vmc::LevelPatch& patch = group.levels.patches[i];
      if (patch.isOwned != areOwned)
        continue;
      vmc::Volume volume = volumeFromImage(group.blocks[i].samples);
      patch.samples = volume.samples;
      patch.identity = volume.identity;
      patch.attributes = std::move(volume.attributes);
      setFlags(group.blocks[i], patch, isAmr, cache);
      if (!isAmr)
        group.blocks[i].level = static_cast<unsigned int>(patch.level);
    }
}

std::vector<std::string> warningsOf(
  const GroupedData& found, std::size_t blocksOfOtherTypes, const std::set<std::string>& removed)
{
  std::vector<std::string> warnings;
  if (blocksOfOtherTypes > 0)
    warnings.push_back("The surface breaks at " + std::to_string(blocksOfOtherTypes) + " of " +
                       std::to_string(found.blocks) +
                       " blocks: they share a lattice with blocks whose values have another type.");
  if (!removed.empty())
    warnings.push_back("Arrays that not all blocks of a lattice have are not interpolated: " +
                       std::accumulate(std::next(removed.begin()), removed.end(), *removed.begin(),
                         [](const std::string& list, const std::string& name) { return list + ", " + name; }) +
                       ".");
  return warnings;
}

// Returns whether the surface has a gap between two blocks, also of other ranks, that are not of one group.
bool haveGap(const std::vector<LevelGroup>& groups, const std::vector<LevelBlock>& others)
{
  std::vector<LeafOfPart> leaves;
  for (std::size_t i = 0; i < groups.size(); ++i)
    for (const LevelBlock& block : groups[i].blocks)
      leaves.push_back({ &block.samples, i, false });
  for (std::size_t i = 0; i < others.size(); ++i)
    leaves.push_back({ &others[i].samples, groups.size() + i, false });
  return groups.size() + others.size() > 1 && filters::haveGap(leaves);
}

// Refined cells have values in a lattice only.
bool areImages(const LevelGroup& group, bool isWhole)
{
  const auto has = [](int kind) { return [=](const LevelBlock& block) { return block.hasCells(kind); }; };
  const std::vector<LevelBlock>& blocks = group.blocks;
  if (group.isShared() || std::any_of(blocks.begin(), blocks.end(), has(vtkDataSetAttributes::REFINEDCELL)))
    return false;
  return blocks.size() == 1 || (!isWhole && group.levels.ratio.size() == 1 &&
                                 std::all_of(blocks.begin(), blocks.end(), has(vtkDataSetAttributes::DUPLICATECELL)));
}

}

GroupedData levelsFromData(
  vtkCompositeDataSet* data, const SamplesOfBlock& samplesOf, SampleCache& cache, BlockExchange* ranks)
{
  GroupedData found;
  const auto ownBlocks = [&] { return placedBlocks(data, samplesOf, found); };
  std::vector<PlacedBlock> blocks = ranks ? ranks->placesOfAllRanks(ownBlocks, found) : ownBlocks();
  const bool isAmr = vtkUniformGridAMR::SafeDownCast(data) != nullptr;
  const LatticeSearch search = isAmr ? latticesOfAmr(blocks) : latticesOfImages(blocks);
  std::set<std::string> removed;
  for (const auto& [type, lattice] : search.lattices)
    found.groups.push_back(groupOf(lattice, blocks, removed));
  const auto setOwnArrays = [&] { setArrays(found.groups, true, isAmr, cache); };
  if (!ranks)
    setOwnArrays();
  else
  {
    ranks->onAllRanks(setOwnArrays);
    found.isOfAllRanks = true;
    found.hasGap = haveGap(found.groups, ranks->others());
    ranks->uniteDomains(found.groups);
    ranks->receiveBlocks(found.groups);
    setArrays(found.groups, false, isAmr, cache);
    if (found.groups.empty())
      found.example = ranks->example();
  }
  const auto firstOf = [](const LevelGroup& group)
  {
    return std::min_element(group.blocks.begin(), group.blocks.end(),
      [](const LevelBlock& a, const LevelBlock& b) { return a.flatIndex < b.flatIndex; })
      ->flatIndex;
  };
  std::sort(found.groups.begin(), found.groups.end(),
    [&](const LevelGroup& a, const LevelGroup& b) { return firstOf(a) < firstOf(b); });
  found.warnings = warningsOf(found, search.blocksOfOtherTypes, removed);
  return found;
}

void separateImages(std::vector<LevelGroup>& groups, bool isWhole)
{
  std::vector<LevelGroup> separated;
  for (LevelGroup& group : groups)
    if (areImages(group, isWhole))
      for (LevelBlock& block : group.blocks)
        separated.emplace_back().blocks.push_back(std::move(block));
    else
      separated.push_back(std::move(group));
  groups = std::move(separated);
}

}
