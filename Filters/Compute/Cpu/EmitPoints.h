// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Emits the points of a brick. Crossed edges are handled in batches, so that the compiler can use vector instructions
// for the arithmetic.
#ifndef vmcEmitPoints_h
#define vmcEmitPoints_h

#include "Compute/Contour/Crossings.h"
#include "Compute/Cpu/BrickKernels.h"
#include "Compute/Cpu/Cases.h"
#include "Compute/Cpu/Neighbourhood.h"
#include "Compute/Cpu/ScaledGradient.h"

#include <algorithm>
#include <cfloat>
#include <cmath>

namespace vmc::cpu
{

// A crossed edge: bits 0 to 8 are x, y and z of its start in the brick, 9 and 10 its axis.
using EdgeOfBrick = std::uint16_t;

VMC_INLINE std::uint32_t axisOf(EdgeOfBrick edge)
{
  return edge >> 9;
}

// As int, which vector instructions convert to double.
VMC_INLINE std::array<int, 3> startOf(EdgeOfBrick edge)
{
  return { edge & 7, edge >> 3 & 7, edge >> 6 & 7 };
}

// The crossed edges of a brick in the order of their points, and BRICK_SIZE copies of the last one.
struct EdgeList
{
  std::size_t count = 0; // without the copies
  std::array<EdgeOfBrick, BRICK_MAX_POINTS + BRICK_SIZE> edge;
};

// [bits]: the positions of the ones, in ascending order.
inline constexpr auto PositionsOfOnes = []
{
  std::array<std::array<std::uint8_t, 8>, 256> all{};
  for (std::uint32_t bits = 0; bits < all.size(); ++bits)
    for (std::uint32_t i = 0, count = 0; i < 8; ++i)
      if ((bits >> i & 1u) != 0)
        all[bits][count++] = static_cast<std::uint8_t>(i);
  return all;
}();

VMC_INLINE void listEdges(const ActiveBricks& active, std::size_t slot, EdgeList& list)
{
  const std::uint32_t* const words = active.rowWord + slot * BRICK_ROWS;
  std::size_t count = 0;
  for (std::uint32_t row = 0; row < BRICK_ROWS; ++row)
  {
    const std::uint32_t word = words[row];
    if ((word & 0xFFFFFFu) == 0)
      continue;
    for (std::uint32_t axis = 0; axis < 3; ++axis)
    {
      const std::uint32_t bits = word >> axis * BRICK_SIZE & 0xFFu;
      for (std::uint32_t i = 0; i < BRICK_SIZE; ++i) // those beyond the ones are overwritten
        list.edge[count + i] = static_cast<EdgeOfBrick>(axis << 9 | row << 3 | PositionsOfOnes[bits][i]);
      count += bitCount(bits);
    }
  }
  if (count > 0)
    std::fill_n(list.edge.data() + count, BRICK_SIZE, list.edge[count - 1]);
  list.count = count;
}

// A batch of crossed edges: an element per edge.
struct Batch
{
  static constexpr std::size_t Size = 64;
  static constexpr std::size_t LanesAtOnce = 8;                        // that vector instructions handle
  static_assert(LanesAtOnce <= BRICK_SIZE && Size % LanesAtOnce == 0); // EdgeList has enough copies
  using Values = std::array<double, Size>;
  using Vectors = std::array<Values, 3>;
  using Floats = std::array<std::array<float, Size>, 3>;

  std::size_t count = 0;
  std::size_t laneCount = 0; // a multiple of LanesAtOnce; beyond count, the last edge again, with any slopes

  Values axis{};                    // along which the edge runs
  Vectors at{};                     // coordinates of the start, in steps
  Values step{};                    // difference of the coordinates of both ends
  Values part{}, whole{};           // see Fraction
  Vectors slopeStart{}, slopeEnd{}; // derivatives at both ends, per step
  Values rise{};                    // 1 if the samples grow along the edge, else -1
  Values isCap{};                   // 1 on the cap of a closed surface, else 0
  // Indices of the image samples at both ends, or their numbers among those of all levels; of an image, sampleAtEnd is
  // set for attributes alone.
  std::array<std::size_t, Size> sample{}, sampleAtEnd{};

