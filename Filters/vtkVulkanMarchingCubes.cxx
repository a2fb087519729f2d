#include "vtkVulkanMarchingCubes.h"

#include "CpuContour.h"
#include "PolyDataFromMesh.h"
#include "SampleCache.h"
#include "VolumeFromImage.h"

#include "Compute/Contour/MarchingCubes.h"
#include "Compute/Devices.h"
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
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>

vtkStandardNewMacro(vtkVulkanMarchingCubes);

class vtkVulkanMarchingCubes::Internals
{
public:
  // The extraction on the wanted device; the object is kept while the device stays the same, and with it the volume.
  vmc::MarchingCubes& On(const std::string& device)
  {
    const auto shared = vmc::sharedDevice(device);
    if (!this->Extraction || this->Extraction->device() != shared)
    {
      this->Extraction = std::make_unique<vmc::MarchingCubes>(shared);
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

  // After DeviceLost: nothing of the old device is used again.
  void Drop()
  {
    if (!this->Extraction)
      return;
    vmc::dropSharedDevice(*this->Extraction->device());
    this->Extraction.reset();
  }

  SampleCache Cache;
  unsigned long StartTag = 0, EndTag = 0; // of the filter's own observers
  int Executions = 0;                     // begun and not ended: 0, 1, or 2 in a leaf of a composite
  vmc::Report PassReport;                 // of all leaves so far
  vmc::HostClock PassClock;
  std::set<std::string> UsedDevices; // in this pass
  bool UsesCpu = false;              // for some leaf of it
  int Leaves = 0;                    // of it
  int OtherLeaves = 0;               // among them, that are no images

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
                    << " blocks of the input are no images of type vtkImageData and are left out.");
}

void vtkVulkanMarchingCubes::ObserveExecutions()
{
  if (this->GetCommand(this->Impl->StartTag) && this->GetCommand(this->Impl->EndTag))
    return;
  this->RemoveObserver(this->Impl->StartTag);
  this->RemoveObserver(this->Impl->EndTag);
  this->Impl->StartTag = this->AddObserver(vtkCommand::StartEvent, this, &vtkVulkanMarchingCubes::BeginPass);
  this->Impl->EndTag = this->AddObserver(vtkCommand::EndEvent, this, &vtkVulkanMarchingCubes::EndPass);
  this->Impl->Executions = 0; // what was told of earlier ones is not known
}

// Data outside any execution that was told of is a pass of its own.
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

std::vector<double> valuesOf(vtkContourValues* contours)
{
  const double* values = contours->GetValues();
  return std::vector<double>(values, values + contours->GetNumberOfContours());
}

void wholeExtentOf(vtkInformation* info, vtkImageData* image, int extent[6])
{
  if (info && info->Has(vtkStreamingDemandDrivenPipeline::WHOLE_EXTENT()))
    info->Get(vtkStreamingDemandDrivenPipeline::WHOLE_EXTENT(), extent);
  else
    image->GetExtent(extent);
}

// What the pipeline cuts out of the whole extent for this piece, without ghost layers; empty where it cuts nothing.
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

// A piece needs the samples of its neighbours that its own dual cells touch, and one more for their gradients.
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
  const int asked = outInfo->Get(Pipeline::UPDATE_NUMBER_OF_GHOST_LEVELS());
  inInfo->Set(Pipeline::UPDATE_NUMBER_OF_GHOST_LEVELS(), pieces > 1 ? asked + levels : asked);
  return 1;
}

// The endings: stopped: empty output, success. Unusable input, or a failure without a way around: an error, empty
// output, failure. Vulkan cannot: see Contour.
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
    SampleChoice choice;
    choice.name = nameOfChosenArray(this->GetInputArrayInformation(0));
    choice.association = vtkDataObject::FIELD_ASSOCIATION_CELLS;
    choice.array = this->GetInputArrayToProcess(0, image, choice.association);
    choice.component = this->ArrayComponent;
    choice.withAttributes = this->InterpolateAttributes != 0;
    choice.doublePoints = this->OutputPointsPrecision == DOUBLE_PRECISION;
    choice.reservedNames = this->NamesOfComputedArrays();
    if (const auto scalars = this->NameOfScalars(choice.array))
      choice.reservedNames.insert(*scalars);
    choice.boundary = static_cast<::Boundary>(this->Boundary);
    wholeExtentOf(inputVector[0]->GetInformationObject(0), image, choice.wholeExtent.data());
    choice.pieceExtent = pieceExtentOf(inputVector[0]->GetInformationObject(0));
    const ImageSamples samples = samplesOf(image, choice, this->Impl->Cache);
    const bool isNothing = image->GetNumberOfPoints() == 0 || this->ContourValues->GetNumberOfContours() == 0;
    if (!isNothing && endsWithoutGhostCells(samples, choice))
      vtkWarningMacro("The surface has a gap where this piece of the image ends: it came without ghost cells. "
                      "The filter Ghost Cells makes them.");
    if (isNothing)
      this->MakeEmpty(samples, this->ComputeSampleIds, output);
    else
      this->Contour(samples, output);
    output->GetFieldData()->PassData(image->GetFieldData());
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

std::set<std::string> vtkVulkanMarchingCubes::NamesOfComputedArrays()
{
  std::set<std::string> names;
  if (this->ComputeNormals)
    names.insert("Normals");
  if (this->ComputeGradients)
    names.insert("Gradients");
  if (this->ComputeSampleIds)
    names.insert("SampleIds");
  return names;
}

