// Marching cubes on the dual grid of a volume, on a Vulkan device.
#ifndef vmcMarchingCubes_h
#define vmcMarchingCubes_h

#include "Compute/Contour/Mesh.h"
#include "Compute/System/StageTime.h"
#include "Compute/Volume/Volume.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace vmc
{

class Device;

// What to extract.
struct Request
{
  std::vector<double> isovalues; // any number; each makes its part of the mesh, in this order
  bool computeNormals = true;
  bool computeGradients = false;
  bool splitPositions = false;   // also Mesh::positionsLow
  bool computeCells = false;     // also Mesh::triangleCells
  bool mergePoints = true;       // false: three points of its own for each triangle
  bool keepOnDevice = false;     // the mesh has its counts only: its arrays are made, but not brought to the host
  bool timeStages = true;        // false: no time stamps between the passes, which have to wait for each one
  std::uint64_t memoryLimit = 0; // bytes of device memory, 0: whatever the device has
};

// How an extraction went.
struct Report
{
  // In the order of execution; several slabs and isovalues add up. Without timeStages what the host measures only.
  std::vector<StageTime> stages;
  double totalMilliseconds = 0;   // host clock, around everything
  std::uint64_t slabs = 0;        // that the plan cut the volume into
  std::uint64_t bricks = 0;       // of the volume
  std::uint64_t activeBricks = 0; // sum over the isovalues
  std::uint64_t deviceBytes = 0;  // largest amount of device memory in use at once

  double milliseconds(const std::string& stage) const; // 0 if the stage did not run
  void add(const Report& next);                        // of another volume of the same pass
};

// Told the done part in [0, 1] now and then; returns false to stop the extraction.
using Progress = std::function<bool(double done)>;

// Extracts isosurfaces. Keeps the samples of the last volume, or of all volumes of the last pass, and their brick
// ranges on the device, so that another isovalue of the same volume (see Volume::identity) uploads nothing. One
// extraction at a time for one object; several objects may share a device, also from several threads.
class MarchingCubes
{
public:
  explicit MarchingCubes(std::shared_ptr<Device> device);
  ~MarchingCubes();
  MarchingCubes(const MarchingCubes&) = delete;
  MarchingCubes& operator=(const MarchingCubes&) = delete;

  const std::shared_ptr<Device>& device() const;

  // Around the extractions of several volumes that belong together, such as the leaves of a composite data set: all of
  // them stay on the device as far as they fit.
  void beginPass();
  void endPass();

  // The isosurfaces; nothing if `progress` stopped it. A volume that is thinner than two samples along an axis has no
  // dual cell and gives an empty mesh. Two calls with the same arguments on one device give identical bytes.
  // Throws Error: Unsupported (limits of the device, more than 2^32 - 1 points, geometry that cannot be inverted),
  // OutOfMemory, DeviceLost, Internal.
  std::optional<Mesh> extract(
    const Volume& volume, const Request& request, Report& report, const Progress& progress = {});

private:
  class Implementation;
  std::unique_ptr<Implementation> Impl;
};

}

#endif
