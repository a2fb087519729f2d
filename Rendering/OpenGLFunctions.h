// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The functions of OpenGL, as VTK loads them: by GLEW or, since VTK 9.4, by glad.
#ifndef vmcOpenGLFunctions_h
#define vmcOpenGLFunctions_h

#if __has_include("vtk_glew.h")
#include "vtk_glew.h"
#define VMC_USES_GLEW 1
#else
#include "vtk_glad.h"
#endif

#endif
