// What CountBricks kept of the rows of active bricks.
#include "Shared/Bindings.h"
#include "Shared/Constants.h"

layout(std430, binding = BINDING_ROW_EDGES) readonly buffer RowEdges { uint rowEdges[]; };
layout(std430, binding = BINDING_ROW_POINT_OFFSET) readonly buffer RowPointOffset { uint rowPointOffset[]; };

const uint EdgeMask = 0xFFFFFFu; // the edge bits of a row word

// Points of the brick before the row.
uint pointsBeforeRow(uint slot, uint row)
{
  return rowPointOffset[slot * ROW_OFFSET_WORDS + row / 2] >> (16 * (row & 1u)) & 0xFFFFu;
}
