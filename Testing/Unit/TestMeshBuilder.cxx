// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Contour/MeshBuilder.h"

#include "Compute/Contour/TriangleIds.h"
#include "Support/BlockValues.h"

#include <gtest/gtest.h>

#include <cstring>
#include <numeric>
#include <vector>

namespace
{

using vmc::HostBlock;
using vmc::HostMemoryPool;
using vmc::Mesh;
using vmc::MeshBuilder;
using vmc::test::valuesOf;

template <class Value>
HostBlock blockOf(const std::vector<Value>& values)
{
  HostBlock block(values.size() * sizeof(Value));
  if (!values.empty())
    std::memcpy(block.data(), values.data(), block.size());
  return block;
}

// Three points whose coordinates count up from `first`, one triangle with ids that count up from `firstId`, and an
// attribute of two components.
Mesh part(float first, std::uint32_t firstId)
{
  std::vector<float> values(9);
  std::iota(values.begin(), values.end(), first);
  Mesh mesh;
  mesh.pointCount = 3;
  mesh.triangleCount = 1;
  mesh.positions = blockOf(values);
  mesh.triangles = blockOf<std::uint32_t>({ firstId, firstId + 1, firstId + 2 });
  mesh.attributes.push_back(blockOf<float>({ first, 0, first, 1, first, 2 }));
  return mesh;
}

// Requests normals, which the parts do not have, and one attribute.
Mesh finish(MeshBuilder& builder, bool mergePoints = true, bool wideIds = false)
{
  vmc::Attribute attribute;
  attribute.components = 2;
  return builder.finish(vmc::outputsOf(vmc::Request(), { attribute }), mergePoints, wideIds);
}

}

TEST(MeshBuilder, WithoutPartsMakesAnEmptyMesh)
{
  HostMemoryPool pool(nullptr);
  MeshBuilder builder(pool);
  builder.endIsovalue();
  builder.endIsovalue();
  const Mesh mesh = finish(builder);
  EXPECT_EQ(mesh.pointCount, 0u);
  EXPECT_EQ(mesh.triangleCount, 0u);
  EXPECT_EQ(mesh.positions.data(), nullptr);
  EXPECT_EQ(mesh.firstPoint, (std::vector<std::size_t>{ 0, 0, 0 }));
}

TEST(MeshBuilder, PassesOnASinglePartWithoutACopy)
{
  HostMemoryPool pool(nullptr);
  MeshBuilder builder(pool);
  Mesh only = part(1, 0);
  const std::byte* positions = only.positions.data();
  builder.add(std::move(only));
  builder.endIsovalue();
  const Mesh mesh = finish(builder);
  EXPECT_EQ(mesh.positions.data(), positions);
  EXPECT_EQ(mesh.firstPoint, (std::vector<std::size_t>{ 0, 3 }));
}

TEST(MeshBuilder, ArraysOfPartsAreConcatenated)
{
  HostMemoryPool pool(nullptr);
  MeshBuilder builder(pool);
  builder.add(part(1, 0));
  builder.endIsovalue();
  builder.endIsovalue(); // an isovalue without points
  builder.add(part(10, 3));
  builder.endIsovalue();
  const Mesh mesh = finish(builder);
  EXPECT_EQ(mesh.pointCount, 6u);
  EXPECT_EQ(mesh.triangleCount, 2u);
  std::vector<float> positions(18);
  std::iota(positions.begin(), positions.end(), 1.0f);
  EXPECT_EQ(valuesOf<float>(mesh.positions), positions);
  EXPECT_EQ(mesh.normals.size(), 0u); // no part had any
  EXPECT_EQ(valuesOf<std::uint32_t>(mesh.triangles), (std::vector<std::uint32_t>{ 0, 1, 2, 3, 4, 5 }));
  ASSERT_EQ(mesh.attributes.size(), 1u);
  EXPECT_EQ(valuesOf<float>(mesh.attributes[0]), (std::vector<float>{ 1, 0, 1, 1, 1, 2, 10, 0, 10, 1, 10, 2 }));
  EXPECT_EQ(mesh.firstPoint, (std::vector<std::size_t>{ 0, 3, 3, 6 }));
}

TEST(MeshBuilder, OffsetsAreThoseOfTheWholeMesh)
{
  for (const int parts : { 1, 3 })
    for (const bool hasOffsets : { true, false })
    {
      HostMemoryPool pool(nullptr);
      MeshBuilder builder(pool);
      for (int i = 0; i < parts; ++i)
      {
        Mesh next = part(1, 0);
        if (hasOffsets)
          next.offsets = vmc::triangleOffsets(pool, next.triangleCount, false);
        builder.add(std::move(next));
      }
      std::vector<std::int32_t> expected;
      for (int i = 0; i <= parts; ++i)
        expected.push_back(3 * i);
      EXPECT_EQ(valuesOf<std::int32_t>(finish(builder).offsets), expected);
    }
}

