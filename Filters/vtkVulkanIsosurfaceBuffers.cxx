// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "vtkVulkanIsosurfaceBuffers.h"

#include "Extraction.h"
#include "PolyDataFromMesh.h"
#include "ThreadsOfVtk.h"
#include "VolumeFromImage.h"

#include "Compute/Context.h"
#include "Compute/Contour/DeviceMarchingCubes.h"
#include "Compute/Cpu/HitValues.h"
#include "Compute/Engine/DeviceEngine.h"
#include "Compute/Rays/DeviceRayCaster.h"
#include "Compute/System/Error.h"
#include "Compute/System/HostClock.h"
#include "Compute/System/Parallel.h"

#include "vtkImageData.h"
#include "vtkObjectFactory.h"
#include "vtkPolyData.h"

#include <algorithm>
#include <utility>

using namespace vmc::filters;

vtkStandardNewMacro(vtkVulkanIsosurfaceBuffers);

namespace
{

// An obstacle to device memory.
constexpr const char* OnCpu = "The CPU computes the surface.";

static_assert(vtkVulkanIsosurfaceBuffers::Picture::NoHit == RAY_NO_HIT);

}

class vtkVulkanIsosurfaceBuffers::Surface::Arrays
{
public:
  vmc::Surface Device;
  vmc::Mesh Host;
  vmc::HostBlock HostValues; // of the points
  vmc::Report Report;        // of the execution that made the surface
};

vtkVulkanIsosurfaceBuffers::Surface::Surface()
  : Owned(std::make_unique<Arrays>())
{
}

vtkVulkanIsosurfaceBuffers::Surface::~Surface() = default;

class vtkVulkanIsosurfaceBuffers::Picture::Arrays
{
public:
  vmc::DeviceRayPicture Device;
  vmc::RayPicture Host;
  vmc::HostBlock HostValues;
};

vtkVulkanIsosurfaceBuffers::Picture::Picture()
  : Owned(std::make_unique<Arrays>())
{
}

vtkVulkanIsosurfaceBuffers::Picture::~Picture() = default;

vtkVulkanIsosurfaceBuffers::Export vtkVulkanIsosurfaceBuffers::ArrayOwner::ExportMemory(const Array& array) const
{
  try
  {
    if (array.device)
      return { array.device->exportMemory(this->Context->device()), array.device->allocationSize(),
        array.device->size() };
  }
  catch (const vk::SystemError&)
  {
    // The caller draws from host memory instead.
  }
  return {};
}

void vtkVulkanIsosurfaceBuffers::Surface::ReleaseHostMemory()
{
  if (this->memory != HOST_MEMORY)
    return;
  this->Owned->Host = vmc::Mesh();
  this->Owned->HostValues = vmc::HostBlock();
  for (Array* array : { &this->positions, &this->normals, &this->values, &this->triangles })
    array->host = nullptr;
  this->IsReleased = true;
}

class vtkVulkanIsosurfaceBuffers::Internals
{
public:
  // Whether the values at the points are the isovalues, not an array of the image.
  bool WantsIsovalues(const ImageSamples& samples) const
  {
    return this->PointValues && samples.nameOfScalars &&
           (this->PointValues->empty() || *this->PointValues == *samples.nameOfScalars);
  }

  // Each returns null if the extraction was stopped.
  std::shared_ptr<Surface> ExportOrDownload(
    const Extraction& extraction, vmc::DeviceMarchingCubes& onDevice, const vmc::Request& request);
  std::shared_ptr<Surface> Export(
    const Extraction& extraction, vmc::DeviceMarchingCubes& onDevice, vmc::Request request) const;
  std::shared_ptr<Surface> Download(const Extraction& extraction, const vmc::Request& request) const;

  std::shared_ptr<Picture> CastRays(const Extraction& extraction, const vmc::Request& request, int memory);

