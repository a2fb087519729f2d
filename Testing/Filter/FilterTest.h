// The fixture of the filter's tests, and the images that they contour.
#ifndef FilterTest_h
#define FilterTest_h

#include "vtkImageData.h"
#include "vtkNew.h"
#include "vtkPolyData.h"
#include "vtkSmartPointer.h"
#include "vtkVulkanMarchingCubes.h"

#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <map>
#include <string>
#include <vector>

// A value for each cell: of its number along each axis.
using CellValue = std::function<double(int, int, int)>;

// An image of so many cells with active cell data "samples" of the VTK type.
vtkSmartPointer<vtkImageData> CellImage(const std::array<int, 3>& cells, int type, const CellValue& value);

// Gives the cells one more array of float, with this value in every component.
vtkSmartPointer<vtkDataArray> AddConstant(vtkImageData* image, const char* name, int components, double value);

// Values over [0, 100], the same on every machine.
CellValue Noise();
// A ball around the middle of 24^3 cells: 100 in the middle, 50 at radius 8. The values are exact in float.
CellValue Ball();

// A filter with Fallback Error whose errors and warnings are kept. Without a device the test is skipped.
class FilterTest : public testing::Test
{
protected:
  void SetUp() override;

  // The filter's output for one isovalue.
  vtkPolyData* run(vtkImageData* image, double isovalue);

  // What the filter has said so far.
  const std::vector<std::string>& errors();
  const std::vector<std::string>& warnings();

  vtkNew<vtkVulkanMarchingCubes> Filter;

private:
  std::map<unsigned long, std::vector<std::string>> Said; // [event]
};

void ExpectSameCounts(vtkPolyData* mesh, vtkPolyData* reference);

// The largest part of a cell by which points may differ from FlyingEdges': float positions of either side, at
// coordinates below 64.
constexpr double PositionTolerance = 1e-5;

std::string BytesOf(vtkDataArray* array);
// Of points, normals and connectivity.
std::string BytesOf(vtkPolyData* mesh);

#endif
