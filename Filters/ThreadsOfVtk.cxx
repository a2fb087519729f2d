// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "ThreadsOfVtk.h"

#include "Compute/System/Parallel.h"

#include "vtkSMPTools.h"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <thread>

namespace vmc::filters
{

namespace
{

constexpr long MaxThreads = 65535;

// 0 if the variable is not set or is no positive number.
unsigned positiveNumberIn(const char* variable)
{
  const char* const text = std::getenv(variable);
  const long number = text ? std::strtol(text, nullptr, 10) : 0;
  return number > 0 ? static_cast<unsigned>(std::min(number, MaxThreads)) : 0;
}

// The number of MPI processes on this machine, as common launchers set it; 0 without a launcher.
unsigned ranksOnThisMachine()
{
  for (const char* variable : { "OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS", "MV2_COMM_WORLD_LOCAL_SIZE" })
    if (const unsigned ranks = positiveNumberIn(variable))
      return ranks;
  return 0;
}

// The threads of one of several ranks: an equal part of all processors, but not more than those to which the launcher
// has bound it, which the ranks of one socket may share. 0: not limited.
unsigned threadsOfRank()
{
  const unsigned ranks = ranksOnThisMachine();
  const unsigned processors = std::thread::hardware_concurrency(); // of the machine; 0: not known
  if (ranks <= 1 || processors == 0)
    return 0;
  return std::min(std::max(processors / ranks, 1u), vmc::processorThreads());
}

}

unsigned threadsOfVtk()
{
  if (vtkSMPTools::GetBackend() != std::string("Sequential"))
    return static_cast<unsigned>(vtkSMPTools::GetEstimatedNumberOfThreads());
  const unsigned limit = positiveNumberIn("VTK_SMP_MAX_THREADS");
  return limit != 0 ? limit : threadsOfRank();
}

unsigned copyThreadsOf(const vmc::Request& request)
{
  const unsigned threads = vmc::copyThreads();
  return request.threads != 0 ? std::min(request.threads, threads) : threads;
}

}
