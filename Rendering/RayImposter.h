// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Draws a picture of rays with the shaders of vtkOpenGLPolyDataMapper.
#ifndef vmcRayImposter_h
#define vmcRayImposter_h

#include "SurfaceBuffer.h"

#include "vtkNew.h"
#include "vtkShader.h"
#include "vtkSmartPointer.h"
#include "vtkTextureObject.h"

#include <array>
#include <map>
#include <memory>
#include <string>

class vtkActor;
class vtkOpenGLIndexBufferObject;
class vtkOpenGLRenderWindow;
class vtkRenderer;
class vtkShaderProgram;

namespace vmc::rendering
{

// One triangle covers the viewport. Its fragments read the hits from a texture, and write depth and normal: so the
// surface composites with other actors, with peeled layers and with the pictures of other ranks. All functions need the
// current context of one window.
class RayImposter
{
public:
  using Picture = filters::DrawnPicture;

  // Isovalues that can have colours of their own.
  static constexpr std::size_t LargestColourCount = 256;

  // The renderer's camera in the space of the actor, with a picture that has 1 / reduction of the viewport's pixels
  // along each side.
  static vmc::RayCamera cameraOf(vtkRenderer* renderer, vtkActor* actor, int reduction);

  // Copies the picture into textures, and holds it until releasePicture(). Returns false if OpenGL has not enough
  // memory, or cannot import the picture.
  bool attach(const std::shared_ptr<const Picture>& picture, vtkRenderer* renderer);
  const std::shared_ptr<const Picture>& attached() const { return this->Attached; }

  // Waits until OpenGL has read the picture, then releases it: the next one may get its memory.
  void releasePicture();
  void releaseGraphicsResources();

  // Adds the triangle to the group, and its ids to the buffer.
  void addTriangle(SurfaceVertexBufferGroup& group, vtkOpenGLIndexBufferObject* ids);

  // Before and after drawing.
  void activate();
  void deactivate();

  // Replaces what differs from a mesh of triangles. colours: GLSL code that uses `surfaceValue`, the values of the hit
  // or the isovalue minus the first one; empty without colours. Must come before the replacements of the superclass.
  void replaceShaders(std::map<vtkShader::Type, vtkShader*> shaders, const std::string& colours) const;
  void setParameters(vtkShaderProgram* program, vtkRenderer* renderer, vtkActor* actor) const;

private:
  // An array with a tuple per pixel, in a texture.
  class ArrayTexture
  {
  public:
    // isFloat: else the values are unsigned. Returns false if OpenGL has not enough memory, has no texture of this
    // size, or cannot import the array.
    bool attach(const Picture& picture, const filters::DrawnArray& array, bool isFloat, vtkOpenGLRenderWindow* window);
    void release();
    vtkTextureObject* texture() const { return this->Texture; }

  private:
    bool copy(const std::array<int, 3>& size, unsigned format, unsigned type, bool isFloat);

    vtkNew<vtkOpenGLBufferObject> Buffer;
    SurfaceMemory Memory; // of the buffer
    vtkSmartPointer<vtkTextureObject> Texture = vtkSmartPointer<vtkTextureObject>::New();
    std::array<int, 3> Size{ 0, 0, 0 }; // of the texture; components
  };

  bool hasValues() const { return this->Attached->values.components != 0; }

  std::shared_ptr<const Picture> Attached; // in the textures; null: none
  ArrayTexture Hits, Values;
  ReadMark Read;
  vtkNew<SurfaceVertexBuffer> Corners;
};

}

#endif
