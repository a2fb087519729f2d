// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Rays/RayTables.h"
#include "Embedded/Kernels.h"
#include "Reference/BoundRays.h"

#include "KernelRunner.h"
#include "Shared/Bindings.h"
#include "Support/GpuTest.h"
#include "Support/View.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <random>

namespace vmc::test
{

class BoundRays : public GpuTest
{
protected:
  static constexpr std::array<std::uint32_t, 3> Bricks = { 6, 5, 9 };
  static constexpr std::uint32_t Width = 101, Height = 67; // the last packets are not full

  // Marks one brick in `oneIn` of a volume, and compares the bounds of a view with those of all rays.
  void expectReference(const View& view, const SampleGeometry& geometry, unsigned oneIn)
  {
    Volume volume;
    volume.size = { BRICK_SIZE * Bricks[0], BRICK_SIZE * Bricks[1], BRICK_SIZE * Bricks[2] - 3 };
    volume.geometry = geometry;
    const std::optional<RayTable> table = rayTableOf(cameraOf(view, Width, Height), volume);
    ASSERT_TRUE(table);
    const std::vector<reference::Box> marked = this->mark(volume, oneIn);
    const std::vector<reference::RayBound> expected = reference::boundRays(*table, marked);
    const std::vector<std::uint32_t> words = this->run(volume, *table, expected.size());
    for (std::size_t packet = 0; packet < expected.size(); ++packet)
      this->compare(expected[packet], words[2 * packet], words[2 * packet + 1]);
    EXPECT_EQ(words[2 * expected.size()], CanaryWord);
  }

  // A view from this direction and distance from the centre, in extents of the volume.
  static View viewFrom(const Vector& direction, double distance, bool isParallel)
  {
    View view;
    view.center = { 23, 20, 33 };
    for (std::size_t a = 0; a < 3; ++a)
      view.eye[a] = view.center[a] + 72 * distance * normalized(direction)[a];
    view.nearPlane = isParallel ? -150 : 1;
    view.farPlane = 500;
    view.isParallel = isParallel;
    view.size = isParallel ? 90 : 0.9;
    return view;
  }

  std::size_t Packets = 0, Written = 0, Covered = 0, Tight = 0;

private:
  std::vector<reference::Box> mark(const Volume& volume, unsigned oneIn)
  {
    this->Masks.assign(std::size_t(2) * 2 * 2 * 3, 0);
    std::vector<reference::Box> marked;
    for (std::uint32_t z = 0; z < Bricks[2]; ++z)
      for (std::uint32_t y = 0; y < Bricks[1]; ++y)
        for (std::uint32_t x = 0; x < Bricks[0]; ++x)
        {
          if (oneIn == 0 || this->Random() % oneIn != 0)
            continue;
          const std::uint32_t bit = x % 4 + 4 * (y % 4) + 16 * (z % 4);
          this->Masks[2 * (x / 4 + 2 * (y / 4 + 2 * (z / 4))) + bit / 32] |= 1u << bit % 32;
          marked.push_back({ { 8.0 * x, 8.0 * y, 8.0 * z },
            { std::min(8.0 * x + 8, volume.size[0] - 1.0), std::min(8.0 * y + 8, volume.size[1] - 1.0),
              std::min(8.0 * z + 8, volume.size[2] - 1.0) } });
        }
    return marked;
  }

  std::vector<std::uint32_t> run(const Volume& volume, const RayTable& table, std::size_t packets)
  {
    SlabConstants slab{};
    slab.sizeX = volume.size[0];
    slab.sizeY = volume.size[1];
    slab.sizeZ = volume.size[2];
    std::vector<std::uint32_t> words(2 * packets, RAY_NO_BOUND);
    words.push_back(CanaryWord);
    KernelRunner runner(this->context());
    runner.write(BINDING_BRICK_MASK, this->Masks);
    runner.write(BINDING_RAYS, std::vector<RayTable>{ table });
    runner.write(BINDING_RAY_BOUND, words);
    runner.run(kernels::BoundRays, {}, slab, this->Masks.size() / 2);
    return runner.read<std::uint32_t>(BINDING_RAY_BOUND, words.size());
  }

  // No ray may touch a marked brick beyond the bounds. They are tight if they are nearer than 0.15 of the
  // way through the volume: one or two bricks.
  void compare(const reference::RayBound& expected, std::uint32_t entryBits, std::uint32_t exitBits)
  {
    ++this->Packets;
    this->Written += entryBits != RAY_NO_BOUND || exitBits != RAY_NO_BOUND ? 1 : 0;
    if (expected.entry > expected.exit)
      return;
    ASSERT_NE(entryBits, RAY_NO_BOUND);
    float entry = 0, exit = 0;
    exitBits = ~exitBits;
    std::memcpy(&entry, &entryBits, sizeof(entry));
    std::memcpy(&exit, &exitBits, sizeof(exit));
    ASSERT_LE(entry, expected.entry);
    ASSERT_GE(exit, expected.exit);
    ++this->Covered;
    this->Tight += expected.entry - entry < 0.15 && exit - expected.exit < 0.15 ? 1 : 0;
  }

  std::mt19937 Random{ 11 };
  std::vector<std::uint32_t> Masks;
};

TEST_F(BoundRays, NoRayTouchesAMarkedBrickBeyondTheBounds)
{
  const SampleGeometry oblique{ { 5, -7, 3 }, { { { 0.5, 0.1, 0 }, { -0.2, 1.5, 0.3 }, { 0, 0.25, 1 } } } };
  const SampleGeometry mirrored{ { 46, 0, 0 }, { { { -1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } } } };
  for (const SampleGeometry& geometry : { SampleGeometry(), oblique, mirrored })
    for (const bool isParallel : { false, true })
      for (const Vector& direction : { Vector{ 1, 0.8, 0.6 }, { -0.3, 1, -0.7 }, { 0, 0, 1 }, { 0, -1, 0 } })
        for (const double distance : { 1.3, 4.0 })
          this->expectReference(viewFrom(direction, distance, isParallel), geometry, 12);
  EXPECT_GT(this->Covered, this->Packets / 10);
  // A packet at the outline of a brick may get the brick's bounds though its rays pass beside it.
  EXPECT_GT(this->Tight, this->Covered * 3 / 4);
}

// Bricks lie around the eye, before the near plane and behind it, and cover many packets.
TEST_F(BoundRays, TheEyeMayLieInTheVolume)
{
  for (const unsigned oneIn : { 1, 3, 30 })
    for (const Vector& direction : { Vector{ 1, 0.8, 0.6 }, { -0.3, 1, -0.7 }, { 0, 0, 1 }, { 0, -1, 0 } })
      for (const double distance : { 0.05, 0.2, 0.35 })
        this->expectReference(viewFrom(direction, distance, false), SampleGeometry(), oneIn);
  EXPECT_GT(this->Covered, this->Packets / 2);
}

TEST_F(BoundRays, WithoutMarksNothingIsWritten)
{
  this->expectReference(viewFrom({ 1, 1, 1 }, 2, false), SampleGeometry(), 0);
  EXPECT_GT(this->Packets, 0u);
  EXPECT_EQ(this->Written, 0u);
}

}
