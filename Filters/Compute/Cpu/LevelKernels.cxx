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

namespace vmc
{

namespace
{

using namespace cpu;

constexpr std::uint32_t EdgeBits = 0xFFFFFFu; // of a row word

template <class Sample>
const Sample* samplesOf(const LevelOfBricks& level)
{
  return reinterpret_cast<const Sample*>(level.samples.get());
}

// ---- count

// The inside bits of the 9 x 9 rows from a sample of a block on. stride: of the block along y.
template <class Sample>
VMC_INLINE void classifyBlock(const Sample* first, std::ptrdiff_t stride, Sample threshold, InsideRows& inside)
{
  classify(BrickSamples<Sample>{ first, { 1, stride, stride * stride } }, threshold, inside);
}

template <class Sample>
VMC_INLINE void countPlain(const LevelPass& pass, std::size_t slot, std::uint32_t brick, Sample threshold)
{
  std::array<Sample, std::size_t(BRICK_SAMPLES) * BRICK_SAMPLE_ROWS> samples;
  gatherCells(SlotsAround(pass.own(), brick), samplesOf<Sample>(pass.own()), 0, 1, samples.data());
  InsideRows inside;
  classifyBlock(samples.data(), BRICK_SAMPLES, threshold, inside);
  std::fill_n(pass.active.validCells + slot * BRICK_ROWS, BRICK_ROWS, std::uint8_t(0xFF));
  countRows(inside, pass.active, slot, nullptr);
}

// The cells whose corners are leaves, as validRows().
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

template <class Sample>
VMC_INLINE void countMasked(const LevelPass& pass, std::size_t slot, std::uint32_t brick, Sample threshold)
{
  const SlotsAround around(pass.own(), brick);
  std::array<Sample, BlockPositions> samples{};
  gatherCells(around, samplesOf<Sample>(pass.own()), 1, 1, samples.data());
  const BlockBits leaf = gatherBits(around, pass.own().leaf);
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
  const BrickTable::Brick brick = name.brick();
  const std::uint32_t slot = coarse.active.slotOfBrick[coarse.own().table.slotOf(brick[0], brick[1], brick[2])];
  std::uint32_t* const words = name.isLow ? coarse.active.lowWord : coarse.active.rowWord;
  __atomic_fetch_or(words + std::size_t(slot) * BRICK_ROWS + name.row(), 1u << name.bit(), __ATOMIC_RELAXED);
}

// The row words of a stitched brick, while its edges are marked.
struct StitchedRows
{
  std::array<std::uint32_t, BRICK_ROWS> word{}, low{};

