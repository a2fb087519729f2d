// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Uploads through a ring of small slots, each of which is used many times.
#include "Compute/Memory/UploadRing.h"
#include "Compute/System/Error.h"
#include "Compute/Volume/VolumeArrays.h"
#include "Compute/Vulkan/CommandRecorder.h"
#include "Support/GpuTest.h"

#include <cstring>
#include <numeric>
#include <thread>
#include <vector>

namespace vmc::test
{

class UploadRings : public GpuTest
{
protected:
  static std::vector<std::uint32_t> countUp(std::size_t words, std::uint32_t first = 0)
  {
    std::vector<std::uint32_t> values(words);
    std::iota(values.begin(), values.end(), first);
    return values;
  }

  void upload(UploadRing& ring, const std::vector<std::uint32_t>& values, const Buffer& to) const
  {
    ring.copy(reinterpret_cast<const std::byte*>(values.data()), values.size() * 4, to);
  }

  // The words of the buffer, copied by later commands.
  std::vector<std::uint32_t> readBack(const Buffer& buffer) const
  {
    const Buffer landing(this->context().device(), buffer.size(), Buffer::Memory::Readback, "landing");
    CommandRecorder commands(this->device());
    StageTimes times;
    commands.begin();
    commands.copy(buffer, landing);
    commands.submitAndWait(times);
    std::vector<std::uint32_t> words(buffer.size() / 4);
    std::memcpy(words.data(), landing.mapped(), buffer.size());
    return words;
  }

  Buffer makeBuffer(std::size_t words)
  {
    return { this->context().device(), 4 * words, Buffer::Memory::Device, "array" };
  }

  // The kind of error of an upload whose submission number `after` fails.
  Error::Kind failWith(UploadRing& ring, vk::Result result, std::size_t after)
  {
    const std::vector<std::uint32_t> values = countUp(100000);
    const Buffer buffer = this->makeBuffer(values.size());
    submissionFailure().failNext(result, after);
    try
    {
      this->upload(ring, values, buffer);
    }
    catch (const Error& error)
    {
      return error.kind();
    }
    ADD_FAILURE() << "no error was thrown";
    return Error::Kind::Unsupported;
  }
};

TEST_F(UploadRings, ArraysOfAnyLengthAreUploadedWithAnyNumberOfSlotsAndThreads)
{
  for (const std::size_t slots : { 1u, 2u, 3u, 8u, 32u })
    for (const unsigned threads : { 1u, 2u, 5u, 16u })
    {
      SCOPED_TRACE(std::to_string(slots) + " slots, " + std::to_string(threads) + " threads");
      UploadRing ring(this->context().device(), { 4096, slots, threads });
      for (const std::size_t words : { 1u, 1023u, 1024u, 1025u, 8192u, 50001u })
      {
        const std::vector<std::uint32_t> values = countUp(words, 7);
        const Buffer buffer = this->makeBuffer(words);
        this->upload(ring, values, buffer);
        EXPECT_EQ(this->readBack(buffer), values);
      }
    }
}

TEST_F(UploadRings, NothingBeyondTheArrayIsWritten)
{
  UploadRing ring(this->context().device(), { 4096, 3, 2 });
  const Buffer buffer = this->makeBuffer(3000);
  this->upload(ring, std::vector<std::uint32_t>(3000, 9), buffer);
  this->upload(ring, countUp(2500), buffer);
  std::vector<std::uint32_t> expected = countUp(2500);
  expected.resize(3000, 9);
  EXPECT_EQ(this->readBack(buffer), expected);
}

TEST_F(UploadRings, SeveralThreadsUploadAtOnce)
{
  UploadRing ring(this->context().device(), { 4096, 4, 3 });
  std::vector<Buffer> buffers;
  for (std::size_t i = 0; i < 4; ++i)
    buffers.push_back(this->makeBuffer(20000 + i));
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < buffers.size(); ++i)
    threads.emplace_back([&, i] { this->upload(ring, countUp(20000 + i, 1000 * i), buffers[i]); });
  for (std::thread& thread : threads)
    thread.join();
  for (std::size_t i = 0; i < buffers.size(); ++i)
    EXPECT_EQ(this->readBack(buffers[i]), countUp(20000 + i, 1000 * i));
}

