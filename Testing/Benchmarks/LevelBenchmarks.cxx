// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Times the isosurfaces of hierarchies of levels beside that of an image, in turns, without VTK, with normals.
//
// Rows, for a gyroid of at most 256^3 samples and hierarchies with about as many leaves:
//   HIERARCHY/1 thread, HIERARCHY/N threads, on the CPU; HIERARCHY/device, on a Vulkan device if there is one
// The time is that of another isovalue of the same samples. Counters: "image", the same for the image; the ratio of
// both times per triangle, and of the first surfaces of new samples per leaf; the bytes of memory per leaf.
#include "Cases.h"
#include "Compute/Engine.h"
#include "Compute/Session.h"
#include "Compute/System/Stage.h"
#include "Compute/Volume/LevelBricks.h"
#include "Compute/Volume/Levels.h"
#include "Program.h"
#include "Threads.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

namespace
{

using namespace vmc;
using namespace vmc::benchmarks;

constexpr double Isovalue = 0.2, Period = 1.0 / 4; // of the gyroid, in the domain, which is the unit cube

// Patches of float samples.
struct Hierarchy
{
  std::string name;
  Levels levels;
  std::vector<std::vector<float>> samples; // [patch]

  // Adds a box of cells of a level with this many cells along each axis.
  void add(std::size_t level, std::uint32_t cells, const std::array<std::uint32_t, 3>& low, std::uint32_t size)
  {
    LevelPatch& patch = this->levels.patches.emplace_back();
    patch.level = level;
    patch.low = { low[0], low[1], low[2] };
    patch.size = { size, size, size };
    const test::AnalyticVolume gyroid = test::gyroid(Period * cells);
    std::vector<float>& values = this->samples.emplace_back(std::size_t(size) * size * size);
    patch.samples = values.data();
    benchmarks::inParallel(size,
      [&](std::size_t z)
      {
        for (std::size_t y = 0; y < size; ++y)
          for (std::size_t x = 0; x < size; ++x)
            values[(z * size + y) * size + x] = static_cast<float>(
              gyroid.value({ double(low[0] + x) + 0.5, double(low[1] + y) + 0.5, double(low[2] + z) + 0.5 }));
      });
  }

