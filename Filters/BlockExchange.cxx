// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "BlockExchange.h"

#include "ArrayIdentity.h"
#include "Ranks.h"

#include "Compute/Volume/LevelBricks.h"

#include "vtkCellData.h"
#include "vtkCommunicator.h"
#include "vtkDataSetAttributes.h"
#include "vtkMatrix3x3.h"
#include "vtkMultiProcessController.h"
#include "vtkMultiProcessStream.h"
#include "vtkUnsignedCharArray.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <exception>
#include <limits>
#include <memory>
#include <new>
#include <set>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>

namespace vmc::filters
{

namespace
{

constexpr int Tag = 27183; // of all messages between two ranks

using Message = vtkMultiProcessStream;
using Number = vtkTypeUInt64; // of messages

// Returns the next value, which must have been put as one of this type.
template <class Value>
Value next(Message& message)
{
  Value value{};
  message >> value;
  return value;
}

void putArray(Message& message, vtkDataArray* array)
{
  const auto textOf = [](const char* text) { return std::string(text ? text : ""); };
  message << array->GetDataType() << array->GetNumberOfComponents() << textOf(array->GetName());
  for (int i = 0; i < array->GetNumberOfComponents(); ++i)
    message << textOf(array->GetComponentName(i));
}

// An array without tuples.
vtkSmartPointer<vtkDataArray> getArray(Message& message)
{
  auto array = vtkSmartPointer<vtkDataArray>::Take(vtkDataArray::CreateDataArray(next<int>(message)));
  array->SetNumberOfComponents(next<int>(message));
  array->SetName(next<std::string>(message).c_str());
  for (int i = 0; i < array->GetNumberOfComponents(); ++i)
    if (const auto name = next<std::string>(message); !name.empty())
      array->SetComponentName(i, name.c_str());
  return array;
}

template <std::size_t Count, class Number>
void putNumbers(Message& message, const Number* numbers)
{
  for (std::size_t i = 0; i < Count; ++i)
    message << numbers[i];
}

template <std::size_t Count, class Number>
std::array<Number, Count> getNumbers(Message& message)
{
  std::array<Number, Count> numbers{};
  for (Number& number : numbers)
    message >> number;
  return numbers;
}

void putGeometry(Message& message, vtkImageData* image)
{
  putNumbers<6>(message, image->GetExtent());
  putNumbers<3>(message, image->GetOrigin());
  putNumbers<3>(message, image->GetSpacing());
  putNumbers<9>(message, image->GetDirectionMatrix()->GetData());
}

void getGeometry(Message& message, vtkImageData* image)
{
  image->SetExtent(getNumbers<6, int>(message).data());
  image->SetOrigin(getNumbers<3, double>(message).data());
  image->SetSpacing(getNumbers<3, double>(message).data());
  image->SetDirectionMatrix(getNumbers<9, double>(message).data());
}

void putBlock(Message& message, const LevelBlock& block)
{
  const ImageSamples& samples = block.samples;
  putGeometry(message, block.image);
  message << block.flatIndex << block.level << samples.ofCells << samples.description
          << samples.nameOfScalars.has_value() << samples.nameOfScalars.value_or("");
  putNumbers<3>(message, samples.padding.low.data());
  putNumbers<3>(message, samples.padding.high.data());
  message << samples.padding.border << samples.padding.closed;
  putArray(message, samples.scalars.values);
  message << Number(samples.scalars.identity) << Number(samples.attributes.size());
  for (const SampleCache::Samples& attribute : samples.attributes)
  {
    putArray(message, attribute.values);
    message << Number(attribute.identity);
  }
  message << (samples.ghosts ? samples.ghosts->kinds : 0) << Number(samples.ghostIdentity);
}

// A number for the contents of an array of another rank, where equal contents may have another number.
std::uint64_t identityOnRank(int rank, std::uint64_t identity)
{
  return identity == 0 ? 0 : identityOf({ static_cast<std::uint64_t>(rank) + 1, identity });
}

// Returns a block of another rank, with arrays without tuples.
LevelBlock getBlock(Message& message, int rank)
{
  LevelBlock block;
  block.image = vtkSmartPointer<vtkImageData>::New();
  block.rank = rank;
  block.isOwned = false;
  ImageSamples& samples = block.samples;
  samples.image = block.image;
  getGeometry(message, block.image);
  block.flatIndex = next<unsigned int>(message);
  block.level = next<unsigned int>(message);
  samples.ofCells = next<bool>(message);
  samples.description = next<std::string>(message);
  const bool isNamed = next<bool>(message);
  samples.nameOfScalars = next<std::string>(message);
  if (!isNamed)
    samples.nameOfScalars.reset();
  samples.padding.low = getNumbers<3, std::uint32_t>(message);
  samples.padding.high = getNumbers<3, std::uint32_t>(message);
  samples.padding.border = next<float>(message);
  samples.padding.closed = next<bool>(message);
  samples.scalars.values = getArray(message);
  samples.scalars.identity = identityOnRank(rank, next<Number>(message));
  samples.attributes.resize(next<Number>(message));
  for (SampleCache::Samples& attribute : samples.attributes)
  {
    attribute.values = getArray(message);
    attribute.identity = identityOnRank(rank, next<Number>(message));
  }
  GhostFlags flags;
  flags.kinds = next<int>(message);
  samples.ghostIdentity = identityOnRank(rank, next<Number>(message));
  if (flags.kinds != 0)
    samples.ghosts = std::make_shared<const GhostFlags>(std::move(flags));
  return block;
}

// The message of a rank to all others.
Message messageOf(const std::vector<PlacedBlock>& blocks, const GroupedData& found)
{
  Message message;
  message << Number(found.blocks) << Number(found.otherBlocks) << Number(found.errors.size());
  for (const BlockError& error : found.errors)
    message << error.flatIndex << error.message;
  message << Number(blocks.size());
  for (const PlacedBlock& block : blocks)
    putBlock(message, block.block);
  message << Number(found.groups.size());
  for (const LevelGroup& group : found.groups)
    putBlock(message, group.blocks.front());
  return message;
}

// Adds the errors and the counts of a rank.
void getErrors(Message& message, GroupedData& found)
{
  found.blocks += next<Number>(message);
  found.otherBlocks += next<Number>(message);
  for (auto errors = next<Number>(message); errors > 0; --errors)
  {
    BlockError& error = found.errors.emplace_back();
    error.flatIndex = next<unsigned int>(message);
    error.message = next<std::string>(message);
  }
}

// Adds the blocks of another rank. others: those that are no placed ones.
void getBlocks(Message& message, int rank, std::vector<PlacedBlock>& blocks, std::vector<LevelBlock>& others)
{
  for (auto count = next<Number>(message); count > 0; --count)
  {
    LevelBlock block = getBlock(message, rank);
    blocks.push_back(std::move(*placed(block)));
  }
  for (auto count = next<Number>(message); count > 0; --count)
    others.push_back(getBlock(message, rank));
}

// An image without points that has the arrays of a block.
LevelBlock exampleOf(LevelBlock block)
{
  block.image = vtkSmartPointer<vtkImageData>::New();
  block.samples.image = block.image;
  block.samples.ghosts.reset();
  return block;
}

// A box of cells of the coarsest level, from low to before high, with the block to which they belong.
struct CoarseBox
{
  std::array<std::int64_t, 3> low{}, high{};
  std::size_t block = 0;
};

std::vector<CoarseBox> coarseBoxesOf(const vmc::Levels& levels)
{
  std::vector<CoarseBox> boxes;
  for (const vmc::LevelPatch& patch : levels.patches)
  {
    CoarseBox& box = boxes.emplace_back();
    box.block = boxes.size() - 1;
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      std::int64_t perCell = 1;
      for (std::size_t level = 1; level <= patch.level; ++level)
        perCell *= levels.ratio[level][axis];
      box.low[axis] = vmc::floorOfQuotient(patch.low[axis], perCell);
      box.high[axis] = vmc::floorOfQuotient(patch.low[axis] + patch.size[axis] - 1, perCell) + 1;
    }
  }
  return boxes;
}

// Cells of the coarsest level: see the comment of vmc::Levels.
constexpr std::int64_t Reach = 2;

bool areNear(const CoarseBox& a, const CoarseBox& b)
{
  for (std::size_t axis = 0; axis < 3; ++axis)
    if (a.low[axis] >= b.high[axis] + Reach || b.low[axis] >= a.high[axis] + Reach)
      return false;
  return true;
}

// Returns the pairs of a block and a rank that needs it, ascending. Takes n log n time if blocks are near to a few
// others only.
std::set<std::pair<std::size_t, int>> needsOf(const LevelGroup& group)
{
  std::vector<CoarseBox> boxes = coarseBoxesOf(group.levels);
  std::sort(boxes.begin(), boxes.end(), [](const CoarseBox& a, const CoarseBox& b) { return a.low[0] < b.low[0]; });
  const auto rankOf = [&](const CoarseBox& box) { return group.blocks[box.block].rank; };
  std::set<std::pair<std::size_t, int>> needs;
  for (auto a = boxes.begin(); a != boxes.end(); ++a)
    for (auto b = a + 1; b != boxes.end() && b->low[0] < a->high[0] + Reach; ++b)
      if (rankOf(*a) != rankOf(*b) && areNear(*a, *b))
      {
        needs.emplace(a->block, rankOf(*b));
        needs.emplace(b->block, rankOf(*a));
      }
  return needs;
}

// Calls use(samples) for all arrays that another rank needs of the block. If it replaces that of the ghost cells, the
// image gets it.
template <class Use>
void forArrays(LevelBlock& block, const Use& use)
{
  use(block.samples.scalars);
  for (SampleCache::Samples& attribute : block.samples.attributes)
    use(attribute);
  if (!block.samples.ghosts)
    return;
  SampleCache::Samples ghosts{ block.image->GetCellGhostArray(), block.samples.ghostIdentity };
  if (!ghosts.values)
  {
    ghosts.values = vtkSmartPointer<vtkUnsignedCharArray>::New();
    ghosts.values->SetName(vtkDataSetAttributes::GhostArrayName());
  }
  use(ghosts);
  if (!block.isOwned)
    block.image->GetCellData()->AddArray(ghosts.values);
}

// Removes the blocks for which isKept returns false.
template <class IsKept>
void keep(LevelGroup& group, const IsKept& isKept)
{
  std::vector<LevelBlock> blocks;
  std::vector<vmc::LevelPatch> patches;
  for (std::size_t i = 0; i < group.blocks.size(); ++i)
    if (isKept(group.blocks[i]))
    {
      blocks.push_back(std::move(group.blocks[i]));
      patches.push_back(std::move(group.levels.patches[i]));
    }
  group.blocks = std::move(blocks);
  group.levels.patches = std::move(patches);
}

std::size_t bytesOf(vtkDataArray* array)
{
  return static_cast<std::size_t>(array->GetNumberOfValues()) * static_cast<std::size_t>(array->GetDataTypeSize());
}

}