  Values fraction{};
  Floats position{}, positionLow{}, normal{}, gradient{};
};

// Interpolates attributes at the points of a batch, whose samples are set. point: the first id. It is compiled once for
// all types of samples.
void emitAttributes(
  const std::vector<Attribute>& attributes, const MeshArrays& mesh, std::size_t point, const Batch& batch);

// The edges of a brick whose neighbours are all in the image.
template <class Sample>
class InnerEdges
{
public:
  void enter(const BrickPass& pass, const std::array<std::uint32_t, 3>& corner)
  {
    this->FirstSample = pass.grid.sampleAt(corner[0], corner[1], corner[2]);
    Vector3 coordinate;
    for (std::size_t a = 0; a < 3; ++a)
    {
      this->AxisCoordinates[a] = pass.grid.axis[a].coordinate.data() + corner[a];
      coordinate[a] = *this->AxisCoordinates[a];
    }
    this->enter(samplesInImage<Sample>(pass, corner), coordinate);
  }

  // samples: of the brick and of those around it. coordinate: of the first one.
  void enter(const BrickSamples<Sample>& samples, const Vector3& coordinate)
  {
    this->Source = samples;
    this->Coordinate = coordinate;
  }

  VMC_INLINE void fill(const SurfacePass& pass, const EdgeOfBrick* edges, bool withSlopes, Batch& batch)
  {
    const std::array<std::ptrdiff_t, 3> stride = this->Source.stride;
    for (std::size_t i = 0; i < batch.count; ++i)
    {
      const std::array<int, 3> at = startOf(edges[i]);
      const std::ptrdiff_t offset = at[0] + at[1] * stride[1] + at[2] * stride[2];
      const Sample* const start = this->Source.first + offset;
      const Sample* const end = start + stride[axisOf(edges[i])];
      this->Start[i] = readSample(start);
      this->End[i] = readSample(end);
      batch.sample[i] = this->FirstSample + static_cast<std::size_t>(offset);
      for (std::size_t a = 0; withSlopes && a < 3; ++a)
      {
        this->BeforeStart[a][i] = readSample(start - stride[a]);
        this->AfterStart[a][i] = readSample(start + stride[a]);
        this->BeforeEnd[a][i] = readSample(end - stride[a]);
        this->AfterEnd[a][i] = readSample(end + stride[a]);
      }
    }
    repeatLast(batch.count, this->Start);
    repeatLast(batch.count, this->End);
    for (std::size_t i = 0; i < batch.laneCount; ++i)
    {
      batch.axis[i] = axisOf(edges[i]);
      const std::array<int, 3> at = startOf(edges[i]);
      batch.at[0][i] = this->Coordinate[0] + at[0];
      batch.at[1][i] = this->Coordinate[1] + at[1];
      batch.at[2][i] = this->Coordinate[2] + at[2];
      batch.step[i] = 1;
      batch.isCap[i] = 0;
      batch.rise[i] = this->Start[i] < this->End[i] ? 1 : -1;
    }
    this->setFractions(pass, batch);
    for (std::size_t a = 0; withSlopes && a < 3; ++a)
      for (std::size_t i = 0; i < batch.laneCount; ++i)
      {
        batch.slopeStart[a][i] = differenceOf(this->BeforeStart[a][i], this->AfterStart[a][i]) * 0.5;
        batch.slopeEnd[a][i] = differenceOf(this->BeforeEnd[a][i], this->AfterEnd[a][i]) * 0.5;
      }
    if (pass.toWorld.hasCoordinates())
      this->setDistances(edges, withSlopes, batch);
  }

private:
  using Values = std::array<Sample, Batch::Size + Batch::LanesAtOnce>;

  // Copies the last edge's samples to the lanes without an edge, which is faster than to gather them. Their slopes
  // remain those of earlier edges.
  VMC_INLINE static void repeatLast(std::size_t count, Values& values)
  {
    std::fill_n(values.data() + count, Batch::LanesAtOnce, values[count - 1]);
  }

