#include "PolyDataFromMesh.h"

#include "Compute/Contour/TriangleOffsets.h"
#include "Compute/System/Parallel.h"

#include "vtkArrayDispatch.h"
#include "vtkCellArray.h"
#include "vtkCellData.h"
#include "vtkDataArrayRange.h"
#include "vtkDoubleArray.h"
#include "vtkFloatArray.h"
#include "vtkIdTypeArray.h"
#include "vtkNew.h"
#include "vtkPointData.h"
#include "vtkPoints.h"
#include "vtkPolyData.h"
#include "vtkSMPTools.h"
#include "vtkTypeInt32Array.h"
#include "vtkTypeInt64Array.h"

#include <algorithm>
#include <limits>
#include <type_traits>

namespace
{

// The block becomes the memory of the array and goes back where it came from with it.
void giveMemory(vmc::HostBlock block, vtkIdType values, vtkDataArray* array)
{
  array->SetVoidArray(block.release(), values, 0, vtkDataArray::VTK_DATA_ARRAY_USER_DEFINED);
  array->SetArrayFreeFunction(vmc::recycle);
}

vtkSmartPointer<vtkFloatArray> floatArray(vmc::HostBlock block, int components, const char* name)
{
  auto array = vtkSmartPointer<vtkFloatArray>::New();
  array->SetNumberOfComponents(components);
  if (name)
    array->SetName(name);
  const auto values = static_cast<vtkIdType>(block.size() / sizeof(float));
  if (values != 0)
    giveMemory(std::move(block), values, array);
  return array;
}

vtkSmartPointer<vtkDataArray> pointsOf(vmc::Mesh& mesh, vmc::HostMemoryPool& blocks)
{
  if (mesh.positionsLow.size() == 0)
    return floatArray(std::move(mesh.positions), 3, "Points");
  auto points = vtkSmartPointer<vtkDoubleArray>::New();
  points->SetName("Points");
  points->SetNumberOfComponents(3);
  const auto values = static_cast<vtkIdType>(3 * mesh.pointCount);
  giveMemory(blocks.take(values * sizeof(double)), values, points);
  const auto* high = reinterpret_cast<const float*>(mesh.positions.data());
  const auto* low = reinterpret_cast<const float*>(mesh.positionsLow.data());
  double* sum = points->GetPointer(0);
  const std::array<double, 3> origin = mesh.origin;
  vtkSMPTools::For(0, values,
    [=](vtkIdType begin, vtkIdType end)
    {
      for (vtkIdType i = begin; i < end; ++i)
        sum[i] = origin[i % 3] + (double(high[i]) + low[i]);
    });
  return points;
}

vtkSmartPointer<vtkIdTypeArray> sampleIdsOf(vmc::Mesh& mesh)
{
  auto ids = vtkSmartPointer<vtkIdTypeArray>::New();
  ids->SetName("SampleIds");
  const auto count = static_cast<vtkIdType>(mesh.triangleCount);
  if (sizeof(vtkIdType) == sizeof(std::int64_t))
  {
    giveMemory(std::move(mesh.triangleCells), count, ids);
    return ids;
  }
  ids->SetNumberOfValues(count);
  const auto* cells = reinterpret_cast<const std::int64_t*>(mesh.triangleCells.data());
  std::copy(cells, cells + count, ids->GetPointer(0));
  return ids;
}

vtkSmartPointer<vtkCellArray> cellsOf(vmc::Mesh& mesh, vmc::HostMemoryPool& blocks)
{
  auto cells = vtkSmartPointer<vtkCellArray>::New();
  const auto ids = static_cast<vtkIdType>(3 * mesh.triangleCount);
  const auto triangles = static_cast<vtkIdType>(mesh.triangleCount);
  if (ids == 0)
    return cells;
  if (mesh.offsets.size() != 0)
  {
    vtkNew<vtkTypeInt32Array> offsets, connectivity;
    giveMemory(std::move(mesh.offsets), triangles + 1, offsets);
    giveMemory(std::move(mesh.triangles), ids, connectivity);
    cells->SetData(offsets, connectivity);
    return cells;
  }
  vtkNew<vtkTypeInt64Array> offsets, connectivity;
  giveMemory(vmc::triangleOffsets<std::int64_t>(blocks, mesh.triangleCount), triangles + 1, offsets);
  giveMemory(blocks.take(ids * sizeof(vtkTypeInt64)), ids, connectivity);
  const auto* narrow = reinterpret_cast<const std::uint32_t*>(mesh.triangles.data());
  std::copy(narrow, narrow + ids, connectivity->GetPointer(0));
  cells->SetData(offsets, connectivity);
  return cells;
}

// Values of an attribute at points, with the attribute's names.
vtkSmartPointer<vtkFloatArray> attributeArray(vmc::HostBlock block, vtkDataArray* source)
{
  const auto values = floatArray(std::move(block), source->GetNumberOfComponents(), source->GetName());
  values->CopyComponentNames(source);
  return values;
}

}

