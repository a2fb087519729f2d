// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "vtkVulkanMarchingCubes.h"

#include "CpuContour.h"
#include "DeviceExtraction.h"
#include "PolyDataFromMesh.h"
#include "SampleCache.h"
#include "VolumeFromImage.h"

#include "Compute/Contour/MarchingCubes.h"
#include "Compute/Contour/Outputs.h"
#include "Compute/Engine.h"
#include "Compute/System/Error.h"
#include "Compute/System/HostClock.h"

#include "vtkCommand.h"
#include "vtkDataSetAttributes.h"
#include "vtkDoubleArray.h"
#include "vtkExtentTranslator.h"
#include "vtkFieldData.h"
#include "vtkImageData.h"
#include "vtkInformation.h"
#include "vtkInformationVector.h"
#include "vtkObjectFactory.h"
#include "vtkPolyData.h"
#include "vtkStreamingDemandDrivenPipeline.h"
#include "vtkStringArray.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>

using namespace vmc::filters;

vtkStandardNewMacro(vtkVulkanMarchingCubes);

class vtkVulkanMarchingCubes::Internals
{
public:
  // The extraction on this device. Calls with the same engine return the same object, which keeps the volume on the
  // device.
  vmc::MarchingCubes& On(const std::string& device)
  {
    const auto shared = vmc::Engine::shared(device);
    if (!this->Extraction || this->Engine != shared)
    {
      this->Extraction.reset();
      this->Engine = shared;
      this->Extraction = shared->makeMarchingCubes();
      if (this->Executions > 0)
        this->Extraction->beginPass();
    }
    return *this->Extraction;
  }

  void BeginPass()
  {
    this->PassReport = vmc::Report();
    this->PassClock = vmc::HostClock();
    this->UsedDevices.clear();
    this->UsesCpu = false;
    this->Leaves = 0;
    this->OtherLeaves = 0;
    this->Cache.beginPass();
    if (this->Extraction)
      this->Extraction->beginPass();
  }

  void EndPass()
  {
    this->Cache.endPass();
    if (this->Extraction)
      this->Extraction->endPass();
  }

  // Copies of a deleted array leave the device.
  void Forget(vtkObject* array)
  {
    const auto watched = this->Watched.find(array);
    if (this->Extraction && watched != this->Watched.end())
      this->Extraction->releaseVolumes(watched->second);
    this->Watched.erase(array);
  }

  // After DeviceLost: nothing of the old device is used again.
  void Drop()
  {
    if (!this->Extraction)
      return;
    vmc::Engine::forget(*this->Engine);
    this->Extraction.reset();
    this->Engine.reset();
  }

  std::shared_ptr<vmc::Engine> Engine; // of the extraction
  SampleCache Cache;
  std::map<vtkObject*, std::uint64_t> Watched; // arrays whose deletion is observed, and the identities of their copies
  unsigned long StartTag = 0, EndTag = 0;      // of the filter's own observers
  int Executions = 0;                          // begun and not ended: 0, 1, or 2 in a leaf of a composite data set
  vmc::Report PassReport;                      // of all leaves so far
  vmc::HostClock PassClock;
  std::set<std::string> UsedDevices; // in this pass
  bool UsesCpu = false;              // for at least one leaf of this pass
  int Leaves = 0;                    // of this pass
  int OtherLeaves = 0;               // of them, those that are not vtkImageData

  vtkNew<vtkStringArray> DeviceNames;
  vtkNew<vtkStringArray> StageNames;
  vtkNew<vtkDoubleArray> StageTimes;

private:
  std::unique_ptr<vmc::MarchingCubes> Extraction;
};

vtkVulkanMarchingCubes::vtkVulkanMarchingCubes()
  : Impl(std::make_unique<Internals>())
{
  this->SetInputArrayToProcess(0, 0, 0, vtkDataObject::FIELD_ASSOCIATION_CELLS, vtkDataSetAttributes::SCALARS);
}

vtkVulkanMarchingCubes::~vtkVulkanMarchingCubes() = default;

vtkPolyData* vtkVulkanMarchingCubes::GetOutput()
{
  return this->GetOutput(0);
}

