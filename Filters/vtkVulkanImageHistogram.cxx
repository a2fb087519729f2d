// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "vtkVulkanImageHistogram.h"

#include "ArrayWatch.h"
#include "HistogramSum.h"
#include "HistogramTable.h"
#include "InputPiece.h"
#include "SampleCache.h"
#include "SessionUser.h"
#include "ThreadsOfVtk.h"
#include "VolumeFromImage.h"

#include "Compute/Engine.h"
#include "Compute/System/HostClock.h"

#include "vtkCompositeDataIterator.h"
#include "vtkCompositeDataSet.h"
#include "vtkDataSetAttributes.h"
#include "vtkErrorCode.h"
#include "vtkImageData.h"
#include "vtkInformation.h"
#include "vtkInformationVector.h"
#include "vtkMultiProcessController.h"
#include "vtkNew.h"
#include "vtkObjectFactory.h"
#include "vtkSmartPointer.h"
#include "vtkStringArray.h"
#include "vtkTable.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>
#include <vector>

using namespace vmc::filters;

namespace
{

void fill(vtkStringArray* array, const std::vector<std::string>& texts)
{
  array->Reset();
  for (const std::string& text : texts)
    array->InsertNextValue(text);
}

}

vtkStandardNewMacro(vtkVulkanImageHistogram);

class vtkVulkanImageHistogram::Internals
{
public:
  void BeginPass()
  {
    this->PassReport = vmc::Report();
    this->Cache.beginPass();
  }

  void EndPass() { this->Cache.endPass(); }

  SessionUser Sessions;
  SampleCache Cache;
  ArrayWatch Watch{ [this](std::uint64_t identity) { this->Sessions.releaseVolumes(identity); } };
  vmc::Report PassReport;
  vtkNew<vtkStringArray> DeviceNames;
  vtkNew<vtkStringArray> DeviceKinds;
};

// One execution: the range of all blocks, then their counts.
class vtkVulkanImageHistogram::Run
{
public:
  explicit Run(vtkVulkanImageHistogram* filter)
    : Filter(filter)
    , Controller(vtkMultiProcessController::GetGlobalController())
  {
  }

  // Leaves the table empty if the run fails or is stopped on any rank, and if this is not rank 0.
  void execute(vtkInformation* info, vtkDataObject* input, vtkTable* table)
  {
    const InputSummary summary = this->summarize(info, input);
    if (summary.hasFailed || this->hasNoArray(summary))
      return this->explainFailure();
    this->warnOfBlocksWithoutArray();
    const std::optional<vmc::Bins> bins = this->binsOf(summary);
    HistogramSum sum(bins.value_or(vmc::Bins()));
    const bool hasFailed = !this->attempt([&] { this->count(sum); });
    if (onAnyRank(hasFailed, this->Controller))
      return this->explainFailure();
    sum.addRanks(this->Controller);
    const HistogramSubject subject = this->subjectOf(summary);
    if (this->isRoot())
      fillTable(sum, subject, bins.has_value(), table);
  }

private:
  // Calls the function. Returns whether it succeeds; reports its error.
  bool attempt(const std::function<void()>& work)
  {
    try
    {
      work();
      return !this->IsStopped;
    }
    catch (const std::exception& error)
    {
      this->report(error.what());
      return false;
    }
  }

  void report(const std::string& error)
  {
    this->Error = error;
    this->Filter->SetErrorCode(vtkErrorCode::UserError);
    vtkErrorWithObjectMacro(this->Filter, << error);
  }

  // The user of a server sees the messages of rank 0.
  void explainFailure()
  {
    const std::string message = firstMessage(this->Error, this->Controller);
    if (this->isRoot() && this->Error.empty() && !message.empty())
      this->report(message);
  }

  // Whether ranks have blocks, but none with the array. Reports the error.
  bool hasNoArray(const InputSummary& summary)
  {
    if (summary.kind || !onAnyRank(this->BlocksWithoutArray > 0, this->Controller))
      return false;
    if (this->BlocksWithoutArray > 0)
      this->report(this->WithoutArray);
    return true;
  }

  void warnOfBlocksWithoutArray()
  {
    if (this->BlocksWithoutArray == 0)
      return;
    const std::string name = nameOfChosenArray(this->Filter->GetInputArrayInformation(0));
    vtkWarningWithObjectMacro(this->Filter, << this->BlocksWithoutArray << " of " << this->Leaves
                                            << " blocks of the input do not have the array"
                                            << (name.empty() ? "" : " \"" + name + "\"") << " and are left out.");
  }

