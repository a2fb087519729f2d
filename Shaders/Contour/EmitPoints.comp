// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// One workgroup: one active brick. One invocation: first one row, whose points it lists, then every BRICK_ROWS-th point
// of the brick.
// Reads the rows that CountBricks wrote, the two samples of each crossed edge and, for normals and gradients, their
// neighbours and the flags of these. Writes the position of each point for the output and, if requested, the low part
// of the position, the normal, the gradient, and the crossing for InterpolateAttribute. The order of the points is that
// of bricks, rows, axes and x.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#include "Shared/Constants.h"
layout(local_size_x = BRICK_ROWS) in;
#include "Contour/EmitPoints.glsl"
