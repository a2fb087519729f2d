// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "vtkVulkanIsosurfaceMapper.h"

#include "SurfaceBuffer.h"

#include "vtkVulkanIsosurfaceBuffers.h"

#include "vtkActor.h"
#include "vtkAlgorithmOutput.h"
#include "vtkCellArray.h"
#include "vtkCellData.h"
#include "vtkCommand.h"
#include "vtkFloatArray.h"
#include "vtkImageData.h"
#include "vtkInformation.h"
#include "vtkLookupTable.h"
#include "vtkMath.h"
#include "vtkMatrix4x4.h"
#include "vtkNew.h"
#include "vtkObjectFactory.h"
#include "vtkOpenGLCellToVTKCellMap.h"
#include "vtkOpenGLIndexBufferObject.h"
#include "vtkOpenGLTexture.h"
#include "vtkPointData.h"
#include "vtkPolyData.h"
#include "vtkProperty.h"
#include "vtkRenderWindow.h"
#include "vtkRenderer.h"
#include "vtkScalarsToColors.h"
#include "vtkShader.h"
#include "vtkShaderProgram.h"
#include "vtkStreamingDemandDrivenPipeline.h"
#include "vtkTransform.h"
#include "vtkTrivialProducer.h"
#include "vtkVersionMacros.h"
#include "vtkWeakPointer.h"
#if __has_include("vtk_glew.h") // VTK 9.4 replaced GLEW by glad
#include "vtk_glew.h"
#else
#include "vtk_glad.h"
#endif

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

using namespace vmc::rendering;

vtkStandardNewMacro(vtkVulkanIsosurfaceMapper);

namespace
{

// A way of drawing is passed to the filter as the memory of its surface.
static_assert(int(vtkVulkanIsosurfaceMapper::DEVICE_MEMORY) == int(vtkVulkanIsosurfaceBuffers::DEVICE_MEMORY) &&
              int(vtkVulkanIsosurfaceMapper::HOST_MEMORY) == int(vtkVulkanIsosurfaceBuffers::HOST_MEMORY) &&
              int(vtkVulkanIsosurfaceMapper::POLY_DATA) == int(vtkVulkanIsosurfaceBuffers::POLY_DATA));

// The number of ids in a draw call is an int.
constexpr std::uint64_t LargestTriangleCount = std::numeric_limits<int>::max() / 3;

constexpr double LargestColouredIsovalue = 1e30; // shaders compute in float

double largestIsovalueOf(vtkVulkanMarchingCubes* contour)
{
  double largest = 0;
  for (vtkIdType i = 0; i < contour->GetNumberOfContours(); ++i)
    largest = std::max(largest, std::abs(contour->GetValue(static_cast<int>(i))));
  return largest;
}

// The name in VTK's shaders of the coordinate in the texture of colours.
#if VTK_VERSION_NUMBER >= VTK_VERSION_CHECK(9, 3, 0)
constexpr const char* ColourCoordinate = "colorTCoord";
#else
constexpr const char* ColourCoordinate = "tcoord";
#endif

}

class vtkVulkanIsosurfaceMapper::Internals
{
public:
  using Surface = vtkVulkanIsosurfaceBuffers::Surface;

  bool HasOutput() const // as polydata
  {
    vtkPolyData* const output = this->Contour->GetOutput(); // null for composite data
    return output && output->GetNumberOfPoints() != 0;
  }

  // As importObstacle, asked once per context: OpenGL lists some hundred extensions.
  const std::string& ImportObstacle(const vtkVulkanIsosurfaceBuffers::Identity& device)
  {
    if (!this->Obstacle || !(this->ObstacleDevice == device))
      this->Obstacle = importObstacle(device);
    this->ObstacleDevice = device;
    return *this->Obstacle;
  }

  // Points the buffers of OpenGL to the arrays of the surface. ids: the superclass's buffer of point ids. Returns false
  // if OpenGL cannot import them or has not enough memory.
  bool Attach(const std::shared_ptr<Surface>& surface, vtkOpenGLIndexBufferObject* ids)
  {
    if (this->Attached == surface)
      return true;
    this->ReleaseAttached();
    if (!this->Positions->Attach(*surface, surface->positions) || !this->Normals->Attach(*surface, surface->normals) ||
        !this->Values->Attach(*surface, surface->values) ||
        !this->Triangles.attach(ids, vtkOpenGLBufferObject::ElementArrayBuffer, *surface, surface->triangles))
      return false;
    this->Attached = surface;
    return true;
  }

