// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "vtkVulkanIsosurfaceMapper.h"

#include "RayImposter.h"
#include "ReadMark.h"
#include "SurfaceBuffer.h"

#include "vtkVulkanIsosurfaceBuffers.h"

#include "vtkActor.h"
#include "vtkAlgorithmOutput.h"
#include "vtkCellArray.h"
#include "vtkCellData.h"
#include "vtkCommand.h"
#include "vtkDoubleArray.h"
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
#include "vtkStringArray.h"
#include "vtkTransform.h"
#include "vtkTrivialProducer.h"
#include "vtkVersionMacros.h"
#include "vtkWeakPointer.h"

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
  using Picture = vtkVulkanIsosurfaceBuffers::Picture;

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
    const std::uint64_t points = surface->pointCount;
    if (!this->Positions->Attach(*surface, surface->positions, points) ||
        !this->Normals->Attach(*surface, surface->normals, points) ||
        !this->Values->Attach(*surface, surface->values, points) ||
        !this->Triangles.attach(ids, vtkOpenGLBufferObject::ElementArrayBuffer, *surface, surface->triangles))
      return false;
    this->Attached = surface;
    return true;
  }

  // Waits until OpenGL has read the buffers, then releases the surface: the next one may get its memory. The context of
  // the drawing must be current.
  void ReleaseAttached()
  {
    this->Drawn.wait();
    this->Attached.reset();
  }

  // As the filter begins to extract: the next surface or picture gets the memory of the last one. The surface stays if
  // it may be drawn again after rays. Between frames, the context may not be current.
  void OnStart()
  {
    if (!this->IsInFrame)
      return;
    this->Imposter.releasePicture();
    this->CurrentPicture.reset();
    if (this->KeepsSurface)
      return;
    this->ReleaseAttached();
    this->Current.reset();
  }

  // Of a moving frame: pixels of the viewport per pixel of the picture, along each side. The rays of such a frame
  // should take less than MovingMilliseconds.
  int Reduction(double pixels) const
  {
    constexpr double MovingMilliseconds = 50;
    constexpr int Most = 4;
    for (int reduction = 1; reduction < Most && this->MillisecondsPerPixel; reduction *= 2)
      if (*this->MillisecondsPerPixel * pixels / (reduction * reduction) <= MovingMilliseconds)
        return reduction;
    return Most;
  }

  // Of the rays of the last execution, without what does not depend on their number.
  double CastMilliseconds() const
  {
    vtkStringArray* const names = this->Contour->GetStageNames();
    const vtkIdType stage = names->LookupValue("CastRays");
    return stage < 0 ? 0 : this->Contour->GetStageTimes()->GetValue(stage);
  }

  vtkNew<vtkVulkanIsosurfaceBuffers> Contour;
  // The superclass's input: the output of the filter. A connection to the filter itself would be a loop of references
  // that VTK's garbage collector has to break.
  vtkNew<vtkTrivialProducer> Output;
  std::shared_ptr<Surface> Current;           // of the filter; null: none, or in its output
  vtkMTimeType CurrentTime = 0;               // GetContentTime() of the surface
  bool KeepsSurface = false;                  // in the next execution of the filter
  std::shared_ptr<Picture> CurrentPicture;    // of the filter, in place of the surface; null: none
  std::optional<double> MillisecondsPerPixel; // of the last picture

  // Objects of OpenGL, in the context of the window.
  vtkWeakPointer<vtkWindow> Window;
  SurfaceVertexBufferGroup* Group = nullptr; // owned by the superclass as VBOs
  vtkNew<SurfaceVertexBuffer> Positions, Normals, Values;
  SurfaceMemory Triangles;           // behind the superclass's index buffer
  std::shared_ptr<Surface> Attached; // the surface in the buffers; null: none
  ReadMark Drawn;                    // of the buffers
  RayImposter Imposter;
  std::optional<std::string> Obstacle; // to imports in this context
  vtkVulkanIsosurfaceBuffers::Identity ObstacleDevice;
  std::uint64_t FailedTriangles = 0; // of a surface whose import has failed; 0: none

  bool IsInFrame = false;
  bool IsFlat = false; // the actor's shading: normals are not used
  vtkIdType Points = 0, TriangleCount = 0;
  std::string Reason; // why the surface is not drawn from device memory
  std::string DrawnByText;
  // Components of the normals and values of the last surface; whether it was a picture, and components of its array.
  std::array<std::uint32_t, 4> Layout{};
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
  const char* const ways[] = { "nothing", "OpenGL from device memory", "OpenGL from host memory", "vtkPolyDataMapper",
    "rays" };
  std::string& text = this->Impl->DrawnByText;
  text = ways[this->DrawnBy];
  if (!this->Impl->Reason.empty())
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
  this->Impl->CurrentPicture.reset();
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
    on.FailedTriangles = 0; // OpenGL may import a much smaller surface
  if (const auto device = on.Contour->GetExportingDevice(reason))
    reason = on.FailedTriangles != 0 ? "OpenGL could not import the memory." : on.ImportObstacle(*device);
  return reason.empty() ? DEVICE_MEMORY : HOST_MEMORY;
}

