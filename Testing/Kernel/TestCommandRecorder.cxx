// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Vulkan/CommandRecorder.h"

#include "Compute/System/Error.h"
#include "Embedded/Kernels.h"
#include "KernelRunner.h"
#include "Shared/Bindings.h"
#include "Shared/Constants.h"
#include "Shared/Structs.h"
#include "Support/ExpectError.h"
#include "Support/GpuTest.h"

#include <cstring>
#include <functional>
#include <numeric>

namespace vmc::test
{

class CommandRecorderTest : public GpuTest
{
protected:
  Buffer makeBuffer(std::uint64_t words) const
  {
    return { this->context().device(), 4 * words, Buffer::Memory::Upload, "test" };
  }

  static const std::uint32_t* wordsOf(const Buffer& buffer)
  {
    return reinterpret_cast<const std::uint32_t*>(buffer.mapped());
  }

  static void expectError(Error::Kind kind, const std::string& message, const std::function<void()>& action)
  {
    EXPECT_EQ(test::expectError(kind, action), message);
  }

  StageTimes Times;
};

TEST_F(CommandRecorderTest, FillUpdateAndCopyRunInOrder)
{
  const Buffer first = this->makeBuffer(8), second = this->makeBuffer(8);
  const std::array<std::uint32_t, 3> words = { 1, 2, 3 };
  CommandRecorder commands(this->device());
  commands.begin();
  commands.fill(first, 7);
  commands.update(first, words.data(), sizeof(words));
  commands.fill(second, 9);
  commands.copy(Region(first, 4, 12), second, 8);
  commands.submitAndWait(this->Times);
  const std::vector<std::uint32_t> result(wordsOf(second), wordsOf(second) + 8);
  EXPECT_EQ(result, (std::vector<std::uint32_t>{ 9, 9, 2, 3, 7, 9, 9, 9 }));
}

TEST_F(CommandRecorderTest, CopiesHaveAnyOffsetAndSize)
{
  constexpr std::uint32_t Words = 1 << 19;
  const Buffer from = this->makeBuffer(Words), to = this->makeBuffer(Words);
  std::vector<std::uint32_t> values(Words);
  std::iota(values.begin(), values.end(), 1);
  std::memcpy(from.mapped(), values.data(), 4 * values.size());
  CommandRecorder commands(this->device());
  struct Part
  {
    std::uint32_t from, to, count;
  };
  // Beginnings at and between multiples of 256 bytes, ends at and between multiples of 8; large and small ones.
  for (const Part& copy : std::vector<Part>{ { 0, 0, 300'001 }, { 0, 0, 300'004 }, { 5, 5, 300'002 },
         { 69, 5, 300'003 }, { 1, 6, 300'001 }, { 3, 3, 61 }, { 3, 3, 60 }, { 0, 7, 1 }, { 0, 0, Words } })
  {
    commands.begin();
    commands.fill(to, 0);
    commands.copy(Region(from, 4 * copy.from, 4 * copy.count), to, 4 * copy.to);
    commands.submitAndWait(this->Times);
    std::vector<std::uint32_t> expected(Words);
    std::iota(expected.begin() + copy.to, expected.begin() + copy.to + copy.count, 1 + copy.from);
    EXPECT_EQ(std::memcmp(to.mapped(), expected.data(), 4 * expected.size()), 0) << copy.from << " " << copy.count;
  }
}

TEST_F(CommandRecorderTest, ADispatchWaitsForItsSize)
{
  const std::array<std::uint32_t, 3> size = { 1, 1, 1 }, triangle = { 2, 0, 1 }, values = { 10, 20, 30 };
  const Buffer groups = this->makeBuffer(3), ids = this->makeBuffer(3), from = this->makeBuffer(3),
               to = this->makeBuffer(3);
  CommandRecorder commands(this->device());
  const std::uint64_t before = this->device().work().sizeBarriers;
  commands.begin();
  commands.fill(groups, 0);
  commands.fill(to, 0);
  commands.update(ids, triangle.data(), sizeof(triangle));
  commands.update(from, values.data(), sizeof(values));
  commands.update(groups, size.data(), sizeof(size));
  const Kernel& kernel = this->context().kernels().get(kernels::RepeatCorners);
  const Bindings reads = { { BINDING_TRIANGLE, ids }, { BINDING_SHARED_VALUES, from } };
  commands.dispatchIndirect(kernel, reads, { { BINDING_CORNER_VALUES, to } }, ValueConstants{ 0, 3, 1, 0 }, groups);
  commands.submitAndWait(this->Times);
  EXPECT_EQ(std::vector<std::uint32_t>(wordsOf(to), wordsOf(to) + 3), (std::vector<std::uint32_t>{ 30, 10, 20 }));
  EXPECT_EQ(this->device().work().sizeBarriers, before + 3); // those of the updates
}

TEST_F(CommandRecorderTest, TimedStagesHaveTheirTimes)
{
  if (this->device().timestampMilliseconds() == 0)
    GTEST_SKIP() << "The queue has no timestamps.";
  const Buffer buffer = this->makeBuffer(1 << 20);
  CommandRecorder commands(this->device());
  double before = 0;
  for (int round = 0; round < 2; ++round)
  {
    commands.begin();
    commands.stage(Stage::SelectBricks);
    commands.fill(buffer, 1);
    commands.stage(Stage::SelectBricks); // the same timed stage again
    commands.fill(buffer, 1);
    commands.stage(Stage::CountBricks);
    commands.fill(buffer, 2);
    commands.submitAndWait(this->Times);
    for (const Stage stage : { Stage::SelectBricks, Stage::CountBricks })
    {
      ASSERT_TRUE(this->Times[stage]);
      EXPECT_GT(*this->Times[stage], 0);
      EXPECT_LT(*this->Times[stage], 60000); // one minute; a wrong unit of ticks would give far more
    }
    EXPECT_GT(*this->Times[Stage::SelectBricks], before); // the second round adds to the first
    before = *this->Times[Stage::SelectBricks];
    EXPECT_FALSE(this->Times[Stage::ScanBricks]);
  }
}

TEST_F(CommandRecorderTest, ADispatchOfNoWorkgroupsRecordsNothing)
{
  CommandRecorder commands(this->device());
  commands.begin();
  commands.dispatch(this->context().kernels().get(kernels::ScanBricks), {}, {}, SlabConstants{}, 0);
  EXPECT_NO_THROW(commands.submitAndWait(this->Times));
}

TEST_F(CommandRecorderTest, RefusalsNameTheKernelAndTheNumbers)
{
  Context narrow(optionsWith({ 1024, 1, 4 }));
  const Kernel& kernel = narrow.kernels().get(kernels::ScanBricks);
  const Buffer small(narrow.device(), 1024, Buffer::Memory::Device, "small");
  const Buffer large(narrow.device(), 1028, Buffer::Memory::Device, "large");
  const Operand totals{ BINDING_TOTALS, small }, sums{ BINDING_BLOCK_SUM, small },
    offsets{ BINDING_BRICK_OFFSET, small };
  const Operand largeSums{ BINDING_BLOCK_SUM, large };
  const Bindings reads = { totals, sums, offsets }, writes = { totals, offsets };
  CommandRecorder commands(narrow.device());
  commands.begin();
  expectError(Error::Kind::Unsupported, "ScanBricks needs 17 workgroups; this device allows 4 along an axis.",
    [&] { commands.dispatch(kernel, reads, writes, SlabConstants{}, 17); });
  expectError(Error::Kind::Unsupported, "ScanBricks needs 5 workgroups; this device allows 4 along an axis.",
    [&] { commands.dispatch(kernel, reads, writes, SlabConstants{}, 5, 2); });
  expectError(Error::Kind::Internal, "ScanBricks has no buffer to read at binding 10.",
    [&] {
      commands.dispatch(kernel, { totals, sums }, writes, SlabConstants{}, 1);
    });
  expectError(Error::Kind::Internal, "ScanBricks has no buffer to write at binding 2.",
    [&] { commands.dispatch(kernel, reads, { offsets }, SlabConstants{}, 1); });
  expectError(Error::Kind::Internal, "ScanBricks does not write binding 3.",
    [&] {
      commands.dispatch(kernel, reads, { totals, sums, offsets }, SlabConstants{}, 1);
    });
  expectError(Error::Kind::OutOfMemory, "ScanBricks needs 1028 bytes at binding 3; this device allows 1024.",
    [&] {
      commands.dispatch(kernel, { totals, largeSums, offsets }, writes, SlabConstants{}, 1);
    });
  commands.submitAndWait(this->Times);
}

TEST_F(CommandRecorderTest, DescriptorSetsAreKeptForTheSameRegionsOfTheSameBuffers)
{
  const Kernel& select = this->context().kernels().get(kernels::SelectBricks);
  Buffer ranges = this->makeBuffer(64);
  const Buffer sums = this->makeBuffer(64);
  DescriptorSetCache sets(this->device());
  const Bindings whole = { { BINDING_BRICK_RANGE, ranges }, { BINDING_BLOCK_SUM, sums } };
  const vk::DescriptorSet first = sets.get(select, whole);
  EXPECT_EQ(sets.get(select, whole), first);
  const Bindings part = { { BINDING_BRICK_RANGE, Region(ranges, 0, 128) }, { BINDING_BLOCK_SUM, sums } };
  EXPECT_NE(sets.get(select, part), first);
  EXPECT_EQ(sets.get(select, whole), first);
  ranges = Buffer();
  ranges = this->makeBuffer(64); // of the same size; the driver may use the same handle again
  EXPECT_NE(sets.get(select, whole), first);
}

TEST_F(CommandRecorderTest, TrimFreesDescriptorSetsOnceThereAreMany)
{
  const Kernel& select = this->context().kernels().get(kernels::SelectBricks);
  const Buffer ranges = this->makeBuffer(64), sums = this->makeBuffer(1 << 16);
  DescriptorSetCache sets(this->device());
  const auto regionSet = [&](std::uint64_t number)
  {
    return sets.get(
      select, { { BINDING_BRICK_RANGE, ranges }, { BINDING_BLOCK_SUM, Region(sums, 256 * number, 256) } });
  };
  std::vector<vk::DescriptorSet> firstSets;
  for (std::uint64_t number = 0; number < 1000; ++number)
    firstSets.push_back(regionSet(number));
  for (std::uint64_t number = 0; number < 1000; ++number)
    EXPECT_EQ(regionSet(number), firstSets[number]);
  EXPECT_EQ(sets.count(), 1000u);
  sets.trim();
  EXPECT_EQ(sets.count(), 0u);
  regionSet(0);
  sets.trim(); // a small number of sets is kept
  EXPECT_EQ(sets.count(), 1u);
}

// An extraction abandons a recording if an output does not fit.
TEST_F(CommandRecorderTest, ARecordingCanBeAbandonedAndBegunAgain)
{
  const Buffer buffer = this->makeBuffer(4);
  CommandRecorder commands(this->device());
  commands.begin();
  commands.stage(Stage::CountBricks);
  commands.fill(buffer, 1);
  commands.begin();
  commands.stage(Stage::ScanBricks);
  commands.fill(buffer, 2);
  commands.submitAndWait(this->Times);
  EXPECT_EQ(wordsOf(buffer)[0], 2u);
  EXPECT_FALSE(this->Times[Stage::CountBricks]);
  EXPECT_EQ(this->Times[Stage::ScanBricks].has_value(), this->device().timestampMilliseconds() > 0);
}

TEST_F(CommandRecorderTest, ARecordingCanBeAbandonedAfterItsBuffersAreDestroyed)
{
  CommandRecorder commands(this->device());
  {
    const Buffer buffer = this->makeBuffer(4);
    commands.begin();
    commands.fill(buffer, 1);
  }
  const Buffer other = this->makeBuffer(4);
  commands.begin();
  commands.fill(other, 2);
  commands.submitAndWait(this->Times);
  EXPECT_EQ(wordsOf(other)[0], 2u);
}

}
