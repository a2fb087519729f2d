// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Contour/JoinedMesh.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <random>
#include <vector>

using vmc::HostBlock;
using vmc::HostMemoryPool;
using vmc::JoinedMesh;
using vmc::Mesh;
using vmc::Request;

namespace
{

// A point's x names it; a triangle's corners are points of its own mesh or the next one.
struct Part
{
  std::vector<std::vector<float>> points;          // [isovalue][point]
  std::vector<std::vector<std::uint32_t>> corners; // [isovalue][3 * triangle + corner], from the isovalue's first point
};

class JoinedMeshes : public ::testing::Test
{
protected:
  template <class Value>
  HostBlock blockOf(const std::vector<Value>& values)
  {
    HostBlock block = this->Blocks.acquire(values.size() * sizeof(Value));
    if (!values.empty())
      std::memcpy(block.data(), values.data(), values.size() * sizeof(Value));
    return block;
  }

  // A part per number: that many random points at most, and twice as many triangles, for each isovalue.
  std::vector<Part> randomParts(const std::vector<std::size_t>& most, std::size_t isovalues)
  {
    std::vector<Part> parts(most.size());
    for (std::size_t i = 0; i < parts.size(); ++i)
      for (std::size_t isovalue = 0; isovalue < isovalues; ++isovalue)
      {
        std::vector<float>& points = parts[i].points.emplace_back(this->upTo(most[i]));
        for (float& point : points)
          point = static_cast<float>(++this->Names);
      }
    for (std::size_t i = 0; i < parts.size(); ++i)
      for (std::size_t isovalue = 0; isovalue < isovalues; ++isovalue)
      {
        const std::size_t next = i + 1 < parts.size() ? parts[i + 1].points[isovalue].size() : 0;
        const std::size_t reachable = parts[i].points[isovalue].size() + next;
        std::vector<std::uint32_t>& corners = parts[i].corners.emplace_back();
        for (std::size_t corner = 3 * (reachable == 0 ? 0 : this->upTo(2 * most[i])); corner != 0; --corner)
          corners.push_back(static_cast<std::uint32_t>(this->upTo(reachable - 1)));
      }
    return parts;
  }

  Mesh meshOf(const Part& part)
  {
    Mesh mesh;
    std::vector<float> positions;
    std::vector<std::uint32_t> corners;
    for (std::size_t isovalue = 0; isovalue < part.points.size(); ++isovalue)
    {
      const auto firstPoint = static_cast<std::uint32_t>(positions.size() / 3);
      mesh.firstPoint.push_back(firstPoint);
      mesh.firstTriangle.push_back(corners.size() / 3);
      for (const float point : part.points[isovalue])
        positions.insert(positions.end(), { point, 1, 2 });
      for (const std::uint32_t corner : part.corners[isovalue])
        corners.push_back(firstPoint + corner);
    }
    mesh.pointCount = positions.size() / 3;
    mesh.triangleCount = corners.size() / 3;
    mesh.firstPoint.push_back(mesh.pointCount);
    mesh.firstTriangle.push_back(mesh.triangleCount);
    mesh.positions = this->blockOf(positions);
    mesh.triangles = this->blockOf(corners);
    return mesh;
  }

  Mesh joined(const std::vector<Part>& parts, const Request& request)
  {
    Request ofParts = request;
    ofParts.wideIds = false;
    JoinedMesh joined(parts.size(), vmc::outputsOf(ofParts, {}), request, this->Blocks);
    for (const Part& part : parts)
      joined.add(this->meshOf(part));
    return joined.finish();
  }

  // The names of the points, and those of the corners of each isovalue's triangles, one part after the other.
  template <class Id>
  void expectRight(const std::vector<Part>& parts, const Mesh& mesh)
  {
    const auto* const positions = reinterpret_cast<const float*>(mesh.positions.data());
    const auto* const ids = reinterpret_cast<const Id*>(mesh.triangles.data());
    std::size_t point = 0, corner = 0;
    for (std::size_t isovalue = 0; isovalue < parts.front().points.size(); ++isovalue)
    {
      EXPECT_EQ(mesh.firstPoint[isovalue], point);
      EXPECT_EQ(mesh.firstTriangle[isovalue], corner / 3);
      for (std::size_t i = 0; i < parts.size(); ++i)
      {
        for (const float name : parts[i].points[isovalue])
          ASSERT_EQ(positions[3 * point++], name);
        std::vector<float> names = parts[i].points[isovalue];
        if (i + 1 < parts.size())
          names.insert(names.end(), parts[i + 1].points[isovalue].begin(), parts[i + 1].points[isovalue].end());
        for (const std::uint32_t expected : parts[i].corners[isovalue])
          ASSERT_EQ(positions[3 * ids[corner++]], names[expected]);
      }
    }
    ASSERT_EQ(mesh.pointCount, point);
    ASSERT_EQ(mesh.triangleCount, corner / 3);
    EXPECT_EQ(mesh.positions.size(), 12 * point);
    EXPECT_EQ(mesh.triangles.size(), sizeof(Id) * corner);
  }

  std::size_t upTo(std::size_t most) { return std::uniform_int_distribution<std::size_t>(0, most)(this->Engine); }

  HostMemoryPool Blocks{ /*isForDevices*/ false };
  std::mt19937 Engine{ 7 };
  std::uint32_t Names = 0;
};

// Sizes that stay, grow, shrink, and begin and end with nothing, so that blocks are reused, moved and too large.
const std::vector<std::size_t> Sizes[] = { { 900 }, { 9000, 9000, 9000, 9000, 9000, 9000, 9000, 9000 },
  { 10, 100, 1000, 10000, 100000 }, { 100000, 10000, 1000, 100, 10 }, { 0, 0, 50000, 0, 0 }, { 0, 0 } };

}

TEST_F(JoinedMeshes, PointsAndTrianglesOfEachIsovalueFollowEachOther)
{
  for (const std::vector<std::size_t>& sizes : Sizes)
    for (const std::size_t isovalues : { 1u, 1u, 1u, 3u })
      for (const bool isWide : { false, true })
      {
        Request request;
        request.isovalues.resize(isovalues);
        request.computeNormals = false;
        request.wideIds = isWide;
        const std::vector<Part> parts = this->randomParts(sizes, isovalues);
        const Mesh mesh = this->joined(parts, request);
        EXPECT_EQ(mesh.hasWideIds, isWide && mesh.triangleCount != 0);
        if (isWide)
          this->expectRight<std::int64_t>(parts, mesh);
        else
          this->expectRight<std::uint32_t>(parts, mesh);
        // As the header says, of a block that the pool may take for a smaller one.
        EXPECT_LE(mesh.positions.capacity(), HostBlock::capacityFor(8 * mesh.positions.size()) / 4 * 5);
      }
}

// A point at the border of a mesh may belong to triangles of the mesh before alone. Then the triangles of the second
// isovalue stay where they are, but their ids do not.
TEST_F(JoinedMeshes, IdsCountPointsThatComeBeforeThemWithoutTriangles)
{
  Request request;
  request.isovalues.resize(2);
  request.computeNormals = false;
  const std::vector<Part> parts{ { { { 1, 2, 3 }, { 4, 5, 6 } }, { { 0, 1, 3 }, { 2, 1, 0 } } },
    { { { 7 }, {} }, { {}, {} } } };
  this->expectRight<std::uint32_t>(parts, this->joined(parts, request));
}
