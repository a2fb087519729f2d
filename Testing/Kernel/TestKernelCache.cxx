// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Kernels that several threads ask for, and those that are kept for later processes.
#include "Compute/Contour/Parameters.h"
#include "Embedded/Kernels.h"
#include "ExtractionTest.h"
#include "Support/ScratchFolder.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <thread>

namespace fs = std::filesystem;

namespace vmc::test
{

using KernelCaches = ExtractionTest;

TEST_F(KernelCaches, SeveralThreadsGetTheSameKernels)
{
  Context context;
  const std::vector<KernelVariant> variants = kernelsOf(Volume(), Request(), false);
  std::vector<std::vector<const Kernel*>> found(8);
  std::vector<std::thread> threads;
  for (auto& kernels : found)
    threads.emplace_back(
      [&]
      {
        for (const KernelVariant& variant : variants)
          kernels.push_back(&context.kernels().get(*variant.spirv, variant.specialization));
      });
  for (std::thread& thread : threads)
    thread.join();
  for (const auto& kernels : found)
    EXPECT_EQ(kernels, found.front());
  const std::set<const Kernel*> different(found.front().begin(), found.front().end());
  EXPECT_EQ(different.size(), variants.size());
  EXPECT_EQ(context.kernels().size(), variants.size());
}

TEST_F(KernelCaches, ValuesThatAKernelDoesNotDeclareMakeNoOther)
{
  KernelCache& kernels = this->context().kernels();
  const Kernel& plain = kernels.get(kernels::SelectBricks);
  EXPECT_EQ(&kernels.get(kernels::SelectBricks, { { SPECIALIZE_SAMPLE_BYTES, 2 } }), &plain);
  EXPECT_NE(&kernels.get(kernels::CountBricks, { { SPECIALIZE_SAMPLE_BYTES, 2 } }),
    &kernels.get(kernels::CountBricks, { { SPECIALIZE_SAMPLE_BYTES, 4 } }));
}

TEST_F(KernelCaches, AKernelThatExistsTakesNoTime)
{
  Context context;
  const double before = KernelCache::waitedMilliseconds();
  context.kernels().get(kernels::ScanBricks);
  const double after = KernelCache::waitedMilliseconds();
  EXPECT_GT(after, before);
  context.kernels().get(kernels::ScanBricks);
  EXPECT_EQ(KernelCache::waitedMilliseconds(), after);
}

// The list is complete: the extraction asks for no other kernel.
TEST_F(KernelCaches, AnExtractionNeedsTheKernelsOfItsList)
{
  const Samples samples = sample(gyroid(13), { 20, 20, 20 });
  const std::vector<float> indices = sampleIndices({ 20, 20, 20 });
  const std::vector<std::uint8_t> blank(20 * 20 * 20, GHOST_BLANK), owned(20 * 20 * 20, 0);
  Volume plain = samples.volume(), withAttributes = plain, padded = plain, withGhosts = plain;
  withAttributes.attributes.push_back({ indices.data(), SampleType::Float32, 3, 0 });
  withAttributes.attributes.push_back({ blank.data(), SampleType::UInt8, 1, 0 });
  padded.padding = { { 1, 1, 1 }, { 1, 1, 1 }, true, 0 };
  withGhosts.ghosts = owned.data();
  for (const Volume& volume : { plain, withAttributes, padded, withGhosts })
    for (const bool merge : { true, false })
    {
      const auto context = std::make_shared<Context>();
      Request request = requestOf({ 0 });
      request.mergePoints = request.computeNormals = merge;
      context->kernels().makeInBackground(kernelsOf(volume, request, false));
      const std::size_t made = context->kernels().size();
      this->extract(*newSessionOn(context), volume, request);
      EXPECT_EQ(context->kernels().size(), made);
    }
}

TEST_F(KernelCaches, CanBeDestroyedWhileKernelsAreMade)
{
  for (int i = 0; i < 5; ++i)
  {
    Context context;
    context.kernels().makeInBackground(kernelsOf(Volume(), Request(), i % 2 == 0));
  }
}

#ifndef _WIN32

// Each test has a folder of its own for kept kernels.
class KeptKernels : public ExtractionTest
{
protected:
  void SetUp() override
  {
    ExtractionTest::SetUp();
    setenv("VMC_PIPELINE_CACHE", this->Scratch.path().c_str(), 1);
  }
  void TearDown() override
  {
    unsetenv("VMC_PIPELINE_CACHE");
    ExtractionTest::TearDown();
  }

