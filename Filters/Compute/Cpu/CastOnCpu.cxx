// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Cpu/CastOnCpu.h"

#include "Compute/Contour/Isovalue.h"
#include "Compute/Cpu/Grid.h"
#include "Compute/Cpu/RayCell.h"
#include "Compute/Cpu/RayWalk.h"
#include "Compute/Cpu/Samples.h"
#include "Compute/Cpu/ScaledGradient.h"
#include "Compute/Rays/RayTables.h"
#include "Compute/System/CpuName.h"
#include "Compute/System/Error.h"
#include "Compute/System/HostClock.h"
#include "Compute/System/Parallel.h"
#include "Compute/System/Threads.h"
#include "Compute/Volume/WithType.h"

#include <limits>
#include <new>
#include <optional>
#include <string>
#include <type_traits>

namespace vmc
{

namespace
{

using namespace cpu;

// Stands for the difference of an infinite sample. Finite ones are below 2^LargestExponent, so that no difference of
// two of them overflows, and those beside a huge one keep their digits.
constexpr double InfiniteDifference = 0x1p1010;
constexpr int LargestExponent = 1000;

// Casts rays for one isovalue.
template <class Sample>
class Caster
{
public:
  Caster(const Volume& volume, const Grid& grid, const RayTable& table, const Threshold& threshold,
    const SampleRanges& ranges, std::uint32_t isovalueNumber)
    : Input(volume)
    , VolumeGrid(grid)
    , Rays(table)
    , Isovalue(threshold)
    , Smallest(thresholdValue<Sample>(threshold))
    , HasBlanking(ranges.hasNan || volume.ghosts)
    , Number(isovalueNumber)
    , ToWorld(volume.geometry.gradientToWorld())
    , Marks(this->marksOf(ranges))
  {
    const std::array<std::size_t, 3> stride = { 1, volume.size[0], std::size_t(volume.size[0]) * volume.size[1] };
    for (std::size_t a = 0; a < 3; ++a)
    {
      this->Whole.last[a] = static_cast<std::int32_t>(grid.axis[a].size) - 2;
      for (const std::uint32_t image : grid.axis[a].image)
        this->Offset[a].push_back(image * stride[a]);
    }
  }

  // Replaces the hit of a pixel by one that is nearer, if there is one.
  void castRay(std::uint32_t x, std::uint32_t y, RayHit& hit) const
  {
    const Ray ray(this->Rays, x, y);
    const double end = std::min(1.0, double(hit.t));
    std::optional<RayPosition> position = enter(this->VolumeGrid, ray, this->Whole);
    while (position && this->Whole.contains(position->cell) && position->t < end)
    {
      const std::array<std::uint32_t, 3> brick = brickOf(position->cell);
      if (this->Marks.isSet(brick))
      {
        if (this->walkBrick(ray, end, *position, hit))
          return;
        continue;
      }
      const bool skipsGroup = !this->Marks.groupHasAny(brick);
      const Block skipped = this->Whole.part(position->cell, skipsGroup ? BRICK_SIZE * BRICK_GROUP_SIZE : BRICK_SIZE);
      Exit exit = exitOf(this->VolumeGrid, ray, skipped);
      exit.t = std::max(position->t, exit.t);
      position = positionBehind(this->VolumeGrid, ray, skipped, exit);
    }
  }

private:
  // One bit per corner of a cell.
  struct Corners
  {
    std::uint32_t inside = 0, blank = 0;
  };

  BrickMarks marksOf(const SampleRanges& ranges) const
  {
    const auto* const smallest = reinterpret_cast<const Sample*>(ranges.smallest.data());
    const auto* const largest = reinterpret_cast<const Sample*>(ranges.largest.data());
    BrickMarks marks(this->VolumeGrid);
    std::size_t brick = 0;
    std::array<std::uint32_t, 3> at{};
    for (at[2] = 0; at[2] < this->VolumeGrid.axis[2].bricks; ++at[2])
      for (at[1] = 0; at[1] < this->VolumeGrid.axis[1].bricks; ++at[1])
        for (at[0] = 0; at[0] < this->VolumeGrid.axis[0].bricks; ++at[0], ++brick)
          if (largest[brick] >= this->Smallest &&
              (smallest[brick] < this->Smallest ||
                (this->VolumeGrid.hasOutside && this->VolumeGrid.touchesOutside(this->VolumeGrid.cornerOf(brick)))))
            marks.set(at);
    return marks;
  }

