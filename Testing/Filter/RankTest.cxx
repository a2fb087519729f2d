// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "RankTest.h"

#include "vtkCommunicator.h"
#include "vtkObjectFactory.h"
#include "vtkUnsignedCharArray.h"

#include <algorithm>

vtkStandardNewMacro(CountingCommunicator);

void RankTest::SetUp()
{
  FilterTest::SetUp();
  this->World = vtkMPIController::SafeDownCast(vtkMultiProcessController::GetGlobalController());
}

void RankTest::TearDown()
{
  vtkMultiProcessController::SetGlobalController(this->World);
}

bool RankTest::useRanks(int ranks)
{
  const int own = this->World->GetLocalProcessId();
  this->Communicator = vtkSmartPointer<CountingCommunicator>::New();
  this->Communicator->SplitInitialize(this->World->GetCommunicator(), own < ranks ? 0 : 1, own);
  this->Controller = vtkSmartPointer<vtkMPIController>::New();
  this->Controller->SetCommunicator(this->Communicator);
  vtkMultiProcessController::SetGlobalController(this->Controller);
  return own < ranks;
}

bool RankTest::isOwn(std::size_t block, bool isEven)
{
  const auto ranks = static_cast<std::size_t>(this->ranks());
  const std::size_t owner = isEven || ranks == 1 ? block % ranks
                            : block % 2 == 0     ? ranks - 1
                                                 : 1 + block / 2 % (ranks - 1);
  return owner == static_cast<std::size_t>(this->rank());
}

std::vector<std::string> RankTest::ofAllRanks(const std::vector<std::string>& own)
{
  vtkNew<vtkUnsignedCharArray> sent, all;
  int size = own.empty() ? 0 : static_cast<int>(own.front().size()), size0 = 0;
  sent->SetNumberOfValues(1 + static_cast<vtkIdType>(own.size()) * size);
  sent->SetValue(0, 0); // never empty
  unsigned char* to = sent->GetPointer(1);
  for (const std::string& text : own)
  {
    EXPECT_EQ(text.size(), own.front().size());
    to = std::copy_n(text.begin(), std::min(text.size(), own.front().size()), to);
  }
  this->Controller->AllReduce(&size, &size0, 1, vtkCommunicator::MAX_OP);
  std::vector<int> counts(static_cast<std::size_t>(this->ranks()));
  const int count = static_cast<int>(own.size());
  this->Controller->AllGather(&count, counts.data(), 1);
  this->Controller->AllGatherV(sent, all);
  std::vector<std::string> texts;
  vtkIdType at = 0;
  for (const int number : counts)
  {
    ++at;
    for (int i = 0; i < number; ++i, at += size0)
      texts.emplace_back(reinterpret_cast<const char*>(all->GetPointer(at)), static_cast<std::size_t>(size0));
  }
  std::sort(texts.begin(), texts.end());
  return texts;
}

int main(int argc, char** argv)
{
  vtkNew<vtkMPIController> controller;
  controller->Initialize(&argc, &argv);
  vtkMultiProcessController::SetGlobalController(controller);
  testing::InitGoogleTest(&argc, argv);
  const int result = RUN_ALL_TESTS();
  vtkMultiProcessController::SetGlobalController(nullptr);
  controller->Finalize();
  return result;
}
