// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
/**
 * @class   vtkVulkanIsosurfaceMapper
 * @brief   draws isosurfaces of images and blocks from memory of the Vulkan device, from host memory, or by rays
 *
 * The input is vtkImageData, vtkRectilinearGrid, or a composite data set of them, whose blocks are joined. The mapper
 * extracts the isosurfaces when it draws, with the settings of a vtkVulkanMarchingCubes of its own (GetContour). It can
 * draw them in three ways, and uses the first one that is possible:
 *
 * - DEVICE_MEMORY: OpenGL imports the buffers that the Vulkan device wrote. No part of the surface is copied to the
 *   host. OpenGL and Vulkan must use the same device and driver.
 * - HOST_MEMORY: The surface is downloaded, or the CPU has computed it. OpenGL copies each of its arrays in one call.
 * - POLY_DATA: The mapper draws the output of the filter as vtkPolyDataMapper does. It does so for wireframes, points
 *   and visible vertices, and for these colours: cell data, arrays that the filter computes (Normals, Gradients),
 *   arrays of more than four components, indexed lookup tables, direct scalars, unsigned char scalars in
 *   VTK_COLOR_MODE_DEFAULT, and all colours if InterpolateScalarsBeforeMapping is off. It does so, too, if the blocks
 *   of a composite data set do not lie on one lattice.
 *
 * Rays can take the place of triangles (SetSurfaceMode): per pixel, a ray finds the nearest point of the isosurface of
 * the trilinear interpolant of the samples. The time grows with the number of pixels, not of triangles, and there is no
 * mesh that needs memory. Rays also draw a surface that does not fit in memory that the device exports. While the
 * window's desired update rate is at least MovingRate, the picture has fewer pixels if it would take too long. A
 * picture of rays writes depth, as triangles do. It shows the front of a translucent surface only, and always smooth
 * normals. Triangles are drawn in place of rays where rays cannot be: for POLY_DATA, rectilinear grids and composite
 * data sets, visible edges, clipping planes, culling, a backface property, coats and anisotropy of PBR, more than 256
 * isovalues with colours, and if the mapper is static.
 *
 * Shaders, lights, clipping planes, depth peeling and colours are those of vtkOpenGLPolyDataMapper. Colours come from
 * the same settings as for vtkPolyDataMapper with the output of the filter: ScalarVisibility, ScalarMode,
 * SelectColorArray, LookupTable. InterpolateScalarsBeforeMapping is on by default, and ColorMode is
 * VTK_COLOR_MODE_MAP_SCALARS. The scalars of the filter are the isovalues. Another array of the input is interpolated
 * to the surface if it is selected by name in the mode VTK_SCALAR_MODE_USE_POINT_FIELD_DATA; it must have the
 * association (cells or points) of the contoured array.
 *
 * The bounds are those of the input. Nothing is drawn without an input, or if it has another type.
 *
 * @warning
 * The surface has no pickable points or cells, except as POLY_DATA.
 *
 * @sa
 * vtkVulkanMarchingCubes vtkOpenGLPolyDataMapper
 */
#ifndef vtkVulkanIsosurfaceMapper_h
#define vtkVulkanIsosurfaceMapper_h

#include "vtkOpenGLPolyDataMapper.h"
#include "vtkVulkanMarchingCubesRenderingModule.h" // export macro

#include <map>    // for ReplaceShaderTCoord
#include <memory> // for the implementation
#include <string> // for reasons

class vtkDataObject;
class vtkVulkanMarchingCubes;

class VTKVULKANMARCHINGCUBESRENDERING_EXPORT vtkVulkanIsosurfaceMapper : public vtkOpenGLPolyDataMapper
{
public:
  static vtkVulkanIsosurfaceMapper* New();
  vtkTypeMacro(vtkVulkanIsosurfaceMapper, vtkOpenGLPolyDataMapper);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  ///@{
  /**
   * The data to contour, or the algorithm that makes them. GetContouredData returns null if the mapper cannot draw
   * them.
   */
  void SetInputData(vtkDataObject* data);
  using Superclass::SetInputConnection;
  void SetInputConnection(int port, vtkAlgorithmOutput* data) override;
  vtkDataObject* GetContouredData();
  ///@}

  /**
   * The filter with the settings of the extraction: isovalues, array, component, boundary, normals, device, memory
   * limit, fallback. Its times and counts are those of the last extraction. Its input is the mapper's; its output is
   * empty unless DrawnBy is POLY_DATA. The mapper sets its InterpolateAttributes and JoinBlocks.
   */
  vtkVulkanMarchingCubes* GetContour();

  enum DrawingPath
  {
    NOT_DRAWN = 0,
    DEVICE_MEMORY = 1,
    HOST_MEMORY = 2,
    POLY_DATA = 3,
    RAYS = 4
  };

  /**
   * How the last frame was drawn: one of DrawingPath. NOT_DRAWN before the first frame, after ReleaseSurface, without
   * data, after an error, and without isovalues.
   */
  int GetDrawnBy() const { return this->DrawnBy; }
  /**
   * DrawnBy as text, with the reason if it is not DEVICE_MEMORY, or if triangles take the place of rays. Rays have a
   * reason if their picture passes through the host. Owned by the mapper.
   */
  const char* GetDrawnByText();

