// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "vtkVulkanIsosurfaceMapper.h"

#include "RayImposter.h"
#include "SurfaceBuffer.h"

#include "DrawingSource.h"
#include "DrawnData.h"
#include "vtkVulkanMarchingCubes.h"

#include "vtkActor.h"
#include "vtkAlgorithmOutput.h"
#include "vtkCellArray.h"
#include "vtkCellData.h"
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

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

using namespace vmc::filters;
using namespace vmc::rendering;

vtkStandardNewMacro(vtkVulkanIsosurfaceMapper);

namespace
{

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
  // The surface of the last frame; null: a picture, vtkPolyData or nothing.
  const std::shared_ptr<DrawnSurface>& Surface() const { return this->Shown->surface; }
  // The picture of the last frame; null: a surface, vtkPolyData or nothing.
  const std::shared_ptr<const DrawnPicture>& Picture() const { return this->Shown->picture; }

  // Returns whether the last triangles are neither in buffers of OpenGL nor in their own memory.
  bool IsLost() const
  {
    const std::shared_ptr<DrawnSurface>& surface = this->Triangles.surface;
    return surface && surface != this->Attached && !surface->memory;
  }

  // As importObstacle, asked once per context: OpenGL lists some hundred extensions.
  const std::string& ImportObstacle(const DeviceIdentity& device)
  {
    if (!this->Obstacle || !(this->ObstacleDevice == device))
      this->Obstacle = importObstacle(device);
    this->ObstacleDevice = device;
    return *this->Obstacle;
  }

