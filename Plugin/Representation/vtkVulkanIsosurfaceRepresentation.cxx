// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "vtkVulkanIsosurfaceRepresentation.h"

#include "DrawnData.h"

#include "vtkBoundingBox.h"
#include "vtkCommand.h"
#include "vtkExtentTranslator.h"
#include "vtkImageData.h"
#include "vtkInformation.h"
#include "vtkInformationVector.h"
#include "vtkMath.h"
#include "vtkMatrix4x4.h"
#include "vtkMultiProcessController.h"
#include "vtkNew.h"
#include "vtkObjectFactory.h"
#include "vtkOutlineSource.h"
#include "vtkOutputWindow.h"
#include "vtkPVLODActor.h"
#include "vtkPVRenderView.h"
#include "vtkPolyData.h"
#include "vtkPolyDataMapper.h"
#include "vtkRenderer.h"
#include "vtkSmartPointer.h"
#include "vtkStreamingDemandDrivenPipeline.h"
#include "vtkStringArray.h"
#include "vtkTimeStamp.h"
#include "vtkTrivialProducer.h"

#include <algorithm>
#include <array>
#include <string>

using namespace vmc::filters;
using Pipeline = vtkStreamingDemandDrivenPipeline;

namespace
{

struct Piece
{
  int number = 0;
  int count = 1;
};

// The piece of this process, as in vtkPVDataRepresentation::RequestUpdateExtent.
Piece pieceOfThisProcess()
{
  vtkMultiProcessController* controller = vtkMultiProcessController::GetGlobalController();
  return controller ? Piece{ controller->GetLocalProcessId(), controller->GetNumberOfProcesses() } : Piece{};
}

// A box in the index space of an image: lower and upper side along each axis. Points have integer indices.
using IndexBox = std::array<double, 6>;

IndexBox boxOf(const std::array<int, 6>& extent)
{
  IndexBox box{};
  std::copy(extent.begin(), extent.end(), box.begin());
  return box;
}

// World positions of the eight corners of a box, x fastest.
std::array<double, 24> cornersOf(vtkImageData* image, const IndexBox& box)
{
  std::array<double, 24> corners{};
  for (int corner = 0; corner < 8; ++corner)
  {
    const double index[3] = { box[corner & 1], box[2 + (corner >> 1 & 1)], box[4 + (corner >> 2)] };
    image->TransformContinuousIndexToPhysicalPoint(index, &corners[3 * corner]);
  }
  return corners;
}

// The extent of the image without the ghost layers. Neighbouring pieces share the points between them.
std::array<int, 6> ownedExtent(vtkImageData* image, const std::array<int, 6>& wholeExtent)
{
  std::array<int, 6> extent{};
  image->GetExtent(extent.data());
  const Piece piece = pieceOfThisProcess();
  std::array<int, 6> owned{};
  std::array<int, 6> whole = wholeExtent;
  if (piece.count == 1 || !vtkNew<vtkExtentTranslator>()->PieceToExtentThreadSafe(piece.number, piece.count, 0,
                            whole.data(), owned.data(), vtkExtentTranslator::BLOCK_MODE, 0))
    return extent;
  for (int axis = 0; axis < 3; ++axis)
  {
    owned[2 * axis] = std::max(owned[2 * axis], extent[2 * axis]);
    owned[2 * axis + 1] = std::min(owned[2 * axis + 1], extent[2 * axis + 1]);
    if (owned[2 * axis] > owned[2 * axis + 1]) // the source has cut the image in another way
      return extent;
  }
  return owned;
}

// The box of the dual cells whose minimum corners the piece owns. Compositing orders the pictures of the ranks by these
// boxes, which do not overlap. Dual cells of point data are the owned cells. Dual cells of cell data lie between cell
// centres, so a side between two pieces is half a cell above the points that they share. At the border, the box is that
// of Boundary Extend and Close.
IndexBox boxOfDualCells(const std::array<int, 6>& owned, const std::array<int, 6>& wholeExtent, bool isCellData)
{
  IndexBox box = boxOf(owned);
  for (std::size_t side = 0; side < box.size(); ++side)
    if (isCellData && owned[side] != wholeExtent[side])
      box[side] += 0.5;
  return box;
}

// The sentence of a message of vtkErrorMacro, which begins with the file and the object.
std::string sentenceOf(std::string message)
{
  const std::size_t object = message.find("): ");
  if (object != std::string::npos)
    message.erase(0, object + 3);
  message.erase(message.find_last_not_of('\n') + 1);
  return message;
}

bool contoursCells(vtkVulkanMarchingCubes* contour)
{
  vtkInformation* const array = contour->GetInputArrayInformation(0);
  return array->Has(vtkDataObject::FIELD_ASSOCIATION()) &&
         array->Get(vtkDataObject::FIELD_ASSOCIATION()) == vtkDataObject::FIELD_ASSOCIATION_CELLS;
}

// Draws the outline (the mapper for low detail) in the frame in which the extraction fails.
class vtkSurfaceOrOutline : public vtkPVLODActor
{
public:
  static vtkSurfaceOrOutline* New();
  vtkTypeMacro(vtkSurfaceOrOutline, vtkPVLODActor);

