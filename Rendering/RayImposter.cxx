// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "RayImposter.h"

#include "vtkActor.h"
#include "vtkMatrix3x3.h"
#include "vtkMatrix4x4.h"
#include "vtkOpenGLCamera.h"
#include "vtkOpenGLIndexBufferObject.h"
#include "vtkOpenGLRenderWindow.h"
#include "vtkOpenGLState.h"
#include "vtkRenderer.h"
#include "vtkShaderProgram.h"
#include "vtkTextureObject.h"

#include <algorithm>
#include <vector>

namespace vmc::rendering
{

namespace
{

std::array<int, 4> viewportOf(vtkRenderer* renderer)
{
  std::array<int, 4> viewport{}; // x, y, width, height; that of a pass may differ from the renderer's
  static_cast<vtkOpenGLRenderWindow*>(renderer->GetRenderWindow())
    ->GetState()
    ->vtkglGetIntegerv(GL_VIEWPORT, viewport.data());
  return viewport;
}

// Matrices as VTK passes them to shaders: transposed.
struct KeyMatrices
{
  vtkMatrix4x4* worldToView;
  vtkMatrix3x3* normals;
  vtkMatrix4x4* viewToClip;
  vtkMatrix4x4* worldToClip;

  explicit KeyMatrices(vtkRenderer* renderer)
  {
    static_cast<vtkOpenGLCamera*>(renderer->GetActiveCamera())
      ->GetKeyMatrices(renderer, this->worldToView, this->normals, this->viewToClip, this->worldToClip);
  }
};

// Multiplies the actor's matrix by one of the key matrices. Neither is transposed in the result.
vtkNew<vtkMatrix4x4> fromActor(vtkActor* actor, vtkMatrix4x4* transposed)
{
  vtkNew<vtkMatrix4x4> result, matrix;
  actor->GetMatrix(matrix);
  vtkMatrix4x4::Transpose(transposed, result);
  vtkMatrix4x4::Multiply4x4(result, matrix, result);
  return result;
}

// Textures of released imposters, oldest first, for the next imposter of the same window and size. Software OpenGL has
// textures in the heap, which rarely finds room for one where another one of the same size was: it would grow with each
// imposter. Never destroyed, as windows may be gone when the process ends.
std::vector<vtkSmartPointer<vtkTextureObject>>& freeTextures()
{
  static auto* const textures = new std::vector<vtkSmartPointer<vtkTextureObject>>;
  return *textures;
}

void keep(const vtkSmartPointer<vtkTextureObject>& texture)
{
  constexpr std::size_t MostTextures = 2, MostBytes = 64 << 20; // per texture
  std::vector<vtkSmartPointer<vtkTextureObject>>& textures = freeTextures();
  const std::size_t bytes = std::size_t(4) * texture->GetWidth() * texture->GetHeight() * texture->GetComponents();
  if (texture->GetHandle() == 0 || bytes > MostBytes)
    return;
  if (textures.size() == MostTextures)
    textures.erase(textures.begin());
  textures.push_back(texture);
}

// Null if there is none.
vtkSmartPointer<vtkTextureObject> takeFreeTexture(
  vtkOpenGLRenderWindow* window, const std::array<int, 3>& size, int dataType)
{
  std::vector<vtkSmartPointer<vtkTextureObject>>& textures = freeTextures();
  const auto fits = [&](vtkTextureObject* texture)
  {
    return texture->GetHandle() != 0 && texture->GetContext() == window && int(texture->GetWidth()) == size[0] &&
           int(texture->GetHeight()) == size[1] && texture->GetComponents() == size[2] &&
           texture->GetVTKDataType() == dataType;
  };
  const auto found = std::find_if(textures.begin(), textures.end(), fits);
  if (found == textures.end())
    return nullptr;
  vtkSmartPointer<vtkTextureObject> texture = *found;
  textures.erase(found);
  return texture;
}

}

vmc::RayCamera RayImposter::cameraOf(vtkRenderer* renderer, vtkActor* actor, int reduction)
{
  vmc::RayCamera camera;
  const std::array<int, 4> viewport = viewportOf(renderer);
  camera.width = static_cast<std::uint32_t>((viewport[2] + reduction - 1) / reduction);
  camera.height = static_cast<std::uint32_t>((viewport[3] + reduction - 1) / reduction);
  const vtkNew<vtkMatrix4x4> matrix = fromActor(actor, KeyMatrices(renderer).worldToClip);
  for (int i = 0; i < 16; ++i)
    camera.worldToClip[i / 4][i % 4] = matrix->GetData()[i];
  return camera;
}

bool RayImposter::ArrayTexture::attach(
  const Picture& picture, const filters::DrawnArray& array, bool isFloat, vtkOpenGLRenderWindow* window)
{
  constexpr GLenum FloatFormats[] = { GL_RED, GL_RG, GL_RGB, GL_RGBA };
  const int components = static_cast<int>(array.components); // of unsigned values: 4
  const GLenum format = isFloat ? FloatFormats[components - 1] : GL_RGBA_INTEGER;
  const GLenum type = isFloat ? GL_FLOAT : GL_UNSIGNED_INT;
  const std::array<int, 3> size{ int(picture.width), int(picture.height), components };
  if (!this->Memory.attach(this->Buffer, vtkOpenGLBufferObject::TextureBuffer, array))
    return false;
  int largest = 0;
  window->GetState()->vtkglGetIntegerv(GL_MAX_TEXTURE_SIZE, &largest);
  if (std::max(size[0], size[1]) > largest)
    return false;
  takeErrors(); // of others
  if (this->Size == std::array<int, 3>{ 0, 0, 0 })
    if (const auto texture = takeFreeTexture(window, size, isFloat ? VTK_FLOAT : VTK_UNSIGNED_INT))
    {
      this->Texture = texture;
      this->Size = size;
    }
  this->Texture->SetContext(window);
  window->ActivateTexture(this->Texture); // not the unit of another texture
  const bool isCopied = this->copy(size, format, type, isFloat);
  window->DeactivateTexture(this->Texture);
  return isCopied;
}

// With the texture's unit active. Reads the pixels from the buffer.
bool RayImposter::ArrayTexture::copy(const std::array<int, 3>& size, unsigned format, unsigned type, bool isFloat)
{
  constexpr GLenum FloatTypes[] = { GL_R32F, GL_RG32F, GL_RGB32F, GL_RGBA32F };
  const int components = size[2];
  if (this->Size != size)
  {
    this->Texture->SetInternalFormat(isFloat ? FloatTypes[components - 1] : GL_RGBA32UI);
    this->Texture->SetFormat(format);
    this->Texture->SetDataType(type);
    this->Texture->SetMinificationFilter(vtkTextureObject::Nearest);
    this->Texture->SetMagnificationFilter(vtkTextureObject::Nearest);
    this->Size = { 0, 0, 0 };
    if (!this->Texture->Create2DFromRaw(
          unsigned(size[0]), unsigned(size[1]), components, isFloat ? VTK_FLOAT : VTK_UNSIGNED_INT, nullptr))
      return false;
    this->Size = size;
  }
  this->Texture->Bind();
  glBindBuffer(GL_PIXEL_UNPACK_BUFFER, GLuint(this->Buffer->GetHandle()));
  glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
  glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, size[0], size[1], format, type, nullptr);
  glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
  if (!takeErrors())
    return true;
  this->Size = { 0, 0, 0 }; // the texture may have no memory
  return false;
}

