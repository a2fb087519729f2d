// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Cpu/CountOnCpu.h"

#include "Compute/Cpu/BinSteps.h"
#include "Compute/Cpu/Extremes.h"
#include "Compute/Cpu/Grid.h"
#include "Compute/Cpu/TimedOnCpu.h"
#include "Compute/Histogram/CompensatedSum.h"
#include "Compute/System/Parallel.h"
#include "Compute/Volume/WithType.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <mutex>
#include <optional>
#include <type_traits>
#include <vector>

namespace vmc
{

namespace
{

using namespace cpu;

// The samples [first, first + count), aligned.
template <class Sample>
void read(const Volume& volume, std::size_t first, std::size_t count, Sample* samples)
{
  std::memcpy(samples, static_cast<const std::byte*>(volume.samples) + first * sizeof(Sample), count * sizeof(Sample));
}

// Returns the extremes of the samples [begin, end). `any`: a sample without flags, which takes the place of those with
// flags.
template <class Sample>
Extremes<Sample> extremesOf(const Volume& volume, Sample any, std::size_t begin, std::size_t end)
{
  constexpr std::size_t AtOnce = 128 * Extremes<Sample>::Lanes;
  std::vector<Sample> samples(AtOnce, any);
  Extremes<Sample> extremes;
  for (; begin < end; begin += AtOnce)
  {
    const std::size_t count = std::min(AtOnce, end - begin);
    read(volume, begin, count, samples.data());
    for (std::size_t i = 0; volume.ghosts && i < count; ++i)
      samples[i] = volume.ghosts[begin + i] == 0 ? samples[i] : any;
    extremes.add(samples.data(), AtOnce);
  }
  return extremes;
}

template <class Sample>
std::optional<SampleRange> rangeOf(const Volume& volume, unsigned threads)
{
  const std::uint64_t count = volume.sampleCount();
  const std::uint8_t* const flags = volume.ghosts;
  const std::size_t first = flags ? std::find(flags, flags + count, std::uint8_t(0)) - flags : 0; // without flags
  if (first == count)
    return std::nullopt;
  Sample any{};
  read(volume, first, 1, &any);
  Extremes<Sample> all;
  std::mutex mutex;
  inParallel(
    count, sizeof(Sample),
    [&](std::size_t begin, std::size_t end)
    {
      const auto part = extremesOf(volume, any, begin, end);
      const std::lock_guard<std::mutex> lock(mutex);
      all.add(part);
    },
    threads);
  return all.range();
}

// The smallest and the largest step of each of some groups of neighbours.
struct MinMax
{
  struct Pointers
  {
    const Step* smallest;
    const Step* largest;
  };

  std::vector<Step> smallest, largest;

  explicit MinMax(std::size_t count)
    : smallest(count)
    , largest(count)
  {
  }

  Pointers from(std::size_t first) const { return { this->smallest.data() + first, this->largest.data() + first }; }

  // Unites groups with others. None of them may be in this object.
  void combine(const Pointers& some, const Pointers& others)
  {
    for (std::size_t i = 0; i < this->smallest.size(); ++i)
      this->smallest[i] = std::min<Step>(some.smallest[i], others.smallest[i]);
    for (std::size_t i = 0; i < this->largest.size(); ++i)
      this->largest[i] = std::max<Step>(some.largest[i], others.largest[i]);
  }
};

// Finds the steps of an image row that begins with a sample. values: those of the row afterwards.
template <class Sample>
void readSteps(
  const Volume& volume, std::size_t first, const BinSteps<Sample>& binSteps, std::vector<Sample>& values, Step* steps)
{
  const std::uint8_t* const flags = volume.ghosts ? volume.ghosts + first : nullptr;
  read(volume, first, values.size(), values.data());
  binSteps.find(values.data(), values.size(), steps);
  for (std::size_t x = 0; std::is_floating_point_v<Sample> && x < values.size(); ++x)
    steps[x] = values[x] == values[x] ? steps[x] : BlankStep; // NaN
  for (std::size_t x = 0; flags && x < values.size(); ++x)
    steps[x] = (flags[x] & Blank) == 0 ? steps[x] : BlankStep;
}

// A range of rows of the grid: [begin, end) along y and z.
struct Rows
{
  std::array<std::uint32_t, 2> begin;
  std::array<std::uint32_t, 2> end;
};

// Counts the image samples in rows of the grid, and the dual cells whose minimum corners lie in these rows.
template <class Sample>
class RowCounter
{
public:
  RowCounter(const Volume& volume, const Grid& grid, const BinSteps<Sample>& steps)
    : Image(volume)
    , VolumeGrid(grid)
    , Steps(steps)
    , Values(volume.size[0])
    , Row(grid.axis[0].size)
    , Pairs(this->Row.size() - 1)
    , PreviousPairs(this->Pairs)
    , Square(this->Pairs)
    , Plane(0)
    , Cells(this->Pairs)
  {
  }

