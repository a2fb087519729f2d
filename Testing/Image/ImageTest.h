// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Functions shared by the image tests: cell images from formulas, one execution of the filter, comparison with a
// baseline.
#ifndef vmcImageTest_h
#define vmcImageTest_h

#include "vtkActor.h"
#include "vtkFloatArray.h"
#include "vtkImageData.h"
#include "vtkRenderer.h"
#include "vtkSmartPointer.h"

#include <array>
#include <functional>
#include <string>

class vtkPolyData;
class vtkScalarsToColors;
class vtkVulkanMarchingCubes;

namespace vmc::test
{

// Exit code that CTest shows as "Skipped".
constexpr int Skipped = 125;

// Value of a cell at the index-space position of its centre: (i, j, k) for cell (i, j, k).
using CellFormula = std::function<double(const std::array<double, 3>&)>;

// An image of cells[axis] cells along each axis, unit spacing, origin 0, with the active cell scalars "value".
vtkSmartPointer<vtkImageData> cellImage(const std::array<int, 3>& cells, const CellFormula& value);
// One value per cell of the image, in the order of cell ids.
vtkSmartPointer<vtkFloatArray> cellArray(vtkImageData* image, const char* name, const CellFormula& value);

// The command line of one test: VTK's options (-T, -V) and the options that CMakeLists.txt passes.
class ImageTest
{
public:
  ImageTest(int argc, char* argv[]);

  // The isovalue of the option --isovalue if there is one, else `usual`. The option serves to test the comparison.
  double isovalue(double usual) const;
  // --own-points: every triangle has points of its own.
  bool ownPoints() const { return this->has("--own-points"); }

  // Runs the filter. Returns false if there is no surface to compare, with the exit code in result(): no Vulkan device
  // (skipped), a warning or error, the CPU instead of a device (with --cpu, a device instead of the CPU), an empty
  // surface.
  bool run(vtkVulkanMarchingCubes* filter);
  // Prints the reason and sets the result to Skipped.
  void skip(const std::string& reason);

  // Renders 300 x 300 pixels and compares them with the baseline of -V.
  void compare(vtkRenderer* renderer);

  int result() const { return this->Result; }

private:
  bool has(const std::string& option) const;

  int ArgumentCount;
  char** Arguments;
  int Result = 1;
};

// A renderer with a white background and a camera at +x -y +z. Back faces are culled, so that wrong winding is visible.
vtkSmartPointer<vtkRenderer> makeRenderer();
// Adds a surface in one colour. Returns its actor.
vtkSmartPointer<vtkActor> addSurface(vtkRenderer* renderer, vtkPolyData* surface, const std::array<double, 3>& color);
// Adds a surface coloured by the point array of that name. Returns its actor.
vtkSmartPointer<vtkActor> addSurface(
  vtkRenderer* renderer, vtkPolyData* surface, const char* array, vtkScalarsToColors* colors);
// Adds the twelve edges of the image's box, at the corners that vtkImageData computes.
void addBox(vtkRenderer* renderer, vtkImageData* image);

}

#endif
