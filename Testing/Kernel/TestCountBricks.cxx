// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Contour/Isovalue.h"
#include "Embedded/Kernels.h"
#include "Reference/CountBricks.h"

#include "KernelRunner.h"
#include "Reference/SlabReference.h"
#include "Shared/Bindings.h"
#include "SlabInputs.h"
#include "Support/GpuTest.h"

#include <cstring>
#include <limits>
#include <random>

namespace vmc::test
{

class CountBricks : public GpuTest
{
protected:
  static std::vector<std::uint32_t> canaryWords(std::size_t words)
  {
    return std::vector<std::uint32_t>(words, CanaryWord);
  }

  // Words of rows without the inside bits of samples beyond the volume, which are undefined.
  static std::vector<std::uint32_t> definedBits(
    const reference::SlabReference& slabReference, std::vector<std::uint32_t> rows)
  {
    const reference::SlabGrid grid = slabReference.grid();
    for (std::size_t i = 0; i < rows.size() && i / ROW_WORDS < slabReference.activeCount(); i += 2)
    {
      const auto row = static_cast<std::uint32_t>(i % ROW_WORDS / 2);
      const reference::Position start =
        reference::rowStart(grid.brickCorner(slabReference.activeBrick[i / ROW_WORDS]), row);
      for (std::uint32_t x = 0; x < BRICK_SIZE; ++x)
        if (!grid.contains({ start[0] + x, start[1], start[2] }))
          rows[i] &= ~(1u << (ROW_SHIFT_INSIDE + x));
    }
    return rows;
  }

  // Runs the kernel for these active bricks. Each array ends with a word that the kernel must not write.
  static void count(KernelRunner& runner, const SlabInput& input, const std::vector<std::uint32_t>& sampleWords,
    const reference::SlabReference& slabReference, std::size_t bricks)
  {
    const std::size_t active = slabReference.slab.activeCapacity;
    std::vector<std::uint32_t> total = slabReference.total;
    total[TOTAL_ACTIVE] = static_cast<std::uint32_t>(bricks);
    runner.write(BINDING_SAMPLES, sampleWords);
    runner.write(BINDING_GHOSTS, input.ghosts.words);
    runner.write(BINDING_ACTIVE_BRICK, slabReference.activeBrick);
    runner.write(BINDING_TOTALS, total);
    runner.write(BINDING_ROWS, canaryWords(active * ROW_WORDS + 1));
    runner.write(BINDING_VALID_CELLS, canaryWords(active * VALID_CELL_WORDS + 1));
    runner.write(BINDING_BRICK_OFFSET, canaryWords(2 * active + 1));
    runner.write(BINDING_BLOCK_SUM, std::vector<std::uint32_t>(slabReference.blockSum.size()));
    Specialization specialization = input.specialization();
    specialization[SPECIALIZE_BLANKING] = slabReference.blanking ? 1 : 0;
    runner.run(kernels::CountBricks, specialization, slabReference.slab, bricks);
  }

