// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "VolumeFromImage.h"

#include "ArrayIdentity.h"
#include "GridImage.h"

#include "vtkCellData.h"
#include "vtkDataArray.h"
#include "vtkDataSetAttributes.h"
#include "vtkMatrix3x3.h"
#include "vtkPointData.h"
#include "vtkStructuredData.h"
#include "vtkUnsignedCharArray.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>

namespace vmc::filters
{

namespace
{

std::optional<vmc::SampleType> sampleTypeOf(vtkDataArray* array)
{
  const int type = array->GetDataType();
  if (type == VTK_FLOAT)
    return vmc::SampleType::Float32;
  if (type == VTK_DOUBLE)
    return vmc::SampleType::Float64;
  const bool isSigned = array->GetDataTypeMin() < 0; // char depends on the compiler
  switch (type == VTK_BIT ? 0 : array->GetDataTypeSize())
  {
    case 1:
      return isSigned ? vmc::SampleType::Int8 : vmc::SampleType::UInt8;
    case 2:
      return isSigned ? vmc::SampleType::Int16 : vmc::SampleType::UInt16;
    case 4:
      return isSigned ? vmc::SampleType::Int32 : vmc::SampleType::UInt32;
    case 8:
      return isSigned ? vmc::SampleType::Int64 : vmc::SampleType::UInt64;
    default:
      return std::nullopt;
  }
}

std::string namesOf(vtkDataSetAttributes* attributes)
{
  std::string names;
  for (int i = 0; i < attributes->GetNumberOfArrays(); ++i)
    if (const char* name = attributes->GetAbstractArray(i)->GetName())
      names += (names.empty() ? "" : ", ") + std::string(name);
  return names.empty() ? "none" : names;
}

[[noreturn]] void refuse(vtkImageData* image, const std::string& why)
{
  throw std::invalid_argument(
    why + " Cell arrays: " + namesOf(image->GetCellData()) + ". Point arrays: " + namesOf(image->GetPointData()) + ".");
}

std::string nameOf(vtkDataArray* array)
{
  return array->GetName() ? array->GetName() : "";
}

std::string descriptionOf(vtkDataArray* array, int component)
{
  if (array->GetNumberOfComponents() == 1)
    return nameOf(array);
  return nameOf(array) + (component < 0 ? ", magnitude" : ", component " + std::to_string(component));
}

vtkIdType sampleCount(const ImageSamples& samples)
{
  return samples.ofCells ? samples.image->GetNumberOfCells() : samples.image->GetNumberOfPoints();
}

// The number of samples (cells or points) along each axis.
std::array<int, 3> sampleDimensions(const ImageSamples& samples)
{
  std::array<int, 3> dimensions{};
  samples.image->GetDimensions(dimensions.data());
  if (samples.ofCells)
    for (int& dimension : dimensions)
      dimension = std::max(dimension - 1, 1); // a flat image has one layer of cells
  return dimensions;
}

// The world position of sample (0, 0, 0) of the extent and the world step along each axis, or the coordinates of the
// samples.
vmc::SampleGeometry geometryOfSamples(const ImageSamples& samples)
{
  if (auto* const grid = dynamic_cast<GridImage*>(samples.image))
    return grid->GetGeometry(samples.ofCells);
  const int* extent = samples.image->GetExtent();
  vmc::Vector3 first{};
  for (std::size_t axis = 0; axis < 3; ++axis)
    first[axis] = extent[2 * axis] + (samples.ofCells ? 0.5 : 0.0);
  return geometryFrom(samples.image, first);
}

std::vector<SampleCache::Samples> otherArrays(
  const ImageSamples& samples, const SampleChoice& choice, SampleCache& cache)
{
  std::vector<SampleCache::Samples> arrays;
  vtkDataSetAttributes* data =
    samples.image->GetAttributes(samples.ofCells ? vtkDataObject::CELL : vtkDataObject::POINT);
  for (int i = 0; i < data->GetNumberOfArrays(); ++i)
  {
    vtkDataArray* array = data->GetArray(i); // null for strings
    const bool usable = array && array != choice.array && array->GetName() &&
                        (choice.attribute.empty() || choice.attribute == array->GetName()) &&
                        std::string(array->GetName()) != vtkDataSetAttributes::GhostArrayName() &&
                        choice.reservedNames.count(array->GetName()) == 0 && array->GetName() != choice.nameOfScalars &&
                        array->GetNumberOfTuples() == sampleCount(samples) && sampleTypeOf(array);
    if (usable)
      arrays.push_back(cache.inOneBlock(array));
  }
  return arrays;
}

std::array<bool, 6> sidesAtBorder(const ImageSamples& samples, const SampleChoice& choice)
{
  std::array<bool, 6> areAtBorder{};
  const int* extent = samples.image->GetExtent();
  for (std::size_t low = 0; low < 6; low += 2)
  {
    areAtBorder[low] = extent[low] <= choice.wholeExtent[low];
    areAtBorder[low + 1] = extent[low + 1] >= choice.wholeExtent[low + 1];
  }
  return areAtBorder;
}

// Padding layers on the sides of the piece that are sides of the whole extent.
vmc::Padding paddingOf(const ImageSamples& samples, const SampleChoice& choice)
{
  vmc::Padding padding;
  if (choice.boundary == vtkVulkanMarchingCubes::BOUNDARY_OPEN)
    return padding;
  padding.closed = choice.boundary == vtkVulkanMarchingCubes::BOUNDARY_CLOSE;
  padding.border = samples.ofCells ? 0.5f : 0.0f;
  const std::uint32_t layers = (samples.ofCells ? 1u : 0u) + (padding.closed ? 1u : 0u);
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    padding.low[axis] = samples.isAtBorder[2 * axis] ? layers : 0;
    padding.high[axis] = samples.isAtBorder[2 * axis + 1] ? layers : 0;
  }
  return padding;
}

// The flags of a cell: hidden and refined cells are blank, duplicate cells are owned by another piece.
std::uint8_t flagsOfCell(std::uint8_t ghost)
{
  const bool blank = (ghost & (vtkDataSetAttributes::HIDDENCELL | vtkDataSetAttributes::REFINEDCELL)) != 0;
  const bool notOwned = (ghost & vtkDataSetAttributes::DUPLICATECELL) != 0;
  return static_cast<std::uint8_t>((blank ? vmc::Blank : 0) | (notOwned ? vmc::NotOwned : 0));
}

// The ghost arrays from which the flags of the samples are computed; null if there is none.
struct GhostArrays
{
  vtkUnsignedCharArray* cells = nullptr;
  vtkUnsignedCharArray* points = nullptr; // of point data only
};

// Returns whether a point lies in an extent from whose low and high sides so many layers of points are removed.
bool contains(const std::array<int, 6>& extent, const std::array<int, 3>& point, int low, int high)
{
  for (int axis = 0; axis < 3; ++axis)
    if (point[axis] < extent[2 * axis] + low || point[axis] > extent[2 * axis + 1] - high)
      return false;
  return true;
}

// Returns whether the piece's extent in the pipeline determines which cells of an image of point data this piece owns.
// This holds if the piece owns exactly the points of that extent, except points on its sides, which other pieces may
// own.
bool agreesWithCut(const ImageSamples& samples, const SampleChoice& choice, vtkUnsignedCharArray* pointGhosts)
{
  const std::array<int, 6>& piece = choice.pieceExtent;
  const int* extent = samples.image->GetExtent();
  for (int axis = 0; axis < 3; ++axis)
    if (piece[2 * axis] >= piece[2 * axis + 1] || piece[2 * axis] < extent[2 * axis] ||
        piece[2 * axis + 1] > extent[2 * axis + 1])
      return false;
  vtkIdType id = 0;
  for (int z = extent[4]; z <= extent[5]; ++z)
    for (int y = extent[2]; y <= extent[3]; ++y)
      for (int x = extent[0]; x <= extent[1]; ++x)
      {
        const bool isOwned = (pointGhosts->GetValue(id++) & vtkDataSetAttributes::DUPLICATEPOINT) == 0;
        if (isOwned ? !contains(piece, { x, y, z }, 0, 0) : contains(piece, { x, y, z }, 1, 1))
          return false;
      }
  return true;
}

// Tells whether a cell of an image of point data, given by its index along each axis, is owned by another piece. Ghost
// cells determine the owner, or else the piece's extent in the pipeline. Without either, the owner of the maximum
// corner owns the cell. This agrees with vtkGhostCellsGenerator: if two pieces meet in one layer of points, the lower
// piece owns that layer.
using CellIsNotOwned = std::function<bool(const std::array<int, 3>& cell)>;

CellIsNotOwned notOwnedCells(const ImageSamples& samples, const SampleChoice& choice, const GhostArrays& ghosts)
{
  using Cell = std::array<int, 3>;
  std::array<int, 3> points = sampleDimensions(samples);
  const int* extent = samples.image->GetExtent();
  if (ghosts.cells)
    for (int& count : points)
      count = std::max(count, 2); // a flat image has one layer of cells
  if (ghosts.cells)
    return [=](const Cell& cell)
    { return flagsOfCell(ghosts.cells->GetValue(vtkStructuredData::ComputeCellId(points.data(), cell.data()))) != 0; };
  if (agreesWithCut(samples, choice, ghosts.points))
    return [=, piece = choice.pieceExtent](const Cell& cell) {
      return !contains(piece, { extent[0] + cell[0], extent[2] + cell[1], extent[4] + cell[2] }, 0, 1);
    };
  return [=](const Cell& cell)
  {
    const Cell corner = { std::min(cell[0] + 1, points[0] - 1), std::min(cell[1] + 1, points[1] - 1),
      std::min(cell[2] + 1, points[2] - 1) };
    const vtkIdType id = vtkStructuredData::ComputePointId(points.data(), corner.data());
    return (ghosts.points->GetValue(id) & vtkDataSetAttributes::DUPLICATEPOINT) != 0;
  };
}

// Sets the flags of point data. A hidden point is blank. The dual cells are the image's cells; a ghost cell of any kind
// makes nothing. The last points along an axis are the minimum corners of cells in padding layers outside the image.
// These cells have the owner of the outermost cell.
void flagPoints(
  const ImageSamples& samples, const SampleChoice& choice, const GhostArrays& ghosts, std::vector<std::uint8_t>& flags)
{
  for (std::size_t point = 0; ghosts.points && point < flags.size(); ++point)
    if ((ghosts.points->GetValue(static_cast<vtkIdType>(point)) & vtkDataSetAttributes::HIDDENPOINT) != 0)
      flags[point] |= vmc::Blank;
  const CellIsNotOwned isNotOwned = notOwnedCells(samples, choice, ghosts);
  const std::array<int, 3> points = sampleDimensions(samples);
  std::array<int, 3> last{}; // cell along each axis; 0 in a flat image
  for (int axis = 0; axis < 3; ++axis)
    last[axis] = std::max(points[axis] - 2, 0);
  std::size_t point = 0;
  for (int z = 0; z < points[2]; ++z)
    for (int y = 0; y < points[1]; ++y)
      for (int x = 0; x < points[0]; ++x, ++point)
        if (isNotOwned({ std::min(x, last[0]), std::min(y, last[1]), std::min(z, last[2]) }))
          flags[point] |= vmc::NotOwned;
}

// Some sources make ghost arrays of a wrong length: vtkExtractVOI of VTK 9.2 does when it samples a piece.
void checkGhosts(vtkUnsignedCharArray* ghosts, vtkIdType expected, const std::string& elements)
{
  if (ghosts && ghosts->GetNumberOfValues() != expected)
    throw std::invalid_argument("The ghost array of the " + elements + " has " +
                                std::to_string(ghosts->GetNumberOfValues()) + " values; the image has " +
                                std::to_string(expected) + " " + elements + ".");
}

GhostArrays ghostArraysOf(const ImageSamples& samples)
{
  GhostArrays ghosts;
  ghosts.cells = samples.image->GetCellGhostArray();
  ghosts.points = samples.ofCells ? nullptr : samples.image->GetPointGhostArray();
  checkGhosts(ghosts.cells, samples.image->GetNumberOfCells(), "cells");
  checkGhosts(ghosts.points, samples.image->GetNumberOfPoints(), "points");
  return ghosts;
}

GhostFlags flagsFrom(const GhostArrays& ghosts, const ImageSamples& samples, const SampleChoice& choice)
{
  GhostFlags flags;
  std::vector<std::uint8_t>& ofSamples = flags.ofSamples;
  ofSamples.resize(static_cast<std::size_t>(sampleCount(samples)));
  if (!samples.ofCells)
    flagPoints(samples, choice, ghosts, ofSamples);
  for (std::size_t cell = 0; samples.ofCells && cell < ofSamples.size(); ++cell)
  {
    const std::uint8_t ghost = ghosts.cells->GetValue(static_cast<vtkIdType>(cell));
    flags.kinds |= ghost;
    ofSamples[cell] = flagsOfCell(ghost);
  }
  const bool any = std::any_of(ofSamples.begin(), ofSamples.end(), [](std::uint8_t flag) { return flag != 0; });
  return any ? flags : GhostFlags();
}

// Identifies all inputs of flagsFrom.
std::uint64_t identityOfFlags(const GhostArrays& ghosts, const ImageSamples& samples, const SampleChoice& choice)
{
  std::uint64_t identity = identityOf({ samples.ofCells ? 1u : 0u, ghosts.cells ? identityOf(ghosts.cells) : 0,
    ghosts.points ? identityOf(ghosts.points) : 0 });
  const auto part = [](int number) { return static_cast<std::uint64_t>(number); };
  for (int side = 0; side < 6; ++side)
    identity = identityOf({ identity, part(samples.image->GetExtent()[side]), part(choice.pieceExtent[side]) });
  return identity;
}

void findGhosts(ImageSamples& samples, const SampleChoice& choice, SampleCache& cache)
{
  const GhostArrays ghosts = ghostArraysOf(samples);
  if (!ghosts.cells && !ghosts.points)
    return;
  const std::uint64_t identity = identityOfFlags(ghosts, samples, choice);
  samples.ghosts = cache.ghosts(identity, [&] { return flagsFrom(ghosts, samples, choice); });
  samples.ghostIdentity = samples.ghosts ? identity : 0;
}

void checkArray(vtkImageData* image, const SampleChoice& choice)
{
  const bool isOfPoints = choice.association == vtkDataObject::FIELD_ASSOCIATION_POINTS;
  if (!choice.array && choice.name.empty())
    refuse(image, "The input has no active array to contour: set Contour By (in Python ContourBy, in C++ "
                  "SetInputArrayToProcess).");
  if (!choice.array)
    refuse(
      image, std::string("There is no numeric ") + (isOfPoints ? "point" : "cell") + " array \"" + choice.name + "\".");
  if (!sampleTypeOf(choice.array))
    refuse(image, "The array \"" + nameOf(choice.array) + "\" has values of type " +
                    choice.array->GetDataTypeAsString() +
                    "; integers of 8 to 64 bits, float and double are supported.");
}

// Checks that the array has one tuple per sample and the chosen component.
void checkMatch(const ImageSamples& samples, const SampleChoice& choice)
{
  const auto refuseArray = [&](const std::string& why)
  { refuse(samples.image, "The array \"" + nameOf(choice.array) + "\"" + why); };
  if (!samples.ofCells && choice.association != vtkDataObject::FIELD_ASSOCIATION_POINTS)
    refuseArray(" belongs neither to cells nor to points.");
  if (choice.component == SampleChoice::OtherNorm)
    refuseArray(" is contoured by a component or by the L2 norm; another norm is requested.");
  if (choice.component >= choice.array->GetNumberOfComponents())
    refuseArray(" has " + std::to_string(choice.array->GetNumberOfComponents()) + " components; component " +
                std::to_string(choice.component) + " is requested.");
  if (choice.array->GetNumberOfTuples() != sampleCount(samples))
    refuseArray(" has " + std::to_string(choice.array->GetNumberOfTuples()) + " tuples; the image has " +
                std::to_string(sampleCount(samples)) + (samples.ofCells ? " cells." : " points."));
}

void checkShape(const ImageSamples& samples, bool mayBeFlat)
{
  int dimensions[3];
  samples.image->GetDimensions(dimensions);
  const double* spacing = samples.image->GetSpacing();
  if (!mayBeFlat && *std::min_element(dimensions, dimensions + 3) < 2)
    throw std::invalid_argument("The image has " + std::to_string(dimensions[0]) + " x " +
                                std::to_string(dimensions[1]) + " x " + std::to_string(dimensions[2]) +
                                " points; an isosurface needs at least 2 points along each axis.");
  if (!std::all_of(spacing, spacing + 3, [](double step) { return step > 0; }))
    throw std::invalid_argument(
      "The image's spacing is " + textOf(spacing, 3) + "; it must be positive. Use the direction matrix to mirror.");
}

// The coordinate of largest absolute value among the image's corners, for an image at this origin.
double farthestCoordinate(const ImageSamples& samples, const double* origin)
{
  const int* extent = samples.image->GetExtent();
  const double* spacing = samples.image->GetSpacing();
  vtkMatrix3x3* direction = samples.image->GetDirectionMatrix();
  double farthest = 0;
  for (int corner = 0; corner < 8; ++corner)
    for (int c = 0; c < 3; ++c)
    {
      double coordinate = origin[c];
      for (int axis = 0; axis < 3; ++axis)
        coordinate += direction->GetElement(c, axis) * spacing[axis] * extent[2 * axis + (corner >> axis & 1)];
      if (std::abs(coordinate) > std::abs(farthest))
        farthest = coordinate;
    }
  return farthest;
}

// Kernels compute with pairs of floats. Products split a step with a factor of 2^12 + 1, and the rounding error of a
// step must not be denormal.
constexpr double LeastStep = 1e-30, LargestStep = 1e34;

// Other numbers of coordinates than of samples are left to the core.
void checkDistances(const ImageSamples& samples, const vmc::SampleGeometry& geometry)
{
  std::array<std::uint32_t, 3> size{};
  const std::array<int, 3> dimensions = sampleDimensions(samples);
  std::copy(dimensions.begin(), dimensions.end(), size.begin());
  for (std::size_t axis = 0; geometry.fits(size) && axis < 3; ++axis)
    for (std::uint32_t i = 1; i < size[axis]; ++i)
      if (const double distance = geometry.coordinate(axis, i) - geometry.coordinate(axis, i - 1); distance < LeastStep)
        throw std::invalid_argument("Two samples are at a distance of " + textOf(&distance, 1) +
                                    " along an axis; it must be at least " + textOf(&LeastStep, 1) + ".");
}

void checkGeometry(const ImageSamples& samples, bool doublePoints)
{
  constexpr double LargestCoordinate = std::numeric_limits<float>::max();
  const auto isFinite = [](double value) { return std::isfinite(value); };
  const double* origin = samples.image->GetOrigin();
  const double* direction = samples.image->GetDirectionMatrix()->GetData();
  const double* spacing = samples.image->GetSpacing();
  if (!std::all_of(origin, origin + 3, isFinite))
    throw std::invalid_argument("The image's origin is " + textOf(origin, 3) + "; it must be finite.");
  if (!std::all_of(direction, direction + 9, isFinite))
    throw std::invalid_argument("The image's direction matrix is " + textOf(direction, 9) + "; it must be finite.");
  constexpr double Nowhere[3] = { 0, 0, 0 };
  const double fromOrigin = farthestCoordinate(samples, Nowhere), inWorld = farthestCoordinate(samples, origin);
  const double farthest = doublePoints || std::abs(fromOrigin) > std::abs(inWorld) ? fromOrigin : inWorld;
  if (std::abs(farthest) > LargestCoordinate)
    throw std::invalid_argument("The image's coordinates reach " + textOf(&farthest, 1) + " with the spacing " +
                                textOf(spacing, 3) + "; the largest float is " + textOf(&LargestCoordinate, 1) + ".");
  const vmc::SampleGeometry geometry = geometryOfSamples(samples);
  if (geometry.hasCoordinates())
    checkDistances(samples, geometry);
  for (const std::size_t axis : { 0, 1, 2 })
  {
    const vmc::Vector3& vector = geometry.step(axis);
    const double step = std::hypot(vector[0], vector[1], vector[2]);
    if (step != 0 && (step < LeastStep || step > LargestStep)) // geometryOf rejects a step of length 0
      throw std::invalid_argument(
        "The image's spacing is " + textOf(spacing, 3) + ", and the length of a step along an axis is " +
        textOf(&step, 1) + "; it must be between " + textOf(&LeastStep, 1) + " and " + textOf(&LargestStep, 1) + ".");
  }
}

}