// The exchange with another rank, in the same order on both.
struct BlockExchange::Transfers
{
  std::vector<LevelBlock*> sent, received;
  std::vector<unsigned char> isMissing; // [array of the received blocks]: 1: it is not held
  std::vector<vtkDataArray*> missing;   // these arrays
};

void BlockExchange::beginRun()
{
  this->IsUsed = false;
}

void BlockExchange::endRun()
{
  this->Others.clear();
  this->Example.reset();
  if (!this->IsUsed)
    this->Received.clear();
}

void BlockExchange::onAllRanks(const std::function<void()>& work) const
{
  std::string failure;
  try
  {
    work();
  }
  catch (const std::bad_alloc&)
  {
    failure = "There is no memory for the blocks of several ranks.";
  }
  catch (const std::exception& error)
  {
    failure = error.what();
  }
  failure = firstMessage(failure, this->Controller);
  if (!failure.empty())
    throw std::invalid_argument(failure);
}

std::vector<PlacedBlock> BlockExchange::placesOfAllRanks(
  const std::function<std::vector<PlacedBlock>()>& find, GroupedData& found)
{
  this->IsUsed = true;
  this->Others.clear();
  this->Example.reset();
  std::vector<PlacedBlock> blocks;
  this->onAllRanks([&] { blocks = find(); });
  const int own = this->Controller->GetLocalProcessId();
  for (PlacedBlock& block : blocks)
    block.block.rank = own;
  std::vector<Message> messages;
  this->Controller->AllGather(messageOf(blocks, found), messages);
  found.errors.clear();
  found.blocks = found.otherBlocks = 0;
  const std::size_t ownBlocks = blocks.size();
  for (int rank = 0; rank < this->Controller->GetNumberOfProcesses(); ++rank)
  {
    Message& message = messages[static_cast<std::size_t>(rank)];
    getErrors(message, found);
    if (rank != own)
      getBlocks(message, rank, blocks, this->Others);
  }
  if (blocks.size() > ownBlocks || !this->Others.empty())
    this->Example = exampleOf(blocks.size() > ownBlocks ? blocks[ownBlocks].block : this->Others.front());
  std::stable_sort(blocks.begin(), blocks.end(),
    [](const PlacedBlock& a, const PlacedBlock& b)
    {
      return std::tie(a.block.level, a.block.flatIndex, a.block.rank) <
             std::tie(b.block.level, b.block.flatIndex, b.block.rank);
    });
  return blocks;
}