  // Marks the end of the commands that read the buffers. Waiting for the mark takes less time than glFinish.
  void MarkDrawing()
  {
    if (this->Drawn)
      glDeleteSync(this->Drawn);
    this->Drawn = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
  }

  // Waits until OpenGL has read the buffers, then releases the surface: the next one may get its memory. The context of
  // the drawing must be current.
  void ReleaseAttached()
  {
    if (this->Drawn)
    {
      if (glClientWaitSync(this->Drawn, GL_SYNC_FLUSH_COMMANDS_BIT, 0) != GL_ALREADY_SIGNALED)
        glFinish();
      glDeleteSync(this->Drawn);
      this->Drawn = nullptr;
    }
    this->Attached.reset();
  }

  // As the filter begins to extract: the next surface gets the memory of the last one. Between frames, the context may
  // not be current.
  void OnStart()
  {
    if (!this->IsInFrame)
      return;
    this->ReleaseAttached();
    this->Current.reset();
  }

  vtkNew<vtkVulkanIsosurfaceBuffers> Contour;
  // The superclass's input: the output of the filter. A connection to the filter itself would be a loop of references
  // that VTK's garbage collector has to break.
  vtkNew<vtkTrivialProducer> Output;
  std::shared_ptr<Surface> Current; // of the filter; null: none, or in its output

  // Objects of OpenGL, in the context of the window.
  vtkWeakPointer<vtkWindow> Window;
  SurfaceVertexBufferGroup* Group = nullptr; // owned by the superclass as VBOs
  vtkNew<SurfaceVertexBuffer> Positions, Normals, Values;
  SurfaceMemory Triangles;             // behind the superclass's index buffer
  std::shared_ptr<Surface> Attached;   // the surface in the buffers; null: none
  GLsync Drawn = nullptr;              // null: no command reads the buffers
  std::optional<std::string> Obstacle; // to imports in this context
  vtkVulkanIsosurfaceBuffers::Identity ObstacleDevice;
  std::uint64_t FailedTriangles = 0; // of a surface whose import has failed; 0: none

  bool IsInFrame = false;
  bool IsFlat = false; // the actor's shading: normals are not used
  vtkIdType Points = 0, TriangleCount = 0;
  std::string Reason; // why the surface is not drawn from device memory
  std::string DrawnByText;
  std::array<std::uint32_t, 2> Layout{}; // components of the normals and values of the last surface
};

vtkVulkanIsosurfaceMapper::vtkVulkanIsosurfaceMapper()
  : Impl(std::make_unique<Internals>())
{
  this->Impl->Output->SetOutput(vtkNew<vtkPolyData>());
  this->Superclass::SetInputConnection(0, this->Impl->Output->GetOutputPort());
  this->Impl->Group = SurfaceVertexBufferGroup::New();
  this->VBOs->Delete();
  this->VBOs = this->Impl->Group;
  this->Impl->Contour->AddObserver(vtkCommand::StartEvent, this, &vtkVulkanIsosurfaceMapper::OnStart);
  this->InterpolateScalarsBeforeMapping = 1; // colours from a texture; see the class's description
  this->ColorMode = VTK_COLOR_MODE_MAP_SCALARS;
}

void vtkVulkanIsosurfaceMapper::OnStart()
{
  this->Impl->OnStart();
}

// The superclass's destructor would not release what this class has added.
vtkVulkanIsosurfaceMapper::~vtkVulkanIsosurfaceMapper()
{
  this->ReleaseGraphicsResources(nullptr);
}

void vtkVulkanIsosurfaceMapper::SetInputData(vtkImageData* image)
{
  this->Impl->Contour->SetInputData(image);
}

void vtkVulkanIsosurfaceMapper::SetInputConnection(vtkAlgorithmOutput* image)
{
  this->Impl->Contour->SetInputConnection(image);
}

void vtkVulkanIsosurfaceMapper::SetInputConnection(int port, vtkAlgorithmOutput* image)
{
  this->Impl->Contour->SetInputConnection(port, image);
}

vtkImageData* vtkVulkanIsosurfaceMapper::GetImage()
{
  return vtkImageData::SafeDownCast(this->Impl->Contour->GetInputDataObject(0, 0));
}

vtkVulkanMarchingCubes* vtkVulkanIsosurfaceMapper::GetContour()
{
  return this->Impl->Contour;
}

