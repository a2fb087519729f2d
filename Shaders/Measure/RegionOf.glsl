// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The regions of points: trees whose roots are the smallest points.
layout(std430, binding = BINDING_PARENT) readonly buffer Parent { uint toParent[]; };
layout(std430, binding = BINDING_REGION) readonly buffer Region { uint regionOfRoot[]; };

uint rootOf(uint point) { return point - toParent[point]; }
uint regionOf(uint point) { return regionOfRoot[rootOf(point)]; }
