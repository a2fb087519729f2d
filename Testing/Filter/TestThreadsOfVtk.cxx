// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "ThreadsOfVtk.h"

#include "Compute/System/Parallel.h"

#include "vtkSMPTools.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <thread>

namespace
{

using vmc::filters::threadsOfVtk;

constexpr const char* Limit = "VTK_SMP_MAX_THREADS";
constexpr const char* Ranks[] = { "OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS", "MV2_COMM_WORLD_LOCAL_SIZE" };

class ThreadsOfVtk : public testing::Test
{
protected:
  void SetUp() override
  {
    if (vtkSMPTools::GetBackend() != std::string("Sequential"))
      GTEST_SKIP() << "vtkSMPTools has threads.";
    this->clear();
  }

  void TearDown() override { this->clear(); }

  void clear()
  {
    unsetenv(Limit);
    for (const char* variable : Ranks)
      unsetenv(variable);
  }
};

}

TEST_F(ThreadsOfVtk, AreNotLimitedByDefault)
{
  EXPECT_EQ(threadsOfVtk(), 0u);
}

TEST_F(ThreadsOfVtk, AreThoseOfTheEnvironmentIfItIsAPositiveNumber)
{
  setenv(Limit, "3", 1);
  EXPECT_EQ(threadsOfVtk(), 3u);
  for (const char* value : { "", "0", "-1", "many" })
  {
    setenv(Limit, value, 1);
    EXPECT_EQ(threadsOfVtk(), 0u) << value;
  }
  setenv(Limit, "99999999999999999999", 1);
  EXPECT_EQ(threadsOfVtk(), 65535u);
}

TEST_F(ThreadsOfVtk, RanksOfOneMachineShareItsProcessors)
{
  const std::string tooMany = std::to_string(std::thread::hardware_concurrency() + 1); // one thread each
  for (const char* variable : Ranks)
  {
    setenv(variable, tooMany.c_str(), 1);
    EXPECT_EQ(threadsOfVtk(), 1u) << variable;
    setenv(variable, "2", 1);
    EXPECT_GE(threadsOfVtk(), 1u) << variable;
    EXPECT_LE(threadsOfVtk(), vmc::processorThreads()) << variable;
    setenv(variable, "1", 1);
    EXPECT_EQ(threadsOfVtk(), 0u) << variable;
    unsetenv(variable);
  }
}

TEST_F(ThreadsOfVtk, TheLimitOfTheEnvironmentIsThatOfEachRank)
{
  setenv(Ranks[0], "1000", 1);
  setenv(Limit, "5", 1);
  EXPECT_EQ(threadsOfVtk(), 5u);
}

TEST_F(ThreadsOfVtk, CopiesUseAtMostThoseOfTheRequest)
{
  vmc::Request request;
  EXPECT_EQ(vmc::filters::copyThreadsOf(request), vmc::copyThreads());
  request.threads = 1;
  EXPECT_EQ(vmc::filters::copyThreadsOf(request), 1u);
  request.threads = 1000;
  EXPECT_EQ(vmc::filters::copyThreadsOf(request), vmc::copyThreads());
}