  void expectReference(Context& context, const SlabInput& input)
  {
    reference::SlabReference slabReference(input.slab, input.samples, input.ghosts);
    const std::size_t active = slabReference.activeCount();
    KernelRunner runner(context);
    count(runner, input, input.samples.words, slabReference, active);

    // Valid cells are written with blanking only.
    if (!slabReference.blanking)
      slabReference.validCells = canaryWords(active * VALID_CELL_WORDS);
    for (auto* words : { &slabReference.rows, &slabReference.validCells, &slabReference.brickCount })
      words->push_back(CanaryWord);
    const auto result = [&](std::uint32_t binding, std::size_t words)
    { return runner.read<std::uint32_t>(binding, words); };
    EXPECT_EQ(definedBits(slabReference, result(BINDING_ROWS, slabReference.rows.size())), slabReference.rows)
      << input.name;
    EXPECT_EQ(result(BINDING_VALID_CELLS, slabReference.validCells.size()), slabReference.validCells) << input.name;
    EXPECT_EQ(result(BINDING_BRICK_OFFSET, slabReference.brickCount.size()), slabReference.brickCount) << input.name;
    EXPECT_EQ(result(BINDING_BLOCK_SUM, slabReference.blockSum.size()), slabReference.blockSum) << input.name;
  }
};

TEST_F(CountBricks, AreThoseOfTheReference)
{
  for (const SlabInput& input : slabInputs())
    this->expectReference(this->context(), input);
}

// As where the rows of the halo layer are copied from the next slab.
TEST_F(CountBricks, NeedNoSamplesOfAHaloLayerThatIsLeftOut)
{
  std::size_t slabs = 0;
  for (const SlabInput& input : slabInputs())
  {
    const reference::SlabReference expected(input.slab, input.samples, input.ghosts);
    const std::size_t own = expected.emitCount(), active = expected.activeCount();
    if (own == 0 || own == active)
      continue;
    ++slabs;
    KernelRunner runner(this->context());
    count(runner, input, input.samplesOfOwnBricks().words, expected, own);
    const auto expectOwn = [&](std::uint32_t binding, const std::vector<std::uint32_t>& all, std::size_t perBrick)
    {
      const std::vector<std::uint32_t> words(all.begin(), all.begin() + std::ptrdiff_t(own * perBrick));
      std::vector<std::uint32_t> found = runner.read<std::uint32_t>(binding, words.size());
      EXPECT_EQ(binding == BINDING_ROWS ? definedBits(expected, found) : found, words)
        << input.name << ", binding " << binding;
    };
    expectOwn(BINDING_ROWS, expected.rows, ROW_WORDS);
    expectOwn(BINDING_BRICK_OFFSET, expected.brickCount, 1);
    if (expected.blanking)
      expectOwn(BINDING_VALID_CELLS, expected.validCells, VALID_CELL_WORDS);
  }
  EXPECT_GT(slabs, 10u);
}

TEST_F(CountBricks, WorkgroupsFoldedIntoTheSecondAxisCountTheSame)
{
  Context narrow(optionsWithWorkgroups(8));
  this->expectReference(narrow, makeSlabInput({ { 23, 19, 17 } })); // 27 bricks: 8 x 4 workgroups
}

// The volume has more active bricks than one block of the scan.
TEST_F(CountBricks, SumsThePointsAndTrianglesOfEachBlockOfBricks)
{
  const SlabInput input = makeSlabInput({ { 2, 3, 8 * 1100 }, SampleType::UInt8 });
  ASSERT_GT(reference::SlabReference(input.slab, input.samples).activeCount(), std::uint32_t(SCAN_BLOCK_SIZE));
  this->expectReference(this->context(), input);
}

TEST_F(CountBricks, WithoutCapacityForTheBricksWritesNothing)
{
  const SlabInput input = makeSlabInput({ { 23, 19, 17 } });
  reference::SlabReference slabReference(input.slab, input.samples, input.ghosts);
  const std::uint32_t active = slabReference.activeCount();
  slabReference.slab.activeCapacity = active - 1;
  KernelRunner runner(this->context());
  runner.write(BINDING_SAMPLES, input.samples.words);
  runner.write(BINDING_ACTIVE_BRICK, slabReference.activeBrick);
  runner.write(BINDING_TOTALS, slabReference.total);
  const std::vector<std::pair<std::uint32_t, std::size_t>> outputs = { { BINDING_ROWS, active * ROW_WORDS },
    { BINDING_BRICK_OFFSET, 2 * active }, { BINDING_BLOCK_SUM, slabReference.blockSum.size() } };
  for (const auto& [binding, words] : outputs)
    runner.write(binding, canaryWords(words));
  runner.run(kernels::CountBricks, input.specialization(), slabReference.slab, active);
  for (const auto& [binding, words] : outputs)
    EXPECT_EQ(runner.read<std::uint32_t>(binding, words), canaryWords(words)) << "binding " << binding;
}

// Floats are compared by their bits: on both sides of 0, and with zeros, infinities, NaN and denormals of both signs.
TEST_F(CountBricks, ComparesFloatsOfEverySignAndSize)
{
  constexpr float Largest = std::numeric_limits<float>::max(), Smallest = std::numeric_limits<float>::denorm_min();
  constexpr float Infinity = std::numeric_limits<float>::infinity(), NaN = std::numeric_limits<float>::quiet_NaN();
  std::vector<float> values;
  for (const float size : { 0.0f, Smallest, 1e-44f, 1e-38f, 0.5f, 1.0f, Largest, Infinity })
    for (int i = 0; i < 8; ++i) // more often than NaN, which makes cells invalid
      values.insert(values.end(), { size, -size });
  values.insert(values.end(), { NaN, -NaN });
  std::mt19937 engine(7);
  std::uniform_int_distribution<std::size_t> number(0, values.size() - 1);
  for (const double isovalue :
    { 0.0, -0.0, 0.5, -0.5, 1e-44, -1e-44, 1e-300, -1e-300, double(Largest), -double(Largest), double(Infinity) })
  {
    SlabInput input = makeSlabInput({ { 23, 9, 11 }, SampleType::Float32, 3 });
    const std::optional<Threshold> threshold = thresholdOf(isovalue, SampleType::Float32);
    ASSERT_TRUE(threshold);
    input.slab.thresholdKey = threshold->key;
    input.slab.selectUpTo = threshold->key - 1;
    for (std::uint32_t& word : input.samples.words)
      std::memcpy(&word, &values[number(engine)], sizeof(word));
    SCOPED_TRACE(testing::Message() << "isovalue " << isovalue);
    EXPECT_NE(reference::SlabReference(input.slab, input.samples).activeCount(), 0u) << input.name;
    this->expectReference(this->context(), input);
  }
}

// In a checkerboard of samples every edge is crossed: the largest number of points per brick.
TEST_F(CountBricks, HoldsTheLargestCounts)
{
  SlabInput input = makeSlabInput({ { 9, 9, 9 }, SampleType::UInt8 });
  auto* bytes = reinterpret_cast<std::uint8_t*>(input.samples.words.data());
  for (std::uint32_t i = 0; i < 729; ++i)
    bytes[i] = (i % 9 + i / 9 % 9 + i / 81) % 2 == 0 ? 255 : 0;
  EXPECT_EQ(reference::SlabReference(input.slab, input.samples).brickCount[0], std::uint32_t(BRICK_MAX_POINTS));
  this->expectReference(this->context(), input);
}

}
