// What the image tests share: cell images from formulas, one execution of the filter, one comparison with a baseline.
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

// Value of a cell, from the index-space position of its centre: cell (i, j, k) sits at (i, j, k).
using CellFormula = std::function<double(const std::array<double, 3>&)>;

// An image of `cells` cells an axis, unit spacing, origin 0, with the active cell scalars "value".
vtkSmartPointer<vtkImageData> cellImage(const std::array<int, 3>& cells, const CellFormula& value);
// One value a cell of the image, in the image's order.
vtkSmartPointer<vtkFloatArray> cellArray(vtkImageData* image, const char* name, const CellFormula& value);

// The command line of one test: VTK's options (-T, -V) and the variations that CMakeLists.txt asks for.
class ImageTest
{
public:
  ImageTest(int argc, char* argv[]);

  // The isovalue to contour instead of `usual`, if --isovalue gives one: a test of the comparison itself.
  double isovalue(double usual) const;
  // --own-points: every triangle with points of its own.
  bool ownPoints() const { return this->has("--own-points"); }

  // Runs the filter. False where no surface can be compared, with the exit code in result(): no Vulkan device
  // (skipped), a warning or error, the CPU instead of a device, an empty surface. With --cpu it is the device that is
  // wrong.
  bool run(vtkVulkanMarchingCubes* filter);
  // Says why and skips.
  void skip(const std::string& reason);

  // Draws the renderer 300 x 300 pixels large and compares with the baseline of -V.
  void compare(vtkRenderer* renderer);

  int result() const { return this->Result; }

private:
  bool has(const std::string& option) const;

  int ArgumentCount;
  char** Arguments;
  int Result = 1;
};

// A renderer on a white background that looks from +x -y +z; the far sides of surfaces are not drawn, so that a surface
// that is wound the wrong way shows.
vtkSmartPointer<vtkRenderer> makeRenderer();
// Adds a surface in one colour; its actor.
vtkSmartPointer<vtkActor> addSurface(vtkRenderer* renderer, vtkPolyData* surface, const std::array<double, 3>& color);
// Adds a surface coloured by the point array of that name; its actor.
vtkSmartPointer<vtkActor> addSurface(
  vtkRenderer* renderer, vtkPolyData* surface, const char* array, vtkScalarsToColors* colors);
// The twelve edges of the image's box, where the image itself says that its corners are.
void addBox(vtkRenderer* renderer, vtkImageData* image);

}

#endif
