// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Observes the deletion of arrays.
#ifndef vmcArrayWatch_h
#define vmcArrayWatch_h

#include "vtkObject.h"
#include "vtkWeakPointer.h"

#include <cstdint>
#include <functional>
#include <map>

namespace vmc::filters
{

// Calls a function when a watched array is deleted, so that copies of it can leave the device.
class ArrayWatch
{
public:
  // onDeletion: gets the identity with which the array was watched last.
  explicit ArrayWatch(std::function<void(std::uint64_t identity)> onDeletion);
  ~ArrayWatch();
  ArrayWatch(const ArrayWatch&) = delete;
  ArrayWatch& operator=(const ArrayWatch&) = delete;

  // identity: of the copies of the array. Does nothing for null.
  void watch(vtkObject* array, std::uint64_t identity);

private:
  void forget(vtkObject* array, unsigned long event, void* data);

  struct Watched
  {
    vtkWeakPointer<vtkObject> array; // null if it was deleted after its observers were removed
    unsigned long tag = 0;
    std::uint64_t identity = 0;
  };
  std::function<void(std::uint64_t)> OnDeletion;
  std::map<vtkObject*, Watched> Arrays;
};

}

#endif