std::uint32_t vtkVulkanIsosurfaceMapper::GetValueComponents() const
{
  const Internals& on = *this->Impl;
  if (!on.CurrentPicture)
    return on.Current ? on.Current->values.components : 0;
  return on.CurrentPicture->isovalues.empty() ? on.CurrentPicture->values.components : 1;
}

std::string vtkVulkanIsosurfaceMapper::ObstacleToRays(vtkActor* actor)
{
  vtkProperty* const property = actor->GetProperty();
  if (this->Static)
    return "A static mapper draws triangles.";
  if (property->GetEdgeVisibility())
    return "Edges are drawn with triangles.";
  if (this->GetNumberOfClippingPlanes() != 0)
    return "Clipped surfaces are drawn with triangles.";
  if (property->GetFrontfaceCulling() || property->GetBackfaceCulling() || actor->GetBackfaceProperty())
    return "Surfaces whose sides differ are drawn with triangles.";
  if (property->GetInterpolation() == VTK_PBR && (property->GetCoatStrength() > 0 || property->GetAnisotropy() != 0))
    return "Coats and anisotropy are drawn with triangles.";
  if (this->ScalarVisibility &&
      this->Impl->Contour->GetNumberOfContours() > static_cast<vtkIdType>(RayImposter::LargestColourCount))
    return "Colours of more than " + std::to_string(RayImposter::LargestColourCount) +
           " isovalues are drawn with triangles.";
  return {};
}

vtkMTimeType vtkVulkanIsosurfaceMapper::GetContentTime()
{
  vtkImageData* const image = this->GetImage();
  const vtkMTimeType settings = this->Impl->Contour->GetSettingsTime();
  return image ? std::max({ settings, image->GetMTime(), image->GetUpdateTime() }) : settings;
}