// Without an array, as where a rank has no piece, the name that was asked for. SampleIds belong to cells.
std::optional<std::string> vtkVulkanMarchingCubes::NameOfScalars(vtkDataArray* contoured)
{
  const std::string asked = nameOfChosenArray(this->GetInputArrayInformation(0));
  if (!this->ComputeScalars || (!contoured && asked.empty()))
    return std::nullopt;
  const std::string name = !contoured ? asked : contoured->GetName() ? contoured->GetName() : "";
  const bool isTaken = (this->ComputeNormals && name == "Normals") || (this->ComputeGradients && name == "Gradients");
  return isTaken ? "Isovalue" : name;
}

// A lost device is dropped and tried anew once. Where Vulkan cannot, Fallback decides.
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
  const vmc::Volume volume = volumeFromImage(samples);
  vmc::Request request;
  request.isovalues = valuesOf(this->ContourValues);
  request.computeNormals = this->ComputeNormals != 0;
  request.computeGradients = this->ComputeGradients != 0;
  request.computeCells = this->ComputeSampleIds != 0;
  request.splitPositions = this->OutputPointsPrecision == DOUBLE_PRECISION;
  request.mergePoints = this->MergePoints != 0;
  request.memoryLimit = static_cast<std::uint64_t>(this->MemoryLimit) << 20;

  vmc::MarchingCubes& extraction = this->Impl->On(this->Device);
  vmc::Report report;
  std::optional<vmc::Mesh> mesh =
    extraction.extract(volume, request, report, [this](double done) { return this->GoOn(done); });
  this->AddUsedDevice(vmc::nameOf(*extraction.device()));
  this->Impl->PassReport.add(report);
  this->Publish(this->Impl->PassReport);
  if (!mesh)
    return;
  if (mesh->pointCount == 0)
    return this->MakeEmpty(samples, this->ComputeSampleIds, output);
  const std::vector<std::size_t> firstPoint = mesh->firstPoint;
  vmc::HostMemoryPool& blocks = vmc::hostBlocksOf(*extraction.device());
  polyDataFromMesh(std::move(*mesh), samples, blocks, output);
  if (const auto name = this->NameOfScalars(samples.array))
    addIsovalueScalars(*name, request.isovalues, firstPoint, samples, &blocks, output);
}

void vtkVulkanMarchingCubes::ContourOnCpu(const ImageSamples& samples, const std::string& reason, vtkPolyData* output)
{
  const std::string obstacle = obstacleOnCpu(samples);
  if (!obstacle.empty())
    throw vmc::Error(vmc::Error::Kind::Unsupported, reason + " " + obstacle);
  if (!std::exchange(this->Impl->UsesCpu, true))
  {
    this->AddUsedDevice("CPU: vtkFlyingEdges3D (" + reason + ")");
    vtkWarningMacro(<< "Contouring with vtkFlyingEdges3D instead of Vulkan. " << reason);
    if (this->ComputeSampleIds)
      vtkWarningMacro(<< "vtkFlyingEdges3D does not tell the sample ids of its triangles.");
  }
  CpuContourOptions options;
  options.isovalues = valuesOf(this->ContourValues);
  options.computeNormals = this->ComputeNormals != 0;
  options.computeGradients = this->ComputeGradients != 0;
  options.mergePoints = this->MergePoints != 0;
  options.doublePoints = this->OutputPointsPrecision == DOUBLE_PRECISION;
  options.goOn = [this](double done) { return this->GoOn(done); };
  const std::vector<std::size_t> firstPoint = contourOnCpu(samples, options, output);
  if (output->GetNumberOfPoints() == 0)
    return this->MakeEmpty(samples, false, output);
  if (const auto name = this->NameOfScalars(samples.array))
    addIsovalueScalars(*name, options.isovalues, firstPoint, samples, nullptr, output);
}

void vtkVulkanMarchingCubes::MakeEmpty(const ImageSamples& samples, bool withSampleIds, vtkPolyData* output)
{
  OutputArrays arrays;
  arrays.doublePoints = this->OutputPointsPrecision == DOUBLE_PRECISION;
  arrays.normals = this->ComputeNormals != 0;
  arrays.gradients = this->ComputeGradients != 0;
  arrays.sampleIds = withSampleIds;
  arrays.scalars = this->NameOfScalars(samples.array);
  emptySurface(samples, valuesOf(this->ContourValues), arrays, output);
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
  this->UploadTime = report.milliseconds("Upload");
  this->IndexTime = report.milliseconds("BuildBrickRanges");
  this->ReadbackTime = report.milliseconds("Download");
  this->ExtractTime = 0;
  this->Impl->StageNames->Reset();
  this->Impl->StageTimes->Reset();
  for (const vmc::StageTime& stage : report.stages)
  {
    this->Impl->StageNames->InsertNextValue(stage.name);
    this->Impl->StageTimes->InsertNextValue(stage.milliseconds);
    if (stage.name != "Upload" && stage.name != "BuildBrickRanges" && stage.name != "Download")
      this->ExtractTime += stage.milliseconds;
  }
  this->DeviceMemory = static_cast<vtkIdType>(report.deviceBytes);
  this->NumberOfBricks = static_cast<vtkIdType>(report.bricks);
  this->NumberOfActiveBricks = static_cast<vtkIdType>(report.activeBricks);
}

vtkStringArray* vtkVulkanMarchingCubes::GetDeviceNames()
{
  this->Impl->DeviceNames->Reset();
  for (const std::string& name : vmc::deviceNames())
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