  void setIdentities(std::uint64_t first)
  {
    for (LevelPatch& patch : this->levels.patches)
      patch.identity = first++;
  }
};

// Boxes of a level that divide the domain, where isIn(centre) tells.
void addBoxes(Hierarchy& hierarchy, std::size_t level, std::uint32_t cells, std::uint32_t size,
  const std::function<bool(const test::Point& center)>& isIn)
{
  for (std::uint32_t z = 0; z < cells; z += size)
    for (std::uint32_t y = 0; y < cells; y += size)
      for (std::uint32_t x = 0; x < cells; x += size)
        if (isIn({ (x + 0.5 * size) / cells, (y + 0.5 * size) / cells, (z + 0.5 * size) / cells }))
          hierarchy.add(level, cells, { x, y, z }, size);
}

double distanceFromMiddle(const test::Point& at)
{
  return std::sqrt(std::pow(at[0] - 0.5, 2) + std::pow(at[1] - 0.5, 2) + std::pow(at[2] - 0.5, 2));
}

// One level with the cells of the image, in 64 boxes.
Hierarchy oneLevel(std::uint32_t cells)
{
  Hierarchy hierarchy;
  hierarchy.name = "one level";
  hierarchy.levels.ratio = { { 1, 1, 1 } };
  addBoxes(hierarchy, 0, cells, cells / 4, [](const test::Point&) { return true; });
  return hierarchy;
}

// Three levels: that of the image, a coarser one and a finer one. isFine(centre, level): whether the level has a box.
Hierarchy threeLevels(const std::string& name, std::uint32_t cells, std::uint32_t boxes,
  const std::function<bool(const test::Point& center, std::size_t level)>& isFine)
{
  Hierarchy hierarchy;
  hierarchy.name = name;
  hierarchy.levels.ratio = { { 1, 1, 1 }, { 2, 2, 2 }, { 2, 2, 2 } };
  for (std::size_t level = 0; level < 3; ++level)
    addBoxes(hierarchy, level, cells / 2 << level, level == 0 ? cells / 8 : boxes,
      [&](const test::Point& center) { return level == 0 || isFine(center, level); });
  return hierarchy;
}

Hierarchy thickLevels(std::uint32_t cells)
{
  return threeLevels("thick levels", cells, cells / 16,
    [](const test::Point& center, std::size_t level)
    { return distanceFromMiddle(center) < (level == 1 ? 0.42 : 0.27); });
}

// Levels in layers of boxes around spheres. width: half the thickness of a layer in cells of the image, for each of the
// two finer levels.
Hierarchy shells(const std::string& name, std::uint32_t cells, std::uint32_t boxes, const std::vector<double>& radii,
  const std::array<double, 2>& width)
{
  return threeLevels(name, cells, boxes,
    [=](const test::Point& center, std::size_t level)
    {
      return std::any_of(radii.begin(), radii.end(),
        [&](double radius) { return std::abs(distanceFromMiddle(center) - radius) < width[level - 1] / cells; });
    });
}

// Two thirds of the bricks have coarser leaves in reach.
Hierarchy shell(std::uint32_t cells)
{
  return shells("shell", cells, 16, { 0.35 }, { 20, 8 });
}

// Layers of boxes as small as bricks: almost all bricks have coarser leaves in reach.
Hierarchy thinShells(std::uint32_t cells)
{
  return shells("thin shells", cells, 8, { 0.15, 0.3, 0.45 }, { 10, 2.8 });
}

struct Times
{
  double first = 0, again = 0; // milliseconds
  std::uint64_t triangles = 0;
  Report report; // of another isovalue
};

// The percentage of bricks that have coarser leaves in reach.
double stitchedPercent(const LevelBricks& bricks)
{
  std::ptrdiff_t stitched = 0;
  for (const LevelOfBricks& level : bricks.levels)
    stitched += std::count(level.kind.begin(), level.kind.end(), BrickKind::Stitched);
  return 100 * double(stitched) / double(bricks.brickCount());
}

// Counts the leaves, and returns the bytes that are held for each of them.
double bytesPerLeaf(const LevelBricks& bricks, std::uint64_t& leaves)
{
  double bytes = 0;
  leaves = 0;
  for (const LevelOfBricks& level : bricks.levels)
  {
    bytes += double(level.samples.size() + 2 * (level.range.smallest.size() + level.stitchedRange.smallest.size())) +
             double(level.brick.size() * (sizeof(BrickBits) * (bricks.isWellNested ? 1 : 3) +
                                           sizeof(BrickTable::Brick) + sizeof(BrickKind) + sizeof(std::size_t))) +
             double(level.patchOfBrick.size() * sizeof(std::uint32_t) + level.table.bytes());
    for (const BrickBits& bits : level.leaf)
      for (const std::uint64_t layer : bits)
        leaves += static_cast<std::uint64_t>(__builtin_popcountll(layer));
  }
  return bytes / double(leaves);
}

// The image and the hierarchies on one engine.
class Comparison
{
public:
  Comparison(std::shared_ptr<Engine> engine, unsigned threads, const Volume& image)
    : OwnEngine(std::move(engine))
    , OfImage(this->OwnEngine->makeSession())
    , OfLevels(this->OwnEngine->makeSession())
    , Image(image)
  {
    this->Input.threads = threads;
    this->Input.wideIds = false;
  }

