// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "vtkVulkanImageHistogram.h"

#include "ContourLeaves.h"
#include "ContourRun.h"
#include "GridImage.h"
#include "HistogramSum.h"
#include "LevelsFromData.h"
#include "Ranks.h"
#include "SessionUser.h"
#include "ThreadsOfVtk.h"
#include "VolumeFromImage.h"

#include "vtkCompositeDataIterator.h"
#include "vtkCompositeDataSet.h"
#include "vtkDataSetAttributes.h"
#include "vtkErrorCode.h"
#include "vtkImageData.h"
#include "vtkInformation.h"
#include "vtkInformationVector.h"
#include "vtkMultiProcessController.h"
#include "vtkObjectFactory.h"
#include "vtkSmartPointer.h"
#include "vtkStringArray.h"
#include "vtkTable.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

using namespace vmc::filters;

vtkStandardNewMacro(vtkVulkanImageHistogram);

class vtkVulkanImageHistogram::Internals
{
public:
  SessionUser Sessions;
};

// One execution: the range of all blocks, then their counts.
class vtkVulkanImageHistogram::Run
{
public:
  explicit Run(vtkVulkanImageHistogram* filter)
    : Filter(filter)
    , Sessions(filter->Impl->Sessions)
    , Controller(vtkMultiProcessController::GetGlobalController())
  {
  }

  // Leaves the table empty if the run fails or is stopped on any rank, and if this is not rank 0.
  void execute(vtkInformation* info, vtkDataObject* input, vtkTable* table)
  {
    InputSummary own;
    if (this->failsOnAnyRank([&] { this->summarize(info, input, own); }))
      return;
    const InputSummary summary = ofAllRanks(own, this->Controller);
    if (!summary.kind && this->failsOnAnyRank([&] { this->refuseBlocksWithoutArray(); }))
      return;
    this->warnOfBlocksWithoutArray();
    const std::optional<vmc::Bins> bins = this->binsOf(summary);
    HistogramSum sum(bins.value_or(vmc::Bins()));
    if (this->failsOnAnyRank([&] { this->count(sum); }))
      return;
    sum.addRanks(this->Controller);
    const HistogramSubject subject = this->subjectOf(summary);
    if (this->isRoot())
      fillTable(sum, subject, bins.has_value(), table);
  }

  vtkVulkanDeviceResults Devices;
  vmc::Report Report; // of all calls

private:
  // Calls the function on all ranks. Returns whether it fails or is stopped on any rank. Reports the error of this
  // rank, and on rank 0, whose messages the user of a server sees, also that of another rank.
  template <class Work>
  bool failsOnAnyRank(const Work& work)
  {
    const std::string stopped = "stopped";
    std::string failure;
    try
    {
      work();
      if (this->IsStopped)
        failure = stopped;
    }
    catch (const std::exception& error)
    {
      failure = error.what();
    }
    const std::string first = firstMessage(failure, this->Controller);
    const std::string& reported = failure.empty() && this->isRoot() ? first : failure;
    if (!reported.empty() && reported != stopped)
    {
      this->Filter->SetErrorCode(vtkErrorCode::UserError);
      vtkErrorWithObjectMacro(this->Filter, << reported);
    }
    return !first.empty();
  }

