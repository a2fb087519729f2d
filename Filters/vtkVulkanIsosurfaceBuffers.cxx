// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "vtkVulkanIsosurfaceBuffers.h"

#include "Extraction.h"
#include "PolyDataFromMesh.h"
#include "ThreadsOfVtk.h"
#include "VolumeFromImage.h"

#include "Compute/Context.h"
#include "Compute/Contour/DeviceMarchingCubes.h"
#include "Compute/Contour/DeviceMesh.h"
#include "Compute/Engine/DeviceEngine.h"
#include "Compute/System/Error.h"
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

}

class vtkVulkanIsosurfaceBuffers::Surface::Arrays
{
public:
  vmc::DeviceMesh Device;
  vmc::Mesh Host;
  vmc::HostBlock HostValues; // of the points
};

vtkVulkanIsosurfaceBuffers::Surface::Surface()
  : Owned(std::make_unique<Arrays>())
{
}

vtkVulkanIsosurfaceBuffers::Surface::~Surface() = default;

vtkVulkanIsosurfaceBuffers::Export vtkVulkanIsosurfaceBuffers::Surface::ExportMemory(const Array& array) const
{
  try
  {
    if (array.device)
      return { array.device->exportMemory(this->Owned->Device.context->device()), array.device->allocationSize(),
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

  std::optional<std::string> PointValues;
  std::weak_ptr<vmc::Context> LastContext; // of the last extraction
  std::shared_ptr<Surface> Current;
  std::string Obstacle;

private:
  // A surface that does not fit in exported memory takes several extractions to fail. After two failures, the next
  // surfaces are downloaded at once, until a much smaller one or another memory limit suggests another try.
  static constexpr int SkippedExports = 30;
  int Failures = 0; // since the last success
  int ExportsToSkip = 0;
  std::uint64_t MemoryLimit = 0; // of the last extraction
  std::uint64_t TooManyTriangles = 0;
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

void vtkVulkanIsosurfaceBuffers::ReleaseSurface()
{
  this->Buffers->Current.reset();
  if (const std::shared_ptr<vmc::Context> context = this->Buffers->LastContext.lock())
    context->deviceMemory().freeUnused();
  if (vtkPolyData* const output = this->GetOutput())
    output->Initialize();
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
  this->Buffers->Current.reset();
  this->Buffers->Obstacle.clear();
  return this->Superclass::RequestData(request, inputVector, outputVector);
}

vmc::Request vtkVulkanIsosurfaceBuffers::MakeRequest()
{
  vmc::Request request = this->Superclass::MakeRequest();
  if (this->Memory == POLY_DATA)
    return request;
  request.computeGradients = request.splitPositions = request.computeCells = false;
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

Array arrayOf(const vmc::DeviceArray& array, std::uint64_t sizeInBytes)
{
  const vmc::Buffer* const buffer = sizeInBytes != 0 ? array.region().buffer : nullptr;
  return { 1, sizeInBytes, buffer, buffer ? buffer->identity() : 0, nullptr };
}

Array arrayOf(const vmc::HostBlock& block)
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
  request.exportArrays = request.isovalues.size() == 1; // several surfaces are joined
  std::optional<vmc::DeviceMesh> parts =
    onDevice.extract(volumeFromImage(extraction.samples), request, extraction.report, extraction.progress);
  if (!parts)
    return nullptr;
  const bool withIsovalues = this->WantsIsovalues(extraction.samples);
  const auto surface = std::make_shared<Surface>();
  vmc::DeviceMesh& mesh = surface->Owned->Device;
  mesh = onDevice.exported(std::move(*parts), request, withIsovalues, extraction.report);
  surface->memory = DEVICE_MEMORY;
  surface->pointCount = mesh.pointCount();
  surface->triangleCount = mesh.triangleCount();
  surface->origin = mesh.origin;
  describeArrays(mesh.layout.outputs, *surface,
    [&](const vmc::Output& row, std::size_t i)
    {
      const std::uint64_t bytes = row.bytes(surface->pointCount, surface->triangleCount);
      return mesh.parts.empty() ? Array() : arrayOf(mesh.parts.front().arrays[i], bytes);
    });
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
    [&](const vmc::Output& row, std::size_t) { return arrayOf(*vmc::blockOf(mesh, row)); });
  if (this->WantsIsovalues(extraction.samples))
  {
    surface->Owned->HostValues = isovaluesOf(mesh, request, extraction.engine.hostMemory());
    surface->values = arrayOf(surface->Owned->HostValues);
    surface->valueOrigin = request.isovalues.front();
  }
  return surface;
}

std::shared_ptr<Surface> vtkVulkanIsosurfaceBuffers::Internals::ExportOrDownload(
  const Extraction& extraction, vmc::DeviceMarchingCubes& onDevice, const vmc::Request& request)
{
  if (std::exchange(this->MemoryLimit, request.memoryLimit) != request.memoryLimit)
    this->Failures = this->ExportsToSkip = 0;
  const bool skips = this->ExportsToSkip > 0;
  if (skips)
    this->Obstacle = "The last surfaces did not fit in memory that the device exports.";
  else
    try
    {
      const std::shared_ptr<Surface> surface = this->Export(extraction, onDevice, request);
      this->Failures = 0;
      return surface;
    }
    catch (const vmc::Error& error)
    {
      if (error.kind() != vmc::Error::Kind::OutOfMemory)
        throw;
      this->Obstacle = error.what();
      this->ExportsToSkip = ++this->Failures > 1 ? SkippedExports : 0;
    }
  const std::shared_ptr<Surface> surface = this->Download(extraction, request);
  const std::uint64_t triangles = surface ? surface->triangleCount : 0;
  if (!skips)
    this->TooManyTriangles = triangles;
  else
    this->ExportsToSkip = triangles < this->TooManyTriangles / 4 * 3 ? 0 : this->ExportsToSkip - 1;
  return surface;
}

void vtkVulkanIsosurfaceBuffers::Extract(const Extraction& extraction, vtkPolyData* output)
{
  Internals& on = *this->Buffers;
  const auto* const engine = dynamic_cast<vmc::DeviceEngine*>(&extraction.engine);
  on.LastContext = engine ? engine->context() : nullptr;
  if (this->Memory == POLY_DATA)
  {
    this->Superclass::Extract(extraction, output);
    return;
  }
  const vmc::Request request = this->MakeRequest();
  polyDataFromMesh(vmc::Mesh(), request, extraction.samples, nullptr, output);
  auto* const onDevice = dynamic_cast<vmc::DeviceMarchingCubes*>(&extraction.marchingCubes);
  if (this->Memory == DEVICE_MEMORY && onDevice)
    on.Current = on.ExportOrDownload(extraction, *onDevice, request);
  else
    on.Current = on.Download(extraction, request);
  if (this->Memory == DEVICE_MEMORY && !onDevice)
    on.Obstacle = OnCpu;
  if (!on.Current)
    return;
  const Surface::Arrays& made = *on.Current->Owned;
  const bool isOnDevice = on.Current->memory == DEVICE_MEMORY;
  this->AddSurface(extraction.samples, isOnDevice ? made.Device.firstPoint : made.Host.firstPoint,
    static_cast<vtkIdType>(on.Current->triangleCount));
}

void vtkVulkanIsosurfaceBuffers::PrintSelf(ostream& os, vtkIndent indent)
{
  this->Superclass::PrintSelf(os, indent);
  os << indent << "Memory: " << this->Memory << "\n";
  os << indent << "Point Values: " << this->Buffers->PointValues.value_or("(none)") << "\n";
}
