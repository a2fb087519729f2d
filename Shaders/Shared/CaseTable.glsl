// The case of a dual cell from the inside bits of its four sample rows, and what the case emits.
#include "Bindings.h"
#include "Constants.h"

layout(std430, binding = BINDING_CASE_TABLE) readonly buffer CaseTable { uvec2 caseTriangles[]; };

// Rows of inside bits along x at (y, z), (y + 1, z), (y, z + 1), (y + 1, z + 1); the cell lies between bits x and x + 1.
uint caseOfCell(uint x, uint here, uint nextY, uint nextZ, uint nextYZ)
{
  return (here >> x & 3u) | (nextY >> x & 3u) << 2 | (nextZ >> x & 3u) << 4 | (nextYZ >> x & 3u) << 6;
}

uint caseTriangleCount(uint cellCase) { return caseTriangles[cellCase].y >> CASE_TRIANGLE_COUNT_SHIFT; }

// Cell edge of corner number `corner` (0 to 14) of the case's triangle list.
uint caseEdge(uvec2 triangles, uint corner)
{
  return (corner < 8 ? triangles.x >> (4 * corner) : triangles.y >> (4 * corner - 32)) & 15u;
}