  static std::array<std::uint32_t, 3> brickOf(const Cell& cell)
  {
    std::array<std::uint32_t, 3> brick{};
    for (std::size_t a = 0; a < 3; ++a)
      brick[a] = static_cast<std::uint32_t>(cell[a]) / BRICK_SIZE;
    return brick;
  }

  static std::array<std::uint32_t, 3> cornerAt(const Cell& cell, std::uint32_t c)
  {
    return { cell[0] + (c & 1u), cell[1] + (c >> 1 & 1u), cell[2] + (c >> 2) };
  }

  std::size_t indexOf(const std::array<std::uint32_t, 3>& at) const
  {
    return this->Offset[0][at[0]] + this->Offset[1][at[1]] + this->Offset[2][at[2]];
  }

  Sample sampleAt(std::size_t index) const
  {
    return readSample(static_cast<const Sample*>(this->Input.samples) + index);
  }

  bool isOutside(const std::array<std::uint32_t, 3>& at) const
  {
    const auto& axis = this->VolumeGrid.axis;
    return this->VolumeGrid.hasOutside &&
           (axis[0].isOutside[at[0]] || axis[1].isOutside[at[1]] || axis[2].isOutside[at[2]]);
  }

  bool hasFlag(std::size_t index, std::uint8_t flag) const
  {
    return this->Input.ghosts && (this->Input.ghosts[index] & flag) != 0;
  }

  bool isBlank(std::size_t index) const
  {
    if (!this->HasBlanking)
      return false;
    const Sample sample = this->sampleAt(index);
    return sample != sample || this->hasFlag(index, GHOST_BLANK);
  }

  void addCorner(const Cell& cell, std::uint32_t c, Corners& corners) const
  {
    const std::array<std::uint32_t, 3> at = cornerAt(cell, c);
    const std::size_t index = this->indexOf(at);
    const Sample sample = this->sampleAt(index);
    if (sample >= this->Smallest && !this->isOutside(at))
      corners.inside |= 1u << c;
    if (this->isBlank(index))
      corners.blank |= 1u << c;
  }

  // Returns the corners of the next cell along an axis, which shares four of them with the cell before it.
  Corners cornersAfterStep(const Corners& before, const Cell& cell, std::size_t axis, bool isUp) const
  {
    constexpr std::array<std::uint32_t, 3> UpperCorners = { 0xAA, 0xCC, 0xF0 };
    const std::uint32_t upper = UpperCorners[axis], shift = 1u << axis;
    const auto moved = [&](std::uint32_t bits)
    { return isUp ? (bits & upper) >> shift : (bits & ~upper) << shift & upper; };
    Corners corners{ moved(before.inside), moved(before.blank) };
    for (std::uint32_t i = 0; i < 4; ++i) // its bits are those of the other axes
    {
      const std::uint32_t low = i & (shift - 1);
      this->addCorner(cell, low | (isUp ? shift : 0) | (i - low) << 1, corners);
    }
    return corners;
  }

  bool isValid(const Corners& corners, const Cell& cell) const
  {
    return !this->HasBlanking ||
           (corners.blank == 0 && !this->hasFlag(this->indexOf(cornerAt(cell, 0)), GHOST_NOT_OWNED));
  }

  double aboveIsovalue(Sample sample, bool isInside) const
  {
    if constexpr (IsWideInteger<Sample>)
      return differenceOf(this->Smallest, sample) + this->Isovalue.low;
    if constexpr (std::is_floating_point_v<Sample>)
      if (std::isinf(sample))
        return isInside ? InfiniteDifference : -InfiniteDifference;
    return double(sample) - this->Isovalue.isovalue;
  }

