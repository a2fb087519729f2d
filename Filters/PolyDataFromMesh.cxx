// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "PolyDataFromMesh.h"

#include "ThreadsOfVtk.h"

#include "Compute/Contour/Outputs.h"
#include "Compute/System/Parallel.h"

#include "vtkArrayDispatch.h"
#include "vtkCellArray.h"
#include "vtkCellData.h"
#include "vtkDataArrayMeta.h"
#include "vtkDataSetAttributes.h"
#include "vtkDoubleArray.h"
#include "vtkFloatArray.h"
#include "vtkIdTypeArray.h"
#include "vtkNew.h"
#include "vtkPointData.h"
#include "vtkPoints.h"
#include "vtkPolyData.h"
#include "vtkTypeInt32Array.h"
#include "vtkTypeInt64Array.h"

#include <algorithm>
#include <cstddef>
#include <type_traits>
#include <vector>

namespace vmc::filters
{

namespace
{

// Sample ids have 64 bits.
using IdArray = std::conditional_t<sizeof(vtkIdType) == sizeof(std::int64_t), vtkIdTypeArray, vtkTypeInt64Array>;

// Makes the block the memory of the array, which releases it. An empty block leaves the array without tuples.
void setMemory(vmc::HostBlock block, vtkDataArray* array)
{
  const auto values = static_cast<vtkIdType>(block.size() / array->GetDataTypeSize());
  if (values == 0)
    return;
  array->SetVoidArray(block.release(), values, 0, vtkDataArray::VTK_DATA_ARRAY_USER_DEFINED);
  array->SetArrayFreeFunction(vmc::releaseHostMemory);
}

template <class Array>
vtkSmartPointer<Array> arrayOf(vmc::HostBlock block, int components = 1, const char* name = nullptr)
{
  auto array = vtkSmartPointer<Array>::New();
  array->SetName(name);
  array->SetNumberOfComponents(components);
  setMemory(std::move(block), array);
  return array;
}

vtkSmartPointer<vtkDataArray> pointsOf(vmc::Mesh& mesh, const vmc::Request& request, vmc::HostMemoryPool* memory)
{
  if (!request.splitPositions)
    return arrayOf<vtkFloatArray>(std::move(mesh.positions), 3, "Points");
  const std::size_t count = mesh.pointCount;
  const auto points =
    arrayOf<vtkDoubleArray>(count != 0 ? memory->acquire(3 * count * sizeof(double)) : vmc::HostBlock(), 3, "Points");
  const auto* high = reinterpret_cast<const float*>(mesh.positions.data());
  const auto* low = reinterpret_cast<const float*>(mesh.positionsLow.data());
  double* sum = points->GetPointer(0);
  const std::array<double, 3> origin = mesh.origin;
  vmc::inParallel(
    count, 3 * sizeof(double),
    [=](std::size_t begin, std::size_t end)
    {
      for (std::size_t i = begin; i < end; ++i)
        for (std::size_t c = 0; c < 3; ++c)
          sum[3 * i + c] = origin[c] + (double(high[3 * i + c]) + low[3 * i + c]);
    },
    copyThreadsOf(request));
  return points;
}

template <class Ids>
vtkSmartPointer<vtkCellArray> trianglesOf(vmc::Mesh& mesh, const vmc::Request& request)
{
  auto triangles = vtkSmartPointer<vtkCellArray>::New();
  if (mesh.triangleCount == 0)
    return triangles;
  const auto ids = arrayOf<Ids>(std::move(mesh.triangles));
  if (request.writeOffsets)
    triangles->SetData(arrayOf<Ids>(std::move(mesh.offsets)), ids);
  else
    triangles->SetData(3, ids);
  return triangles;
}

vtkSmartPointer<vtkDataArray> arrayOfOutput(vmc::Mesh& mesh, const vmc::Output& row, const ImageSamples& samples)
{
  vmc::HostBlock block = std::move(*vmc::blockOf(mesh, row));
  const int components = static_cast<int>(row.words);
  if (row.areSampleIds())
    return arrayOf<IdArray>(std::move(block), 1, row.name);
  const auto array = arrayOf<vtkFloatArray>(std::move(block), components, row.name);
  if (row.isAttribute())
  {
    vtkDataArray* source = samples.attributes[row.attribute].values;
    array->SetName(source->GetName());
    array->CopyComponentNames(source);
  }
  return array;
}

// Returns whether the value lies in the range of the array's integer type. The largest 64-bit integers, rounded to a
// double, do not.
bool isInRange(double value, vtkDataArray* integers)
{
  const double low = integers->GetDataTypeMin(), high = integers->GetDataTypeMax();
  return value >= low && (integers->GetDataTypeSize() == 8 ? value < high : value <= high);
}

// Writes every isovalue to its points. Sets `exact` to false if the array's type does not represent one of them.
struct FillIsovalues
{
  template <class Array>
  void operator()(Array* array, const vmc::Request& request, const std::vector<std::size_t>& firstPoint, bool& exact)
  {
    using Value = vtk::GetAPIType<Array>;
    const std::vector<double>& isovalues = request.isovalues;
    const unsigned threads = copyThreadsOf(request);
    Value* const values = array->GetPointer(0);
    for (std::size_t i = 0; i < isovalues.size(); ++i)
    {
      const bool fits = std::is_floating_point<Value>::value || isInRange(isovalues[i], array);
      const Value value = fits ? static_cast<Value>(isovalues[i]) : Value(0);
      exact = exact && static_cast<double>(value) == isovalues[i];
      Value* const first = values + firstPoint[i];
      vmc::inParallel(
        firstPoint[i + 1] - firstPoint[i], sizeof(Value),
        [=](std::size_t begin, std::size_t end) { std::fill(first + begin, first + end, value); }, threads);
    }
  }
};

// An array of one value per point, in memory of the pool if there is one.
vtkSmartPointer<vtkDataArray> scalarArray(int type, std::size_t points, vmc::HostMemoryPool* memory)
{
  auto scalars = vtkSmartPointer<vtkDataArray>::Take(vtkDataArray::CreateDataArray(type));
  if (memory)
    setMemory(memory->acquire(points * scalars->GetDataTypeSize()), scalars);
  else
    scalars->SetNumberOfTuples(static_cast<vtkIdType>(points));
  return scalars;
}

void addIsovalueScalars(const vmc::Request& request, const std::vector<std::size_t>& firstPoint,
  const ImageSamples& samples, vmc::HostMemoryPool* memory, vtkPolyData* output)
{
  if (!samples.nameOfScalars)
    return;
  const int type = samples.scalars.values ? samples.scalars.values->GetDataType() : VTK_DOUBLE;
  vtkSmartPointer<vtkDataArray> scalars = scalarArray(type, firstPoint.back(), memory);
  bool exact = true;
  vtkArrayDispatch::Dispatch::Execute(scalars, FillIsovalues(), request, firstPoint, exact);
  if (!exact)
  {
    scalars = scalarArray(VTK_DOUBLE, firstPoint.back(), memory);
    FillIsovalues()(vtkDoubleArray::SafeDownCast(scalars), request, firstPoint, exact);
  }
  scalars->SetName(samples.nameOfScalars->empty() ? nullptr : samples.nameOfScalars->c_str());
  output->GetPointData()->SetScalars(scalars);
}

}

void polyDataFromMesh(vmc::Mesh mesh, const vmc::Request& request, const ImageSamples& samples,
  vmc::HostMemoryPool* memory, vtkPolyData* output)
{
  mesh.attributes.resize(samples.attributes.size());
  mesh.firstPoint.resize(request.isovalues.size() + 1);
  vtkNew<vtkPoints> points;
  points->SetData(pointsOf(mesh, request, memory));
  output->SetPoints(points);
  output->SetPolys(
    mesh.hasWideIds ? trianglesOf<vtkTypeInt64Array>(mesh, request) : trianglesOf<vtkTypeInt32Array>(mesh, request));
  for (const vmc::Output& row : vmc::outputsOf(request, attributesOf(samples)))
  {
    if (!row.isArray())
      continue;
    const auto array = arrayOfOutput(mesh, row, samples);
    const bool isOfPoints = row.element == vmc::Output::Element::Point;
    output->GetAttributes(isOfPoints ? vtkDataObject::POINT : vtkDataObject::CELL)->AddArray(array);
    if (row.member == &vmc::Mesh::normals)
      output->GetPointData()->SetNormals(array);
  }
  if (request.computeRegions)
  {
    output->GetPointData()->AddArray(arrayOf<vtkTypeInt32Array>(std::move(mesh.pointRegions), 1, RegionIdName));
    output->GetCellData()->AddArray(arrayOf<vtkTypeInt32Array>(std::move(mesh.triangleRegions), 1, RegionIdName));
  }
  addIsovalueScalars(request, mesh.firstPoint, samples, memory, output);
}

}