const char* vtkVulkanIsosurfaceMapper::GetDrawnByText()
{
  const char* const ways[] = { "nothing", "OpenGL from device memory", "OpenGL from host memory", "vtkPolyDataMapper" };
  std::string& text = this->Impl->DrawnByText;
  text = ways[this->DrawnBy];
  if (this->DrawnBy != DEVICE_MEMORY && !this->Impl->Reason.empty())
    text += ": " + this->Impl->Reason;
  return text.c_str();
}

vtkIdType vtkVulkanIsosurfaceMapper::GetNumberOfPoints() const
{
  return this->Impl->Points;
}

vtkIdType vtkVulkanIsosurfaceMapper::GetNumberOfTriangles() const
{
  return this->Impl->TriangleCount;
}

void vtkVulkanIsosurfaceMapper::ReleaseSurface()
{
  this->ReleaseGraphicsResources(nullptr);
  this->Impl->Current.reset();
  this->Impl->Contour->ReleaseSurface();
  this->SetNotDrawn("The surface was released.");
}

void vtkVulkanIsosurfaceMapper::RequestPiece()
{
  using Pipeline = vtkStreamingDemandDrivenPipeline;
  vtkVulkanIsosurfaceBuffers* const contour = this->Impl->Contour;
  contour->UpdateInformation();
  vtkInformation* const info = contour->GetOutputInformation(0);
  info->Set(Pipeline::UPDATE_PIECE_NUMBER(), this->NumberOfSubPieces * this->Piece);
  info->Set(Pipeline::UPDATE_NUMBER_OF_PIECES(), this->NumberOfSubPieces * this->NumberOfPieces);
  info->Set(Pipeline::UPDATE_NUMBER_OF_GHOST_LEVELS(), this->GhostLevel);
}

bool vtkVulkanIsosurfaceMapper::HasImage()
{
  vtkVulkanIsosurfaceBuffers* const contour = this->Impl->Contour;
  if (contour->GetNumberOfInputConnections(0) == 0)
    return false;
  contour->GetInputAlgorithm()->UpdateDataObject();
  return this->GetImage() != nullptr;
}

// With the ghost cells that the extraction needs.
void vtkVulkanIsosurfaceMapper::UpdateImage()
{
  vtkVulkanIsosurfaceBuffers* const contour = this->Impl->Contour;
  if (this->Static || !this->HasImage())
    return;
  this->RequestPiece();
  vtkStreamingDemandDrivenPipeline::SafeDownCast(contour->GetExecutive())->PropagateUpdateExtent(0);
  vtkAlgorithmOutput* const image = contour->GetInputConnection(0, 0);
  image->GetProducer()->Update(image->GetIndex());
}

double* vtkVulkanIsosurfaceMapper::GetBounds()
{
  this->UpdateImage();
  if (vtkImageData* image = this->GetImage())
    image->GetBounds(this->Bounds);
  else
    vtkMath::UninitializeBounds(this->Bounds);
  return this->Bounds;
}

// VTK asks the lookup table whether it is opaque for the scalars. They are on the device, so all colours of the table
// count.
bool vtkVulkanIsosurfaceMapper::HasTranslucentPolygonalGeometry()
{
  if (!this->ScalarVisibility || !this->LookupTable)
    return false;
  this->LookupTable->Build();
  return !this->LookupTable->IsOpaque();
}

bool vtkVulkanIsosurfaceMapper::GetSupportsSelection()
{
  return this->DrawnBy == POLY_DATA;
}

bool vtkVulkanIsosurfaceMapper::IsColouredByArray() const
{
  return this->ScalarVisibility && this->ScalarMode == VTK_SCALAR_MODE_USE_POINT_FIELD_DATA &&
         this->ArrayAccessMode == VTK_GET_ARRAY_BY_NAME;
}