  // Each corner has the sign of its side, also if rounding has lost it.
  CellField fieldOf(const Cell& cell, const Corners& corners) const
  {
    CellField field{};
    double largest = 0; // finite difference
    for (std::uint32_t c = 0; c < 8; ++c)
    {
      const std::array<std::uint32_t, 3> at = cornerAt(cell, c);
      double& above = field.corner[c];
      above = this->isOutside(at)
                ? -InfiniteDifference
                : this->aboveIsovalue(this->sampleAt(this->indexOf(at)), (corners.inside >> c & 1u) != 0);
      largest = std::abs(above) != InfiniteDifference ? std::max(largest, std::abs(above)) : largest;
    }
    if (std::is_same_v<Sample, double> && !isOrdinary(largest))
      this->rescale(cell, field);
    for (std::uint32_t c = 0; c < 8; ++c)
      field.corner[c] = (corners.inside >> c & 1u) != 0
                          ? std::max(field.corner[c], 0.0)
                          : std::min(field.corner[c], -std::numeric_limits<double>::min());
    return field;
  }

  // Multiplies the finite differences of 64-bit floats by a power of two that brings the largest one near its limit.
  void rescale(const Cell& cell, CellField& field) const
  {
    std::array<Scaled, 8> above{};
    int exponent = std::numeric_limits<int>::min() / 2;
    for (std::uint32_t c = 0; c < 8; ++c)
      if (std::abs(field.corner[c]) != InfiniteDifference)
      {
        above[c] = scaledDifference(this->Isovalue.isovalue, double(this->sampleAt(this->indexOf(cornerAt(cell, c)))));
        exponent = above[c].value != 0 ? std::max(exponent, above[c].exponent) : exponent;
      }
    for (std::uint32_t c = 0; c < 8; ++c)
      if (std::abs(field.corner[c]) != InfiniteDifference)
        field.corner[c] = std::ldexp(above[c].value, LargestExponent + above[c].exponent - exponent);
  }

  double widthOf(const Cell& cell, std::size_t a) const
  {
    const auto at = static_cast<std::size_t>(cell[a]);
    return this->VolumeGrid.axis[a].coordinate[at + 1] - this->VolumeGrid.axis[a].coordinate[at];
  }

  // Coordinates in a cell, where the ray crosses a face at right angles to this axis: at entry or at exit. See the
  // function of this name in RayCell.glsl.
  Vector pointInCell(const Ray& ray, const RayPosition& position, const Cell& cell, bool isAtExit) const
  {
    Vector result{};
    for (std::size_t a = 0; a < 3; ++a)
    {
      const double low = this->VolumeGrid.axis[a].coordinate[static_cast<std::size_t>(cell[a])];
      const double width = this->widthOf(cell, a);
      result[a] = a == position.axis || width == 0
                    ? ((ray.step[a] > 0) == isAtExit ? 1 : 0)
                    : std::clamp((ray.start[a] + position.t * ray.along[a] - low) / width, 0.0, 1.0);
    }
    return result;
  }

  // The value at an index minus that at another one.
  double differenceAt(std::size_t from, std::size_t to) const
  {
    const Sample low = this->sampleAt(from), high = this->sampleAt(to);
    if constexpr (IsWideInteger<Sample>)
      return differenceOf(low, high);
    return double(high) - double(low);
  }

  // Calls add(axis, from, to, weight) with the indices of the samples of each central difference at a corner. See
  // Gradient.glsl.
  template <class Add>
  void forEachDifference(const std::array<std::uint32_t, 3>& at, double weight, const Add& add) const
  {
    const std::size_t own = this->indexOf(at);
    for (std::size_t a = 0; a < 3; ++a)
    {
      std::array<std::size_t, 2> end = { own, own };
      int steps = 0;
      for (const bool isAfter : { false, true })
      {
        if (isAfter ? at[a] + 1 >= this->VolumeGrid.axis[a].size : at[a] == 0)
          continue;
        std::array<std::uint32_t, 3> neighbour = at;
        neighbour[a] += isAfter ? 1 : -1;
        const std::size_t index = this->indexOf(neighbour);
        if (index == own || this->isOutside(neighbour) || this->isBlank(index))
          continue;
        end[isAfter] = index;
        ++steps;
      }
      if (steps != 0)
        add(a, end[0], end[1], weight / steps);
    }
  }

