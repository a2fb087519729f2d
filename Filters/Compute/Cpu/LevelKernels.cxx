// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Cpu/LevelKernels.h"

#include "Compute/Cpu/CountBrick.h"
#include "Compute/Cpu/EmitPoints.h"
#include "Compute/Cpu/EmitTriangles.h"
#include "Compute/Cpu/StitchedCells.h"
#include "Compute/Volume/LevelSlopes.h"
#include "Compute/Volume/WithType.h"

#include <algorithm>
#include <array>

namespace vmc
{

namespace
{

using namespace cpu;

constexpr std::uint32_t EdgeBits = 0xFFFFFFu; // of a row word

// The cells of a brick whose samples are inside.
template <class Sample>
VMC_INLINE BrickBits insideBitsOfBrick(const Sample* samples, Sample threshold)
{
  BrickBits inside{};
  for (std::size_t z = 0; z < BRICK_SIZE; ++z)
    for (std::size_t y = 0; y < BRICK_SIZE; ++y)
      inside[z] |= std::uint64_t(insideBitsOfRow(samples + numberInBrick(0, y, z), threshold)) << 8 * y;
  return inside;
}

// Finds which leaves are inside, see LevelPass::inside.
template <class Sample>
VMC_INLINE void classifyBricks(const SurfacePass& surface, std::size_t begin, std::size_t end)
{
  const auto& pass = static_cast<const LevelPass&>(surface);
  const LevelOfBricks& own = pass.own();
  const auto threshold = thresholdValue<Sample>(pass.threshold);
  for (std::size_t brick = begin; brick < end; ++brick)
  {
    const bool isActive = pass.active.slotOfBrick[brick] != NO_SLOT;
    pass.cutsStitched[brick] =
      isActive && own.kind[brick] == BrickKind::Stitched && own.stitchedRange.isCut(brick, threshold) ? 1 : 0;
    if (isActive)
      pass.inside[brick] = insideBitsOfBrick(own.samplesOf<Sample>() + brick * BrickCells, threshold);
    else // all of its leaves are on one side
      pass.inside[brick].fill(own.range.hasInside(brick, threshold) ? ~std::uint64_t(0) : 0);
  }
}

VMC_INLINE void countPlain(const LevelPass& pass, std::size_t slot, std::uint32_t brick)
{
  const InsideRows inside = gatherBits<0, 1>(SlotsAround(pass.own(), brick), pass.inside);
  std::fill_n(pass.active.validCells + slot * BRICK_ROWS, BRICK_ROWS, std::uint8_t(0xFF));
  countRows(inside, pass.active, slot, nullptr);
}

// The cells whose corners are all leaves and whose minimum corner is owned. The result is as that of validRows().
VMC_INLINE ValidRows validRowsOf(const BlockBits& leaf, const BlockBits& notOwned)
{
  ValidRows valid;
  for (std::size_t z = 0; z < BRICK_SAMPLES; ++z)
    for (std::size_t y = 0; y < BRICK_SAMPLES; ++y)
    {
      const std::size_t row = z * BlockSize + y;
      const std::uint32_t rows = leaf[row] & leaf[row + 1] & leaf[row + BlockSize] & leaf[row + BlockSize + 1];
      valid[BRICK_SAMPLES * z + y] = static_cast<std::uint16_t>(rows & rows >> 1 & ~notOwned[row] & 0x1FFu);
    }
  return valid;
}

// Counts the own cells whose corners are all in `leaf`. inside: also of other samples. outside: those that count as
// below every isovalue.
VMC_INLINE void countMasked(const LevelPass& pass, std::size_t slot, const BlockBits& leaf, const BlockBits& outside,
  const BlockBits& notOwned, InsideRows& inside)
{
  for (std::size_t z = 0; z < BRICK_SAMPLES; ++z)
    for (std::size_t y = 0; y < BRICK_SAMPLES; ++y)
    {
      const std::size_t row = (z + 1) * BlockSize + y + 1;
      inside[BRICK_SAMPLES * z + y] &= static_cast<std::uint16_t>((leaf[row] & ~outside[row]) >> 1);
    }
  const ValidRows valid = validRowsOf(leaf, notOwned);
  countRows(inside, pass.active, slot, [&](int y, int z) { return withoutInvalid({}, valid, y, z); });
}

// Bits of the positions of a block whose leaves are inside.
VMC_INLINE BlockBits insideLeaves(const LevelPass& pass, const LevelBlock& block)
{
  BlockBits inside = gatherBits<1, 1>(block.around(), pass.inside);
  for (std::size_t row = 0; row < BlockRows; ++row)
    inside[row] &= block.isLeaf[row];
  for (const CoarseLeaves& coarse : block.coarse())
    coarse.forRows(coarse.isIn, bitsOfRows(pass.levels[coarse.level()].inside),
      [&](std::size_t row, std::uint16_t positions) { inside[row] |= positions; });
  for (std::size_t row = 0; row < BlockRows; ++row)
    inside[row] &= static_cast<std::uint16_t>(~block.isOutside[row]);
  return inside;
}

// Marks an edge whose row was looked up if it is in the rows of the brick or, between coarser leaves, if the brick
// makes the triangles of the cell. The rows of coarser levels are counted already.
VMC_INLINE void mark(const LevelPass& pass, std::size_t slot, bool makesTriangles, const RowBit& edge)
{
  const bool isOfLevel = edge.level() == pass.level;
  if (isOfLevel ? edge.slot != slot : !makesTriangles)
    return;
  const ActiveBricks& active = pass.levels[edge.level()].active;
  std::uint32_t* const word =
    (edge.isLow() ? active.lowWord : active.rowWord) + std::size_t(edge.slot) * BRICK_ROWS + edge.row();
  if (isOfLevel)
    *word |= 1u << edge.bit();
  else
    __atomic_fetch_or(word, 1u << edge.bit(), __ATOMIC_RELAXED);
}

// Adds the stitched cells of a brick to its rows and triangles. An edge has a point if a triangle of any brick uses it:
// the brick that has its row looks at all cells around. Triangles that use a point twice are left out.
VMC_INLINE void addStitched(const LevelPass& pass, std::size_t slot, const LevelBlock& block, const BlockBits& inside)
{
  const StitchedCells cells(pass, block, inside);
  // The corners of the triangles, and at the end those of one that another brick makes.
  std::array<RowBit, std::size_t(3) * 5 * BRICK_SAMPLES * BRICK_SAMPLE_ROWS + 3> corners;
  std::array<std::array<std::uint32_t, BRICK_ROWS>, 2> ownBits{}; // of the row words, and of the low edges
  RowBit* next = corners.data();
  cells.forEach(
    [&](const StitchedCell& cell)
    {
      std::array<StitchedEdge, CellEdges.size()> edges;
      const unsigned lookedUp = cells.findEdges(cell, edges);
      const std::uint32_t owner = RowBit::ofOwner(BlockPlaces[std::size_t(cell.owner)].cell());
      unsigned used = 0;
      for (const CellTriangle& triangle : trianglesOfCase(cell.cellCase))
      {
        const std::uint32_t first = edges[triangle[0]].leaves, second = edges[triangle[1]].leaves,
                            third = edges[triangle[2]].leaves;
        if (first == second || second == third || third == first)
          continue;
        for (std::size_t i = 0; i < 3; ++i)
        {
          const StitchedEdge& edge = edges[triangle[i]];
          used |= 1u << triangle[i];
          ownBits[edge.bit.isLow() ? 1 : 0][edge.bit.row()] |= edge.ownBit;
          next[i] = { edge.bit.slot, edge.bit.place | owner };
        }
        next += cell.isOwn ? 3 : 0;
      }
      for (unsigned left = used & lookedUp; left != 0; left &= left - 1)
        mark(pass, slot, cell.isOwn, edges[lowestBit(left)].bit);
    });
  for (std::size_t row = 0; row < BRICK_ROWS; ++row)
  {
    pass.active.rowWord[slot * BRICK_ROWS + row] |= ownBits[0][row];
    if (pass.active.lowWord)
      pass.active.lowWord[slot * BRICK_ROWS + row] |= ownBits[1][row];
  }
  pass.stitched[slot].assign(corners.data(), next);
  pass.active.triangles[slot] += static_cast<std::uint32_t>(next - corners.data()) / 3;
}

// Counts a brick whose stitched cells have no triangle.
VMC_INLINE void countWithoutStitched(const LevelPass& pass, std::size_t slot, std::uint32_t brick)
{
  const LevelOfBricks& own = pass.own();
  const SlotsAround around(own, brick);
  BlockBits leaf = gatherBits<1, 1>(around, own.leaf);
  if (!own.partlyCovered.empty())
  {
    const BlockBits partly = gatherBits<1, 1>(around, own.partlyCovered);
    for (std::size_t row = 0; row < BlockRows; ++row)
      leaf[row] &= static_cast<std::uint16_t>(~partly[row]);
  }
  InsideRows inside = gatherBits<0, 1>(around, pass.inside);
  countMasked(pass, slot, leaf, gatherBits<1, 1>(around, own.outside), gatherBits<1, 1>(around, own.notOwned), inside);
}

VMC_INLINE void countWithStitched(const LevelPass& pass, std::size_t slot, std::uint32_t brick)
{
  const LevelBlock block(pass.bricks, pass.level, SlotsAround(pass.own(), brick), true);
  const BlockBits inside = insideLeaves(pass, block);
  InsideRows ofCells;
  for (std::size_t z = 0; z < BRICK_SAMPLES; ++z)
    for (std::size_t y = 0; y < BRICK_SAMPLES; ++y)
      ofCells[BRICK_SAMPLES * z + y] = static_cast<std::uint16_t>(inside[(z + 1) * BlockSize + y + 1] >> 1);
  countMasked(pass, slot, wholeLeavesOf(block), block.isOutside, block.notOwned, ofCells);
  addStitched(pass, slot, block, inside);
}

VMC_INLINE void countSlots(const SurfacePass& surface, std::size_t begin, std::size_t end)
{
  const auto& pass = static_cast<const LevelPass&>(surface);
  for (; begin < end; ++begin)
  {
    const std::uint32_t brick = pass.active.brick[begin];
    if (pass.active.lowWord)
      std::fill_n(pass.active.lowWord + begin * BRICK_ROWS, BRICK_ROWS, 0u);
    if (pass.own().kind[brick] == BrickKind::Plain)
      countPlain(pass, begin, brick);
    else if (pass.cutsStitched[brick] != 0)
      countWithStitched(pass, begin, brick);
    else
      countWithoutStitched(pass, begin, brick);
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

// The leaves of the level around a brick.
struct LeavesAround
{
  static constexpr std::size_t Size = BRICK_SIZE + 4;
  using Bits = CubeBits<2, 2>;

  Bits leaf;
  // Leaves in the domain whose six neighbours are leaves of the level in the domain, too. The outermost rows have no
  // meaning.
  Bits surrounded;

  void gather(const LevelOfBricks& level, const SlotsAround& around)
  {
    this->leaf = gatherBits<2, 2>(around, level.leaf);
    Bits inDomain = this->leaf;
    if (!level.beyond.empty())
    {
      const Bits beyond = gatherBits<2, 2>(around, level.beyond);
      std::transform(inDomain.begin(), inDomain.end(), beyond.begin(), inDomain.begin(),
        [](std::uint16_t own, std::uint16_t other) { return static_cast<std::uint16_t>(own & ~other); });
    }
    for (std::size_t i = Size; i < inDomain.size() - Size; ++i)
    {
      const std::uint16_t* const row = inDomain.data() + i;
      this->surrounded[i] =
        static_cast<std::uint16_t>(row[0] & row[0] << 1 & row[0] >> 1 & row[1] & row[-1] & row[Size] & *(row - Size));
    }
  }

  // The row of a cell, by its distance from the first cell of the brick.
  static constexpr std::size_t rowOf(int y, int z) { return std::size_t(z + 2) * Size + std::size_t(y + 2); }

  static bool has(const Bits& bits, const std::array<int, 3>& at)
  {
    return (bits[rowOf(at[1], at[2])] >> (at[0] + 2) & 1u) != 0;
  }
  bool isLeaf(const std::array<int, 3>& at) const { return has(this->leaf, at); }
  bool isSurrounded(const std::array<int, 3>& at) const { return has(this->surrounded, at); }
};

// An edge of a brick that touches a coarser leaf, or a leaf without all of its neighbours.
struct LeafEdge
{
  std::uint16_t index; // among the edges of the brick
  EdgeOfBrick edge;
  bool isLow; // towards the low side
};

// The edges of a brick in the order of their points: those of a row word, then those towards the low sides, as if they
// were towards the high ones.
struct StitchedEdges
{
  static constexpr std::size_t Most = std::size_t(2) * BRICK_MAX_POINTS;

  std::size_t count = 0;
  std::array<EdgeOfBrick, Most + BRICK_SIZE> edge; // as in EdgeList
  std::size_t leafEdgeCount = 0;
  std::array<LeafEdge, Most> leafEdge;

  // surrounded: the leaves of the level around the brick whose six neighbours are, too; null: all.
  VMC_INLINE void list(const ActiveBricks& active, std::size_t slot, const LeavesAround::Bits* surrounded)
  {
    this->count = 0;
    this->leafEdgeCount = 0;
    for (std::uint32_t row = 0; row < BRICK_ROWS; ++row)
    {
      const std::uint32_t word = active.rowWord[slot * BRICK_ROWS + row] & EdgeBits;
      if (surrounded && word != 0)
        this->addLeafEdges(word, word & ~betweenSurrounded(*surrounded, row), row, false);
      this->add(word, row);
      const std::uint32_t low = active.lowWord ? active.lowWord[slot * BRICK_ROWS + row] : 0;
      this->addLeafEdges(low, low, row, true);
      this->add(low, row);
    }
    if (this->count > 0)
      std::fill_n(this->edge.data() + this->count, BRICK_SIZE, this->edge[this->count - 1]);
  }

private:
  // The edges of a row whose ends are surrounded, as in a row word.
  VMC_INLINE static std::uint32_t betweenSurrounded(const LeavesAround::Bits& surrounded, std::uint32_t row)
  {
    const std::size_t at = LeavesAround::rowOf(int(row % BRICK_SIZE), int(row / BRICK_SIZE));
    const std::uint32_t here = surrounded[at] >> 2, nextY = surrounded[at + 1] >> 2,
                        nextZ = surrounded[at + LeavesAround::Size] >> 2;
    return (here & here >> 1 & 0xFFu) << ROW_SHIFT_X | (here & nextY & 0xFFu) << ROW_SHIFT_Y |
           (here & nextZ & 0xFFu) << ROW_SHIFT_Z;
  }

  VMC_INLINE void addLeafEdges(std::uint32_t word, std::uint32_t leafEdges, std::uint32_t row, bool isLow)
  {
    for (; leafEdges != 0; leafEdges &= leafEdges - 1)
    {
      const std::uint32_t bit = lowestBit(leafEdges);
      this->leafEdge[this->leafEdgeCount++] = { static_cast<std::uint16_t>(
                                                  this->count + bitCount(word & ((1u << bit) - 1))),
        static_cast<EdgeOfBrick>(bit / BRICK_SIZE << 9 | row << 3 | bit % BRICK_SIZE), isLow };
    }
  }

  VMC_INLINE void add(std::uint32_t word, std::uint32_t row)
  {
    for (std::uint32_t axis = 0; word != 0; ++axis, word >>= BRICK_SIZE)
    {
      const std::uint32_t bits = word & 0xFFu;
      for (std::uint32_t i = 0; i < BRICK_SIZE; ++i) // those beyond the ones are overwritten
        this->edge[this->count + i] = static_cast<EdgeOfBrick>(axis << 9 | row << 3 | PositionsOfOnes[bits][i]);
      this->count += bitCount(bits);
    }
  }
};

// The samples around a brick, from one before it, and what makes the difference between its edges and those of an
// image.
template <class Sample>
struct LevelPointScratch
{
  explicit LevelPointScratch(const LevelBricks& bricks)
    : slopes(bricks)
  {
  }

  StitchedEdges edges;
  Batch batch;
  InnerEdges<Sample> inner;
  std::array<Sample, std::size_t(SlopeSamples) * SlopeSamples * SlopeSamples> samples{};
  LeavesAround leaves; // unless the brick is plain
  LevelSlopes<Sample> slopes;

  struct Known
  {
    std::size_t sample = std::size_t(-1); // its number among those of all levels
    Vector3 slopes{};                     // per step of the level of the leaf
  };
  std::array<Known, 512> known; // [number of the sample, modulo the size]: the leaf computed last
};

// Edges of a brick that touch a coarser leaf, or a leaf without all of its neighbours.
template <class Sample>
class LeafEdges
{
public:
  LeafEdges(const LevelPass& pass, std::uint32_t brick, const SlotsAround& around, LevelPointScratch<Sample>& scratch)
    : Pass(pass)
    , Around(around)
    , Scratch(scratch)
  {
    for (std::size_t a = 0; a < 3; ++a)
      this->First[a] = std::int64_t(BRICK_SIZE) * pass.own().brick[brick][a];
  }

  // Sets an edge of a batch.
  [[gnu::noinline]] void fill(const LeafEdge& edge, Batch& batch, std::size_t i)
  {
    const std::uint32_t axis = axisOf(edge.edge);
    const std::array<int, 3> at = startOf(edge.edge);
    std::array<int, 3> beside = at;
    beside[axis] += edge.isLow ? -1 : 1;
    const LeavesAround& leaves = this->Scratch.leaves;
    if (!this->Pass.own().hasBorder() && !edge.isLow && leaves.isLeaf(at) && leaves.isLeaf(beside))
    {
      if (this->Pass.mesh.needSlopes()) // all else is as in an image
        setSlopes(this->slopesAt(at), this->slopesAt(beside), batch, i);
      return;
    }
    const Leaf first = this->leafAt(edge.isLow ? beside : at), last = this->leafAt(edge.isLow ? at : beside);
    this->place(first, last, axis, batch, i);
  }

private:
  using Leaf = typename LevelSlopes<Sample>::Leaf;

  // The cell of the level at this distance from the first cell of the brick.
  LevelIndex cellAt(const std::array<int, 3>& at) const
  {
    return { this->First[0] + at[0], this->First[1] + at[1], this->First[2] + at[2] };
  }

  // The leaf that contains this cell.
  Leaf leafAt(const std::array<int, 3>& at) const
  {
    return this->Scratch.slopes.leafAt(this->Pass.level, this->cellAt(at), this->Around.placeOf(at[0], at[1], at[2]));
  }

  const LevelOfBricks& levelOf(const Leaf& leaf) const { return this->Pass.bricks.levels[leaf.level]; }

  std::size_t numberOf(const Leaf& leaf) const
  {
    return this->levelOf(leaf).firstBrick * BrickCells + leaf.place.sample();
  }

  bool isOutside(const Leaf& leaf) const { return leaf.place.isIn(this->levelOf(leaf).outside); }

  void place(const Leaf& start, const Leaf& end, std::uint32_t axis, Batch& batch, std::size_t i)
  {
    if (const bool rises = this->isOutside(start); rises || this->isOutside(end))
    {
      this->placeOnCap(rises ? end : start, axis, rises, batch, i);
      if (this->Pass.needSamples()) // the point has the name of both leaves, and the attributes of the first one
        batch.sampleAtEnd[i] = this->numberOf(rises ? start : end);
      return;
    }
    const Fraction fraction =
      fractionOf(*start.sample, *end.sample, thresholdValue<Sample>(this->Pass.threshold), this->Pass.threshold);
    batch.part[i] = fraction.part;
    batch.whole[i] = fraction.whole;
    batch.rise[i] = *start.sample < *end.sample ? 1 : -1;
    this->setEnds(start, end, start.level == end.level, batch, i);
    if (start.level == end.level)
      return;
    // The edge does not run along its axis.
    const double along = std::clamp(fraction.part / fraction.whole, 0.0, 1.0);
    const Vector3 to = this->Scratch.slopes.centerOf(this->Pass.level, end);
    for (std::size_t a = 0; a < 3; ++a)
      batch.at[a][i] += along * (to[a] - batch.at[a][i]);
  }

  // Sets an edge on the cap of a closed domain, whose point is the leaf that is not outside. The normal is that of the
  // border: along the edge or, if the leaf is in the domain along the edge's axis, along the first axis along which it
  // is not.
  void placeOnCap(const Leaf& leaf, std::uint32_t axis, bool rises, Batch& batch, std::size_t i)
  {
    const LevelOfBricks& level = this->levelOf(leaf);
    const auto isBeyond = [&](std::size_t a) { return level.domain.layerOf(a, level.low[a] + leaf.cell[a]) != 0; };
    for (std::uint32_t a = 0; a < 3 && !isBeyond(axis); ++a)
      if (isBeyond(a))
      {
        axis = a;
        rises = level.low[a] + leaf.cell[a] < level.domain.low[a];
      }
    batch.axis[i] = axis;
    batch.rise[i] = rises ? 1 : -1;
    batch.isCap[i] = 1;
    batch.part[i] = 0;
    batch.whole[i] = 1;
    this->setEnds(leaf, leaf, false, batch, i);
  }

  // isStep: from the start, the edge runs along its axis.
  void setEnds(const Leaf& start, const Leaf& end, bool isStep, Batch& batch, std::size_t i)
  {
    const Vector3 from = this->Scratch.slopes.centerOf(this->Pass.level, start);
    for (std::size_t a = 0; a < 3; ++a)
      batch.at[a][i] = from[a];
    batch.step[i] = isStep ? 1 : 0;
    if (this->Pass.needSamples())
    {
      batch.sample[i] = this->numberOf(start);
      batch.sampleAtEnd[i] = this->numberOf(end);
    }
    if (this->Pass.mesh.needSlopes())
      setSlopes(this->slopesAt(start), this->slopesAt(end), batch, i);
  }

  static void setSlopes(const Vector3& atStart, const Vector3& atEnd, Batch& batch, std::size_t i)
  {
    for (std::size_t a = 0; a < 3; ++a)
    {
      batch.slopeStart[a][i] = atStart[a];
      batch.slopeEnd[a][i] = atEnd[a];
    }
  }

  // The derivatives per step of the level of the pass.
  Vector3 slopesAt(const Leaf& leaf)
  {
    if (leaf.level == this->Pass.level)
      return this->slopesAt(
        { int(leaf.cell[0] - this->First[0]), int(leaf.cell[1] - this->First[1]), int(leaf.cell[2] - this->First[2]) });
    Vector3 slopes = this->slopesOf(leaf, [&] { return this->Scratch.slopes.at(leaf); });
    for (std::size_t a = 0; a < 3; ++a)
      slopes[a] /= this->Scratch.slopes.stepsInStep(this->Pass.level, leaf.level)[a];
    return slopes;
  }

  // The derivatives per step at a leaf of the level, in the brick or at its high sides. at: its distance from the first
  // cell of the brick.
  Vector3 slopesAt(const std::array<int, 3>& at)
  {
    constexpr std::array<std::ptrdiff_t, 3> Stride = { 1, SlopeSamples, SlopeSamples * SlopeSamples };
    const Sample* own = this->Scratch.samples.data();
    for (std::size_t a = 0; a < 3; ++a)
      own += Stride[a] * (at[a] + 1);
    if (this->Scratch.leaves.isSurrounded(at))
    {
      Vector3 slopes;
      for (std::size_t a = 0; a < 3; ++a)
        slopes[a] = slopeBetween(own - Stride[a], *own, own + Stride[a]);
      return slopes;
    }
    const Leaf leaf = { own, this->Pass.level, this->cellAt(at), this->Around.placeOf(at[0], at[1], at[2]), false };
    const auto neighbour = [&](std::size_t axis, bool isLow) -> const Sample*
    {
      std::array<int, 3> beside = at;
      beside[axis] += isLow ? -1 : 1;
      return this->Scratch.leaves.isLeaf(beside) ? own + (isLow ? -Stride[axis] : Stride[axis]) : nullptr;
    };
    return this->slopesOf(leaf, [&] { return this->Scratch.slopes.at(leaf, neighbour); });
  }

  // Returns the derivatives per step of its level at a leaf. Calls compute() if they are not kept.
  template <class Compute>
  const Vector3& slopesOf(const Leaf& leaf, const Compute& compute)
  {
    const std::size_t number = this->numberOf(leaf);
    auto& kept = this->Scratch.known[number % this->Scratch.known.size()];
    if (kept.sample != number)
      kept = { number, compute() };
    return kept.slopes;
  }

  const LevelPass& Pass;
  const SlotsAround& Around;
  LevelPointScratch<Sample>& Scratch;
  LevelIndex First{}; // the first cell of the brick
};

// The edges of a brick. Those between surrounded leaves are as in an image.
template <class Sample>
class BrickEdges
{
public:
  VMC_INLINE BrickEdges(const LevelPass& pass, std::size_t slot, LevelPointScratch<Sample>& scratch)
    : Pass(pass)
    , Brick(pass.active.brick[slot])
    , IsPlain(pass.own().kind[this->Brick] == BrickKind::Plain)
    , Around(pass.own(), this->Brick)
    , Scratch(scratch)
    , OfLeaves(pass, this->Brick, this->Around, scratch)
  {
    gatherCells<1, 2>(this->Around, pass.own().template samplesOf<Sample>(), scratch.samples.data());
    Vector3 first;
    for (std::size_t a = 0; a < 3; ++a)
      first[a] = double(pass.own().firstCell(this->Brick)[a]);
    constexpr std::ptrdiff_t Layer = SlopeSamples * SlopeSamples;
    scratch.inner.enter({ scratch.samples.data() + 1 + SlopeSamples + Layer, { 1, SlopeSamples, Layer } }, first);
    if (!this->IsPlain)
      scratch.leaves.gather(pass.own(), this->Around);
    scratch.edges.list(pass.active, slot, this->IsPlain ? nullptr : &scratch.leaves.surrounded);
  }

  // Sets the edges of a batch, which follow those of the batches before.
  VMC_INLINE void fill(const EdgeOfBrick* edges)
  {
    Batch& batch = this->Scratch.batch;
    this->Scratch.inner.fill(this->Pass, edges, this->Pass.mesh.needSlopes(), batch);
    if (this->Pass.needSamples())
      this->setSamples(edges);
    const StitchedEdges& all = this->Scratch.edges;
    const auto first = static_cast<std::size_t>(edges - all.edge.data());
    for (; this->Next < all.leafEdgeCount && all.leafEdge[this->Next].index < first + batch.count; ++this->Next)
      this->OfLeaves.fill(all.leafEdge[this->Next], batch, all.leafEdge[this->Next].index - first);
  }

private:
  void setSamples(const EdgeOfBrick* edges)
  {
    Batch& batch = this->Scratch.batch;
    const std::size_t first = this->Pass.own().firstBrick * BrickCells;
    for (std::size_t i = 0; i < batch.count; ++i)
    {
      std::array<int, 3> at = startOf(edges[i]);
      batch.sample[i] = first + this->Around.placeOf(at[0], at[1], at[2]).sample();
      ++at[axisOf(edges[i])];
      batch.sampleAtEnd[i] = first + this->Around.placeOf(at[0], at[1], at[2]).sample();
    }
  }

  const LevelPass& Pass;
  const std::uint32_t Brick;
  const bool IsPlain;
  const SlotsAround Around;
  LevelPointScratch<Sample>& Scratch;
  LeafEdges<Sample> OfLeaves;
  std::size_t Next = 0; // leaf edge
};

// Writes the crossings of a batch, without fractions.
void storeCrossings(const Batch& batch, EdgeCrossing* to)
{
  for (std::size_t i = 0; i < batch.count; ++i)
    to[i] = crossingBetween(batch.sample[i], batch.sampleAtEnd[i]);
}

constexpr auto KeepGradients = [](Batch::Vectors&) {};

template <class Sample>
VMC_INLINE void emitPoints(const LevelPass& pass, std::size_t slot, LevelPointScratch<Sample>& scratch)
{
  BrickEdges<Sample> edges(pass, slot, scratch);
  forBatches(scratch.edges.edge.data(), scratch.edges.count, pass.active.points[slot], scratch.batch,
    [&](const EdgeOfBrick* batch, std::size_t point)
    {
      edges.fill(batch);
      emitBatch<Sample>(pass, point, scratch.batch, KeepGradients);
      if (pass.mesh.crossings)
        storeCrossings(scratch.batch, pass.mesh.crossings + point);
      emitAttributes(pass.attributes, pass.mesh, point, scratch.batch);
    });
}

template <class Sample>
VMC_INLINE void emitPointsOfSlots(const SurfacePass& surface, std::size_t begin, std::size_t end)
{
  LevelPointScratch<Sample> scratch(static_cast<const LevelPass&>(surface).bricks);
  for (; begin < end; ++begin)
    emitPoints<Sample>(static_cast<const LevelPass&>(surface), begin, scratch);
}

// The id of the point of a marked edge. active: of its level.
VMC_INLINE std::uint32_t idInRow(const ActiveBricks& active, const RowBit& edge)
{
  const std::size_t at = std::size_t(edge.slot) * BRICK_ROWS + edge.row();
  const std::uint32_t below = (1u << edge.bit()) - 1, word = active.rowWord[at];
  return active.points[edge.slot] + active.rowPoints[at] +
         (edge.isLow() ? bitCount(word & EdgeBits) + bitCount(active.lowWord[at] & below) : bitCount(word & below));
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
VMC_INLINE void emitStitchedTriangles(const LevelPass& pass, std::size_t slot, std::size_t before)
{
  const StitchedTriangles& corners = pass.stitched[slot];
  const std::size_t first = pass.active.triangles[slot] + before;
  const bool isMirrored = pass.toWorld.determinant() < 0;
  std::array<std::uint32_t, std::size_t(3) * 5 * BRICK_SAMPLES * BRICK_SAMPLE_ROWS> ids;
  for (std::size_t i = 0; i < corners.size(); ++i)
  {
    const RowBit& edge = corners[i - i % 3 + (isMirrored ? (3 - i % 3) % 3 : i % 3)];
    ids[i] = idInRow(pass.levels[edge.level()].active, edge);
  }
  storeTriangles(pass.mesh, first, ids.data(), ids.data() + corners.size());
  const std::size_t firstCell = (pass.own().firstBrick + pass.active.brick[slot]) * BrickCells;
  for (std::size_t i = 0; pass.mesh.triangleCells && i < corners.size() / 3; ++i)
    pass.mesh.triangleCells[first + i] = static_cast<std::int64_t>(firstCell + corners[3 * i].owner());
}

VMC_INLINE void emitTrianglesOfSlots(const SurfacePass& surface, std::size_t begin, std::size_t end)
{
  const auto& pass = static_cast<const LevelPass&>(surface);
  RowsAround rows{};
  for (; begin < end; ++begin)
  {
    const std::size_t before = emitOwnTriangles(pass, begin, rows);
    if (pass.stitched && !pass.stitched[begin].empty())
      emitStitchedTriangles(pass, begin, before);
  }
}

}

LevelKernels levelKernelsFor(SampleType type)
{
  return withType(type,
    [](auto zero)
    {
      using Sample = decltype(zero);
      return LevelKernels{ fastest<&classifyBricks<Sample>>(), fastest<&countSlots>(), fastest<&numberPointsOfSlots>(),
        fastest<&emitPointsOfSlots<Sample>>(), fastest<&emitTrianglesOfSlots>() };
    });
}

}
