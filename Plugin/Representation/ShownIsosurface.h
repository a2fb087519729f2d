// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The type of representation of images that are shown as isosurfaces.
#ifndef ShownIsosurface_h
#define ShownIsosurface_h

#include "vtkSMPropertyHelper.h"

#include <string>

constexpr const char* IsosurfaceType = "Vulkan Isosurface";

// Returns whether this display of a source is visible and shows it as isosurfaces.
inline bool showsIsosurface(vtkSMProxy* display)
{
  const char* const type = vtkSMPropertyHelper(display, "Representation", /*quiet*/ true).GetAsString();
  return type && std::string(type) == IsosurfaceType && vtkSMPropertyHelper(display, "Visibility").GetAsInt() != 0;
}

#endif
