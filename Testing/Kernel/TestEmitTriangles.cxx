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
  static void writeInputs(KernelRunner& runner, const reference::SlabReference& twins)
  {
    runner.write(BINDING_CASE_TABLE, std::vector<PackedCase>(packedCaseTable().begin(), packedCaseTable().end()));
    runner.write(BINDING_ACTIVE_BRICK, twins.activeBrick);
    runner.write(BINDING_SLOT_OF_BRICK, twins.slotOfBrick);
    runner.write(BINDING_ROW_EDGES, twins.rowEdges);
    runner.write(BINDING_ROW_POINT_OFFSET, twins.rowPointOffset);
    runner.write(BINDING_VALID_CELLS, twins.validCells);
    runner.write(BINDING_BRICK_OFFSET, twins.brickOffset);
    runner.write(BINDING_TOTALS, twins.total);
  }

  void expectReference(const Device& device, const SlabInput& input, bool asOnGpu = false)
  {
    const reference::SlabReference twins(input.slab, input.samples, input.ghosts);
    const std::size_t active = twins.activeCount();
    const std::size_t triangles =
      twins.emitCount() < active ? twins.brickOffset[active + twins.emitCount()] : twins.total[TOTAL_TRIANGLES];
    std::vector<std::uint32_t> pointId(3 * triangles + 1, Untouched), cell(triangles + 1, Untouched);
    KernelRunner runner(device);
    writeInputs(runner, twins);
    runner.write(BINDING_TRIANGLE, pointId);
    runner.write(BINDING_TRIANGLE_CELL, cell);
    Specialization specialization = input.specialization(asOnGpu);
    specialization[SPECIALIZE_BLANKING] = twins.blanking ? 1 : 0;
    runner.run(kernels::EmitTriangles, specialization, twins.slab, twins.emitCount());
    reference::emitTriangles(
      twins.slab, twins.grid(), twins.activeBrick, twins.rowEdges, twins.brickOffset, twins.emitCount(), pointId, cell);
    EXPECT_EQ(runner.read<std::uint32_t>(BINDING_TRIANGLE_CELL, cell.size()), cell) << input.name;
    EXPECT_EQ(runner.read<std::uint32_t>(BINDING_TRIANGLE, pointId.size()), pointId) << input.name;
  }
};

TEST_F(EmitTriangles, NameThePointsThatTheTwinNames)
{
  for (const SlabInput& input : slabInputs())
    this->expectReference(*this->device(), input);
}

// Random samples make more triangles a brick than a GPU lists at a time.
TEST_F(EmitTriangles, AsOnAGpuNameTheSamePoints)
{
  for (const SlabInput& input : slabInputs())
    this->expectReference(*this->device(), input, true);
}

TEST_F(EmitTriangles, CountIdsFromThePointBaseAndTurnRoundInAMirror)
{
  SlabInput input = makeSlabInput({ { 17, 13, 31 }, SampleType::UInt8, 1, 1, 2 });
  input.slab.pointBase = 123456;
  this->expectReference(*this->device(), input);
  input.slab.settings |= SETTING_FLIP_WINDING;
  this->expectReference(*this->device(), input);
}

TEST_F(EmitTriangles, WithoutRoomWriteNothing)
{
  for (const std::uint32_t layers : { 0u, 2u }) // 2: with a look-ahead layer
  {
    const SlabInput input = makeSlabInput({ { 17, 13, 31 }, SampleType::UInt8, 0, 1, layers });
    const reference::SlabReference twins(input.slab, input.samples);
    const std::uint32_t triangles = twins.total[layers == 0 ? TOTAL_TRIANGLES : TOTAL_OWN_TRIANGLES];
    const auto writes = [&](std::uint32_t activeCapacity, std::uint32_t triangleCapacity)
    {
      SlabConstants slab = twins.slab;
      slab.activeCapacity = activeCapacity;
      slab.triangleCapacity = triangleCapacity;
      slab.settings = 0;
      KernelRunner runner(*this->device());
      writeInputs(runner, twins);
      const std::vector<std::uint32_t> untouched(3 * std::size_t(triangles), Untouched);
      runner.write(BINDING_TRIANGLE, untouched);
      runner.run(kernels::EmitTriangles, input.specialization(), slab, twins.activeCount());
      return runner.read<std::uint32_t>(BINDING_TRIANGLE, untouched.size()) != untouched;
    };
    EXPECT_TRUE(writes(twins.activeCount(), triangles)) << input.name;
    EXPECT_FALSE(writes(twins.activeCount(), triangles - 1)) << input.name;
    EXPECT_FALSE(writes(twins.activeCount() - 1, triangles)) << input.name;
  }
}

TEST_F(EmitTriangles, GroupsThatFoldIntoTheSecondAxisEmitTheSame)
{
  const Device narrow({}, { ~0ull, 1, 8 });
  this->expectReference(narrow, makeSlabInput({ { 23, 19, 17 } })); // 27 bricks: 8 x 4 groups
}

}
