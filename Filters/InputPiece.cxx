// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "InputPiece.h"

#include "vtkDataObject.h"
#include "vtkExtentTranslator.h"
#include "vtkImageData.h"
#include "vtkInformation.h"
#include "vtkNew.h"
#include "vtkStreamingDemandDrivenPipeline.h"

namespace vmc::filters
{

namespace
{

using Pipeline = vtkStreamingDemandDrivenPipeline;

}

std::array<int, 6> wholeExtentOf(vtkInformation* info, vtkImageData* image)
{
  std::array<int, 6> extent{};
  if (info && info->Has(Pipeline::WHOLE_EXTENT()))
    info->Get(Pipeline::WHOLE_EXTENT(), extent.data());
  else
    image->GetExtent(extent.data());
  return extent;
}

std::array<int, 6> pieceExtentOf(vtkInformation* info)
{
  std::array<int, 6> piece{ 0, -1, 0, -1, 0, -1 };
  if (!isPiece(info) || !info->Has(Pipeline::WHOLE_EXTENT()))
    return piece;
  vtkNew<vtkExtentTranslator>()->PieceToExtentThreadSafe(info->Get(Pipeline::UPDATE_PIECE_NUMBER()),
    info->Get(Pipeline::UPDATE_NUMBER_OF_PIECES()), 0, info->Get(Pipeline::WHOLE_EXTENT()), piece.data(),
    vtkExtentTranslator::BLOCK_MODE, 0);
  return piece;
}

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

}