  // Frees what rays have kept of another engine.
  void ReleaseOtherEngine(const vmc::Engine& engine)
  {
    if (this->RayEngine.get() != &engine)
      this->ReleaseCaster();
  }

  // After a surface of other samples: frees what rays have kept.
  void ReleaseOtherVolumes(std::uint64_t identity)
  {
    if (this->CastIdentity != identity)
      this->ReleaseCaster();
  }

  // The engine outlives the caster.
  void ReleaseCaster()
  {
    this->Caster.reset();
    this->RayEngine.reset();
  }

  std::optional<std::string> PointValues;
  std::weak_ptr<vmc::Context> LastContext; // of the last extraction
  std::shared_ptr<Surface> Current;
  std::shared_ptr<Picture> CurrentPicture;
  std::string Obstacle;

  int RayUse = NO_RAYS;
  View RayView;
  vtkTimeStamp RayTime;         // of the last change of a view that matters, or of RayUse
  vtkMTimeType ContentTime = 0; // of the settings and the image, in this execution

  bool IsViewUnsupported = false;         // the last execution has failed for this reason
  std::shared_ptr<vmc::Engine> RayEngine; // of the caster
  std::unique_ptr<vmc::RayCaster> Caster; // null: none, as the next picture makes it

private:
  // A surface that does not fit in exported memory takes several extractions to fail. After two failures, the next
  // surfaces are downloaded at once, until a much smaller one or another memory limit suggests another try.
  static constexpr int SkippedExports = 30;
  int Failures = 0; // since the last success
  int ExportsToSkip = 0;
  std::uint64_t MemoryLimit = 0; // of the last extraction
  std::uint64_t TooManyTriangles = 0;
  vtkMTimeType FailedContent = 0; // ContentTime of the last failure
  std::uint64_t CastIdentity = 0; // of the samples that the caster has met last
};

vtkVulkanIsosurfaceBuffers::vtkVulkanIsosurfaceBuffers()
  : Buffers(std::make_unique<Internals>())
{
}

vtkVulkanIsosurfaceBuffers::~vtkVulkanIsosurfaceBuffers() = default;

void vtkVulkanIsosurfaceBuffers::SetPointValues(const std::optional<std::string>& name)
{
  if (this->Buffers->PointValues == name)
    return;
  this->Buffers->PointValues = name;
  this->Modified();
}

vtkDataArray* vtkVulkanIsosurfaceBuffers::GetContouredArray()
{
  vtkImageData* const image = vtkImageData::SafeDownCast(this->GetInputDataObject(0, 0));
  int association = 0;
  return image ? this->FindArray(image, association) : nullptr;
}

std::shared_ptr<vtkVulkanIsosurfaceBuffers::Surface> vtkVulkanIsosurfaceBuffers::GetSurface() const
{
  return this->Buffers->Current;
}

const std::string& vtkVulkanIsosurfaceBuffers::GetObstacle() const
{
  return this->Buffers->Obstacle;
}

std::shared_ptr<vtkVulkanIsosurfaceBuffers::Picture> vtkVulkanIsosurfaceBuffers::GetPicture() const
{
  return this->Buffers->CurrentPicture;
}

void vtkVulkanIsosurfaceBuffers::SetRays(int use, const View& view)
{
  Internals& on = *this->Buffers;
  // Without a picture, the last execution has failed. Unless the view was the reason, it would fail again.
  const bool isOtherSize = view.width != on.RayView.width || view.height != on.RayView.height;
  const bool isOtherView =
    use != NO_RAYS && (on.CurrentPicture || on.IsViewUnsupported ? !(view == on.RayView) : use == RAYS && isOtherSize);
  if (use != on.RayUse || isOtherView)
    on.RayTime.Modified();
  on.RayUse = use;
  on.RayView = view;
}

vtkMTimeType vtkVulkanIsosurfaceBuffers::GetSettingsTime()
{
  return this->Superclass::GetMTime();
}

vtkMTimeType vtkVulkanIsosurfaceBuffers::GetMTime()
{
  return std::max(this->GetSettingsTime(), this->Buffers->RayTime.GetMTime());
}

