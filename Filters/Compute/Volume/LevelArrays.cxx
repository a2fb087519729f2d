// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Volume/LevelArrays.h"

#include "Compute/Context.h"
#include "Compute/System/Error.h"
#include "Compute/System/Parallel.h"
#include "Compute/Volume/LevelBlock.h"
#include "Compute/Volume/LevelSlopes.h"
#include "Compute/Volume/SampleKey.h"
#include "Compute/Volume/WithType.h"
#include "Shared/Structs.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <utility>

namespace vmc
{

namespace
{

static_assert(int(BrickKind::Plain) == BRICK_IS_PLAIN && int(BrickKind::Bordered) == BRICK_IS_BORDERED &&
              int(BrickKind::Masked) == BRICK_IS_MASKED && int(BrickKind::Stitched) == BRICK_IS_STITCHED);

constexpr std::int64_t MostCellsPerCell = 1 << 28; // the kernels compute with 32 bits
static_assert(2 * MostCellsPerCell + std::int64_t(BrickTable::MostBricks) * BRICK_SIZE < 1 << 30, "see quotientOf()");
constexpr std::int64_t FarAway = 1 << 28; // beyond every level

// The words of BINDING_LEVELS behind the table.
class LevelWords
{
public:
  explicit LevelWords(const LevelBricks& bricks)
    : Bricks(bricks)
  {
    this->Table.levels = static_cast<std::uint32_t>(bricks.levels.size());
    this->addPairs();
    this->addBricks();
    this->Table.leaves = this->addBits(&LevelOfBricks::leaf);
    this->Table.hiding = this->addBits(&LevelOfBricks::hiding);
    this->Table.partlyCovered = this->addBits(&LevelOfBricks::partlyCovered);
    this->Table.notOwned = this->addBits(&LevelOfBricks::notOwned);
    this->Table.outside = this->addBits(&LevelOfBricks::outside);
    this->Table.domains = bricks.levels.front().hasBorder() ? this->addDomains() : NO_SLOT;
    for (std::size_t level = 0; level < bricks.levels.size(); ++level)
      this->addPages(bricks.levels[level], this->Table.level[level]);
  }

  std::vector<std::uint32_t> withTable() const
  {
    std::vector<std::uint32_t> all(sizeof(this->Table) / 4 + this->Words.size());
    std::memcpy(all.data(), &this->Table, sizeof(this->Table));
    std::copy(this->Words.begin(), this->Words.end(), all.begin() + sizeof(this->Table) / 4);
    return all;
  }

private:
  std::uint32_t place() const { return static_cast<std::uint32_t>(this->Words.size()); }

  void addPairs()
  {
    this->Table.pairs = this->place();
    for (std::size_t fine = 1; fine < this->Bricks.levels.size(); ++fine)
      for (std::size_t coarse = 0; coarse < fine; ++coarse)
        this->addPair(coarse, fine);
  }

  // See LEVEL_PAIR_WORDS.
  void addPair(std::size_t coarse, std::size_t fine)
  {
    using Values = std::array<std::int64_t, 3>;
    const Values cells = this->Bricks.cellsPerCell(coarse, fine);
    Values remainder{}, offset{};
    for (std::size_t a = 0; a < 3; ++a)
    {
      if (cells[a] > MostCellsPerCell)
        throw Error(Error::Kind::Unsupported, "A cell has " + std::to_string(cells[a]) +
                                                " finer ones along an axis; the device handles at most " +
                                                std::to_string(MostCellsPerCell) + ".");
      const std::int64_t low = this->Bricks.levels[fine].low[a], quotient = floorOfQuotient(low, cells[a]);
      remainder[a] = low - quotient * cells[a];
      offset[a] = std::clamp(quotient - this->Bricks.levels[coarse].low[a], -FarAway, FarAway);
    }
    for (const Values& values : { cells, remainder, offset })
      for (const std::int64_t value : values)
        this->Words.push_back(static_cast<std::uint32_t>(value));
  }

  void addBricks()
  {
    this->Table.bricks = this->place();
    for (std::size_t number = 0; number < this->Bricks.levels.size(); ++number)
    {
      const LevelOfBricks& level = this->Bricks.levels[number];
      for (std::size_t slot = 0; slot < level.brick.size(); ++slot)
      {
        this->Words.insert(this->Words.end(), level.brick[slot].begin(), level.brick[slot].end());
        this->Words.push_back(static_cast<std::uint32_t>(number) | static_cast<std::uint32_t>(level.kind[slot]) << 8);
      }
    }
  }