  double run(benchmark::State& state, Hierarchy& hierarchy)
  {
    std::uint64_t leaves = 0;
    {
      const LevelBricks bricks = bricksOf(hierarchy.levels, processors());
      state.counters["bytes per leaf"] = bytesPerLeaf(bricks, leaves);
      state.counters["percent stitched"] = stitchedPercent(bricks);
    }
    const Times image = this->time(*this->OfImage,
      [&]
      {
        this->Image.identity = ++Identity;
        return std::vector<Volume>{ this->Image };
      });
    const Times levels = this->time(*this->OfLevels,
      [&]
      {
        hierarchy.setIdentities(Identity + 1);
        Identity += hierarchy.samples.size();
        return std::vector<Levels>{ hierarchy.levels };
      });
    if (hierarchy.levels.ratio.size() == 1)
      requireEqual("the surface of one level", { 0, levels.triangles }, { 0, image.triangles });
    state.counters["triangles"] = double(levels.triangles);
    state.counters["active bricks"] = double(levels.report.activeBricks);
    for (const Stage stage : { Stage::CountBricks, Stage::EmitSurface })
    {
      state.counters[std::string("ms ") + nameOf(stage)] = levels.report.milliseconds(stage);
      state.counters[std::string("ms ") + nameOf(stage) + " of image"] = image.report.milliseconds(stage);
    }
    state.counters["leaves"] = double(leaves);
    state.counters["first"] = levels.first;
    state.counters["image"] = image.again;
    state.counters["image first"] = image.first;
    state.counters["again / image per triangle"] =
      levels.again / double(levels.triangles) / (image.again / double(image.triangles));
    state.counters["first / image per leaf"] =
      levels.first / double(leaves) / (image.first / double(this->Image.sampleCount()));
    return levels.again;
  }

private:
  // input(): with new identities.
  template <class Input>
  Times time(Session& session, const Input& input)
  {
    Times times;
    const auto extract = [&](const auto& of, double isovalue)
    {
      this->Input.isovalues = { isovalue };
      Report report;
      const HostClock clock;
      const std::optional<Surface> surface = session.extract(of, this->Input, report);
      times.triangles = surface->meshes.front().triangleCount;
      times.report = report;
      return clock.milliseconds();
    };
    const auto of = input();
    times.first = extract(of, Isovalue);
    extract(of, Isovalue + 0.01);
    times.again = extract(of, Isovalue);
    return times;
  }

  static inline std::uint64_t Identity = 0;
  std::shared_ptr<Engine> OwnEngine;
  std::unique_ptr<Session> OfImage, OfLevels;
  Volume Image;
  Request Input;
};

void addRows(const Options& options)
{
  const std::uint32_t size =
    options.largestSize != 0 && options.largestSize < 256 ? options.largestSize / 64 * 64 : 256;
  const auto image = std::make_shared<Hierarchy>();
  image->add(0, size, { 0, 0, 0 }, size);
  Volume volume;
  volume.samples = image->samples.front().data();
  volume.size = { size, size, size };
  std::vector<std::pair<std::string, std::shared_ptr<Comparison>>> comparisons;
  const auto add = [&](const std::string& name, const std::string& engine, unsigned threads)
  { comparisons.emplace_back(name, std::make_shared<Comparison>(Engine::shared(engine), threads, volume)); };
  add("1 thread", "CPU", 1);
  if (processors() > 1)
    add(std::to_string(processors()) + " threads", "CPU", processors());
  if (const std::vector<std::string> devices = Engine::deviceNames(); devices.size() > 1)
    add("device", devices.front(), processors());
  for (const auto& make : { &oneLevel, &thickLevels, &shell, &thinShells })
  {
    const auto hierarchy = std::make_shared<Hierarchy>(make(size));
    for (const auto& [name, comparison] : comparisons)
      addRow(hierarchy->name + "/" + name, options.repetitions,
        [image, hierarchy, comparison = comparison](benchmark::State& state)
        { return comparison->run(state, *hierarchy); });
  }
}

}

int main(int argc, char** argv)
{
  return runProgram(argc, argv, *Engine::shared(Engine::deviceNames().front()), addRows);
}
