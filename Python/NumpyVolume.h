// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// A numpy array as a volume of the core.
#ifndef vmcNumpyVolume_h
#define vmcNumpyVolume_h

#include "Compute/Engine.h"
#include "Compute/Histogram/Bins.h"
#include "Compute/Histogram/ValueCounts.h"
#include "Compute/Measure/RegionTable.h"
#include "Compute/Session.h"
#include "Compute/Volume/Volume.h"

#include <pybind11/numpy.h>

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace vmc::python
{

// Where the elements of an array lie. Axes are those of the array, or those of the core, whose axis 0 is the fastest.
struct ArrayLayout
{
  std::array<std::size_t, 3> axis{}; // [axis of the core]: of the array
  std::array<bool, 3> isReversed{};  // [axis of the core]: the first element in memory is the last one of the array
  const std::byte* first = nullptr;  // the first element in memory
  bool hasGaps = false;              // then the array must be copied

  explicit ArrayLayout(const pybind11::array& array);
};

// The options of NumpyVolume::surface.
struct SurfaceOptions
{
  std::vector<double> levels;
  bool normals = true;
  bool wideIds = false;
  bool rightHanded = true; // faces are counterclockwise seen from the side of lower samples
  bool regions = false;    // number the regions
  unsigned threads = 0;    // of the CPU; 0: all
  RegionChoice choice;     // the regions that remain
};

// A row of the table of regions: the level by its number, and measures as in SurfaceMeasures.
struct RegionRow
{
  std::int64_t level, faces, openEdges;
  double area, volume;
  Vector3 centroid, low, high;
};

// Holds an array of 3 axes, and an engine with a session. Positions are in the order of the array's axes. Several
// threads may use it, one after the other. Its functions release the interpreter lock.
class NumpyVolume
{
public:
  // spacing, origin: per axis of the array. mask: none, or an array of bool of the same shape: false where samples have
  // no value. closed: the surface is closed at the border. device: see Engine::shared. Copies the array only if its
  // elements do not lie side by side in some order of the axes, or are of no type of the core. Throws TypeError,
  // ValueError, and as Engine::shared.
  NumpyVolume(pybind11::array array, const Vector3& spacing, const Vector3& origin, const pybind11::object& mask,
    bool closed, const std::string& device);

  NumpyVolume(const NumpyVolume&) = delete;
  NumpyVolume& operator=(const NumpyVolume&) = delete;
  ~NumpyVolume();

  // Returns the arrays of a surface: vertices, faces, normals, values, first_vertex and first_face; with the numbers of
  // regions, vertex_regions, face_regions and regions. Raises the exception of a signal such as Ctrl-C.
  pybind11::dict surface(const SurfaceOptions& options);
  // Returns the measures of the isosurface of each level, as dictionaries.
  pybind11::list measure(const std::vector<double>& levels);

  std::optional<std::pair<double, double>> range(); // of the samples with a value; none: there is none
  // Returns the arrays counts, cut_cells and edges. bins, range: none: see binsOf.
  pybind11::dict histogram(std::optional<std::uint32_t> bins, const std::optional<std::pair<double, double>>& range);
  pybind11::dict suggest(); // threshold, valleys and most_cut_cells: see Suggestions.h

  // Returns the RayHit of each pixel as its bytes: uint8[pixel][16]. worldToClip: see RayCamera.
  pybind11::array cast(
    const std::vector<double>& levels, const Matrix4& worldToClip, std::uint32_t width, std::uint32_t height);

  const std::string& device() const { return this->OwnEngine->deviceName(); }

private:
  template <class Work>
  auto call(const Work& work);
  std::optional<Mesh> extract(const Request& request, const RegionChoice& choice, std::vector<RegionRow>& regions);
  std::pair<Bins, ValueCounts> count(std::optional<std::uint32_t> bins, std::optional<std::pair<double, double>> range);

  pybind11::array Array; // keeps the samples alive
  std::vector<std::uint8_t> Flags;
  Volume Samples;
  const bool IsAutomatic; // the device
  std::shared_ptr<Engine> OwnEngine;
  std::unique_ptr<Session> OwnSession;
  std::mutex OneCall;
};

}

#endif
