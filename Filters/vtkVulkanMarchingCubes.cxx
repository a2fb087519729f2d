// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "vtkVulkanMarchingCubes.h"

#include "ArrayWatch.h"
#include "ContourRun.h"
#include "EngineUser.h"
#include "Extraction.h"
#include "InputPiece.h"
#include "LeafGaps.h"
#include "MissingSurfaces.h"
#include "PolyDataFromMesh.h"
#include "QuietExecutive.h"
#include "SampleCache.h"
#include "VolumeFromImage.h"

#include "Compute/Contour/MarchingCubes.h"
#include "Compute/Engine.h"
#include "Compute/System/Error.h"
#include "Compute/System/HostClock.h"

#include "vtkCommand.h"
#include "vtkDataSetAttributes.h"
#include "vtkDoubleArray.h"
#include "vtkErrorCode.h"
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
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

using namespace vmc::filters;

vtkStandardNewMacro(vtkVulkanMarchingCubes);

namespace
{

std::string withoutDigits(std::string text)
{
  const auto isDigit = [](char letter) { return letter >= '0' && letter <= '9'; };
  text.erase(std::remove_if(text.begin(), text.end(), isDigit), text.end());
  return text;
}

}

class vtkVulkanMarchingCubes::Internals
{
public:
  explicit Internals(vtkVulkanMarchingCubes* self)
    : Watch([self](std::uint64_t identity) { self->ReleaseVolumes(identity); })
  {
  }

  void BeginPass()
  {
    this->PassReport = vmc::Report();
    this->PassClock = vmc::HostClock();
    this->TimeBefore = this->Engines.openMilliseconds();
    this->Errors.clear();
    this->Missing.beginPass();
    this->Gaps.beginPass();
    this->IsWhole = true;
    this->Leaves = 0;
    this->OtherLeaves = 0;
    this->Cache.beginPass();
    this->Engines.beginPass();
  }

  void EndPass()
  {
    this->Missing.beginPass();
    this->Gaps.beginPass();
    this->Cache.endPass();
    this->Engines.endPass();
  }

  // The report of the pass so far. Its stages add up to the whole time.
  vmc::Report Report() const
  {
    vmc::Report report = this->PassReport;
    report.totalMilliseconds = this->TimeBefore + this->PassClock.milliseconds();
    if (const double opening = this->Engines.openMilliseconds(); opening > 0)
      report.stages.add(vmc::Stage::OpenDevice, opening);
    report.stages.add(vmc::Stage::Other, report.totalMilliseconds - report.stages.sum());
    return report;
  }

  EngineUser<vmc::MarchingCubes> Engines{ &vmc::Engine::makeMarchingCubes };
  SampleCache Cache;
  ArrayWatch Watch;
  QuietExecutive Executive;               // after an error of the filter
  unsigned long StartTag = 0, EndTag = 0; // of the filter's own observers
  int Executions = 0;                     // begun and not ended: 0, 1, or 2 in a leaf of a composite data set
  vmc::Report PassReport;                 // of all leaves so far
  vmc::HostClock PassClock;
  double TimeBefore = 0;        // milliseconds of opening the device, before this pass
  std::set<std::string> Errors; // in this pass, without digits: those of leaves may differ in sizes only
  MissingSurfaces Missing;      // in this pass
  LeafGaps Gaps;                // in this pass
  bool IsWhole = true;          // the output of this pass is not one of several pieces
  int Leaves = 0;               // of this pass
  int OtherLeaves = 0;          // of them, those that are not vtkImageData

  vtkNew<vtkStringArray> DeviceNames;
  vtkNew<vtkStringArray> DeviceKinds;
  vtkNew<vtkStringArray> StageNames;
  vtkNew<vtkDoubleArray> StageTimes;
};

vtkVulkanMarchingCubes::vtkVulkanMarchingCubes()
  : Impl(std::make_unique<Internals>(this))
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
  this->FallbackReason.clear();
  this->Note.clear();
  this->NumberOfPoints = this->NumberOfTriangles = 0;
  this->ErrorCode = vtkErrorCode::NoError;
  this->Publish(vmc::Report());
}

void vtkVulkanMarchingCubes::EndPass()
{
  if (this->Impl->Executions == 0 || --this->Impl->Executions > 0)
    return;
  this->Note = this->MakeNote();
  this->WarnOfLeaves();
  this->Impl->EndPass();
}

