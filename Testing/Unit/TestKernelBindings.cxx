// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Vulkan/DeviceChoice.h"
#include "Compute/Vulkan/Kernel.h"
#include "Embedded/Kernels.h"
#include "Shared/Bindings.h"

#include <gtest/gtest.h>

#include <algorithm>

using Numbers = std::vector<std::uint32_t>;

namespace
{

void expectMasks(const vmc::kernels::Words& kernel, const Numbers& read, const Numbers& written)
{
  const auto maskOf = [](const Numbers& bindings)
  {
    vmc::BindingMask mask = 0;
    for (const std::uint32_t binding : bindings)
      mask |= vmc::BindingMask(1) << binding;
    return mask;
  };
  EXPECT_EQ(vmc::bindingMasksOf(kernel).read, maskOf(read)) << kernel.name;
  EXPECT_EQ(vmc::bindingMasksOf(kernel).written, maskOf(written)) << kernel.name;
}

std::size_t storageBuffersOf(const vmc::kernels::Words& kernel)
{
  const vmc::BindingMasks masks = vmc::bindingMasksOf(kernel);
  std::size_t count = 0;
  for (std::uint32_t binding = 0; binding < BINDING_COUNT; ++binding)
    if (((masks.read | masks.written) >> binding & 1u) != 0)
      count += vmc::descriptorTypeOf(binding) == vk::DescriptorType::eStorageBuffer ? 1 : 0;
  return count;
}

}

TEST(KernelBindings, AreThoseThatTheShaderDeclares)
{
  expectMasks(
    vmc::kernels::BuildBrickRanges, { BINDING_SAMPLES, BINDING_TOTALS }, { BINDING_BRICK_RANGE, BINDING_TOTALS });
  expectMasks(vmc::kernels::SelectBricks, { BINDING_BRICK_RANGE }, { BINDING_BLOCK_SUM });
  expectMasks(vmc::kernels::RepeatCorners, { BINDING_TRIANGLE, BINDING_SHARED_VALUES }, { BINDING_CORNER_VALUES });
}

TEST(KernelBindings, AUniformBufferIsOnlyRead)
{
  const vmc::BindingMasks masks = vmc::bindingMasksOf(vmc::kernels::EmitPoints);
  EXPECT_NE(masks.read >> BINDING_GEOMETRY & 1u, 0u);
  EXPECT_EQ(masks.written >> BINDING_GEOMETRY & 1u, 0u);
}

TEST(KernelBindings, AreNoMoreThanADeviceMustHave)
{
  using namespace vmc::kernels;
  std::size_t most = 0;
  for (const Words* const kernel : allKernels)
    most = std::max(most, storageBuffersOf(*kernel));
  vmc::DeviceTraits traits;
  traits.apiVersion = 1u << 22 | 2u << 12;
  traits.hasComputeQueue = true;
  traits.groupInvocations = traits.sharedMemoryBytes = 1u << 20;
  traits.storageBuffers = static_cast<std::uint32_t>(most);
  EXPECT_EQ(vmc::refusalOf(traits), "");
  --traits.storageBuffers;
  EXPECT_NE(vmc::refusalOf(traits), "");
}

TEST(KernelBindings, AModuleWithoutInstructionsHasNone)
{
  constexpr std::uint32_t Header[5] = { 0x07230203, 0x00010500, 0, 1, 0 };
  expectMasks({ "Empty", Header, 5 }, {}, {});
}