vtkPolyData* vtkVulkanMarchingCubes::GetOutput(int port)
{
  return vtkPolyData::SafeDownCast(this->GetOutputDataObject(port));
}

vtkMTimeType vtkVulkanMarchingCubes::GetMTime()
{
  return std::max(this->Superclass::GetMTime(), this->ContourValues->GetMTime());
}

int vtkVulkanMarchingCubes::FillInputPortInformation(int, vtkInformation* info)
{
  info->Set(vtkAlgorithm::INPUT_REQUIRED_DATA_TYPE(), "vtkImageData");
  return 1;
}

int vtkVulkanMarchingCubes::FillOutputPortInformation(int, vtkInformation* info)
{
  info->Set(vtkDataObject::DATA_TYPE_NAME(), "vtkPolyData");
  return 1;
}

void vtkVulkanMarchingCubes::BeginPass()
{
  if (this->Impl->Executions++ > 0)
    return;
  this->Impl->BeginPass();
  this->UsedDevice.clear();
  this->Publish(vmc::Report());
}

void vtkVulkanMarchingCubes::EndPass()
{
  if (this->Impl->Executions == 0 || --this->Impl->Executions > 0)
    return;
  this->Impl->EndPass();
  this->WarnOfOtherLeaves();
}

void vtkVulkanMarchingCubes::WarnOfOtherLeaves()
{
  if (const int others = std::exchange(this->Impl->OtherLeaves, 0))
    vtkWarningMacro(<< others << " of " << this->Impl->Leaves
                    << " blocks of the input are not vtkImageData and are left out.");
}

void vtkVulkanMarchingCubes::ObserveExecutions()
{
  if (this->GetCommand(this->Impl->StartTag) && this->GetCommand(this->Impl->EndTag))
    return;
  this->RemoveObserver(this->Impl->StartTag);
  this->RemoveObserver(this->Impl->EndTag);
  this->Impl->StartTag = this->AddObserver(vtkCommand::StartEvent, this, &vtkVulkanMarchingCubes::BeginPass);
  this->Impl->EndTag = this->AddObserver(vtkCommand::EndEvent, this, &vtkVulkanMarchingCubes::EndPass);
  this->Impl->Executions = 0; // events of executions that began before may be missing
}

// A request for data that comes without a StartEvent is one pass.
vtkTypeBool vtkVulkanMarchingCubes::ProcessRequest(
  vtkInformation* request, vtkInformationVector** inputVector, vtkInformationVector* outputVector)
{
  using Pipeline = vtkStreamingDemandDrivenPipeline;
  if (request->Has(Pipeline::REQUEST_DATA_NOT_GENERATED())) // comes before StartEvent
    this->ObserveExecutions();
  const bool alone = request->Has(Pipeline::REQUEST_DATA()) && this->Impl->Executions == 0;
  if (alone)
    this->BeginPass();
  const vtkTypeBool success = this->Superclass::ProcessRequest(request, inputVector, outputVector);
  if (alone)
    this->EndPass();
  return success;
}

namespace
{

void wholeExtentOf(vtkInformation* info, vtkImageData* image, int extent[6])
{
  if (info && info->Has(vtkStreamingDemandDrivenPipeline::WHOLE_EXTENT()))
    info->Get(vtkStreamingDemandDrivenPipeline::WHOLE_EXTENT(), extent);
  else
    image->GetExtent(extent);
}

// The extent that the pipeline assigns to this piece, without ghost layers. Empty if there is only one piece.
std::array<int, 6> pieceExtentOf(vtkInformation* info)
{
  using Pipeline = vtkStreamingDemandDrivenPipeline;
  std::array<int, 6> piece{ 0, -1, 0, -1, 0, -1 };
  const int pieces = info ? info->Get(Pipeline::UPDATE_NUMBER_OF_PIECES()) : 1;
  if (pieces <= 1 || !info->Has(Pipeline::WHOLE_EXTENT()))
    return piece;
  vtkNew<vtkExtentTranslator>()->PieceToExtentThreadSafe(info->Get(Pipeline::UPDATE_PIECE_NUMBER()), pieces, 0,
    info->Get(Pipeline::WHOLE_EXTENT()), piece.data(), vtkExtentTranslator::BLOCK_MODE, 0);
  return piece;
}

std::string nameOfChosenArray(vtkInformation* chosen)
{
  const char* name = chosen ? chosen->Get(vtkDataObject::FIELD_NAME()) : nullptr;
  return name ? name : "";
}

}

