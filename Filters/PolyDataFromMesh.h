// From the compute core's mesh to vtkPolyData.
#ifndef PolyDataFromMesh_h
#define PolyDataFromMesh_h

#include "VolumeFromImage.h"

#include "Compute/Contour/Mesh.h"
#include "Compute/Memory/HostMemoryPool.h"

#include "vtkSmartPointer.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

class vtkPolyData;

// Makes the mesh the contents of `output`: points (of double if the mesh has low parts), triangles, normals, gradients,
// sample ids, interpolated attributes. The arrays take the mesh's memory over; nothing is copied but points of double
// and ids that need 64 bits, whose memory comes from `blocks`. Ids are 32-bit while they fit.
void polyDataFromMesh(vmc::Mesh mesh, const ImageSamples& samples, vmc::HostMemoryPool& blocks, vtkPolyData* output);

// Adds the isovalue of each point as the active scalars of this name. Points firstPoint[i] ... firstPoint[i + 1] belong
// to isovalue i. The array has the type of the samples if that holds every isovalue exactly, whether it has points or
// not, else double. samples: may be without an array; then the scalars are doubles. blocks: where their memory comes
// from; null: from VTK.
void addIsovalueScalars(const std::string& name, const std::vector<double>& isovalues,
  const std::vector<std::size_t>& firstPoint, const ImageSamples& samples, vmc::HostMemoryPool* blocks,
  vtkPolyData* output);

// What an output has besides triangles.
struct OutputArrays
{
  bool doublePoints = false;
  bool normals = true;
  bool gradients = false;
  bool sampleIds = false;
  std::optional<std::string> scalars; // their name; none: the output has no scalars
};

// Makes `output` a surface without points, with all arrays that another surface of these samples and isovalues has.
// samples: may be without an array.
void emptySurface(
  const ImageSamples& samples, const std::vector<double>& isovalues, const OutputArrays& arrays, vtkPolyData* output);

#endif