std::string vtkVulkanIsosurfaceMapper::ObstacleToBuffers(vtkActor* actor)
{
  vtkProperty* property = actor->GetProperty();
  if (property->GetRepresentation() != VTK_SURFACE)
    return "Points and wireframes are drawn from vtkPolyData.";
  if (property->GetEdgeVisibility() && property->GetVertexVisibility())
    return "Vertices are drawn from vtkPolyData.";
  if (!this->ScalarVisibility)
    return {};
  const std::string name = this->IsColouredByArray() ? this->ArrayName : "";
  const bool isOfPoints = this->IsColouredByArray() || this->ScalarMode == VTK_SCALAR_MODE_DEFAULT ||
                          this->ScalarMode == VTK_SCALAR_MODE_USE_POINT_DATA;
  if (!isOfPoints || name == "Normals" || name == "Gradients")
    return "Colours of computed arrays are drawn from vtkPolyData.";
  if (!this->InterpolateScalarsBeforeMapping || this->ColorMode == VTK_COLOR_MODE_DIRECT_SCALARS ||
      (this->LookupTable && this->LookupTable->GetIndexedLookup()))
    return "Colours that are mapped before the interpolation are drawn from vtkPolyData.";
  vtkImageData* image = this->GetImage();
  vtkDataArray* array = nullptr;
  if (image && !name.empty())
    for (vtkDataSetAttributes* data : { static_cast<vtkDataSetAttributes*>(image->GetCellData()),
           static_cast<vtkDataSetAttributes*>(image->GetPointData()) })
      array = array ? array : data->GetArray(name.c_str());
  if (array && array->GetNumberOfComponents() > 4)
    return "Colours of arrays of more than four components are drawn from vtkPolyData.";
  // The scalars of the filter have the type of the contoured array.
  vtkDataArray* const contoured = this->Impl->Contour->GetContouredArray();
  const bool isOfIsovalues = name.empty() || (contoured && contoured->GetName() && name == contoured->GetName());
  if (isOfIsovalues && this->ColorMode == VTK_COLOR_MODE_DEFAULT && contoured &&
      contoured->GetDataType() == VTK_UNSIGNED_CHAR)
    return "In the colour mode Default, VTK uses values of unsigned char as colours.";
  if (isOfIsovalues && largestIsovalueOf(this->Impl->Contour) > LargestColouredIsovalue)
    return "Colours of isovalues beyond the range of float are drawn from vtkPolyData.";
  return {};
}

vtkVulkanIsosurfaceMapper::DrawingPath vtkVulkanIsosurfaceMapper::ChoosePath(vtkActor* actor, std::string& reason)
{
  reason = this->ObstacleToBuffers(actor);
  if (!reason.empty())
    return POLY_DATA;
  if (this->FirstPath != DEVICE_MEMORY)
  {
    reason = "FirstPath is not DEVICE_MEMORY.";
    return static_cast<DrawingPath>(this->FirstPath);
  }
  Internals& on = *this->Impl;
  if (on.Current && on.Current->triangleCount < on.FailedTriangles / 4 * 3)
    on.FailedTriangles = 0; // a much smaller surface may have better luck
  if (const auto device = on.Contour->GetExportingDevice(reason))
    reason = on.FailedTriangles != 0 ? "OpenGL could not import the memory." : on.ImportObstacle(*device);
  return reason.empty() ? DEVICE_MEMORY : HOST_MEMORY;
}

void vtkVulkanIsosurfaceMapper::UpdateSurface(vtkActor* actor)
{
  Internals& on = *this->Impl;
  vtkVulkanIsosurfaceBuffers* const contour = on.Contour;
  // Host memory is released after its upload, so the surface may have to be extracted again even if nothing has
  // changed.
  const bool isLost = on.Current && on.Current != on.Attached && on.Current->HasReleasedHostMemory();
  if (isLost)
    contour->Modified();
  if (!this->Static || isLost || !on.Current)
  {
    std::optional<std::string> values;
    if (this->ScalarVisibility)
      values = this->IsColouredByArray() ? this->ArrayName : "";
    contour->SetMemory(this->ChoosePath(actor, on.Reason));
    contour->SetPointValues(values);
    this->RequestPiece();
    on.IsInFrame = true;
    contour->Update();
    on.IsInFrame = false;
  }
  on.Current = contour->GetSurface();
  if (contour->GetOutput() != on.Output->GetOutputDataObject(0))
    on.Output->SetOutput(contour->GetOutput());
  const std::array<std::uint32_t, 2> layout =
    on.Current ? std::array<std::uint32_t, 2>{ on.Current->normals.components, on.Current->values.components }
               : std::array<std::uint32_t, 2>{};
  if (std::exchange(on.Layout, layout) != layout)
    this->Modified(); // needs other shaders
  if (!contour->GetObstacle().empty())
    on.Reason = contour->GetObstacle();
}

