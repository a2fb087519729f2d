// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "ContourRun.h"

#include "PolyDataFromMesh.h"
#include "ThreadsOfVtk.h"
#include "VolumeFromImage.h"

#include "Compute/Contour/Outputs.h"
#include "Compute/Measure/RegionTable.h"

#include "vtkDataArray.h"
#include "vtkDataObject.h"
#include "vtkExtentTranslator.h"
#include "vtkInformation.h"
#include "vtkInformationIntegerKey.h"
#include "vtkNew.h"
#include "vtkStreamingDemandDrivenPipeline.h"
#include "vtkVersionMacros.h"
#if VTK_VERSION_NUMBER >= VTK_VERSION_CHECK(9, 6, 0)
#include "vtkArrayComponents.h"
#endif

#include <mutex>
#include <set>

namespace vmc::filters
{

using Pipeline = vtkStreamingDemandDrivenPipeline;

bool isPiece(vtkInformation* info)
{
  return info && info->Get(Pipeline::UPDATE_NUMBER_OF_PIECES()) > 1;
}

void requestGhostLevels(vtkInformation* outInfo, vtkInformation* inInfo, int levels)
{
  const int pieces = outInfo->Get(Pipeline::UPDATE_NUMBER_OF_PIECES());
  const int requested = outInfo->Get(Pipeline::UPDATE_NUMBER_OF_GHOST_LEVELS());
  inInfo->Set(Pipeline::UPDATE_NUMBER_OF_GHOST_LEVELS(), pieces > 1 ? requested + levels : requested);
}

std::string nameOfChosenArray(vtkInformation* chosen)
{
  const char* name = chosen ? chosen->Get(vtkDataObject::FIELD_NAME()) : nullptr;
  return name ? name : "";
}

int componentOf([[maybe_unused]] vtkInformation* chosen, int own)
{
#if VTK_VERSION_NUMBER >= VTK_VERSION_CHECK(9, 6, 0)
  vtkInformationIntegerKey* const key = vtkDataObject::FIELD_ATTRIBUTE_COMPONENT();
  const int component = chosen && chosen->Has(key) ? chosen->Get(key) : vtkArrayComponents::Requested;
  if (component >= 0)
    return component;
  if (component == vtkArrayComponents::L2Norm)
    return SampleChoice::Magnitude;
  if (component != vtkArrayComponents::AllComponents && component != vtkArrayComponents::Requested)
    return SampleChoice::OtherNorm;
#endif
  return own;
}

void setExtents(SampleChoice& choice, vtkInformation* info, vtkImageData* image)
{
  image->GetExtent(choice.wholeExtent.data());
  if (!info || !info->Has(Pipeline::WHOLE_EXTENT()))
    return;
  info->Get(Pipeline::WHOLE_EXTENT(), choice.wholeExtent.data());
  if (isPiece(info))
    vtkNew<vtkExtentTranslator>()->PieceToExtentThreadSafe(info->Get(Pipeline::UPDATE_PIECE_NUMBER()),
      info->Get(Pipeline::UPDATE_NUMBER_OF_PIECES()), 0, choice.wholeExtent.data(), choice.pieceExtent.data(),
      vtkExtentTranslator::BLOCK_MODE, 0);
}

vmc::Request requestOf(vtkVulkanMarchingCubes& settings)
{
  vmc::Request request;
  const double* const isovalues = settings.GetValues();
  request.isovalues.assign(isovalues, isovalues + settings.GetNumberOfContours());
  request.computeNormals = settings.GetComputeNormals() != 0;
  request.computeGradients = settings.GetComputeGradients() != 0;
  request.computeCells = settings.GetComputeSampleIds() != 0;
  request.splitPositions = settings.GetOutputPointsPrecision() == vtkAlgorithm::DOUBLE_PRECISION;
  request.mergePoints = settings.GetMergePoints() != 0;
  request.wideIds = settings.GetOutputIds() == vtkVulkanMarchingCubes::IDS_64_BIT;
  // VTK 9.6 stores cells of one size without offsets.
  request.writeOffsets = VTK_VERSION_NUMBER < VTK_VERSION_CHECK(9, 6, 0);
  request.memoryLimit = settings.GetDeviceSettings().GetMemoryLimitInBytes();
  request.threads = threadsOfVtk();
  request.computeMeasures = settings.GetComputeMeasures() != 0;
  request.computeRegions = settings.GetComputeRegions() != 0;
  return request;
}

vmc::RegionChoice regionChoiceOf(vtkVulkanMarchingCubes& settings)
{
  using Keep = vmc::RegionChoice::Keep;
  constexpr Keep Modes[] = { Keep::All, Keep::Largest, Keep::LeastTriangles, Keep::LeastArea, Keep::LeastVolume,
    Keep::TouchingBorder, Keep::NotTouchingBorder, Keep::Nearest };
  vmc::RegionChoice choice;
  choice.keep = Modes[settings.GetKeepRegions()];
  choice.count = static_cast<std::size_t>(settings.GetNumberOfKeptRegions());
  choice.least = settings.GetLeastSize();
  settings.GetNearestTo(choice.point.data());
  return choice;
}

SampleChoice choiceOf(
  vtkVulkanMarchingCubes& settings, const vmc::Request& request, vtkInformation* info, vtkImageData* image)
{
  SampleChoice choice;
  choice.name = nameOfChosenArray(settings.GetInputArrayInformation(0));
  choice.association = vtkDataObject::FIELD_ASSOCIATION_CELLS;
  choice.array = settings.FindArray(image, choice.association);
  choice.component = componentOf(settings.GetInputArrayInformation(0), settings.GetArrayComponent());
  choice.withAttributes = settings.GetInterpolateAttributes() != 0;
  choice.attribute = settings.GetOnlyAttribute();
  choice.doublePoints = settings.GetOutputPointsPrecision() == vtkAlgorithm::DOUBLE_PRECISION;
  choice.boundary = static_cast<vtkVulkanMarchingCubes::BoundaryMode>(settings.GetBoundary());
  setExtents(choice, info, image);
  if (settings.GetComputeScalars() && choice.array)
    choice.nameOfScalars = choice.array->GetName() ? choice.array->GetName() : "";
  else if (settings.GetComputeScalars() && !choice.name.empty())
    choice.nameOfScalars = choice.name;
  if (request.computeRegions)
  {
    choice.reservedNames.insert(RegionIdName);
    if (choice.nameOfScalars == RegionIdName)
      choice.nameOfScalars = "Isovalue";
  }
  for (const vmc::Output& row : vmc::outputsOf(request, {}))
    if (row.isArray())
    {
      choice.reservedNames.insert(row.name);
      if (row.element == vmc::Output::Element::Point && choice.nameOfScalars == row.name)
        choice.nameOfScalars = "Isovalue";
    }
  return choice;
}

void warnOfDevices(vtkObject* caller, const std::string& fallbackReason, const std::string& leftOut)
{
  static std::mutex mutex;
  static std::set<std::string> known;
  const std::lock_guard<std::mutex> lock(mutex);
  if (!fallbackReason.empty() && known.insert(fallbackReason).second)
    vtkWarningWithObjectMacro(caller, "The CPU computes the surface instead of a Vulkan device. " << fallbackReason);
  if (!leftOut.empty() && known.insert(leftOut).second)
    vtkWarningWithObjectMacro(caller, "Not all GPUs compute the surface. " << leftOut);
}

}