void vtkVulkanIsosurfaceBuffers::Publish(const vmc::Report& report)
{
  if (this->Buffers->Current && report.totalMilliseconds > 0) // at the end of an execution
    this->Buffers->Current->Owned->Report = report;
  this->Superclass::Publish(report);
}

void vtkVulkanIsosurfaceBuffers::ReleasePicture(const Surface& drawn)
{
  this->Buffers->CurrentPicture.reset();
  this->Superclass::Publish(drawn.Owned->Report);
}

void vtkVulkanIsosurfaceBuffers::ReleaseSurface()
{
  this->Buffers->Current.reset();
  this->Buffers->CurrentPicture.reset();
  if (const std::shared_ptr<vmc::Context> context = this->Buffers->LastContext.lock())
    context->deviceMemory().freeUnused();
  if (vtkPolyData* const output = this->GetOutput())
    output->Initialize();
  this->Publish(vmc::Report());
  this->Modified();
}

std::optional<vtkVulkanIsosurfaceBuffers::Identity> vtkVulkanIsosurfaceBuffers::GetExportingDevice(std::string& reason)
{
  try
  {
    const auto engine = std::dynamic_pointer_cast<vmc::DeviceEngine>(this->OpenDevice());
    if (!engine)
    {
      reason = OnCpu;
      return std::nullopt;
    }
    const vmc::Device& device = engine->context()->device();
    if (device.exportsMemory())
      return Identity{ device.traits().deviceUuid, device.traits().driverUuid };
    reason = device.traits().name + " does not export memory to OpenGL.";
  }
  catch (const std::exception& error)
  {
    reason = error.what();
  }
  return std::nullopt;
}

int vtkVulkanIsosurfaceBuffers::RequestData(
  vtkInformation* request, vtkInformationVector** inputVector, vtkInformationVector* outputVector)
{
  Internals& on = *this->Buffers;
  on.Current.reset();
  on.CurrentPicture.reset();
  on.IsViewUnsupported = false;
  on.Obstacle.clear();
  vtkDataObject* const input = vtkDataObject::GetData(inputVector[0]);
  on.ContentTime =
    std::max(this->GetSettingsTime(), input ? std::max(input->GetMTime(), input->GetUpdateTime()) : vtkMTimeType(0));
  return this->Superclass::RequestData(request, inputVector, outputVector);
}

vmc::Request vtkVulkanIsosurfaceBuffers::MakeRequest()
{
  vmc::Request request = this->Superclass::MakeRequest();
  if (this->Memory == POLY_DATA)
    return request;
  request.computeGradients = request.splitPositions = request.computeCells = request.wideIds = false;
  request.relativePositions = request.mergePoints = true;
  return request;
}

SampleChoice vtkVulkanIsosurfaceBuffers::ChooseSamples(vtkInformation* info, vtkImageData* image)
{
  SampleChoice choice = this->Superclass::ChooseSamples(info, image);
  choice.withAttributes = this->Buffers->PointValues && !this->Buffers->PointValues->empty();
  if (choice.withAttributes)
    choice.onlyAttribute = this->Buffers->PointValues;
  return choice;
}

