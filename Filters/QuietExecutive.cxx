// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "QuietExecutive.h"

#include "vtkCommand.h"
#include "vtkOutputWindow.h"

#include <string>

namespace vmc::filters
{

QuietExecutive::~QuietExecutive()
{
  this->reset();
}

void QuietExecutive::hideNextFailure(vtkExecutive* executive)
{
  this->reset();
  if (!executive)
    return;
  this->Executive = executive;
  this->Tag = executive->AddObserver(vtkCommand::ErrorEvent, this, &QuietExecutive::onError);
}

void QuietExecutive::reset()
{
  if (this->Executive)
    this->Executive->RemoveObserver(this->Tag);
  this->Executive = nullptr;
  this->Tag = 0;
}

// VTK shows an error of an object that nobody observes; observers get it instead.
void QuietExecutive::onError(vtkObject*, unsigned long, void* text)
{
  const vtkWeakPointer<vtkExecutive> executive = this->Executive;
  this->reset();
  const std::string message = text ? static_cast<const char*>(text) : "";
  const bool isHidden = message.find("returned failure for request") != std::string::npos;
  if (!isHidden && executive && !executive->HasObserver(vtkCommand::ErrorEvent))
    vtkOutputWindowDisplayErrorText(message.c_str());
}

}