  // As fractionOf(), which is called only if it differs from the quotient of two differences.
  VMC_INLINE void setFractions(const SurfacePass& pass, Batch& batch) const
  {
    bool areFinite = !IsWideInteger<Sample>;
    for (std::size_t i = 0; areFinite && i < batch.laneCount; ++i)
    {
      batch.part[i] = pass.threshold.isovalue - double(this->Start[i]);
      batch.whole[i] = double(this->End[i]) - double(this->Start[i]);
    }
    for (std::size_t i = 0; i < batch.laneCount; ++i)
      areFinite &= std::abs(batch.whole[i]) <= DBL_MAX;
    if (areFinite)
      return;
    const auto threshold = thresholdValue<Sample>(pass.threshold);
    for (std::size_t i = 0; i < batch.laneCount; ++i)
    {
      const Fraction fraction = fractionOf(this->Start[i], this->End[i], threshold, pass.threshold);
      batch.part[i] = fraction.part;
      batch.whole[i] = fraction.whole;
    }
  }

  // Replaces coordinates and distances of neighbours, which are 1 with an affine map.
  VMC_INLINE void setDistances(const EdgeOfBrick* edges, bool withSlopes, Batch& batch) const
  {
    for (std::size_t i = 0; i < batch.laneCount; ++i)
    {
      const std::array<int, 3> at = startOf(edges[i]);
      for (std::size_t a = 0; a < 3; ++a)
      {
        const double* const start = this->AxisCoordinates[a] + at[a];
        const double* const end = start + (a == axisOf(edges[i]) ? 1 : 0);
        batch.at[a][i] = *start;
        if (start != end)
          batch.step[i] = *end - *start;
        if (!withSlopes)
          continue;
        batch.slopeStart[a][i] *= 2 / (start[1] - start[-1]);
        batch.slopeEnd[a][i] *= 2 / (end[1] - end[-1]);
      }
    }
  }

  BrickSamples<Sample> Source{};
  std::size_t FirstSample = 0;
  std::array<const double*, 3> AxisCoordinates{}; // of the brick's first samples and those around them
  Vector3 Coordinate{};                           // of the first sample
  Values Start{}, End{};
  std::array<Values, 3> BeforeStart{}, AfterStart{}, BeforeEnd{}, AfterEnd{}; // neighbours along each axis
};

// The edges of any brick.
template <class Sample>
class OuterEdges
{
public:
  void enter(const BrickPass& pass, const std::array<std::uint32_t, 3>& corner)
  {
    const std::array<std::ptrdiff_t, 3> stride = imageStrides(pass.volume);
    for (std::size_t a = 0; a < 3; ++a)
      for (std::uint32_t i = 0; i < BRICK_SAMPLES && corner[a] + i < pass.grid.axis[a].size; ++i)
        this->Positions[a][i] = positionOf(pass.grid.axis[a], corner[a] + i, static_cast<std::size_t>(stride[a]));
  }

  VMC_INLINE void fill(const BrickPass& pass, const EdgeOfBrick* edges, bool withSlopes, Batch& batch)
  {
    const auto threshold = thresholdValue<Sample>(pass.threshold);
    for (std::size_t i = 0; i < batch.laneCount; ++i)
      this->setEdge(pass, edges[i], withSlopes, threshold, batch, i);
  }

  // The gradient per step on an edge, of 64-bit floats of any size.
  ScaledGradient scaledGradient(const BrickPass& pass, EdgeOfBrick edge, double fraction) const
  {
    const Ends ends = this->endsOf(edge);
    ScaledGradient gradient;
    const auto add = [&](const GridPoint& at, double weight)
    {
      const std::size_t index = indexOf(at);
      const auto* const samples = static_cast<const Sample*>(pass.volume.samples);
      for (std::size_t a = 0; a < 3; ++a)
        if (const Neighbours found = neighboursOf(pass, *at[a], index); found.lower != found.upper)
          gradient.add(a, readSample(samples + found.lower), readSample(samples + found.upper), weight * found.perStep);
    };
    add(ends.slopeStart(), 1 - fraction);
    add(ends.slopeEnd(), fraction);
    return gradient;
  }

private:
  // A grid position along one axis.
  struct Position
  {
    std::size_t image;   // what it adds to the index of the image sample
    std::size_t toLower; // from there down to the lower neighbour, 0 beside another position of the same image sample
    std::size_t toUpper; // up to the upper one
    double coordinate;
    double perLower, perUpper, perBoth; // 1 / distance of the sample from its neighbours, and of these, in steps
    bool isOutside;
  };
  using GridPoint = std::array<const Position*, 3>;

