// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Explains why an isovalue has no surface.
#ifndef vmcMissingSurfaces_h
#define vmcMissingSurfaces_h

#include "vtkDataArray.h"
#include "vtkSmartPointer.h"

#include <cstddef>
#include <string>
#include <vector>

namespace vmc::filters
{

// Collects which isovalues have a surface in some leaf of a pass.
class MissingSurfaces
{
public:
  void beginPass();

  // Adds one leaf. firstPoint[isovalue]: number of the surface's first point; the last entry is the number of points.
  // samples: one value per sample; name: of the samples, as in the note.
  void add(const std::vector<std::size_t>& firstPoint, vtkDataArray* samples, const std::string& name);

  // A sentence that lists the isovalues outside the range of the samples that have no surface, with the range. Empty if
  // there are none. Reads all samples of the pass if an isovalue has no surface and VTK does not know their range.
  std::string note(const std::vector<double>& isovalues) const;

private:
  std::vector<bool> HasSurface; // [isovalue]
  std::vector<vtkSmartPointer<vtkDataArray>> Samples;
  std::string Name;
};

}

#endif
