// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// One error per failure of a filter: its own, without that of its executive.
#ifndef vmcQuietExecutive_h
#define vmcQuietExecutive_h

#include "vtkExecutive.h"
#include "vtkWeakPointer.h"

namespace vmc::filters
{

// An executive reports a second error if RequestData returns 0: that the algorithm "returned failure for request". A
// filter that has reported the reason hides this message. All other errors of the executive are shown as before.
class QuietExecutive
{
public:
  QuietExecutive() = default;
  ~QuietExecutive();
  QuietExecutive(const QuietExecutive&) = delete;
  QuietExecutive& operator=(const QuietExecutive&) = delete;

  // To be called in RequestData just before it returns 0: hides the next message of this executive if it is that one.
  void hideNextFailure(vtkExecutive* executive);

  // Hides nothing from now on.
  void reset();

private:
  void onError(vtkObject*, unsigned long, void* text);

  vtkWeakPointer<vtkExecutive> Executive; // observed; null: none
  unsigned long Tag = 0;                  // of its observer
};

}

#endif