  static Position positionOf(const GridAxis& axis, std::uint32_t at, std::size_t stride)
  {
    const std::size_t image = axis.image[at];
    const std::uint32_t before = at > 0 ? at - 1 : at, after = at + 1 < axis.size ? at + 1 : at;
    const std::size_t lower = axis.image[before], upper = axis.image[after];
    const double from = axis.coordinate[before], here = axis.coordinate[at], to = axis.coordinate[after];
    return { image * stride, (image - lower) * stride, (upper - image) * stride, here, 1 / (here - from),
      1 / (to - here), 1 / (to - from), axis.isOutside[at] != 0 };
  }

  // The ends of an edge. That which is outside has the slopes of the other one.
  struct Ends
  {
    GridPoint start, end;
    bool startIsOutside, endIsOutside;

    const GridPoint& slopeStart() const { return this->startIsOutside ? this->end : this->start; }
    const GridPoint& slopeEnd() const { return this->endIsOutside ? this->start : this->end; }
  };

  // The samples between which a slope is computed: neighbours of the sample, or itself in the place of a neighbour that
  // is blank, beyond the grid or the same image sample.
  struct Neighbours
  {
    std::size_t lower, upper; // indices
    double perStep;           // 1 / distance between them in steps; unused if they are one sample
  };

  static bool isOutside(const GridPoint& at) { return at[0]->isOutside || at[1]->isOutside || at[2]->isOutside; }

  static std::size_t indexOf(const GridPoint& at) { return at[0]->image + at[1]->image + at[2]->image; }

  VMC_INLINE Ends endsOf(EdgeOfBrick edge) const
  {
    const std::array<int, 3> first = startOf(edge);
    const GridPoint start = { &this->Positions[0][first[0]], &this->Positions[1][first[1]],
      &this->Positions[2][first[2]] };
    GridPoint end = start;
    ++end[axisOf(edge)];
    return { start, end, isOutside(start), isOutside(end) };
  }

  VMC_INLINE void setEdge(
    const BrickPass& pass, EdgeOfBrick edge, bool withSlopes, Sample threshold, Batch& batch, std::size_t i) const
  {
    const auto* const samples = static_cast<const Sample*>(pass.volume.samples);
    const std::uint32_t axis = axisOf(edge);
    const Ends ends = this->endsOf(edge);
    const std::size_t startIndex = indexOf(ends.start), endIndex = indexOf(ends.end);
    const Sample atStart = readSample(samples + startIndex), atEnd = readSample(samples + endIndex);
    // Both ends of an edge of the padding are one image sample.
    const bool isPadding = startIndex == endIndex;
    const Fraction fraction = fractionOf(atStart, atEnd, threshold, pass.threshold);
    batch.axis[i] = axis;
    batch.part[i] = isPadding ? 0 : fraction.part;
    batch.whole[i] = isPadding ? 1 : fraction.whole;
    batch.rise[i] = ends.startIsOutside || (!ends.endIsOutside && atStart < atEnd) ? 1 : -1;
    batch.isCap[i] = ends.startIsOutside || ends.endIsOutside ? 1 : 0;
    batch.step[i] = ends.end[axis]->coordinate - ends.start[axis]->coordinate;
    batch.sample[i] = startIndex;
    for (std::size_t a = 0; a < 3; ++a)
      batch.at[a][i] = ends.start[a]->coordinate;
    for (std::size_t a = 0; withSlopes && a < 3; ++a)
    {
      batch.slopeStart[a][i] = slopeAt(pass, *ends.slopeStart()[a], ends.startIsOutside ? endIndex : startIndex);
      batch.slopeEnd[a][i] = slopeAt(pass, *ends.slopeEnd()[a], ends.endIsOutside ? startIndex : endIndex);
    }
  }

