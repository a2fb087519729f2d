// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "vtkVulkanMarchingCubes.h"

#include "ContourLeaves.h"
#include "ContourParts.h"
#include "ContourRun.h"
#include "JoinedBlocks.h"
#include "Ranks.h"
#include "SessionUser.h"
#include "VolumeFromImage.h"

#include "Compute/Engine.h"

#include "vtkCommand.h"
#include "vtkCompositeDataSet.h"
#include "vtkDataSetAttributes.h"
#include "vtkDoubleArray.h"
#include "vtkErrorCode.h"
#include "vtkExecutive.h"
#include "vtkImageData.h"
#include "vtkInformation.h"
#include "vtkInformationVector.h"
#include "vtkObjectFactory.h"
#include "vtkOutputWindow.h"
#include "vtkPolyData.h"
#include "vtkStreamingDemandDrivenPipeline.h"
#include "vtkStringArray.h"
#include "vtkTable.h"
#include "vtkWeakPointer.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

using namespace vmc::filters;

vtkStandardNewMacro(vtkVulkanMarchingCubes);

namespace
{

// The stages whose times are no part of the ExtractTime.
constexpr vmc::Stage OtherStages[] = { vmc::Stage::PrepareSamples, vmc::Stage::OpenDevice, vmc::Stage::MakeKernels,
  vmc::Stage::Upload, vmc::Stage::BuildBrickRanges, vmc::Stage::Download, vmc::Stage::WrapOutput, vmc::Stage::Other };

}

class vtkVulkanMarchingCubes::Internals
{
public:
  ~Internals() { this->ObserveExecutive(nullptr); }

  // An executive reports a second error if RequestData returns 0: that the algorithm "returned failure for request". As
  // the filter has reported the reason, the next error of this executive is hidden if it is that one. null: no error is
  // hidden from now on.
  void ObserveExecutive(vtkExecutive* executive)
  {
    if (this->Executive)
      this->Executive->RemoveObserver(this->Observer);
    this->Executive = executive;
    if (executive)
      this->Observer = executive->AddObserver(vtkCommand::ErrorEvent, this, &Internals::OnError);
  }

  // VTK shows an error of an object that nobody observes; observers get it instead.
  void OnError(vtkObject*, unsigned long, void* text)
  {
    const vtkWeakPointer<vtkExecutive> executive = this->Executive;
    this->ObserveExecutive(nullptr);
    const std::string message = text ? static_cast<const char*>(text) : "";
    const bool isHidden = message.find("returned failure for request") != std::string::npos;
    if (!isHidden && executive && !executive->HasObserver(vtkCommand::ErrorEvent))
      vtkOutputWindowDisplayErrorText(message.c_str());
  }

  SessionUser Sessions;
  vtkWeakPointer<vtkExecutive> Executive; // observed after an error of the filter; null: none
  unsigned long Observer = 0;

  vtkNew<vtkStringArray> StageNames;
  vtkNew<vtkDoubleArray> StageTimes;
  vtkNew<vtkTable> Measures;
  vtkNew<vtkDoubleArray> NoColumn;

  // Returns a column of the measures, or an empty array.
  vtkDoubleArray* Column(const char* name)
  {
    vtkDoubleArray* const column = vtkDoubleArray::SafeDownCast(this->Measures->GetColumnByName(name));
    return column ? column : this->NoColumn.Get();
  }
};