void vtkVulkanIsosurfaceMapper::SetNotDrawn(const std::string& reason)
{
  this->DrawnBy = NOT_DRAWN;
  this->Impl->Reason = reason;
  this->Impl->Points = this->Impl->TriangleCount = 0;
}

void vtkVulkanIsosurfaceMapper::RenderPiece(vtkRenderer* renderer, vtkActor* actor)
{
  vtkRenderWindow* const window = renderer->GetRenderWindow();
  if (window->CheckAbortStatus())
    return;
  if (this->Impl->Window && this->Impl->Window != window) // its frames may still read the buffers
  {
    this->ReleaseGraphicsResources(this->Impl->Window);
    window->MakeCurrent(); // some windows do not restore the current context
  }
  this->Impl->Window = window;
  if (!this->HasImage())
  {
    this->SetNotDrawn("There is no image.");
    return;
  }
  const std::uint64_t failedBefore = this->Impl->FailedTriangles;
  this->DrawSurface(renderer, actor);
  if (failedBefore == 0 && this->Impl->FailedTriangles != 0) // the import has failed
    this->DrawSurface(renderer, actor);
}

void vtkVulkanIsosurfaceMapper::DrawSurface(vtkRenderer* renderer, vtkActor* actor)
{
  Internals& on = *this->Impl;
  this->UpdateSurface(actor);
  const std::string obstacle = on.Current ? this->ObstacleToBuffers(actor) : "";
  if (!obstacle.empty()) // a static mapper, whose surface is not vtkPolyData
    this->SetNotDrawn(obstacle);
  else if (!on.Current && !on.HasOutput())
  {
    this->ReleaseBuffers();
    this->SetNotDrawn(on.Contour->GetNumberOfContours() == 0 ? "There are no isovalues." : "There is no surface.");
  }
  else if (on.Current && renderer->GetSelector())
    return; // the ids of points and cells are not known to the host
  else
    this->Superclass::RenderPiece(renderer, actor);
  if (this->DrawnBy == DEVICE_MEMORY)
    on.MarkDrawing();
}

void vtkVulkanIsosurfaceMapper::BuildBufferObjects(vtkRenderer* renderer, vtkActor* actor)
{
  this->Impl->IsFlat = actor->GetProperty()->GetInterpolation() == VTK_FLAT;
  if (this->Impl->Current)
    this->BuildFromSurface();
  else
  {
    this->BuildFromOutput();
    this->Superclass::BuildBufferObjects(renderer, actor);
  }
}

// Prepares the superclass for the output of the filter: nothing of a surface in buffers stays.
void vtkVulkanIsosurfaceMapper::BuildFromOutput()
{
  if (this->DrawnBy != POLY_DATA)
  {
    this->VBOs->ClearAllVBOs();
    this->ReleaseBuffers();
    this->IBOBuildState.Clear();
  }
  this->Impl->Points = this->CurrentInput->GetNumberOfPoints();
  this->Impl->TriangleCount = this->CurrentInput->GetNumberOfPolys();
  this->DrawnBy = POLY_DATA;
}

// Does what the superclass does with polydata.
void vtkVulkanIsosurfaceMapper::BuildFromSurface()
{
  vtkPolyData* const poly = this->CurrentInput; // has arrays, but no tuples
  this->VBOs->ClearAllVBOs();
  this->HaveCellScalars = this->HaveCellNormals = false;
  this->EdgeValues.clear();
  for (vtkOpenGLHelper& primitive : this->Primitives)
    primitive.IBO->IndexCount = 0;
  this->CellCellMap->SetStartOffset(0);
  vtkCellArray* primitives[] = { poly->GetVerts(), poly->GetLines(), poly->GetPolys(), poly->GetStrips() };
  this->CellCellMap->BuildPrimitiveOffsetsIfNeeded(primitives, VTK_SURFACE, poly->GetPoints());
  this->UpdateColourTexture();
  this->DrawnBy = NOT_DRAWN;
  Internals& on = *this->Impl;
  const std::uint64_t triangles = on.Current->triangleCount;
  if (triangles > LargestTriangleCount)
    vtkErrorMacro("The surface has " << triangles << " triangles; OpenGL draws at most " << LargestTriangleCount
                                     << " in one call.");
  else if (on.Attach(on.Current, this->Primitives[PrimitiveTris].IBO))
    this->UseAttached();
  else if (on.Current->memory == vtkVulkanIsosurfaceBuffers::DEVICE_MEMORY)
    on.FailedTriangles = std::max<std::uint64_t>(triangles, 1);
  else
    vtkErrorMacro("OpenGL has not enough memory to draw " << triangles << " triangles.");
  this->VBOBuildTime.Modified();
}