void vtkVulkanIsosurfaceMapper::UpdateSurface(vtkRenderer* renderer, vtkActor* actor)
{
  Internals& on = *this->Impl;
  vtkVulkanIsosurfaceBuffers* const contour = on.Contour;
  // Host memory is released after its upload, so the surface may have to be extracted again even if nothing has
  // changed.
  const bool isLost = on.Current && on.Current != on.Attached && on.Current->HasReleasedHostMemory();
  if (isLost)
    contour->Modified();
  // A static mapper keeps its triangles. A picture of rays is that of one view only.
  if (!this->Static || isLost || !on.Current || on.CurrentPicture)
  {
    std::optional<std::string> values;
    if (this->ScalarVisibility)
      values = this->IsColouredByArray() ? this->ArrayName : "";
    const DrawingPath path = this->ChoosePath(actor, on.Reason);
    contour->SetMemory(path);
    contour->SetPointValues(values);
    const bool isMoving = renderer->GetRenderWindow()->GetDesiredUpdateRate() >= MovingRate;
    const bool wantsRays = this->SurfaceMode == ONLY_RAYS || (this->SurfaceMode == RAYS_WHILE_MOVING && isMoving);
    const std::string obstacle = path == POLY_DATA ? on.Reason : this->ObstacleToRays(actor);
    int use = wantsRays ? vtkVulkanIsosurfaceBuffers::RAYS : vtkVulkanIsosurfaceBuffers::RAYS_WITHOUT_MEMORY;
    if (!obstacle.empty())
      use = vtkVulkanIsosurfaceBuffers::NO_RAYS;
    if (wantsRays && !obstacle.empty())
      on.Reason = obstacle;
    const RayImposter::View whole = RayImposter::viewOf(renderer, actor, 1);
    const int reduction = isMoving ? on.Reduction(double(whole.width) * whole.height) : 1;
    contour->SetRays(use, reduction == 1 ? whole : RayImposter::viewOf(renderer, actor, reduction));
    on.KeepsSurface = use == vtkVulkanIsosurfaceBuffers::RAYS && this->SurfaceMode == RAYS_WHILE_MOVING &&
                      this->GetContentTime() == on.CurrentTime;
    this->UpdateMesh();
  }
  if (contour->GetOutput() != on.Output->GetOutputDataObject(0))
    on.Output->SetOutput(contour->GetOutput());
  std::array<std::uint32_t, 4> layout{};
  if (on.CurrentPicture)
    layout = { 0, this->GetValueComponents(), 1, on.CurrentPicture->values.components };
  else if (on.Current)
    layout = { on.Current->normals.components, this->GetValueComponents(), 0, 0 };
  if (std::exchange(on.Layout, layout) != layout)
    this->Modified(); // needs other shaders
  if (!contour->GetObstacle().empty())
    on.Reason = contour->GetObstacle();
}

// Updates the filter, unless its surface of before the last rays is still up to date.
void vtkVulkanIsosurfaceMapper::UpdateMesh()
{
  Internals& on = *this->Impl;
  vtkVulkanIsosurfaceBuffers* const contour = on.Contour;
  this->RequestPiece();
  if (on.Current && on.Current != contour->GetSurface() && !on.KeepsSurface)
  {
    this->UpdateImage();
    if (this->GetContentTime() == on.CurrentTime)
    {
      on.Imposter.releasePicture();
      on.CurrentPicture.reset();
      contour->ReleasePicture(*on.Current);
      return;
    }
  }
  on.IsInFrame = true;
  contour->Update();
  on.IsInFrame = false;
  const std::shared_ptr<Internals::Picture> picture = contour->GetPicture();
  if (picture && picture != on.CurrentPicture)
    on.MillisecondsPerPixel = on.CastMilliseconds() / std::max(1.0, double(picture->width) * picture->height);
  on.CurrentPicture = picture;
  if (picture && on.KeepsSurface)
    return;
  on.Current = contour->GetSurface();
  on.CurrentTime = this->GetContentTime();
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
  this->UpdateSurface(renderer, actor);
  const std::string obstacle = on.Current ? this->ObstacleToBuffers(actor) : "";
  if (!obstacle.empty()) // a static mapper, whose surface is not vtkPolyData
    this->SetNotDrawn(obstacle);
  else if (!on.Current && !on.CurrentPicture && !on.HasOutput())
  {
    this->ReleaseBuffers();
    this->SetNotDrawn(on.Contour->GetNumberOfContours() == 0 ? "There are no isovalues." : "There is no surface.");
  }
  else if ((on.Current || on.CurrentPicture) && renderer->GetSelector())
    return; // the ids of points and cells are not known to the host
  else if (on.CurrentPicture)
  {
    if (on.Imposter.attached() != on.CurrentPicture)
      this->VBOBuildState.Clear();
    if (!on.Imposter.attach(on.CurrentPicture, renderer))
    {
      const bool isImported = on.CurrentPicture->memory == vtkVulkanIsosurfaceBuffers::DEVICE_MEMORY;
      if (isImported)
        on.FailedTriangles = std::max<std::uint64_t>(on.FailedTriangles, 1); // copies through the host from now on
      else
        vtkErrorMacro("OpenGL has not enough memory for a picture of the viewport.");
      this->SetNotDrawn("OpenGL could not read the picture.");
      return;
    }
    on.Imposter.activate();
    this->Superclass::RenderPiece(renderer, actor);
    on.Imposter.deactivate();
  }
  else
    this->Superclass::RenderPiece(renderer, actor);
  if (this->DrawnBy == DEVICE_MEMORY)
    on.Drawn.set();
}