vtkVulkanMarchingCubes::vtkVulkanMarchingCubes()
  : Impl(std::make_unique<Internals>())
{
  this->SetNumberOfOutputPorts(2);
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

// Composite data sets are contoured in one run, not leaf by leaf.
int vtkVulkanMarchingCubes::FillInputPortInformation(int, vtkInformation* info)
{
  info->Set(vtkAlgorithm::INPUT_REQUIRED_DATA_TYPE(), "vtkImageData");
  info->Append(vtkAlgorithm::INPUT_REQUIRED_DATA_TYPE(), "vtkRectilinearGrid");
  info->Append(vtkAlgorithm::INPUT_REQUIRED_DATA_TYPE(), "vtkCompositeDataSet");
  return 1;
}

// ProcessRequest makes the surface.
int vtkVulkanMarchingCubes::FillOutputPortInformation(int port, vtkInformation* info)
{
  info->Set(vtkDataObject::DATA_TYPE_NAME(), port == 0 ? "vtkDataObject" : "vtkTable");
  return 1;
}

vtkTypeBool vtkVulkanMarchingCubes::ProcessRequest(
  vtkInformation* request, vtkInformationVector** inputVector, vtkInformationVector* outputVector)
{
  if (!request->Has(vtkDemandDrivenPipeline::REQUEST_DATA_OBJECT()))
    return this->Superclass::ProcessRequest(request, inputVector, outputVector);
  vtkInformation* const ofRegions = outputVector->GetInformationObject(1);
  if (!vtkTable::GetData(ofRegions))
    ofRegions->Set(vtkDataObject::DATA_OBJECT(), vtkNew<vtkTable>());
  const auto output = newOutputFor(vtkDataObject::GetData(inputVector[0]), this->JoinBlocks != 0);
  vtkDataObject* const present = vtkDataObject::GetData(outputVector);
  if (present && present->GetClassName() == std::string(output->GetClassName()))
    return 1;
  outputVector->GetInformationObject(0)->Set(vtkDataObject::DATA_OBJECT(), output);
  this->GetOutputPortInformation(0)->Set(vtkDataObject::DATA_EXTENT_TYPE(), output->GetExtentType());
  return 1;
}

// The device opens while the filters upstream execute.
int vtkVulkanMarchingCubes::RequestInformation(
  vtkInformation* request, vtkInformationVector** inputVector, vtkInformationVector* outputVector)
{
  vtkImageData* const image = vtkImageData::GetData(inputVector[0]); // null or empty if it is not read yet
  int association = vtkDataObject::FIELD_ASSOCIATION_CELLS;
  vtkDataArray* const array = image ? this->FindArray(image, association) : nullptr;
  const std::optional<vmc::Volume> example = array ? volumeLike(image, array, association) : std::nullopt;
  if (this->ContourValues->GetNumberOfContours() != 0)
    vmc::Engine::openInBackground(this->Device, example ? &*example : nullptr, requestOf(*this));
  return this->Superclass::RequestInformation(request, inputVector, outputVector);
}

// The dual cells of a piece touch one layer of its neighbours' samples. Gradients need a second layer.
int vtkVulkanMarchingCubes::RequestUpdateExtent(
  vtkInformation* request, vtkInformationVector** inputVector, vtkInformationVector* outputVector)
{
  if (!this->Superclass::RequestUpdateExtent(request, inputVector, outputVector))
    return 0;
  const int port = std::max(request->Get(vtkExecutive::FROM_OUTPUT_PORT()), 0);
  requestGhostLevels(outputVector->GetInformationObject(port), inputVector[0]->GetInformationObject(0),
    this->ComputeNormals || this->ComputeGradients ? 2 : 1);
  return 1;
}

// A stopped run succeeds with an empty output. A run that fails has an empty output: filters and writers downstream do
// not execute. If some blocks of a composite data set fail, they are empty, or are left out of the joined surface, and
// the run succeeds.
int vtkVulkanMarchingCubes::RequestData(
  vtkInformation*, vtkInformationVector** inputVector, vtkInformationVector* outputVector)
{
  SessionUser& sessions = this->Impl->Sessions;
  vtkInformation* const inInfo = inputVector[0]->GetInformationObject(0);
  vtkDataObject* const output = vtkDataObject::GetData(outputVector);
  const bool joins = this->JoinBlocks && vtkCompositeDataSet::GetData(inInfo);
  this->ErrorCode = vtkErrorCode::NoError;
  this->Impl->ObserveExecutive(nullptr);
  sessions.beginRun();
  vtkMultiProcessController* const ranks = this->JoinRanks ? ranksOf(inInfo) : nullptr;
  ContourParts parts(*this, sessions, inInfo, ranks);
  const std::vector<std::string> warnings = joins ? addGroups(parts, inInfo, ranks) : addLeaves(parts, inInfo, output);
  parts.extract();
  if (joins)
    joinOutputs(parts, vtkDataObject::GetData(inInfo), vtkPolyData::SafeDownCast(output));
  Run run = parts.results();
  sessions.endRun(run.report);
  this->SetLastRun(run);
  vtkTable* const regions = vtkTable::GetData(outputVector, 1);
  regions->Initialize();
  if (run.regions)
    regions->ShallowCopy(run.regions);
  for (const std::string& warning : warnings)
    vtkWarningMacro(<< warning);
  for (const std::string& error : parts.errors())
    vtkErrorMacro(<< error);
  if (parts.errors().empty())
    return 1;
  this->ErrorCode = vtkErrorCode::UserError;
  if (vtkCompositeDataSet::SafeDownCast(output) || !parts.haveAllFailed())
    return 1;
  this->Impl->ObserveExecutive(this->GetExecutive());
  // The executive would add it to the next request, also if the next image does not have this extent.
  outputVector->GetInformationObject(0)->Remove(vtkStreamingDemandDrivenPipeline::COMBINED_UPDATE_EXTENT());
  return 0;
}

vtkDataArray* vtkVulkanMarchingCubes::FindArray(vtkImageData* image, int& association)
{
  vtkDataArray* const array = this->GetInputArrayToProcess(0, image, association);
  const bool isNamed = !nameOfChosenArray(this->GetInputArrayInformation(0)).empty();
  return array || isNamed ? array : onlyArrayOf(image, association);
}

void vtkVulkanMarchingCubes::SetLastRun(const Run& run)
{
  const vmc::Report& report = run.report;
  this->Results = run.devices;
  this->NumberOfPoints = run.points;
  this->NumberOfTriangles = run.triangles;
  this->UploadTime = report.milliseconds(vmc::Stage::Upload);
  this->IndexTime = report.milliseconds(vmc::Stage::BuildBrickRanges);
  this->ReadbackTime = report.milliseconds(vmc::Stage::Download);
  this->ExtractTime = 0;
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
    if (std::find(std::begin(OtherStages), std::end(OtherStages), stage) == std::end(OtherStages))
      this->ExtractTime += *milliseconds;
  }
  this->Impl->Measures->Initialize();
  if (run.measures)
    this->Impl->Measures->ShallowCopy(run.measures);
  this->TotalTime = report.totalMilliseconds;
  this->DeviceMemory = static_cast<vtkIdType>(report.deviceBytes);
  this->NumberOfBricks = static_cast<vtkIdType>(report.bricks);
  this->NumberOfActiveBricks = static_cast<vtkIdType>(report.activeBricks);
}

