// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Conversion of vtkImageData to the compute core's view of a volume.
#ifndef vmcVolumeFromImage_h
#define vmcVolumeFromImage_h

#include "SampleCache.h"

#include "vtkDataArray.h"
#include "vtkImageData.h"
#include "vtkSmartPointer.h"
#include "vtkVulkanMarchingCubes.h"

#include "Compute/Volume/Volume.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace vmc::filters
{

// The array of an image to contour, and how.
struct SampleChoice
{
  static constexpr int Magnitude = -1, OtherNorm = -2; // in place of a component; OtherNorm is refused
  std::string name;                                    // of the requested array; empty: the active array
  vtkDataArray* array = nullptr;                       // null: not found
  int association = 0;                                 // of vtkDataObject
  int component = Magnitude;   // of an array of several, counted from 0; or Magnitude, which is their L2 norm
  bool withAttributes = false; // interpolate the other numeric arrays of the association, except bits and vtkGhostType
  std::string attribute;       // the only one of them, by name; empty: all
  std::optional<std::string> nameOfScalars; // of the isovalues in the output; none: no such array
  std::set<std::string> reservedNames;      // of computed arrays of the output: attributes of these names are left out
  bool mayBeFlat = false;                   // an image of one layer is no error
  bool doublePoints = false; // the output's points are doubles: only their distance from the origin is limited
  vtkVulkanMarchingCubes::BoundaryMode boundary = vtkVulkanMarchingCubes::BOUNDARY_OPEN;
  std::array<int, 6> wholeExtent{}; // of the data set to which this piece belongs
  // The extent of the piece in the pipeline, without ghost layers. Low beyond high: the image is not a piece.
  std::array<int, 6> pieceExtent{ 0, -1, 0, -1, 0, -1 };
};

// The samples of an image: those of its cells, on the dual grid, or those of its points.
struct ImageSamples
{
  vtkImageData* image = nullptr;
  SampleCache::Samples scalars; // one component of the array to contour, or its magnitude; null: there is no array
  std::string description;      // name of this array, with the component if it has several
  bool ofCells = true;
  std::vector<SampleCache::Samples> attributes; // to interpolate; one tuple per sample
  std::optional<std::string> nameOfScalars;     // as in the choice
  std::array<bool, 6> isAtBorder{}; // [side, as in an extent]: the side of the image is one of the whole extent
  vmc::Padding padding;
  std::shared_ptr<const GhostFlags> ghosts; // null: none
  std::uint64_t ghostIdentity = 0;          // equal for equal flags; 0 if there are none
};

// The array to contour if none is chosen: the active scalars of the cells, or else the only array of cells and points
// that can be contoured, ghost arrays left out, with its association. Null if there are several or none.
vtkDataArray* onlyArrayOf(vtkImageData* image, int& association);

// The samples that the choice selects. For an image without points, only its arrays, if any. `cache` keeps copies of
// arrays of several components, and of arrays whose values are not in one block. Throws std::invalid_argument with one
// sentence. If the array is missing, is a bit array or does not match the image, the sentence lists the image's arrays.
// If the image is flat, or its origin, direction, spacing or coordinates are not finite, not positive or out of the
// kernels' range, the sentence states the value. A flat image is no error if the choice allows it.
ImageSamples samplesOf(vtkImageData* image, const SampleChoice& choice, SampleCache& cache);

// Returns whether the samples are the cells of a piece that ends inside the whole extent and has no ghost cells. No
// piece makes the dual cells between such a piece and the next one.
bool endsWithoutGhostCells(const ImageSamples& samples, const SampleChoice& choice);

// A volume without arrays whose extraction needs the same kernels as that of the array, if there are no ghost cells and
// no padding. Nothing if the samples are not the values of the array.
std::optional<vmc::Volume> volumeLike(vtkImageData* image, vtkDataArray* array, int association);

// The map from an index, counted from the index `first` of the image's points, to world space.
vmc::SampleGeometry geometryFrom(vtkImageData* image, const vmc::Vector3& first);

// Views of these samples. They are valid as long as the samples exist.
vmc::Volume volumeFromImage(const ImageSamples& samples);
std::vector<vmc::Attribute> attributesOf(const ImageSamples& samples);

// The numbers separated by spaces, formatted as by %g.
std::string textOf(const double* values, int count);

}

#endif
