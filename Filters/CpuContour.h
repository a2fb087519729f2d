// The same surface without Vulkan.
#ifndef CpuContour_h
#define CpuContour_h

#include "VolumeFromImage.h"

#include <vector>

class vtkPolyData;

struct CpuContourOptions
{
  std::vector<double> isovalues;
  bool computeNormals = true;
  bool mergePoints = true;
};

// Contours the dual image of `samples` with vtkFlyingEdges3D and brings the result to world space. Points, triangles
// and their winding are those of the Vulkan way, in FlyingEdges' own order. Returns where the points of each isovalue
// begin, with one more entry at the end. Throws vmc::Error Unsupported if the geometry cannot be inverted.
std::vector<std::size_t> contourOnCpu(
  const ImageSamples& samples, const CpuContourOptions& options, vtkPolyData* output);

#endif