TEST_F(UploadRings, AnyFailedSubmissionIsAnErrorAndTheNextUploadWorks)
{
  UploadRing ring(this->context().device(), { 4096, 4, 3 }); // a ring of less than 8 slots submits each part by itself
  const std::vector<std::uint32_t> values = countUp(100000); // 98 parts
  for (const std::size_t after : { 0u, 1u, 3u, 4u, 50u, 97u })
  {
    SCOPED_TRACE(after);
    EXPECT_EQ(this->failWith(ring, vk::Result::eErrorDeviceLost, after), Error::Kind::DeviceLost);
    EXPECT_EQ(this->failWith(ring, vk::Result::eErrorOutOfHostMemory, after), Error::Kind::OutOfMemory);
    EXPECT_EQ(this->failWith(ring, vk::Result::eErrorUnknown, after), Error::Kind::Internal);
    const Buffer buffer = this->makeBuffer(values.size());
    this->upload(ring, values, buffer);
    EXPECT_EQ(this->readBack(buffer), values);
  }
}

TEST_F(UploadRings, AnyFailedBatchIsAnErrorAndTheNextUploadWorks)
{
  UploadRing ring(this->context().device(), { 4096, 16, 8 });
  const std::vector<std::uint32_t> values = countUp(100000); // 98 parts, at most 4 in a batch
  for (std::size_t after = 0; after < 25; ++after)
  {
    SCOPED_TRACE(after);
    EXPECT_EQ(this->failWith(ring, vk::Result::eErrorDeviceLost, after), Error::Kind::DeviceLost);
    const Buffer buffer = this->makeBuffer(values.size());
    this->upload(ring, values, buffer);
    EXPECT_EQ(this->readBack(buffer), values);
  }
}

TEST_F(UploadRings, TheRingOfTheContextIsMadeOnce)
{
  UploadRing& ring = this->context().uploadRing();
  EXPECT_EQ(&this->context().uploadRing(), &ring);
  const std::vector<std::uint32_t> values = countUp(9 << 20); // 36 MiB: more than a few slots
  const Buffer buffer = this->makeBuffer(values.size());
  this->upload(ring, values, buffer);
  EXPECT_EQ(this->readBack(buffer), values);
}

// The host's words count from another number, so that those of the device are known.
TEST_F(UploadRings, AWindowTakesWhatItsNeighbourHasOfItsBeginning)
{
  DeviceOptions options;
  options.isDiscrete = true; // else the host writes to the memory of the device
  Context context(options);
  CommandRecorder commands(context.device());
  const std::vector<std::uint32_t> first = countUp(3000), second = countUp(3000, 1000000);
  const auto windows = [&](const std::vector<std::uint32_t>& values, std::uint64_t from, std::uint64_t end,
                         const ResidentArray::Neighbour& neighbour)
  {
    const Window window{ 0, 0, 4 * from, 4 * (end - from), 0 };
    return std::make_shared<const ResidentArray>(
      context, values.data(), 4 * values.size(), std::vector<Window>{ window }, "array", Reuse::InThisRun, neighbour);
  };
  const auto wordsOf = [&](const ResidentArray& array, std::uint64_t from, std::uint64_t end)
  {
    const Region region = array.region({ 0, 0, 4 * from, 4 * (end - from), 0 });
    const Buffer landing(context.device(), region.size, Buffer::Memory::Readback, "landing");
    StageTimes times;
    commands.begin();
    commands.copy(region, landing);
    commands.submitAndWait(times);
    std::vector<std::uint32_t> words(end - from);
    std::memcpy(words.data(), landing.mapped(), region.size);
    return words;
  };
  const auto before = windows(first, 500, 1500, {});
  struct Case
  {
    std::uint64_t from, end, shared; // words; those of the neighbour end before `shared`
  };
  for (const Case& which : { Case{ 1300, 2300, 1500 }, Case{ 500, 1200, 1200 }, Case{ 1499, 1501, 1500 },
         Case{ 1500, 2500, 1500 }, Case{ 400, 1600, 400 }, Case{ 1400, 3000, 1500 } })
  {
    SCOPED_TRACE(which.from);
    const auto next = windows(second, which.from, which.end, { before, &commands });
    std::vector<std::uint32_t> expected(second.begin() + which.from, second.begin() + which.end);
    for (std::uint64_t word = which.from; word < which.shared; ++word)
      expected[word - which.from] = first[word];
    EXPECT_EQ(wordsOf(*next, which.from, which.end), expected);
  }
}

}