std::string textOf(const double* values, int count)
{
  std::ostringstream text;
  for (int i = 0; i < count; ++i)
    text << (i == 0 ? "" : " ") << values[i];
  return text.str();
}

vmc::SampleGeometry geometryFrom(vtkImageData* image, const vmc::Vector3& first)
{
  const double* spacing = image->GetSpacing();
  const double* origin = image->GetOrigin();
  vtkMatrix3x3* direction = image->GetDirectionMatrix();
  vmc::SampleGeometry geometry;
  geometry.setOrigin({ origin[0], origin[1], origin[2] });
  for (int axis = 0; axis < 3; ++axis)
  {
    vmc::Vector3 step{};
    for (int c = 0; c < 3; ++c)
      step[c] = direction->GetElement(c, axis) * spacing[axis];
    geometry.setStep(axis, step);
  }
  geometry.setOrigin(geometry.position(first));
  return geometry;
}

vtkDataArray* onlyArrayOf(vtkImageData* image, int& association)
{
  if (vtkDataArray* active = image->GetCellData()->GetScalars())
  {
    association = vtkDataObject::FIELD_ASSOCIATION_CELLS;
    return active;
  }
  vtkDataArray* found = nullptr;
  for (const int where : { vtkDataObject::FIELD_ASSOCIATION_CELLS, vtkDataObject::FIELD_ASSOCIATION_POINTS })
    for (int i = 0; i < image->GetAttributes(where)->GetNumberOfArrays(); ++i)
    {
      vtkDataArray* const array = image->GetAttributes(where)->GetArray(i);
      if (!array || !sampleTypeOf(array) || nameOf(array) == vtkDataSetAttributes::GhostArrayName())
        continue;
      if (found)
        return nullptr;
      found = array;
      association = where;
    }
  return found;
}