void BlockExchange::uniteDomains(std::vector<LevelGroup>& groups) const
{
  constexpr vtkTypeInt64 None = std::numeric_limits<vtkTypeInt64>::max();
  std::vector<std::array<vtkTypeInt64, 6>> own, all; // of each group with a border: the low corner, minus the high one
  const auto forBorders = [&](const auto& use)
  {
    std::size_t number = 0;
    for (LevelGroup& group : groups)
      if (group.levels.border)
        use(group.levels, number++);
  };
  forBorders(
    [&](vmc::Levels levels, std::size_t)
    {
      const auto isOfOther = [](const vmc::LevelPatch& patch) { return !patch.isOwned; };
      levels.patches.erase(
        std::remove_if(levels.patches.begin(), levels.patches.end(), isOfOther), levels.patches.end());
      const auto [low, high] = vmc::domainOf(levels);
      own.push_back({ low[0], low[1], low[2], -high[0], -high[1], -high[2] });
      if (low == high)
        own.back().fill(None);
    });
  if (own.empty())
    return;
  all.resize(own.size());
  this->Controller->AllReduce(
    own.front().data(), all.front().data(), 6 * static_cast<vtkIdType>(own.size()), vtkCommunicator::MIN_OP);
  forBorders(
    [&](vmc::Levels& levels, std::size_t number)
    {
      for (std::size_t axis = 0; axis < 3 && all[number][0] != None; ++axis)
      {
        levels.border->low[axis] = all[number][axis];
        levels.border->high[axis] = -all[number][axis + 3];
      }
    });
}

