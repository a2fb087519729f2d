// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Cpu/LevelKernels.h"

#include "Compute/Cpu/CountBrick.h"
#include "Compute/Cpu/EmitPoints.h"
#include "Compute/Cpu/EmitTriangles.h"
#include "Compute/Cpu/LevelSlopes.h"
#include "Compute/Cpu/StitchedCells.h"
#include "Compute/Volume/WithType.h"

#include <algorithm>
#include <array>
#include <optional>

namespace vmc
{

namespace
{

using namespace cpu;

constexpr std::uint32_t EdgeBits = 0xFFFFFFu; // of a row word

// Finds the inside bits of the 9 x 9 rows that begin at a sample of a cube. stride: of the cube along y.
template <class Sample>
VMC_INLINE void classifyBlock(const Sample* first, std::ptrdiff_t stride, Sample threshold, InsideRows& inside)
{
  classify(BrickSamples<Sample>{ first, { 1, stride, stride * stride } }, threshold, inside);
}

template <class Sample>
VMC_INLINE void countPlain(const LevelPass& pass, std::size_t slot, std::uint32_t brick, Sample threshold)
{
  std::array<Sample, std::size_t(BRICK_SAMPLES) * BRICK_SAMPLE_ROWS> samples;
  gatherCells<0, 1>(SlotsAround(pass.own(), brick), pass.own().samplesOf<Sample>(), samples.data());
  InsideRows inside;
  classifyBlock(samples.data(), BRICK_SAMPLES, threshold, inside);
  std::fill_n(pass.active.validCells + slot * BRICK_ROWS, BRICK_ROWS, std::uint8_t(0xFF));
  countRows(inside, pass.active, slot, nullptr);
}

// The cells whose corners are all leaves. The result is as that of validRows().
VMC_INLINE ValidRows validRowsOf(const BlockBits& leaf)
{
  ValidRows valid;
  for (std::size_t z = 0; z < BRICK_SAMPLES; ++z)
    for (std::size_t y = 0; y < BRICK_SAMPLES; ++y)
    {
      const std::size_t row = z * BlockSize + y;
      const std::uint32_t rows = leaf[row] & leaf[row + 1] & leaf[row + BlockSize] & leaf[row + BlockSize + 1];
      valid[BRICK_SAMPLES * z + y] = static_cast<std::uint16_t>(rows & rows >> 1 & 0x1FFu);
    }
  return valid;
}

// Counts the cells whose corners are all in `leaf`.
template <class Sample>
VMC_INLINE void countMasked(const LevelPass& pass, std::size_t slot, const BlockBits& leaf,
  const std::array<Sample, BlockPositions>& samples, Sample threshold)
{
  InsideRows inside;
  classifyBlock(samples.data() + blockPosition(1, 1, 1), BlockSize, threshold, inside);
  for (std::size_t z = 0; z < BRICK_SAMPLES; ++z)
    for (std::size_t y = 0; y < BRICK_SAMPLES; ++y)
      inside[BRICK_SAMPLES * z + y] &= static_cast<std::uint16_t>(leaf[(z + 1) * BlockSize + y + 1] >> 1);
  const ValidRows valid = validRowsOf(leaf);
  countRows(inside, pass.active, slot, [&](int y, int z) { return withoutInvalid({}, valid, y, z); });
}

// Marks an edge between coarser leaves, in the rows of a level that is counted.
VMC_INLINE void markCoarse(const LevelPass& pass, const EdgeName& name)
{
  const LevelPass& coarse = pass.levels[name.level];
  std::uint32_t* const words = name.isLow ? coarse.active.lowWord : coarse.active.rowWord;
  __atomic_fetch_or(
    words + std::size_t(coarse.slotOf(name.cell)) * BRICK_ROWS + name.row(), 1u << name.bit(), __ATOMIC_RELAXED);
}

// Marks an edge of a stitched cell, if it is in the rows of the brick or, between coarser leaves, if the brick makes
// the triangles of the cell.
VMC_INLINE void mark(
  const LevelPass& pass, std::size_t slot, std::uint32_t brick, const StitchedCell& cell, const EdgeName& name)
{
  if (name.level != pass.level)
  {
    if (cell.isOwn)
      markCoarse(pass, name);
  }
  else if (name.brick() == pass.own().brick[brick])
    (name.isLow ? pass.active.lowWord : pass.active.rowWord)[slot * BRICK_ROWS + name.row()] |= 1u << name.bit();
}

// Adds the stitched cells of a brick to its rows and triangles. An edge has a point if a triangle of any brick uses it:
// the brick that has its row looks at all cells around. The same for every type of sample.
VMC_INLINE void addStitched(
  const LevelPass& pass, std::size_t slot, std::uint32_t brick, const LevelBlock& block, const BlockBits& inside)
{
  const StitchedCells cells(pass.bricks, block, inside);
  cells.forEach(
    [&](const StitchedCell& cell)
    {
      cells.forTriangles(cell,
        [&](const std::array<BlockEdge, 3>& edges)
        {
          pass.active.triangles[slot] += cell.isOwn ? 1 : 0;
          for (const BlockEdge& edge : edges)
            mark(pass, slot, brick, cell, cells.nameOf(edge));
        });
    });
}

template <class Sample>
VMC_INLINE void countSlots(const SurfacePass& surface, std::size_t begin, std::size_t end)
{
  const auto& pass = static_cast<const LevelPass&>(surface);
  const auto threshold = thresholdValue<Sample>(pass.threshold);
  static const auto addToRows = fastest<&addStitched>();
  for (; begin < end; ++begin)
  {
    const std::uint32_t brick = pass.active.brick[begin];
    const BrickKind kind = pass.own().kind[brick];
    if (pass.active.lowWord)
      std::fill_n(pass.active.lowWord + begin * BRICK_ROWS, BRICK_ROWS, 0u);
    if (kind == BrickKind::Plain)
    {
      countPlain<Sample>(pass, begin, brick, threshold);
      continue;
    }
    const LevelBlock block(pass.bricks, pass.level, brick, kind == BrickKind::Stitched);
    const std::array<Sample, BlockPositions> samples = block.samples<Sample>();
    countMasked(pass, begin, wholeLeavesOf(block), samples, threshold);
    if (kind == BrickKind::Stitched)
      addToRows(pass, begin, brick, block, insideLeaves(block, samples, threshold));
  }
}

VMC_INLINE void numberPointsOfSlots(const SurfacePass& pass, std::size_t begin, std::size_t end)
{
  const ActiveBricks& active = pass.active;
  for (; begin < end; ++begin)
  {
    std::uint32_t points = 0;
    for (std::size_t row = begin * BRICK_ROWS; row < (begin + 1) * BRICK_ROWS; ++row)
    {
      active.rowPoints[row] = static_cast<std::uint16_t>(points);
      points += bitCount(active.rowWord[row] & EdgeBits) + (active.lowWord ? bitCount(active.lowWord[row]) : 0);
    }
    active.points[begin] = points;
  }
}

// An edge towards the low side.
constexpr std::uint32_t LowEdge = 1u << 11;

// The edges of a stitched brick in the order of their points: those of a row word, then those towards the low sides.
struct StitchedEdges
{
  std::size_t count = 0;
  std::array<EdgeOfBrick, 2 * BRICK_MAX_POINTS + Batch::LanesAtOnce> edge; // as in EdgeList, or LowEdge

