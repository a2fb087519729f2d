// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Times the filter with ids of 64 and of 32 bits in turns.
#ifndef vmcBenchmarkIdWidths_h
#define vmcBenchmarkIdWidths_h

#include "Compute/System/Stage.h"

#include "vtkVulkanMarchingCubes.h"

#include <benchmark/benchmark.h>

namespace vmc::benchmarks
{

// Times the second of two runs, which allocates no memory.
inline double millisecondsWithIds(vtkVulkanMarchingCubes* filter, int width)
{
  filter->SetOutputIds(width);
  filter->Modified();
  filter->Update();
  filter->Modified();
  const HostClock clock;
  filter->Update();
  return clock.milliseconds();
}

// Returns the milliseconds with 64 bits. The filter has ids of 32 bits afterwards.
inline double timeIds(benchmark::State& state, vtkVulkanMarchingCubes* filter)
{
  const double wide = millisecondsWithIds(filter, vtkVulkanMarchingCubes::IDS_64_BIT);
  const double narrow = millisecondsWithIds(filter, vtkVulkanMarchingCubes::IDS_32_BIT);
  state.counters["triangles"] = double(filter->GetNumberOfTriangles());
  state.counters["32 bits"] = narrow;
  state.counters["64 bits / 32 bits"] = wide / narrow;
  return wide;
}

}

#endif
