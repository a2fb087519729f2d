// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "DrawingSource.h"

#include "ContourLeaves.h"
#include "ContourParts.h"
#include "JoinedBlocks.h"
#include "MissingSurfaces.h"
#include "PolyDataFromMesh.h"
#include "SessionUser.h"
#include "SurfaceRegions.h"
#include "SurfaceTables.h"
#include "VolumeFromImage.h"

#include "Compute/Context.h"
#include "Compute/Contour/Outputs.h"
#include "Compute/Cpu/CastOnCpu.h"
#include "Compute/Engine/DeviceEngine.h"
#include "Compute/System/Parallel.h"

#include "vtkCompositeDataSet.h"
#include "vtkInformation.h"
#include "vtkPolyData.h"

#include <exception>
#include <utility>

namespace vmc::filters
{

namespace
{

// An obstacle to exported memory.
constexpr const char* OnCpu = "The CPU computes the surface.";
constexpr const char* OnHost = "Which regions are at the border, or the nearest, is found in the memory of the host.";
constexpr const char* SeveralParts = "The surfaces of several images or lattices are drawn from vtkPolyData.";

static_assert(DrawnPicture::NoHit == RAY_NO_HIT);

DrawnArray arrayOf(const vmc::Region& array, vmc::Context* context, std::uint64_t sizeInBytes)
{
  const vmc::Buffer* const buffer = sizeInBytes != 0 ? array.buffer : nullptr;
  return { 1, sizeInBytes, buffer, buffer ? buffer->identity() : 0, context, nullptr };
}

DrawnArray arrayOf(const vmc::HostBlock& block)
{
  return { 1, block.size(), nullptr, 0, nullptr, block.data() };
}

// The member for this output; null if it is not drawn.
DrawnArray* memberFor(const vmc::Output& row, DrawnSurface& surface)
{
  return row.member == &vmc::Mesh::positions   ? &surface.positions
         : row.member == &vmc::Mesh::normals   ? &surface.normals
         : row.member == &vmc::Mesh::triangles ? &surface.triangles
         : row.isAttribute()                   ? &surface.values
                                               : nullptr;
}

std::shared_ptr<DrawnSurface> drawnSurface(
  vmc::Surface made, const vmc::Request& request, const std::vector<vmc::Attribute>& attributes)
{
  const auto memory = std::make_shared<vmc::Surface>(std::move(made));
  vmc::Mesh& mesh = memory->meshes.front();
  auto surface = std::make_shared<DrawnSurface>();
  surface->isOnDevice = memory->isOnDevice();
  surface->pointCount = mesh.pointCount;
  surface->triangleCount = mesh.triangleCount;
  surface->origin = mesh.origin;
  vmc::Context* const context = memory->context.get();
  const std::vector<vmc::Output> rows = vmc::outputsOf(request, attributes);
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (DrawnArray* const array = memberFor(rows[i], *surface))
    {
      *array = surface->isOnDevice
                 ? arrayOf(memory->arrays[i].region(), context, rows[i].bytes(mesh.pointCount, mesh.triangleCount))
                 : arrayOf(*vmc::blockOf(mesh, rows[i]));
      array->components = rows[i].words;
    }
  if (request.pointIsovalues)
  {
    surface->values = surface->isOnDevice
                        ? arrayOf(memory->isovalues.region(), context, mesh.pointCount * sizeof(float))
                        : arrayOf(mesh.isovalues);
    surface->valueOrigin = request.isovalues.front();
  }
  surface->memory = memory;
  return surface;
}

// The memory of a picture and of values at its pixels.
struct PictureMemory
{
  vmc::Picture picture;
  vmc::HostBlock values;
};

std::shared_ptr<DrawnPicture> drawnPicture(const std::shared_ptr<PictureMemory>& memory, const vmc::RayCamera& camera)
{
  const vmc::Picture& made = memory->picture;
  auto picture = std::make_shared<DrawnPicture>();
  picture->isOnDevice = made.isOnDevice();
  picture->width = camera.width;
  picture->height = camera.height;
  picture->pixels = made.isOnDevice() ? arrayOf(made.onDevice.region(), made.context.get(),
                                          std::uint64_t(camera.width) * camera.height * sizeof(vmc::RayHit))
                                      : arrayOf(made.onHost.block());
  picture->pixels.components = sizeof(vmc::RayHit) / sizeof(std::uint32_t);
  picture->values = arrayOf(memory->values);
  picture->memory = memory;
  return picture;
}

}

// The input and the output of a run.
struct DrawingSource::Work
{
  ContourPart& part;
  vmc::Request request;
  Drawing& drawing;
  MissingSurfaces missing;
};

ExportedMemory exportMemory(const DrawnArray& array)
{
  try
  {
    if (array.buffer)
      return { array.buffer->exportMemory(array.context->device()), array.buffer->allocationSize(),
        array.buffer->size() };
  }
  catch (const vk::SystemError&)
  {
    // The caller draws from host memory instead.
  }
  return {};
}

void copyFromHost(const DrawnArray& array, void* to)
{
  copyInParallel(static_cast<std::byte*>(to), static_cast<const std::byte*>(array.host), array.sizeInBytes);
}

bool Drawing::isFor(const DrawingRequest& next) const
{
  const DrawingRequest& last = this->request;
  if (next.content != last.content || next.piece != last.piece || next.exported != last.exported ||
      next.castRays != last.castRays || next.pointValues != last.pointValues)
    return false;
  const bool hasFitted = this->surface && this->obstacle.empty();
  if (next.mayCastRays != last.mayCastRays && !hasFitted)
    return false;
  const bool hasSameSize = next.camera.width == last.camera.width && next.camera.height == last.camera.height;
  if (this->picture || this->isViewUnsupported)
    return hasSameSize && next.camera.worldToClip == last.camera.worldToClip;
  return hasSameSize || !next.castRays;
}

DrawingSource::DrawingSource(vtkVulkanMarchingCubes* settings)
  : Settings(settings)
  , Sessions(std::make_unique<SessionUser>())
{
}

DrawingSource::~DrawingSource() = default;

Drawing DrawingSource::make(const DrawingRequest& request)
{
  Drawing drawing;
  drawing.request = request;
  drawing.polyData = vtkSmartPointer<vtkPolyData>::New();
  this->Sessions->beginRun();
  try
  {
    this->run(drawing);
  }
  catch (const std::exception& error)
  {
    drawing.surface.reset();
    drawing.picture.reset();
    vtkErrorWithObjectMacro(this->Settings, << error.what());
  }
  this->Sessions->endRun(drawing.run.report);
  return drawing;
}

void DrawingSource::run(Drawing& drawing)
{
  vtkInformation* const info = this->Settings->GetInputInformation();
  vtkDataObject* const data = this->Settings->GetInputDataObject(0, 0);
  vmc::Request request = requestOf(*this->Settings);
  request.computeGradients = request.splitPositions = request.computeCells = request.wideIds = false;
  request.mergePoints = true;
  ContourParts parts(*this->Settings, *this->Sessions, info, request, drawing.request.pointValues.value_or(""));
  const std::vector<std::string> warnings =
    vtkCompositeDataSet::SafeDownCast(data) ? addGroups(parts, info) : addLeaves(parts, info, drawing.polyData);
  for (const std::string& warning : warnings)
    vtkWarningWithObjectMacro(this->Settings, << warning);
  if (parts.parts().size() == 1)
    this->draw(parts, drawing);
  else if (!parts.parts().empty())
  {
    parts.extract();
    joinOutputs(parts, data, drawing.polyData);
    drawing.obstacle = SeveralParts;
    drawing.run = parts.results();
  }
  for (const std::string& error : parts.errors())
    if (drawing.surface || drawing.picture || drawing.polyData->GetNumberOfPoints() != 0)
      vtkWarningWithObjectMacro(this->Settings, << error);
    else
      vtkErrorWithObjectMacro(this->Settings, << error);
}

void DrawingSource::draw(ContourParts& parts, Drawing& drawing)
{
  ContourPart& part = parts.parts().front();
  const ImageSamples& samples = part.samples();
  const std::optional<std::string>& pointValues = drawing.request.pointValues;
  vmc::Request request = parts.request();
  request.relativePositions = true;
  request.writeOffsets = false;
  request.pointIsovalues =
    pointValues && samples.nameOfScalars && (pointValues->empty() || pointValues == samples.nameOfScalars);
  polyDataFromMesh(vmc::Mesh(), request, samples, nullptr, drawing.polyData);
  Work work{ part, request, drawing, {} };
  this->Sessions->keepOnly(!part.isLattice(), part.isLattice());
  if (parts.isToContour(part))
    this->makeOnEngine(work);
  else
    this->endSession();
  drawing.run.report.stages.add(parts.results().report.stages);
  drawing.run.devices.Note = work.missing.note(request.isovalues, parts.isWhole());
  if (drawing.picture && !drawing.request.castRays)
    drawing.run.devices.Note =
      "Rays draw the surface, as its triangles do not fit in the memory of the device. " + drawing.obstacle;
}

void DrawingSource::makeOnEngine(Work& work)
{
  if (work.part.isLattice())
    work.missing.addLevels(work.part.group.levels);
  else
    work.missing.addLeaf(work.part.samples());
  for (this->Sessions->beginCall(this->Settings->GetDeviceSettings()); this->Sessions->nextEngine();)
    try
    {
      this->make(work);
    }
    catch (const vmc::Error& error)
    {
      this->Sessions->fail(error);
    }
  vtkVulkanMarchingCubes::Run& run = work.drawing.run;
  run.devices.UsedDevice = run.report.device;
  run.devices.FallbackReason = this->Sessions->fallbackReason();
  warnOfDevices(this->Settings, run.devices.FallbackReason, run.report.leftOut);
}

void DrawingSource::make(Work& work)
{
  const DrawingRequest& request = work.drawing.request;
  const bool isOnDevice = dynamic_cast<const vmc::DeviceEngine*>(&this->Sessions->engine()) != nullptr;
  const bool isExported = request.exported && isOnDevice;
  work.drawing.run.report = vmc::Report();
  work.drawing.isViewUnsupported = false;
  work.drawing.obstacle = !request.exported ? "" : !isOnDevice ? OnCpu : "";
  work.request.memory = isExported ? vmc::OutputMemory::Exported : vmc::OutputMemory::Host;
  if (isExported && !request.castRays && this->exportSurface(work))
    return;
  if (request.castRays || (isExported && request.mayCastRays))
    return this->cast(work);
  work.request.memory = vmc::OutputMemory::Host;
  this->extract(work);
  if (isExported)
    this->Failures.addDownload(work.drawing.surface->triangleCount);
}

bool DrawingSource::exportSurface(Work& work)
{
  if (!this->Failures.mayTry(work.drawing.request.content, work.request.memoryLimit))
  {
    work.drawing.obstacle = "The last surfaces did not fit in memory that the device exports.";
    return false;
  }
  try
  {
    this->extract(work);
    this->Failures.count = 0;
    return true;
  }
  catch (const vmc::Error& error)
  {
    if (error.kind() != vmc::Error::Kind::OutOfMemory)
      throw;
    work.drawing.obstacle = error.what();
    this->Failures.add(work.drawing.request.content);
    return false;
  }
}

void DrawingSource::extract(Work& work)
{
  const ImageSamples& samples = work.part.samples();
  vmc::Session& session = this->Sessions->session();
  vmc::Report& report = work.drawing.run.report;
  SurfaceRegions regions(*this->Settings, work.request);
  vmc::Surface surface = *extractParts({ &work.part }, session, regions, report);
  for (const LevelBlock& block : work.part.group.blocks)
    work.missing.addSurfaces(surface.meshes.front().firstPoint, block.samples);
  if (regions.completeMeshes())
  {
    regions.find(session, std::move(surface), { regionPartOf(work.part) }, report);
    regions.choose(report);
    surface = regions.finish(0, report);
  }
  if (work.request.memory == vmc::OutputMemory::Exported && !surface.isOnDevice())
    work.drawing.obstacle = OnHost;
  const vmc::Mesh& mesh = surface.meshes.front();
  regions.addTo(work.drawing.run, { &mesh });
  if (work.request.computeMeasures)
    addDomainShare(work.part.share, work.drawing.run.measures);
  work.drawing.run.points = static_cast<vtkIdType>(mesh.pointCount);
  work.drawing.run.triangles = static_cast<vtkIdType>(mesh.triangleCount);
  work.drawing.surface = drawnSurface(std::move(surface), work.request, attributesOf(samples));
}

void DrawingSource::cast(Work& work)
try
{
  Drawing& drawing = work.drawing;
  const vmc::Volume volume = volumeFromImage(work.part.samples());
  const bool withValues = !volume.attributes.empty();
  const bool isExported = work.request.memory == vmc::OutputMemory::Exported;
  if (withValues && isExported)
    drawing.obstacle = "Values of another array are interpolated on the host.";
  vmc::RayRequest request{ work.request.isovalues, drawing.request.camera, work.request.threads,
    work.request.memoryLimit, withValues ? vmc::OutputMemory::Host : work.request.memory };
  const vmc::StageTimes before = drawing.run.report.stages; // of a surface that did not fit
  const auto memory = std::make_shared<PictureMemory>();
  memory->picture = this->Sessions->session().cast(volume, request, drawing.run.report);
  drawing.run.report.stages.add(before);
  if (withValues)
  {
    const vmc::HostClock clock;
    memory->values = vmc::valuesAtHits(memory->picture.onHost, request.camera, volume, volume.attributes.front(),
      this->Sessions->engine().hostMemory(), request.threads);
    drawing.run.report.stages.add(vmc::Stage::InterpolateAttribute, clock.milliseconds());
  }
  const auto picture = drawnPicture(memory, request.camera);
  picture->values.components = withValues ? volume.attributes.front().components : 0;
  if (work.request.pointIsovalues)
    picture->isovalues = request.isovalues;
  drawing.picture = picture;
}
catch (const vmc::Error& error)
{
  work.drawing.isViewUnsupported = error.kind() == vmc::Error::Kind::Unsupported;
  throw;
}

std::shared_ptr<vmc::DeviceEngine> DrawingSource::openDevice(std::string& reason)
{
  try
  {
    auto engine = std::dynamic_pointer_cast<vmc::DeviceEngine>(this->Sessions->open(this->Settings->GetDevice()));
    reason = engine ? "" : OnCpu;
    return engine;
  }
  catch (const std::exception& error)
  {
    reason = error.what();
    return nullptr;
  }
}

std::optional<DeviceIdentity> DrawingSource::exportingDevice(std::string& reason)
{
  const auto engine = this->openDevice(reason);
  if (!engine)
    return std::nullopt;
  const vmc::Device& device = engine->context()->device();
  if (device.exportsMemory())
    return DeviceIdentity{ device.traits().deviceUuid, device.traits().driverUuid };
  reason = device.traits().name + " does not export memory to OpenGL.";
  return std::nullopt;
}

void DrawingSource::freeMemory()
{
  std::string reason;
  const bool hasRun = *this->Settings->GetUsedDevice() != 0;
  if (const auto engine = hasRun ? this->openDevice(reason) : nullptr)
    engine->context()->deviceMemory().freeUnused();
}

void DrawingSource::endSession()
{
  this->Sessions->endSessions();
}

bool DrawingSource::ExportFailures::mayTry(vtkMTimeType next, std::uint64_t limit)
{
  if (limit != this->memoryLimit)
    *this = {};
  this->memoryLimit = limit;
  if (next == this->content)
    return false;
  if (this->surfacesToSkip == 0)
    return true;
  --this->surfacesToSkip;
  this->content = next;
  return false;
}

void DrawingSource::ExportFailures::add(vtkMTimeType failed)
{
  constexpr int SurfacesToSkip = 30;
  this->content = failed;
  this->surfacesToSkip = ++this->count > 1 ? SurfacesToSkip : 0;
}

void DrawingSource::ExportFailures::addDownload(std::uint64_t next)
{
  if (next < this->triangles / 4 * 3)
    this->surfacesToSkip = 0;
  this->triangles = next;
}

}
