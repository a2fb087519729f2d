// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Identities of arrays, and the cache of data made from them.
#include "ArrayIdentity.h"
#include "SampleCache.h"

#include "vtkFloatArray.h"
#include "vtkNew.h"
#include "vtkSOADataArrayTemplate.h"

#include <gtest/gtest.h>

#include <set>
#include <vector>

namespace vmc::filters
{

namespace
{

vtkSmartPointer<vtkDataArray> filled(vtkDataArray* array, vtkIdType tuples)
{
  array->SetNumberOfTuples(tuples);
  for (vtkIdType i = 0; i < tuples; ++i)
    array->SetTuple1(i, static_cast<double>(i));
  array->Modified();
  return array;
}

}

TEST(ArrayIdentity, OfAnUnchangedArrayIsTheSame)
{
  const auto array = filled(vtkNew<vtkFloatArray>(), 100000);
  EXPECT_NE(identityOf(array), 0u);
  EXPECT_EQ(identityOf(array), identityOf(array));
}

// A small array has at most 128 KiB.
TEST(ArrayIdentity, OfASmallArrayChangesWithAnyValue)
{
  const auto array = filled(vtkNew<vtkFloatArray>(), 32768);
  std::set<std::uint64_t> identities{ identityOf(array) };
  std::size_t changes = 1;
  for (vtkIdType i = 0; i < array->GetNumberOfTuples(); i += i < 40 ? 1 : 977, ++changes)
  {
    array->SetTuple1(i, -1.0 - static_cast<double>(i));
    identities.insert(identityOf(array));
  }
  array->SetTuple1(array->GetNumberOfTuples() - 1, -1);
  identities.insert(identityOf(array));
  EXPECT_EQ(identities.size(), changes + 1);
}

// Each block is 1/64 of an array of 256^3 values. Some of the values that the identity depends on lie in each block.
TEST(ArrayIdentity, OfALargeArrayChangesWithAnyBlockOfIt)
{
  constexpr int Side = 256, Block = Side / 4;
  const auto array = filled(vtkNew<vtkFloatArray>(), vtkIdType(Side) * Side * Side);
  float* const values = static_cast<float*>(array->GetVoidPointer(0));
  std::set<std::uint64_t> identities{ identityOf(array) };
  for (int block = 0; block < 64; ++block)
  {
    for (int z = 0; z < Block; ++z)
      for (int y = 0; y < Block; ++y)
        for (int x = 0; x < Block; ++x)
          values[x + Block * (block % 4) +
                 Side * (y + Block * (block / 4 % 4) + vtkIdType(Side) * (z + Block * (block / 16)))] += 1;
    identities.insert(identityOf(array));
  }
  EXPECT_EQ(identities.size(), 65u);
}

// The values and the modification time are equal. Only address and length differ.
TEST(ArrayIdentity, DependsOnAddressAndLength)
{
  std::vector<float> first(600, 1), second(600, 1);
  vtkNew<vtkFloatArray> array;
  const vtkMTimeType time = array->GetMTime();
  std::set<std::uint64_t> identities;
  for (std::vector<float>* memory : { &first, &second })
    for (const vtkIdType values : { 300, 600 })
    {
      array->SetVoidArray(memory->data(), values, 1);
      identities.insert(identityOf(array));
    }
  EXPECT_EQ(array->GetMTime(), time);
  EXPECT_EQ(identities.size(), 4u);
}

TEST(ArrayIdentity, OfComponentsThatLieApartChangesWithTheirValues)
{
  vtkNew<vtkSOADataArrayTemplate<float>> array;
  array->SetNumberOfComponents(1);
  filled(array, 2000);
  const std::uint64_t before = identityOf(array);
  EXPECT_EQ(identityOf(array), before);
  array->SetTuple1(1999, 7);
  EXPECT_NE(identityOf(array), before);
}

TEST(SampleCache, MakesGhostFlagsOncePerIdentityAndKeepsThoseOfTheLastRun)
{
  SampleCache cache;
  int calls = 0;
  const auto ghostsOf = [&](std::uint64_t identity)
  {
    cache.beginRun();
    const auto flags = cache.ghosts(identity,
      [&]
      {
        ++calls;
        return GhostFlags{ { 1, 2 } };
      });
    cache.endRun();
    return flags;
  };
  const auto first = ghostsOf(5);
  EXPECT_EQ(ghostsOf(5), first);
  EXPECT_EQ(calls, 1);
  ghostsOf(6);
  EXPECT_EQ(calls, 2);
  ghostsOf(5); // the run with identity 6 removed them
  EXPECT_EQ(calls, 3);
}

}