  void list(const ActiveBricks& active, std::size_t slot)
  {
    this->count = 0;
    for (std::uint32_t row = 0; row < BRICK_ROWS; ++row)
    {
      this->add(active.rowWord[slot * BRICK_ROWS + row] & EdgeBits, row << 3);
      if (active.lowWord)
        this->add(active.lowWord[slot * BRICK_ROWS + row], row << 3 | LowEdge);
    }
    if (this->count > 0)
      std::fill_n(this->edge.data() + this->count, Batch::LanesAtOnce, this->edge[this->count - 1]);
  }

private:
  void add(std::uint32_t bits, std::uint32_t row)
  {
    for (; bits != 0; bits &= bits - 1)
      this->edge[this->count++] =
        static_cast<EdgeOfBrick>(lowestBit(bits) / BRICK_SIZE << 9 | row | lowestBit(bits) % BRICK_SIZE);
  }
};

// The slopes at the leaves around a brick, each computed once.
template <class Sample>
class BlockSlopes
{
public:
  void enter(const LevelPass& pass, std::uint32_t brick, const LevelBlock& block)
  {
    const LevelOfBricks& own = pass.own();
    const SlotsAround around(own, brick);
    this->IsBordered = own.kind[brick] == BrickKind::Bordered;
    gatherCells<2, 2>(around, own.samplesOf<Sample>(), this->Samples.data());
    this->Leaf = gatherBits<2, 2>(around, own.leaf);
    this->IsKnown.assign(block.keyCount(), false);
    this->Known.resize(block.keyCount());
  }