  bool isRoot() const { return !this->Controller || this->Controller->GetLocalProcessId() == 0; }

  // Of all ranks.
  InputSummary summarize(vtkInformation* info, vtkDataObject* input)
  {
    InputSummary own;
    own.hasFailed = !this->attempt(
      [&]
      {
        this->checkRange();
        this->findBlocks(info, input);
        this->findRanges(own);
      });
    return ofAllRanks(own, this->Controller);
  }

  void checkRange() const
  {
    const double* range = this->Filter->CustomRange;
    if (this->Filter->UseCustomRange && !(std::isfinite(range[0]) && std::isfinite(range[1]) && range[0] <= range[1]))
      throw std::invalid_argument("The custom range is " + textOf(range, 1) + " to " + textOf(range + 1, 1) +
                                  "; it must be finite and in ascending order.");
  }

  void findBlocks(vtkInformation* info, vtkDataObject* input)
  {
    auto* const composite = vtkCompositeDataSet::SafeDownCast(input);
    if (!composite)
      return this->addBlock(info, vtkImageData::SafeDownCast(input));
    vtkSmartPointer<vtkCompositeDataIterator> leaf;
    leaf.TakeReference(composite->NewIterator());
    for (leaf->InitTraversal(); !leaf->IsDoneWithTraversal(); leaf->GoToNextItem())
      this->addBlock(nullptr, vtkImageData::SafeDownCast(leaf->GetCurrentDataObject()));
    if (this->OtherLeaves > 0)
      vtkWarningWithObjectMacro(this->Filter, << this->OtherLeaves << " of " << this->Leaves
                                              << " blocks of the input are not vtkImageData and are left out.");
  }

  // info: of the input, if the image is all of it. Images without points are pieces of ranks that have none.
  void addBlock(vtkInformation* info, vtkImageData* image)
  {
    ++this->Leaves;
    if (!image)
      ++this->OtherLeaves;
    if (!image || image->GetNumberOfPoints() == 0)
      return;
    const SampleChoice choice = this->choiceOf(info, image);
    if (!choice.array)
      return this->addBlockWithoutArray(image, choice);
    this->Array = choice;
    this->Blocks.push_back(samplesOf(image, choice, this->Filter->Impl->Cache));
    if (endsWithoutGhostCells(this->Blocks.back(), choice))
      vtkWarningWithObjectMacro(this->Filter,
        "The cells that are cut where this piece of the image ends are not counted: "
        "it was passed without ghost cells. Apply the filter Ghost Cells first.");
    this->Filter->Impl->Watch.watch(choice.array, this->Blocks.back().scalars.identity);
  }

  // Other blocks, also of other ranks, may have the array: the error is kept until this is known.
  void addBlockWithoutArray(vtkImageData* image, const SampleChoice& choice)
  {
    ++this->BlocksWithoutArray;
    if (!this->WithoutArray.empty())
      return;
    try
    {
      samplesOf(image, choice, this->Filter->Impl->Cache);
    }
    catch (const std::invalid_argument& error)
    {
      this->WithoutArray = error.what();
    }
  }

  SampleChoice choiceOf(vtkInformation* info, vtkImageData* image)
  {
    SampleChoice choice;
    choice.name = nameOfChosenArray(this->Filter->GetInputArrayInformation(0));
    choice.association = vtkDataObject::FIELD_ASSOCIATION_CELLS;
    choice.array = this->Filter->GetInputArrayToProcess(0, image, choice.association);
    if (!choice.array && choice.name.empty())
      choice.array = onlyArrayOf(image, choice.association);
    choice.component = this->Filter->ArrayComponent;
    choice.mayBeFlat = true;
    choice.doublePoints = true; // coordinates do not matter
    choice.boundary = static_cast<vtkVulkanMarchingCubes::BoundaryMode>(this->Filter->Boundary);
    choice.wholeExtent = wholeExtentOf(info, image);
    choice.pieceExtent = pieceExtentOf(info);
    return choice;
  }

  vmc::CountLimits limits() const
  {
    return { static_cast<std::uint64_t>(this->Filter->Settings.MemoryLimit * (1 << 20)), threadsOfVtk() };
  }