  void Render(vtkRenderer* renderer, vtkMapper* mapper) override
  {
    this->Superclass::Render(renderer, mapper);
    if (this->HasFailed && !this->GetEnableLOD())
    {
      this->SetEnableLOD(1);
      this->Superclass::Render(renderer, mapper);
    }
  }

  bool HasFailed = false;
};
vtkStandardNewMacro(vtkSurfaceOrOutline);

}

class vtkVulkanIsosurfaceRepresentation::Internals
{
public:
  vtkNew<vtkSurfaceOrOutline> Actor;
  vtkNew<vtkTrivialProducer> Producer; // of the mapper's input
  vtkNew<vtkPolyDataMapper> OutlineMapper;
  vtkNew<vtkOutlineSource> Outline;

  // The array that is to colour the surface.
  std::string Colors;
  int ColorAssociation = vtkDataObject::FIELD_ASSOCIATION_POINTS;
  bool AreColorsRefused = false;
  std::string RefusedColors; // the array of which a warning has been shown

  // Results of the last update.
  vtkSmartPointer<vtkDataObject> Data = vtkSmartPointer<vtkImageData>::New(); // without points: nothing to draw here
  std::array<int, 6> WholeExtent{ 0, -1, 0, -1, 0, -1 };
  vtkBoundingBox Bounds;
  bool IsDrawable = true;

  bool WasDrawn = false; // in some view
  vtkNew<vtkStringArray> NoStrings;

  // Results of the last extraction.
  vtkTimeStamp FailureTime;
  std::string Reason; // for the outline
  std::string DrawnBy;

  void ShowOutlineOf(vtkImageData* image, const std::array<int, 6>& extent)
  {
    this->Outline->SetBoxTypeToOriented();
    this->Outline->SetCorners(cornersOf(image, boxOf(extent)).data());
    this->OutlineMapper->SetInputConnection(this->Outline->GetOutputPort());
  }

  void ShowOutlineOf(const vtkBoundingBox& box)
  {
    double bounds[6];
    box.GetBounds(bounds);
    this->Outline->SetBoxTypeToAxisAligned();
    this->Outline->SetBounds(bounds);
    this->OutlineMapper->SetInputConnection(this->Outline->GetOutputPort());
  }

  void ShowNothing() { this->OutlineMapper->SetInputDataObject(vtkNew<vtkPolyData>()); }
};

vtkStandardNewMacro(vtkVulkanIsosurfaceRepresentation);

