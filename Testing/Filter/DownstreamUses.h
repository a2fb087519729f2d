// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Filters and writers of VTK that use a triangle mesh.
#ifndef DownstreamUses_h
#define DownstreamUses_h

#include <functional>
#include <string>
#include <vector>

class vtkPolyData;

struct DownstreamUse
{
  std::string name; // the class of VTK, with its setting if there are several
  // Uses a copy of the mesh. Returns all that comes out: messages, data sets, files and measures. The width of ids is
  // not part of it, except in files.
  std::function<std::string(vtkPolyData* mesh)> contents;
};

const std::vector<DownstreamUse>& DownstreamUses();

#endif
