#include "Compute/Vulkan/DeviceChoice.h"
#include "Compute/Vulkan/Kernel.h"
#include "Embedded/Kernels.h"
#include "Shared/Bindings.h"

#include <gtest/gtest.h>

#include <algorithm>

using Numbers = std::vector<std::uint32_t>;

TEST(KernelBindings, AreThoseThatTheShaderDeclares)
{
  EXPECT_EQ(
    vmc::bindingsOf(vmc::kernels::BuildBrickRanges), (Numbers{ BINDING_SAMPLES, BINDING_BRICK_RANGE, BINDING_TOTALS }));
  EXPECT_EQ(vmc::bindingsOf(vmc::kernels::SelectBricks), (Numbers{ BINDING_BRICK_RANGE, BINDING_BLOCK_SUM }));
  EXPECT_EQ(vmc::bindingsOf(vmc::kernels::RepeatCorners),
    (Numbers{ BINDING_TRIANGLE, BINDING_SHARED_VALUES, BINDING_CORNER_VALUES }));
}

TEST(KernelBindings, OfABufferThatIsDeclaredTwiceAreOne)
{
  const Numbers bindings = vmc::bindingsOf(vmc::kernels::EmitTriangles); // row words, also four at a time
  EXPECT_EQ(std::count(bindings.begin(), bindings.end(), BINDING_ROW_EDGES), 1);
}

TEST(KernelBindings, AreNoMoreThanADeviceMustHave)
{
  using namespace vmc::kernels;
  std::size_t most = 0;
  for (const Words& kernel : { BuildBrickRanges, SelectBricks, CompactBricks, CountBricks, ScanBricks, EmitPoints,
         EmitTriangles, InterpolateAttribute, RepeatCorners })
  {
    const Numbers bindings = vmc::bindingsOf(kernel);
    const auto isStorage = [](std::uint32_t binding)
    { return vmc::descriptorTypeOf(binding) == vk::DescriptorType::eStorageBuffer; };
    most = std::max<std::size_t>(most, std::count_if(bindings.begin(), bindings.end(), isStorage));
  }
  vmc::DeviceTraits traits;
  traits.apiVersion = 1u << 22 | 2u << 12;
  traits.hasComputeQueue = true;
  traits.groupInvocations = traits.sharedMemoryBytes = 1u << 20;
  traits.storageBuffers = static_cast<std::uint32_t>(most);
  EXPECT_EQ(vmc::refusalOf(traits), "");
  --traits.storageBuffers;
  EXPECT_NE(vmc::refusalOf(traits), "");
}

TEST(KernelBindings, OfAModuleWithoutInstructionsAreNone)
{
  constexpr std::uint32_t Header[5] = { 0x07230203, 0x00010500, 0, 1, 0 };
  EXPECT_EQ(vmc::bindingsOf({ "Empty", Header, 5 }), Numbers());
}