  std::vector<vmc::Volume> volumes() const
  {
    std::vector<vmc::Volume> volumes;
    for (const ImageSamples& block : this->Blocks)
      volumes.push_back(volumeFromImage(block));
    return volumes;
  }

  void findRanges(InputSummary& summary)
  {
    if (this->Blocks.empty()) // no device is opened
      return;
    const std::vector<vmc::Volume> volumes = this->volumes();
    std::vector<std::optional<vmc::SampleRange>> ranges;
    this->Filter->OnEngine([&](vmc::Session& session, vmc::Report& report)
      { ranges = session.findRanges(volumes, this->limits(), report); });
    for (std::size_t i = 0; i < volumes.size(); ++i)
      summary.add(volumes[i].type, ranges[i]);
  }

  // Empty if there are no samples to choose a range.
  std::optional<vmc::Bins> binsOf(const InputSummary& summary) const
  {
    const double* custom = this->Filter->CustomRange;
    const auto range =
      this->Filter->UseCustomRange ? std::optional(vmc::SampleRange{ custom[0], custom[1] }) : summary.range;
    if (!summary.kind || !range)
      return std::nullopt;
    if (this->Filter->NumberOfBins > 0)
      return vmc::equalBins(range->smallest, range->largest, static_cast<std::uint32_t>(this->Filter->NumberOfBins));
    return vmc::binsOf(*summary.kind, range->smallest, range->largest);
  }

  void count(HistogramSum& sum)
  {
    if (this->Blocks.empty())
      return;
    const std::vector<vmc::Volume> volumes = this->volumes();
    std::optional<std::vector<vmc::ValueCounts>> counts;
    this->Filter->OnEngine(
      [&](vmc::Session& session, vmc::Report& report)
      {
        counts = session.count(
          volumes, sum.bins(), this->limits(), report, [this](double done) { return this->mayContinue(done); });
      });
    for (std::size_t i = 0; counts && i < volumes.size(); ++i)
      sum.add((*counts)[i], std::abs(volumes[i].geometry.determinant()), notOwned(this->Blocks[i]));
  }

  // The number of samples of other pieces.
  static std::uint64_t notOwned(const ImageSamples& block)
  {
    if (!block.ghosts)
      return 0;
    const std::vector<std::uint8_t>& ofSamples = block.ghosts->ofSamples;
    return static_cast<std::uint64_t>(std::count_if(
      ofSamples.begin(), ofSamples.end(), [](std::uint8_t flags) { return (flags & vmc::NotOwned) != 0; }));
  }

  bool mayContinue(double done)
  {
    this->Filter->UpdateProgress(done);
    this->IsStopped = this->Filter->CheckAbort() || this->Filter->GetAbortExecute();
    return !this->IsStopped;
  }

  // The array and the component of the first rank that has a block. All ranks must call this.
  HistogramSubject subjectOf(const InputSummary& summary) const
  {
    constexpr char Separator = '\0'; // is in no name
    const std::string names = firstMessage(
      this->Array.array ? this->nameOfArray() + Separator + this->nameOfComponent() : std::string(), this->Controller);
    const std::size_t end = names.find(Separator);
    if (end == std::string::npos) // no rank has a block
      return { nameOfChosenArray(this->Filter->GetInputArrayInformation(0)), this->numberOfComponent(), summary };
    return { names.substr(0, end), names.substr(end + 1), summary };
  }

  std::string nameOfArray() const
  {
    const char* name = this->Array.array->GetName();
    return name ? name : "";
  }

  std::string nameOfComponent() const
  {
    const int component = this->Filter->ArrayComponent;
    if (this->Array.array->GetNumberOfComponents() == 1)
      return "";
    const char* name = component < 0 ? nullptr : this->Array.array->GetComponentName(component);
    return name ? name : this->numberOfComponent();
  }

  std::string numberOfComponent() const
  {
    const int component = this->Filter->ArrayComponent;
    return component < 0 ? "Magnitude" : std::to_string(component);
  }

  vtkVulkanImageHistogram* Filter;
  vtkMultiProcessController* Controller;
  std::vector<ImageSamples> Blocks; // with samples
  SampleChoice Array;               // of the last block
  int Leaves = 0, OtherLeaves = 0;  // all, and those that are not vtkImageData
  int BlocksWithoutArray = 0;       // images with points
  std::string WithoutArray;         // the error of the first one of them
  bool IsStopped = false;
  std::string Error; // of this rank
};