  // See LEVEL_DOMAIN_WORDS.
  std::uint32_t addDomains()
  {
    const std::uint32_t first = this->place();
    for (const LevelOfBricks& level : this->Bricks.levels)
      for (const LevelIndex& cell : { level.domain.low, level.domain.high })
        for (std::size_t a = 0; a < 3; ++a)
          this->Words.push_back(static_cast<std::uint32_t>(std::clamp(cell[a] - level.low[a], -FarAway, FarAway)));
    return first;
  }

  // Bit i of the words of a brick is that of its cell i. Returns NO_SLOT if no brick has such bits.
  std::uint32_t addBits(std::vector<BrickBits> LevelOfBricks::*bits)
  {
    const std::uint32_t first = this->place();
    for (const LevelOfBricks& level : this->Bricks.levels)
      for (const BrickBits& brick : level.*bits)
        for (const std::uint64_t layer : brick)
        {
          this->Words.push_back(static_cast<std::uint32_t>(layer));
          this->Words.push_back(static_cast<std::uint32_t>(layer >> 32));
        }
    return this->place() == first ? NO_SLOT : first;
  }

  void addPages(const LevelOfBricks& level, LevelEntry& entry)
  {
    const auto firstBrick = static_cast<std::uint32_t>(level.firstBrick);
    const std::array<std::uint64_t, 3>& pages = level.table.pages();
    const LevelIndex origin = level.originOfFloats();
    const auto firstOf = [&](std::size_t axis) { return static_cast<int>(level.low[axis] - origin[axis]); };
    entry = { firstBrick, this->place(), static_cast<std::uint32_t>(pages[0]), static_cast<std::uint32_t>(pages[1]),
      static_cast<std::uint32_t>(pages[2]), firstOf(0), firstOf(1), firstOf(2) };
    const auto shifted = [](std::uint32_t value, std::uint32_t by) { return value == NO_SLOT ? NO_SLOT : value + by; };
    const auto entries = static_cast<std::uint32_t>(this->Words.size() + level.table.pageOf().size());
    for (const std::uint32_t page : level.table.pageOf())
      this->Words.push_back(shifted(page, entries));
    for (const std::uint32_t slot : level.table.slotsOfPages())
      this->Words.push_back(shifted(slot, firstBrick));
  }

