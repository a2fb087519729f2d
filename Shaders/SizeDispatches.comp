// One invocation.
// Reads the totals so far; writes the groups of the passes that follow, one an active brick: none where the buffers lack
// room for what they would make, which the host sees from the totals. What is not known yet is sized again later.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "Shared/Constants.h"
layout(local_size_x = 1) in;
#include "Shared/Bindings.h"
#include "Shared/Structs.h"

layout(push_constant) uniform Push { RoomConstants room; };
layout(std430, binding = BINDING_TOTALS) readonly buffer Totals { uint total[]; };
layout(std430, binding = BINDING_DISPATCH) writeonly buffer Dispatch { uint groups[]; };

// Folded into a second axis where one does not reach.
void size(uint kind, uint count)
{
  const uint across = min(count, room.maxGroups);
  groups[3 * kind] = across;
  groups[3 * kind + 1] = across == 0 ? 0 : (count + across - 1) / across;
  groups[3 * kind + 2] = 1;
}

void main()
{
  const uint activeBricks = total[TOTAL_ACTIVE];
  const uint own = room.hasLookAhead != 0 ? total[TOTAL_OWN_ACTIVE] : activeBricks;
  const bool ahead = own < activeBricks; // else the scan has met no split
  const bool allPoints = !ahead || room.emitsAhead != 0;
  const uint points = total[allPoints ? TOTAL_POINTS : TOTAL_OWN_POINTS];
  const uint triangles = total[ahead ? TOTAL_OWN_TRIANGLES : TOTAL_TRIANGLES];
  const bool fits = activeBricks <= room.activeRoom;
  size(DISPATCH_COUNT_BRICKS, fits ? activeBricks : 0);
  size(DISPATCH_EMIT_POINTS, fits && points <= room.pointRoom ? (allPoints ? activeBricks : own) : 0);
  size(DISPATCH_EMIT_TRIANGLES, fits && triangles <= room.triangleRoom ? own : 0);
}