  // Returns the derivatives per step of the level of the pass.
  const Vector3& at(const LevelPass& pass, const LevelBlock& block, int position)
  {
    const std::size_t key = block.key[std::size_t(position)];
    if (!this->IsKnown[key])
    {
      this->IsKnown[key] = true;
      this->Known[key] = this->find(pass, block, position);
    }
    return this->Known[key];
  }

private:
  static constexpr int Size = BRICK_SIZE + 4;
  static constexpr std::array<int, 3> Stride = { 1, Size, Size* Size };

  bool isLeaf(int at) const { return (this->Leaf[std::size_t(at / Size)] >> at % Size & 1u) != 0; }

  Vector3 find(const LevelPass& pass, const LevelBlock& block, int position) const
  {
    if (block.depth[std::size_t(position)] == 0)
    {
      const int at = position % BlockSize + 1 + Size * (position / BlockSize % BlockSize + 1) +
                     Size * Size * (position / BlockRows + 1);
      bool hasAll = true;
      for (const int stride : Stride)
        hasAll = hasAll && this->isLeaf(at - stride) && this->isLeaf(at + stride);
      if (hasAll || (this->IsBordered && isInBrick(position)))
        return this->differences(at);
    }
    const std::size_t level = block.levelAt(position);
    Vector3 slopes = LevelSlopes<Sample>(pass.bricks).at(level, block.leafAt(position));
    const std::array<std::int64_t, 3> cells = pass.bricks.cellsPerCell(level, pass.level);
    for (std::size_t a = 0; a < 3; ++a)
      slopes[a] /= double(cells[a]);
    return slopes;
  }

  // Returns the derivatives at a leaf of this level, from its neighbours of this level.
  Vector3 differences(int at) const
  {
    const auto leafAt = [&](int place) { return this->isLeaf(place) ? &this->Samples[std::size_t(place)] : nullptr; };
    Vector3 slopes;
    for (std::size_t a = 0; a < 3; ++a)
      slopes[a] = slopeBetween(leafAt(at - Stride[a]), this->Samples[std::size_t(at)], leafAt(at + Stride[a]));
    return slopes;
  }

  bool IsBordered = false;
  std::array<Sample, std::size_t(Size) * Size * Size> Samples; // from two cells before the brick to two beyond it
  CubeBits<2, 2> Leaf{};
  std::vector<std::uint8_t> IsKnown; // [key]
  std::vector<Vector3> Known;        // [key]
};

// The edges of a brick that is not plain.
template <class Sample>
class LeafEdges
{
public:
  [[gnu::noinline]] LeafEdges(const LevelPass& pass, std::uint32_t brick, BlockSlopes<Sample>& slopes)
    : Pass(pass)
    , Block(pass.bricks, pass.level, brick, pass.own().kind[brick] == BrickKind::Stitched)
    , Samples(Block.template samples<Sample>())
    , Slopes(slopes)
  {
    if (this->withSlopes())
      slopes.enter(pass, brick, this->Block);
  }

