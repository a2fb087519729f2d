// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Cases.h"

#include "Threads.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <stdexcept>
#include <type_traits>

namespace vmc::benchmarks
{

namespace
{

constexpr const char* Bonsai = "bonsai_256x256x256_uint8.raw";

// Encoding of a gyroid, which is between -1.5 and 1.5, as integers: sample = middle + scale * gyroid.
struct Encoding
{
  double scale, middle;
};

Encoding encodingOf(SampleType type)
{
  switch (type)
  {
    case SampleType::UInt8:
      return { 80, 127.5 };
    case SampleType::UInt16:
      return { 20000, 32767.5 };
    default:
      return { 1, 0 };
  }
}

std::string typeName(SampleType type)
{
  return type == SampleType::UInt8 ? "uint8" : type == SampleType::UInt16 ? "uint16" : "float32";
}

// `level`: the isovalue, as a value of the gyroid.
Case gyroid(std::uint32_t size, double period, SampleType type = SampleType::Float32, double level = 0.001)
{
  // Counts of vtkFlyingEdges3D, by size and period.
  static const std::map<std::pair<std::uint32_t, double>, Counts> known = { { { 256, 128 }, { 633456, 1257848 } },
    { { 512, 512 }, { 1268976, 2528788 } }, { { 512, 128 }, { 5075136, 10114384 } },
    { { 1024, 1024 }, { 5078352, 10138324 } } };
  const Encoding encoding = encodingOf(type);
  Case made;
  made.name =
    "gyroid " + std::to_string(size) + " " + typeName(type) + " P=" + std::to_string(static_cast<int>(period));
  made.size = size;
  made.type = type;
  made.period = period;
  made.isovalue = encoding.middle + encoding.scale * level;
  const auto found = known.find({ size, period });
  if (level != 0.001)
    made.name += " at " + std::to_string(level).substr(0, 4);
  else if (found != known.end() && type == SampleType::Float32)
    made.expected = found->second;
  return made;
}

// About 10 % of the dual cells are active.
Case noisyGyroid(std::uint32_t size)
{
  Case made = gyroid(size, 256);
  made.name += " with noise";
  made.noise = 0.35;
  made.expected.reset();
  return made;
}

Case bonsai(double isovalue, const Counts& expected)
{
  Case made;
  made.name = "bonsai at " + std::to_string(static_cast<int>(isovalue));
  made.size = 256;
  made.type = SampleType::UInt8;
  made.file = Bonsai;
  made.isovalue = isovalue;
  made.expected = expected;
  return made;
}

Case bonsaiAt40()
{
  return bonsai(40, { 532104, 1054081 });
}

Case bonsaiAt80()
{
  return bonsai(80, { 215269, 429092 });
}

std::filesystem::path pathOf(const std::string& file)
{
  const char* folder = std::getenv("VMC_VOLUMES");
  return std::filesystem::path(folder ? folder : "") / file;
}

std::vector<Case> allCases(bool isSoftware)
{
  const std::uint32_t sweep = isSoftware ? 256 : 512;
  std::vector<Case> cases = { bonsaiAt40(), bonsaiAt80() };
  // With this period, the same share of the dual cells is active at every size. 128^3 samples contain too little of it.
  cases.push_back(gyroid(128, 256));
  for (const std::uint32_t size : { 256, 512, 768, 1024, 1536 })
  {
    cases.push_back(gyroid(size, 512));
    if (size == sweep)
    {
      cases.push_back(gyroid(size, 512, SampleType::Float32, 1.45)); // 0.1 % of the dual cells
      for (const SampleType type : { SampleType::UInt8, SampleType::UInt16 })
        cases.push_back(gyroid(size, 512, type));
      for (const double period : { 128, 48, 24 }) // 4, 10 and 20 %
        cases.push_back(gyroid(size, period));
    }
    else if (size == 512)
      cases.push_back(gyroid(size, 128));
    else if (size == 1024)
    {
      cases.push_back(gyroid(size, 1024));
      cases.push_back(gyroid(size, 512, SampleType::UInt8));
    }
  }
  return cases;
}

Selection available(const std::vector<Case>& cases, std::uint32_t largestSize)
{
  Selection selection;
  for (const Case& which : cases)
    if (which.size > largestSize)
      selection.leftOut.push_back(which.name + ": more than " + std::to_string(largestSize) + " samples per side");
    else if (!which.file.empty() && !std::filesystem::exists(pathOf(which.file)))
      selection.leftOut.push_back(which.name + ": " + which.file + " is not in the folder that VMC_VOLUMES names");
    else
      selection.cases.push_back(which);
  return selection;
}

// Returns a number in [-0.5, 0.5) that depends on the index alone (the mixer of splitmix64, by S. Vigna).
double randomNumber(std::uint64_t index)
{
  std::uint64_t z = (index + 1) * 0x9E3779B97F4A7C15u;
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
  z = (z ^ z >> 27) * 0x94D049BB133111EBu;
  return static_cast<double>((z ^ z >> 31) >> 11) * 0x1p-53 - 0.5;
}

template <class Value>
void fillGyroid(const Case& which, Value* samples)
{
  const Encoding encoding = encodingOf(which.type);
  const double k = 2 * std::acos(-1.0) / which.period;
  std::vector<double> sine(which.size), cosine(which.size);
  for (std::uint32_t i = 0; i < which.size; ++i)
  {
    sine[i] = std::sin(k * i);
    cosine[i] = std::cos(k * i);
  }
  const std::size_t n = which.size;
  inParallel(which.size,
    [&](std::size_t z)
    {
      for (std::size_t y = 0; y < n; ++y)
        for (std::size_t x = 0; x < n; ++x)
        {
          const double value = sine[x] * cosine[y] + sine[y] * cosine[z] + sine[z] * cosine[x];
          const double encoded =
            encoding.middle + encoding.scale * (value + which.noise * randomNumber((z * n + y) * n + x));
          samples[(z * n + y) * n + x] =
            static_cast<Value>(std::is_floating_point_v<Value> ? encoded : std::floor(encoded));
        }
    });
}

void readFile(const Case& which, test::Samples& samples)
{
  std::ifstream file(pathOf(which.file), std::ios::binary);
  file.read(reinterpret_cast<char*>(samples.bytes.data()), static_cast<std::streamsize>(samples.bytes.size()));
  if (!file)
    throw std::runtime_error(which.file + " cannot be read.");
}

}

std::string textOf(const Counts& counts)
{
  return std::to_string(counts.points) + " points and " + std::to_string(counts.triangles) + " triangles";
}

void requireEqual(const std::string& what, const Counts& found, const Counts& expected)
{
  if (!(found == expected))
    throw std::runtime_error(what + ": " + textOf(found) + "; expected " + textOf(expected) + ".");
}

Selection selectCases(bool isSoftware, std::uint32_t largestSize)
{
  return available(allCases(isSoftware), largestSize);
}

Selection selectDrawnCases(bool isSoftware, std::uint32_t largestSize)
{
  const std::uint32_t mostSamples = isSoftware ? 256 : 1536;
  return available({ bonsaiAt40(), bonsaiAt80(), gyroid(256, 128), gyroid(512, 512), gyroid(512, 128),
                     gyroid(1024, 512), gyroid(1536, 512) },
    std::min(largestSize, mostSamples));
}

Selection selectCpuCases(std::uint32_t largestSize)
{
  return available({ gyroid(32, 32), gyroid(64, 64), bonsaiAt40(), bonsaiAt80(), gyroid(256, 512), gyroid(256, 128),
                     noisyGyroid(256), gyroid(512, 512), gyroid(512, 128) },
    largestSize);
}

const test::Samples& samplesOf(const Case& which)
{
  static test::Samples samples;
  static std::string held;
  const std::string volume = which.file + " " + std::to_string(which.size) + " " + typeName(which.type) + " " +
                             std::to_string(which.period) + " " + std::to_string(which.noise);
  if (held == volume)
    return samples;
  held.clear();
  samples = test::Samples(); // frees the memory before the next samples are made
  samples.type = which.type;
  samples.size = { which.size, which.size, which.size };
  samples.bytes.resize(samples.count() * bytesOf(which.type));
  if (!which.file.empty())
    readFile(which, samples);
  else if (which.type == SampleType::UInt8)
    fillGyroid(which, reinterpret_cast<std::uint8_t*>(samples.bytes.data()));
  else if (which.type == SampleType::UInt16)
    fillGyroid(which, reinterpret_cast<std::uint16_t*>(samples.bytes.data()));
  else
    fillGyroid(which, reinterpret_cast<float*>(samples.bytes.data()));
  held = volume;
  return samples;
}

}