  // Points the buffers of OpenGL to the arrays of the surface. ids: the superclass's buffer of point ids. Returns false
  // if OpenGL cannot import them or has not enough memory.
  bool Attach(const std::shared_ptr<DrawnSurface>& surface, vtkOpenGLIndexBufferObject* ids)
  {
    if (this->Attached == surface)
      return true;
    this->ReleaseAttached();
    const std::uint64_t points = surface->pointCount;
    if (!this->Positions->Attach(surface->positions, points) || !this->Normals->Attach(surface->normals, points) ||
        !this->Values->Attach(surface->values, points) ||
        !this->Ids.attach(ids, vtkOpenGLBufferObject::ElementArrayBuffer, surface->triangles))
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

  void ReleasePolyData()
  {
    vtkPolyData* const output = this->Contour->GetOutput(); // null before the first update
    if (!output || output->GetNumberOfPoints() == 0)
      return;
    output->Initialize();
    this->Contour->Modified();
  }

  // Each releases what an earlier frame has shown: the next surface or picture gets the memory.
  void ReleaseTriangles()
  {
    this->ReleaseAttached();
    this->Triangles = {};
  }
  void ReleasePicture()
  {
    this->Imposter.releasePicture();
    this->Rays = {};
  }

  // Returns the pixels of the viewport per pixel of a moving picture, along each side. The rays of a moving frame
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

  vtkNew<vtkVulkanMarchingCubes> Contour;
  DrawingSource Source{ Contour };
  // The superclass's input: the output of the filter. A connection to the filter itself would be a loop of references
  // that VTK's garbage collector has to break.
  vtkNew<vtkTrivialProducer> Output;
  DrawingRequest Next;                        // of the next frame
  Drawing Triangles, Rays;                    // the last ones; Triangles may have a picture, if the surface did not fit
  const Drawing* Shown = &Triangles;          // in the last frame
  std::optional<double> MillisecondsPerPixel; // of the last picture

  // Objects of OpenGL, in the context of the window.
  vtkWeakPointer<vtkWindow> Window;
  SurfaceVertexBufferGroup* Group = nullptr; // owned by the superclass as VBOs
  vtkNew<SurfaceVertexBuffer> Positions, Normals, Values;
  SurfaceMemory Ids;                      // behind the superclass's index buffer
  std::shared_ptr<DrawnSurface> Attached; // the surface in the buffers; null: none
  ReadMark Drawn;                         // of the buffers
  RayImposter Imposter;
  std::optional<std::string> Obstacle; // to imports in this context
  DeviceIdentity ObstacleDevice;
  std::uint64_t FailedTriangles = 0; // of a surface whose import has failed; 0: none

  bool IsFlat = false; // the actor's shading: normals are not used
  std::string Reason;  // why the surface is not drawn from device memory
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
  this->InterpolateScalarsBeforeMapping = 1; // colours from a texture; see the class's description
  this->ColorMode = VTK_COLOR_MODE_MAP_SCALARS;
}

// The superclass's destructor would not release what this class has added.
vtkVulkanIsosurfaceMapper::~vtkVulkanIsosurfaceMapper()
{
  this->ReleaseGraphicsResources(nullptr);
}

void vtkVulkanIsosurfaceMapper::SetInputData(vtkDataObject* data)
{
  this->Impl->Contour->SetInputData(data);
}

void vtkVulkanIsosurfaceMapper::SetInputConnection(int port, vtkAlgorithmOutput* data)
{
  this->Impl->Contour->SetInputConnection(port, data);
}

vtkDataObject* vtkVulkanIsosurfaceMapper::GetContouredData()
{
  vtkDataObject* const data = this->Impl->Contour->GetInputDataObject(0, 0);
  return isDrawable(data) ? data : nullptr;
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

void vtkVulkanIsosurfaceMapper::ReleaseSurface()
{
  this->ReleaseGraphicsResources(nullptr);
  this->Impl->Triangles = this->Impl->Rays = {};
  this->Impl->Source.freeMemory();
  this->Impl->ReleasePolyData();
  this->Impl->Output->SetOutput(vtkNew<vtkPolyData>());
  this->Impl->Contour->SetLastRun({});
  this->SetNotDrawn("The surface was released.");
}

void vtkVulkanIsosurfaceMapper::RequestPiece()
{
  using Pipeline = vtkStreamingDemandDrivenPipeline;
  vtkVulkanMarchingCubes* const contour = this->Impl->Contour;
  contour->UpdateInformation();
  vtkInformation* const info = contour->GetOutputInformation(0);
  info->Set(Pipeline::UPDATE_PIECE_NUMBER(), this->NumberOfSubPieces * this->Piece);
  info->Set(Pipeline::UPDATE_NUMBER_OF_PIECES(), this->NumberOfSubPieces * this->NumberOfPieces);
  info->Set(Pipeline::UPDATE_NUMBER_OF_GHOST_LEVELS(), this->GhostLevel);
  // The executive would add it to this request until the filter executes, also if the image has another extent now.
  info->Remove(Pipeline::COMBINED_UPDATE_EXTENT());
}

bool vtkVulkanIsosurfaceMapper::HasData()
{
  vtkVulkanMarchingCubes* const contour = this->Impl->Contour;
  if (contour->GetNumberOfInputConnections(0) == 0)
    return false;
  contour->GetInputAlgorithm()->UpdateDataObject();
  return this->GetContouredData() != nullptr;
}

// With the ghost cells that the extraction needs.
void vtkVulkanIsosurfaceMapper::UpdateData()
{
  if (!this->HasData())
    return;
  vtkVulkanMarchingCubes* const contour = this->Impl->Contour;
  this->RequestPiece();
  vtkStreamingDemandDrivenPipeline::SafeDownCast(contour->GetExecutive())->PropagateUpdateExtent(0);
  vtkAlgorithmOutput* const data = contour->GetInputConnection(0, 0);
  data->GetProducer()->Update(data->GetIndex());
}

double* vtkVulkanIsosurfaceMapper::GetBounds()
{
  if (!this->Static)
    this->UpdateData();
  vtkMath::UninitializeBounds(this->Bounds);
  if (vtkDataObject* const data = this->GetContouredData())
    boundsOf(data).GetBounds(this->Bounds);
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
  const vtkSmartPointer<vtkImageData> image = firstImageOf(this->GetContouredData());
  vtkDataArray* array = nullptr;
  if (image && !name.empty())
    for (vtkDataSetAttributes* data : { static_cast<vtkDataSetAttributes*>(image->GetCellData()),
           static_cast<vtkDataSetAttributes*>(image->GetPointData()) })
      array = array ? array : data->GetArray(name.c_str());
  if (array && array->GetNumberOfComponents() > 4)
    return "Colours of arrays of more than four components are drawn from vtkPolyData.";
  // The scalars of the filter have the type of the contoured array.
  int association = 0;
  vtkDataArray* const contoured = image ? this->Impl->Contour->FindArray(image, association) : nullptr;
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
  Internals& impl = *this->Impl;
  if (impl.Triangles.surface && impl.Triangles.surface->triangleCount < impl.FailedTriangles / 4 * 3)
    impl.FailedTriangles = 0; // OpenGL may import a much smaller surface
  if (const auto device = impl.Source.exportingDevice(reason))
    reason = impl.FailedTriangles != 0 ? "OpenGL could not import the memory." : impl.ImportObstacle(*device);
  return reason.empty() ? DEVICE_MEMORY : HOST_MEMORY;
}

std::uint32_t vtkVulkanIsosurfaceMapper::GetValueComponents() const
{
  const Internals& impl = *this->Impl;
  if (!impl.Picture())
    return impl.Surface() ? impl.Surface()->values.components : 0;
  return impl.Picture()->isovalues.empty() ? impl.Picture()->values.components : 1;
}

std::string vtkVulkanIsosurfaceMapper::ObstacleToRays(vtkActor* actor)
{
  vtkProperty* const property = actor->GetProperty();
  if (this->Static)
    return "A static mapper draws triangles.";
  if (!vtkImageData::SafeDownCast(this->GetContouredData()))
    return "Blocks and rectilinear grids are drawn with triangles.";
  if (this->Impl->Contour->GetComputeMeasures())
    return "Measured surfaces are drawn with triangles.";
  if (this->Impl->Contour->GetKeepRegions() != vtkVulkanMarchingCubes::KEEP_ALL)
    return "Surfaces without some of their regions are drawn with triangles.";
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

void vtkVulkanIsosurfaceMapper::UpdateSurface(vtkRenderer* renderer, vtkActor* actor)
{
  Internals& impl = *this->Impl;
  // Host memory is released after its upload, so the surface may have to be extracted again even if nothing has
  // changed.
  if (impl.IsLost())
    impl.Triangles = {};
  // A static mapper keeps its triangles. A picture of rays is that of one view only.
  if (!this->Static || !impl.Surface())
  {
    const DrawingPath path = this->ChoosePath(actor, impl.Reason);
    if (path == POLY_DATA)
      this->UpdatePolyData();
    else
    {
      impl.ReleasePolyData();
      this->UpdateData();
      impl.Next.exported = path == DEVICE_MEMORY;
      this->ChooseRays(renderer, actor);
      this->UpdateDrawing();
    }
  }
  std::array<std::uint32_t, 4> layout{};
  if (impl.Picture())
    layout = { 0, this->GetValueComponents(), 1, impl.Picture()->values.components };
  else if (impl.Surface())
    layout = { impl.Surface()->normals.components, this->GetValueComponents(), 0, 0 };
  if (std::exchange(impl.Layout, layout) != layout)
    this->Modified(); // needs other shaders
}

// Decides what the frame needs of rays.
void vtkVulkanIsosurfaceMapper::ChooseRays(vtkRenderer* renderer, vtkActor* actor)
{
  Internals& impl = *this->Impl;
  DrawingRequest& request = impl.Next;
  const bool isMoving = renderer->GetRenderWindow()->GetDesiredUpdateRate() >= MovingRate;
  const bool wantsRays = this->SurfaceMode == ONLY_RAYS || (this->SurfaceMode == RAYS_WHILE_MOVING && isMoving);
  const std::string obstacle = this->ObstacleToRays(actor);
  request.mayCastRays = obstacle.empty();
  request.castRays = wantsRays && request.mayCastRays;
  if (wantsRays && !obstacle.empty())
    impl.Reason = obstacle;
  request.camera = RayImposter::cameraOf(renderer, actor, 1);
  const int reduction = isMoving ? impl.Reduction(double(request.camera.width) * request.camera.height) : 1;
  if (reduction != 1)
    request.camera = RayImposter::cameraOf(renderer, actor, reduction);
}

// Lets the filter make the polygons that VTK draws.
void vtkVulkanIsosurfaceMapper::UpdatePolyData()
{
  Internals& impl = *this->Impl;
  impl.ReleaseTriangles();
  impl.ReleasePicture();
  impl.Source.endSession();
  impl.Shown = &impl.Triangles;
  impl.Contour->SetInterpolateAttributes(this->IsColouredByArray());
  impl.Contour->SetOnlyAttribute(this->IsColouredByArray() ? this->ArrayName : "");
  impl.Contour->JoinBlocksOn();
  impl.Contour->SetJoinRanks(false); // other ranks may not draw this actor
  this->RequestPiece();
  impl.Contour->Update();
  if (impl.Contour->GetOutput() != impl.Output->GetOutputDataObject(0))
    impl.Output->SetOutput(impl.Contour->GetOutput());
}

// Makes a surface or a picture, unless the last one is up to date.
void vtkVulkanIsosurfaceMapper::UpdateDrawing()
{
  Internals& impl = *this->Impl;
  DrawingRequest& request = impl.Next;
  request.content = std::max(impl.Contour->GetMTime(), lastChangeOf(this->GetContouredData()));
  request.piece = { this->NumberOfSubPieces * this->Piece, this->NumberOfSubPieces * this->NumberOfPieces,
    this->GhostLevel };
  request.pointValues.reset();
  if (this->ScalarVisibility)
    request.pointValues = this->IsColouredByArray() ? this->ArrayName : "";
  Drawing& drawing = request.castRays ? impl.Rays : impl.Triangles;
  if (!request.castRays && impl.Shown == &impl.Rays)
    impl.ReleasePicture();
  const bool isNew = !drawing.isFor(request);
  if (isNew)
  {
    // Triangles of this content are drawn again after a movement.
    impl.Imposter.releasePicture();
    if (!request.castRays || this->SurfaceMode != RAYS_WHILE_MOVING ||
        impl.Triangles.request.content != request.content)
      impl.ReleaseTriangles();
    drawing = {};
    drawing = impl.Source.make(request);
    if (drawing.picture)
      impl.MillisecondsPerPixel = drawing.run.report.milliseconds(vmc::Stage::CastRays) /
                                  std::max(1.0, double(drawing.picture->width) * drawing.picture->height);
  }
  if (isNew || impl.Shown != &drawing)
  {
    impl.Contour->SetLastRun(drawing.run);
    impl.Output->SetOutput(drawing.polyData);
  }
  impl.Shown = &drawing;
  if (!drawing.obstacle.empty())
    impl.Reason = drawing.obstacle;
}

void vtkVulkanIsosurfaceMapper::SetNotDrawn(const std::string& reason)
{
  this->DrawnBy = NOT_DRAWN;
  this->Impl->Reason = reason;
  this->NumberOfPoints = this->NumberOfTriangles = this->NumberOfRays = 0;
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
  if (!this->HasData())
  {
    this->SetNotDrawn("There are no data to draw.");
    return;
  }
  const std::uint64_t failedBefore = this->Impl->FailedTriangles;
  this->DrawSurface(renderer, actor);
  if (failedBefore == 0 && this->Impl->FailedTriangles != 0) // the import has failed
    this->DrawSurface(renderer, actor);
}

void vtkVulkanIsosurfaceMapper::DrawSurface(vtkRenderer* renderer, vtkActor* actor)
{
  Internals& impl = *this->Impl;
  this->UpdateSurface(renderer, actor);
  vtkPolyData* const polyData = vtkPolyData::SafeDownCast(impl.Output->GetOutputDataObject(0));
  if (!impl.Surface() && !impl.Picture() && polyData->GetNumberOfPoints() == 0)
  {
    this->ReleaseBuffers();
    return this->SetNotDrawn(
      impl.Contour->GetNumberOfContours() == 0 ? "There are no isovalues." : "There is no surface.");
  }
  const std::string obstacle = impl.Surface() ? this->ObstacleToBuffers(actor) : "";
  if (!obstacle.empty()) // a static mapper, whose surface is not vtkPolyData
    return this->SetNotDrawn(obstacle);
  if ((impl.Surface() || impl.Picture()) && renderer->GetSelector())
    return; // the ids of points and cells are not known to the host
  if (impl.Picture())
    return this->DrawPicture(renderer, actor);
  this->Superclass::RenderPiece(renderer, actor);
  if (this->DrawnBy == DEVICE_MEMORY)
    impl.Drawn.set();
}

void vtkVulkanIsosurfaceMapper::DrawPicture(vtkRenderer* renderer, vtkActor* actor)
{
  Internals& impl = *this->Impl;
  if (impl.Imposter.attached() != impl.Picture())
    this->VBOBuildState.Clear();
  if (impl.Imposter.attach(impl.Picture(), renderer))
  {
    impl.Imposter.activate();
    this->Superclass::RenderPiece(renderer, actor);
    impl.Imposter.deactivate();
    return;
  }
  if (impl.Picture()->isOnDevice)
    impl.FailedTriangles = std::max<std::uint64_t>(impl.FailedTriangles, 1); // copies through the host from now on
  else
    vtkErrorMacro("OpenGL has not enough memory for a picture of the viewport.");
  this->SetNotDrawn("OpenGL could not read the picture.");
}

void vtkVulkanIsosurfaceMapper::BuildBufferObjects(vtkRenderer* renderer, vtkActor* actor)
{
  this->Impl->IsFlat = actor->GetProperty()->GetInterpolation() == VTK_FLAT;
  if (this->Impl->Picture())
  {
    this->BuildFromPicture();
    return;
  }
  if (this->SurfaceMode == TRIANGLES)
    this->Impl->Imposter.releaseGraphicsResources();
  if (this->Impl->Surface())
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
  this->NumberOfPoints = this->CurrentInput->GetNumberOfPoints();
  this->NumberOfTriangles = this->CurrentInput->GetNumberOfPolys();
  this->NumberOfRays = 0;
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
  Internals& impl = *this->Impl;
  if (!impl.Triangles.surface)
    this->ReleaseBuffers(); // of the last mesh
  // The index buffer of triangles may be that of a surface.
  impl.Imposter.addTriangle(*impl.Group, this->Primitives[PrimitiveTriStrips].IBO);
  this->VBOInverseTransform->Identity();
  this->VBOInverseTransform->GetTranspose(this->VBOShiftScale);
  this->NumberOfPoints = this->NumberOfTriangles = 0;
  this->NumberOfRays = vtkIdType(impl.Picture()->width) * impl.Picture()->height;
  this->DrawnBy = RAYS;
  this->VBOBuildTime.Modified();
}

void vtkVulkanIsosurfaceMapper::BuildFromSurface()
{
  this->BeginBuild();
  Internals& impl = *this->Impl;
  const std::uint64_t triangles = impl.Surface()->triangleCount;
  if (triangles > LargestTriangleCount)
    vtkErrorMacro("The surface has " << triangles << " triangles; OpenGL draws at most " << LargestTriangleCount
                                     << " in one call.");
  else if (impl.Attach(impl.Surface(), this->Primitives[PrimitiveTris].IBO))
    this->UseAttached();
  else if (impl.Surface()->isOnDevice)
    impl.FailedTriangles = std::max<std::uint64_t>(triangles, 1);
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
  Internals& impl = *this->Impl;
  DrawnSurface& surface = *impl.Attached;
  if (!this->Static)
    surface.releaseHostMemory();
  impl.Group->Add("vertexMC", impl.Positions);
  if (surface.normals.components != 0 && !impl.IsFlat)
    impl.Group->Add("normalMC", impl.Normals);
  if (surface.values.components != 0)
    impl.Group->Add("surfaceValue", impl.Values);
  impl.Positions->SetShift(surface.origin[0], surface.origin[1], surface.origin[2]);
  impl.Positions->SetScale(1, 1, 1);
  this->VBOInverseTransform->Identity();
  this->VBOInverseTransform->Translate(surface.origin.data());
  this->VBOInverseTransform->GetTranspose(this->VBOShiftScale);
  this->Primitives[PrimitiveTris].IBO->IndexCount = 3 * surface.triangleCount;
  this->NumberOfPoints = static_cast<vtkIdType>(surface.pointCount);
  this->NumberOfTriangles = static_cast<vtkIdType>(surface.triangleCount);
  this->NumberOfRays = 0;
  this->DrawnBy = surface.isOnDevice ? DEVICE_MEMORY : HOST_MEMORY;
}

void vtkVulkanIsosurfaceMapper::ReleaseBuffers()
{
  Internals& impl = *this->Impl;
  impl.ReleaseAttached();
  for (SurfaceVertexBuffer* buffer : { impl.Positions.Get(), impl.Normals.Get(), impl.Values.Get() })
    buffer->Release();
  impl.Ids.release(this->Primitives[PrimitiveTris].IBO);
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
  if (!this->Impl->Surface() && !this->Impl->Picture())
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
  const Internals& impl = *this->Impl;
  if (impl.Picture())
    impl.Imposter.replaceShaders(shaders,
      this->ColorTextureMap ? this->ColourCoordinateInShader(std::string(ColourCoordinate) + "VCVSOutput") : "");
  this->Superclass::ReplaceShaderValues(shaders, renderer, actor);
}

// The colour of a surface is computed per vertex, that of a picture per fragment.
void vtkVulkanIsosurfaceMapper::ReplaceShaderTCoord(
  std::map<vtkShader::Type, vtkShader*> shaders, vtkRenderer* renderer, vtkActor* actor)
{
  this->Superclass::ReplaceShaderTCoord(shaders, renderer, actor);
  const Internals& impl = *this->Impl;
  if ((!impl.Surface() && !impl.Picture()) || !this->ColorTextureMap)
    return;
  const auto replace = [&](vtkShader::Type type, const std::string& marker, const std::string& text)
  { vtkShaderProgram::Substitute(shaders[type], marker, text); };
  const std::string coordinate = ColourCoordinate;
  const std::string range =
    "uniform vec3 surfaceValueRange; // smallest value as a sum of two floats; 1 / width\n"
    "uniform vec2 surfaceValueLog; // origin of the values, the value in place of a missing logarithm\n";
  if (impl.Picture())
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
  const Internals& impl = *this->Impl;
  if (impl.Picture())
    impl.Imposter.setParameters(cellBO.Program, renderer, actor);
  if ((!impl.Surface() && !impl.Picture()) || !this->ColorTextureMap ||
      !cellBO.Program->IsUniformUsed("surfaceValueRange"))
    return;
  const double* const tableRange = this->LookupTable->GetRange();
  std::array<double, 2> range{ tableRange[0], tableRange[1] };
  const bool isLogarithmic = this->LookupTable->UsingLogScale() != 0;
  if (isLogarithmic)
    vtkLookupTable::GetLogRange(tableRange, range.data());
  // The first and the last texel are the colours below and above the range.
  const double texel = (range[1] - range[0]) / double(this->LookupTable->GetNumberOfAvailableColors());
  const double origin = impl.Surface()                      ? impl.Surface()->valueOrigin
                        : impl.Picture()->isovalues.empty() ? 0
                                                            : impl.Picture()->isovalues.front();
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