  // Extracts a surface on a device opened anew, whose kernels are then kept. Returns the surface.
  Mesh extractAnew(std::size_t& bytesRead)
  {
    const PipelineCache before(this->device(), this->Scratch.path().string(), Context::hashOfKernels());
    bytesRead = before.readBytes();
    const Samples samples = sample(sphere({ 10, 10, 10 }, 6), { 20, 20, 20 });
    return this->extract(*newSessionOn(std::make_shared<Context>()), samples.volume(), requestOf({ 0 }));
  }

  bool driverReturnsKernels()
  {
    PipelineCache cache(this->device(), "", 0);
    KernelCache(this->device(), cache).get(kernels::ScanBricks);
    return cache.handle().getData().size() > PipelineCacheHeaderBytes;
  }

  std::vector<fs::path> files() const
  {
    return { fs::directory_iterator(this->Scratch.path()), fs::directory_iterator() };
  }

  const ScratchFolder Scratch;
};

TEST_F(KeptKernels, AreReadByTheNextProcessIfTheDriverReturnsAny)
{
  std::size_t bytesRead = 0;
  const Mesh first = this->extractAnew(bytesRead);
  EXPECT_EQ(bytesRead, 0u);
  if (!this->driverReturnsKernels())
    GTEST_SKIP() << "The driver returns no kernels, as Mesa's lavapipe.";
  ASSERT_EQ(this->files().size(), 1u);
  const auto written = fs::last_write_time(this->files().front());
  expectSameBytes(this->extractAnew(bytesRead), first);
  EXPECT_GT(bytesRead, PipelineCacheHeaderBytes);
  EXPECT_EQ(fs::last_write_time(this->files().front()), written); // nothing new
}

TEST_F(KeptKernels, ADamagedFileIsReplaced)
{
  std::size_t bytesRead = 0;
  const Mesh first = this->extractAnew(bytesRead);
  if (!this->driverReturnsKernels())
    GTEST_SKIP() << "The driver returns no kernels, as Mesa's lavapipe.";
  ASSERT_EQ(this->files().size(), 1u);
  const fs::path file = this->files().front();
  const auto size = fs::file_size(file);
  fs::resize_file(file, size / 2);
  expectSameBytes(this->extractAnew(bytesRead), first);
  EXPECT_EQ(bytesRead, 0u);
  EXPECT_GE(fs::file_size(file), size / 2 + 1);
  this->extractAnew(bytesRead);
  EXPECT_GT(bytesRead, PipelineCacheHeaderBytes);
}

TEST_F(KeptKernels, AFolderThatCannotBeMadeIsNoError)
{
  std::ofstream(this->Scratch.path() / "file").put('x');
  setenv("VMC_PIPELINE_CACHE", (this->Scratch.path() / "file" / "folder").c_str(), 1);
  std::size_t bytesRead = 0;
  EXPECT_GT(this->extractAnew(bytesRead).triangleCount, 0u);
  EXPECT_EQ(this->files().size(), 1u);
}

TEST_F(KeptKernels, NothingIsKeptIfTheVariableIsZero)
{
  setenv("VMC_PIPELINE_CACHE", "0", 1);
  setenv("XDG_CACHE_HOME", this->Scratch.path().c_str(), 1);
  std::size_t bytesRead = 0;
  EXPECT_GT(this->extractAnew(bytesRead).triangleCount, 0u);
  EXPECT_FALSE(fs::exists(this->Scratch.path() / "VulkanMarchingCubes")); // the driver may have a folder there
  unsetenv("XDG_CACHE_HOME");
}

#endif

}