  // Throws if this rank has blocks without the array. Other blocks, also of other ranks, may have it.
  void refuseBlocksWithoutArray() const
  {
    if (this->BlocksWithoutArray > 0)
      throw std::invalid_argument(this->ErrorWithoutArray);
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

  void summarize(vtkInformation* info, vtkDataObject* input, InputSummary& summary)
  {
    this->checkRange();
    this->findBlocks(info, input);
    this->findRanges(summary);
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
    if (composite && this->Filter->JoinBlocks)
      this->addGroups(info, composite);
    else if (composite)
      this->addLeaves(composite);
    else
      this->addLeaf(info, input);
    if (this->OtherLeaves > 0)
      vtkWarningWithObjectMacro(this->Filter, << warningOfOtherBlocks(this->OtherLeaves, this->Leaves));
  }

  void addLeaves(vtkCompositeDataSet* composite)
  {
    const auto leaf = vtkSmartPointer<vtkCompositeDataIterator>::Take(composite->NewIterator());
    for (leaf->InitTraversal(); !leaf->IsDoneWithTraversal(); leaf->GoToNextItem())
      this->addLeaf(nullptr, leaf->GetCurrentDataObject());
  }

  // info: of the input, if the leaf is all of it. Leaves without points are pieces of ranks that have none.
  void addLeaf(vtkInformation* info, vtkDataObject* leaf)
  {
    LevelBlock block;
    block.image = imageOf(leaf);
    ++this->Leaves;
    this->OtherLeaves += block.image ? 0 : 1;
    if (!block.image || block.image->GetNumberOfPoints() == 0)
      return;
    const std::optional<SampleChoice> choice = this->checkedChoice(info, block.image);
    if (!choice)
      return;
    block.samples = this->Sessions.samplesOf(block.image, *choice);
    if (endsWithoutGhostCells(block.samples, *choice))
      vtkWarningWithObjectMacro(this->Filter,
        "The cells that are cut where this piece of the image ends are not counted: "
        "it was passed without ghost cells. Apply the filter Ghost Cells first.");
    this->addImage(std::move(block));
  }

  // Adds the blocks by their lattices. Those that share none are counted alone. info: of the input.
  void addGroups(vtkInformation* info, vtkCompositeDataSet* composite)
  {
    const std::string withoutArray; // the message of a block without the array, which is counted
    GroupedData found = this->Sessions.groupsOf(
      composite,
      [&](vtkImageData* image)
      {
        if (const std::optional<SampleChoice> choice = this->checkedChoice(nullptr, image))
          return *choice;
        throw std::invalid_argument(withoutArray);
      },
      ranksOf(info));
    for (const BlockError& error : found.errors)
      if (error.message != withoutArray)
        throw std::invalid_argument(error.message);
    this->Leaves = found.blocks;
    this->OtherLeaves = found.otherBlocks;
    for (const std::string& warning : found.warnings)
      vtkWarningWithObjectMacro(this->Filter, << warning);
    separateImages(found.groups, found.isOfAllRanks || !isPiece(info));
    for (LevelGroup& group : found.groups)
      if (group.levels.patches.empty())
        this->addImage(std::move(group.blocks.front()));
      else
      {
        this->Hierarchies.push_back(group.levels);
        this->Groups.push_back(std::move(group));
      }
  }

  void addImage(LevelBlock block)
  {
    this->Volumes.push_back(volumeFromImage(block.samples));
    this->Images.push_back(std::move(block));
  }

  // Returns the choice for an image with points. Returns nothing if it does not have the array, and counts it.
  std::optional<SampleChoice> checkedChoice(vtkInformation* info, vtkImageData* image)
  {
    const SampleChoice choice = this->choiceOf(info, image);
    if (choice.array)
      return this->Array = choice;
    try
    {
      this->Sessions.samplesOf(image, choice);
    }
    catch (const std::invalid_argument& error)
    {
      if (this->BlocksWithoutArray++ == 0)
        this->ErrorWithoutArray = error.what();
    }
    return std::nullopt;
  }

  SampleChoice choiceOf(vtkInformation* info, vtkImageData* image)
  {
    SampleChoice choice;
    choice.name = nameOfChosenArray(this->Filter->GetInputArrayInformation(0));
    choice.association = vtkDataObject::FIELD_ASSOCIATION_CELLS;
    choice.array = this->Filter->GetInputArrayToProcess(0, image, choice.association);
    if (!choice.array && choice.name.empty())
      choice.array = onlyArrayOf(image, choice.association);
    choice.component = this->component();
    choice.mayBeFlat = true;
    choice.doublePoints = true; // coordinates do not matter
    choice.boundary = static_cast<vtkVulkanMarchingCubes::BoundaryMode>(this->Filter->Boundary);
    setExtents(choice, info, image);
    return choice;
  }

  vmc::CountLimits limits() const
  {
    return { this->Filter->GetDeviceSettings().GetMemoryLimitInBytes(), threadsOfVtk() };
  }

  // Calls `work(session, report)` with the session of the chosen engine, or of the CPU's after a failure.
  template <class Work>
  void onEngine(const Work& work)
  {
    vmc::Report report;
    for (this->Sessions.beginCall(this->Filter->GetDeviceSettings()); this->Sessions.nextEngine();)
      try
      {
        work(this->Sessions.session(), report);
      }
      catch (const vmc::Error& error)
      {
        this->Sessions.fail(error);
      }
    this->Devices.Add(report.device, this->Sessions.fallbackReason());
    this->Report.add(report);
  }

  void findRanges(InputSummary& summary)
  {
    this->Sessions.keepOnly(!this->Volumes.empty(), !this->Hierarchies.empty());
    this->findRanges(this->Volumes, summary);
    this->findRanges(this->Hierarchies, summary);
  }

  // inputs: volumes or hierarchies. If there is none, no device is opened.
  template <class Input>
  void findRanges(const std::vector<Input>& inputs, InputSummary& summary)
  {
    if (inputs.empty())
      return;
    std::vector<std::optional<vmc::SampleRange>> ranges;
    this->onEngine(
      [&](vmc::Session& session, vmc::Report& report) { ranges = session.findRanges(inputs, this->limits(), report); });
    for (std::size_t i = 0; i < ranges.size(); ++i)
      summary.add(inputs[i].type, ranges[i]);
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

  // inputs: volumes or hierarchies. Returns nothing if the filter was told to stop.
  template <class Input>
  auto countsOf(const std::vector<Input>& inputs, const vmc::Bins& bins)
  {
    using Counts = std::conditional_t<std::is_same_v<Input, vmc::Levels>, vmc::LevelCounts, vmc::ValueCounts>;
    std::optional<std::vector<Counts>> counts;
    if (inputs.empty() || this->IsStopped)
      return std::vector<Counts>();
    const double share = double(inputs.size()) / double(this->Volumes.size() + this->Hierarchies.size());
    this->onEngine(
      [&](vmc::Session& session, vmc::Report& report)
      {
        counts = session.count(inputs, bins, this->limits(), report,
          [&](double done) { return this->mayContinue(this->Done + share * done); });
      });
    this->Done += share;
    return std::move(counts).value_or(std::vector<Counts>());
  }

  void count(HistogramSum& sum)
  {
    const auto ofHierarchies = this->countsOf(this->Hierarchies, sum.bins());
    for (std::size_t i = 0; i < ofHierarchies.size(); ++i)
      for (std::size_t level = 0; level < ofHierarchies[i].size(); ++level)
        sum.add(ofHierarchies[i][level], this->Hierarchies[i].cellVolume(level), 0);
    const auto ofVolumes = this->countsOf(this->Volumes, sum.bins());
    for (std::size_t i = 0; i < ofVolumes.size(); ++i)
      sum.add(ofVolumes[i], std::abs(this->Volumes[i].geometry.determinant()), notOwned(this->Images[i].samples));
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
    std::string own;
    if (this->Array.array)
      own = (this->Array.array->GetName() ? this->Array.array->GetName() : "") + (Separator + this->nameOfComponent());
    const std::string names = firstMessage(own, this->Controller);
    const std::size_t end = names.find(Separator);
    if (end == std::string::npos) // no rank has a block
      return { nameOfChosenArray(this->Filter->GetInputArrayInformation(0)), this->numberOfComponent(), summary };
    return { names.substr(0, end), names.substr(end + 1), summary };
  }

  std::string nameOfComponent() const
  {
    if (this->Array.array->GetNumberOfComponents() == 1)
      return "";
    const char* name = this->component() < 0 ? nullptr : this->Array.array->GetComponentName(this->component());
    return name ? name : this->numberOfComponent();
  }

  std::string numberOfComponent() const
  {
    return this->component() < 0 ? "Magnitude" : std::to_string(this->component());
  }

  int component() const { return componentOf(this->Filter->GetInputArrayInformation(0), this->Filter->ArrayComponent); }

  vtkVulkanImageHistogram* Filter;
  SessionUser& Sessions;
  vtkMultiProcessController* Controller;
  std::vector<LevelBlock> Images;          // and grids, with samples
  std::vector<vmc::Volume> Volumes;        // views of these samples
  std::vector<LevelGroup> Groups;          // of blocks that share a lattice
  std::vector<vmc::Levels> Hierarchies;    // views of these groups
  SampleChoice Array;                      // of the last block
  std::size_t Leaves = 0, OtherLeaves = 0; // all, and those that are neither images nor grids
  std::size_t BlocksWithoutArray = 0;      // images and grids with points
  std::string ErrorWithoutArray;           // of the first one of them
  double Done = 0;                         // the share of the counts that are finished
  bool IsStopped = false;
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
  info->Append(vtkAlgorithm::INPUT_REQUIRED_DATA_TYPE(), "vtkRectilinearGrid");
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
  vtkTable* output = vtkTable::GetData(outputVector);
  output->Initialize();
  this->SetErrorCode(vtkErrorCode::NoError);
  this->Impl->Sessions.beginRun();
  Run run(this);
  run.execute(inputVector[0]->GetInformationObject(0), vtkDataObject::GetData(inputVector[0]), output);
  this->Results = run.Devices;
  this->UploadTime = run.Report.milliseconds(vmc::Stage::Upload);
  this->CountTime = run.Report.stages.sum() - this->UploadTime;
  this->Impl->Sessions.endRun(run.Report);
  this->TotalTime = run.Report.totalMilliseconds;
  return 1;
}

void vtkVulkanImageHistogram::PrintSelf(ostream& os, vtkIndent indent)
{
  this->Superclass::PrintSelf(os, indent);
  os << indent << "Array Component: " << this->ArrayComponent << "\n";
  os << indent << "Boundary: " << this->Boundary << "\n";
  os << indent << "Join Blocks: " << this->JoinBlocks << "\n";
  os << indent << "Number Of Bins: " << this->NumberOfBins << "\n";
  os << indent << "Use Custom Range: " << this->UseCustomRange << "\n";
  os << indent << "Custom Range: " << this->CustomRange[0] << " " << this->CustomRange[1] << "\n";
  this->GetDeviceSettings().Print(os, indent);
  this->Results.Print(os, indent);
  os << indent << "Total Time (ms): " << this->TotalTime << "\n";
}
