// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Runs of the filter on several ranks, and on one. Every rank runs every test, started by mpiexec.
#ifndef RankTest_h
#define RankTest_h

#include "FilterTest.h"

#include "vtkMPICommunicator.h"
#include "vtkMPIController.h"
#include "vtkSmartPointer.h"

#include <cstddef>
#include <string>
#include <vector>

// Counts what is sent from one rank to another.
class CountingCommunicator : public vtkMPICommunicator
{
public:
  static CountingCommunicator* New();
  vtkTypeMacro(CountingCommunicator, vtkMPICommunicator);

  int SendVoidArray(const void* data, vtkIdType length, int type, int rank, int tag) override
  {
    this->Sent += length;
    return this->Superclass::SendVoidArray(data, length, type, rank, tag);
  }

  vtkIdType Sent = 0;
};

class RankTest : public FilterTest
{
protected:
  void SetUp() override;
  void TearDown() override;

  // The following runs are on the first ranks. Returns whether this is one of them.
  bool useRanks(int ranks);

  int rank() { return this->Controller->GetLocalProcessId(); }
  int ranks() { return this->Controller->GetNumberOfProcesses(); }

  // Round robin, or rank 0 without blocks and every other block on the last rank.
  bool isOwn(std::size_t block, bool isEven);

  // Returns the texts of all ranks, which have one length, in ascending order.
  std::vector<std::string> ofAllRanks(const std::vector<std::string>& own);

  vtkSmartPointer<vtkMPIController> World, Controller;
  vtkSmartPointer<CountingCommunicator> Communicator;
  vtkNew<vtkVulkanMarchingCubes> Whole; // of one process
};

#endif