void BlockExchange::receiveBlocks(std::vector<LevelGroup>& groups)
{
  std::map<int, Transfers> ofRank;
  for (LevelGroup& group : groups)
    this->addTransfers(group, ofRank);
  this->receiveArrays(ofRank);
  std::set<const LevelBlock*> received;
  for (const auto& [rank, transfers] : ofRank)
    received.insert(transfers.received.begin(), transfers.received.end());
  std::vector<LevelGroup> kept;
  int lattices = 0; // of all ranks, with this one
  for (LevelGroup& group : groups)
  {
    lattices += group.levels.patches.empty() ? 0 : 1;
    const std::vector<LevelBlock>& blocks = group.blocks;
    const auto isOwned = [](const LevelBlock& block) { return block.isOwned; };
    if (std::none_of(blocks.begin(), blocks.end(), isOwned))
      continue;
    if (!std::all_of(blocks.begin(), blocks.end(), isOwned))
      group.sharedNumber = lattices;
    if (group.isShared())
      keep(group, [&](const LevelBlock& block) { return block.isOwned || received.count(&block) != 0; });
    kept.push_back(std::move(group));
  }
  groups = std::move(kept);
}

void BlockExchange::addTransfers(LevelGroup& group, std::map<int, Transfers>& ofRank) const
{
  const int own = this->Controller->GetLocalProcessId();
  for (const auto& [number, rank] : needsOf(group))
  {
    LevelBlock& block = group.blocks[number];
    if (block.isOwned)
      ofRank[rank].sent.push_back(&block);
    else if (rank == own)
      ofRank[block.rank].received.push_back(&block);
  }
}

