// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Support/OffscreenWindow.h"

#include "OpenGLFunctions.h"

#include "vtkCommand.h"
#include "vtkObjectFactory.h"
#include "vtkRenderer.h"
#include "vtkUnsignedCharArray.h"

#include <EGL/egl.h>
#include <EGL/eglext.h>

#include <array>
#include <memory>
#include <stack>
#include <stdexcept>

#ifdef VMC_USES_GLEW
// GLEW calls it after it has loaded OpenGL's functions. Its own version fails without an X display.
extern "C" __attribute__((visibility("default"))) unsigned glxewInit()
{
  return 0;
}
#endif

namespace
{

// EGL's current context with its display and surface. The destructor makes it current again.
class CurrentContext
{
public:
  CurrentContext() = default;
  ~CurrentContext()
  {
    if (this->Handle != EGL_NO_CONTEXT)
      eglMakeCurrent(this->Display, this->Surface, this->Surface, this->Handle);
  }
  CurrentContext(const CurrentContext&) = delete;
  CurrentContext& operator=(const CurrentContext&) = delete;

private:
  EGLDisplay Display = eglGetCurrentDisplay();
  EGLSurface Surface = eglGetCurrentSurface(EGL_DRAW);
  EGLContext Handle = eglGetCurrentContext();
};

// VTK calls these when it releases the resources of one window while it draws in another. The generic window leaves its
// own context current.
class Window : public vtkGenericOpenGLRenderWindow
{
public:
  static Window* New();
  vtkTypeMacro(Window, vtkGenericOpenGLRenderWindow);

  void PushContext() override
  {
    this->Contexts.push(std::make_unique<CurrentContext>());
    this->MakeCurrent();
  }
  void PopContext() override { this->Contexts.pop(); }

private:
  std::stack<std::unique_ptr<CurrentContext>> Contexts;
};
vtkStandardNewMacro(Window);

}

