// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "MissingSurfaces.h"

#include <algorithm>
#include <limits>
#include <sstream>

namespace vmc::filters
{

namespace
{

struct Range
{
  double low = std::numeric_limits<double>::infinity(), high = -low; // low beyond high: no finite value

  bool isEmpty() const { return this->low > this->high; }
  bool hasSurfaceAt(double isovalue) const { return this->low < isovalue && isovalue <= this->high; }
};

Range rangeOf(const std::vector<vtkSmartPointer<vtkDataArray>>& arrays)
{
  Range range;
  for (const auto& array : arrays)
  {
    double of[2];
    array->GetFiniteRange(of, 0);
    if (of[0] > of[1])
      continue;
    range.low = std::min(range.low, of[0]);
    range.high = std::max(range.high, of[1]);
  }
  return range;
}

// The size of the bounding box of all patches, in cells of the finest level.
std::array<std::uint32_t, 3> sizeOf(const vmc::Levels& levels)
{
  std::array<std::uint32_t, 3> size{};
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    std::vector<std::int64_t> cells(levels.ratio.size(), 1); // [level]: of the finest level per cell
    for (std::size_t level = cells.size() - 1; level > 0; --level)
      cells[level - 1] = cells[level] * levels.ratio[level][axis];
    std::int64_t low = std::numeric_limits<std::int64_t>::max(), high = std::numeric_limits<std::int64_t>::min();
    for (const vmc::LevelPatch& patch : levels.patches)
    {
      low = std::min(low, cells[patch.level] * patch.low[axis]);
      high = std::max(high, cells[patch.level] * (patch.low[axis] + patch.size[axis]));
    }
    size[axis] = static_cast<std::uint32_t>(high - low);
  }
  return size;
}

}

void MissingSurfaces::addLeaf(const ImageSamples& samples)
{
  const vmc::Volume volume = volumeFromImage(samples);
  this->addCells(volume.size, volume.hasDualCell());
}

void MissingSurfaces::addLevels(const vmc::Levels& levels)
{
  const std::array<std::uint32_t, 3> size = sizeOf(levels);
  this->addCells(size, levels.border || *std::min_element(size.begin(), size.end()) > 1);
}

void MissingSurfaces::addCells(const std::array<std::uint32_t, 3>& size, bool haveDualCell)
{
  if (haveDualCell)
    this->HasDualCell = true;
  else if (!this->CellsWithoutDualCell)
    this->CellsWithoutDualCell = size;
}

void MissingSurfaces::addSurfaces(const std::vector<std::size_t>& firstPoint, const ImageSamples& samples)
{
  this->HasSurface.resize(std::max(this->HasSurface.size(), firstPoint.size() - 1));
  for (std::size_t i = 0; i + 1 < firstPoint.size(); ++i)
    this->HasSurface[i] = this->HasSurface[i] || firstPoint[i] != firstPoint[i + 1];
  this->Samples.emplace_back(samples.scalars.values);
  this->Name = samples.description;
}

std::string MissingSurfaces::note(const std::vector<double>& isovalues, bool isWhole) const
{
  if (isovalues.empty())
    return "There are no isovalues.";
  if (!isWhole)
    return "";
  if (!this->CellsWithoutDualCell || this->HasDualCell)
    return this->noteOfRange(isovalues);
  const std::array<std::uint32_t, 3>& cells = *this->CellsWithoutDualCell;
  std::ostringstream note;
  note << "No surface in " << cells[0] << " x " << cells[1] << " x " << cells[2]
       << " cells: it needs at least 2 along each axis, unless Boundary is Extend or Close.";
  return note.str();
}

std::string MissingSurfaces::noteOfRange(const std::vector<double>& isovalues) const
{
  if (std::find(this->HasSurface.begin(), this->HasSurface.end(), false) == this->HasSurface.end())
    return "";
  const Range range = rangeOf(this->Samples);
  std::ostringstream missing;
  for (std::size_t i = 0; i < this->HasSurface.size(); ++i)
    if (!this->HasSurface[i] && !range.hasSurfaceAt(isovalues[i]))
      missing << (missing.tellp() == 0 ? "" : ", ") << isovalues[i];
  if (missing.tellp() == 0)
    return "";
  std::ostringstream note;
  note << "No surface at " << missing.str() << ": \"" << this->Name << "\" ";
  if (range.isEmpty())
    note << "has no finite value.";
  else
    note << "ranges from " << range.low << " to " << range.high << ".";
  return note.str();
}

}