void vtkVulkanMarchingCubes::WarnOfLeaves()
{
  if (this->Impl->Gaps.any())
    vtkWarningMacro("The surface breaks between adjoining blocks of the input, which have no ghost cells. Apply the "
                    "filter Ghost Cells first; for an AMR, Resample To Image.");
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

// The device opens while the filters upstream execute.
int vtkVulkanMarchingCubes::RequestInformation(
  vtkInformation* request, vtkInformationVector** inputVector, vtkInformationVector* outputVector)
{
  if (this->ContourValues->GetNumberOfContours() != 0)
    this->OpenInBackground(vtkImageData::GetData(inputVector[0]));
  return this->Superclass::RequestInformation(request, inputVector, outputVector);
}

// image: null or empty if it is not read yet.
void vtkVulkanMarchingCubes::OpenInBackground(vtkImageData* image)
{
  int association = vtkDataObject::FIELD_ASSOCIATION_CELLS;
  vtkDataArray* const array = image ? this->FindArray(image, association) : nullptr;
  const std::optional<vmc::Volume> like = array ? volumeLike(image, array, association) : std::nullopt;
  vmc::Engine::openInBackground(this->Device, like ? &*like : nullptr, this->MakeRequest());
}

// The dual cells of a piece touch one layer of its neighbours' samples. Gradients need a second layer.
int vtkVulkanMarchingCubes::RequestUpdateExtent(
  vtkInformation* request, vtkInformationVector** inputVector, vtkInformationVector* outputVector)
{
  if (!this->Superclass::RequestUpdateExtent(request, inputVector, outputVector))
    return 0;
  requestGhostLevels(outputVector->GetInformationObject(0), inputVector[0]->GetInformationObject(0),
    this->ComputeNormals || this->ComputeGradients ? 2 : 1);
  return 1;
}

// A stopped execution succeeds with an empty output. An execution that throws fails with an error and an empty output:
// filters and writers downstream do not execute. The counts then remain those of the leaves before.
int vtkVulkanMarchingCubes::RequestData(
  vtkInformation*, vtkInformationVector** inputVector, vtkInformationVector* outputVector)
{
  vtkImageData* image = vtkImageData::GetData(inputVector[0]);
  vtkPolyData* output = vtkPolyData::GetData(outputVector);
  output->Initialize();
  this->Impl->Executive.reset();
  ++this->Impl->Leaves;
  if (!image)
  {
    ++this->Impl->OtherLeaves;
    return 1;
  }
  int success = 1;
  const vtkIdType pointsBefore = this->NumberOfPoints, trianglesBefore = this->NumberOfTriangles;
  try
  {
    this->ContourImage(inputVector[0]->GetInformationObject(0), image, output);
  }
  catch (const std::exception& error)
  {
    success = 0;
    this->ErrorCode = vtkErrorCode::UserError;
    if (this->Impl->Errors.insert(withoutDigits(error.what())).second)
      vtkErrorMacro(<< error.what());
    this->Impl->Executive.hideNextFailure(this->GetExecutive());
    // The executive would add it to the next request, also if the next image does not have this extent.
    outputVector->GetInformationObject(0)->Remove(vtkStreamingDemandDrivenPipeline::COMBINED_UPDATE_EXTENT());
  }
  if (!success || this->GetAbortExecute())
  {
    output->Initialize();
    this->NumberOfPoints = pointsBefore;
    this->NumberOfTriangles = trianglesBefore;
  }
  this->Publish(this->Impl->Report());
  return success;
}

void vtkVulkanMarchingCubes::ContourImage(vtkInformation* info, vtkImageData* image, vtkPolyData* output)
{
  const vmc::HostClock clock;
  const SampleChoice choice = this->ChooseSamples(info, image);
  const ImageSamples samples = samplesOf(image, choice, this->Impl->Cache);
  this->Impl->PassReport.stages.add(vmc::Stage::PrepareSamples, clock.milliseconds());
  this->Impl->IsWhole = this->Impl->IsWhole && !isPiece(info);
  const bool isNothing = image->GetNumberOfPoints() == 0 || this->ContourValues->GetNumberOfContours() == 0;
  if (!isNothing && endsWithoutGhostCells(samples, choice))
    vtkWarningMacro("The surface has a gap where this piece of the image ends: it was passed without ghost cells. "
                    "Apply the filter Ghost Cells first.");
  if (isNothing)
    polyDataFromMesh(vmc::Mesh(), this->MakeRequest(), samples, nullptr, output);
  else
  {
    this->Impl->Gaps.add(samples);
    this->Impl->Missing.addLeaf(samples);
    this->Contour(samples, output);
  }
  this->Impl->Watch.watch(choice.array, samples.scalars.identity);
  for (const SampleCache::Samples& attribute : samples.attributes)
    this->Impl->Watch.watch(attribute.values, attribute.identity);
  output->GetFieldData()->PassData(image->GetFieldData());
}

vmc::Request vtkVulkanMarchingCubes::MakeRequest()
{
  return requestOf(*this);
}

vtkDataArray* vtkVulkanMarchingCubes::FindArray(vtkImageData* image, int& association)
{
  vtkDataArray* const array = this->GetInputArrayToProcess(0, image, association);
  const bool isNamed = !nameOfChosenArray(this->GetInputArrayInformation(0)).empty();
  return array || isNamed ? array : onlyArrayOf(image, association);
}

SampleChoice vtkVulkanMarchingCubes::ChooseSamples(vtkInformation* info, vtkImageData* image)
{
  return choiceOf(*this, this->MakeRequest(), info, image);
}

// The report and the output are those of the attempt that succeeds.
void vtkVulkanMarchingCubes::Contour(const ImageSamples& samples, vtkPolyData* output)
{
  const vmc::Progress progress = [this](double done) { return this->GoOn(done); };
  vmc::Report report;
  const auto extract = [&](vmc::Engine& engine, vmc::MarchingCubes& marchingCubes)
  {
    output->Initialize();
    report = vmc::Report();
    this->Extract({ engine, marchingCubes, samples, progress, report }, output);
  };
  const std::string reason = this->Impl->Engines.run(this->Device, this->Fallback == FALLBACK_CPU, extract);
  this->UsedDevice = this->Impl->Engines.addUsedDevice(report.device);
  this->Impl->PassReport.add(report);
  if (!reason.empty() && this->FallbackReason.empty())
  {
    this->FallbackReason = reason;
    warnOfFallback(this, reason);
  }
}

void vtkVulkanMarchingCubes::Extract(const Extraction& extraction, vtkPolyData* output)
{
  const vmc::Request request = this->MakeRequest();
  std::optional<vmc::Mesh> mesh = extraction.marchingCubes.extractToHost(
    volumeFromImage(extraction.samples), request, extraction.report, extraction.progress);
  if (!mesh)
    return;
  this->AddSurface(extraction.samples, mesh->firstPoint, static_cast<vtkIdType>(mesh->triangleCount));
  const vmc::HostClock clock;
  polyDataFromMesh(std::move(*mesh), request, extraction.samples, &extraction.engine.hostMemory(), output);
  extraction.report.stages.add(vmc::Stage::WrapOutput, clock.milliseconds());
}

std::shared_ptr<vmc::Engine> vtkVulkanMarchingCubes::OpenDevice()
{
  return this->Impl->Engines.open(this->Device);
}

void vtkVulkanMarchingCubes::AddSurface(
  const ImageSamples& samples, const std::vector<std::size_t>& firstPoint, vtkIdType triangles)
{
  this->NumberOfPoints += static_cast<vtkIdType>(firstPoint.back());
  this->NumberOfTriangles += triangles;
  this->Impl->Missing.addSurfaces(firstPoint, samples);
}

std::string vtkVulkanMarchingCubes::MakeNote()
{
  return this->Impl->Missing.note(this->MakeRequest().isovalues, this->Impl->IsWhole);
}

void vtkVulkanMarchingCubes::ReleaseVolumes(std::uint64_t identity)
{
  this->Impl->Engines.releaseVolumes(identity);
}

bool vtkVulkanMarchingCubes::GoOn(double done)
{
  this->UpdateProgress(done);
  return !this->CheckAbort() && !this->GetAbortExecute();
}

// The time to which a stage belongs; null: to the total only.
double* vtkVulkanMarchingCubes::SumOf(vmc::Stage stage)
{
  switch (stage)
  {
    case vmc::Stage::PrepareSamples:
    case vmc::Stage::OpenDevice:
    case vmc::Stage::MakeKernels:
    case vmc::Stage::WrapOutput:
    case vmc::Stage::Other:
      return nullptr;
    case vmc::Stage::Upload:
      return &this->UploadTime;
    case vmc::Stage::BuildBrickRanges:
      return &this->IndexTime;
    case vmc::Stage::Download:
      return &this->ReadbackTime;
    default:
      return &this->ExtractTime;
  }
}

void vtkVulkanMarchingCubes::SetLastRun(const Run& run)
{
  this->UsedDevice = run.usedDevice;
  this->FallbackReason = run.fallbackReason;
  this->Note = run.note;
  this->NumberOfPoints = run.points;
  this->NumberOfTriangles = run.triangles;
  this->Publish(run.report);
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
    if (double* const sum = this->SumOf(stage))
      *sum += *milliseconds;
  }
  this->TotalTime = report.totalMilliseconds;
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

vtkStringArray* vtkVulkanMarchingCubes::GetDeviceKinds()
{
  this->Impl->DeviceKinds->Reset();
  for (const std::string& kind : vmc::Engine::deviceKinds())
    this->Impl->DeviceKinds->InsertNextValue(kind);
  return this->Impl->DeviceKinds;
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
  os << indent << "Output Ids: " << (this->OutputIds == IDS_64_BIT ? "64 bit" : "32 bit") << "\n";
  os << indent << "Device: " << this->Device << "\n";
  os << indent << "Memory Limit (MiB): " << this->MemoryLimit << "\n";
  os << indent << "Fallback: " << (this->Fallback == FALLBACK_CPU ? "CPU" : "Error") << "\n";
  os << indent << "Used Device: " << this->UsedDevice << "\n";
  os << indent << "Fallback Reason: " << this->FallbackReason << "\n";
  os << indent << "Note: " << this->Note << "\n";
  os << indent << "Number Of Points: " << this->NumberOfPoints << "\n";
  os << indent << "Number Of Triangles: " << this->NumberOfTriangles << "\n";
  os << indent << "Total Time (ms): " << this->TotalTime << "\n";
  os << indent << "Contour Values:\n";
  this->ContourValues->PrintSelf(os, indent.GetNextIndent());
}