// The dual cells of a piece touch one layer of its neighbours' samples. Gradients need a second layer.
int vtkVulkanMarchingCubes::RequestUpdateExtent(
  vtkInformation* request, vtkInformationVector** inputVector, vtkInformationVector* outputVector)
{
  using Pipeline = vtkStreamingDemandDrivenPipeline;
  if (!this->Superclass::RequestUpdateExtent(request, inputVector, outputVector))
    return 0;
  vtkInformation* outInfo = outputVector->GetInformationObject(0);
  vtkInformation* inInfo = inputVector[0]->GetInformationObject(0);
  const int pieces = outInfo->Get(Pipeline::UPDATE_NUMBER_OF_PIECES());
  const int levels = this->ComputeNormals || this->ComputeGradients ? 2 : 1;
  const int requested = outInfo->Get(Pipeline::UPDATE_NUMBER_OF_GHOST_LEVELS());
  inInfo->Set(Pipeline::UPDATE_NUMBER_OF_GHOST_LEVELS(), pieces > 1 ? requested + levels : requested);
  return 1;
}

// A stopped execution succeeds with an empty output. An execution that throws fails with an error and an empty output.
int vtkVulkanMarchingCubes::RequestData(
  vtkInformation*, vtkInformationVector** inputVector, vtkInformationVector* outputVector)
{
  vtkImageData* image = vtkImageData::GetData(inputVector[0]);
  vtkPolyData* output = vtkPolyData::GetData(outputVector);
  output->Initialize();
  ++this->Impl->Leaves;
  if (!image)
  {
    ++this->Impl->OtherLeaves;
    return 1;
  }
  int success = 1;
  try
  {
    this->ContourImage(inputVector[0]->GetInformationObject(0), image, output);
  }
  catch (const std::exception& error)
  {
    vtkErrorMacro(<< error.what());
    success = 0;
  }
  if (!success || this->GetAbortExecute())
    output->Initialize();
  this->TotalTime = this->Impl->PassClock.milliseconds();
  return success;
}

void vtkVulkanMarchingCubes::ContourImage(vtkInformation* info, vtkImageData* image, vtkPolyData* output)
{
  const SampleChoice choice = this->ChooseSamples(info, image);
  const ImageSamples samples = samplesOf(image, choice, this->Impl->Cache);
  const bool isNothing = image->GetNumberOfPoints() == 0 || this->ContourValues->GetNumberOfContours() == 0;
  if (!isNothing && endsWithoutGhostCells(samples, choice))
    vtkWarningMacro("The surface has a gap where this piece of the image ends: it was passed without ghost cells. "
                    "Apply the filter Ghost Cells first.");
  if (isNothing)
    polyDataFromMesh(vmc::Mesh(), this->MakeRequest(), samples, nullptr, output);
  else
    this->Contour(samples, output);
  this->Watch(choice.array, samples.scalars.identity);
  for (const SampleCache::Samples& attribute : samples.attributes)
    this->Watch(attribute.values, attribute.identity);
  output->GetFieldData()->PassData(image->GetFieldData());
}

vmc::Request vtkVulkanMarchingCubes::MakeRequest()
{
  vmc::Request request;
  const double* isovalues = this->ContourValues->GetValues();
  request.isovalues.assign(isovalues, isovalues + this->ContourValues->GetNumberOfContours());
  request.computeNormals = this->ComputeNormals != 0;
  request.computeGradients = this->ComputeGradients != 0;
  request.computeCells = this->ComputeSampleIds != 0;
  request.splitPositions = this->OutputPointsPrecision == DOUBLE_PRECISION;
  request.mergePoints = this->MergePoints != 0;
  request.memoryLimit = static_cast<std::uint64_t>(this->MemoryLimit) << 20;
  return request;
}

