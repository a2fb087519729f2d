// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Cpu/CountOnCpu.h"

#include "Compute/Cpu/Grid.h"
#include "Compute/System/Parallel.h"
#include "Compute/System/Stage.h"
#include "Compute/Volume/SampleKey.h"
#include "Compute/Volume/WithType.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>
#include <mutex>
#include <optional>
#include <type_traits>
#include <vector>

namespace vmc
{

namespace
{

// The samples [first, first + count), aligned.
template <class Sample>
void read(const Volume& volume, std::size_t first, std::size_t count, Sample* samples)
{
  std::memcpy(samples, static_cast<const std::byte*>(volume.samples) + first * sizeof(Sample), count * sizeof(Sample));
}

// The smallest and the largest finite sample. Samples are distributed over lanes, so that the compiler can use vector
// instructions: it must not change the order in which floats are compared.
template <class Sample>
struct Extremes
{
  static constexpr std::size_t Lanes = 32;

  std::array<Sample, Lanes> smallest;
  std::array<Sample, Lanes> largest;

  Extremes()
  {
    this->smallest.fill(std::numeric_limits<Sample>::max());
    this->largest.fill(std::numeric_limits<Sample>::lowest());
  }

  static bool isFinite(Sample sample)
  {
    if constexpr (std::is_floating_point_v<Sample>)
      return std::abs(sample) <= std::numeric_limits<Sample>::max(); // not NaN
    return true;
  }

  // count: a multiple of Lanes.
  void add(const Sample* samples, std::size_t count)
  {
    for (std::size_t first = 0; first < count; first += Lanes)
      for (std::size_t lane = 0; lane < Lanes; ++lane)
      {
        const Sample sample = samples[first + lane];
        const Sample low = isFinite(sample) ? sample : this->smallest[lane];
        const Sample high = isFinite(sample) ? sample : this->largest[lane];
        this->smallest[lane] = low < this->smallest[lane] ? low : this->smallest[lane];
        this->largest[lane] = high > this->largest[lane] ? high : this->largest[lane];
      }
  }

  void add(const Extremes& others)
  {
    for (std::size_t lane = 0; lane < Lanes; ++lane)
    {
      this->smallest[lane] = std::min(this->smallest[lane], others.smallest[lane]);
      this->largest[lane] = std::max(this->largest[lane], others.largest[lane]);
    }
  }
};

// Rounded to double, towards -infinity (direction -1) or +infinity (1).
template <class Sample>
double rounded(Sample value, int direction)
{
  const auto nearest = static_cast<double>(value);
  if constexpr (sizeof(Sample) == 8 && std::is_integral_v<Sample>)
  {
    // A double of 2^63 or 2^64 is above every value of the type.
    const bool isAbove =
      nearest >= std::ldexp(1.0, std::numeric_limits<Sample>::digits) || static_cast<Sample>(nearest) > value;
    const bool isBelow = !isAbove && static_cast<Sample>(nearest) < value;
    if (direction < 0 ? isAbove : isBelow)
      return std::nextafter(nearest, direction * std::numeric_limits<double>::infinity());
  }
  return nearest;
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
  const Sample smallest = *std::min_element(all.smallest.begin(), all.smallest.end());
  const Sample largest = *std::max_element(all.largest.begin(), all.largest.end());
  if (smallest > largest) // no sample is finite
    return std::nullopt;
  return SampleRange{ rounded(smallest, -1), rounded(largest, 1) };
}

using Step = std::int16_t;

// The edges and centres of bins, in ascending order: edge 0, centre 0, edge 1, ..., the last edge. The step of a sample
// is the number of those that are not above it, but the last edge counts only for samples above it. So a sample of bin
// b has step 2 * b + 1, or 2 * b + 2 if it is not below the bin's centre. Samples below the first edge have step 0,
// those above the last edge the largest step.
template <class Sample>
class BinSteps
{
public:
  // count: roughly how many samples will be looked up. For many samples of few bits, a table is made.
  BinSteps(const Bins& bins, std::uint64_t count)
    : HalfLower(static_cast<Real>(bins.lower / 2))
    , Scale(static_cast<Real>(2 * bins.count / (bins.upper / 2 - bins.lower / 2)))
  {
    this->Bounds.push_back(std::numeric_limits<Sample>::lowest());
    for (std::uint32_t bin = 0; bin < bins.count; ++bin)
    {
      this->add(smallestFrom<Sample>(bins.edge(bin)));
      this->add(smallestFrom<Sample>(bins.centre(bin)));
    }
    this->add(smallestAbove<Sample>(bins.upper));
    this->Bounds.push_back(std::numeric_limits<Sample>::max());
    if (IsSmall && count >= TableSize)
      this->makeTable();
  }

  // The steps of so many samples. Those of NaN are undefined.
  void find(const Sample* samples, std::size_t count, Step* steps) const
  {
    if constexpr (IsSmall)
      if (!this->Table.empty())
      {
        std::transform(samples, samples + count, steps, [this](Sample sample) { return this->Table[indexOf(sample)]; });
        return;
      }
    const auto largest = static_cast<Real>(this->Bounds.size() - 2);
    for (std::size_t i = 0; i < count; ++i)
    {
      const Real guess = (static_cast<Real>(samples[i]) / 2 - this->HalfLower) * this->Scale + 1;
      steps[i] = static_cast<Step>(guess > 0 ? (guess < largest ? guess : largest) : 0);
    }
    const Sample* const bounds = this->Bounds.data();
    for (std::size_t i = 0; i < count; ++i)
      if (!(samples[i] >= bounds[steps[i]] && samples[i] < bounds[steps[i] + 1]))
        steps[i] = this->search(samples[i]);
  }

private:
  static constexpr bool IsSmall = sizeof(Sample) <= 2;
  static constexpr std::size_t TableSize = std::size_t(1) << (IsSmall ? 8 * sizeof(Sample) : 0);
  // Guesses are rounded.
  using Real = std::conditional_t<IsSmall || std::is_same_v<Sample, float>, float, double>;