namespace
{

using Surface = vtkVulkanIsosurfaceBuffers::Surface;
using Array = vtkVulkanIsosurfaceBuffers::Array;

// Describes the arrays of the rows that a renderer needs. describe(row, index of the row) returns the row's array.
template <class Describe>
void describeArrays(const std::vector<vmc::Output>& rows, Surface& surface, const Describe& describe)
{
  for (std::size_t i = 0; i < rows.size(); ++i)
  {
    const vmc::Output& row = rows[i];
    Array* const target = row.member == &vmc::Mesh::positions   ? &surface.positions
                          : row.member == &vmc::Mesh::normals   ? &surface.normals
                          : row.member == &vmc::Mesh::triangles ? &surface.triangles
                          : row.isAttribute()                   ? &surface.values
                                                                : nullptr;
    if (!target)
      continue;
    *target = describe(row, i);
    target->components = row.words;
  }
}

template <class OnDevice>
Array arrayOf(const OnDevice& array, std::uint64_t sizeInBytes)
{
  const vmc::Buffer* const buffer = sizeInBytes != 0 ? array.region().buffer : nullptr;
  return { 1, sizeInBytes, buffer, buffer ? buffer->identity() : 0, nullptr };
}

Array arrayOfBlock(const vmc::HostBlock& block)
{
  return { 1, block.size(), nullptr, 0, block.data() };
}

// float per point: its isovalue minus the first one, as in DeviceMesh::isovalues.
vmc::HostBlock isovaluesOf(const vmc::Mesh& mesh, const vmc::Request& request, vmc::HostMemoryPool& memory)
{
  const std::vector<double>& isovalues = request.isovalues;
  vmc::HostBlock block = memory.acquire(mesh.pointCount * sizeof(float));
  auto* const values = reinterpret_cast<float*>(block.data());
  for (std::size_t i = 0; i < isovalues.size(); ++i)
  {
    float* const first = values + mesh.firstPoint[i];
    const auto difference = static_cast<float>(isovalues[i] - isovalues[0]);
    vmc::inParallel(
      mesh.firstPoint[i + 1] - mesh.firstPoint[i], sizeof(float),
      [=](std::size_t begin, std::size_t end) { std::fill(first + begin, first + end, difference); },
      copyThreadsOf(request));
  }
  return block;
}

}

std::shared_ptr<Surface> vtkVulkanIsosurfaceBuffers::Internals::Export(
  const Extraction& extraction, vmc::DeviceMarchingCubes& onDevice, vmc::Request request) const
{
  const bool withIsovalues = this->WantsIsovalues(extraction.samples);
  request.memory = vmc::OutputMemory::Exported;
  request.pointIsovalues = withIsovalues;
  std::optional<vmc::Surface> made =
    onDevice.extract({ volumeFromImage(extraction.samples) }, request, extraction.report, extraction.progress);
  if (!made)
    return nullptr;
  const auto surface = std::make_shared<Surface>();
  vmc::Surface& mesh = surface->Owned->Device;
  mesh = std::move(*made);
  surface->memory = DEVICE_MEMORY;
  surface->Context = mesh.context;
  surface->pointCount = mesh.meshes.front().pointCount;
  surface->triangleCount = mesh.meshes.front().triangleCount;
  surface->origin = mesh.meshes.front().origin;
  describeArrays(mesh.outputs, *surface,
    [&](const vmc::Output& row, std::size_t i)
    { return arrayOf(mesh.arrays[i], row.bytes(surface->pointCount, surface->triangleCount)); });
  if (withIsovalues)
  {
    surface->values = arrayOf(mesh.isovalues, surface->pointCount * sizeof(float));
    surface->valueOrigin = request.isovalues.front();
  }
  return surface;
}

std::shared_ptr<Surface> vtkVulkanIsosurfaceBuffers::Internals::Download(
  const Extraction& extraction, const vmc::Request& request) const
{
  std::optional<vmc::Mesh> downloaded = extraction.marchingCubes.extractToHost(
    volumeFromImage(extraction.samples), request, extraction.report, extraction.progress);
  if (!downloaded)
    return nullptr;
  const auto surface = std::make_shared<Surface>();
  vmc::Mesh& mesh = surface->Owned->Host;
  mesh = std::move(*downloaded);
  mesh.attributes.resize(extraction.samples.attributes.size());
  surface->pointCount = mesh.pointCount;
  surface->triangleCount = mesh.triangleCount;
  surface->origin = mesh.origin;
  describeArrays(vmc::outputsOf(request, attributesOf(extraction.samples)), *surface,
    [&](const vmc::Output& row, std::size_t) { return arrayOfBlock(*vmc::blockOf(mesh, row)); });
  if (this->WantsIsovalues(extraction.samples))
  {
    surface->Owned->HostValues = isovaluesOf(mesh, request, extraction.engine.hostMemory());
    surface->values = arrayOfBlock(surface->Owned->HostValues);
    surface->valueOrigin = request.isovalues.front();
  }
  return surface;
}

