// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Compares the needs of the kernels with the limits of every device of the profile Roadmap 2022. The limits are those
// of the specification of Vulkan: of its table "Required Limits" for Vulkan 1.2 and, where marked, of the table
// "Vulkan 1.0 Limits" of its appendix "Roadmap 2022".
#include "Embedded/Kernels.h"
#include "Shared/Bindings.h"
#include "Shared/Structs.h"
#include "SpirvModule.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace vmc::test
{

namespace
{

constexpr std::uint64_t MaxComputeSharedMemorySize = 16384;
constexpr std::uint32_t MaxPushConstantsSize = 128;
constexpr std::size_t MaxPerStageDescriptorUniformBuffers = 12;
constexpr std::size_t MaxPerStageDescriptorStorageBuffers = 30;       // Roadmap 2022; Vulkan 1.2: 4
constexpr std::size_t MaxDescriptorSetStorageBuffers = 24;            // Roadmap 2022: 96
constexpr std::uint32_t MaxComputeWorkGroupInvocations = 256;         // Roadmap 2022; Vulkan 1.2: 128
constexpr std::uint32_t MaxComputeWorkGroupSize[] = { 256, 256, 64 }; // Roadmap 2022; Vulkan 1.2: 128, 128, 64

// Numbers of the SPIR-V specification 3.
constexpr std::uint32_t Shader = 1;               // capability
constexpr std::uint32_t Logical = 0, Glsl450 = 1; // addressing and memory model
constexpr std::uint32_t LocalSize = 17;           // execution mode
constexpr std::uint32_t Input = 1, Uniform = 2, Workgroup = 4, Private = 6, Function = 7, PushConstant = 9,
                        StorageBuffer = 12; // storage classes

std::vector<kernels::Words> allKernels()
{
  std::vector<kernels::Words> all;
  for (const kernels::Words* const kernel : kernels::allKernels)
    all.push_back(*kernel);
  return all;
}

bool isSubset(const std::set<std::uint32_t>& part, const std::set<std::uint32_t>& whole)
{
  return std::includes(whole.begin(), whole.end(), part.begin(), part.end());
}

std::size_t countOf(const kernels::Words& kernel, vk::DescriptorType type)
{
  const BindingMasks masks = bindingMasksOf(kernel);
  std::size_t count = 0;
  for (std::uint32_t binding = 0; binding < BINDING_COUNT; ++binding)
    count += ((masks.read | masks.written) >> binding & 1u) != 0 && descriptorTypeOf(binding) == type ? 1 : 0;
  return count;
}

// All values of the constants that lengths of arrays may depend on: the sample's bytes, blanking and slots. More slots
// than those of HISTOGRAM_LARGEST_BINS are counted on the host.
std::vector<Specialization> specializations()
{
  std::vector<Specialization> all;
  for (const std::uint32_t bytes : { 1u, 2u, 4u, 8u })
    for (const std::uint32_t isBlanking : { 0u, 1u })
      for (const std::uint32_t slots : { HISTOGRAM_SLOTS(1u), std::uint32_t(HISTOGRAM_BYTE_SLOTS),
             std::uint32_t(HISTOGRAM_SLOTS(HISTOGRAM_LARGEST_BINS)) })
        all.push_back(
          { { SPECIALIZE_SAMPLE_BYTES, bytes }, { SPECIALIZE_BLANKING, isBlanking }, { SPECIALIZE_SLOTS, slots } });
  return all;
}

}

// Every other capability is optional: numbers of 64, 16 and 8 bits, 16- and 8-bit storage, subgroup operations and
// their sizes, atomic floats, variable pointers, Vulkan's memory model, and controls of floats.
TEST(KernelLimits, CapabilitiesAreThoseOfEveryDevice)
{
  for (const kernels::Words& kernel : allKernels())
  {
    const SpirvModule module(kernel);
    EXPECT_EQ(module.capabilities(), std::set<std::uint32_t>{ Shader }) << kernel.name;
    EXPECT_EQ(module.extensions(), std::set<std::string>{ "GLSL.std.450" }) << kernel.name;
    EXPECT_EQ(module.executionModes(), std::set<std::uint32_t>{ LocalSize }) << kernel.name;
    EXPECT_EQ(module.memoryModel(), std::make_pair(Logical, Glsl450)) << kernel.name;
    EXPECT_TRUE(
      isSubset(module.storageClasses(), { Input, Uniform, Workgroup, Private, Function, PushConstant, StorageBuffer }))
      << kernel.name;
    EXPECT_LE(module.version(), 0x00010500u) << kernel.name; // SPIR-V 1.5, that of Vulkan 1.2
    EXPECT_FALSE(module.initializesSharedMemory()) << kernel.name;
  }
}

TEST(KernelLimits, WorkgroupsAreNoLargerThanEveryDeviceAllows)
{
  for (const kernels::Words& kernel : allKernels())
  {
    const std::array<std::uint32_t, 3> size = SpirvModule(kernel).workgroupSize();
    EXPECT_GT(size[0] * size[1] * size[2], 0u) << kernel.name;
    EXPECT_LE(size[0] * size[1] * size[2], MaxComputeWorkGroupInvocations) << kernel.name;
    for (std::size_t axis = 0; axis < 3; ++axis)
      EXPECT_LE(size[axis], MaxComputeWorkGroupSize[axis]) << kernel.name;
  }
}

TEST(KernelLimits, SharedMemoryIsNoMoreThanEveryDeviceHas)
{
  std::uint64_t most = 0;
  for (const kernels::Words& kernel : allKernels())
    for (const Specialization& specialization : specializations())
    {
      const std::uint64_t bytes = SpirvModule(kernel).sharedBytes(specialization);
      EXPECT_LE(bytes, MaxComputeSharedMemorySize) << kernel.name;
      most = std::max(most, bytes);
    }
  // CountValues: three arrays of counters with one more than the slots, and two words.
  EXPECT_EQ(most, 4u * (3u * (HISTOGRAM_SLOTS(HISTOGRAM_LARGEST_BINS) + 1u) + HISTOGRAM_EXTRA_WORDS));
}

TEST(KernelLimits, DescriptorsAreNoMoreThanEveryDeviceAllows)
{
  for (const kernels::Words& kernel : allKernels())
  {
    const std::size_t storageBuffers = countOf(kernel, vk::DescriptorType::eStorageBuffer);
    EXPECT_LE(storageBuffers, MaxPerStageDescriptorStorageBuffers) << kernel.name;
    EXPECT_LE(storageBuffers, MaxDescriptorSetStorageBuffers) << kernel.name;
    EXPECT_LE(countOf(kernel, vk::DescriptorType::eUniformBuffer), MaxPerStageDescriptorUniformBuffers) << kernel.name;
  }
}

TEST(KernelLimits, PushConstantsAreNoMoreThanEveryDeviceAllows)
{
  for (const kernels::Words& kernel : allKernels())
    EXPECT_LE(SpirvModule(kernel).pushConstantBytes(), MaxPushConstantsSize) << kernel.name;
  EXPECT_EQ(SpirvModule(kernels::CountBricks).pushConstantBytes(), sizeof(SlabConstants));
}

// An array whose length is a specialization constant has the length of its value.
TEST(KernelLimits, SharedMemoryFollowsTheSpecialization)
{
  const SpirvModule module(kernels::CountBricks);
  const std::uint64_t without = module.sharedBytes({ { SPECIALIZE_BLANKING, 0 } });
  const std::uint64_t with = module.sharedBytes({ { SPECIALIZE_BLANKING, 1 } });
  constexpr std::uint64_t BlankRows = (BRICK_SIZE + 2) * (BRICK_SIZE + 2);
  EXPECT_EQ(with - without, 4u * (2 * (BlankRows - 1) + BRICK_ROWS - 1)); // three arrays that else have one word
  EXPECT_EQ(module.sharedBytes({}), without);                             // the constant's default is false
}

TEST(KernelLimits, AnOptionalCapabilityIsFound)
{
  constexpr std::uint32_t Int64 = 11, OpCapability = 17;
  constexpr std::uint32_t Spirv[] = { 0x07230203, 0x00010500, 0, 1, 0, 2u << 16 | OpCapability, Shader,
    2u << 16 | OpCapability, Int64 };
  EXPECT_EQ(SpirvModule({ "WithInt64", Spirv, 9 }).capabilities(), (std::set<std::uint32_t>{ Shader, Int64 }));
}

}
