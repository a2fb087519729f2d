// Host blocks of a device: they stay imported, come back, and outlive it.
#include "ExtractionTest.h"

#include "Compute/Contour/OutputArray.h"
#include "Compute/Memory/HostMemoryPool.h"
#include "Compute/Vulkan/Buffer.h"
#include "Compute/Vulkan/Commands.h"

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
    if (!this->IsSkipped() && this->device()->hostImportAlignment() == 0)
      GTEST_SKIP() << "The device cannot import host memory.";
  }

  // An output array of words that commands filled with the value.
  HostBlock makeOutput(const Device& device, std::uint32_t value) const
  {
    MemoryBudget budget;
    OutputArray output(device, budget, "output");
    output.reserve(4 * Words);
    const Buffer source(device, budget, 4 * Words, Buffer::Memory::Device, "source");
    Commands commands(device);
    std::vector<StageTime> untold;
    commands.begin();
    commands.fill(source, value);
    commands.copy(source, *output.target().buffer);
    output.recordDownload(commands, 4 * Words);
    commands.submitAndWait(untold);
    return output.take(4 * Words);
  }

  static constexpr std::size_t Words = 100000;

  const Samples Ball = sample(sphere({ 16, 16, 16 }, 12), { 33, 33, 33 });
};

TEST_F(HostImports, ABlockThatComesBackIsStillImported)
{
  HostMemoryPool& blocks = this->device()->hostMemory();
  const HostMemoryPool::Use use(blocks);
  HostBlock block = blocks.take(1 << 20);
  const Buffer* const import = blocks.importOf(block);
  ASSERT_NE(import, nullptr);
  EXPECT_EQ(import->size(), block.capacity());
  const std::byte* const memory = block.data();
  block = HostBlock();
  block = blocks.take(1 << 20);
  EXPECT_EQ(block.data(), memory);
  EXPECT_EQ(blocks.importOf(block), import);
}

TEST_F(HostImports, RecycledOutputHoldsTheNewValues)
{
  const HostMemoryPool::Use use(this->device()->hostMemory());
  const std::byte* memory = nullptr;
  for (std::uint32_t value = 1; value < 5; ++value)
  {
    const HostBlock block = this->makeOutput(*this->device(), value);
    EXPECT_EQ(valuesOf<std::uint32_t>(block), std::vector<std::uint32_t>(Words, value));
    EXPECT_TRUE(!memory || block.data() == memory);
    memory = block.data();
  }
}

TEST_F(HostImports, OutputOutlivesItsDeviceAndItsPool)
{
  auto device = std::make_shared<Device>();
  HostBlock block = this->makeOutput(*device, 5);
  std::byte* const released = this->makeOutput(*device, 6).release();
  device.reset();
  EXPECT_EQ(valuesOf<std::uint32_t>(block), std::vector<std::uint32_t>(Words, 5));
  EXPECT_EQ(reinterpret_cast<std::uint32_t*>(released)[Words - 1], 6u);
  std::thread([released] { recycle(released); }).join();
}

TEST_F(HostImports, ARepeatedExtractionTakesTheSameMemory)
{
  MarchingCubes backend(std::make_shared<Device>());
  const auto memoryOfMesh = [&]
  {
    const Mesh mesh = this->extract(backend, this->Ball.volume(), requestOf({ 0 }));
    return std::set<const std::byte*>{ mesh.positions.data(), mesh.normals.data(), mesh.triangles.data() };
  };
  const auto first = memoryOfMesh();
  EXPECT_EQ(memoryOfMesh(), first);
  EXPECT_EQ(memoryOfMesh(), first);
}

// Every buffer has an identity of its own, and so no other one was made if no number is missing.
TEST_F(HostImports, ARepeatedExtractionThatIsNotLargerMakesNoBuffer)
{
  for (const bool keepOnDevice : { false, true })
  {
    MarchingCubes backend(std::make_shared<Device>());
    Volume volume = this->Ball.volume();
    volume.identity = 1;
    const auto buffersMade = [&](double isovalue)
    {
      Request request = requestOf({ isovalue });
      request.keepOnDevice = keepOnDevice;
      const std::uint64_t before = backend.device()->newIdentity();
      this->extract(backend, volume, request);
      return backend.device()->newIdentity() - before - 1;
    };
    EXPECT_GT(buffersMade(0), 0u);
    buffersMade(0);
    for (const double isovalue : { 0.0, 1.0, 3.0, 6.0, 0.0 }) // inside, and so smaller
      EXPECT_EQ(buffersMade(isovalue), 0u) << "isovalue " << isovalue << (keepOnDevice ? ", on the device" : "");
  }
}

TEST_F(HostImports, RepeatedExtractionsOfJoinedPartsTakeNothingFresh)
{
  MarchingCubes backend(std::make_shared<Device>());
  const HostMemoryPool& blocks = backend.device()->hostMemory();
  for (int run = 0; run < 2; ++run) // the first learns how much room is needed
    this->extract(backend, this->Ball.volume(), requestOf({ 0, 3 }));
  const std::size_t kept = blocks.takenBytes() + blocks.freeBytes();
  const Mesh mesh = this->extract(backend, this->Ball.volume(), requestOf({ 0, 3 }));
  expectSound(mesh);
  EXPECT_EQ(blocks.takenBytes() + blocks.freeBytes(), kept);
}

TEST_F(HostImports, MemoryGoesWithTheLastExtractionObject)
{
  const auto device = std::make_shared<Device>();
  Mesh mesh;
  {
    MarchingCubes first(device), second(device);
    this->extract(first, this->Ball.volume(), requestOf({ 0 }));
    mesh = this->extract(second, this->Ball.volume(), requestOf({ 3 }));
    EXPECT_GT(device->hostMemory().takenBytes(), 0u);
  }
  EXPECT_EQ(device->hostMemory().freeBytes(), 0u);
  expectClosed(mesh);
  mesh = Mesh();
  EXPECT_EQ(device->hostMemory().takenBytes(), 0u);
  EXPECT_EQ(device->hostMemory().freeBytes(), 0u);
}

TEST_F(HostImports, MeshesOfOnePassAreOneRun)
{
  MarchingCubes backend(std::make_shared<Device>());
  const HostMemoryPool& blocks = backend.device()->hostMemory();
  const auto pass = [&]
  {
    std::vector<Mesh> meshes;
    backend.beginPass();
    for (int leaf = 0; leaf < 20; ++leaf) // more than there are runs remembered
      meshes.push_back(this->extract(backend, this->Ball.volume(), requestOf({ 0 })));
    backend.endPass();
  };
  pass();
  const std::size_t kept = blocks.takenBytes() + blocks.freeBytes();
  EXPECT_GT(kept, 0u);
  pass();
  EXPECT_EQ(blocks.freeBytes(), kept);
}

}
