// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "SurfaceBuffer.h"

#include "vtkObjectFactory.h"

#include <array>
#include <cstring>
#include <unistd.h>

namespace vmc::rendering
{

namespace
{

bool hasExtension(const char* name)
{
  GLint count = 0;
  glGetIntegerv(GL_NUM_EXTENSIONS, &count);
  for (GLint i = 0; i < count; ++i)
    if (std::strcmp(reinterpret_cast<const char*>(glGetStringi(GL_EXTENSIONS, GLuint(i))), name) == 0)
      return true;
  return false;
}

using Uuid = std::array<std::uint8_t, GL_UUID_SIZE_EXT>;

bool hasDevice(const Uuid& wanted)
{
  GLint count = 0;
  glGetIntegerv(GL_NUM_DEVICE_UUIDS_EXT, &count);
  for (GLint i = 0; i < count; ++i)
  {
    Uuid uuid{};
    glGetUnsignedBytei_vEXT(GL_DEVICE_UUID_EXT, GLuint(i), uuid.data());
    if (uuid == wanted)
      return true;
  }
  return false;
}

bool hasDriver(const Uuid& wanted)
{
  Uuid uuid{};
  glGetUnsignedBytevEXT(GL_DRIVER_UUID_EXT, uuid.data());
  return uuid == wanted;
}

// A binding that VTK does not use and that belongs to no vertex array.
constexpr GLenum Target = GL_COPY_WRITE_BUFFER;

// Copies values from host memory into the buffer that is bound to Target. glBufferSubData copies in one thread of the
// driver, so with it large surfaces take more than twice the time to their picture.
void fill(const filters::DrawnArray& array)
{
  const auto size = GLsizeiptr(array.sizeInBytes);
  void* const mapped = glMapBufferRange(Target, 0, size, GL_MAP_WRITE_BIT | GL_MAP_INVALIDATE_BUFFER_BIT);
  if (mapped)
    filters::copyFromHost(array, mapped);
  if (mapped && glUnmapBuffer(Target))
    return;
  takeErrors(); // of a buffer that cannot be mapped, or whose contents were lost
  glBufferSubData(Target, 0, size, array.host);
}

}

// Their number is limited, as a lost context reports errors forever.
bool takeErrors()
{
  constexpr int LargestCount = 16;
  int count = 0;
  while (count < LargestCount && glGetError() != GL_NO_ERROR)
    ++count;
  return count != 0;
}

std::string importObstacle(const filters::DeviceIdentity& device)
{
  const std::string renderer = reinterpret_cast<const char*>(glGetString(GL_RENDERER));
  for (const char* extension : { "GL_EXT_memory_object", "GL_EXT_memory_object_fd" })
    if (!hasExtension(extension))
      return "OpenGL on " + renderer + " does not support " + extension + ".";
  if (!hasDevice(device.device))
    return "OpenGL draws on another device: " + renderer + ".";
  if (!hasDriver(device.driver))
    return "OpenGL and Vulkan use different drivers of " + renderer + ".";
  return {};
}

bool SurfaceMemory::attach(
  vtkOpenGLBufferObject* buffer, vtkOpenGLBufferObject::ObjectType type, const filters::DrawnArray& array)
{
  if (this->Imported != 0 && this->Source != array.identity)
    this->release(buffer); // an import keeps memory that the device may have freed
  if (array.sizeInBytes == 0)
    return true;
  return array.buffer ? this->import(buffer, type, array) : this->upload(buffer, type, array);
}

bool SurfaceMemory::import(
  vtkOpenGLBufferObject* buffer, vtkOpenGLBufferObject::ObjectType type, const filters::DrawnArray& array)
{
  if (this->Imported != 0)
    return true;
  this->release(buffer);
  const filters::ExportedMemory memory = filters::exportMemory(array);
  if (memory.fileDescriptor < 0)
    return false;
  takeErrors(); // of others
  glCreateMemoryObjectsEXT(1, &this->Imported);
  glImportMemoryFdEXT(this->Imported, memory.memorySize, GL_HANDLE_TYPE_OPAQUE_FD_EXT, memory.fileDescriptor);
  if (takeErrors()) // the descriptor is still ours
  {
    close(memory.fileDescriptor);
    this->release(buffer);
    return false;
  }
  buffer->GenerateBuffer(type);
  glBindBuffer(Target, GLuint(buffer->GetHandle()));
  glBufferStorageMemEXT(Target, GLsizeiptr(memory.bufferSize), this->Imported, 0);
  glBindBuffer(Target, 0);
  if (takeErrors())
  {
    this->release(buffer);
    return false;
  }
  this->Source = array.identity;
  return true;
}

bool SurfaceMemory::upload(
  vtkOpenGLBufferObject* buffer, vtkOpenGLBufferObject::ObjectType type, const filters::DrawnArray& array)
{
  if (!array.host)
    return false;
  takeErrors(); // of others
  buffer->GenerateBuffer(type);
  glBindBuffer(Target, GLuint(buffer->GetHandle()));
  for (const std::uint64_t capacity : { array.sizeInBytes + array.sizeInBytes / 4, array.sizeInBytes })
    if (array.sizeInBytes > this->Capacity)
    {
      // A driver may keep a buffer for GL_DYNAMIC_DRAW in host memory; then frames take twice the time.
      glBufferData(Target, GLsizeiptr(capacity), nullptr, GL_STATIC_DRAW);
      this->Capacity = takeErrors() ? 0 : capacity;
    }
  fill(array);
  glBindBuffer(Target, 0);
  if (!takeErrors())
    return true;
  buffer->ReleaseGraphicsResources();
  this->Capacity = 0;
  return false;
}

void SurfaceMemory::release(vtkOpenGLBufferObject* buffer)
{
  if (this->Imported == 0 && this->Capacity == 0)
    return;
  buffer->ReleaseGraphicsResources();
  if (this->Imported != 0)
    glDeleteMemoryObjectsEXT(1, &this->Imported);
  this->Imported = 0;
  this->Capacity = 0;
  this->Source = 0;
}

vtkStandardNewMacro(SurfaceVertexBuffer);

SurfaceVertexBuffer::SurfaceVertexBuffer()
{
  this->SetDataType(VTK_FLOAT);
}

bool SurfaceVertexBuffer::Attach(const filters::DrawnArray& array, std::uint64_t points)
{
  this->NumberOfComponents = array.components;
  this->NumberOfTuples = static_cast<unsigned>(points);
  this->Stride = array.components * unsigned(sizeof(float));
  if (array.components == 0)
    this->Release(); // an empty array keeps its memory for the next surface, no array does not
  this->Modified();  // the vertex array has to be bound again: the buffer or its layout may be another one
  return this->Memory.attach(this, vtkOpenGLBufferObject::ArrayBuffer, array);
}

void SurfaceVertexBuffer::Release()
{
  this->Memory.release(this);
}

vtkStandardNewMacro(SurfaceVertexBufferGroup);

void SurfaceVertexBufferGroup::Add(const char* attribute, vtkOpenGLVertexBufferObject* buffer)
{
  buffer->Register(this);
  this->UsedVBOs[attribute] = buffer;
}

}