namespace vmc::test
{

class OffscreenWindow::Context
{
public:
  Context(int width, int height, bool isDebugging)
  {
    const auto queryDevices = reinterpret_cast<PFNEGLQUERYDEVICESEXTPROC>(eglGetProcAddress("eglQueryDevicesEXT"));
    std::array<EGLDeviceEXT, 16> devices;
    EGLint count = 0;
    if (queryDevices)
      queryDevices(EGLint(devices.size()), devices.data(), &count);
    for (EGLint i = 0; i < count; ++i)
      if (this->openOn(devices[i], width, height, isDebugging))
        return;
    throw std::runtime_error("No EGL device has OpenGL 4.5.");
  }
  ~Context()
  {
    eglMakeCurrent(this->Display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    eglDestroySurface(this->Display, this->Surface);
    eglDestroyContext(this->Display, this->Handle);
  }
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  void makeCurrent() { eglMakeCurrent(this->Display, this->Surface, this->Surface, this->Handle); }

  void isCurrent(vtkObject*, unsigned long, void* answer)
  {
    *static_cast<bool*>(answer) = eglGetCurrentContext() == this->Handle;
  }

  // Needs the loaded functions of OpenGL.
  void collectErrors()
  {
    glEnable(GL_DEBUG_OUTPUT);
    glEnable(GL_DEBUG_OUTPUT_SYNCHRONOUS);
    glDebugMessageCallback(&Context::addMessage, this);
  }

  std::vector<std::string> Errors;

private:
  bool openOn(EGLDeviceEXT device, int width, int height, bool isDebugging);

  static void GLAPIENTRY addMessage(
    GLenum, GLenum type, GLuint, GLenum, GLsizei length, const GLchar* message, const void* context)
  {
    if (type == GL_DEBUG_TYPE_ERROR)
      const_cast<Context*>(static_cast<const Context*>(context))->Errors.emplace_back(message, std::size_t(length));
  }

  EGLDisplay Display = EGL_NO_DISPLAY;
  EGLContext Handle = EGL_NO_CONTEXT;
  EGLSurface Surface = EGL_NO_SURFACE;
};

bool OffscreenWindow::Context::openOn(EGLDeviceEXT device, int width, int height, bool isDebugging)
{
  const auto displayOf =
    reinterpret_cast<PFNEGLGETPLATFORMDISPLAYEXTPROC>(eglGetProcAddress("eglGetPlatformDisplayEXT"));
  this->Display = displayOf(EGL_PLATFORM_DEVICE_EXT, device, nullptr);
  if (!eglInitialize(this->Display, nullptr, nullptr) || !eglBindAPI(EGL_OPENGL_API))
    return false;
  const EGLint wanted[] = { EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_RED_SIZE, 8,
    EGL_GREEN_SIZE, 8, EGL_BLUE_SIZE, 8, EGL_DEPTH_SIZE, 24, EGL_NONE };
  EGLConfig config = nullptr;
  EGLint configs = 0;
  if (!eglChooseConfig(this->Display, wanted, &config, 1, &configs) || configs == 0)
    return false;
  const EGLint version[] = { EGL_CONTEXT_MAJOR_VERSION, 4, EGL_CONTEXT_MINOR_VERSION, 5, EGL_CONTEXT_OPENGL_DEBUG,
    EGLint(isDebugging), EGL_NONE };
  const EGLint size[] = { EGL_WIDTH, width, EGL_HEIGHT, height, EGL_NONE };
  this->Handle = eglCreateContext(this->Display, config, EGL_NO_CONTEXT, version);
  this->Surface = eglCreatePbufferSurface(this->Display, config, size);
  return eglMakeCurrent(this->Display, this->Surface, this->Surface, this->Handle) == EGL_TRUE;
}

OffscreenWindow::OffscreenWindow(int width, int height, bool isDebugging)
  : GlContext(std::make_unique<Context>(width, height, isDebugging))
  , Window(vtkSmartPointer<::Window>::New())
{
  this->Window->SetSize(width, height);
  this->Window->SetReadyForRendering(true);
  this->Window->SetSupportsOpenGL(1);
  this->Window->SetIsDirect(1);
  this->Window->SetMultiSamples(0);
  this->Window->SetFrameBlitModeToNoBlit();
  this->Window->AddObserver(vtkCommand::WindowIsCurrentEvent, this->GlContext.get(), &Context::isCurrent);
  this->Window->AddObserver(vtkCommand::WindowMakeCurrentEvent, this->GlContext.get(), &Context::makeCurrent);
#ifndef VMC_USES_GLEW
  this->Window->SetOpenGLSymbolLoader([](void*, const char* name) { return eglGetProcAddress(name); }, nullptr);
#endif
  this->Window->InitializeFromCurrentContext();
  while (glGetError() != GL_NO_ERROR)
  {
  } // of the loader
  if (isDebugging)
    this->GlContext->collectErrors();
  this->Window->AddRenderer(this->Renderer);
}

OffscreenWindow::~OffscreenWindow()
{
  this->GlContext->makeCurrent();
  this->Window->Finalize();
}

void OffscreenWindow::render()
{
  this->Window->Render();
  this->Window->WaitForCompletion();
  for (GLenum error = glGetError(); error != GL_NO_ERROR; error = glGetError())
    this->GlContext->Errors.push_back("OpenGL error " + std::to_string(error));
}

vtkSmartPointer<vtkUnsignedCharArray> OffscreenWindow::pixels() const
{
  const int* size = this->Window->GetSize();
  auto pixels = vtkSmartPointer<vtkUnsignedCharArray>::New();
  this->Window->GetPixelData(0, 0, size[0] - 1, size[1] - 1, 0, pixels, 0);
  return pixels;
}

std::string OffscreenWindow::device() const
{
  this->GlContext->makeCurrent();
  return std::string(reinterpret_cast<const char*>(glGetString(GL_RENDERER))) + ", " +
         reinterpret_cast<const char*>(glGetString(GL_VERSION));
}

const std::vector<std::string>& OffscreenWindow::errors() const
{
  return this->GlContext->Errors;
}

}