  VMC_INLINE static Neighbours neighboursOf(const BrickPass& pass, const Position& at, std::size_t index)
  {
    std::size_t lower = index - at.toLower, upper = index + at.toUpper;
    if (pass.hasBlanking)
    {
      lower = isBlank(pass, lower) ? index : lower;
      upper = isBlank(pass, upper) ? index : upper;
    }
    const double perStep = lower == index ? at.perUpper : upper == index ? at.perLower : at.perBoth;
    return { lower, upper, perStep };
  }

  // A central or one-sided difference.
  VMC_INLINE static double slopeAt(const BrickPass& pass, const Position& at, std::size_t index)
  {
    const auto* const samples = static_cast<const Sample*>(pass.volume.samples);
    const Neighbours found = neighboursOf(pass, at, index);
    if (found.lower == found.upper)
      return 0; // also at an infinite sample
    return differenceOf(readSample(samples + found.lower), readSample(samples + found.upper)) * found.perStep;
  }

  static bool isBlank(const BrickPass& pass, std::size_t index)
  {
    const Sample sample = readSample(static_cast<const Sample*>(pass.volume.samples) + index);
    return sample != sample || (pass.volume.ghosts && (pass.volume.ghosts[index] & GHOST_BLANK) != 0);
  }

  std::array<std::array<Position, BRICK_SAMPLES>, 3> Positions{};
};

VMC_INLINE void computePositions(const SurfacePass& pass, Batch& batch)
{
  for (std::size_t i = 0; i < batch.laneCount; ++i)
  {
    const double fraction = batch.part[i] / batch.whole[i];
    const double positive = fraction > 0 ? fraction : 0;
    batch.fraction[i] = positive < 1 ? positive : 1;
  }
  const bool withLow = pass.mesh.positionsLow != nullptr;
  for (std::size_t c = 0; c < 3; ++c)
  {
    const double origin = pass.toWorld.positionOfZero()[c], x = pass.toWorld.step(0)[c], y = pass.toWorld.step(1)[c],
                 z = pass.toWorld.step(2)[c];
    Batch::Values exact;
    for (std::size_t i = 0; i < batch.laneCount; ++i)
    {
      const double along = batch.axis[i] == 0 ? x : batch.axis[i] == 1 ? y : z;
      exact[i] = origin + (batch.at[0][i] * x + batch.at[1][i] * y + batch.at[2][i] * z +
                            batch.fraction[i] * batch.step[i] * along);
      batch.position[c][i] = static_cast<float>(exact[i]);
    }
    for (std::size_t i = 0; withLow && i < batch.laneCount; ++i)
      batch.positionLow[c][i] = static_cast<float>(exact[i] - batch.position[c][i]);
  }
}

// Interpolates the slopes and maps them to the world.
VMC_INLINE void interpolateGradients(const SurfacePass& pass, const Batch& batch, Batch::Vectors& world)
{
  for (std::size_t c = 0; c < 3; ++c)
  {
    const double x = pass.gradientToWorld[0][c], y = pass.gradientToWorld[1][c], z = pass.gradientToWorld[2][c];
    for (std::size_t i = 0; i < batch.laneCount; ++i)
    {
      const double t = batch.fraction[i], s = 1 - t;
      world[c][i] = (batch.slopeStart[0][i] * s + batch.slopeEnd[0][i] * t) * x +
                    (batch.slopeStart[1][i] * s + batch.slopeEnd[1][i] * t) * y +
                    (batch.slopeStart[2][i] * s + batch.slopeEnd[2][i] * t) * z;
    }
  }
}

// Denormal floats become 0, as on many devices.
VMC_INLINE float floatOf(double component)
{
  return std::abs(component) < FLT_MIN ? 0 : static_cast<float>(component);
}

VMC_INLINE void setGradients(const Batch::Vectors& world, Batch& batch)
{
  for (std::size_t c = 0; c < 3; ++c)
    for (std::size_t i = 0; i < batch.laneCount; ++i)
      batch.gradient[c][i] = floatOf(world[c][i]);
}

// NaN, if a component is.
VMC_INLINE double sumOfSizes(const Batch::Vectors& world, std::size_t i)
{
  return std::abs(world[0][i]) + std::abs(world[1][i]) + std::abs(world[2][i]);
}

// Computes those gradients of 64-bit floats again that may have left the range of double. In `world` they are divided
// by a power of two. corner: of the brick. edges: those of the batch.
[[gnu::noinline]] inline void rescaleGradients(const BrickPass& pass, const std::array<std::uint32_t, 3>& corner,
  const EdgeOfBrick* edges, Batch::Vectors& world, Batch& batch)
{
  OuterEdges<double> source;
  source.enter(pass, corner);
  for (std::size_t i = 0; i < batch.count; ++i)
  {
    if (isOrdinary(sumOfSizes(world, i)))
      continue;
    const ScaledGradient perStep = source.scaledGradient(pass, edges[i], batch.fraction[i]);
    for (std::size_t c = 0; c < 3; ++c)
    {
      world[c][i] = 0;
      for (std::size_t a = 0; a < 3; ++a)
        world[c][i] += perStep.value[a] * pass.gradientToWorld[a][c];
      batch.gradient[c][i] = floatOf(std::ldexp(world[c][i], perStep.exponent));
    }
  }
}

VMC_INLINE bool areOrdinary(const Batch::Vectors& world, std::size_t count)
{
  bool areOrdinary = true;
  for (std::size_t i = 0; i < count; ++i)
    areOrdinary &= isOrdinary(sumOfSizes(world, i));
  return areOrdinary;
}

// Replaces gradients that give no normal - those that are 0, denormal or not finite, and those on the cap of a closed
// surface - by gradients along the crossed edge alone.
VMC_INLINE void replaceGradientsWithoutNormal(const SurfacePass& pass, const Batch& batch, Batch::Vectors& world)
{
  for (std::size_t i = 0; i < batch.laneCount; ++i)
  {
    const double sum = sumOfSizes(world, i);
    if (sum >= DBL_MIN && sum <= DBL_MAX && batch.isCap[i] == 0)
      continue;
    const Vector3& along = pass.gradientToWorld[static_cast<std::size_t>(batch.axis[i])];
    const double size = std::max({ std::abs(along[0]), std::abs(along[1]), std::abs(along[2]) });
    for (std::size_t c = 0; c < 3; ++c)
      world[c][i] = along[c] * (batch.rise[i] / size);
  }
}

VMC_INLINE void setNormals(const Batch::Vectors& world, Batch& batch)
{
  for (std::size_t i = 0; i < batch.laneCount; ++i)
  {
    const double scale = 1 / sumOfSizes(world, i);
    const double x = world[0][i] * scale, y = world[1][i] * scale, z = world[2][i] * scale;
    const double toUnit = -1 / std::sqrt(x * x + y * y + z * z);
    batch.normal[0][i] = static_cast<float>(x * toUnit);
    batch.normal[1][i] = static_cast<float>(y * toUnit);
    batch.normal[2][i] = static_cast<float>(z * toUnit);
  }
}

// rescale(world): see rescaleGradients.
template <class Sample, class Rescale>
VMC_INLINE void computeGradientsAndNormals(const SurfacePass& pass, Batch& batch, const Rescale& rescale)
{
  Batch::Vectors world;
  interpolateGradients(pass, batch, world);
  if (pass.mesh.gradients)
    setGradients(world, batch);
  if constexpr (std::is_same_v<Sample, double>)
    if (!areOrdinary(world, batch.count))
      rescale(world);
  if (!pass.mesh.normals)
    return;
  replaceGradientsWithoutNormal(pass, batch, world);
  setNormals(world, batch);
}

VMC_INLINE void store(float* to, std::size_t firstPoint, std::size_t count, const Batch::Floats& values)
{
  if (!to)
    return;
  to += 3 * firstPoint;
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t c = 0; c < 3; ++c)
      to[3 * i + c] = values[c][i];
}

