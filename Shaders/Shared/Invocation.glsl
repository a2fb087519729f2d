// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Indices of workgroups and invocations. A dispatch with more workgroups than one axis allows also has a second axis.
// Include after the kernel has declared its workgroup size: until then gl_WorkGroupSize is 1 and no error is reported.

uint workgroupIndex() { return gl_WorkGroupID.x + gl_NumWorkGroups.x * gl_WorkGroupID.y; }
uint invocationIndex() { return workgroupIndex() * gl_WorkGroupSize.x + gl_LocalInvocationID.x; }