// Maps no scalars, as the output has none: only makes the texture of the lookup table's colours.
void vtkVulkanIsosurfaceMapper::UpdateColourTexture()
{
  this->MapScalars(1.0);
  if (this->Impl->Current->values.components == 0)
  {
    if (this->ColorCoordinates)
      this->ColorCoordinates->UnRegister(this);
    if (this->ColorTextureMap)
      this->ColorTextureMap->UnRegister(this);
    this->ColorCoordinates = nullptr;
    this->ColorTextureMap = nullptr;
  }
  if (!this->ColorTextureMap)
    return;
  if (!this->InternalColorTexture)
  {
    this->InternalColorTexture = vtkOpenGLTexture::New();
    this->InternalColorTexture->RepeatOff();
  }
  this->InternalColorTexture->SetInputData(this->ColorTextureMap);
}

// Sets what the superclass draws.
void vtkVulkanIsosurfaceMapper::UseAttached()
{
  Internals& on = *this->Impl;
  Internals::Surface& surface = *on.Attached;
  if (!this->Static)
    surface.ReleaseHostMemory();
  on.Group->Add("vertexMC", on.Positions);
  if (surface.normals.components != 0 && !on.IsFlat)
    on.Group->Add("normalMC", on.Normals);
  if (surface.values.components != 0)
    on.Group->Add("surfaceValue", on.Values);
  on.Positions->SetShift(surface.origin[0], surface.origin[1], surface.origin[2]);
  on.Positions->SetScale(1, 1, 1);
  this->VBOInverseTransform->Identity();
  this->VBOInverseTransform->Translate(surface.origin.data());
  this->VBOInverseTransform->GetTranspose(this->VBOShiftScale);
  this->Primitives[PrimitiveTris].IBO->IndexCount = 3 * surface.triangleCount;
  on.Points = static_cast<vtkIdType>(surface.pointCount);
  on.TriangleCount = static_cast<vtkIdType>(surface.triangleCount);
  this->DrawnBy = surface.memory;
}

void vtkVulkanIsosurfaceMapper::ReleaseBuffers()
{
  Internals& on = *this->Impl;
  on.ReleaseAttached();
  for (SurfaceVertexBuffer* buffer : { on.Positions.Get(), on.Normals.Get(), on.Values.Get() })
    buffer->Release();
  on.Triangles.release(this->Primitives[PrimitiveTris].IBO);
}

void vtkVulkanIsosurfaceMapper::ReleaseGraphicsResources(vtkWindow* window)
{
  // Without a current context, the superclass calls this method again with one.
  this->Superclass::ReleaseGraphicsResources(window);
  this->ReleaseBuffers();
  this->Impl->Obstacle.reset();
  this->Impl->FailedTriangles = 0;
}

void vtkVulkanIsosurfaceMapper::UpdateCameraShiftScale(vtkRenderer* renderer, vtkActor* actor)
{
  if (!this->Impl->Current)
    this->Superclass::UpdateCameraShiftScale(renderer, actor);
}

std::string vtkVulkanIsosurfaceMapper::ValueInShader() const
{
  const int components = static_cast<int>(this->Impl->Current->values.components);
  const int component = this->LookupTable->GetVectorComponent();
  if (components == 1)
    return "surfaceValue";
  if (this->LookupTable->GetVectorMode() == vtkScalarsToColors::MAGNITUDE || component < 0 || component >= components)
    return "length(surfaceValue)";
  return std::string("surfaceValue.") + "xyzw"[component];
}