  [[gnu::noinline]] void fill(const EdgeOfBrick* edges, Batch& batch)
  {
    const auto threshold = thresholdValue<Sample>(this->Pass.threshold);
    for (std::size_t i = 0; i < batch.laneCount; ++i)
    {
      const std::size_t axis = edges[i] >> 9 & 3u;
      const std::array<int, 3> at = startOf(edges[i]);
      const int leaf = blockPosition(at[0] + 1, at[1] + 1, at[2] + 1);
      const bool isLow = (edges[i] & LowEdge) != 0;
      const int start = isLow ? leaf - BlockStride[axis] : leaf, end = isLow ? leaf : leaf + BlockStride[axis];
      const Sample atStart = this->Samples[std::size_t(start)], atEnd = this->Samples[std::size_t(end)];
      const Fraction fraction = fractionOf(atStart, atEnd, threshold, this->Pass.threshold);
      batch.axis[i] = double(axis);
      batch.part[i] = fraction.part;
      batch.whole[i] = fraction.whole;
      batch.rise[i] = atStart < atEnd ? 1 : -1;
      batch.isCap[i] = 0;
      if (!this->Pass.attributes.empty())
      {
        batch.sample[i] = this->Block.sampleAt(start);
        batch.sampleAtEnd[i] = this->Block.sampleAt(end);
      }
      this->place(start, end, std::clamp(fraction.part / fraction.whole, 0.0, 1.0), batch, i);
      if (this->withSlopes())
        this->setSlopes(start, end, batch, i);
    }
  }

private:
  bool withSlopes() const { return this->Pass.mesh.normals || this->Pass.mesh.gradients; }

  // The centre of the leaf, in steps of the level from its first cell.
  Vector3 centerOf(int position) const
  {
    const LevelIndex leaf = this->Block.leafAt(position);
    if (this->Block.depth[std::size_t(position)] == 0)
      return { double(leaf[0]), double(leaf[1]), double(leaf[2]) };
    const std::size_t level = this->Block.levelAt(position);
    const std::array<std::int64_t, 3> cells = this->Pass.bricks.cellsPerCell(level, this->Pass.level);
    Vector3 center;
    for (std::size_t a = 0; a < 3; ++a)
      center[a] = double((this->Pass.bricks.levels[level].low[a] + leaf[a]) * cells[a] - this->Pass.own().low[a]) +
                  double(cells[a] - 1) / 2;
    return center;
  }

  // The point of an edge between leaves of different levels is its start, as the edge does not run along its axis.
  void place(int start, int end, double fraction, Batch& batch, std::size_t i) const
  {
    const Vector3 from = this->centerOf(start);
    const bool isStep = this->Block.depth[std::size_t(start)] == 0 && this->Block.depth[std::size_t(end)] == 0;
    const Vector3 to = isStep ? from : this->centerOf(end);
    batch.step[i] = isStep ? 1 : 0;
    for (std::size_t a = 0; a < 3; ++a)
      batch.at[a][i] = from[a] + fraction * (to[a] - from[a]);
  }

  void setSlopes(int start, int end, Batch& batch, std::size_t i)
  {
    const Vector3 atStart = this->Slopes.at(this->Pass, this->Block, start),
                  atEnd = this->Slopes.at(this->Pass, this->Block, end);
    for (std::size_t a = 0; a < 3; ++a)
    {
      batch.slopeStart[a][i] = atStart[a];
      batch.slopeEnd[a][i] = atEnd[a];
    }
  }

