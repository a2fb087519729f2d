// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// A forest of points: the parent of a point has a smaller number. Invocations may join and find at the same time: what
// they read may be old, but an old parent is an ancestor too, and only a root gets another parent. So the caches of
// processors need not agree. What an atomic operation returns is not old.
layout(std430, binding = BINDING_PARENT) buffer Parent { uint toParent[]; };
layout(std430, binding = BINDING_UNFINISHED) writeonly buffer Unfinished { uint unfinished[]; };

uint parentOf(uint point) { return point - toParent[point]; }

// The root of a point, or an ancestor after many steps. Shortens the way for others.
uint rootOf(uint point)
{
  uint above = parentOf(point);
  for (uint i = 0; i < FOREST_STEPS && above != point; ++i)
  {
    const uint next = parentOf(above);
    if (next != above)
      toParent[point] = point - next;
    point = above;
    above = next;
  }
  return above;
}
