// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Session.h"

#include "Compute/Cpu/CountOnCpu.h"
#include "Compute/System/Error.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace vmc
{

namespace
{

template <class Number>
void add(const std::array<Number, 3>& inBin, double volume, const BinAtIsovalue& bin, DomainShare& share)
{
  share.domain += static_cast<double>(inBin[0] + inBin[1] + inBin[2]) * volume;
  share.above.back() += static_cast<double>(bin.above(inBin)) * volume;
}

// Adds the samples that are counted with the bin. sampleVolume: of each sample, unless the counts have volumes.
void add(const ValueCounts& counts, double sampleVolume, const BinAtIsovalue& bin, DomainShare& share)
{
  if (const std::vector<double>& volumes = counts.volumes; !volumes.empty())
    add(std::array{ volumes[0], volumes[1], volumes[2] }, 1, bin, share);
  else
    add(std::array{ counts.samples[0], counts.above, counts.below }, sampleVolume, bin, share);
}

// countOf(bins, report): counts the samples of all inputs. addTo(counts, i, bin, share): adds those of input i.
template <class CountOf, class AddTo>
std::vector<DomainShare> sharesOf(
  std::size_t inputs, const std::vector<double>& isovalues, Report& report, const CountOf& countOf, const AddTo& addTo)
{
  return withHostMemory("the shares of domains",
    [&]
    {
      std::vector<DomainShare> shares(inputs);
      for (const double isovalue : isovalues)
      {
        const BinAtIsovalue bin(isovalue);
        Report own;
        const auto counts = countOf(bin.bins(), own);
        report.stages.add(own.stages);
        report.deviceBytes = std::max(report.deviceBytes, own.deviceBytes);
        for (std::size_t i = 0; i < inputs; ++i)
        {
          shares[i].domain = 0;
          shares[i].above.push_back(0);
          addTo(counts[i], i, bin, shares[i]);
        }
      }
      return shares;
    });
}

}

// Samples with coordinates need no counts.
std::vector<DomainShare> Session::findShares(
  const std::vector<Volume>& volumes, const std::vector<double>& isovalues, const CountLimits& limits, Report& report)
{
  const bool haveCoordinates =
    std::all_of(volumes.begin(), volumes.end(), [](const Volume& volume) { return volume.geometry.hasCoordinates(); });
  return sharesOf(
    volumes.size(), isovalues, report,
    [&](const Bins& bins, Report& own)
    {
      if (!haveCoordinates)
        return *this->count(volumes, bins, limits, own);
      std::vector<ValueCounts> counts(volumes.size(), ValueCounts(bins));
      for (std::size_t i = 0; i < volumes.size(); ++i)
        counts[i].volumes = sumVolumesOnCpu(volumes[i], bins, limits, own);
      return counts;
    },
    [&](const ValueCounts& counts, std::size_t i, const BinAtIsovalue& bin, DomainShare& share)
    { add(counts, std::abs(volumes[i].geometry.determinant()), bin, share); });
}

std::vector<DomainShare> Session::findShares(const std::vector<Levels>& hierarchies,
  const std::vector<double>& isovalues, const CountLimits& limits, Report& report)
{
  return sharesOf(
    hierarchies.size(), isovalues, report,
    [&](const Bins& bins, Report& own) { return *this->count(hierarchies, bins, limits, own); },
    [&](const LevelCounts& counts, std::size_t i, const BinAtIsovalue& bin, DomainShare& share)
    {
      for (std::size_t level = 0; level < counts.size(); ++level)
        add(counts[level], hierarchies[i].cellVolume(level), bin, share);
    });
}

}
