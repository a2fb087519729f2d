#include "Bindings.h"
#include "Kernel.h"

#include <gtest/gtest.h>

using Numbers = std::vector<std::uint32_t>;

TEST(KernelBindings, AreThoseThatTheShaderDeclares)
{
  EXPECT_EQ(
    vmc::bindingsOf(vmc::shaders::BuildBrickRanges), (Numbers{ BINDING_SAMPLES, BINDING_BRICK_RANGE, BINDING_TOTALS }));
  EXPECT_EQ(vmc::bindingsOf(vmc::shaders::SelectBricks), (Numbers{ BINDING_BRICK_RANGE, BINDING_BLOCK_SUM }));
  EXPECT_EQ(vmc::bindingsOf(vmc::shaders::RepeatCorners),
    (Numbers{ BINDING_TRIANGLE, BINDING_SHARED_VALUES, BINDING_CORNER_VALUES }));
}

TEST(KernelBindings, OfAModuleWithoutInstructionsAreNone)
{
  constexpr std::uint32_t Header[5] = { 0x07230203, 0x00010500, 0, 1, 0 };
  EXPECT_EQ(vmc::bindingsOf({ "Empty", Header, 5 }), Numbers());
}
