// From vtkImageData to the compute core's view of a volume.
#ifndef VolumeFromImage_h
#define VolumeFromImage_h

#include "vtkDataArray.h"
#include "vtkImageData.h"
#include "vtkSmartPointer.h"

#include "Volume.h"

#include <array>
#include <vector>

// The samples of an image: those of its cells, on the dual grid, or those of its points.
struct ImageSamples
{
  vtkImageData* image = nullptr;
  vtkDataArray* scalars = nullptr; // one component, one value a sample
  bool ofCells = true;
  std::vector<vtkSmartPointer<vtkDataArray>> attributes; // to interpolate; one tuple a sample
};

// The samples that an algorithm is to process: an array (null if it was not found) and its vtkDataObject association.
// withAttributes: also the other numeric arrays of the same association, without vtkGhostType.
// Throws std::invalid_argument with a sentence that lists the arrays there are when the array is missing, has several
// components, or does not fit the image.
ImageSamples samplesOf(vtkImageData* image, vtkDataArray* scalars, int association, bool withAttributes);

// A view of these samples: nothing is copied but attributes of 64-bit values, which are replaced in `samples` by float
// copies. Valid as long as `samples`. Throws vmc::Error Unsupported for scalars wider than 32 bits.
vmc::Volume volumeFromImage(ImageSamples& samples);

// Number of samples along each axis: cells, or points.
std::array<int, 3> sampleDimensions(const ImageSamples& samples);

// World position of sample (0, 0, 0) of the extent and the world step along each axis.
vmc::IndexToWorld geometryOfSamples(const ImageSamples& samples);

#endif