  StepCounts count(const Rows& rows)
  {
    const std::uint32_t lastY = std::min(rows.end[0], this->VolumeGrid.axis[1].size - 1),
                        lastZ = std::min(rows.end[1], this->VolumeGrid.axis[2].size - 1);
    this->Plane = MinMax((lastY - rows.begin[0] + 1) * this->Row.size());
    for (std::uint32_t z = rows.begin[1]; z <= lastZ; ++z)
      for (std::uint32_t y = rows.begin[0]; y <= lastY; ++y)
      {
        this->readRow(y, z);
        if (y < rows.end[0] && z < rows.end[1])
          this->countSamples(y, z);
        this->pad(y, z);
        this->combine(y, z, rows);
      }
    return this->Counts;
  }

private:
  const std::uint8_t* flagsOf(std::uint32_t y, std::uint32_t z) const
  {
    return this->Image.ghosts ? this->Image.ghosts + this->VolumeGrid.sampleAt(0, y, z) : nullptr;
  }

  Step* imageSteps() { return this->Row.data() + this->Image.padding.low[0]; }

  // The steps of the image samples in the row.
  void readRow(std::uint32_t y, std::uint32_t z)
  {
    readSteps(this->Image, this->VolumeGrid.sampleAt(0, y, z), this->Steps, this->Values, this->imageSteps());
  }

  void countSamples(std::uint32_t y, std::uint32_t z)
  {
    const auto& axis = this->VolumeGrid.axis;
    if (!axis[1].isWithinImage(y, y + 1) || !axis[2].isWithinImage(z, z + 1))
      return;
    const std::uint8_t* flags = this->flagsOf(y, z);
    const Step* steps = this->imageSteps();
    for (std::size_t x = 0; x < this->Values.size(); ++x)
      ++(flags && flags[x] != 0 ? this->Counts.ghosts : this->Counts.samples[x % 2][steps[x]]);
  }

  // Fills the padding of the row. Positions outside of a closed volume are below every centre.
  void pad(std::uint32_t y, std::uint32_t z)
  {
    Step* const begin = this->imageSteps();
    Step* const end = begin + this->Image.size[0];
    std::fill(this->Row.data(), begin, *begin);
    std::fill(end, this->Row.data() + this->Row.size(), end[-1]);
    const auto& axis = this->VolumeGrid.axis;
    const bool isOutside = axis[1].isOutside[y] || axis[2].isOutside[z];
    for (std::size_t x = 0; this->VolumeGrid.hasOutside && x < this->Row.size(); ++x)
      if (this->Row[x] != BlankStep && (isOutside || axis[0].isOutside[x]))
        this->Row[x] = 0;
  }

  // Combines the row with those before it along y and z to dual cells, and counts these.
  void combine(std::uint32_t y, std::uint32_t z, const Rows& rows)
  {
    std::swap(this->Pairs, this->PreviousPairs);
    this->Pairs.combine({ this->Row.data(), this->Row.data() }, { this->Row.data() + 1, this->Row.data() + 1 });
    if (y == rows.begin[0])
      return;
    this->Square.combine(this->Pairs.from(0), this->PreviousPairs.from(0));
    const std::size_t first = (y - rows.begin[0]) * this->Row.size();
    if (z > rows.begin[1])
    {
      this->Cells.combine(this->Square.from(0), this->Plane.from(first));
      this->countCells(this->flagsOf(y - 1, z - 1));
    }
    std::copy(this->Square.smallest.begin(), this->Square.smallest.end(), this->Plane.smallest.begin() + first);
    std::copy(this->Square.largest.begin(), this->Square.largest.end(), this->Plane.largest.begin() + first);
  }

  // flags: of the row of the minimum corners.
  void countCells(const std::uint8_t* flags)
  {
    for (std::size_t x = 0; x + 1 < this->Row.size(); ++x)
    {
      if (this->Cells.largest[x] == BlankStep)
        continue;
      if (flags && (flags[this->VolumeGrid.axis[0].image[x]] & NotOwned) != 0)
        continue;
      this->Counts.addCell(this->Cells.smallest[x], this->Cells.largest[x]);
    }
  }