vtkVulkanImageHistogram::vtkVulkanImageHistogram()
  : Impl(std::make_unique<Internals>())
{
  this->SetInputArrayToProcess(0, 0, 0, vtkDataObject::FIELD_ASSOCIATION_CELLS, vtkDataSetAttributes::SCALARS);
}

vtkVulkanImageHistogram::~vtkVulkanImageHistogram() = default;

// Composite data sets are counted in one execution, not leaf by leaf.
int vtkVulkanImageHistogram::FillInputPortInformation(int, vtkInformation* info)
{
  info->Set(vtkAlgorithm::INPUT_REQUIRED_DATA_TYPE(), "vtkImageData");
  info->Append(vtkAlgorithm::INPUT_REQUIRED_DATA_TYPE(), "vtkCompositeDataSet");
  return 1;
}

// The dual cells of a piece touch one layer of its neighbours' samples.
int vtkVulkanImageHistogram::RequestUpdateExtent(
  vtkInformation*, vtkInformationVector** inputVector, vtkInformationVector* outputVector)
{
  requestGhostLevels(outputVector->GetInformationObject(0), inputVector[0]->GetInformationObject(0), 1);
  return 1;
}

// Returns 1 after an error, too: ParaView moves the table to the client of a server (ClientServerMoveData), and the
// client waits for it; if this filter failed, the server would not send it.
int vtkVulkanImageHistogram::RequestData(
  vtkInformation*, vtkInformationVector** inputVector, vtkInformationVector* outputVector)
{
  const vmc::HostClock clock;
  vtkTable* output = vtkTable::GetData(outputVector);
  output->Initialize();
  this->BeginPass();
  Run(this).execute(inputVector[0]->GetInformationObject(0), vtkDataObject::GetData(inputVector[0]), output);
  this->EndPass();
  this->TotalTime = clock.milliseconds();
  return 1;
}

void vtkVulkanImageHistogram::BeginPass()
{
  this->Impl->BeginPass();
  this->Results = {};
  this->UploadTime = this->CountTime = 0;
  this->SetErrorCode(vtkErrorCode::NoError);
}

void vtkVulkanImageHistogram::EndPass()
{
  this->Impl->EndPass();
  for (std::size_t i = 0; i < vmc::StageCount; ++i)
  {
    const auto stage = static_cast<vmc::Stage>(i);
    (stage == vmc::Stage::Upload ? this->UploadTime : this->CountTime) += this->Impl->PassReport.milliseconds(stage);
  }
}

void vtkVulkanImageHistogram::OnEngine(const Work& work)
{
  vmc::Report report;
  const std::string reason =
    this->Impl->Sessions.run(this->Settings, [&](vmc::Engine&, vmc::Session& session) { work(session, report); });
  this->Results.Add(report.device, reason);
  this->Impl->PassReport.add(report);
}

vtkStringArray* vtkVulkanImageHistogram::GetDeviceNames()
{
  fill(this->Impl->DeviceNames, vmc::Engine::deviceNames());
  return this->Impl->DeviceNames;
}

vtkStringArray* vtkVulkanImageHistogram::GetDeviceKinds()
{
  fill(this->Impl->DeviceKinds, vmc::Engine::deviceKinds());
  return this->Impl->DeviceKinds;
}

void vtkVulkanImageHistogram::PrintSelf(ostream& os, vtkIndent indent)
{
  this->Superclass::PrintSelf(os, indent);
  os << indent << "Array Component: " << this->ArrayComponent << "\n";
  os << indent << "Boundary: " << this->Boundary << "\n";
  os << indent << "Number Of Bins: " << this->NumberOfBins << "\n";
  os << indent << "Use Custom Range: " << this->UseCustomRange << "\n";
  os << indent << "Custom Range: " << this->CustomRange[0] << " " << this->CustomRange[1] << "\n";
  os << indent << "Device: " << this->Settings.Device << "\n";
  os << indent << "Memory Limit (MiB): " << this->Settings.MemoryLimit << "\n";
  os << indent << "Fallback: " << (this->Settings.Fallback == FALLBACK_CPU ? "CPU" : "Error") << "\n";
  os << indent << "Used Device: " << this->Results.UsedDevice << "\n";
  os << indent << "Fallback Reason: " << this->Results.FallbackReason << "\n";
  os << indent << "Total Time (ms): " << this->TotalTime << "\n";
}
