#include "Compute/System/Error.h"
#include "Compute/Vulkan/Buffer.h"

#include <gtest/gtest.h>

#include <limits>

using vmc::MemoryBudget;

TEST(MemoryBudget, WithoutALimitTakesAnything)
{
  MemoryBudget budget;
  budget.take(1ull << 40, "a");
  EXPECT_EQ(budget.used(), 1ull << 40);
}

TEST(MemoryBudget, RemembersTheLargestUse)
{
  MemoryBudget budget;
  budget.take(100, "a");
  budget.giveBack(100);
  budget.take(40, "b");
  EXPECT_EQ(budget.used(), 40u);
  EXPECT_EQ(budget.largest(), 100u);
}

TEST(MemoryBudget, AcceptsExactlyTheLimit)
{
  MemoryBudget budget;
  budget.setLimit(100);
  budget.take(60, "a");
  EXPECT_NO_THROW(budget.take(40, "b"));
}

TEST(MemoryBudget, RefusalNamesTheBufferAndTheNumbersAndTakesNothing)
{
  MemoryBudget budget;
  budget.setLimit(100);
  budget.take(60, "samples");
  try
  {
    budget.take(41, "positions");
    ADD_FAILURE() << "the limit was passed";
  }
  catch (const vmc::Error& error)
  {
    EXPECT_EQ(error.kind(), vmc::Error::Kind::OutOfMemory);
    EXPECT_STREQ(error.what(), "The buffer of positions needs 41 bytes beside 60 in use; the limit is 100.");
  }
  EXPECT_EQ(budget.used(), 60u);
}
