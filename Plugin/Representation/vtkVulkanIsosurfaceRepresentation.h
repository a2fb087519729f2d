// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
/**
 * @class   vtkVulkanIsosurfaceRepresentation
 * @brief   shows isosurfaces of an image, a rectilinear grid, or blocks of them in a ParaView render view
 *
 * vtkVulkanIsosurfaceMapper extracts and draws the surface on the machine that has the data; neither these nor the
 * surface are sent to another one. Settings act at the next frame, without an update of the pipeline. Each rank draws
 * the surface of its piece, and ParaView composites the pictures. Blocks are joined; the visibility and the colour of a
 * single block have no effect.
 *
 * Colours, lights and transformations are those of vtkGeometryRepresentation. The surface is coloured by the contoured
 * array (one colour per isovalue), or by another array of the same association (cells or points).
 *
 * If the input cannot be shown, the representation reports the reason as one error and draws the outline of the input.
 *
 * While it is hidden, the surface uses no memory. The samples stay on the device.
 *
 * @warning
 * The surface cannot be selected.
 *
 * @sa
 * vtkVulkanIsosurfaceMapper vtkVulkanMarchingCubes
 */
#ifndef vtkVulkanIsosurfaceRepresentation_h
#define vtkVulkanIsosurfaceRepresentation_h

#include "vtkGeometryRepresentation.h"
#include "vtkNew.h"                                     // for a member
#include "vtkVulkanIsosurfaceMapper.h"                  // calls are passed through
#include "vtkVulkanMarchingCubes.h"                     // calls are passed through
#include "vtkVulkanMarchingCubesRepresentationModule.h" // export macro

#include <memory> // for the implementation

class vtkDoubleArray;
class vtkStringArray;

class VTKVULKANMARCHINGCUBESREPRESENTATION_EXPORT vtkVulkanIsosurfaceRepresentation : public vtkGeometryRepresentation
{
public:
  static vtkVulkanIsosurfaceRepresentation* New();
  vtkTypeMacro(vtkVulkanIsosurfaceRepresentation, vtkGeometryRepresentation);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  ///@{
  /**
   * Settings of the extraction: those of vtkVulkanMarchingCubes, with its defaults.
   */
  void SetValue(int i, double value) { this->GetContour()->SetValue(i, value); }
  void SetNumberOfContours(int number) { this->GetContour()->SetNumberOfContours(number); }
  void SetContourArray(int index, int port, int connection, int association, const char* name);
  void SetArrayComponent(int component) { this->GetContour()->SetArrayComponent(component); }
  void SetBoundary(int boundary) { this->GetContour()->SetBoundary(boundary); }
  void SetComputeMeasures(bool compute) { this->GetContour()->SetComputeMeasures(compute); }
  void SetKeepRegions(int mode) { this->GetContour()->SetKeepRegions(mode); }
  void SetNumberOfKeptRegions(int number) { this->GetContour()->SetNumberOfKeptRegions(number); }
  void SetLeastSize(double size) { this->GetContour()->SetLeastSize(size); }
  void SetNearestTo(double x, double y, double z) { this->GetContour()->SetNearestTo(x, y, z); }
  void SetComputeNormals(int compute);
  void SetDevice(const char* device) { this->GetContour()->SetDevice(device); }
  void SetMemoryLimit(double mebibytes) { this->GetContour()->SetMemoryLimit(mebibytes); }
  void SetFallback(int fallback) { this->GetContour()->SetFallback(fallback); }
  ///@}

  /**
   * Selects how the surface is drawn: vtkVulkanIsosurfaceMapper::SetSurfaceMode. Default: triangles.
   */
  void SetSurfaceMode(int mode) { this->Surface->SetSurfaceMode(mode); }

  /**
   * Draw the edges of the triangles. Default: off.
   */
  void SetEdgeVisibility(bool visible) { this->Representation = visible ? SURFACE_WITH_EDGES : SURFACE; }

  /**
   * Does nothing: the surface is not drawn as points or wireframe.
   */
  void SetRepresentation(const char*) override {}

  using Superclass::SetInputArrayToProcess;
  /**
   * For index 0, the array that colours the surface. An array of the other association than that of the contoured array
   * is refused with a warning: the surface has one colour then.
   */
  void SetInputArrayToProcess(int index, int port, int connection, int association, const char* name) override;

