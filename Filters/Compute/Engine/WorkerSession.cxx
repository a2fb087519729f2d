// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Engine/WorkerSession.h"

#include <utility>

namespace vmc
{

namespace
{

// Encloses calls with the volumes of one list.
template <class Worker>
class Pass
{
public:
  explicit Pass(Worker& worker)
    : Owner(worker)
  {
    worker.beginPass();
  }
  ~Pass() { this->Owner.endPass(); }

private:
  Worker& Owner;
};

}

std::optional<Surface> WorkerSession::extract(
  const std::vector<Volume>& volumes, const Request& request, Report& report, const Progress& progress)
{
  report = Report();
  const Pass pass(*this->Contour);
  Surface surface;
  for (std::size_t i = 0; i < volumes.size(); ++i)
  {
    Report next;
    const Progress part = [&](double done) { return !progress || progress((i + done) / volumes.size()); };
    std::optional<Mesh> mesh = this->Contour->extractToHost(volumes[i], request, next, part);
    report.add(next);
    report.device = next.device;
    if (!mesh)
      return std::nullopt;
    mesh->attributes.resize(volumes[i].attributes.size());
    surface.meshes.push_back(std::move(*mesh));
  }
  return surface;
}

Picture WorkerSession::cast(const Volume& volume, const RayRequest& request, Report& report)
{
  report = Report();
  Picture picture;
  picture.onHost = this->Caster->cast(volume, request, report);
  return picture;
}

std::vector<std::optional<SampleRange>> WorkerSession::findRanges(
  const std::vector<Volume>& volumes, const CountLimits& limits, Report& report)
{
  report = Report();
  std::vector<std::optional<SampleRange>> ranges;
  ranges.reserve(volumes.size());
  for (const Volume& volume : volumes)
    ranges.push_back(findRangeOnCpu(volume, limits, report));
  return ranges;
}

std::optional<std::vector<ValueCounts>> WorkerSession::count(const std::vector<Volume>& volumes, const Bins& bins,
  const CountLimits& limits, Report& report, const Progress& progress)
{
  report = Report();
  std::vector<ValueCounts> counts;
  for (const Volume& volume : volumes)
  {
    if (progress && !progress(double(counts.size()) / double(volumes.size())))
      return std::nullopt;
    counts.push_back(countOnCpu(volume, bins, limits, report));
  }
  return counts;
}

void WorkerSession::releaseVolumes(std::uint64_t identity)
{
  this->Contour->releaseVolumes(identity);
  this->Caster->releaseVolumes(identity);
}

}
