// Twin of the kernel SizeDispatches.
#ifndef vmcReferenceSizeDispatches_h
#define vmcReferenceSizeDispatches_h

#include "Constants.h"
#include "Structs.h"

#include <cstdint>
#include <vector>

namespace vmc::reference
{

// Groups of one dispatch, as Vulkan reads them.
inline void sizeDispatch(
  const RoomConstants& room, std::uint32_t kind, std::uint32_t groups, std::vector<std::uint32_t>& dispatch)
{
  dispatch[3 * kind] = groups > room.maxGroups ? room.maxGroups : groups;
  dispatch[3 * kind + 1] = groups / room.maxGroups + (groups % room.maxGroups != 0 ? 1 : 0);
  dispatch[3 * kind + 2] = 1;
}

inline void sizeDispatches(
  const RoomConstants& room, const std::vector<std::uint32_t>& total, std::vector<std::uint32_t>& dispatch)
{
  std::uint32_t bricks = total[TOTAL_ACTIVE], points = total[TOTAL_POINTS], triangles = total[TOTAL_TRIANGLES];
  std::uint32_t pointBricks = bricks, triangleBricks = bricks;
  if (room.hasLookAhead != 0 && total[TOTAL_OWN_ACTIVE] != bricks)
  {
    triangleBricks = total[TOTAL_OWN_ACTIVE];
    triangles = total[TOTAL_OWN_TRIANGLES];
    if (room.emitsAhead == 0)
    {
      pointBricks = triangleBricks;
      points = total[TOTAL_OWN_POINTS];
    }
  }
  if (bricks > room.activeRoom)
    bricks = pointBricks = triangleBricks = 0;
  sizeDispatch(room, DISPATCH_COUNT_BRICKS, bricks, dispatch);
  sizeDispatch(room, DISPATCH_EMIT_POINTS, points > room.pointRoom ? 0 : pointBricks, dispatch);
  sizeDispatch(room, DISPATCH_EMIT_TRIANGLES, triangles > room.triangleRoom ? 0 : triangleBricks, dispatch);
}

}

#endif