TEST(MeshBuilder, WidensTheIdsOfNarrowParts)
{
  for (const std::size_t parts : { 1, 3 })
    for (const bool mergePoints : { true, false })
    {
      HostMemoryPool pool(nullptr);
      MeshBuilder builder(pool);
      for (std::size_t i = 0; i < parts; ++i)
        builder.add(part(1, static_cast<std::uint32_t>(3 * i)));
      const Mesh mesh = finish(builder, mergePoints, true);
      EXPECT_TRUE(mesh.hasWideIds);
      const auto ids = valuesOf<std::int64_t>(mesh.triangles), offsets = valuesOf<std::int64_t>(mesh.offsets);
      ASSERT_EQ(ids.size(), 3 * parts);
      ASSERT_EQ(offsets.size(), parts + 1);
      for (std::size_t i = 0; i < ids.size(); ++i)
        EXPECT_EQ(ids[i], std::int64_t(i));
      for (std::size_t i = 0; i < offsets.size(); ++i)
        EXPECT_EQ(offsets[i], std::int64_t(3 * i));
    }
}

TEST(MeshBuilder, PassesOnASinglePartWithWideIdsWithoutACopy)
{
  HostMemoryPool pool(nullptr);
  MeshBuilder builder(pool);
  Mesh only = part(1, 0);
  only.triangles = blockOf<std::int64_t>({ 0, 1, 2 });
  only.offsets = vmc::triangleOffsets(pool, 1, true);
  only.hasWideIds = true;
  const std::byte* const ids = only.triangles.data();
  const std::byte* const offsets = only.offsets.data();
  builder.add(std::move(only));
  const Mesh mesh = finish(builder, true, true);
  EXPECT_EQ(mesh.triangles.data(), ids);
  EXPECT_EQ(mesh.offsets.data(), offsets);
}

// The mesh says that it has 2^31 points; it has the ids of three of them.
TEST(MeshBuilder, IdsThatDoNotFitSigned32BitsAreWideWithoutARequest)
{
  for (const int parts : { 1, 2 })
  {
    HostMemoryPool pool(nullptr);
    MeshBuilder builder(pool);
    for (int i = 0; i < parts; ++i)
    {
      Mesh next = part(1, 0xFFFFFFFC);
      next.pointCount = 0x80000000 / static_cast<std::size_t>(parts);
      builder.add(std::move(next));
    }
    const Mesh mesh = finish(builder);
    EXPECT_TRUE(mesh.hasWideIds);
    const std::vector<std::int64_t> ids = valuesOf<std::int64_t>(mesh.triangles);
    ASSERT_EQ(ids.size(), 3u * parts);
    EXPECT_EQ(ids.back(), 0xFFFFFFFE);
    EXPECT_EQ(valuesOf<std::int64_t>(mesh.offsets).back(), 3 * parts);
  }
}

// Several threads fill the offsets of 1,500,000 triangles.
TEST(TriangleIds, OffsetsAreTheMultiplesOfThree)
{
  HostMemoryPool pool(nullptr);
  for (const std::size_t triangles : { 0, 1, 1500000 })
  {
    const auto narrow = valuesOf<std::int32_t>(vmc::triangleOffsets(pool, triangles, false));
    const auto wide = valuesOf<std::int64_t>(vmc::triangleOffsets(pool, triangles, true));
    ASSERT_EQ(narrow.size(), triangles + 1);
    ASSERT_EQ(wide.size(), triangles + 1);
    for (std::size_t i = 0; i <= triangles; ++i)
      ASSERT_TRUE(narrow[i] == std::int32_t(3 * i) && wide[i] == std::int64_t(3 * i)) << i;
  }
}

// Several threads widen 1,500,000 numbers.
TEST(TriangleIds, WidenedNumbersCountFromTheFirst)
{
  HostMemoryPool pool(nullptr);
  for (const std::size_t count : { 0, 1, 1500000 })
  {
    std::vector<std::int64_t> wide(count + 1, 7);
    vmc::widen(vmc::countUp(pool, count, false).data(), count, 0xFFFFFFFFF, reinterpret_cast<std::byte*>(wide.data()));
    EXPECT_EQ(wide[count], 7);
    for (std::size_t i = 0; i < count; ++i)
      ASSERT_EQ(wide[i], 0xFFFFFFFFF + std::int64_t(i));
  }
}

TEST(TriangleIds, AreNarrowUpToTheLargestSignedNumberOf32Bits)
{
  EXPECT_TRUE(vmc::idsAreNarrow(0x7FFFFFFF, 0x7FFFFFFF / 3));
  EXPECT_FALSE(vmc::idsAreNarrow(0x80000000, 1));
  EXPECT_FALSE(vmc::idsAreNarrow(1, 0x7FFFFFFF / 3 + 1));
}

TEST(MeshBuilder, WithoutMergedPointsTheIdsCountUp)
{
  HostMemoryPool pool(nullptr);
  MeshBuilder builder(pool);
  builder.add(part(1, 77));
  builder.add(part(10, 99));
  EXPECT_EQ(
    valuesOf<std::uint32_t>(finish(builder, false).triangles), (std::vector<std::uint32_t>{ 0, 1, 2, 3, 4, 5 }));
}