vtkVulkanIsosurfaceRepresentation::vtkVulkanIsosurfaceRepresentation()
  : Impl(std::make_unique<Internals>())
{
  this->Mapper->Delete();
  this->Mapper = this->Surface;
  this->Mapper->Register(this);
  this->LODMapper->Delete();
  this->LODMapper = this->Impl->OutlineMapper;
  this->LODMapper->Register(this);
  this->Actor->Delete();
  this->Actor = this->Impl->Actor;
  this->Actor->Register(this);
  this->SetupDefaults();
  this->Impl->ShowNothing();
  this->Surface->SetInputConnection(this->Impl->Producer->GetOutputPort());
  for (vtkObject* source : { static_cast<vtkObject*>(this->GetContour()), static_cast<vtkObject*>(this->Mapper) })
    source->AddObserver(vtkCommand::ErrorEvent, this, &vtkVulkanIsosurfaceRepresentation::OnExtractionError);
}

vtkVulkanIsosurfaceRepresentation::~vtkVulkanIsosurfaceRepresentation() = default;

void vtkVulkanIsosurfaceRepresentation::SetContourArray(
  int index, int port, int connection, int association, const char* name)
{
  const bool contouredCells = contoursCells(this->GetContour());
  this->GetContour()->SetInputArrayToProcess(index, port, connection, association, name);
  if (contoursCells(this->GetContour()) != contouredCells)
    this->MarkModified(); // the bounds of the piece are others
  this->ChooseColors();
}

void vtkVulkanIsosurfaceRepresentation::SetComputeNormals(int compute)
{
  if (compute == this->GetContour()->GetComputeNormals())
    return;
  this->GetContour()->SetComputeNormals(compute);
  this->MarkModified(); // normals need another ghost layer
}

void vtkVulkanIsosurfaceRepresentation::SetInputArrayToProcess(
  int index, int port, int connection, int association, const char* name)
{
  if (index != 0)
  {
    this->Superclass::SetInputArrayToProcess(index, port, connection, association, name);
    return;
  }
  this->Impl->Colors = name ? name : "";
  this->Impl->ColorAssociation = association;
  this->ChooseColors();
}

void vtkVulkanIsosurfaceRepresentation::ChooseColors()
{
  Internals& impl = *this->Impl;
  vtkInformation* contoured = this->GetContour()->GetInputArrayInformation(0);
  impl.AreColorsRefused = !impl.Colors.empty() && contoured->Has(vtkDataObject::FIELD_ASSOCIATION()) &&
                          contoured->Get(vtkDataObject::FIELD_ASSOCIATION()) != impl.ColorAssociation;
  // Arrays of cells are interpolated to the points of the surface, too.
  this->Superclass::SetInputArrayToProcess(
    0, 0, 0, vtkDataObject::FIELD_ASSOCIATION_POINTS, impl.AreColorsRefused ? "" : impl.Colors.c_str());
}

const char* vtkVulkanIsosurfaceRepresentation::GetDrawnBy()
{
  if (!this->GetVisibility())
    this->Impl->DrawnBy = "nothing: The representation is hidden.";
  else if (this->Impl->Actor->HasFailed || !this->Impl->IsDrawable)
    this->Impl->DrawnBy = "outline: " + this->Impl->Reason;
  else
    this->Impl->DrawnBy = this->Surface->GetDrawnByText();
  return this->Impl->DrawnBy.c_str();
}

vtkStringArray* vtkVulkanIsosurfaceRepresentation::GetDeviceNames()
{
  return this->Impl->WasDrawn ? this->GetContour()->GetDeviceNames() : this->Impl->NoStrings.Get();
}

vtkStringArray* vtkVulkanIsosurfaceRepresentation::GetDeviceKinds()
{
  return this->Impl->WasDrawn ? this->GetContour()->GetDeviceKinds() : this->Impl->NoStrings.Get();
}

vtkDataObject* vtkVulkanIsosurfaceRepresentation::GetRenderedDataObject(int)
{
  return this->Impl->Data;
}