std::shared_ptr<vtkVulkanIsosurfaceBuffers::Picture> vtkVulkanIsosurfaceBuffers::Internals::CastRays(
  const Extraction& extraction, const vmc::Request& request, int memory)
try
{
  if (!this->Caster)
  {
    this->RayEngine = extraction.engine.shared_from_this();
    this->Caster = this->RayEngine->makeRayCaster();
  }
  this->CastIdentity = extraction.samples.scalars.identity;
  vmc::RayRequest rays;
  rays.isovalues = request.isovalues;
  rays.threads = request.threads;
  rays.memoryLimit = request.memoryLimit;
  rays.camera.width = static_cast<std::uint32_t>(this->RayView.width);
  rays.camera.height = static_cast<std::uint32_t>(this->RayView.height);
  for (std::size_t i = 0; i < 16; ++i)
    rays.camera.worldToClip[i / 4][i % 4] = this->RayView.worldToClip[i];
  const vmc::Volume volume = volumeFromImage(extraction.samples);
  const auto picture = std::make_shared<Picture>();
  picture->width = this->RayView.width;
  picture->height = this->RayView.height;
  if (this->WantsIsovalues(extraction.samples))
    picture->isovalues = rays.isovalues;
  auto* const onDevice = dynamic_cast<vmc::DeviceRayCaster*>(this->Caster.get());
  const bool withValues = !volume.attributes.empty(); // they are computed on the host
  if (memory == DEVICE_MEMORY && onDevice && !withValues)
  {
    vmc::DeviceRayPicture& made = picture->Owned->Device;
    made = onDevice->castOnDevice(volume, rays, extraction.report);
    picture->memory = DEVICE_MEMORY;
    picture->Context = made.context;
    picture->pixels = arrayOf(made.pixels, std::uint64_t(picture->width) * picture->height * sizeof(vmc::RayHit));
  }
  else
  {
    picture->Owned->Host = this->Caster->cast(volume, rays, extraction.report);
    picture->pixels = arrayOfBlock(picture->Owned->Host.block());
  }
  if (withValues)
  {
    if (memory == DEVICE_MEMORY && onDevice)
      this->Obstacle = "Values of another array are interpolated on the host.";
    const vmc::Attribute& attribute = volume.attributes.front();
    const vmc::HostClock clock;
    picture->Owned->HostValues = vmc::valuesAtHits(
      picture->Owned->Host, rays.camera, volume, attribute, extraction.engine.hostMemory(), rays.threads);
    extraction.report.stages.add(vmc::Stage::InterpolateAttribute, clock.milliseconds());
    picture->values = arrayOfBlock(picture->Owned->HostValues);
    picture->values.components = attribute.components;
  }
  picture->pixels.components = sizeof(vmc::RayHit) / sizeof(std::uint32_t);
  return picture;
}
catch (const vmc::Error& error)
{
  this->IsViewUnsupported = error.kind() == vmc::Error::Kind::Unsupported;
  throw;
}

