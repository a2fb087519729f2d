// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Windows that need no display: OpenGL through EGL.
#ifndef vmcOffscreenWindow_h
#define vmcOffscreenWindow_h

#include "vtkGenericOpenGLRenderWindow.h"
#include "vtkNew.h"
#include "vtkSmartPointer.h"

#include <memory>
#include <string>
#include <vector>

class vtkRenderer;
class vtkUnsignedCharArray;

namespace vmc::test
{

// A window of OpenGL 4.5 with one renderer, on the first EGL device that has it: the GPU, or software. Windows share
// nothing with each other. VTK's OpenGL loader expects an X display; a program that links this file must export its
// symbols (-rdynamic), as its glxewInit replaces the loader's.
class OffscreenWindow
{
public:
  // isDebugging: a debug context, which describes errors and is slower. Throws std::runtime_error if no EGL device has
  // OpenGL 4.5.
  OffscreenWindow(int width, int height, bool isDebugging = true);
  ~OffscreenWindow();
  OffscreenWindow(const OffscreenWindow&) = delete;
  OffscreenWindow& operator=(const OffscreenWindow&) = delete;

  vtkGenericOpenGLRenderWindow* window() const { return this->Window; }
  vtkRenderer* renderer() const { return this->Renderer; }

  // Draws a frame and waits until it is finished.
  void render();
  // The last frame: RGB, row by row from the bottom.
  vtkSmartPointer<vtkUnsignedCharArray> pixels() const;
  // The name of the device, and the version of its driver.
  std::string device() const;
  // The errors that OpenGL reported so far.
  const std::vector<std::string>& errors() const;

private:
  class Context;
  std::unique_ptr<Context> GlContext; // outlives the window
  vtkSmartPointer<vtkGenericOpenGLRenderWindow> Window;
  vtkNew<vtkRenderer> Renderer;
};

}

#endif