  static std::size_t indexOf(Sample sample) { return static_cast<std::size_t>(sample) % TableSize; }

  void makeTable()
  {
    this->Table.resize(TableSize);
    for (std::size_t value = 0; value < TableSize; ++value)
      this->Table[value] = this->search(static_cast<Sample>(value));
  }

  // A bound above all samples is never reached.
  void add(std::optional<Sample> bound)
  {
    if (bound)
      this->Bounds.push_back(*bound);
  }

  Step search(Sample sample) const
  {
    const auto first = this->Bounds.begin() + 1;
    return static_cast<Step>(std::upper_bound(first, this->Bounds.end() - 1, sample) - first);
  }

  // [step]: the smallest sample of the step, between a value at or below all samples and one at or above them.
  std::vector<Sample> Bounds;
  std::vector<Step> Table; // [indexOf(sample)]; may be empty
  Real HalfLower, Scale;   // halves: the difference of large numbers is finite
};

constexpr Step BlankStep = 2 * Bins::Largest + 2; // of samples without a value: larger than any step

// The number of bin centres that are not above a sample of this step.
constexpr std::size_t centresOf(Step step)
{
  return static_cast<std::size_t>(step) / 2;
}

// Counts by step, from which the counts by bin follow.
struct StepCounts
{
  // [half][step]: of the samples at even and at odd positions. Repeated changes of one number wait for each other.
  std::array<std::vector<std::uint64_t>, 2> samples{ std::vector<std::uint64_t>(BlankStep + 1),
    std::vector<std::uint64_t>(BlankStep + 1) };
  // [n]: valid dual cells of whose smallest sample n centres are not above it, minus those of whose largest sample.
  std::vector<std::int64_t> cells = std::vector<std::int64_t>(Bins::Largest + 1);
  std::uint64_t ghosts = 0;

  std::uint64_t samplesOf(std::size_t step) const { return this->samples[0][step] + this->samples[1][step]; }

  ValueCounts inBins(const Bins& bins) const
  {
    ValueCounts counts(bins);
    std::int64_t cut = 0;
    for (std::size_t bin = 0; bin < bins.count; ++bin)
    {
      counts.samples[bin] = this->samplesOf(2 * bin + 1) + this->samplesOf(2 * bin + 2);
      cut += this->cells[bin];
      counts.cutCells[bin] = static_cast<std::uint64_t>(cut);
    }
    counts.below = this->samplesOf(0);
    counts.above = this->samplesOf(2 * bins.count + 1);
    counts.nan = this->samplesOf(BlankStep);
    counts.ghosts = this->ghosts;
    return counts;
  }
};

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
    const std::uint8_t* flags = this->flagsOf(y, z);
    read(this->Image, this->VolumeGrid.sampleAt(0, y, z), this->Values.size(), this->Values.data());
    Step* steps = this->imageSteps();
    this->Steps.find(this->Values.data(), this->Values.size(), steps);
    for (std::size_t x = 0; std::is_floating_point_v<Sample> && x < this->Values.size(); ++x)
      steps[x] = this->Values[x] == this->Values[x] ? steps[x] : BlankStep; // NaN
    for (std::size_t x = 0; flags && x < this->Values.size(); ++x)
      steps[x] = (flags[x] & Blank) == 0 ? steps[x] : BlankStep;
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
      const std::size_t low = centresOf(this->Cells.smallest[x]), high = centresOf(this->Cells.largest[x]);
      if (low == high || this->Cells.largest[x] == BlankStep)
        continue;
      if (flags && (flags[this->VolumeGrid.axis[0].image[x]] & NotOwned) != 0)
        continue;
      ++this->Counts.cells[low];
      --this->Counts.cells[high];
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

// Calls work(threads). Reports its time and the threads.
template <class Work>
auto timed(Stage stage, const CountLimits& limits, Report& report, const Work& work)
{
  const unsigned threads = usableThreads(limits.threads);
  const HostClock clock;
  auto result = work(threads);
  report.stages.add(stage, clock.milliseconds());
  report.device = cpuName(threads);
  return result;
}

}

std::optional<SampleRange> findRangeOnCpu(const Volume& volume, const CountLimits& limits, Report& report)
{
  return timed(Stage::FindRange, limits, report,
    [&](unsigned threads)
    { return withType(volume.type, [&](auto zero) { return rangeOf<decltype(zero)>(volume, threads); }); });
}

ValueCounts countOnCpu(const Volume& volume, const Bins& bins, const CountLimits& limits, Report& report)
{
  return timed(Stage::CountValues, limits, report,
    [&](unsigned threads)
    {
      if (volume.sampleCount() == 0)
        return ValueCounts(bins);
      return withType(volume.type, [&](auto zero) { return countsOf<decltype(zero)>(volume, bins, threads); });
    });
}

}