void polyDataFromMesh(vmc::Mesh mesh, const ImageSamples& samples, vmc::HostMemoryPool& blocks, vtkPolyData* output)
{
  vtkNew<vtkPoints> points;
  points->SetData(pointsOf(mesh, blocks));
  output->SetPoints(points);
  output->SetPolys(cellsOf(mesh, blocks));
  if (mesh.normals.size() != 0)
    output->GetPointData()->SetNormals(floatArray(std::move(mesh.normals), 3, "Normals"));
  if (mesh.gradients.size() != 0)
    output->GetPointData()->AddArray(floatArray(std::move(mesh.gradients), 3, "Gradients"));
  if (mesh.triangleCells.size() != 0)
    output->GetCellData()->AddArray(sampleIdsOf(mesh));
  for (std::size_t i = 0; i < mesh.attributes.size(); ++i)
    output->GetPointData()->AddArray(attributeArray(std::move(mesh.attributes[i]), samples.attributes[i].values));
}

namespace
{

// The nearest value of the type; 0 where an integer type has none.
template <class Value>
Value nearestValue(double isovalue)
{
  if constexpr (std::is_floating_point<Value>::value)
    return static_cast<Value>(isovalue); // IEEE: too large is infinite
  const double low = static_cast<double>(std::numeric_limits<Value>::lowest());
  // For 64-bit integers the largest value rounds up to the first one that does not fit.
  const double high = static_cast<double>(std::numeric_limits<Value>::max());
  const bool inRange = isovalue >= low && (sizeof(Value) == 8 ? isovalue < high : isovalue <= high);
  return inRange ? static_cast<Value>(isovalue) : Value(0);
}

// Writes every isovalue to its points; false if the array's type changed one of them.
struct FillIsovalues
{
  template <class Array>
  void operator()(
    Array* array, const std::vector<double>& isovalues, const std::vector<std::size_t>& firstPoint, bool& exact)
  {
    using Value = vtk::GetAPIType<Array>;
    Value* const values = array->GetPointer(0);
    for (std::size_t i = 0; i < isovalues.size(); ++i)
    {
      const Value value = nearestValue<Value>(isovalues[i]);
      exact = exact && static_cast<double>(value) == isovalues[i];
      Value* const first = values + firstPoint[i];
      vmc::inParallel(firstPoint[i + 1] - firstPoint[i], sizeof(Value),
        [=](std::size_t begin, std::size_t end) { std::fill(first + begin, first + end, value); });
    }
  }
};

// An array for a value at each point, in recycled memory if there is any.
vtkSmartPointer<vtkDataArray> scalarArray(int type, std::size_t points, vmc::HostMemoryPool* blocks)
{
  vtkSmartPointer<vtkDataArray> scalars;
  scalars.TakeReference(vtkDataArray::CreateDataArray(type));
  const auto values = static_cast<vtkIdType>(points);
  if (blocks && points != 0)
    giveMemory(blocks->take(points * scalars->GetDataTypeSize()), values, scalars);
  else
    scalars->SetNumberOfTuples(values);
  return scalars;
}

}

void addIsovalueScalars(const std::string& name, const std::vector<double>& isovalues,
  const std::vector<std::size_t>& firstPoint, const ImageSamples& samples, vmc::HostMemoryPool* blocks,
  vtkPolyData* output)
{
  const int type = samples.scalars ? samples.scalars->GetDataType() : VTK_DOUBLE;
  vtkSmartPointer<vtkDataArray> scalars = scalarArray(type, firstPoint.back(), blocks);
  bool exact = true;
  vtkArrayDispatch::Dispatch::Execute(scalars, FillIsovalues(), isovalues, firstPoint, exact);
  if (!exact)
  {
    scalars = scalarArray(VTK_DOUBLE, firstPoint.back(), blocks);
    FillIsovalues()(vtkDoubleArray::SafeDownCast(scalars), isovalues, firstPoint, exact);
  }
  scalars->SetName(name.empty() ? nullptr : name.c_str());
  output->GetPointData()->SetScalars(scalars);
}

void emptySurface(
  const ImageSamples& samples, const std::vector<double>& isovalues, const OutputArrays& arrays, vtkPolyData* output)
{
  output->Initialize();
  vtkNew<vtkPoints> points;
  points->SetDataType(arrays.doublePoints ? VTK_DOUBLE : VTK_FLOAT);
  output->SetPoints(points);
  output->SetPolys(vtkNew<vtkCellArray>());
  if (arrays.normals)
    output->GetPointData()->SetNormals(floatArray(vmc::HostBlock(), 3, "Normals"));
  if (arrays.gradients)
    output->GetPointData()->AddArray(floatArray(vmc::HostBlock(), 3, "Gradients"));
  for (const SampleCache::Samples& attribute : samples.attributes)
    output->GetPointData()->AddArray(attributeArray(vmc::HostBlock(), attribute.values));
  if (arrays.sampleIds)
  {
    vtkNew<vtkIdTypeArray> ids;
    ids->SetName("SampleIds");
    output->GetCellData()->AddArray(ids);
  }
  if (arrays.scalars)
    addIsovalueScalars(
      *arrays.scalars, isovalues, std::vector<std::size_t>(isovalues.size() + 1, 0), samples, nullptr, output);
}
