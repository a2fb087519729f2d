// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Values that a filter keeps between runs, so that it reuses those of unchanged input.
#ifndef vmcSampleCache_h
#define vmcSampleCache_h

#include "vtkDataArray.h"
#include "vtkSmartPointer.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace vmc::filters
{

struct GhostFlags
{
  std::vector<std::uint8_t> ofSamples; // vmc::Ghost flags, or vmc::LevelFlag ones; empty if all are 0
  int kinds = 0;                       // vtkDataSetAttributes::CellGhostTypes that occur; of cell data only
};

// Caches values derived from arrays, by the identities of the arrays (ArrayIdentity.h). Drops in endRun each value
// that was not requested since beginRun.
class SampleCache
{
public:
  // One value or one tuple per sample, in one block of memory, and their identity.
  struct Samples
  {
    vtkSmartPointer<vtkDataArray> values;
    std::uint64_t identity = 0;
  };

  void beginRun();
  void endRun();

  // The array itself if its values lie in one block, tuple after tuple. Otherwise a copy that does, made once per state
  // of the array.
  Samples inOneBlock(vtkDataArray* array);

  // One component, counted from 0, or the magnitude of all (-1), in one block. It is a copy where necessary.
  Samples component(vtkDataArray* array, int component);

  // The flags of this identity. The first request calls `make`. Null if `make` returned no flags.
  std::shared_ptr<const GhostFlags> ghosts(std::uint64_t identity, const std::function<GhostFlags()>& make);

private:
  // The values of the run before, as far as this run has not requested them yet, and those of this run.
  template <class Value>
  struct Runs
  {
    std::map<std::uint64_t, Value> before, now; // [identity]

    template <class Make>
    const Value& find(std::uint64_t identity, const Make& make)
    {
      if (auto known = this->before.extract(identity))
        this->now.insert(std::move(known));
      else if (this->now.count(identity) == 0)
        this->now[identity] = make();
      return this->now[identity];
    }
  };

  Runs<vtkSmartPointer<vtkDataArray>> Copies;
  Runs<std::shared_ptr<const GhostFlags>> Ghosts;
};

}

#endif
