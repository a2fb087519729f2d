// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The scenes of the tests.
#ifndef vmcScene_h
#define vmcScene_h

#include "vtkActor.h"
#include "vtkImageData.h"
#include "vtkPolyDataMapper.h"
#include "vtkProp.h"
#include "vtkRenderer.h"
#include "vtkSmartPointer.h"
#include "vtkVulkanMarchingCubes.h"

#include <array>
#include <functional>
#include <string>
#include <vector>

namespace vmc::test
{

// The value at a position in index space: (i, j, k) for sample (i, j, k).
using SampleFormula = std::function<double(const std::array<double, 3>&)>;

// Samples along each axis of the images: three bricks and a part of a fourth one.
constexpr int Side = 28;

// An image of Side samples along each axis, with unit spacing and active scalars "samples" of the VTK type.
// association: vtkDataObject::CELL or POINT.
vtkSmartPointer<vtkImageData> imageOf(
  const SampleFormula& value, int type = VTK_FLOAT, int association = vtkDataObject::CELL);
// Adds an array of float to that association. `value` returns component c of the sample at a position.
using ComponentFormula = std::function<double(const std::array<double, 3>&, int c)>;
vtkSmartPointer<vtkDataArray> addArray(vtkImageData* image, const char* name, int components,
  const ComponentFormula& value, int association = vtkDataObject::CELL);

// A gyroid with a period of 16 samples. It has values in [-1.5, 1.5] and a surface in every brick.
double gyroid(const std::array<double, 3>& position);
// The distance to the middle of the image, inside the border up to 13.5.
double distance(const std::array<double, 3>& position);

// Turned about all axes; mirrored if asked for. Unequal spacing, and an extent that does not begin at 0.
void orient(vtkImageData* image, bool isMirrored);
// Flags a ball of cells: the gyroid's surfaces in it are not drawn.
void addGhosts(vtkImageData* image, unsigned char flag);

// A ball around (14, 14, 14), the middle of the image. That of radius 9 intersects the gyroid.
vtkSmartPointer<vtkActor> ball(double radius);
// Turns depth peeling on: exact layers.
void peelLayers(vtkRenderer* renderer);

// An isosurface and all settings of its drawing. The members that are functions set what differs from the default; they
// are called for the mapper under test and for VTK's.
struct Scene
{
  vtkSmartPointer<vtkImageData> image = imageOf(gyroid);
  vtkSmartPointer<vtkDataObject> blocks; // contoured in place of the image, in its bounds; null: the image is contoured
  std::vector<double> isovalues{ 0.2 };
  // Changes the settings of the extraction.
  std::function<void(vtkVulkanMarchingCubes*)> contour;
  // Scalar visibility is off unless this sets it.
  std::function<void(vtkPolyDataMapper*)> mapper;
  std::function<void(vtkActor*)> actor;
  // The camera sees the whole image from +x -y +z before this is called.
  std::function<void(vtkRenderer*)> view;
  // Added before the isosurface, and after it.
  std::vector<vtkSmartPointer<vtkProp>> propsBefore, propsAfter;
  // Changes the settings of the filter whose output VTK's mapper draws, also that of the mapper under test as
  // POLY_DATA.
  std::function<void(vtkVulkanMarchingCubes*)> reference;
  // Whether these colours or this representation are documented as POLY_DATA only.
  bool isOnlyPolyData = false;

  vtkDataObject* data() const { return this->blocks ? this->blocks : this->image.Get(); }
  // Sets the isovalues and what `contour` sets. Fallback is Error: a picture of the CPU's surface proves nothing.
  void setContour(vtkVulkanMarchingCubes* filter) const;
  void setMapper(vtkPolyDataMapper* drawing) const;
  // Replaces everything in the renderer, but keeps the actor if it is there. The actor may have any mapper.
  void fill(vtkRenderer* renderer, vtkActor* surface) const;
};

// A scene that is not the default one, which both triangles and rays can draw.
struct NamedScene
{
  std::string name;
  Scene scene;
  double cell = 1; // the longest side of a cell in world space
};
std::vector<NamedScene> commonScenes();

// The scene with all isovalues larger by 0.15. The gyroid's surface moves by about half a cell.
Scene withOtherIsovalues(Scene scene);

}

#endif
