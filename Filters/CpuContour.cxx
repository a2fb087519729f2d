#include "CpuContour.h"

#include "vtkAppendPolyData.h"
#include "vtkArrayDispatch.h"
#include "vtkCellArray.h"
#include "vtkCleanPolyData.h"
#include "vtkDataArrayRange.h"
#include "vtkDoubleArray.h"
#include "vtkFloatArray.h"
#include "vtkFlyingEdges3D.h"
#include "vtkIdList.h"
#include "vtkMath.h"
#include "vtkNew.h"
#include "vtkPointData.h"
#include "vtkPoints.h"
#include "vtkPolyData.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>

namespace
{

// The name that an attribute has in the meantime: neither that of the samples, than which it is longer, nor that of an
// array that FlyingEdges makes, none of which ends in a digit.
std::string passingName(const ImageSamples& samples, std::size_t attribute)
{
  const char* name = samples.scalars->GetName();
  return (name ? name : "") + std::to_string(attribute);
}

// An image in index space whose points are the samples, with the attributes under passing names. setSamples gives it
// the scalars.
vtkSmartPointer<vtkImageData> dualImage(const ImageSamples& samples)
{
  auto image = vtkSmartPointer<vtkImageData>::New();
  image->SetDimensions(sampleDimensions(samples).data());
  for (std::size_t i = 0; i < samples.attributes.size(); ++i)
  {
    vtkNew<vtkFloatArray> values; // as the Vulkan way gives them
    values->DeepCopy(samples.attributes[i]);
    values->SetName(passingName(samples, i).c_str());
    image->GetPointData()->AddArray(values);
  }
  return image;
}

// Finds all arrays before it renames the first: an attribute may have the passing name of another.
void renameAttributes(const ImageSamples& samples, vtkPolyData* mesh)
{
  std::vector<vtkDataArray*> attributes;
  for (std::size_t i = 0; i < samples.attributes.size(); ++i)
    attributes.push_back(mesh->GetPointData()->GetArray(passingName(samples, i).c_str()));
  for (std::size_t i = 0; i < samples.attributes.size(); ++i)
    if (attributes[i])
    {
      attributes[i]->SetName(samples.attributes[i]->GetName());
      attributes[i]->CopyComponentNames(samples.attributes[i]);
    }
}

// Integers of at least 32 bits: FlyingEdges subtracts samples in their own type, where these wrap around, and compares
// them with the isovalue as doubles, which do not hold all of 64 bits.
bool isWideInteger(vtkDataArray* array)
{
  return array->GetDataTypeSize() >= 4 && array->GetDataType() != VTK_FLOAT && array->GetDataType() != VTK_DOUBLE;
}

// Samples less a whole number, as doubles. What is below, equal or above stays so, as rounding keeps order and 0.
struct SubtractBase
{
  template <class Array>
  void operator()(Array* samples, double base, vtkDoubleArray* differences)
  {
    using Value = vtk::GetAPIType<Array>;
    if constexpr (std::is_integral<Value>::value)
    {
      const auto values = vtk::DataArrayValueRange<1>(samples);
      const auto whole = static_cast<Value>(base);
      const auto difference = [whole](Value value)
      {
        const auto a = static_cast<std::uint64_t>(value), b = static_cast<std::uint64_t>(whole);
        return value < whole ? -static_cast<double>(b - a) : static_cast<double>(a - b);
      };
      std::transform(values.begin(), values.end(), differences->GetPointer(0), difference);
    }
  }
};

// Puts the samples into the image so that FlyingEdges sees them right, and tells the isovalue that stands for the given
// one among them.
double setSamples(vtkImageData* dual, vtkDataArray* samples, double isovalue)
{
  dual->GetPointData()->SetScalars(samples);
  const double low = samples->GetDataTypeMin(), high = samples->GetDataTypeMax();
  if (!isWideInteger(samples))
    return isovalue;
  vtkNew<vtkDoubleArray> differences;
  differences->SetNumberOfValues(samples->GetNumberOfTuples());
  dual->GetPointData()->SetScalars(differences);
  // As a double, the largest 64-bit integer is the first one that does not fit.
  const bool fits = isovalue >= low && (samples->GetDataTypeSize() == 8 ? isovalue < high : isovalue <= high);
  if (!fits)
  {
    differences->FillValue(0);
    return std::numeric_limits<double>::infinity(); // no sample, or every one, is inside: no surface
  }
  const double base = std::floor(isovalue);
  vtkArrayDispatch::Dispatch::Execute(samples, SubtractBase(), base, differences.Get());
  return isovalue - base;
}

// Whether the dual cell that holds a triangle of index space touches a NaN. A triangle lies within one dual cell.
bool touchesNan(vtkPolyData* mesh, const vtkIdType* corners, vtkImageData* dual)
{
  double centre[3] = { 0, 0, 0 };
  for (int corner = 0; corner < 3; ++corner)
    for (int c = 0; c < 3; ++c)
      centre[c] += mesh->GetPoint(corners[corner])[c] / 3;
  if (std::isnan(centre[0] + centre[1] + centre[2]))
    return true;
  int dimensions[3];
  dual->GetDimensions(dimensions);
  int first[3];
  for (int c = 0; c < 3; ++c)
    first[c] = std::min(static_cast<int>(centre[c]), dimensions[c] - 2);
  for (int corner = 0; corner < 8; ++corner)
    if (std::isnan(dual->GetScalarComponentAsDouble(
          first[0] + (corner & 1), first[1] + (corner >> 1 & 1), first[2] + (corner >> 2), 0)))
      return true;
  return false;
}

bool hasNan(vtkDataArray* array)
{
  if (array->GetDataType() != VTK_FLOAT && array->GetDataType() != VTK_DOUBLE)
    return false;
  const auto values = vtk::DataArrayValueRange<1>(array);
  return std::any_of(values.begin(), values.end(), [](double value) { return std::isnan(value); });
}

// FlyingEdges takes a NaN for a sample below: without the triangles that this makes, and the points that only they use.
vtkSmartPointer<vtkPolyData> withoutNan(vtkPolyData* mesh, vtkImageData* dual)
{
  vtkNew<vtkCellArray> kept;
  vtkIdType count = 0;
  const vtkIdType* corners = nullptr;
  for (vtkIdType cell = 0; cell < mesh->GetPolys()->GetNumberOfCells(); ++cell)
  {
    mesh->GetPolys()->GetCellAtId(cell, count, corners);
    if (!touchesNan(mesh, corners, dual))
      kept->InsertNextCell(count, corners);
  }
  mesh->SetPolys(kept);
  vtkNew<vtkCleanPolyData> clean;
  clean->PointMergingOff(); // but takes unused points away
  clean->SetInputData(mesh);
  clean->Update();
  return clean->GetOutput();
}

// Along one axis, in values a step: central, but one-sided at the border and beside a NaN, as the device has it.
double derivative(vtkImageData* dual, const std::array<int, 3>& at, int axis)
{
  double ends[2], steps = 0;
  for (const int side : { 0, 1 })
  {
    std::array<int, 3> neighbour = at;
    neighbour[axis] += side == 0 ? -1 : 1;
    const bool isThere = neighbour[axis] >= 0 && neighbour[axis] < dual->GetDimensions()[axis];
    ends[side] = isThere ? dual->GetScalarComponentAsDouble(neighbour[0], neighbour[1], neighbour[2], 0) : std::nan("");
    steps += std::isnan(ends[side]) ? 0 : 1;
    if (std::isnan(ends[side]))
      ends[side] = dual->GetScalarComponentAsDouble(at[0], at[1], at[2], 0);
  }
  return steps == 0 ? 0 : (ends[1] - ends[0]) / steps;
}

// An edge between two samples, or one sample.
struct Edge
{
  std::array<int, 3> low, high;
  double fraction = 0; // of the way from low to high
};

// That a point of index space lies on: only one of its coordinates is no integer.
Edge edgeOf(const double* point)
{
  Edge edge;
  for (int c = 0; c < 3; ++c)
  {
    edge.low[c] = static_cast<int>(point[c]);
    edge.high[c] = static_cast<int>(std::ceil(point[c]));
    edge.fraction += point[c] - edge.low[c];
  }
  return edge;
}

// In index space.
std::array<double, 3> gradientOnEdge(vtkImageData* dual, const Edge& edge)
{
  std::array<double, 3> gradient;
  for (int axis = 0; axis < 3; ++axis)
    gradient[axis] =
      (1 - edge.fraction) * derivative(dual, edge.low, axis) + edge.fraction * derivative(dual, edge.high, axis);
  return gradient;
}

double sampleAt(vtkImageData* dual, const std::array<int, 3>& at)
{
  return dual->GetScalarComponentAsDouble(at[0], at[1], at[2], 0);
}

// FlyingEdges makes points of float, in index space. Here the place on the crossed edge is found again in double. Where
// float does not tell a point from a sample, it stays: its edge is not known.
vtkSmartPointer<vtkPoints> pointsOfDouble(vtkPoints* points, vtkImageData* dual, double isovalue)
{
  auto result = vtkSmartPointer<vtkPoints>::New();
  result->SetDataTypeToDouble();
  result->SetNumberOfPoints(points->GetNumberOfPoints());
  for (vtkIdType p = 0; p < points->GetNumberOfPoints(); ++p)
  {
    std::array<double, 3> place;
    points->GetPoint(p, place.data());
    const Edge edge = edgeOf(place.data());
    const double low = sampleAt(dual, edge.low);
    const double fraction = (isovalue - low) / (sampleAt(dual, edge.high) - low);
    for (int c = 0; c < 3; ++c)
      if (edge.low[c] != edge.high[c] && fraction >= 0 && fraction <= 1) // not infinite or NaN
        place[c] = edge.low[c] + fraction;
    result->SetPoint(p, place.data());
  }
  return result;
}

// FlyingEdges' slopes take a NaN for a value. These do not; the mesh is in index space.
void renewSlopes(vtkPolyData* mesh, vtkImageData* dual)
{
  vtkDataArray* normals = mesh->GetPointData()->GetNormals();
  vtkDataArray* gradients = mesh->GetPointData()->GetArray("Gradients");
  if (!normals && !gradients)
    return;
  for (vtkIdType p = 0; p < mesh->GetNumberOfPoints(); ++p)
  {
    std::array<double, 3> slope = gradientOnEdge(dual, edgeOf(mesh->GetPoint(p)));
    if (gradients)
      gradients->SetTuple(p, slope.data());
    vtkMath::Normalize(slope.data());
    if (normals)
      normals->SetTuple3(p, -slope[0], -slope[1], -slope[2]);
  }
}

void toWorld(vtkPolyData* mesh, const vmc::IndexToWorld& geometry)
{
  const auto& axis = geometry.axis;
  for (auto point : vtk::DataArrayTupleRange<3>(mesh->GetPoints()->GetData()))
  {
    const double i = point[0], j = point[1], k = point[2];
    for (int c = 0; c < 3; ++c)
      point[c] = geometry.origin[c] + i * axis[0][c] + j * axis[1][c] + k * axis[2][c];
  }
  double matrix[3][3];
  for (int c = 0; c < 3; ++c)
    for (int a = 0; a < 3; ++a)
      matrix[c][a] = axis[a][c];
  vtkMath::Invert3x3(matrix, matrix);
  vtkMath::Transpose3x3(matrix, matrix);
  for (const char* name : { "Normals", "Gradients" }) // FlyingEdges' own: see passingName
    if (vtkDataArray* array = mesh->GetPointData()->GetArray(name))
      for (auto slope : vtk::DataArrayTupleRange<3>(array))
      {
        const double inIndexSpace[3] = { slope[0], slope[1], slope[2] };
        double world[3];
        vtkMath::Multiply3x3(matrix, inIndexSpace, world);
        if (array == mesh->GetPointData()->GetNormals())
          vtkMath::Normalize(world);
        std::copy(world, world + 3, slope.begin());
      }
}

void reverseTriangles(vtkPolyData* mesh)
{
  for (vtkIdType cell = 0; cell < mesh->GetPolys()->GetNumberOfCells(); ++cell)
    mesh->GetPolys()->ReverseCellAtId(cell);
}

// A copy in which every triangle has three points of its own.
vtkSmartPointer<vtkPolyData> withOwnCorners(vtkPolyData* mesh)
{
  auto result = vtkSmartPointer<vtkPolyData>::New();
  vtkDataArray* ids = mesh->GetPolys()->GetConnectivityArray();
  const vtkIdType corners = ids->GetNumberOfTuples();
  vtkNew<vtkIdList> from, to;
  from->SetNumberOfIds(corners);
  to->SetNumberOfIds(corners);
  vtkNew<vtkCellArray> cells;
  for (vtkIdType corner = 0; corner < corners; ++corner)
  {
    from->SetId(corner, static_cast<vtkIdType>(ids->GetComponent(corner, 0)));
    to->SetId(corner, corner);
    if (corner % 3 == 0)
      cells->InsertNextCell({ corner, corner + 1, corner + 2 });
  }
  vtkNew<vtkPoints> points;
  points->SetDataType(mesh->GetPoints()->GetDataType());
  points->SetNumberOfPoints(corners);
  points->GetData()->InsertTuples(to, from, mesh->GetPoints()->GetData());
  result->SetPoints(points);
  result->SetPolys(cells);
  result->GetPointData()->CopyAllOn();
  result->GetPointData()->CopyAllocate(mesh->GetPointData(), corners);
  result->GetPointData()->CopyData(mesh->GetPointData(), from, to);
  return result;
}

}

