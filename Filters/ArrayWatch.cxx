// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "ArrayWatch.h"

#include "vtkCommand.h"

#include <utility>

namespace vmc::filters
{

ArrayWatch::ArrayWatch(std::function<void(std::uint64_t identity)> onDeletion)
  : OnDeletion(std::move(onDeletion))
{
}

ArrayWatch::~ArrayWatch()
{
  for (const auto& [address, watched] : this->Arrays)
    if (watched.array)
      watched.array->RemoveObserver(watched.tag);
}

void ArrayWatch::watch(vtkObject* array, std::uint64_t identity)
{
  if (!array)
    return;
  Watched& watched = this->Arrays[array];
  if (watched.array != array)
  {
    watched.array = array;
    watched.tag = array->AddObserver(vtkCommand::DeleteEvent, this, &ArrayWatch::forget);
  }
  watched.identity = identity;
}

void ArrayWatch::forget(vtkObject* array, unsigned long, void*)
{
  const auto watched = this->Arrays.find(array);
  if (watched == this->Arrays.end())
    return;
  this->OnDeletion(watched->second.identity);
  this->Arrays.erase(watched);
}

}