ImageSamples samplesOf(vtkImageData* image, const SampleChoice& choice, SampleCache& cache)
{
  ImageSamples samples;
  samples.image = image;
  samples.ofCells = choice.association == vtkDataObject::FIELD_ASSOCIATION_CELLS;
  samples.nameOfScalars = choice.nameOfScalars;
  const bool hasPoints = image->GetNumberOfPoints() != 0;
  if (hasPoints)
  {
    checkArray(image, choice);
    checkShape(samples, choice.mayBeFlat);
    checkGeometry(samples, choice.doublePoints);
    checkMatch(samples, choice);
  }
  if (choice.array)
  {
    samples.scalars = cache.component(choice.array, choice.component);
    samples.description = descriptionOf(choice.array, choice.component);
  }
  if (choice.withAttributes)
    samples.attributes = otherArrays(samples, choice, cache);
  if (!hasPoints)
    return samples;
  samples.isAtBorder = sidesAtBorder(samples, choice);
  samples.padding = paddingOf(samples, choice);
  findGhosts(samples, choice, cache);
  return samples;
}

bool endsWithoutGhostCells(const ImageSamples& samples, const SampleChoice& choice)
{
  const bool isPiece = choice.pieceExtent[0] <= choice.pieceExtent[1];
  if (!isPiece || !samples.ofCells || samples.image->GetCellGhostArray())
    return false;
  const int* extent = samples.image->GetExtent();
  return extent[1] < choice.wholeExtent[1] || extent[3] < choice.wholeExtent[3] || extent[5] < choice.wholeExtent[5];
}