std::string obstacleOnCpu(const ImageSamples& samples)
{
  if (!samples.padding.isEmpty())
    return "vtkFlyingEdges3D cannot extend or close the surface at the border.";
  if (!samples.ghosts.empty())
    return "vtkFlyingEdges3D cannot leave out ghost cells.";
  const double determinant = geometryOfSamples(samples).determinant();
  if (determinant == 0 || !std::isfinite(determinant))
    return "The determinant of the image's spacing and direction is " + std::to_string(determinant) +
           "; it must be finite and not 0.";
  return "";
}

std::vector<std::size_t> contourOnCpu(
  const ImageSamples& samples, const CpuContourOptions& options, vtkPolyData* output)
{
  const vmc::IndexToWorld geometry = geometryOfSamples(samples);
  const vtkSmartPointer<vtkImageData> dual = dualImage(samples);
  const bool nan = hasNan(samples.scalars);
  vtkNew<vtkFlyingEdges3D> contour;
  contour->SetInputData(dual);
  contour->SetComputeNormals(options.computeNormals);
  contour->SetComputeGradients(options.computeGradients);
  contour->ComputeScalarsOff();
  contour->SetInterpolateAttributes(!samples.attributes.empty());
  vtkNew<vtkAppendPolyData> append;
  append->SetOutputPointsPrecision(
    options.doublePoints ? vtkAlgorithm::DOUBLE_PRECISION : vtkAlgorithm::SINGLE_PRECISION);
  std::vector<std::size_t> firstPoint{ 0 };
  for (const double isovalue : options.isovalues)
  {
    if (options.goOn && !options.goOn(double(firstPoint.size() - 1) / options.isovalues.size()))
      return { 0 };
    const double value = setSamples(dual, samples.scalars, isovalue);
    contour->SetValue(0, value);
    contour->Update();
    vtkSmartPointer<vtkPolyData> part = vtkSmartPointer<vtkPolyData>::New();
    part->DeepCopy(contour->GetOutput());
    part->GetPointData()->SetScalars(nullptr); // FlyingEdges makes an array without values if the samples have no name
    if (nan)
    {
      part = withoutNan(part, dual);
      renewSlopes(part, dual);
    }
    if (part->GetNumberOfPolys() != 0)
    {
      if (options.doublePoints)
        part->SetPoints(pointsOfDouble(part->GetPoints(), dual, value));
      toWorld(part, geometry);
      if (geometry.determinant() < 0)
        reverseTriangles(part);
      append->AddInputData(options.mergePoints ? part : withOwnCorners(part));
    }
    const auto points = options.mergePoints ? part->GetNumberOfPoints() : 3 * part->GetNumberOfPolys();
    firstPoint.push_back(firstPoint.back() + static_cast<std::size_t>(points));
  }
  if (append->GetNumberOfInputConnections(0) != 0)
  {
    append->Update();
    output->ShallowCopy(append->GetOutput());
    renameAttributes(samples, output);
  }
  return firstPoint;
}
