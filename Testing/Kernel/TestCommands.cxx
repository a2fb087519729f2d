#include "Compute/Vulkan/Commands.h"

#include "Compute/System/Error.h"
#include "Embedded/Kernels.h"
#include "KernelRunner.h"
#include "Shared/Bindings.h"
#include "Shared/Constants.h"
#include "Shared/Structs.h"
#include "Support/GpuTest.h"

#include <functional>
#include <numeric>

namespace vmc::test
{

class CommandsTest : public GpuTest
{
protected:
  Buffer makeBuffer(std::uint64_t words) const
  {
    return { *this->device(), this->Budget, 4 * words, Buffer::Memory::Upload, "test" };
  }

  static const std::uint32_t* wordsOf(const Buffer& buffer)
  {
    return reinterpret_cast<const std::uint32_t*>(buffer.mapped());
  }

  static void expectError(Error::Kind kind, const std::string& message, const std::function<void()>& action)
  {
    try
    {
      action();
      ADD_FAILURE() << "not refused: " << message;
    }
    catch (const Error& error)
    {
      EXPECT_EQ(error.kind(), kind);
      EXPECT_EQ(error.what(), message);
    }
  }

  MemoryBudget mutable Budget;
  std::vector<StageTime> Untold;
};

TEST_F(CommandsTest, FillUpdateAndCopyFollowEachOther)
{
  const Buffer first = this->makeBuffer(8), second = this->makeBuffer(8);
  const std::array<std::uint32_t, 3> words = { 1, 2, 3 };
  Commands commands(*this->device());
  commands.begin();
  commands.fill(first, 7);
  commands.update(first, words.data(), sizeof(words));
  commands.fill(second, 9);
  commands.copy(Region(first, 4, 12), second, 8);
  commands.submitAndWait(this->Untold);
  const std::vector<std::uint32_t> result(wordsOf(second), wordsOf(second) + 8);
  EXPECT_EQ(result, (std::vector<std::uint32_t>{ 9, 9, 2, 3, 7, 9, 9, 9 }));
}

TEST_F(CommandsTest, StagesAreTimedUnderTheirNames)
{
  if (this->device()->timestampMilliseconds() == 0)
    GTEST_SKIP() << "The queue has no timestamps.";
  const Buffer buffer = this->makeBuffer(1 << 20);
  Commands commands(*this->device());
  std::vector<StageTime> times;
  for (int round = 0; round < 2; ++round)
  {
    commands.begin();
    commands.stage("First");
    commands.fill(buffer, 1);
    commands.stage("Second");
    commands.fill(buffer, 2);
    commands.submitAndWait(times);
  }
  ASSERT_EQ(times.size(), 2u); // the second round adds to the first
  EXPECT_EQ(times[0].name, "First");
  EXPECT_EQ(times[1].name, "Second");
  for (const StageTime& time : times)
  {
    EXPECT_GT(time.milliseconds, 0);
    EXPECT_LT(time.milliseconds, 60000); // a minute: a tick taken for something else would be far off
  }
}

TEST_F(CommandsTest, DispatchOfNothingRecordsNothing)
{
  Commands commands(*this->device());
  commands.begin();
  commands.dispatch(this->device()->kernels().get(kernels::ScanBricks), {}, SlabConstants{}, 0);
  EXPECT_NO_THROW(commands.submitAndWait(this->Untold));
}

TEST_F(CommandsTest, RefusalsNameTheKernelAndTheNumbers)
{
  const Device narrow({}, { 1024, 1, 4 });
  const Kernel& kernel = narrow.kernels().get(kernels::ScanBricks);
  MemoryBudget budget;
  const Buffer small(narrow, budget, 1024, Buffer::Memory::Device, "small");
  const Buffer large(narrow, budget, 1028, Buffer::Memory::Device, "large");
  const Bindings whole = { { BINDING_TOTALS, small }, { BINDING_BLOCK_SUM, small }, { BINDING_BRICK_OFFSET, small } };
  Commands commands(narrow);
  commands.begin();
  expectError(Error::Kind::Unsupported, "ScanBricks needs 17 groups; this device allows 4 along an axis.",
    [&] { commands.dispatch(kernel, whole, SlabConstants{}, 17); });
  expectError(Error::Kind::Unsupported, "ScanBricks needs 5 groups; this device allows 4 along an axis.",
    [&] { commands.dispatch(kernel, whole, SlabConstants{}, 5, 2); });
  expectError(Error::Kind::Internal, "ScanBricks lacks a buffer at binding 10.",
    [&] {
      commands.dispatch(kernel, { { BINDING_TOTALS, small }, { BINDING_BLOCK_SUM, small } }, SlabConstants{}, 1);
    });
  expectError(Error::Kind::OutOfMemory, "ScanBricks needs 1028 bytes at binding 3; this device allows 1024.",
    [&]
    {
      commands.dispatch(kernel,
        { { BINDING_TOTALS, small }, { BINDING_BLOCK_SUM, large }, { BINDING_BRICK_OFFSET, small } }, SlabConstants{},
        1);
    });
  commands.submitAndWait(this->Untold);
}

TEST_F(CommandsTest, DescriptorSetsAreKeptForTheSameRegionsOfTheSameBuffers)
{
  const Kernel& select = this->device()->kernels().get(kernels::SelectBricks);
  Buffer ranges = this->makeBuffer(64);
  const Buffer sums = this->makeBuffer(64);
  DescriptorSets sets(*this->device());
  const Bindings whole = { { BINDING_BRICK_RANGE, ranges }, { BINDING_BLOCK_SUM, sums } };
  const vk::DescriptorSet first = sets.get(select, whole);
  EXPECT_EQ(sets.get(select, whole), first);
  const Bindings part = { { BINDING_BRICK_RANGE, Region(ranges, 0, 128) }, { BINDING_BLOCK_SUM, sums } };
  EXPECT_NE(sets.get(select, part), first);
  EXPECT_EQ(sets.get(select, whole), first);
  ranges = Buffer();
  ranges = this->makeBuffer(64); // of the same size, and maybe under the same handle
  EXPECT_NE(sets.get(select, whole), first);
}

TEST_F(CommandsTest, DescriptorSetsAreForgottenOnceTheyAreMany)
{
  const Kernel& select = this->device()->kernels().get(kernels::SelectBricks);
  const Buffer ranges = this->makeBuffer(64), sums = this->makeBuffer(1 << 16);
  DescriptorSets sets(*this->device());
  const auto regionSet = [&](std::uint64_t number)
  {
    return sets.get(
      select, { { BINDING_BRICK_RANGE, ranges }, { BINDING_BLOCK_SUM, Region(sums, 256 * number, 256) } });
  };
  std::vector<vk::DescriptorSet> made;
  for (std::uint64_t number = 0; number < 1000; ++number)
    made.push_back(regionSet(number));
  for (std::uint64_t number = 0; number < 1000; ++number)
    EXPECT_EQ(regionSet(number), made[number]);
  EXPECT_EQ(sets.count(), 1000u);
  sets.trim();
  EXPECT_EQ(sets.count(), 0u);
  regionSet(0);
  sets.trim(); // few: kept
  EXPECT_EQ(sets.count(), 1u);
}

// An extraction stops in the middle of a recording when an output does not fit.
TEST_F(CommandsTest, RecordingCanBeGivenUpAndBegunAfresh)
{
  const Buffer buffer = this->makeBuffer(4);
  Commands commands(*this->device());
  commands.begin();
  commands.stage("Given up");
  commands.fill(buffer, 1);
  commands.begin();
  commands.stage("Second");
  commands.fill(buffer, 2);
  commands.submitAndWait(this->Untold);
  EXPECT_EQ(wordsOf(buffer)[0], 2u);
  EXPECT_EQ(this->Untold.size(), this->device()->timestampMilliseconds() > 0 ? 1u : 0u);
}

TEST_F(CommandsTest, RecordingCanBeGivenUpWhileItsBuffersAreDestroyed)
{
  Commands commands(*this->device());
  {
    const Buffer buffer = this->makeBuffer(4);
    commands.begin();
    commands.fill(buffer, 1);
  }
  const Buffer other = this->makeBuffer(4);
  commands.begin();
  commands.fill(other, 2);
  commands.submitAndWait(this->Untold);
  EXPECT_EQ(wordsOf(other)[0], 2u);
}

}