// Writes the crossings of a batch, without fractions.
inline void storeCrossings(const BrickPass& pass, const std::array<std::uint32_t, 3>& corner, const EdgeOfBrick* edges,
  std::size_t count, EdgeCrossing* to)
{
  for (std::size_t i = 0; i < count; ++i)
  {
    const std::array<int, 3> start = startOf(edges[i]);
    std::array<std::uint32_t, 3> at{};
    to[i] = { 0, 0, 0, axisOf(edges[i]) };
    for (std::size_t a = 0; a < 3; ++a)
    {
      const GridAxis& axis = pass.grid.axis[a];
      at[a] = corner[a] + static_cast<std::uint32_t>(start[a]);
      const std::uint32_t offset = at[a] - axis.low - axis.image[at[a]], mask = (1u << CROSSING_OFFSET_BITS) - 1;
      to[i].place |= (offset & mask) << (CROSSING_OFFSET_SHIFT + a * CROSSING_OFFSET_BITS);
    }
    moveStarts(to + i, to + i + 1, pass.grid.sampleAt(at[0], at[1], at[2]));
  }
}

// The work space of emitPoints, made once for many bricks.
template <class Sample>
struct PointScratch
{
  EdgeList edges;
  Batch batch;
  InnerEdges<Sample> inner;
  OuterEdges<Sample> outer;
};