vtkStringArray* vtkVulkanMarchingCubes::GetStageNames()
{
  return this->Impl->StageNames;
}

vtkDoubleArray* vtkVulkanMarchingCubes::GetStageTimes()
{
  return this->Impl->StageTimes;
}

vtkTable* vtkVulkanMarchingCubes::GetMeasures()
{
  return this->Impl->Measures;
}

vtkDoubleArray* vtkVulkanMarchingCubes::GetSurfaceArea()
{
  return this->Impl->Column("SurfaceArea");
}

vtkDoubleArray* vtkVulkanMarchingCubes::GetEnclosedVolume()
{
  return this->Impl->Column("EnclosedVolume");
}

vtkDoubleArray* vtkVulkanMarchingCubes::GetOpenEdges()
{
  return this->Impl->Column("OpenEdges");
}

vtkDoubleArray* vtkVulkanMarchingCubes::GetSurfaceCentroid()
{
  return this->Impl->Column("SurfaceCentroid");
}

vtkDoubleArray* vtkVulkanMarchingCubes::GetSurfaceBounds()
{
  return this->Impl->Column("SurfaceBounds");
}

vtkDoubleArray* vtkVulkanMarchingCubes::GetVolumeAbove()
{
  return this->Impl->Column("VolumeAbove");
}

vtkDoubleArray* vtkVulkanMarchingCubes::GetShareOfDomain()
{
  return this->Impl->Column("ShareOfDomain");
}

vtkDoubleArray* vtkVulkanMarchingCubes::GetNumberOfRegions()
{
  return this->Impl->Column("NumberOfRegions");
}

vtkTable* vtkVulkanMarchingCubes::GetRegions()
{
  return vtkTable::SafeDownCast(this->GetOutputDataObject(1));
}

void vtkVulkanMarchingCubes::PrintSelf(ostream& os, vtkIndent indent)
{
  this->Superclass::PrintSelf(os, indent);
  os << indent << "Compute Normals: " << this->ComputeNormals << "\n";
  os << indent << "Compute Gradients: " << this->ComputeGradients << "\n";
  os << indent << "Compute Sample Ids: " << this->ComputeSampleIds << "\n";
  os << indent << "Array Component: " << this->ArrayComponent << "\n";
  os << indent << "Boundary: " << this->Boundary << "\n";
  os << indent << "Join Blocks: " << this->JoinBlocks << "\n";
  os << indent << "Output Points Precision: " << this->OutputPointsPrecision << "\n";
  os << indent << "Compute Scalars: " << this->ComputeScalars << "\n";
  os << indent << "Interpolate Attributes: " << this->InterpolateAttributes << "\n";
  os << indent << "Merge Points: " << this->MergePoints << "\n";
  os << indent << "Output Ids: " << (this->OutputIds == IDS_64_BIT ? "64 bit" : "32 bit") << "\n";
  os << indent << "Compute Measures: " << this->ComputeMeasures << "\n";
  os << indent << "Compute Regions: " << this->ComputeRegions << "\n";
  os << indent << "Keep Regions: " << this->KeepRegions << "\n";
  os << indent << "Number Of Kept Regions: " << this->NumberOfKeptRegions << "\n";
  os << indent << "Least Size: " << this->LeastSize << "\n";
  os << indent << "Nearest To: " << this->NearestTo[0] << " " << this->NearestTo[1] << " " << this->NearestTo[2]
     << "\n";
  this->GetDeviceSettings().Print(os, indent);
  this->Results.Print(os, indent);
  os << indent << "Number Of Points: " << this->NumberOfPoints << "\n";
  os << indent << "Number Of Triangles: " << this->NumberOfTriangles << "\n";
  os << indent << "Total Time (ms): " << this->TotalTime << "\n";
  os << indent << "Contour Values:\n";
  this->ContourValues->PrintSelf(os, indent.GetNextIndent());
}
