// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// EmitPoints for a volume whose samples have coordinates along each axis, which it reads, too.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#include "Shared/Constants.h"
layout(local_size_x = BRICK_ROWS) in;
#define COORDINATES_PER_AXIS
#include "Contour/EmitPoints.glsl"
