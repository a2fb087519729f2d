// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// OpenGL's buffers of a surface. All functions need a current OpenGL context, the same one from first use to release.
#ifndef vmcSurfaceBuffer_h
#define vmcSurfaceBuffer_h

#include "DrawingSource.h"
#include "OpenGLFunctions.h"

#include "vtkNew.h"
#include "vtkOpenGLVertexBufferObject.h"
#include "vtkOpenGLVertexBufferObjectGroup.h"

#include <cstdint>
#include <string>
#include <utility>

namespace vmc::rendering
{

// Returns whether OpenGL has reported errors since the last call, and forgets them.
bool takeErrors();

// The reason why the current OpenGL context cannot import memory of the device, as a sentence; empty if it can.
std::string importObstacle(const filters::DeviceIdentity& device);

// The end of the commands that read buffers of another API.
class ReadMark
{
public:
  ReadMark() = default;
  ReadMark(const ReadMark&) = delete;
  ReadMark& operator=(const ReadMark&) = delete;

  // Moves the mark behind all commands so far.
  void set()
  {
    if (this->Fence)
      glDeleteSync(this->Fence);
    this->Fence = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
  }

  // Waits for the commands before the mark, and removes it. Takes less time than glFinish if they have ended.
  void wait()
  {
    GLsync const fence = std::exchange(this->Fence, nullptr);
    if (!fence)
      return;
    if (glClientWaitSync(fence, GL_SYNC_FLUSH_COMMANDS_BIT, 0) != GL_ALREADY_SIGNALED)
      glFinish();
    glDeleteSync(fence);
  }

private:
  GLsync Fence = nullptr; // null: no command reads the buffers
};

// The memory of a VTK buffer object: imported from the Vulkan device, or allocated by OpenGL and filled from host
// memory.
class SurfaceMemory
{
public:
  // Makes the buffer object contain the values of the array. Memory is imported once per Vulkan buffer, and OpenGL's
  // own memory stays while the arrays fit into it. Returns false if OpenGL has not enough memory or cannot import it.
  bool attach(vtkOpenGLBufferObject* buffer, vtkOpenGLBufferObject::ObjectType type, const filters::DrawnArray& array);
  // Deletes the buffer object's memory.
  void release(vtkOpenGLBufferObject* buffer);

private:
  bool import(vtkOpenGLBufferObject* buffer, vtkOpenGLBufferObject::ObjectType type, const filters::DrawnArray& array);
  bool upload(vtkOpenGLBufferObject* buffer, vtkOpenGLBufferObject::ObjectType type, const filters::DrawnArray& array);

  std::uint64_t Source = 0;   // identity of the imported buffer
  unsigned Imported = 0;      // OpenGL's name of the imported memory; 0: none
  std::uint64_t Capacity = 0; // of OpenGL's own memory, in bytes
};

// A vertex buffer object of float values in SurfaceMemory.
class SurfaceVertexBuffer : public vtkOpenGLVertexBufferObject
{
public:
  static SurfaceVertexBuffer* New();
  vtkTypeMacro(SurfaceVertexBuffer, vtkOpenGLVertexBufferObject);

  // As SurfaceMemory::attach, for an array of so many points.
  bool Attach(const filters::DrawnArray& array, std::uint64_t points);
  void Release();

  // The shift applies also if it is 0, and if VTK's global switch is off: the positions are relative to it.
  bool GetCoordShiftAndScaleEnabled() override { return true; }

protected:
  SurfaceVertexBuffer();

private:
  SurfaceMemory Memory;
};

// A group whose members are set from outside.
class SurfaceVertexBufferGroup : public vtkOpenGLVertexBufferObjectGroup
{
public:
  static SurfaceVertexBufferGroup* New();
  vtkTypeMacro(SurfaceVertexBufferGroup, vtkOpenGLVertexBufferObjectGroup);
  void Add(const char* attribute, vtkOpenGLVertexBufferObject* buffer);
};

}

#endif