  const Volume& Image;
  const Grid& VolumeGrid;
  const BinSteps<Sample>& Steps;
  std::vector<Sample> Values; // of an image row
  std::vector<Step> Row;      // of a grid row
  // The following have an element per dual cell along x.
  MinMax Pairs, PreviousPairs; // of two samples in this row and in the one before it
  MinMax Square;               // of these two rows
  MinMax Plane;                // [row][x]: all squares of the plane before, and those of this plane up to this row
  MinMax Cells;                // of the squares of both planes
  StepCounts Counts;
};

template <class Sample>
ValueCounts countsOf(const Volume& volume, const Bins& bins, unsigned threads)
{
  const BinSteps<Sample> steps(bins, volume.sampleCount());
  const Grid grid(volume);
  const std::array<std::uint32_t, 2> size = { grid.axis[1].size, grid.axis[2].size };
  const std::size_t axis = size[0] > size[1] ? 0 : 1; // of Rows: the longer one is divided
  ValueCounts all(bins);
  std::mutex mutex;
  inParallel(
    size[axis], volume.sampleCount() * sizeof(Sample) / size[axis],
    [&](std::size_t begin, std::size_t end)
    {
      Rows rows = { { 0, 0 }, size };
      rows.begin[axis] = static_cast<std::uint32_t>(begin);
      rows.end[axis] = static_cast<std::uint32_t>(end);
      const ValueCounts part = RowCounter<Sample>(volume, grid, steps).count(rows).inBins(bins);
      const std::lock_guard<std::mutex> lock(mutex);
      all.add(part);
    },
    threads);
  return all;
}

// The sums of volumes of samples, see ValueCounts::volumes.
using VolumeSums = std::vector<CompensatedSum>;

// Adds the volumes of the samples in the image rows [begin, end).
template <class Sample>
void addVolumes(
  const Volume& volume, const BinSteps<Sample>& binSteps, std::size_t begin, std::size_t end, VolumeSums& sums)
{
  const SampleGeometry& geometry = volume.geometry;
  std::vector<Sample> values(volume.size[0]);
  std::vector<Step> steps(values.size());
  for (; begin < end; ++begin)
  {
    const std::size_t first = begin * values.size();
    const double area = geometry.width(1, begin % volume.size[1]) * geometry.width(2, begin / volume.size[1]);
    readSteps(volume, first, binSteps, values, steps.data());
    for (std::size_t x = 0; x < steps.size(); ++x)
      if (steps[x] != BlankStep && !(volume.ghosts && volume.ghosts[first + x] != 0))
        sums[steps[x] == 0 ? sums.size() - 1 : std::size_t(steps[x] - 1) / 2].add(geometry.width(0, x) * area);
  }
}

// The parts that are summed separately do not depend on the threads.
template <class Sample>
std::vector<double> volumesOf(const Volume& volume, const Bins& bins, unsigned threads)
{
  constexpr std::size_t MostParts = 64;
  const BinSteps<Sample> binSteps(bins, volume.sampleCount());
  const std::size_t rows = std::size_t(volume.size[1]) * volume.size[2], atOnce = (rows + MostParts - 1) / MostParts;
  std::vector<VolumeSums> parts((rows + atOnce - 1) / atOnce);
  inParts(rows, atOnce, threads,
    [&](std::size_t begin, std::size_t end)
    {
      VolumeSums& sums = parts[begin / atOnce];
      sums.resize(bins.count + 2);
      addVolumes(volume, binSteps, begin, end, sums);
    });
  std::vector<double> volumes;
  for (std::size_t bin = 0; bin < bins.count + 2; ++bin)
  {
    CompensatedSum sum;
    for (const VolumeSums& part : parts)
      sum.add(part[bin]);
    volumes.push_back(sum.value());
  }
  return volumes;
}

}

std::optional<SampleRange> findRangeOnCpu(const Volume& volume, const CountLimits& limits, Report& report)
{
  return timedOnCpu(Stage::FindRange, limits.threads, report,
    [&](unsigned threads)
    { return withType(volume.type, [&](auto zero) { return rangeOf<decltype(zero)>(volume, threads); }); });
}

ValueCounts countOnCpu(const Volume& volume, const Bins& bins, const CountLimits& limits, Report& report)
{
  return timedOnCpu(Stage::CountValues, limits.threads, report,
    [&](unsigned threads)
    {
      if (volume.sampleCount() == 0)
        return ValueCounts(bins);
      return withType(volume.type, [&](auto zero) { return countsOf<decltype(zero)>(volume, bins, threads); });
    });
}

std::vector<double> sumVolumesOnCpu(const Volume& volume, const Bins& bins, const CountLimits& limits, Report& report)
{
  if (!volume.geometry.hasCoordinates() || volume.sampleCount() == 0)
    return {};
  volume.checkCoordinates();
  const HostClock clock;
  std::vector<double> volumes = withType(
    volume.type, [&](auto zero) { return volumesOf<decltype(zero)>(volume, bins, usableThreads(limits.threads)); });
  report.stages.add(Stage::CountValues, clock.milliseconds());
  return volumes;
}

}