  const LevelPass& Pass;
  const LevelBlock Block;
  const std::array<Sample, BlockPositions> Samples;
  BlockSlopes<Sample>& Slopes;
};

template <class Sample>
struct LevelPointScratch
{
  EdgeList edges;
  StitchedEdges stitched;
  Batch batch;
  InnerEdges<Sample> inner;
  BlockSlopes<Sample> slopes;
  std::array<Sample, std::size_t(SlopeSamples) * SlopeSamples * SlopeSamples> samples;
};

constexpr auto KeepGradients = [](Batch::Vectors&) {};

template <class Sample>
VMC_INLINE void enterPlain(
  const LevelPass& pass, std::uint32_t brick, const SlotsAround& around, LevelPointScratch<Sample>& scratch)
{
  gatherCells<1, 2>(around, pass.own().samplesOf<Sample>(), scratch.samples.data());
  Vector3 first;
  for (std::size_t a = 0; a < 3; ++a)
    first[a] = double(pass.own().brick[brick][a]) * BRICK_SIZE;
  constexpr std::ptrdiff_t Layer = SlopeSamples * SlopeSamples;
  scratch.inner.enter({ scratch.samples.data() + 1 + SlopeSamples + Layer, { 1, SlopeSamples, Layer } }, first);
}

// Sets the samples of the edges of a plain brick.
void setSamples(const LevelPass& pass, const SlotsAround& around, const EdgeOfBrick* edges, Batch& batch)
{
  const std::size_t first = pass.own().firstBrick * BrickCells;
  for (std::size_t i = 0; i < batch.count; ++i)
  {
    std::array<int, 3> at = startOf(edges[i]);
    batch.sample[i] = first + around.placeOf(at[0], at[1], at[2]).sample();
    ++at[axisOf(edges[i])];
    batch.sampleAtEnd[i] = first + around.placeOf(at[0], at[1], at[2]).sample();
  }
}

// Interpolates the attributes at the points of a batch. point: the first one.
void emitAttributes(const LevelPass& pass, std::size_t point, const Batch& batch)
{
  for (std::size_t number = 0; number < pass.attributes.size(); ++number)
    withType(pass.attributes[number].type,
      [&](auto zero)
      {
        const auto* const values = static_cast<const decltype(zero)*>(pass.attributes[number].values);
        const std::size_t components = pass.attributes[number].components;
        float* to = pass.mesh.attributes[number] + point * components;
        for (std::size_t i = 0; i < batch.count; ++i)
          for (std::size_t c = 0; c < components; ++c)
            *to++ = interpolated(
              values, batch.sample[i] * components + c, batch.sampleAtEnd[i] * components + c, batch.fraction[i]);
      });
}

template <class Sample>
VMC_INLINE void emitPoints(const LevelPass& pass, std::size_t slot, LevelPointScratch<Sample>& scratch)
{
  const std::uint32_t brick = pass.active.brick[slot];
  std::optional<SlotsAround> around;          // of a plain brick
  std::optional<LeafEdges<Sample>> leafEdges; // of any other one
  if (pass.own().kind[brick] == BrickKind::Plain)
  {
    enterPlain<Sample>(pass, brick, around.emplace(pass.own(), brick), scratch);
    listEdges(pass.active, slot, scratch.edges);
  }
  else
  {
    leafEdges.emplace(pass, brick, scratch.slopes);
    scratch.stitched.list(pass.active, slot);
  }
  forBatches(leafEdges ? scratch.stitched.edge.data() : scratch.edges.edge.data(),
    leafEdges ? scratch.stitched.count : scratch.edges.count, pass.active.points[slot], scratch.batch,
    [&](const EdgeOfBrick* edges, std::size_t point)
    {
      if (leafEdges)
        leafEdges->fill(edges, scratch.batch);
      else
        scratch.inner.fill(pass, edges, pass.mesh.normals || pass.mesh.gradients, scratch.batch);
      if (around && !pass.attributes.empty())
        setSamples(pass, *around, edges, scratch.batch);
      emitBatch<Sample>(pass, point, scratch.batch, KeepGradients);
      emitAttributes(pass, point, scratch.batch);
    });
}

template <class Sample>
VMC_INLINE void emitPointsOfSlots(const SurfacePass& surface, std::size_t begin, std::size_t end)
{
  LevelPointScratch<Sample> scratch;
  for (; begin < end; ++begin)
    emitPoints<Sample>(static_cast<const LevelPass&>(surface), begin, scratch);
}

// The id of the point of a marked edge of a row. bit: in the row word, or in the low word.
VMC_INLINE std::uint32_t idInRow(
  const ActiveBricks& active, std::uint32_t slot, std::uint32_t row, std::uint32_t bit, bool isLow)
{
  const std::size_t at = std::size_t(slot) * BRICK_ROWS + row;
  const std::uint32_t below = (1u << bit) - 1, word = active.rowWord[at];
  return active.points[slot] + active.rowPoints[at] +
         (isLow ? bitCount(word & EdgeBits) + bitCount(active.lowWord[at] & below) : bitCount(word & below));
}

VMC_INLINE std::uint32_t idOf(const LevelPass& pass, const EdgeName& name)
{
  const LevelPass& ofLevel = pass.levels[name.level];
  return idInRow(ofLevel.active, ofLevel.slotOf(name.cell), name.row(), name.bit(), name.isLow);
}

using InsideLeaves = BlockBits (*)(const LevelPass& pass, const LevelBlock& block);

template <class Sample>
BlockBits insideLeavesOf(const LevelPass& pass, const LevelBlock& block)
{
  return insideLeaves(block, block.samples<Sample>(), thresholdValue<Sample>(pass.threshold));
}

// Returns the number of triangles of the cells that are not stitched.
VMC_INLINE std::size_t emitOwnTriangles(const LevelPass& pass, std::size_t slot, RowsAround& rows)
{
  const BrickTable::Brick& brick = pass.own().brick[pass.active.brick[slot]];
  const auto slotAt = [&](const Steps& offset) -> std::uint32_t
  {
    const std::uint32_t beside =
      pass.own().table.slotOf(brick[0] + offset[0], brick[1] + offset[1], brick[2] + offset[2]);
    return beside == NO_SLOT ? NO_SLOT : pass.active.slotOfBrick[beside];
  };
  loadRows(pass.active, slotAt, rows);
  const std::size_t first = (pass.own().firstBrick + pass.active.brick[slot]) * BrickCells;
  return emitCells(
    { pass, slot, { BRICK_SIZE, BRICK_SIZE, BRICK_SIZE }, caseTriangles(pass.toWorld.determinant() < 0), rows },
    [=](const Steps& at) { return first + numberInBrick(at[0], at[1], at[2]); });
}

// Emits the triangles of the stitched cells. They follow the other triangles of the brick, `before` ones.
VMC_INLINE void emitStitchedTriangles(
  const LevelPass& pass, std::size_t slot, std::size_t before, InsideLeaves insideOf)
{
  const LevelBlock block(pass.bricks, pass.level, pass.active.brick[slot], true);
  const BlockBits inside = insideOf(pass, block);
  const StitchedCells cells(pass.bricks, block, inside);
  const bool isMirrored = pass.toWorld.determinant() < 0;
  std::array<std::uint32_t, std::size_t(3) * 5 * BRICK_SAMPLES * BRICK_SAMPLE_ROWS> ids;
  std::uint32_t* next = ids.data();
  std::int64_t* nextCell =
    pass.mesh.triangleCells ? pass.mesh.triangleCells + pass.active.triangles[slot] + before : nullptr;
  cells.forEach(
    [&](const StitchedCell& cell)
    {
      if (cell.isOwn)
        cells.forTriangles(cell,
          [&](const std::array<BlockEdge, 3>& edges)
          {
            for (std::size_t i = 0; i < 3; ++i)
              *next++ = idOf(pass, cells.nameOf(edges[isMirrored ? (3 - i) % 3 : i]));
            if (nextCell)
              *nextCell++ = static_cast<std::int64_t>(block.sampleAt(cell.owner));
          });
    });
  storeTriangles(pass.mesh, pass.active.triangles[slot] + before, ids.data(), next);
}

VMC_INLINE void emitTrianglesOfSlots(const SurfacePass& surface, std::size_t begin, std::size_t end)
{
  const auto& pass = static_cast<const LevelPass&>(surface);
  const InsideLeaves insideOf =
    withType(pass.bricks.type, [](auto zero) -> InsideLeaves { return &insideLeavesOf<decltype(zero)>; });
  RowsAround rows{};
  for (; begin < end; ++begin)
  {
    const std::size_t before = emitOwnTriangles(pass, begin, rows);
    if (pass.own().kind[pass.active.brick[begin]] == BrickKind::Stitched)
      emitStitchedTriangles(pass, begin, before, insideOf);
  }
}

}

LevelKernels levelKernelsFor(SampleType type)
{
  return withType(type,
    [](auto zero)
    {
      using Sample = decltype(zero);
      return LevelKernels{ fastest<&countSlots<Sample>>(), fastest<&numberPointsOfSlots>(),
        fastest<&emitPointsOfSlots<Sample>>(), fastest<&emitTrianglesOfSlots>() };
    });
}

}
