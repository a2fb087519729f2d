// From vtkImageData to the compute core's view of a volume.
#ifndef VolumeFromImage_h
#define VolumeFromImage_h

#include "SampleCache.h"

#include "vtkDataArray.h"
#include "vtkImageData.h"
#include "vtkSmartPointer.h"

#include "Compute/Volume/Volume.h"

#include <array>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

// How the surface meets the border of the domain.
enum class Boundary
{
  Open,   // it ends with the outermost samples: for cell data half a cell inside
  Extend, // it goes on to the border of the domain, where the outermost cells' values are taken to hold
  Close   // what lies outside counts as below: the surface is closed by a lid along the border
};

// What of an image is to be contoured.
struct SampleChoice
{
  std::string name;              // of the array asked for; empty: whichever is active
  vtkDataArray* array = nullptr; // null: not found
  int association = 0;           // of vtkDataObject
  int component = -1;            // of an array of several; -1: their magnitude
  bool withAttributes = false;   // also the other numeric arrays of the association, but for bits and vtkGhostType
  std::set<std::string> reservedNames; // of arrays that the output has anyway: no attribute of these names
  bool doublePoints = false; // the output's points are doubles: only their distance from the origin is limited
  Boundary boundary = Boundary::Open;
  std::array<int, 6> wholeExtent{}; // of the data set that the image is a piece of
  // The piece as the pipeline cuts it, without ghost layers. Low beyond high: the pipeline cuts nothing.
  std::array<int, 6> pieceExtent{ 0, -1, 0, -1, 0, -1 };
};

// The samples of an image: those of its cells, on the dual grid, or those of its points.
struct ImageSamples
{
  vtkImageData* image = nullptr;
  vtkDataArray* array = nullptr;         // the array to contour, as it is in the image
  vtkSmartPointer<vtkDataArray> scalars; // its samples: one component, one value a sample, in one block
  std::uint64_t identity = 0;            // equal for equal samples (ArrayIdentity.h)
  bool ofCells = true;
  std::vector<SampleCache::Samples> attributes; // to interpolate; one tuple per sample
  vmc::Padding padding;
  std::shared_ptr<const GhostFlags> ghosts; // null: none
  std::uint64_t ghostIdentity = 0;          // equal for equal flags; 0: there are none
};

// The samples that a choice means; of an image without points only the arrays there are, if any. `cache` keeps copies
// of arrays of several components and of those that do not keep their values in one block. Throws std::invalid_argument
// with a sentence that lists the arrays there are when the array is missing or of bits or does not fit the image, and
// one that names the value when the image is flat, or its origin, direction, spacing or coordinates are not finite,
// positive or in the range that floats compute with.
ImageSamples samplesOf(vtkImageData* image, const SampleChoice& choice, SampleCache& cache);

// Whether these are cells of a piece that ends inside the whole with cells of its own: nobody makes the dual cells
// between it and the next piece.
bool endsWithoutGhostCells(const ImageSamples& samples, const SampleChoice& choice);

// A view of these samples, valid as long as they are.
vmc::Volume volumeFromImage(const ImageSamples& samples);

// Number of samples along each axis: cells, or points.
std::array<int, 3> sampleDimensions(const ImageSamples& samples);

// World position of sample (0, 0, 0) of the extent and the world step along each axis.
vmc::IndexToWorld geometryOfSamples(const ImageSamples& samples);

#endif