std::optional<vmc::Volume> volumeLike(vtkImageData* image, vtkDataArray* array, int association)
{
  const std::optional<vmc::SampleType> type = sampleTypeOf(array);
  if (!type || array->GetNumberOfComponents() != 1)
    return std::nullopt;
  ImageSamples samples;
  samples.image = image;
  samples.ofCells = association == vtkDataObject::FIELD_ASSOCIATION_CELLS;
  vmc::Volume volume;
  volume.type = *type;
  volume.geometry = geometryOfSamples(samples);
  return volume;
}

vmc::Volume volumeFromImage(const ImageSamples& samples)
{
  vmc::Volume volume;
  volume.samples = samples.scalars.values->GetVoidPointer(0);
  volume.type = *sampleTypeOf(samples.scalars.values);
  const std::array<int, 3> dimensions = sampleDimensions(samples);
  std::copy(dimensions.begin(), dimensions.end(), volume.size.begin());
  volume.identity = samples.scalars.identity;
  volume.geometry = geometryOfSamples(samples);
  volume.padding = samples.padding;
  volume.ghosts = samples.ghosts ? samples.ghosts->ofSamples.data() : nullptr;
  volume.ghostIdentity = samples.ghostIdentity;
  volume.attributes = attributesOf(samples);
  return volume;
}

std::vector<vmc::Attribute> attributesOf(const ImageSamples& samples)
{
  std::vector<vmc::Attribute> attributes;
  for (const auto& [values, identity] : samples.attributes)
    attributes.push_back({ values->GetVoidPointer(0), *sampleTypeOf(values),
      static_cast<std::uint32_t>(values->GetNumberOfComponents()), identity });
  return attributes;
}

}
