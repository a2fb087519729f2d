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
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace vmc::python
{

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

// Thrown after Python's exception was set: of a signal such as Ctrl-C, or because the process ends.
struct Stopped
{
};

// The process does not end while one of these exists: at its end, Python stops each thread that waits for the
// interpreter, without its destructors. Throws Internal if Python is about to end. Construct and destroy it with the
// interpreter lock.
class RunningCall
{
public:
  RunningCall();
  ~RunningCall();
  RunningCall(const RunningCall&) = delete;
  RunningCall& operator=(const RunningCall&) = delete;

  // Stops the calls of all threads, refuses new ones, and waits until there is none.
  static void waitForAll();
};

// Holds an array of 3 axes, and an engine with a session. Several threads may use it, one after the other. Public
// functions release the interpreter lock. They throw Stopped, and Internal if the thread uses the volume already (as in
// the handler of a signal), or if the process was forked since the volume was made.
class NumpyVolume
{
public:
  // array: C-contiguous, of native types. flags: none, or uint8 of the same shape: Ghost flags. origin, steps: see
  // SampleGeometry; axis 0 of the core is the last one of the array. closed: the surface is closed at the border of the
  // array. device: see Engine::shared, which it throws as.
  NumpyVolume(pybind11::array array, pybind11::object flags, const Vector3& origin, const std::array<Vector3, 3>& steps,
    bool closed, const std::string& device);

  NumpyVolume(const NumpyVolume&) = delete;
  NumpyVolume& operator=(const NumpyVolume&) = delete;
  ~NumpyVolume();

  // Returns the arrays of a surface: vertices, faces, normals, values, first_vertex and first_face; with the numbers of
  // regions, vertex_regions, face_regions and regions.
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

  std::string device() const
  {
    const std::lock_guard<std::mutex> lock(this->EngineMutex);
    return this->OwnEngine->deviceName();
  }

private:
  // The use of the volume by one thread. Construct it without the interpreter lock.
  class Use
  {
  public:
    explicit Use(NumpyVolume& volume);
    ~Use();
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;

  private:
    NumpyVolume& Used;
    std::unique_lock<std::timed_mutex> Alone;
  };

  // The thread must use the volume, without the interpreter lock.
  template <class Work>
  auto call(const Work& work);
  Mesh extract(const Request& request, const RegionChoice& choice, std::vector<RegionRow>& regions);
  std::optional<std::pair<double, double>> findRange();

  std::pair<Bins, ValueCounts> count(std::optional<std::uint32_t> bins, std::optional<std::pair<double, double>> range);

  pybind11::array Array; // keeps the samples alive
  pybind11::object Flags;
  Volume Samples;
  const std::uint64_t Process;       // that has made it
  const bool IsAutomatic;            // the device
  std::mutex mutable EngineMutex;    // held where another thread may read or write the engine
  std::shared_ptr<Engine> OwnEngine; // written by the thread that uses the volume
  std::unique_ptr<Session> OwnSession;
  std::timed_mutex OneUse;
  std::atomic<std::thread::id> User{};
};

}

#endif
