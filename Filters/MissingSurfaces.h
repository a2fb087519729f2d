// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Explains why an isovalue has no surface.
#ifndef vmcMissingSurfaces_h
#define vmcMissingSurfaces_h

#include "VolumeFromImage.h"

#include "vtkDataArray.h"
#include "vtkSmartPointer.h"

#include "Compute/Volume/Levels.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace vmc::filters
{

// Collects which isovalues have a surface in some leaf of a run.
class MissingSurfaces
{
public:
  // Adds a leaf with points.
  void addLeaf(const ImageSamples& samples);

  // Adds blocks of one lattice. Their size is that of their bounding box, in cells of the finest level.
  void addLevels(const vmc::Levels& levels);

  // Adds the surfaces of a leaf, or, once per block, those of blocks of one lattice. firstPoint[isovalue]: number of
  // the surface's first point; the last entry is the number of points.
  void addSurfaces(const std::vector<std::size_t>& firstPoint, const ImageSamples& samples);

  // Returns a sentence about the isovalues outside the range of the samples that have no surface, with the range, or
  // about leaves without a dual cell. Empty if there are none, and if the output is one of several pieces (isWhole is
  // false), which may lack a surface that others have. Reads all samples of the run if an isovalue has no surface and
  // VTK does not know their range.
  std::string note(const std::vector<double>& isovalues, bool isWhole) const;

private:
  void addCells(const std::array<std::uint32_t, 3>& size, bool haveDualCell);
  std::string noteOfRange(const std::vector<double>& isovalues) const;

  std::vector<bool> HasSurface; // [isovalue]
  std::vector<vtkSmartPointer<vtkDataArray>> Samples;
  std::string Name;
  bool HasDualCell = false;                                         // some leaf has one
  std::optional<std::array<std::uint32_t, 3>> CellsWithoutDualCell; // size of the first leaf that has none
};

}

#endif