  /**
   * Returns how this process drew the last frame: vtkVulkanIsosurfaceMapper::GetDrawnByText(), or "outline" or
   * "nothing" with the reason.
   */
  const char* GetDrawnBy();

  ///@{
  /**
   * Numbers of triangles and points that this process drew in the last frame.
   */
  vtkIdType GetNumberOfTriangles() { return this->Surface->GetNumberOfTriangles(); }
  vtkIdType GetNumberOfPoints() { return this->Surface->GetNumberOfPoints(); }
  ///@}

  ///@{
  /**
   * The last extraction of this process, which made the surface of the last frame: as of vtkVulkanMarchingCubes.
   */
  const char* GetUsedDevice() { return this->GetContour()->GetUsedDevice(); }
  const char* GetFallbackReason() { return this->GetContour()->GetFallbackReason(); }
  const char* GetNote() { return this->GetContour()->GetNote(); }
  double GetTotalTime() { return this->GetContour()->GetTotalTime(); }
  vtkStringArray* GetStageNames() { return this->GetContour()->GetStageNames(); }
  vtkDoubleArray* GetStageTimes() { return this->GetContour()->GetStageTimes(); }
  vtkIdType GetDeviceMemory() { return this->GetContour()->GetDeviceMemory(); }
  vtkIdType GetNumberOfActiveBricks() { return this->GetContour()->GetNumberOfActiveBricks(); }
  vtkIdType GetNumberOfBricks() { return this->GetContour()->GetNumberOfBricks(); }
  vtkDoubleArray* GetSurfaceArea() { return this->GetContour()->GetSurfaceArea(); }
  vtkDoubleArray* GetEnclosedVolume() { return this->GetContour()->GetEnclosedVolume(); }
  vtkDoubleArray* GetOpenEdges() { return this->GetContour()->GetOpenEdges(); }
  vtkDoubleArray* GetSurfaceCentroid() { return this->GetContour()->GetSurfaceCentroid(); }
  vtkDoubleArray* GetSurfaceBounds() { return this->GetContour()->GetSurfaceBounds(); }
  vtkDoubleArray* GetVolumeAbove() { return this->GetContour()->GetVolumeAbove(); }
  vtkDoubleArray* GetShareOfDomain() { return this->GetContour()->GetShareOfDomain(); }
  vtkDoubleArray* GetNumberOfRegions() { return this->GetContour()->GetNumberOfRegions(); }
  ///@}

  ///@{
  /**
   * The devices of this process, as of vtkVulkanMarchingCubes. Empty until the representation has been visible:
   * ParaView asks for them when it shows an image in any way, and the first answer takes up to a second.
   */
  vtkStringArray* GetDeviceNames();
  vtkStringArray* GetDeviceKinds();
  ///@}

  int ProcessViewRequest(vtkInformationRequestKey* request, vtkInformation* in, vtkInformation* out) override;
  void SetVisibility(bool visible) override;

  /**
   * Does nothing: the arrays are those of a selection. That of the superclass needs its own mapper.
   */
  void SetArrayIdNames(const char*, const char*) override {}

  /**
   * The data.
   */
  vtkDataObject* GetRenderedDataObject(int port) override;

protected:
  vtkVulkanIsosurfaceRepresentation();
  ~vtkVulkanIsosurfaceRepresentation() override;

  int RequestUpdateExtent(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;
  int RequestData(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;
  bool AddToView(vtkView* view) override;
  void UpdateColoringParameters() override;

private:
  vtkVulkanIsosurfaceRepresentation(const vtkVulkanIsosurfaceRepresentation&) = delete;
  void operator=(const vtkVulkanIsosurfaceRepresentation&) = delete;

  void OnExtractionError(vtkObject* caller, unsigned long event, void* text);

  // Sets the array that colours the surface in the superclass, or none if its association differs.
  void ChooseColors();

  // Keeps the data, with their bounds and their outline. info: of the input.
  void TakeData(vtkDataObject* input, vtkInformation* info);

  // Each handles one pass of the view.
  void PassData(vtkInformation* in, vtkInformation* out);
  void PrepareToDraw(vtkInformation* in);

  vtkVulkanMarchingCubes* GetContour() { return this->Surface->GetContour(); }

  class Internals;
  vtkNew<vtkVulkanIsosurfaceMapper> Surface;
  std::unique_ptr<Internals> Impl;
};

#endif
