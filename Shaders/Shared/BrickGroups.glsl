// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Groups of bricks, which rays skip as a whole.
// Include after Slab.glsl.

// Layers of bricks of the volume along z.
uint brickLayers() { return BRICKS_ALONG(slab.sizeZ); }

uvec3 brickGroups()
{
  return (uvec3(bricksX(), bricksY(), brickLayers()) + BRICK_GROUP_SIZE - 1) / BRICK_GROUP_SIZE;
}

uint brickGroupCount() { return brickGroups().x * brickGroups().y * brickGroups().z; }

uvec3 brickGroupAt(uint group)
{
  const uvec3 groups = brickGroups();
  return uvec3(group % groups.x, group / groups.x % groups.y, group / groups.x / groups.y);
}

uint brickGroupIndex(uvec3 group)
{
  const uvec3 groups = brickGroups();
  return group.x + groups.x * (group.y + groups.y * group.z);
}