std::shared_ptr<Surface> vtkVulkanIsosurfaceBuffers::Internals::ExportOrDownload(
  const Extraction& extraction, vmc::DeviceMarchingCubes& onDevice, const vmc::Request& request)
{
  if (std::exchange(this->MemoryLimit, request.memoryLimit) != request.memoryLimit)
    this->Failures = this->ExportsToSkip = 0;
  // Another view of the same content fails as well.
  const bool skips = this->ExportsToSkip > 0 || this->FailedContent == this->ContentTime;
  if (skips)
    this->Obstacle = "The last surfaces did not fit in memory that the device exports.";
  else
    try
    {
      const std::shared_ptr<Surface> surface = this->Export(extraction, onDevice, request);
      this->Failures = 0;
      this->FailedContent = 0;
      return surface;
    }
    catch (const vmc::Error& error)
    {
      if (error.kind() != vmc::Error::Kind::OutOfMemory)
        throw;
      this->Obstacle = error.what();
      this->ExportsToSkip = ++this->Failures > 1 ? SkippedExports : 0;
      this->FailedContent = this->ContentTime;
    }
  if (this->RayUse != NO_RAYS)
  {
    if (skips && this->FailedContent != this->ContentTime)
      --this->ExportsToSkip;
    this->CurrentPicture = this->CastRays(extraction, request, DEVICE_MEMORY);
    return nullptr;
  }
  const std::shared_ptr<Surface> surface = this->Download(extraction, request);
  const std::uint64_t triangles = surface ? surface->triangleCount : 0;
  if (!skips)
    this->TooManyTriangles = triangles;
  else
    this->ExportsToSkip = triangles < this->TooManyTriangles / 4 * 3 ? 0 : std::max(this->ExportsToSkip - 1, 0);
  return surface;
}

void vtkVulkanIsosurfaceBuffers::Extract(const Extraction& extraction, vtkPolyData* output)
{
  Internals& on = *this->Buffers;
  const auto* const engine = dynamic_cast<vmc::DeviceEngine*>(&extraction.engine);
  on.LastContext = engine ? engine->context() : nullptr;
  on.ReleaseOtherEngine(extraction.engine);
  if (this->Memory == POLY_DATA)
  {
    on.ReleaseCaster();
    this->Superclass::Extract(extraction, output);
    return;
  }
  const vmc::Request request = this->MakeRequest();
  polyDataFromMesh(vmc::Mesh(), request, extraction.samples, nullptr, output);
  auto* const onDevice = dynamic_cast<vmc::DeviceMarchingCubes*>(&extraction.marchingCubes);
  if (this->Memory == DEVICE_MEMORY && !onDevice)
    on.Obstacle = OnCpu;
  if (on.RayUse == RAYS)
    on.CurrentPicture = on.CastRays(extraction, request, this->Memory);
  else if (this->Memory == DEVICE_MEMORY && onDevice)
    on.Current = on.ExportOrDownload(extraction, *onDevice, request);
  else
    on.Current = on.Download(extraction, request);
  if (!on.Current)
    return;
  on.ReleaseOtherVolumes(extraction.samples.scalars.identity);
  const Surface::Arrays& made = *on.Current->Owned;
  const bool isOnDevice = on.Current->memory == DEVICE_MEMORY;
  this->AddSurface(extraction.samples, isOnDevice ? made.Device.meshes.front().firstPoint : made.Host.firstPoint,
    static_cast<vtkIdType>(on.Current->triangleCount));
}

std::string vtkVulkanIsosurfaceBuffers::MakeNote()
{
  const Internals& on = *this->Buffers;
  if (on.CurrentPicture && on.RayUse == RAYS_WITHOUT_MEMORY)
    return "Rays draw the surface, as its triangles do not fit in the memory of the device. " + on.Obstacle;
  return this->Superclass::MakeNote();
}

void vtkVulkanIsosurfaceBuffers::ReleaseVolumes(std::uint64_t identity)
{
  this->Superclass::ReleaseVolumes(identity);
  if (this->Buffers->Caster)
    this->Buffers->Caster->releaseVolumes(identity);
}

void vtkVulkanIsosurfaceBuffers::PrintSelf(ostream& os, vtkIndent indent)
{
  this->Superclass::PrintSelf(os, indent);
  os << indent << "Memory: " << this->Memory << "\n";
  os << indent << "Ray Use: " << this->Buffers->RayUse << "\n";
  os << indent << "Point Values: " << this->Buffers->PointValues.value_or("(none)") << "\n";
}
