// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The volumes and isovalues of the benchmark programs.
#ifndef vmcBenchmarkCases_h
#define vmcBenchmarkCases_h

#include "Compute/Volume/Volume.h"
#include "Support/AnalyticVolumes.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace vmc::benchmarks
{

// The size of a surface.
struct Counts
{
  std::uint64_t points = 0;
  std::uint64_t triangles = 0;
  bool operator==(const Counts& other) const
  {
    return this->points == other.points && this->triangles == other.triangles;
  }
};
std::string textOf(const Counts& counts);

// Throws std::runtime_error if the counts differ, which ends the program: wrong surfaces are not timed.
void requireEqual(const std::string& what, const Counts& found, const Counts& expected);

struct Case
{
  std::string name;       // of its rows
  std::uint32_t size = 0; // samples along each axis
  SampleType type = SampleType::Float32;
  double period = 0; // of the gyroid in samples; 0: samples from the file
  double noise = 0;  // range of the random numbers that are added to the samples
  std::string file;  // in the folder that the environment variable VMC_VOLUMES names
  double isovalue = 0;
  std::optional<Counts> expected; // if another program has counted the surface

  std::uint64_t sampleCount() const { return std::uint64_t(this->size) * this->size * this->size; }
};

struct Selection
{
  std::vector<Case> cases;
  std::vector<std::string> leftOut; // each a case and the reason
};

// Cases of the same volume are adjacent. `isSoftware`: the device is a CPU; sweeps, except the sweep of sizes, then
// have 256^3 samples instead of 512^3. `largestSize`: volumes with more samples along an axis are left out.
Selection selectCases(bool isSoftware, std::uint32_t largestSize);

// The cases that are drawn. Frames of more than 256^3 samples take seconds without a GPU: they are left out.
Selection selectDrawnCases(bool isSoftware, std::uint32_t largestSize);

// The cases for threads of the CPU: small ones too, and noise. The sweep has this size.
Selection selectCpuCases(std::uint32_t largestSize);

// The samples of a case. The last samples are kept, and reused for another isovalue of the same volume.
const test::Samples& samplesOf(const Case& which);

}

#endif