// If there is no array, because a rank has no piece, the scalars have the name of the requested array.
SampleChoice vtkVulkanMarchingCubes::ChooseSamples(vtkInformation* info, vtkImageData* image)
{
  SampleChoice choice;
  choice.name = nameOfChosenArray(this->GetInputArrayInformation(0));
  choice.association = vtkDataObject::FIELD_ASSOCIATION_CELLS;
  choice.array = this->GetInputArrayToProcess(0, image, choice.association);
  choice.component = this->ArrayComponent;
  choice.withAttributes = this->InterpolateAttributes != 0;
  choice.doublePoints = this->OutputPointsPrecision == DOUBLE_PRECISION;
  choice.boundary = static_cast<BoundaryMode>(this->Boundary);
  wholeExtentOf(info, image, choice.wholeExtent.data());
  choice.pieceExtent = pieceExtentOf(info);
  if (this->ComputeScalars && choice.array)
    choice.nameOfScalars = choice.array->GetName() ? choice.array->GetName() : "";
  else if (this->ComputeScalars && !choice.name.empty())
    choice.nameOfScalars = choice.name;
  for (const vmc::Output& row : vmc::outputsOf(this->MakeRequest(), {}))
    if (row.isArray())
    {
      choice.reservedNames.insert(row.name);
      if (row.element == vmc::Output::Element::Point && row.name == choice.nameOfScalars)
        choice.nameOfScalars = "Isovalue";
    }
  return choice;
}

// After DeviceLost, opens the device again and retries once. After the second loss, or if the device or its memory does
// not suffice, Fallback determines whether the CPU computes the surface.
void vtkVulkanMarchingCubes::Contour(const ImageSamples& samples, vtkPolyData* output)
{
  using Kind = vmc::Error::Kind;
  for (bool again = false;; again = true)
  {
    try
    {
      this->ContourOnDevice(samples, output);
      return;
    }
    catch (const vmc::Error& error)
    {
      const bool lost = error.kind() == Kind::DeviceLost;
      if (lost)
        this->Impl->Drop();
      if (lost && !again)
        continue;
      if (error.kind() == Kind::Internal || this->Fallback == FALLBACK_ERROR)
        throw;
      output->Initialize();
      this->ContourOnCpu(samples, error.what(), output);
      return;
    }
  }
}

void vtkVulkanMarchingCubes::ContourOnDevice(const ImageSamples& samples, vtkPolyData* output)
{
  vmc::MarchingCubes& marchingCubes = this->Impl->On(this->Device);
  vmc::Report report;
  const vmc::Progress progress = [this](double done) { return this->GoOn(done); };
  this->ExtractOnDevice({ *this->Impl->Engine, marchingCubes, samples, progress, report }, output);
  this->AddUsedDevice(this->Impl->Engine->deviceName());
  this->Impl->PassReport.add(report);
  this->Publish(this->Impl->PassReport);
}

void vtkVulkanMarchingCubes::ExtractOnDevice(const DeviceExtraction& extraction, vtkPolyData* output)
{
  const vmc::Request request = this->MakeRequest();
  std::optional<vmc::Mesh> mesh = extraction.marchingCubes.extractToHost(
    volumeFromImage(extraction.samples), request, extraction.report, extraction.progress);
  if (mesh)
    polyDataFromMesh(std::move(*mesh), request, extraction.samples, &extraction.engine.hostMemory(), output);
}

void vtkVulkanMarchingCubes::Watch(vtkObject* array, std::uint64_t identity)
{
  if (!array)
    return;
  if (this->Impl->Watched.count(array) == 0)
    array->AddObserver(vtkCommand::DeleteEvent, this, &vtkVulkanMarchingCubes::Forget);
  this->Impl->Watched[array] = identity;
}

void vtkVulkanMarchingCubes::Forget(vtkObject* array, unsigned long, void*)
{
  this->Impl->Forget(array);
}

void vtkVulkanMarchingCubes::ContourOnCpu(const ImageSamples& samples, const std::string& reason, vtkPolyData* output)
{
  const std::string obstacle = obstacleOnCpu(samples);
  if (!obstacle.empty())
    throw vmc::Error(vmc::Error::Kind::Unsupported, reason + " " + obstacle);
  if (!std::exchange(this->Impl->UsesCpu, true))
  {
    this->AddUsedDevice("CPU: vtkFlyingEdges3D (" + reason + ")");
    this->WarnOfFallback(reason);
  }
  vmc::Request request = this->MakeRequest();
  request.computeCells = false;
  contourOnCpu(
    samples, request, [this](double done) { return this->GoOn(done); }, output);
}

