// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The fixture of tests of the filter, and the images that these tests contour.
#ifndef FilterTest_h
#define FilterTest_h

#include "Support/Contains.h"

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

// The value of a cell from its indices along each axis.
using CellValue = std::function<double(int, int, int)>;

// An image of so many cells along each axis, with active cell data "samples" of the VTK type.
vtkSmartPointer<vtkImageData> CellImage(const std::array<int, 3>& cells, int type, const CellValue& value);

// Adds a cell array of float with this value in every component.
vtkSmartPointer<vtkDataArray> AddConstant(vtkImageData* image, const char* name, int components, double value);

// A ghost array of so many cells or points. `flag` returns the flag of each.
vtkSmartPointer<vtkDataArray> GhostArray(vtkIdType count, const std::function<int(vtkIdType)>& flag);

// Random integers in [0, 100], the same on every machine.
CellValue Noise();
// A ball around the middle of 24^3 cells: 100 in the middle, 50 at radius 8. The values are exact in float.
CellValue Ball();

// Returns whether the environment variable VMC_DEVICE selects the CPU for this run of the tests, not a Vulkan device.
bool IsRunOnCpu();

// Returns whether the machine has a Vulkan device that the filter can use.
bool HasVulkanDevice();
constexpr const char* NoVulkanDevice = "No usable Vulkan device.";

// Returns whether this is what a filter reports as UsedDevice for the CPU: "CPU, 2 threads".
bool IsCpu(const std::string& usedDevice);

// Has a filter with Fallback Error, and keeps its errors and warnings. Runs on a Vulkan device, without one the test is
// skipped, or on the CPU (see IsRunOnCpu).
class FilterTest : public testing::Test
{
protected:
  void SetUp() override;

  // Runs the filter at one isovalue. Returns its output.
  vtkPolyData* run(vtkImageData* image, double isovalue);
  // The same as a deep copy, which later runs do not change.
  vtkSmartPointer<vtkPolyData> runAndCopy(vtkImageData* image, double isovalue);

  // The messages of the filter so far.
  const std::vector<std::string>& errors();
  const std::vector<std::string>& warnings();

  // Returns whether the last run was on the device of this run of the tests.
  bool hasRunOnItsDevice();

  vtkNew<vtkVulkanMarchingCubes> Filter;

private:
  std::map<unsigned long, std::vector<std::string>> Messages; // [event]
};

// A memory limit in MiB, of one byte: with Fallback CPU, the CPU computes the surface.
constexpr double NoDeviceMemory = 1e-6;

void ExpectSameCounts(vtkPolyData* mesh, vtkPolyData* reference);

// The largest distance, in cells, from a point to that of FlyingEdges: both round positions to float, at coordinates
// below 64.
constexpr double PositionTolerance = 1e-5;

// The timed stages of the last execution, in milliseconds, and their sum.
std::map<std::string, double> StagesOf(vtkVulkanMarchingCubes* filter);
double SumOf(const std::map<std::string, double>& stages);

std::string BytesOf(vtkDataArray* array);
// The bytes of points, normals and connectivity.
std::string BytesOf(vtkPolyData* mesh);

#endif