  ///@{
  /**
   * The first way of drawing to try. Default: DEVICE_MEMORY.
   */
  vtkSetClampMacro(FirstPath, int, DEVICE_MEMORY, POLY_DATA);
  vtkGetMacro(FirstPath, int);
  ///@}

  /**
   * The surface is drawn by triangles, by rays, or by rays in moving frames and triangles in still ones.
   */
  enum SurfaceModes
  {
    TRIANGLES = 0,
    ONLY_RAYS = 1,
    RAYS_WHILE_MOVING = 2
  };

  ///@{
  /**
   * The mode of drawing, one of SurfaceModes. Default: TRIANGLES.
   */
  vtkSetClampMacro(SurfaceMode, int, TRIANGLES, RAYS_WHILE_MOVING);
  vtkGetMacro(SurfaceMode, int);
  ///@}

  /**
   * A frame is a moving one if vtkRenderWindow::GetDesiredUpdateRate() is at least this, in frames per second.
   * Interactor styles and ParaView set that rate during an interaction.
   */
  static constexpr double MovingRate = 1;

  ///@{
  /**
   * Points and triangles of the last frame; 0 before the first one, and if rays drew it.
   */
  vtkIdType GetNumberOfPoints() const { return this->NumberOfPoints; }
  vtkIdType GetNumberOfTriangles() const { return this->NumberOfTriangles; }
  ///@}

  /**
   * Rays of the last frame; 0 if triangles were drawn.
   */
  vtkIdType GetNumberOfRays() const { return this->NumberOfRays; }

  /**
   * Frees the surface in device and host memory. The samples stay on the device. The next frame extracts the surface
   * again.
   */
  void ReleaseSurface();

  double* GetBounds() VTK_SIZEHINT(6) override;
  void GetBounds(double bounds[6]) override { this->Superclass::GetBounds(bounds); }
  bool HasTranslucentPolygonalGeometry() override;
  bool GetSupportsSelection() override;
  void RenderPiece(vtkRenderer* renderer, vtkActor* actor) override;
  void ReleaseGraphicsResources(vtkWindow* window) override;

  /**
   * Reports an error: the settings of the filter cannot be copied.
   */
  void ShallowCopy(vtkAbstractMapper* mapper) override;

protected:
  vtkVulkanIsosurfaceMapper();
  ~vtkVulkanIsosurfaceMapper() override;

  void BuildBufferObjects(vtkRenderer* renderer, vtkActor* actor) override;
  void UpdateCameraShiftScale(vtkRenderer* renderer, vtkActor* actor) override;
  void ReplaceShaderValues(
    std::map<vtkShader::Type, vtkShader*> shaders, vtkRenderer* renderer, vtkActor* actor) override;
  void ReplaceShaderTCoord(
    std::map<vtkShader::Type, vtkShader*> shaders, vtkRenderer* renderer, vtkActor* actor) override;
  void SetMapperShaderParameters(vtkOpenGLHelper& cellBO, vtkRenderer* renderer, vtkActor* actor) override;

private:
  vtkVulkanIsosurfaceMapper(const vtkVulkanIsosurfaceMapper&) = delete;
  void operator=(const vtkVulkanIsosurfaceMapper&) = delete;

  class Internals;

  // Returns whether the input makes data that the mapper can draw.
  bool HasData();
  // Requests the mapper's piece of the filter.
  void RequestPiece();
  void UpdateData();

  // The best way of drawing, and the reason why it is not DEVICE_MEMORY.
  DrawingPath ChoosePath(vtkActor* actor, std::string& reason);
  // The reason why only VTK can draw with these settings of the actor and of the colours; empty if there is none.
  std::string ObstacleToBuffers(vtkActor* actor);
  bool IsColouredByArray() const;
  // The reason why triangles are drawn also if rays are requested; empty if there is none.
  std::string ObstacleToRays(vtkActor* actor);

  // Each is part of a frame: the context is current.
  void DrawSurface(vtkRenderer* renderer, vtkActor* actor);
  void DrawPicture(vtkRenderer* renderer, vtkActor* actor);
  void UpdateSurface(vtkRenderer* renderer, vtkActor* actor);
  void ChooseRays(vtkRenderer* renderer, vtkActor* actor);
  void UpdatePolyData();
  void UpdateDrawing();
  void BeginBuild();
  void BuildFromSurface();
  void BuildFromPicture();
  void BuildFromOutput();
  void UseAttached();
  void UpdateColourTexture();
  void ReleaseBuffers();
  void SetNotDrawn(const std::string& reason);
  // Returns the number of components of the values for colours; 0: none.
  std::uint32_t GetValueComponents() const;
  // GLSL code of one number per point from the values at the points.
  std::string ValueInShader() const;
  // GLSL code that computes the coordinate `name` in the texture of colours from the values.
  std::string ColourCoordinateInShader(const std::string& name) const;

  std::unique_ptr<Internals> Impl;
  int DrawnBy = NOT_DRAWN;
  int FirstPath = DEVICE_MEMORY;
  int SurfaceMode = TRIANGLES;
  vtkIdType NumberOfPoints = 0, NumberOfTriangles = 0, NumberOfRays = 0;
};

#endif
