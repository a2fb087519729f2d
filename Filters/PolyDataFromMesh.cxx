#include "PolyDataFromMesh.h"

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

vtkSmartPointer<vtkFloatArray> floatArray(vmc::HostBlock block, int components, const char* name)
{
  auto array = vtkSmartPointer<vtkFloatArray>::New();
  array->SetNumberOfComponents(components);
  if (name)
    array->SetName(name);
  const auto values = static_cast<vtkIdType>(block.size() / sizeof(float));
  if (values != 0) // VTK_DATA_ARRAY_FREE: the array ends the block with std::free, as HostBlock::release asks
    array->SetArray(reinterpret_cast<float*>(block.release()), values, 0, vtkFloatArray::VTK_DATA_ARRAY_FREE);
  return array;
}

vtkSmartPointer<vtkDataArray> pointsOf(vmc::Mesh& mesh)
{
  if (mesh.positionsLow.size() == 0)
    return floatArray(std::move(mesh.positions), 3, "Points");
  auto points = vtkSmartPointer<vtkDoubleArray>::New();
  points->SetName("Points");
  points->SetNumberOfComponents(3);
  points->SetNumberOfTuples(static_cast<vtkIdType>(mesh.pointCount));
  const auto* high = reinterpret_cast<const float*>(mesh.positions.data());
  const auto* low = reinterpret_cast<const float*>(mesh.positionsLow.data());
  double* sum = points->GetPointer(0);
  const std::array<double, 3> origin = mesh.origin;
  vtkSMPTools::For(0, static_cast<vtkIdType>(3 * mesh.pointCount),
    [=](vtkIdType begin, vtkIdType end)
    {
      for (vtkIdType i = begin; i < end; ++i)
        sum[i] = origin[i % 3] + (double(high[i]) + low[i]);
    });
  return points;
}

vtkSmartPointer<vtkIdTypeArray> sampleIdsOf(const vmc::Mesh& mesh)
{
  auto ids = vtkSmartPointer<vtkIdTypeArray>::New();
  ids->SetName("SampleIds");
  ids->SetNumberOfValues(static_cast<vtkIdType>(mesh.triangleCount));
  const auto* cells = reinterpret_cast<const std::int64_t*>(mesh.triangleCells.data());
  std::copy(cells, cells + mesh.triangleCount, ids->GetPointer(0));
  return ids;
}

template <class Array>
vtkSmartPointer<Array> offsetsOfTriangles(vtkIdType triangles)
{
  auto offsets = vtkSmartPointer<Array>::New();
  offsets->SetNumberOfValues(triangles + 1);
  typename Array::ValueType offset = 0;
  for (auto& value : vtk::DataArrayValueRange<1>(offsets.Get()))
  {
    value = offset;
    offset += 3;
  }
  return offsets;
}

vtkSmartPointer<vtkCellArray> cellsOf(vmc::Mesh& mesh)
{
  auto cells = vtkSmartPointer<vtkCellArray>::New();
  const auto ids = static_cast<vtkIdType>(3 * mesh.triangleCount);
  const auto triangles = static_cast<vtkIdType>(mesh.triangleCount);
  constexpr std::size_t Largest = std::numeric_limits<vtkTypeInt32>::max();
  if (ids == 0)
    return cells;
  if (3 * mesh.triangleCount <= Largest && mesh.pointCount <= Largest)
  {
    vtkNew<vtkTypeInt32Array> connectivity;
    connectivity->SetArray(
      reinterpret_cast<vtkTypeInt32*>(mesh.triangles.release()), ids, 0, vtkTypeInt32Array::VTK_DATA_ARRAY_FREE);
    cells->SetData(offsetsOfTriangles<vtkTypeInt32Array>(triangles), connectivity);
    return cells;
  }
  vtkNew<vtkTypeInt64Array> connectivity;
  connectivity->SetNumberOfValues(ids);
  const auto* narrow = reinterpret_cast<const std::uint32_t*>(mesh.triangles.data());
  std::copy(narrow, narrow + ids, connectivity->GetPointer(0));
  cells->SetData(offsetsOfTriangles<vtkTypeInt64Array>(triangles), connectivity);
  return cells;
}

}

void polyDataFromMesh(vmc::Mesh mesh, const ImageSamples& samples, vtkPolyData* output)
{
  vtkNew<vtkPoints> points;
  points->SetData(pointsOf(mesh));
  output->SetPoints(points);
  output->SetPolys(cellsOf(mesh));
  if (mesh.normals.size() != 0)
    output->GetPointData()->SetNormals(floatArray(std::move(mesh.normals), 3, "Normals"));
  if (mesh.gradients.size() != 0)
    output->GetPointData()->AddArray(floatArray(std::move(mesh.gradients), 3, "Gradients"));
  if (mesh.triangleCells.size() != 0)
    output->GetCellData()->AddArray(sampleIdsOf(mesh));
  for (std::size_t i = 0; i < mesh.attributes.size(); ++i)
  {
    vtkDataArray* source = samples.attributes[i];
    const auto values = floatArray(std::move(mesh.attributes[i]), source->GetNumberOfComponents(), source->GetName());
    for (int c = 0; c < source->GetNumberOfComponents(); ++c)
      if (const char* component = source->GetComponentName(c))
        values->SetComponentName(c, component);
    output->GetPointData()->AddArray(values);
  }
}

namespace
{

// Writes every isovalue to its points; false if the array's type changed one of them.
struct FillIsovalues
{
  template <class Array>
  void operator()(
    Array* array, const std::vector<double>& isovalues, const std::vector<std::size_t>& firstPoint, bool& exact)
  {
    using Value = vtk::GetAPIType<Array>;
    auto range = vtk::DataArrayValueRange<1>(array);
    for (std::size_t i = 0; i < isovalues.size(); ++i)
    {
      const double low = static_cast<double>(std::numeric_limits<Value>::lowest());
      // For 64-bit integers the largest value rounds up to the first one that does not fit.
      const double high = static_cast<double>(std::numeric_limits<Value>::max());
      const bool inRange =
        isovalues[i] >= low &&
        (sizeof(Value) == 8 && std::is_integral<Value>::value ? isovalues[i] < high : isovalues[i] <= high);
      const Value value = inRange ? static_cast<Value>(isovalues[i]) : Value(0);
      exact = exact && (firstPoint[i] == firstPoint[i + 1] || static_cast<double>(value) == isovalues[i]);
      std::fill(range.begin() + firstPoint[i], range.begin() + firstPoint[i + 1], value);
    }
  }
};

}

void addIsovalueScalars(const std::vector<double>& isovalues, const std::vector<std::size_t>& firstPoint,
  const ImageSamples& samples, vtkPolyData* output)
{
  vtkSmartPointer<vtkDataArray> scalars;
  scalars.TakeReference(vtkDataArray::CreateDataArray(samples.scalars->GetDataType()));
  scalars->SetNumberOfTuples(static_cast<vtkIdType>(firstPoint.back()));
  bool exact = true;
  vtkArrayDispatch::Dispatch::Execute(scalars, FillIsovalues(), isovalues, firstPoint, exact);
  if (!exact)
  {
    scalars = vtkSmartPointer<vtkDoubleArray>::New();
    scalars->SetNumberOfTuples(static_cast<vtkIdType>(firstPoint.back()));
    FillIsovalues()(vtkDoubleArray::SafeDownCast(scalars), isovalues, firstPoint, exact);
  }
  scalars->SetName(samples.array->GetName());
  output->GetPointData()->SetScalars(scalars);
}