  void mark(const LevelPass& pass, std::uint32_t brick, const StitchedCell& cell, const EdgeName& name)
  {
    if (name.level != pass.level)
    {
      if (cell.isOwn)
        markCoarse(pass, name);
    }
    else if (name.brick() == pass.own().brick[brick])
      (name.isLow ? this->low : this->word)[name.row()] |= 1u << name.bit();
  }
};

// An edge has a point if a triangle of any brick uses it: the brick that has its row looks at all cells around.
template <class Sample>
VMC_INLINE void countStitched(const LevelPass& pass, std::size_t slot, std::uint32_t brick, Sample threshold)
{
  const LevelBlock<Sample> block(pass.bricks, pass.level, brick);
  const StitchedCells<Sample> cells(pass.bricks, block, threshold);
  StitchedRows rows;
  std::uint32_t triangles = 0;
  cells.forEach(
    [&](const StitchedCell& cell)
    {
      cells.forTriangles(cell,
        [&](const std::array<BlockEdge, 3>& edges)
        {
          triangles += cell.isOwn ? 1 : 0;
          for (const BlockEdge& edge : edges)
            rows.mark(pass, brick, cell, cells.nameOf(edge));
        });
    });
  for (std::uint32_t row = 0; row < BRICK_ROWS; ++row)
  {
    std::uint32_t inside = 0;
    for (std::uint32_t x = 0; x < BRICK_SIZE; ++x)
    {
      const int position = blockPosition(int(x) + 1, int(row % BRICK_SIZE) + 1, int(row / BRICK_SIZE) + 1);
      inside |= (block.depth[std::size_t(position)] == 0 && block.sample[std::size_t(position)] >= threshold ? 1u : 0u)
                << x;
    }
    pass.active.rowWord[slot * BRICK_ROWS + row] = rows.word[row] | inside << ROW_SHIFT_INSIDE;
    if (pass.active.lowWord)
      pass.active.lowWord[slot * BRICK_ROWS + row] = rows.low[row];
  }
  pass.active.triangles[slot] = triangles;
}

template <class Sample>
VMC_INLINE void countSlots(const SurfacePass& surface, std::size_t begin, std::size_t end)
{
  const auto& pass = static_cast<const LevelPass&>(surface);
  const auto threshold = thresholdValue<Sample>(pass.threshold);
  for (; begin < end; ++begin)
  {
    const std::uint32_t brick = pass.active.brick[begin];
    const BrickKind kind = pass.own().kind[brick];
    if (kind == BrickKind::Stitched)
    {
      countStitched<Sample>(pass, begin, brick, threshold);
      continue;
    }
    if (pass.active.lowWord)
      std::fill_n(pass.active.lowWord + begin * BRICK_ROWS, BRICK_ROWS, 0u);
    if (kind == BrickKind::Plain)
      countPlain<Sample>(pass, begin, brick, threshold);
    else
      countMasked<Sample>(pass, begin, brick, threshold);
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

// ---- emit points

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

// The edges of a brick that is not plain.
template <class Sample>
class LeafEdges
{
public:
  LeafEdges(const LevelPass& pass, std::uint32_t brick)
    : Pass(pass)
    , Block(pass.bricks, pass.level, brick)
    , Slopes(pass.bricks)
  {
  }

  void fill(const EdgeOfBrick* edges, bool withSlopes, Batch& batch) const
  {
    const auto threshold = thresholdValue<Sample>(this->Pass.threshold);
    for (std::size_t i = 0; i < batch.laneCount; ++i)
    {
      const std::size_t axis = edges[i] >> 9 & 3u;
      const std::array<int, 3> at = startOf(edges[i]);
      const int leaf = blockPosition(at[0] + 1, at[1] + 1, at[2] + 1);
      const bool isLow = (edges[i] & LowEdge) != 0;
      const int start = isLow ? leaf - BlockStride[axis] : leaf, end = isLow ? leaf : leaf + BlockStride[axis];
      const Sample atStart = this->Block.sample[std::size_t(start)], atEnd = this->Block.sample[std::size_t(end)];
      const Fraction fraction = fractionOf(atStart, atEnd, threshold, this->Pass.threshold);
      batch.axis[i] = double(axis);
      batch.part[i] = fraction.part;
      batch.whole[i] = fraction.whole;
      batch.rise[i] = atStart < atEnd ? 1 : -1;
      batch.isCap[i] = 0;
      this->place(start, end, std::clamp(fraction.part / fraction.whole, 0.0, 1.0), batch, i);
      if (withSlopes)
        this->setSlopes(start, end, batch, i);
    }
  }

private:
  // The centre of the leaf, in steps of the level from its first cell.
  Vector3 centerOf(int position) const
  {
    const LevelIndex leaf = this->Block.leafAt(position);
    const std::size_t level = this->Block.levelAt(position);
    const std::array<std::int64_t, 3> cells = this->Pass.bricks.cellsPerCell(level, this->Pass.level);
    Vector3 center;
    for (std::size_t a = 0; a < 3; ++a)
      center[a] = double((this->Pass.bricks.levels[level].low[a] + leaf[a]) * cells[a] - this->Pass.own().low[a]) +
                  double(cells[a] - 1) / 2;
    return center;
  }

  void place(int start, int end, double fraction, Batch& batch, std::size_t i) const
  {
    const Vector3 from = this->centerOf(start);
    const bool isStep = this->Block.depth[std::size_t(start)] == 0 && this->Block.depth[std::size_t(end)] == 0;
    const Vector3 to = isStep ? from : this->centerOf(end);
    batch.step[i] = isStep ? 1 : 0;
    for (std::size_t a = 0; a < 3; ++a)
      batch.at[a][i] = from[a] + fraction * (to[a] - from[a]);
  }

  void setSlopes(int start, int end, Batch& batch, std::size_t i) const
  {
    const Vector3 atStart = this->slopesAt(start), atEnd = this->slopesAt(end);
    for (std::size_t a = 0; a < 3; ++a)
    {
      batch.slopeStart[a][i] = atStart[a];
      batch.slopeEnd[a][i] = atEnd[a];
    }
  }

  // Per step of this level.
  Vector3 slopesAt(int position) const
  {
    const std::size_t level = this->Block.levelAt(position);
    Vector3 slopes = this->Slopes.at(level, this->Block.leafAt(position));
    const std::array<std::int64_t, 3> cells = this->Pass.bricks.cellsPerCell(level, this->Pass.level);
    for (std::size_t a = 0; a < 3; ++a)
      slopes[a] /= double(cells[a]);
    return slopes;
  }

  const LevelPass& Pass;
  const LevelBlock<Sample> Block;
  const LevelSlopes<Sample> Slopes;
};

template <class Sample>
struct LevelPointScratch
{
  EdgeList edges;
  StitchedEdges stitched;
  Batch batch;
  InnerEdges<Sample> inner;
  std::array<Sample, std::size_t(SlopeSamples) * SlopeSamples * SlopeSamples> samples;
};

constexpr auto KeepGradients = [](Batch::Vectors&) {};

template <class Sample>
VMC_INLINE void emitPlain(const LevelPass& pass, std::size_t slot, LevelPointScratch<Sample>& scratch)
{
  const std::uint32_t brick = pass.active.brick[slot];
  gatherCells(SlotsAround(pass.own(), brick), samplesOf<Sample>(pass.own()), 1, 2, scratch.samples.data());
  Vector3 first;
  for (std::size_t a = 0; a < 3; ++a)
    first[a] = double(pass.own().brick[brick][a]) * BRICK_SIZE;
  constexpr std::ptrdiff_t Layer = SlopeSamples * SlopeSamples;
  scratch.inner.enter({ scratch.samples.data() + 1 + SlopeSamples + Layer, { 1, SlopeSamples, Layer } }, first);
  listEdges(pass.active, slot, scratch.edges);
  forBatches(scratch.edges.edge.data(), scratch.edges.count, pass.active.points[slot], scratch.batch,
    [&](const EdgeOfBrick* edges, std::size_t point)
    {
      scratch.inner.fill(pass, edges, pass.mesh.normals || pass.mesh.gradients, scratch.batch);
      emitBatch<Sample>(pass, point, scratch.batch, KeepGradients);
    });
}

template <class Sample>
VMC_INLINE void emitOthers(const LevelPass& pass, std::size_t slot, LevelPointScratch<Sample>& scratch)
{
  const LeafEdges<Sample> source(pass, pass.active.brick[slot]);
  scratch.stitched.list(pass.active, slot);
  forBatches(scratch.stitched.edge.data(), scratch.stitched.count, pass.active.points[slot], scratch.batch,
    [&](const EdgeOfBrick* edges, std::size_t point)
    {
      source.fill(edges, pass.mesh.normals || pass.mesh.gradients, scratch.batch);
      emitBatch<Sample>(pass, point, scratch.batch, KeepGradients);
    });
}

template <class Sample>
VMC_INLINE void emitPointsOfSlots(const SurfacePass& surface, std::size_t begin, std::size_t end)
{
  const auto& pass = static_cast<const LevelPass&>(surface);
  LevelPointScratch<Sample> scratch;
  for (; begin < end; ++begin)
    if (pass.own().kind[pass.active.brick[begin]] == BrickKind::Plain)
      emitPlain<Sample>(pass, begin, scratch);
    else
      emitOthers<Sample>(pass, begin, scratch);
}

// ---- emit triangles

VMC_INLINE std::uint32_t idOf(const LevelPass& pass, const EdgeName& name)
{
  const LevelPass& ofLevel = pass.levels[name.level];
  const ActiveBricks& active = ofLevel.active;
  const BrickTable::Brick brick = name.brick();
  const std::uint32_t slot = active.slotOfBrick[ofLevel.own().table.slotOf(brick[0], brick[1], brick[2])];
  const std::size_t row = std::size_t(slot) * BRICK_ROWS + name.row();
  const std::uint32_t below = (1u << name.bit()) - 1, word = active.rowWord[row];
  return active.points[slot] + active.rowPoints[row] +
         (name.isLow ? bitCount(word & EdgeBits) + bitCount(active.lowWord[row] & below) : bitCount(word & below));
}

template <class Sample>
VMC_INLINE void emitStitchedTriangles(const LevelPass& pass, std::size_t slot)
{
  const LevelBlock<Sample> block(pass.bricks, pass.level, pass.active.brick[slot]);
  const StitchedCells<Sample> cells(pass.bricks, block, thresholdValue<Sample>(pass.threshold));
  const bool isMirrored = pass.toWorld.determinant() < 0;
  std::array<std::uint32_t, std::size_t(3) * 5 * BRICK_SAMPLES * BRICK_SAMPLE_ROWS> ids;
  std::uint32_t* next = ids.data();
  cells.forEach(
    [&](const StitchedCell& cell)
    {
      if (cell.isOwn)
        cells.forTriangles(cell,
          [&](const std::array<BlockEdge, 3>& edges)
          {
            for (std::size_t i = 0; i < 3; ++i)
              *next++ = idOf(pass, cells.nameOf(edges[isMirrored ? (3 - i) % 3 : i]));
          });
    });
  storeTriangles(pass.mesh, pass.active.triangles[slot], ids.data(), next);
}

VMC_INLINE void emitOwnTriangles(const LevelPass& pass, std::size_t slot, RowsAround& rows)
{
  const BrickTable::Brick& brick = pass.own().brick[pass.active.brick[slot]];
  const auto slotAt = [&](const Steps& offset) -> std::uint32_t
  {
    const std::uint32_t beside =
      pass.own().table.slotOf(brick[0] + offset[0], brick[1] + offset[1], brick[2] + offset[2]);
    return beside == NO_SLOT ? NO_SLOT : pass.active.slotOfBrick[beside];
  };
  loadRows(pass.active, slotAt, rows);
  emitCells({ pass, slot, { BRICK_SIZE, BRICK_SIZE, BRICK_SIZE }, caseTriangles(pass.toWorld.determinant() < 0), rows },
    [](const Steps&) { return 0; });
}

template <class Sample>
VMC_INLINE void emitTrianglesOfSlots(const SurfacePass& surface, std::size_t begin, std::size_t end)
{
  const auto& pass = static_cast<const LevelPass&>(surface);
  RowsAround rows{};
  for (; begin < end; ++begin)
    if (pass.own().kind[pass.active.brick[begin]] == BrickKind::Stitched)
      emitStitchedTriangles<Sample>(pass, begin);
    else
      emitOwnTriangles(pass, begin, rows);
}

}

LevelKernels levelKernelsFor(SampleType type)
{
  return withType(type,
    [](auto zero)
    {
      using Sample = decltype(zero);
      return LevelKernels{ fastest<&countSlots<Sample>>(), fastest<&numberPointsOfSlots>(),
        fastest<&emitPointsOfSlots<Sample>>(), fastest<&emitTrianglesOfSlots<Sample>>() };
    });
}

}