  // Calls `add` for the differences at all corners of a cell, which have the weights of a trilinear interpolation.
  template <class Add>
  void forEachDifference(const Cell& cell, const Vector& point, const Add& add) const
  {
    for (std::uint32_t c = 0; c < 8; ++c)
      this->forEachDifference(cornerAt(cell, c),
        ((c & 1u) != 0 ? point[0] : 1 - point[0]) * ((c & 2u) != 0 ? point[1] : 1 - point[1]) *
          ((c & 4u) != 0 ? point[2] : 1 - point[2]),
        add);
  }

  bool isCap(const Cell& cell) const
  {
    bool isCap = false;
    for (std::uint32_t c = 0; c < 8; ++c)
      isCap = isCap || this->isOutside(cornerAt(cell, c));
    return isCap;
  }

  // See the function of this name in RayHit.glsl.
  Vector slopeOfHit(const Cell& cell, const Vector& point, const CellField& field) const
  {
    const auto sizeOf = [](const Vector& v) { return std::abs(v[0]) + std::abs(v[1]) + std::abs(v[2]); };
    Vector slope{};
    this->forEachDifference(cell, point,
      [&](std::size_t a, std::size_t from, std::size_t to, double weight)
      { slope[a] += weight * this->differenceAt(from, to); });
    if constexpr (std::is_same_v<Sample, double>)
      if (!isOrdinary(sizeOf(slope)))
      {
        ScaledGradient scaled;
        this->forEachDifference(cell, point,
          [&](std::size_t a, std::size_t from, std::size_t to, double weight)
          { scaled.add(a, this->sampleAt(from), this->sampleAt(to), weight); });
        slope = scaled.value;
      }
    const double size = sizeOf(slope);
    return this->isCap(cell) || !(size > 0 && std::isfinite(size)) ? this->slopeInCell(cell, field.slope(point))
                                                                   : slope;
  }

  // Per step. Across padding without width it has no other component.
  Vector slopeInCell(const Cell& cell, const Vector& slope) const
  {
    Vector perStep{};
    for (std::size_t a = 0; a < 3; ++a)
    {
      const double width = this->widthOf(cell, a);
      perStep[a] = width == 0 ? 0 : slope[a] / width;
    }
    for (std::size_t a = 0; a < 3; ++a)
      if (this->widthOf(cell, a) == 0 && slope[a] != 0)
      {
        perStep = {};
        perStep[a] = slope[a] < 0 ? -1 : 1;
      }
    return perStep;
  }

  // Towards lower values.
  Vector normalOf(const Vector& perStep) const
  {
    const double largest = std::max({ std::abs(perStep[0]), std::abs(perStep[1]), std::abs(perStep[2]) });
    Vector normal{};
    for (std::size_t c = 0; c < 3 && largest != 0; ++c)
      for (std::size_t a = 0; a < 3; ++a)
        normal[c] -= perStep[a] / largest * this->ToWorld[a][c];
    return largest == 0 ? Vector{ 0, 0, 1 } : normal;
  }

  void setHit(double t, const Vector& normal, RayHit& hit) const
  {
    const double ratio = this->Rays.ratio;
    hit.t = static_cast<float>(t);
    hit.depth =
      static_cast<float>((this->Rays.nearDepth * (1 - t) + this->Rays.farDepth * ratio * t) / (1 - t + ratio * t));
    hit.normal = packedNormal(normal);
    hit.isovalue = this->Number;
  }

  // Walks through the cells of a marked brick. Returns true at a crossing, which counts before `end`; else the place is
  // behind the brick.
  bool walkBrick(const Ray& ray, double end, RayPosition& position, RayHit& hit) const
  {
    const Block brick = this->Whole.part(position.cell, BRICK_SIZE);
    Corners corners;
    for (std::uint32_t c = 0; c < 8; ++c)
      this->addCorner(position.cell, c, corners);
    while (position.t < end)
    {
      const Exit exit = exitOf(this->VolumeGrid, ray, { position.cell, position.cell });
      RayPosition next{ position.cell, std::max(position.t, exit.t), exit.axis };
      if (this->crosses(ray, corners, position, next, end, hit))
        return true;
      next.cell[exit.axis] += ray.step[exit.axis];
      position = next;
      if (!brick.contains(position.cell))
        return false;
      corners = this->cornersAfterStep(corners, position.cell, exit.axis, ray.step[exit.axis] > 0);
    }
    return false;
  }