// The vertex shader computes the texture coordinate that vtkMapper computes on the host: the first coordinate from the
// value's place in the range of the lookup table, the second one tells NaN from numbers.
void vtkVulkanIsosurfaceMapper::ReplaceShaderTCoord(
  std::map<vtkShader::Type, vtkShader*> shaders, vtkRenderer* renderer, vtkActor* actor)
{
  this->Superclass::ReplaceShaderTCoord(shaders, renderer, actor);
  if (!this->Impl->Current || !this->ColorTextureMap)
    return;
  const auto replace = [&](vtkShader::Type type, const std::string& marker, const std::string& text)
  {
    std::string source = shaders[type]->GetSource();
    vtkShaderProgram::Substitute(source, marker, text);
    shaders[type]->SetSource(source);
  };
  const std::uint32_t components = this->Impl->Current->values.components;
  const std::string type = components == 1 ? "float" : "vec" + std::to_string(components);
  const std::string coordinate = ColourCoordinate;
  replace(vtkShader::Vertex, "//VTK::TCoord::Dec",
    "in " + type +
      " surfaceValue;\n"
      "uniform vec3 surfaceValueRange; // smallest value as a sum of two floats; 1 / width\n"
      "uniform vec2 surfaceValueLog; // origin of the values, the value in place of a missing logarithm\n"
      "out vec2 " +
      coordinate + "VCVSOutput;\n");
  const std::string sign = this->LookupTable->GetRange()[0] < 0 ? "-" : "";
  const std::string logarithm = "value += surfaceValueLog.x;\n"
                                "value = " +
                                sign + "value > 0.0 ? " + sign + "log(" + sign +
                                "value) / log(10.0) : surfaceValueLog.y;\n";
  replace(vtkShader::Vertex, "//VTK::TCoord::Impl",
    "float value = " + this->ValueInShader() + ";\n" + (this->LookupTable->UsingLogScale() ? logarithm : "") +
      "float place = ((value - surfaceValueRange.x) - surfaceValueRange.y) * surfaceValueRange.z;\n" + coordinate +
      "VCVSOutput = isnan(value) ? vec2(0.5, 1.0) : vec2(clamp(place, -1000.0, 1000.0), 0.49);\n");
  replace(vtkShader::Geometry, "//VTK::TCoord::Dec",
    "in vec2 " + coordinate + "VCVSOutput[];\nout vec2 " + coordinate + "VCGSOutput;\n");
  replace(vtkShader::Geometry, "//VTK::TCoord::Impl", coordinate + "VCGSOutput = " + coordinate + "VCVSOutput[i];\n");
  replace(vtkShader::Fragment, "//VTK::TCoord::Dec", "in vec2 " + coordinate + "VCVSOutput;\n");
}

void vtkVulkanIsosurfaceMapper::SetMapperShaderParameters(
  vtkOpenGLHelper& cellBO, vtkRenderer* renderer, vtkActor* actor)
{
  this->Superclass::SetMapperShaderParameters(cellBO, renderer, actor);
  if (!this->Impl->Current || !this->ColorTextureMap || !cellBO.Program->IsUniformUsed("surfaceValueRange"))
    return;
  const double* const tableRange = this->LookupTable->GetRange();
  std::array<double, 2> range{ tableRange[0], tableRange[1] };
  const bool isLogarithmic = this->LookupTable->UsingLogScale() != 0;
  if (isLogarithmic)
    vtkLookupTable::GetLogRange(tableRange, range.data());
  // The first and the last texel are the colours below and above the range.
  const double texel = (range[1] - range[0]) / double(this->LookupTable->GetNumberOfAvailableColors());
  const double origin = this->Impl->Current->valueOrigin;
  const double low = range[0] - texel - (isLogarithmic ? 0 : origin), width = range[1] - range[0] + 2 * texel;
  const auto high = static_cast<float>(low);
  const float placement[] = { high, static_cast<float>(low - high), static_cast<float>(1 / width) };
  cellBO.Program->SetUniform3f("surfaceValueRange", placement);
  const bool isLowest = tableRange[0] < 0 ? tableRange[0] > tableRange[1] : tableRange[0] <= tableRange[1];
  const float logarithm[] = { static_cast<float>(origin), static_cast<float>(range[isLowest ? 0 : 1]) };
  if (isLogarithmic)
    cellBO.Program->SetUniform2f("surfaceValueLog", logarithm);
}

// The settings of the filter cannot be copied.
void vtkVulkanIsosurfaceMapper::ShallowCopy(vtkAbstractMapper*)
{
  vtkErrorMacro("A vtkVulkanIsosurfaceMapper cannot become a copy of a mapper.");
}

void vtkVulkanIsosurfaceMapper::PrintSelf(ostream& os, vtkIndent indent)
{
  this->Superclass::PrintSelf(os, indent);
  os << indent << "Drawn By: " << this->GetDrawnByText() << "\n";
  os << indent << "First Path: " << this->FirstPath << "\n";
  os << indent << "Contour:\n";
  this->Impl->Contour->PrintSelf(os, indent.GetNextIndent());
}