void vtkVulkanIsosurfaceMapper::BuildBufferObjects(vtkRenderer* renderer, vtkActor* actor)
{
  this->Impl->IsFlat = actor->GetProperty()->GetInterpolation() == VTK_FLAT;
  if (this->Impl->CurrentPicture)
  {
    this->BuildFromPicture();
    return;
  }
  if (this->SurfaceMode == TRIANGLES)
    this->Impl->Imposter.releaseGraphicsResources();
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
void vtkVulkanIsosurfaceMapper::BeginBuild()
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
}

void vtkVulkanIsosurfaceMapper::BuildFromPicture()
{
  this->BeginBuild();
  Internals& on = *this->Impl;
  if (!on.Current)
    this->ReleaseBuffers(); // of the last mesh
  // The index buffer of triangles may be that of a surface.
  on.Imposter.addTriangle(*on.Group, this->Primitives[PrimitiveTriStrips].IBO);
  this->VBOInverseTransform->Identity();
  this->VBOInverseTransform->GetTranspose(this->VBOShiftScale);
  on.Points = on.TriangleCount = 0;
  this->DrawnBy = RAYS;
  this->VBOBuildTime.Modified();
}

void vtkVulkanIsosurfaceMapper::BuildFromSurface()
{
  this->BeginBuild();
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
  if (this->GetValueComponents() == 0)
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
  this->Impl->Imposter.releaseGraphicsResources();
  this->Impl->Obstacle.reset();
  this->Impl->FailedTriangles = 0;
}

void vtkVulkanIsosurfaceMapper::UpdateCameraShiftScale(vtkRenderer* renderer, vtkActor* actor)
{
  if (!this->Impl->Current && !this->Impl->CurrentPicture)
    this->Superclass::UpdateCameraShiftScale(renderer, actor);
}

std::string vtkVulkanIsosurfaceMapper::ValueInShader() const
{
  const int components = static_cast<int>(this->GetValueComponents());
  const int component = this->LookupTable->GetVectorComponent();
  if (components == 1)
    return "surfaceValue";
  if (this->LookupTable->GetVectorMode() == vtkScalarsToColors::MAGNITUDE || component < 0 || component >= components)
    return "length(surfaceValue)";
  return std::string("surfaceValue.") + "xyzw"[component];
}

// As vtkMapper computes it on the host: the first coordinate from the value's place in the range of the lookup table,
// the second one tells NaN from numbers.
std::string vtkVulkanIsosurfaceMapper::ColourCoordinateInShader(const std::string& name) const
{
  const std::string sign = this->LookupTable->GetRange()[0] < 0 ? "-" : "";
  const std::string logarithm = "value += surfaceValueLog.x;\n"
                                "value = " +
                                sign + "value > 0.0 ? " + sign + "log(" + sign +
                                "value) / log(10.0) : surfaceValueLog.y;\n";
  return "float value = " + this->ValueInShader() + ";\n" + (this->LookupTable->UsingLogScale() ? logarithm : "") +
         "float place = ((value - surfaceValueRange.x) - surfaceValueRange.y) * surfaceValueRange.z;\n" + name +
         " = isnan(value) ? vec2(0.5, 1.0) : vec2(clamp(place, -1000.0, 1000.0), 0.49);\n";
}

void vtkVulkanIsosurfaceMapper::ReplaceShaderValues(
  std::map<vtkShader::Type, vtkShader*> shaders, vtkRenderer* renderer, vtkActor* actor)
{
  const Internals& on = *this->Impl;
  if (on.CurrentPicture)
    on.Imposter.replaceShaders(shaders,
      this->ColorTextureMap ? this->ColourCoordinateInShader(std::string(ColourCoordinate) + "VCVSOutput") : "");
  this->Superclass::ReplaceShaderValues(shaders, renderer, actor);
}