void vtkVulkanMarchingCubes::WarnOfFallback(const std::string& reason)
{
  vtkWarningMacro(<< "Contouring with vtkFlyingEdges3D instead of Vulkan. " << reason);
  if (this->ComputeSampleIds)
    vtkWarningMacro(<< "vtkFlyingEdges3D does not compute sample ids.");
}

bool vtkVulkanMarchingCubes::GoOn(double done)
{
  this->UpdateProgress(done);
  return !this->CheckAbort() && !this->GetAbortExecute();
}

void vtkVulkanMarchingCubes::AddUsedDevice(const std::string& name)
{
  if (!this->Impl->UsedDevices.insert(name).second)
    return;
  this->UsedDevice += (this->UsedDevice.empty() ? "" : "; ") + name;
}

void vtkVulkanMarchingCubes::Publish(const vmc::Report& report)
{
  this->UploadTime = this->IndexTime = this->ExtractTime = this->ReadbackTime = 0;
  this->Impl->StageNames->Reset();
  this->Impl->StageTimes->Reset();
  for (std::size_t i = 0; i < vmc::StageCount; ++i)
  {
    const auto stage = static_cast<vmc::Stage>(i);
    const std::optional<double>& milliseconds = report.stages[stage];
    if (!milliseconds)
      continue;
    this->Impl->StageNames->InsertNextValue(nameOf(stage));
    this->Impl->StageTimes->InsertNextValue(*milliseconds);
    (stage == vmc::Stage::Upload              ? this->UploadTime
      : stage == vmc::Stage::BuildBrickRanges ? this->IndexTime
      : stage == vmc::Stage::Download         ? this->ReadbackTime
                                              : this->ExtractTime) += *milliseconds;
  }
  this->DeviceMemory = static_cast<vtkIdType>(report.deviceBytes);
  this->NumberOfBricks = static_cast<vtkIdType>(report.bricks);
  this->NumberOfActiveBricks = static_cast<vtkIdType>(report.activeBricks);
}

vtkStringArray* vtkVulkanMarchingCubes::GetDeviceNames()
{
  this->Impl->DeviceNames->Reset();
  for (const std::string& name : vmc::Engine::deviceNames())
    this->Impl->DeviceNames->InsertNextValue(name);
  return this->Impl->DeviceNames;
}

vtkStringArray* vtkVulkanMarchingCubes::GetStageNames()
{
  return this->Impl->StageNames;
}

vtkDoubleArray* vtkVulkanMarchingCubes::GetStageTimes()
{
  return this->Impl->StageTimes;
}

void vtkVulkanMarchingCubes::PrintSelf(ostream& os, vtkIndent indent)
{
  this->Superclass::PrintSelf(os, indent);
  os << indent << "Compute Normals: " << this->ComputeNormals << "\n";
  os << indent << "Compute Gradients: " << this->ComputeGradients << "\n";
  os << indent << "Compute Sample Ids: " << this->ComputeSampleIds << "\n";
  os << indent << "Array Component: " << this->ArrayComponent << "\n";
  os << indent << "Boundary: " << this->Boundary << "\n";
  os << indent << "Output Points Precision: " << this->OutputPointsPrecision << "\n";
  os << indent << "Compute Scalars: " << this->ComputeScalars << "\n";
  os << indent << "Interpolate Attributes: " << this->InterpolateAttributes << "\n";
  os << indent << "Merge Points: " << this->MergePoints << "\n";
  os << indent << "Device: " << this->Device << "\n";
  os << indent << "Memory Limit (MiB): " << this->MemoryLimit << "\n";
  os << indent << "Fallback: " << (this->Fallback == FALLBACK_CPU ? "CPU" : "Error") << "\n";
  os << indent << "Used Device: " << this->UsedDevice << "\n";
  os << indent << "Total Time (ms): " << this->TotalTime << "\n";
  os << indent << "Contour Values:\n";
  this->ContourValues->PrintSelf(os, indent.GetNextIndent());
}
