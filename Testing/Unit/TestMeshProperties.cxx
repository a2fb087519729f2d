// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Tests of Support/MeshProperties.h, with meshes whose properties are counted by hand.
#include "Support/MeshProperties.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace
{

using vmc::test::EdgeUse;
using vmc::test::MeshView;

// A corner of the unit cube cut off: four points, four triangles, counterclockwise seen from outside.
const std::vector<float> Positions = { 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1 };
const std::vector<std::uint32_t> ClosedTriangles = { 0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3 };

// The triangles must outlive the view.
MeshView view(const std::vector<std::uint32_t>& triangles)
{
  return { Positions.data(), Positions.size() / 3, triangles.data(), triangles.size() / 3 };
}

}

TEST(MeshProperties, OfATetrahedronAreThoseCountedByHand)
{
  const MeshView mesh = view(ClosedTriangles);
  EXPECT_TRUE(vmc::test::edgeUseOf(mesh).isClosed());
  EXPECT_EQ(vmc::test::edgeUseOf(mesh).edges, 6u);
  EXPECT_EQ(vmc::test::eulerCharacteristicOf(mesh), 2);
  EXPECT_DOUBLE_EQ(vmc::test::signedVolumeOf(mesh), 1.0 / 6);
  EXPECT_DOUBLE_EQ(vmc::test::areaOf(mesh), 1.5 + std::sqrt(3.0) / 2);
  EXPECT_EQ(vmc::test::badIds(mesh) + vmc::test::degenerateTriangles(mesh) + vmc::test::unreferencedPoints(mesh), 0u);
}

TEST(MeshProperties, OpenMeshHasBorderEdges)
{
  const std::vector<std::uint32_t> triangles = { 0, 2, 1, 0, 1, 3 };
  const EdgeUse use = vmc::test::edgeUseOf(view(triangles));
  EXPECT_EQ(use.border, 4u);
  EXPECT_TRUE(use.isManifold());
  EXPECT_FALSE(use.isClosed());
}

TEST(MeshProperties, AReversedTriangleDoublesItsEdges)
{
  const std::vector<std::uint32_t> triangles = { 0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 3, 2 };
  EXPECT_EQ(vmc::test::edgeUseOf(view(triangles)).doubled, 3u);
}

TEST(MeshProperties, ARepeatedTriangleOverusesItsEdges)
{
  std::vector<std::uint32_t> triangles = ClosedTriangles;
  triangles.insert(triangles.end(), { 0, 2, 1 });
  EXPECT_EQ(vmc::test::edgeUseOf(view(triangles)).overused, 3u);
}

TEST(MeshProperties, BadIdsAndUnusedPointsAreCounted)
{
  const std::vector<std::uint32_t> triangles = { 0, 1, 4, 2, 2, 1 };
  const MeshView mesh = view(triangles);
  EXPECT_EQ(vmc::test::badIds(mesh), 1u);
  EXPECT_EQ(vmc::test::degenerateTriangles(mesh), 1u);
  EXPECT_EQ(vmc::test::unreferencedPoints(mesh), 1u);
}