// Requests the same ghost cells as vtkVulkanMarchingCubes.
int vtkVulkanIsosurfaceRepresentation::RequestUpdateExtent(
  vtkInformation* request, vtkInformationVector** inputVector, vtkInformationVector* outputVector)
{
  this->vtkPVDataRepresentation::RequestUpdateExtent(request, inputVector, outputVector);
  const int levels = this->GetContour()->GetComputeNormals() ? 2 : 1;
  for (int connection = 0; connection < inputVector[0]->GetNumberOfInformationObjects(); ++connection)
    inputVector[0]
      ->GetInformationObject(connection)
      ->Set(Pipeline::UPDATE_NUMBER_OF_GHOST_LEVELS(), pieceOfThisProcess().count > 1 ? levels : 0);
  return 1;
}

int vtkVulkanIsosurfaceRepresentation::RequestData(
  vtkInformation* request, vtkInformationVector** inputVector, vtkInformationVector* outputVector)
{
  Internals& impl = *this->Impl;
  impl.Data = vtkSmartPointer<vtkImageData>::New();
  impl.Bounds.Reset();
  impl.IsDrawable = true; // a process without input draws nothing
  impl.ShowNothing();
  if (inputVector[0]->GetNumberOfInformationObjects() == 1)
  {
    vtkInformation* info = inputVector[0]->GetInformationObject(0);
    vtkDataObject* const input = info->Get(vtkDataObject::DATA_OBJECT());
    impl.IsDrawable = isDrawable(input);
    if (!impl.IsDrawable)
    {
      impl.Reason = std::string("Vulkan Isosurface shows images, rectilinear grids and blocks, but the input is ") +
                    input->GetClassName() + ".";
      vtkErrorMacro(<< impl.Reason);
    }
    this->TakeData(input, info);
  }
  return this->vtkPVDataRepresentation::RequestData(request, inputVector, outputVector);
}

void vtkVulkanIsosurfaceRepresentation::TakeData(vtkDataObject* input, vtkInformation* info)
{
  Internals& impl = *this->Impl;
  const vtkSmartPointer<vtkImageData> first = firstImageOf(input);
  if (first)
  {
    impl.Data.TakeReference(input->NewInstance());
    impl.Data->ShallowCopy(input);
    first->GetExtent(impl.WholeExtent.data());
    if (info->Has(Pipeline::WHOLE_EXTENT()))
      info->Get(Pipeline::WHOLE_EXTENT(), impl.WholeExtent.data());
  }
  if (first && first == input)
  {
    const std::array<int, 6> owned = ownedExtent(first, impl.WholeExtent);
    std::array<double, 24> corners =
      cornersOf(first, boxOfDualCells(owned, impl.WholeExtent, contoursCells(this->GetContour())));
    for (int corner = 0; corner < 8; ++corner)
      impl.Bounds.AddPoint(&corners[3 * corner]);
    impl.ShowOutlineOf(first, impl.WholeExtent);
    return;
  }
  impl.Bounds = boundsOf(input);
  if (impl.Bounds.IsValid())
    impl.ShowOutlineOf(impl.Bounds);
}

int vtkVulkanIsosurfaceRepresentation::ProcessViewRequest(
  vtkInformationRequestKey* request, vtkInformation* in, vtkInformation* out)
{
  if (!this->vtkPVDataRepresentation::ProcessViewRequest(request, in, out))
    return 0;
  if (request == vtkPVView::REQUEST_UPDATE())
    this->PassData(in, out);
  else if (request == vtkPVView::REQUEST_UPDATE_LOD())
    vtkPVRenderView::SetRequiresDistributedRenderingLOD(in, this, true);
  else if (request == vtkPVView::REQUEST_RENDER())
    this->PrepareToDraw(in);
  return 1;
}

