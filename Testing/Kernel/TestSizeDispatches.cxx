#include "SizeDispatches.h"

#include "Bindings.h"
#include "GpuTest.h"
#include "KernelRunner.h"

namespace vmc::test
{

class SizeDispatches : public GpuTest
{
protected:
  using Words = std::vector<std::uint32_t>;

  // Totals in the order of Constants.h: active bricks, own ones, own points and triangles, all points and triangles.
  void expectTwin(const RoomConstants& room, Words total)
  {
    total.resize(TOTAL_WORDS);
    Words dispatch(3 * DISPATCH_KINDS + 1, Untouched);
    KernelRunner runner(*this->device());
    runner.write(BINDING_TOTALS, total);
    runner.write(BINDING_DISPATCH, dispatch);
    runner.run(shaders::SizeDispatches, {}, room, 1);
    reference::sizeDispatches(room, total, dispatch);
    EXPECT_EQ(runner.read<std::uint32_t>(BINDING_DISPATCH, dispatch.size()), dispatch)
      << total[TOTAL_ACTIVE] << " active bricks, " << room.maxGroups << " groups";
  }
};

TEST_F(SizeDispatches, OneGroupABrickFoldedWhereOneAxisDoesNotReach)
{
  for (const std::uint32_t bricks : { 0u, 1u, 9u, 10u, 11u, 20u, 99u, 100u })
    this->expectTwin({ 10, 0, 0, 100, 1000, 1000 }, { bricks, 0, 0, 0, 7 * bricks, 9 * bricks });
}

TEST_F(SizeDispatches, NoGroupWhereRoomIsLacking)
{
  for (const std::uint32_t room : { 99u, 100u, 101u })
    for (const std::uint32_t others : { 0u, 1u })
    {
      this->expectTwin({ 65535, others, 0, room, 100, 100 }, { 100, 100, 0, 0, 100, 100 });
      this->expectTwin({ 65535, others, 0, 100, room, 100 }, { 100, 100, 0, 0, 100, 100 });
      this->expectTwin({ 65535, others, 0, 100, 100, room }, { 100, 100, 0, 0, 100, 100 });
    }
}

TEST_F(SizeDispatches, TheLookAheadLayerIsCountedAndNotEmitted)
{
  for (const std::uint32_t own : { 0u, 40u, 50u }) // 50: the layer has no active brick, and the scan met no split
    for (const std::uint32_t emitsAhead : { 0u, 1u })
      for (const std::uint32_t room : { 200u, 600u })
        this->expectTwin({ 65535, 1, emitsAhead, 50, room, room }, { 50, own, 200, 200, 600, 600 });
}

}