void RayImposter::ArrayTexture::release()
{
  this->Memory.release(this->Buffer);
  if (this->Size[0] != 0)
    keep(this->Texture);
  this->Texture = vtkSmartPointer<vtkTextureObject>::New();
  this->Size = { 0, 0, 0 };
}

bool RayImposter::attach(const std::shared_ptr<const Picture>& picture, vtkRenderer* renderer)
{
  if (this->Attached == picture)
    return true;
  this->releasePicture();
  auto* const window = static_cast<vtkOpenGLRenderWindow*>(renderer->GetRenderWindow());
  if (!this->Hits.attach(*picture, picture->pixels, false, window) ||
      (picture->values.components != 0 && !this->Values.attach(*picture, picture->values, true, window)))
    return false;
  this->Read.set();
  this->Attached = picture;
  return true;
}

void RayImposter::releasePicture()
{
  this->Read.wait();
  this->Attached.reset();
}

void RayImposter::releaseGraphicsResources()
{
  this->releasePicture();
  this->Hits.release();
  this->Values.release();
  this->Corners->Release();
}

void RayImposter::addTriangle(SurfaceVertexBufferGroup& group, vtkOpenGLIndexBufferObject* ids)
{
  // In clip space. The corners lie outside of the viewport, so that it has no inner edge.
  constexpr float corners[] = { -1, -1, 0, 3, -1, 0, -1, 3, 0 };
  filters::DrawnArray array;
  array.components = 3;
  array.sizeInBytes = sizeof(corners);
  array.host = corners;
  this->Corners->Attach(array, 3);
  group.Add("vertexMC", this->Corners);
  std::vector<unsigned> order = { 0, 1, 2 };
  ids->Upload(order, vtkOpenGLBufferObject::ElementArrayBuffer);
  ids->IndexCount = order.size();
}

void RayImposter::activate()
{
  this->Hits.texture()->Activate();
  if (this->hasValues())
    this->Values.texture()->Activate();
}

void RayImposter::deactivate()
{
  this->Hits.texture()->Deactivate();
  if (this->hasValues())
    this->Values.texture()->Deactivate();
}

