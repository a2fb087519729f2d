// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Host memory that a device imports: it stays imported, is reused, and outlives the device.
#include "ExtractionTest.h"

#include "Compute/Context.h"
#include "Compute/Contour/OutputArray.h"
#include "Compute/Memory/HostMemoryPool.h"
#include "Compute/Vulkan/Buffer.h"
#include "Compute/Vulkan/CommandRecorder.h"

#include <set>
#include <thread>

namespace vmc::test
{

class HostImports : public ExtractionTest
{
protected:
  void SetUp() override
  {
    ExtractionTest::SetUp();
    if (!this->IsSkipped() && this->device().hostImportAlignment() == 0)
      GTEST_SKIP() << "The device cannot import host memory.";
  }

  // An output whose words all have this value.
  HostBlock makeOutput(Context& context, std::uint32_t value) const
  {
    OutputArray output(context, 4 * Words, "output", OutputMemory::Device);
    const Buffer source(context.device(), 4 * Words, Buffer::Memory::Device, "source");
    CommandRecorder commands(context.device());
    StageTimes times;
    commands.begin();
    commands.fill(source, value);
    commands.copy(source, *output.region().buffer);
    return submitAndDownload(context, commands, std::move(output), 4 * Words, "output", times);
  }

  static constexpr std::size_t Words = 100000;

  const Samples Ball = sample(sphere({ 16, 16, 16 }, 12), { 33, 33, 33 });
};

TEST_F(HostImports, ABlockThatIsAcquiredAgainIsStillImported)
{
  HostMemoryPool& pool = this->context().hostMemory();
  const PoolUser<HostMemoryPool> user(pool);
  HostBlock block = pool.acquire(1 << 20);
  const Buffer* const import = pool.importOf(block, this->device());
  ASSERT_NE(import, nullptr);
  EXPECT_EQ(import->size(), block.capacity());
  const std::byte* const memory = block.data();
  block = HostBlock();
  block = pool.acquire(1 << 20);
  EXPECT_EQ(block.data(), memory);
  EXPECT_EQ(pool.importOf(block, this->device()), import);
}

TEST_F(HostImports, ReusedMemoryHoldsTheNewValues)
{
  const PoolUser<HostMemoryPool> user(this->context().hostMemory());
  const std::byte* memory = nullptr;
  for (std::uint32_t value = 1; value < 5; ++value)
  {
    const HostBlock block = this->makeOutput(this->context(), value);
    EXPECT_EQ(valuesOf<std::uint32_t>(block), std::vector<std::uint32_t>(Words, value));
    EXPECT_TRUE(!memory || block.data() == memory);
    memory = block.data();
  }
}

TEST_F(HostImports, OutputOutlivesItsDeviceAndItsPool)
{
  auto context = std::make_shared<Context>();
  HostBlock block = this->makeOutput(*context, 5);
  std::byte* const released = this->makeOutput(*context, 6).release();
  context.reset();
  EXPECT_EQ(valuesOf<std::uint32_t>(block), std::vector<std::uint32_t>(Words, 5));
  EXPECT_EQ(reinterpret_cast<std::uint32_t*>(released)[Words - 1], 6u);
  std::thread([released] { releaseHostMemory(released); }).join();
}

TEST_F(HostImports, ARepeatedExtractionUsesTheSameMemory)
{
  const std::unique_ptr<Session> session = newSessionOn(std::make_shared<Context>());
  const auto memoryOfMesh = [&]
  {
    const Mesh mesh = this->extract(*session, this->Ball.volume(), requestOf({ 0 }));
    return std::set<const std::byte*>{ mesh.positions.data(), mesh.normals.data(), mesh.triangles.data() };
  };
  const auto first = memoryOfMesh();
  EXPECT_EQ(memoryOfMesh(), first);
  EXPECT_EQ(memoryOfMesh(), first);
}

// Tests the device as it is, and as a device that does not share the host's memory.
TEST_F(HostImports, ARepeatedExtractionThatIsNotLargerMakesNoBuffer)
{
  for (const bool isDiscrete : { false, true })
    for (const bool staysOnDevice : { false, true })
    {
      SCOPED_TRACE(std::string(isDiscrete ? "discrete" : "as it is") + (staysOnDevice ? ", mesh on the device" : ""));
      DeviceOptions options;
      options.isDiscrete = isDiscrete;
      const auto context = std::make_shared<Context>(options);
      const std::unique_ptr<Session> session = newSessionOn(context);
      Volume volume = this->Ball.volume();
      volume.identity = 1;
      const auto buffersMade = [&](double isovalue)
      {
        const std::uint64_t before = context->device().work().buffersMade;
        Request request = requestOf({ isovalue });
        request.wideIds = true;
        request.memory = staysOnDevice ? OutputMemory::Device : OutputMemory::Host;
        EXPECT_TRUE(session->extract({ volume }, request, this->LastReport));
        return context->device().work().buffersMade - before;
      };
      EXPECT_GT(buffersMade(0), 0u);
      buffersMade(0);
      // Not larger surfaces. The blocks of a much smaller one on the host may be imported for the first time.
      for (const double isovalue : { 0.0, 1.0, 3.0, 6.0 })
        EXPECT_LE(buffersMade(isovalue), staysOnDevice || isovalue < 3 ? 0u : 3u) << "isovalue " << isovalue;
    }
}

TEST_F(HostImports, RepeatedExtractionsOfJoinedPartsAllocateNothing)
{
  const auto context = std::make_shared<Context>();
  const std::unique_ptr<Session> session = newSessionOn(context);
  const HostMemoryPool& pool = context->hostMemory();
  for (int run = 0; run < 2; ++run) // the first run finds the capacity that is needed
    this->extract(*session, this->Ball.volume(), requestOf({ 0, 3 }));
  const std::size_t kept = pool.heldBytes() + pool.freeBytes();
  const Mesh mesh = this->extract(*session, this->Ball.volume(), requestOf({ 0, 3 }));
  expectSound(mesh);
  EXPECT_EQ(pool.heldBytes() + pool.freeBytes(), kept);
}

TEST_F(HostImports, MemoryIsFreedWithTheLastSession)
{
  const auto context = std::make_shared<Context>();
  Mesh mesh;
  {
    const std::unique_ptr<Session> first = newSessionOn(context), second = newSessionOn(context);
    this->extract(*first, this->Ball.volume(), requestOf({ 0 }));
    mesh = this->extract(*second, this->Ball.volume(), requestOf({ 3 }));
    EXPECT_GT(context->hostMemory().heldBytes(), 0u);
  }
  EXPECT_EQ(context->hostMemory().freeBytes(), 0u);
  expectClosed(mesh);
  mesh = Mesh();
  EXPECT_EQ(context->hostMemory().heldBytes(), 0u);
  EXPECT_EQ(context->hostMemory().freeBytes(), 0u);
}

TEST_F(HostImports, MeshesOfOneListCountAsOneRun)
{
  const auto context = std::make_shared<Context>();
  const std::unique_ptr<Session> session = newSessionOn(context);
  const HostMemoryPool& pool = context->hostMemory();
  const auto extractList = [&]
  {
    const std::vector<Volume> volumes(20, this->Ball.volume()); // more than the runs that the pool remembers
    EXPECT_TRUE(session->extract(volumes, requestOf({ 0 }), this->LastReport));
  };
  extractList();
  const std::size_t kept = pool.heldBytes() + pool.freeBytes();
  EXPECT_GT(kept, 0u);
  extractList();
  EXPECT_EQ(pool.freeBytes(), kept);
}

}
