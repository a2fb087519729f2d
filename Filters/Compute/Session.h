// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The algorithms of an engine.
#ifndef vmcSession_h
#define vmcSession_h

#include "Compute/Contour/Request.h"
#include "Compute/Contour/Surface.h"
#include "Compute/Histogram/Bins.h"
#include "Compute/Histogram/DomainShare.h"
#include "Compute/Histogram/ValueCounts.h"
#include "Compute/Measure/FoundRegions.h"
#include "Compute/Rays/Picture.h"
#include "Compute/Rays/RayRequest.h"
#include "Compute/Volume/Levels.h"
#include "Compute/Volume/Report.h"
#include "Compute/Volume/Volume.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace vmc
{

// The session of one caller on an engine. It holds the volumes of its last call, so that the next call with the same
// volumes (see Volume::identity) needs less work: no upload and no brick ranges. Several sessions share what they hold.
// One call at a time per session. Sessions may be used at the same time in several threads.
//
// Each function sets the report of the call, and throws Unsupported (limits of the device, more than 2^32 - 1 points,
// geometry that cannot be inverted, cameras without rays), OutOfMemory, OutOfHostMemory, DeviceLost, Internal. Equal
// arguments and engines give identical bytes.
class Session
{
public:
  Session() = default;
  virtual ~Session() = default;
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // Returns the isosurfaces of the volumes, which do not depend on each other, or nothing if `progress` stopped the
  // extraction. A volume with fewer than two samples along an axis has no dual cell and gives an empty mesh. All
  // engines make the same triangles in the same order.
  virtual std::optional<Surface> extract(
    const std::vector<Volume>& volumes, const Request& request, Report& report, const Progress& progress = {}) = 0;

  // Returns the isosurface of each hierarchy of levels (see extractOnCpu), which do not depend on each other, or
  // nothing if `progress` stopped the extraction. The session holds these hierarchies until the next call with levels.
  // Throws Unsupported if cells of triangles are requested of a Vulkan device, but not in host memory.
  virtual std::optional<Surface> extract(
    const std::vector<Levels>& hierarchies, const Request& request, Report& report, const Progress& progress = {}) = 0;

  // Finds the regions of a surface that this session has extracted with wanted.extraction(request). The engine must
  // outlive the result. Adds to the report. Throws as the others do.
  virtual std::unique_ptr<FoundRegions> findRegions(
    Surface surface, const Request& request, const RegionRequest& wanted, Report& report) = 0;

  // Returns the nearest crossing per pixel. The surface in a dual cell is that of the trilinear interpolant of its
  // corners; triangles connect the points of this surface on the edges of the cell. A volume without a dual cell has no
  // crossing. The crossings of the engines differ in the last bits, and where a ray grazes the surface.
  virtual Picture cast(const Volume& volume, const RayRequest& request, Report& report) = 0;

  // Returns the range of the samples of each volume (see findRangeOnCpu).
  virtual std::vector<std::optional<SampleRange>> findRanges(
    const std::vector<Volume>& volumes, const CountLimits& limits, Report& report) = 0;

  // Counts the samples and the cut cells of each volume (see countOnCpu), and sums the volumes of samples with
  // coordinates, on the CPU (see sumVolumesOnCpu). Returns nothing if `progress` stopped it.
  virtual std::optional<std::vector<ValueCounts>> count(const std::vector<Volume>& volumes, const Bins& bins,
    const CountLimits& limits, Report& report, const Progress& progress = {}) = 0;

  // The same for hierarchies of levels (see findRangesOnCpu and countOnCpu). The session holds their bricks as after an
  // extraction, and the CPU counts.
  virtual std::vector<std::optional<SampleRange>> findRanges(
    const std::vector<Levels>& hierarchies, const CountLimits& limits, Report& report) = 0;
  virtual std::optional<std::vector<LevelCounts>> count(const std::vector<Levels>& hierarchies, const Bins& bins,
    const CountLimits& limits, Report& report, const Progress& progress = {}) = 0;

  // Returns for each volume, or hierarchy of levels, the share of its domain that is above each isovalue. Adds to the
  // report. The session holds what it holds after count(). Calls after an extraction of the same volumes need less
  // work.
  virtual std::vector<DomainShare> findShares(const std::vector<Volume>& volumes, const std::vector<double>& isovalues,
    const CountLimits& limits, Report& report);
  std::vector<DomainShare> findShares(const std::vector<Levels>& hierarchies, const std::vector<double>& isovalues,
    const CountLimits& limits, Report& report);

  // Releases the volumes with an array of this identity, as when the array was deleted, and the hierarchies whose last
  // samples it has.
  virtual void releaseVolumes(std::uint64_t identity) = 0;
};

}

#endif