void vtkVulkanIsosurfaceRepresentation::PassData(vtkInformation* in, vtkInformation* out)
{
  vtkPVRenderView::SetPiece(in, this, this->Impl->Data);
  vtkPVRenderView::SetDeliverToClientAndRenderingProcesses(
    in, this, /*deliver_to_client*/ false, /*gather_before_delivery*/ false);
  vtkPVRenderView::SetRequiresDistributedRendering(in, this, true);
  vtkPVRenderView::SetOrderedCompositingConfiguration(in, this, vtkPVRenderView::USE_BOUNDS_FOR_REDISTRIBUTION);
  if (this->NeedsOrderedCompositing())
    out->Set(vtkPVRenderView::NEED_ORDERED_COMPOSITING(), 1);

  double bounds[6];
  vtkMath::UninitializeBounds(bounds);
  if (this->Impl->Bounds.IsValid())
    this->Impl->Bounds.GetBounds(bounds);
  vtkNew<vtkMatrix4x4> matrix;
  this->Actor->GetMatrix(matrix);
  vtkPVRenderView::SetGeometryBounds(in, this, bounds, matrix);
}

void vtkVulkanIsosurfaceRepresentation::PrepareToDraw(vtkInformation* in)
{
  Internals& impl = *this->Impl;
  impl.WasDrawn = true;
  vtkDataObject* const data = vtkPVView::GetDeliveredPiece(in, this);
  const bool hasPiece = firstImageOf(data) != nullptr;
  impl.Producer->SetOutput(data);
  impl.Producer->SetWholeExtent(impl.WholeExtent.data());
  const Piece piece = pieceOfThisProcess();
  this->Surface->SetPiece(piece.number);
  this->Surface->SetNumberOfPieces(piece.count);
  if (hasPiece && std::max(this->GetContour()->GetMTime(), data->GetMTime()) > impl.FailureTime)
    impl.Actor->HasFailed = false;
  this->Actor->SetEnableLOD(!hasPiece || impl.Actor->HasFailed);
  this->UpdateColoringParameters();
}

void vtkVulkanIsosurfaceRepresentation::OnExtractionError(vtkObject*, unsigned long, void* text)
{
  const char* message = static_cast<const char*>(text);
  this->Impl->Actor->HasFailed = true;
  this->Impl->FailureTime.Modified();
  this->Impl->Reason = sentenceOf(message);
  vtkOutputWindow::GetInstance()->DisplayErrorText(message);
}

void vtkVulkanIsosurfaceRepresentation::UpdateColoringParameters()
{
  this->Superclass::UpdateColoringParameters();
  Internals& impl = *this->Impl;
  impl.OutlineMapper->SetScalarVisibility(0);
  if (impl.AreColorsRefused && impl.Colors != impl.RefusedColors)
  {
    const bool isOfCells = impl.ColorAssociation == vtkDataObject::FIELD_ASSOCIATION_CELLS;
    vtkWarningMacro("The surface is not coloured by the " << (isOfCells ? "cell" : "point") << " array '" << impl.Colors
                                                          << "': the contoured array is a "
                                                          << (isOfCells ? "point" : "cell") << " array.");
  }
  impl.RefusedColors = impl.AreColorsRefused ? impl.Colors : "";
}

void vtkVulkanIsosurfaceRepresentation::SetVisibility(bool visible)
{
  if (!visible)
    this->Surface->ReleaseSurface();
  this->Superclass::SetVisibility(visible);
}

// The superclass would register the actor for hardware selection. The ids that selection reads do not exist here.
bool vtkVulkanIsosurfaceRepresentation::AddToView(vtkView* view)
{
  vtkPVRenderView* renderView = vtkPVRenderView::SafeDownCast(view);
  if (!renderView)
    return false;
  renderView->GetRenderer()->AddActor(this->Actor);
  return this->vtkPVDataRepresentation::AddToView(view);
}

void vtkVulkanIsosurfaceRepresentation::PrintSelf(ostream& os, vtkIndent indent)
{
  this->Superclass::PrintSelf(os, indent);
  os << indent << "Drawn By: " << this->GetDrawnBy() << "\n";
  os << indent << "Surface:\n";
  this->Surface->PrintSelf(os, indent.GetNextIndent());
}
