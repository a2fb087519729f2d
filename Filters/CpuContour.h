// The same surface without Vulkan.
#ifndef CpuContour_h
#define CpuContour_h

#include "VolumeFromImage.h"

#include <functional>
#include <string>
#include <vector>

class vtkPolyData;

struct CpuContourOptions
{
  std::vector<double> isovalues;
  bool computeNormals = true;
  bool computeGradients = false;
  bool mergePoints = true;
  bool doublePoints = false;
  std::function<bool(double)> goOn; // told the done part; false: stop, and leave the output empty
};

// Why contourOnCpu cannot contour these samples, in a sentence; empty: it can. FlyingEdges cannot do a boundary other
// than open, ghosts, and a geometry that cannot be inverted.
std::string obstacleOnCpu(const ImageSamples& samples);

// Contours the dual image of `samples` with vtkFlyingEdges3D and brings the result to world space. Points, triangles
// and their winding are those of the Vulkan way, in FlyingEdges' own order and with 64-bit ids. Returns where the
// points of each isovalue begin, with one more entry at the end. No triangle: the output stays as it is. samples:
// without obstacleOnCpu.
std::vector<std::size_t> contourOnCpu(
  const ImageSamples& samples, const CpuContourOptions& options, vtkPolyData* output);

#endif