// The colour of a surface is computed per vertex, that of a picture per fragment.
void vtkVulkanIsosurfaceMapper::ReplaceShaderTCoord(
  std::map<vtkShader::Type, vtkShader*> shaders, vtkRenderer* renderer, vtkActor* actor)
{
  this->Superclass::ReplaceShaderTCoord(shaders, renderer, actor);
  const Internals& on = *this->Impl;
  if ((!on.Current && !on.CurrentPicture) || !this->ColorTextureMap)
    return;
  const auto replace = [&](vtkShader::Type type, const std::string& marker, const std::string& text)
  {
    std::string source = shaders[type]->GetSource();
    vtkShaderProgram::Substitute(source, marker, text);
    shaders[type]->SetSource(source);
  };
  const std::string coordinate = ColourCoordinate;
  const std::string range =
    "uniform vec3 surfaceValueRange; // smallest value as a sum of two floats; 1 / width\n"
    "uniform vec2 surfaceValueLog; // origin of the values, the value in place of a missing logarithm\n";
  if (on.CurrentPicture)
  {
    replace(vtkShader::Fragment, "//VTK::TCoord::Dec", range + "vec2 " + coordinate + "VCVSOutput;\n");
    return;
  }
  const std::uint32_t components = this->GetValueComponents();
  const std::string type = components == 1 ? "float" : "vec" + std::to_string(components);
  replace(vtkShader::Vertex, "//VTK::TCoord::Dec",
    "in " + type + " surfaceValue;\n" + range + "out vec2 " + coordinate + "VCVSOutput;\n");
  replace(vtkShader::Vertex, "//VTK::TCoord::Impl", this->ColourCoordinateInShader(coordinate + "VCVSOutput"));
  replace(vtkShader::Geometry, "//VTK::TCoord::Dec",
    "in vec2 " + coordinate + "VCVSOutput[];\nout vec2 " + coordinate + "VCGSOutput;\n");
  replace(vtkShader::Geometry, "//VTK::TCoord::Impl", coordinate + "VCGSOutput = " + coordinate + "VCVSOutput[i];\n");
  replace(vtkShader::Fragment, "//VTK::TCoord::Dec", "in vec2 " + coordinate + "VCVSOutput;\n");
}

void vtkVulkanIsosurfaceMapper::SetMapperShaderParameters(
  vtkOpenGLHelper& cellBO, vtkRenderer* renderer, vtkActor* actor)
{
  this->Superclass::SetMapperShaderParameters(cellBO, renderer, actor);
  const Internals& on = *this->Impl;
  if (on.CurrentPicture)
    on.Imposter.setParameters(cellBO.Program, renderer, actor);
  if ((!on.Current && !on.CurrentPicture) || !this->ColorTextureMap ||
      !cellBO.Program->IsUniformUsed("surfaceValueRange"))
    return;
  const double* const tableRange = this->LookupTable->GetRange();
  std::array<double, 2> range{ tableRange[0], tableRange[1] };
  const bool isLogarithmic = this->LookupTable->UsingLogScale() != 0;
  if (isLogarithmic)
    vtkLookupTable::GetLogRange(tableRange, range.data());
  // The first and the last texel are the colours below and above the range.
  const double texel = (range[1] - range[0]) / double(this->LookupTable->GetNumberOfAvailableColors());
  const double origin = on.Current && !on.CurrentPicture       ? on.Current->valueOrigin
                        : on.CurrentPicture->isovalues.empty() ? 0
                                                               : on.CurrentPicture->isovalues.front();
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
  os << indent << "Surface Mode: " << this->SurfaceMode << "\n";
  os << indent << "First Path: " << this->FirstPath << "\n";
  os << indent << "Contour:\n";
  this->Impl->Contour->PrintSelf(os, indent.GetNextIndent());
}