// Replaces an array of a received block by the one that is held, or else gives it tuples.
void BlockExchange::findHeld(
  SampleCache::Samples& array, const LevelBlock& block, Arrays& held, Transfers& transfers) const
{
  const auto known = this->Received.find(array.identity);
  const bool isMissing = known == this->Received.end();
  transfers.isMissing.push_back(isMissing ? 1 : 0);
  if (isMissing)
  {
    const vtkIdType cells = block.image->GetNumberOfCells();
    array.values->SetNumberOfTuples(cells);
    if (array.values->GetNumberOfTuples() != cells)
      throw std::bad_alloc();
    transfers.missing.push_back(array.values);
  }
  else
    array.values = known->second;
  held[array.identity] = array.values;
}

// Gets the arrays that are not held. A rank tells another one which of them it needs.
void BlockExchange::receiveArrays(std::map<int, Transfers>& ofRank)
{
  Arrays held;
  const auto findHeldArrays = [&]
  {
    for (auto& [rank, transfers] : ofRank)
      for (LevelBlock* const block : transfers.received)
        forArrays(*block,
          [&, &ofSender = transfers](SampleCache::Samples& array) { this->findHeld(array, *block, held, ofSender); });
  };
  this->onAllRanks(findHeldArrays);
  const int own = this->Controller->GetLocalProcessId();
  for (int step = 1; step < 2 * this->Controller->GetNumberOfProcesses(); ++step)
    if (const auto other = ofRank.find(own ^ step); other != ofRank.end())
      this->exchangeWith(other->first, other->second);
  this->Received = std::move(held);
}

// In each step, a rank exchanges with one other, and the one with the smaller number sends first.
void BlockExchange::exchangeWith(int rank, Transfers& transfers)
{
  const bool isFirst = this->Controller->GetLocalProcessId() < rank;
  std::vector<vtkDataArray*> toSend;
  for (LevelBlock* const block : transfers.sent)
    forArrays(*block, [&](SampleCache::Samples& array) { toSend.push_back(array.values); });
  std::vector<unsigned char> isMissingThere(toSend.size());
  const auto send = [&](const void* bytes, std::size_t size)
  { this->Controller->Send(static_cast<const unsigned char*>(bytes), static_cast<vtkIdType>(size), rank, Tag); };
  const auto receive = [&](void* bytes, std::size_t size)
  { this->Controller->Receive(static_cast<unsigned char*>(bytes), static_cast<vtkIdType>(size), rank, Tag); };
  const auto sendArrays = [&]
  {
    for (std::size_t i = 0; i < toSend.size(); ++i)
      if (isMissingThere[i] != 0)
        send(toSend[i]->GetVoidPointer(0), bytesOf(toSend[i]));
  };
  for (const bool isSending : { isFirst, !isFirst })
    if (isSending)
      send(transfers.isMissing.data(), transfers.isMissing.size());
    else
      receive(isMissingThere.data(), isMissingThere.size());
  for (const bool isSending : { isFirst, !isFirst })
    if (isSending)
      sendArrays();
    else
      for (vtkDataArray* const array : transfers.missing)
        receive(array->GetVoidPointer(0), bytesOf(array));
}

}
