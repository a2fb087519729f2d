// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Ranks.h"

#include "vtkCommunicator.h"
#include "vtkInformation.h"
#include "vtkMultiProcessController.h"
#include "vtkStreamingDemandDrivenPipeline.h"

#include <cstddef>

namespace vmc::filters
{

bool isAlone(vtkMultiProcessController* controller)
{
  return !controller || controller->GetNumberOfProcesses() <= 1;
}

vtkMultiProcessController* ranksOf(vtkInformation* info)
{
  vtkMultiProcessController* const controller = vtkMultiProcessController::GetGlobalController();
  const int pieces = info ? info->Get(vtkStreamingDemandDrivenPipeline::UPDATE_NUMBER_OF_PIECES()) : 1;
  return !isAlone(controller) && controller->GetNumberOfProcesses() == pieces ? controller : nullptr;
}

std::string firstMessage(const std::string& own, vtkMultiProcessController* controller)
{
  if (isAlone(controller))
    return own;
  const int ranks = controller->GetNumberOfProcesses();
  const int sent = own.empty() ? ranks : controller->GetLocalProcessId();
  int first = ranks;
  controller->AllReduce(&sent, &first, 1, vtkCommunicator::MIN_OP);
  if (first == ranks)
    return {};
  std::string message = own;
  auto length = static_cast<vtkIdType>(message.size());
  controller->Broadcast(&length, 1, first);
  message.resize(static_cast<std::size_t>(length));
  controller->Broadcast(message.data(), length, first);
  return message;
}

std::vector<double> sumsOfRanks(const std::vector<double>& own, vtkMultiProcessController* controller)
{
  if (isAlone(controller))
    return own;
  std::vector<double> all(own.size() * static_cast<std::size_t>(controller->GetNumberOfProcesses()));
  controller->AllGather(own.data(), all.data(), static_cast<vtkIdType>(own.size()));
  std::vector<double> sums(own.size());
  for (std::size_t i = 0; i < all.size(); ++i)
    sums[i % sums.size()] += all[i];
  return sums;
}

}