void RayImposter::replaceShaders(std::map<vtkShader::Type, vtkShader*> shaders, const std::string& colours) const
{
  vtkShaderProgram::Substitute(
    shaders[vtkShader::Vertex], "//VTK::PositionVC::Impl", "gl_Position = vec4(vertexMC.xy, 0.0, 1.0);\n");
  vtkShader* const fragment = shaders[vtkShader::Fragment];
  vtkShaderProgram::Substitute(fragment, "//VTK::System::Dec",
    "//VTK::System::Dec\n"
    "#extension GL_ARB_shader_bit_encoding : require\n");
  const unsigned components = this->Attached->values.components;
  const std::string values = this->hasValues()
                               ? "uniform sampler2D rayValues;\n"
                               : "uniform float rayIsovalues[" + std::to_string(LargestColourCount) + "];\n";
  const std::string isovalue = "float surfaceValue = rayIsovalues[rayHit.w];\n  ";
  const std::string vector = components == 1 ? "float" : "vec" + std::to_string(components);
  const std::string value = vector + " surfaceValue = texelFetch(rayValues, rayTexel, 0)." +
                            std::string("xyzw").substr(0, components) + ";\n  ";
  vtkShaderProgram::Substitute(fragment, "//VTK::PositionVC::Dec",
    "uniform usampler2D rayHits; // vmc::RayHit: t, depth, packed normal, number of the isovalue\n"
    "uniform vec4 rayViewport; // origin, and one by its size, in pixels\n"
    "uniform vec2 rayTexels; // size of rayHits\n"
    "uniform mat4 rayClipToView;\n"
    "uniform mat3 rayNormalToView;\n" +
      (colours.empty() ? "" : values));
  vtkShaderProgram::Substitute(fragment, "//VTK::PositionVC::Impl",
    "vec2 rayPlace = (gl_FragCoord.xy - rayViewport.xy) * rayViewport.zw;\n"
    "  ivec2 rayTexel = ivec2(rayPlace * rayTexels);\n"
    "  uvec4 rayHit = texelFetch(rayHits, rayTexel, 0);\n"
    "  float rayDepth = uintBitsToFloat(rayHit.y);\n"
    "  vec4 vertexVC = rayClipToView * vec4(2.0 * vec3(rayPlace, rayDepth) - 1.0, 1.0);\n"
    "  vertexVC /= vertexVC.w;\n");
  const std::string noHit = std::to_string(Picture::NoHit) + "u";
  vtkShaderProgram::Substitute(fragment, "//VTK::Depth::Impl",
    "if (rayHit.w == " + noHit +
      ") { discard; }\n"
      "  gl_FragDepth = rayDepth;\n" +
      (colours.empty() ? "" : "  " + (this->hasValues() ? value : isovalue) + colours));
  vtkShaderProgram::Substitute(fragment, "//VTK::Normal::Impl",
    "vec2 rayOnOctahedron = max(vec2(ivec2(int(rayHit.z << 16u) >> 16, int(rayHit.z) >> 16)) / 32767.0, -1.0);\n"
    "  vec3 rayNormal = vec3(rayOnOctahedron, 1.0 - abs(rayOnOctahedron.x) - abs(rayOnOctahedron.y));\n"
    "  vec2 raySigns = vec2(rayNormal.x < 0.0 ? -1.0 : 1.0, rayNormal.y < 0.0 ? -1.0 : 1.0);\n"
    "  if (rayNormal.z < 0.0) { rayNormal.xy = (1.0 - abs(rayNormal.yx)) * raySigns; }\n"
    "  vec3 normalVCVSOutput = normalize(rayNormalToView * rayNormal);\n"
    "  vec3 rayToEye = cameraParallel != 0 ? vec3(0.0, 0.0, 1.0) : -vertexVC.xyz;\n"
    "  if (dot(normalVCVSOutput, rayToEye) < 0.0) { normalVCVSOutput = -normalVCVSOutput; }\n");
}

void RayImposter::setParameters(vtkShaderProgram* program, vtkRenderer* renderer, vtkActor* actor) const
{
  const std::array<int, 4> viewport = viewportOf(renderer);
  const float placement[] = { float(viewport[0]), float(viewport[1]), 1 / float(viewport[2]), 1 / float(viewport[3]) };
  const float texels[] = { float(this->Attached->width), float(this->Attached->height) };
  program->SetUniformi("rayHits", this->Hits.texture()->GetTextureUnit());
  if (program->IsUniformUsed("rayValues"))
    program->SetUniformi("rayValues", this->Values.texture()->GetTextureUnit());
  program->SetUniform4f("rayViewport", placement);
  program->SetUniform2f("rayTexels", texels);
  const KeyMatrices matrices(renderer);
  vtkNew<vtkMatrix4x4> clipToView;
  vtkMatrix4x4::Invert(matrices.viewToClip, clipToView);
  program->SetUniformMatrix("rayClipToView", clipToView);
  // The inverse transpose, transposed.
  const vtkNew<vtkMatrix4x4> toView = fromActor(actor, matrices.worldToView);
  vtkNew<vtkMatrix3x3> normals;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      normals->SetElement(i, j, toView->GetElement(i, j));
  normals->Invert();
  program->SetUniformMatrix("rayNormalToView", normals);
  const std::vector<double>& isovalues = this->Attached->isovalues;
  if (isovalues.empty() || !program->IsUniformUsed("rayIsovalues"))
    return;
  std::vector<float> values;
  values.reserve(isovalues.size());
  for (const double isovalue : isovalues)
    values.push_back(static_cast<float>(isovalue - isovalues.front()));
  program->SetUniform1fv("rayIsovalues", int(values.size()), values.data());
}

}
