// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Embedded/Kernels.h"
#include "Reference/EmitTriangles.h"

#include "KernelRunner.h"
#include "Reference/SlabReference.h"
#include "Shared/Bindings.h"
#include "SlabInputs.h"
#include "Support/GpuTest.h"

namespace vmc::test
{

class EmitTriangles : public GpuTest
{
protected:
  static void writeInputs(KernelRunner& runner, const reference::SlabReference& slabReference)
  {
    runner.write(BINDING_CASE_TABLE, std::vector<PackedCase>(packedCaseTable().begin(), packedCaseTable().end()));
    runner.write(BINDING_ACTIVE_BRICK, slabReference.activeBrick);
    runner.write(BINDING_SLOT_OF_BRICK, slabReference.slotOfBrick);
    runner.write(BINDING_ROWS, slabReference.rows);
    runner.write(BINDING_VALID_CELLS, slabReference.validCells);
    runner.write(BINDING_BRICK_OFFSET, slabReference.brickOffset);
    runner.write(BINDING_TOTALS, slabReference.total);
  }

  void expectReference(Context& context, const SlabInput& input)
  {
    const reference::SlabReference slabReference(input.slab, input.samples, input.ghosts);
    this->expectReference(context, input, slabReference, slabReference);
  }

  // read: the outputs of earlier kernels that EmitTriangles reads.
  void expectReference(Context& context, const SlabInput& input, const reference::SlabReference& slabReference,
    const reference::SlabReference& read)
  {
    const std::size_t active = slabReference.activeCount();
    const std::size_t triangles = slabReference.emitCount() < active
                                    ? slabReference.brickOffset[active + slabReference.emitCount()]
                                    : slabReference.total[TOTAL_TRIANGLES];
    const std::size_t end = input.slab.triangleStart + triangles;
    const std::size_t wordsPerId = (input.slab.settings & SETTING_WIDE_IDS) != 0 ? 2 : 1;
    std::vector<std::uint32_t> pointId(3 * end * wordsPerId + 1, CanaryWord), cell(2 * end + 1, CanaryWord);
    KernelRunner runner(context);
    writeInputs(runner, read);
    runner.write(BINDING_TRIANGLE, pointId);
    runner.write(BINDING_TRIANGLE_CELL, cell);
    Specialization specialization = input.specialization();
    specialization[SPECIALIZE_BLANKING] = slabReference.blanking ? 1 : 0;
    runner.run(kernels::EmitTriangles, specialization, slabReference.slab, slabReference.emitCount());
    reference::emitTriangles(slabReference.slab, slabReference.grid(), slabReference.activeBrick, slabReference.rows,
      slabReference.brickOffset, slabReference.emitCount(), pointId, cell);
    EXPECT_EQ(runner.read<std::uint32_t>(BINDING_TRIANGLE_CELL, cell.size()), cell) << input.name;
    EXPECT_EQ(runner.read<std::uint32_t>(BINDING_TRIANGLE, pointId.size()), pointId) << input.name;
  }
};

// With random samples a brick has more than EMIT_LIST_SIZE triangles.
TEST_F(EmitTriangles, AreThoseOfTheReference)
{
  for (const SlabInput& input : slabInputs())
    this->expectReference(this->context(), input);
}

// The totals are those of the slab's own bricks. Offsets of the points of the halo layer begin at 0; its triangles have
// no offsets.
TEST_F(EmitTriangles, AreTheSameIfTheRowsOfTheHaloLayerAreCopied)
{
  std::size_t slabs = 0;
  for (const SlabInput& input : slabInputs())
  {
    const reference::SlabReference counted(input.slab, input.samples, input.ghosts);
    const std::size_t own = counted.emitCount(), active = counted.activeCount();
    if (own == 0 || own == active)
      continue;
    ++slabs;
    reference::SlabReference copied = counted;
    copied.total[TOTAL_ACTIVE] = static_cast<std::uint32_t>(own);
    copied.total[TOTAL_POINTS] = counted.brickOffset[own];
    copied.total[TOTAL_TRIANGLES] = counted.brickOffset[active + own];
    const std::uint32_t ofLastBrick = counted.brickOffset[active + own - 1]; // if read, the brick emits nothing
    for (std::size_t slot = own; slot < active; ++slot)
    {
      copied.brickOffset[slot] -= counted.brickOffset[own];
      copied.brickOffset[active + slot] = ofLastBrick;
    }
    this->expectReference(this->context(), input, counted, copied);
  }
  EXPECT_GT(slabs, 10u);
}

TEST_F(EmitTriangles, CountIdsFromThePointBaseAndReverseTheirWindingInAMirror)
{
  SlabInput input = makeSlabInput({ { 17, 13, 31 }, SampleType::UInt8, 1, 1, 2 });
  input.slab.pointBase = 123456;
  this->expectReference(this->context(), input);
  input.slab.settings |= SETTING_FLIP_WINDING;
  this->expectReference(this->context(), input);
}

TEST_F(EmitTriangles, AreWrittenAtTheirPlaceWithIdsOf64Bits)
{
  SlabInput input = makeSlabInput({ { 17, 13, 31 }, SampleType::UInt8, 1, 1, 2 });
  input.slab.pointBase = 0xFFFF0000u;
  for (const std::uint32_t start : { 0u, 1u, 63u })
    for (const std::uint32_t setting : { 0u, SETTING_WIDE_IDS })
    {
      input.slab.triangleStart = start;
      input.slab.settings = (input.slab.settings & ~SETTING_WIDE_IDS) | setting;
      this->expectReference(this->context(), input);
    }
}

TEST_F(EmitTriangles, WithoutCapacityAreNotWritten)
{
  for (const std::uint32_t layers : { 0u, 2u }) // 2: with a halo layer
  {
    const SlabInput input = makeSlabInput({ { 17, 13, 31 }, SampleType::UInt8, 0, 1, layers });
    const reference::SlabReference slabReference(input.slab, input.samples);
    const std::uint32_t triangles = slabReference.total[layers == 0 ? TOTAL_TRIANGLES : TOTAL_OWN_TRIANGLES];
    const auto writes = [&](std::uint32_t activeCapacity, std::uint32_t triangleCapacity)
    {
      SlabConstants slab = slabReference.slab;
      slab.activeCapacity = activeCapacity;
      slab.triangleCapacity = triangleCapacity;
      slab.settings = 0;
      KernelRunner runner(this->context());
      writeInputs(runner, slabReference);
      const std::vector<std::uint32_t> canaryWords(3 * std::size_t(triangles), CanaryWord);
      runner.write(BINDING_TRIANGLE, canaryWords);
      runner.run(kernels::EmitTriangles, input.specialization(), slab, slabReference.activeCount());
      return runner.read<std::uint32_t>(BINDING_TRIANGLE, canaryWords.size()) != canaryWords;
    };
    EXPECT_TRUE(writes(slabReference.activeCount(), triangles)) << input.name;
    EXPECT_FALSE(writes(slabReference.activeCount(), triangles - 1)) << input.name;
    EXPECT_FALSE(writes(slabReference.activeCount() - 1, triangles)) << input.name;
  }
}

TEST_F(EmitTriangles, WorkgroupsFoldedIntoTheSecondAxisEmitTheSame)
{
  Context narrow(optionsWithWorkgroups(8));
  this->expectReference(narrow, makeSlabInput({ { 23, 19, 17 } })); // 27 bricks: 8 x 4 workgroups
}

}