  const LevelBricks& Bricks;
  LevelTable Table{};
  std::vector<std::uint32_t> Words;
};

// Throws Unsupported if a device cannot bind the bytes.
void checkBinding(Context& context, std::uint64_t bytes, const char* name)
{
  const std::uint64_t most = context.device().limits().maxBindingBytes;
  if (bytes > most)
    throw Error(Error::Kind::Unsupported, std::string("The ") + name + " of the levels have " + std::to_string(bytes) +
                                            " bytes; this device binds at most " + std::to_string(most) + ".");
}

void copyTo(Context& context, const Buffer& buffer, std::uint64_t offset, const void* from, std::uint64_t bytes)
{
  if (bytes == 0)
    return;
  if (buffer.mapped())
    copyInParallel(buffer.mapped() + offset, static_cast<const std::byte*>(from), bytes);
  else
    context.uploadRing().copy(static_cast<const std::byte*>(from), bytes, buffer, offset);
}

// Allocates a buffer of at least one word.
PooledBuffer bufferOf(Context& context, std::uint64_t bytes, const char* name)
{
  checkBinding(context, bytes, name);
  return context.deviceMemory().acquire(std::max<std::uint64_t>(4, bytes), name, Reuse::InThisRun);
}

PooledBuffer upload(Context& context, const void* values, std::uint64_t bytes, const char* name)
{
  PooledBuffer buffer = bufferOf(context, bytes, name);
  copyTo(context, buffer.buffer(), 0, values, bytes);
  return buffer;
}

PooledBuffer upload(Context& context, const std::vector<std::uint32_t>& words, const char* name)
{
  return upload(context, words.data(), 4 * words.size(), name);
}

PooledBuffer uploadSamples(Context& context, const LevelBricks& bricks)
{
  PooledBuffer buffer = bufferOf(context, bricks.brickCount() * BrickCells * bytesOf(bricks.type), "samples");
  std::uint64_t offset = 0;
  for (const LevelOfBricks& level : bricks.levels)
  {
    const std::uint64_t size = level.brick.size() * BrickCells * bytesOf(bricks.type);
    copyTo(context, buffer.buffer(), offset, level.samples.data(), size);
    offset += size;
  }
  return buffer;
}

constexpr std::size_t BricksAtOnce = 32; // that a thread handles

// The words of a slope: three floats, and the exponent of the power of two by which they are multiplied.
void addSlope(const Vector3& slope, std::vector<std::uint32_t>& words)
{
  const double size = std::max({ std::abs(slope[0]), std::abs(slope[1]), std::abs(slope[2]) });
  constexpr int Least = -10000; // below that of every slope: so the slope between two leaves keeps the other's digits
  const int exponent = size == 0 ? Least : std::isfinite(size) ? std::ilogb(size) : 0;
  for (const double component : slope)
  {
    const auto value = static_cast<float>(size == 0 ? 0.0 : std::ldexp(component, -exponent));
    std::uint32_t word = 0;
    std::memcpy(&word, &value, sizeof(word));
    words.push_back(word);
  }
  words.push_back(static_cast<std::uint32_t>(exponent));
}

// The leaves of a brick that lack a neighbour of their level at a side, or are at the border of the domain or beyond
// it.
BrickBits leavesAtFaces(const LevelOfBricks& level, std::size_t slot)
{
  const SlotsAround around(level, slot);
  const BlockBits leaf = gatherBits<1, 1>(around, level.leaf), beyond = gatherBits<1, 1>(around, level.beyond);
  BlockBits inDomain = leaf;
  for (std::size_t row = 0; row < BlockRows; ++row)
    inDomain[row] &= static_cast<std::uint16_t>(~beyond[row]);
  BrickBits found{};
  for (std::size_t z = 0; z < BRICK_SIZE; ++z)
    for (std::size_t y = 0; y < BRICK_SIZE; ++y)
    {
      const std::size_t row = (z + 1) * BlockSize + y + 1;
      const std::uint32_t own = inDomain[row];
      const std::uint32_t inner = own & own << 1 & own >> 1 & inDomain[row - 1] & inDomain[row + 1] &
                                  inDomain[row - BlockSize] & inDomain[row + BlockSize];
      found[z] |= std::uint64_t((leaf[row] & ~inner) >> 1 & 0xFFu) << 8 * y;
    }
  return found;
}

// Returns whether the slopes of leaves of a brick may not be the differences to leaves of its level.
bool mayHaveSlopes(const LevelOfBricks& level, std::size_t slot)
{
  const BrickKind kind = level.kind[slot];
  return kind == BrickKind::Masked || kind == BrickKind::Stitched || (kind == BrickKind::Bordered && level.hasBorder());
}

// The words of a brick with slopes.
template <class Sample>
std::vector<std::uint32_t> slopeWordsOf(
  const LevelBricks& bricks, const LevelSlopes<Sample>& slopes, std::size_t number, std::size_t slot)
{
  const LevelOfBricks& level = bricks.levels[number];
  const BrickBits leaves = leavesAtFaces(level, slot);
  std::vector<std::uint32_t> words;
  std::uint32_t before = 0;
  for (const std::uint64_t layer : leaves)
    for (const auto bits : { static_cast<std::uint32_t>(layer), static_cast<std::uint32_t>(layer >> 32) })
    {
      words.insert(words.end(), { bits, before });
      before += static_cast<std::uint32_t>(__builtin_popcount(bits));
    }
  for (std::size_t z = 0; z < BRICK_SIZE; ++z)
    for (std::uint64_t rest = leaves[z]; rest != 0; rest &= rest - 1)
    {
      const int cell = __builtin_ctzll(rest);
      const std::array<std::int64_t, 3> inBrick = { cell % BRICK_SIZE, cell / BRICK_SIZE, std::int64_t(z) };
      LevelIndex at{};
      for (std::size_t a = 0; a < 3; ++a)
        at[a] = std::int64_t(BRICK_SIZE) * level.brick[slot][a] + inBrick[a];
      addSlope(slopes.at(number, at), words);
    }
  return words;
}

// The word of a key that ranges hold.
template <class Sample>
std::uint32_t rangeWordOf(Sample sample)
{
  return static_cast<std::uint32_t>(sizeof(Sample) == 8 ? keyOf(sample) >> 32 : keyOf(sample));
}

}

std::vector<std::uint32_t> levelWordsOf(const LevelBricks& bricks)
{
  return LevelWords(bricks).withTable();
}

std::vector<std::uint32_t> levelRangesOf(const LevelBricks& bricks)
{
  std::vector<std::uint32_t> words;
  withType(bricks.type,
    [&](auto zero)
    {
      using Sample = decltype(zero);
      const auto wordOf = [](const std::vector<std::byte>& values, std::size_t slot)
      { return rangeWordOf(reinterpret_cast<const Sample*>(values.data())[slot]); };
      for (LeafRanges LevelOfBricks::*const ranges : { &LevelOfBricks::range, &LevelOfBricks::stitchedRange })
        for (const LevelOfBricks& level : bricks.levels)
          for (std::size_t slot = 0; slot < level.brick.size(); ++slot)
          {
            words.push_back((level.*ranges).reachesOutside(slot) ? 0 : wordOf((level.*ranges).smallest, slot));
            words.push_back(wordOf((level.*ranges).largest, slot));
          }
    });
  return words;
}

std::vector<std::uint32_t> levelSlopeWordsOf(const LevelBricks& bricks, unsigned threads)
{
  std::vector<std::vector<std::uint32_t>> wordsOf(bricks.brickCount());
  std::vector<std::size_t> counts; // [level]
  for (const LevelOfBricks& level : bricks.levels)
    counts.push_back(level.brick.size());
  withType(bricks.type,
    [&](auto zero)
    {
      const LevelSlopes<decltype(zero)> slopes(bricks);
      inParts(counts, BricksAtOnce, threads,
        [&](std::size_t number, std::size_t begin, std::size_t end)
        {
          const LevelOfBricks& level = bricks.levels[number];
          for (; begin < end; ++begin)
            if (mayHaveSlopes(level, begin))
              wordsOf[level.firstBrick + begin] = slopeWordsOf(bricks, slopes, number, begin);
        });
    });
  std::vector<std::uint32_t> words;
  std::size_t place = wordsOf.size();
  for (const std::vector<std::uint32_t>& part : wordsOf)
  {
    words.push_back(part.empty() ? NO_SLOT : static_cast<std::uint32_t>(place));
    place += part.size();
  }
  for (const std::vector<std::uint32_t>& part : wordsOf)
    words.insert(words.end(), part.begin(), part.end());
  return words;
}

LevelArrays::LevelArrays(Context& context, std::shared_ptr<const LevelBricks> levelBricks)
  : bricks(std::move(levelBricks))
  , samples(uploadSamples(context, *bricks))
  , table(upload(context, levelWordsOf(*bricks), "tables"))
{
  auto keys = std::make_shared<BrickRanges>();
  keys->keys = upload(context, levelRangesOf(*this->bricks), "brick ranges");
  this->ranges = std::move(keys);
  for (const LevelOfBricks& level : this->bricks->levels)
    for (const BrickKind kind : level.kind)
      this->hasGroup[kind == BrickKind::Plain      ? LEVEL_GROUP_PLAIN
                     : kind != BrickKind::Stitched ? LEVEL_GROUP_MASKED
                                                   : LEVEL_GROUP_STITCHED] = true;
  this->hasGroup[LEVEL_GROUP_UNCUT] = this->hasGroup[LEVEL_GROUP_STITCHED];
}

bool LevelArrays::addSlopes(Context& context, unsigned threads)
{
  if (this->slopes.size() != 0)
    return false;
  this->slopes = upload(context, levelSlopeWordsOf(*this->bricks, threads), "slopes");
  return true;
}

bool LevelArrays::setAttributes(
  Context& context, const std::vector<std::shared_ptr<const AttributeBricks>>& bricksOfAttributes)
{
  std::vector<LevelAttribute> held = std::exchange(this->attributes, {});
  bool uploads = false;
  for (const auto& source : bricksOfAttributes)
  {
    const auto found = std::find_if(
      held.begin(), held.end(), [&](const LevelAttribute& attribute) { return attribute.bricks == source; });
    if (found != held.end())
      this->attributes.push_back(std::move(*found));
    else
      this->attributes.push_back(
        { source, upload(context, source->values.data(), source->values.size(), "values of an attribute") });
    uploads = uploads || found == held.end();
  }
  return uploads;
}

std::vector<Attribute> LevelArrays::attributeViews() const
{
  std::vector<Attribute> views;
  for (const LevelAttribute& attribute : this->attributes)
    views.push_back(attribute.bricks->view());
  return views;
}

}