  // Returns whether the ray crosses the surface between entry and exit of a cell. Sets the hit if it is before `end`.
  bool crosses(const Ray& ray, const Corners& corners, const RayPosition& entry, const RayPosition& exit, double end,
    RayHit& hit) const
  {
    if (corners.inside == 0 || corners.inside == 0xFF || !this->isValid(corners, entry.cell))
      return false;
    const CellField field = this->fieldOf(entry.cell, corners);
    const Vector from = this->pointInCell(ray, entry, entry.cell, false),
                 to = this->pointInCell(ray, exit, entry.cell, true);
    const double s = firstZero(field, from, to), t = entry.t + s * (exit.t - entry.t);
    if (s <= 1 && t < end)
      this->setHit(t, this->normalOf(this->slopeOfHit(entry.cell, between(from, to, s), field)), hit);
    return s <= 1;
  }

  const Volume& Input;
  const Grid& VolumeGrid;
  const RayTable& Rays;
  const Threshold Isovalue;
  const Sample Smallest; // inside
  const bool HasBlanking;
  const std::uint32_t Number;
  const std::array<Vector, 3> ToWorld;
  const BrickMarks Marks;
  Block Whole{};
  std::array<std::vector<std::size_t>, 3> Offset; // [axis][grid position]: what it adds to the index of the sample
};

// Calls work(x, y) for all pixels.
template <class Work>
void forEachPixel(const RayTable& table, unsigned threads, const Work& work)
{
  constexpr std::uint32_t Side = 16; // of a tile
  const std::uint32_t across = (table.width + Side - 1) / Side, tiles = across * ((table.height + Side - 1) / Side);
  inParts(tiles, 1, threads,
    [&](std::size_t begin, std::size_t end)
    {
      for (; begin < end; ++begin)
      {
        const auto left = static_cast<std::uint32_t>(begin % across * Side),
                   bottom = static_cast<std::uint32_t>(begin / across * Side);
        for (std::uint32_t y = bottom; y < std::min(bottom + Side, table.height); ++y)
          for (std::uint32_t x = left; x < std::min(left + Side, table.width); ++x)
            work(x, y);
      }
    });
}

}

RayPicture castOnCpu(CpuState& state, const Volume& volume, const RayRequest& request, Report& report)
try
{
  const unsigned threads = usableThreads(request.threads);
  report.device = cpuName(threads);
  RayPicture hits(state.memory.acquire(std::size_t(request.camera.width) * request.camera.height * sizeof(RayHit)));
  inParallel(
    hits.size(), sizeof(RayHit),
    [&](std::size_t begin, std::size_t end) { std::fill(hits.begin() + begin, hits.begin() + end, NoHit); }, threads);
  if (hits.size() == 0 || !volume.hasDualCell() || request.isovalues.empty())
    return hits;
  const std::optional<RayTable> table = rayTableOf(request.camera, volume);
  if (!table)
    return hits;
  const SharedRanges ranges = state.hold({ &volume }, threads, report.stages).front();
  const Grid grid(volume);
  for (std::size_t i = 0; i < request.isovalues.size(); ++i)
    if (const auto threshold = thresholdOf(request.isovalues[i], volume.type, volume.padding.closed))
      withType(volume.type,
        [&](auto zero)
        {
          const HostClock marking;
          const Caster<decltype(zero)> caster(volume, grid, *table, *threshold, *ranges, static_cast<std::uint32_t>(i));
          report.stages.add(Stage::MarkBricks, marking.milliseconds());
          const HostClock casting;
          forEachPixel(*table, threads,
            [&](std::uint32_t x, std::uint32_t y)
            { caster.castRay(x, y, hits.begin()[std::size_t(y) * table->width + x]); });
          report.stages.add(Stage::CastRays, casting.milliseconds());
        });
  report.bricks = grid.brickCount();
  report.slabs = 1;
  return hits;
}
catch (const std::bad_alloc&)
{
  throw Error(Error::Kind::OutOfHostMemory, "The host has no memory for a picture of " +
                                              std::to_string(request.camera.width) + " x " +
                                              std::to_string(request.camera.height) + " pixels.");
}

}
