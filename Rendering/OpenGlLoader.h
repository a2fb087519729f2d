// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The functions of OpenGL, as VTK loads them.
#ifndef vmcOpenGlLoader_h
#define vmcOpenGlLoader_h

#if __has_include("vtk_glew.h") // VTK 9.4 replaced GLEW by glad
#include "vtk_glew.h"
#else
#include "vtk_glad.h"
#endif

#endif