// Computes the points of a batch whose edges are set, and writes them. point: the first id.
template <class Sample, class Rescale>
VMC_INLINE void emitBatch(const SurfacePass& pass, std::size_t point, Batch& batch, const Rescale& rescale)
{
  computePositions(pass, batch);
  store(pass.mesh.positions, point, batch.count, batch.position);
  store(pass.mesh.positionsLow, point, batch.count, batch.positionLow);
  if (pass.mesh.needSlopes())
    computeGradientsAndNormals<Sample>(pass, batch, rescale);
  store(pass.mesh.normals, point, batch.count, batch.normal);
  store(pass.mesh.gradients, point, batch.count, batch.gradient);
}

// Calls use(edges, point) for each batch of a list of edges, whose sizes it sets. point: the id of the first one.
template <class Use>
VMC_INLINE void forBatches(
  const EdgeOfBrick* edges, std::size_t count, std::size_t firstPoint, Batch& batch, const Use& use)
{
  for (std::size_t first = 0; first < count; first += Batch::Size)
  {
    batch.count = std::min(Batch::Size, count - first);
    batch.laneCount = (batch.count + Batch::LanesAtOnce - 1) / Batch::LanesAtOnce * Batch::LanesAtOnce;
    use(edges + first, firstPoint + first);
  }
}

// Interpolates the attributes at the points of a batch of an image. point: the first id.
inline void emitAttributesOfImage(const BrickPass& pass, std::size_t point, Batch& batch)
{
  const std::array<std::ptrdiff_t, 3> stride = imageStrides(pass.volume);
  for (std::size_t i = 0; i < batch.count; ++i)
    batch.sampleAtEnd[i] = batch.sample[i] + static_cast<std::size_t>(stride[static_cast<std::size_t>(batch.axis[i])]);
  emitAttributes(pass.volume.attributes, pass.mesh, point, batch);
}

template <class Sample>
VMC_INLINE void emitPoints(const BrickPass& pass, std::size_t slot, PointScratch<Sample>& scratch)
{
  listEdges(pass.active, slot, scratch.edges);
  const std::array<std::uint32_t, 3> corner = pass.grid.cornerOf(pass.active.brick[slot]);
  const bool isInner = pass.hasBlanking ? pass.active.isPlain[slot] != 0 : isWithinImage(pass.grid, corner, 1, 2);
  if (isInner)
    scratch.inner.enter(pass, corner);
  else
    scratch.outer.enter(pass, corner);
  Batch& batch = scratch.batch;
  forBatches(scratch.edges.edge.data(), scratch.edges.count, pass.active.points[slot], batch,
    [&](const EdgeOfBrick* edges, std::size_t point)
    {
      if (isInner)
        scratch.inner.fill(pass, edges, pass.mesh.needSlopes(), batch);
      else
        scratch.outer.fill(pass, edges, pass.mesh.needSlopes(), batch);
      emitBatch<Sample>(
        pass, point, batch, [&](Batch::Vectors& world) { rescaleGradients(pass, corner, edges, world, batch); });
      if (pass.mesh.crossings)
        storeCrossings(pass, corner, edges, batch.count, pass.mesh.crossings + point);
      if (!pass.mesh.attributes.empty())
        emitAttributesOfImage(pass, point, batch);
    });
}

}

#endif
