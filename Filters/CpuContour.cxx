// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "CpuContour.h"

#include "PolyDataFromMesh.h"

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
#include "vtkStructuredData.h"
#include "vtkUnsignedCharArray.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>

namespace vmc::filters
{

namespace
{

// A temporary name for an attribute. It differs from the name of the samples, because it is longer, and from the names
// of the arrays that FlyingEdges makes, because none of them ends in a digit.
std::string passingName(const ImageSamples& samples, std::size_t attribute)
{
  const char* name = samples.scalars.values->GetName();
  return (name ? name : "") + std::to_string(attribute);
}

// An image in index space whose points are the samples. The attributes have temporary names (passingName). setSamples
// sets its scalars.
vtkSmartPointer<vtkImageData> dualImage(const ImageSamples& samples)
{
  auto image = vtkSmartPointer<vtkImageData>::New();
  image->SetDimensions(sampleDimensions(samples).data());
  for (std::size_t i = 0; i < samples.attributes.size(); ++i)
  {
    vtkNew<vtkFloatArray> values; // as from the Vulkan device
    values->DeepCopy(samples.attributes[i].values);
    values->SetName(passingName(samples, i).c_str());
    image->GetPointData()->AddArray(values);
  }
  return image;
}

// Finds all arrays before it renames the first: the name of one attribute may be the temporary name of another.
void renameAttributes(const ImageSamples& samples, vtkPolyData* mesh)
{
  std::vector<vtkDataArray*> attributes;
  for (std::size_t i = 0; i < samples.attributes.size(); ++i)
    attributes.push_back(mesh->GetPointData()->GetArray(passingName(samples, i).c_str()));
  for (std::size_t i = 0; i < samples.attributes.size(); ++i)
    if (attributes[i])
    {
      attributes[i]->SetName(samples.attributes[i].values->GetName());
      attributes[i]->CopyComponentNames(samples.attributes[i].values);
    }
}

// Whether the samples are integers of at least 32 bits. FlyingEdges subtracts samples in their own type, which may
// overflow, and compares them with the isovalue as doubles, which do not represent all 64-bit integers.
bool isWideInteger(vtkDataArray* array)
{
  return array->GetDataTypeSize() >= 4 && array->GetDataType() != VTK_FLOAT && array->GetDataType() != VTK_DOUBLE;
}

// Subtracts a whole number from the samples; the differences are doubles. Rounding keeps order and 0, so a sample below
// (equal to, above) that number gives a difference below (equal to, above) 0.
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

// Sets the samples as the scalars of the image, in a form that FlyingEdges compares exactly. Returns the isovalue that
// corresponds to the given one in that form.
double setSamples(vtkImageData* dual, vtkDataArray* samples, double isovalue)
{
  dual->GetPointData()->SetScalars(samples);
  if (!isWideInteger(samples))
    return isovalue;
  vtkNew<vtkDoubleArray> differences;
  differences->SetNumberOfValues(samples->GetNumberOfTuples());
  dual->GetPointData()->SetScalars(differences);
  if (!isInRange(isovalue, samples))
  {
    differences->FillValue(0);
    return std::numeric_limits<double>::infinity(); // no sample is inside, or every sample is: no surface
  }
  const double base = std::floor(isovalue);
  vtkArrayDispatch::Dispatch::Execute(samples, SubtractBase(), base, differences.Get());
  return isovalue - base;
}

double sampleAt(vtkImageData* dual, const std::array<int, 3>& at)
{
  return dual->GetScalarComponentAsDouble(at[0], at[1], at[2], 0);
}

// Whether some samples are NaN or infinite, or so large that their differences may be infinite.
bool hasExtremes(vtkDataArray* samples)
{
  if (samples->GetDataType() != VTK_FLOAT && samples->GetDataType() != VTK_DOUBLE)
    return false;
  const double limit = samples->GetDataTypeMax() / 4;
  const auto values = vtk::DataArrayValueRange<1>(samples);
  return std::any_of(values.begin(), values.end(), [limit](double value) { return !(std::abs(value) <= limit); });
}

// An edge between two samples that the isosurface crosses.
struct Edge
{
  std::array<int, 3> low, high;
  double fraction = 0; // of the distance from low to high
};

// Position of the isovalue between the values a and b, as a fraction of the distance from a to b. For an infinite
// value, it is the limit as that value grows.
double crossingFraction(double isovalue, double a, double b)
{
  if (std::isinf(a) && std::isinf(b))
    return 0.5;
  if (std::isinf(a) || std::isinf(b))
    return std::isinf(a) ? 1 : 0;
  const double scale = std::isinf(b - a) ? 0.5 : 1;
  return (scale * isovalue - scale * a) / (scale * b - scale * a);
}

// Contours an image that is 1 at samples that are inside and 0 at all others. FlyingEdges makes the same points and
// triangles as from the samples, in the same order, but each point lies in the middle of its edge.
vtkSmartPointer<vtkPolyData> surfaceOfMiddles(vtkImageData* dual, double isovalue)
{
  const auto values = vtk::DataArrayValueRange<1>(dual->GetPointData()->GetScalars());
  vtkNew<vtkUnsignedCharArray> inside;
  inside->SetNumberOfValues(values.size());
  std::transform(values.begin(), values.end(), inside->GetPointer(0),
    [isovalue](double value) -> unsigned char { return value >= isovalue ? 1 : 0; });
  vtkNew<vtkImageData> image;
  image->SetDimensions(dual->GetDimensions());
  image->GetPointData()->SetScalars(inside);
  vtkNew<vtkFlyingEdges3D> contour;
  contour->SetInputData(image);
  contour->ComputeNormalsOff();
  contour->ComputeScalarsOff();
  contour->SetValue(0, 0.5);
  contour->Update();
  return contour->GetOutput();
}

// The edges on which FlyingEdges makes its points, in the order of the points. The points alone do not determine them:
// a point on a sample may belong to any of six edges.
std::vector<Edge> crossedEdges(vtkImageData* dual, double isovalue)
{
  const vtkSmartPointer<vtkPolyData> middles = surfaceOfMiddles(dual, isovalue);
  std::vector<Edge> edges(static_cast<std::size_t>(middles->GetNumberOfPoints()));
  for (std::size_t p = 0; p < edges.size(); ++p)
  {
    double middle[3];
    middles->GetPoint(static_cast<vtkIdType>(p), middle);
    for (int c = 0; c < 3; ++c)
    {
      edges[p].low[c] = static_cast<int>(middle[c]);
      edges[p].high[c] = static_cast<int>(std::ceil(middle[c]));
    }
    edges[p].fraction = crossingFraction(isovalue, sampleAt(dual, edges[p].low), sampleAt(dual, edges[p].high));
  }
  return edges;
}

// Whether the dual cell of a triangle touches a NaN. The three edges of a triangle are never on one face of its dual
// cell (true for all 256 cases of FlyingEdges' table), so their lowest corner is that of the cell.
bool touchesNan(const vtkIdType* corners, const std::vector<Edge>& edges, vtkImageData* dual)
{
  std::array<int, 3> first = edges[corners[0]].low;
  for (int corner = 1; corner < 3; ++corner)
    for (int c = 0; c < 3; ++c)
      first[c] = std::min(first[c], edges[corners[corner]].low[c]);
  for (int corner = 0; corner < 8; ++corner)
    if (std::isnan(sampleAt(dual, { first[0] + (corner & 1), first[1] + (corner >> 1 & 1), first[2] + (corner >> 2) })))
      return true;
  return false;
}

// FlyingEdges treats a NaN as a sample below the isovalue. Removes the triangles that follow from this, and the points
// that only they use.
vtkSmartPointer<vtkPolyData> withoutNan(vtkPolyData* mesh, vtkImageData* dual, const std::vector<Edge>& edges)
{
  vtkNew<vtkCellArray> kept;
  vtkIdType count = 0;
  const vtkIdType* corners = nullptr;
  for (vtkIdType cell = 0; cell < mesh->GetPolys()->GetNumberOfCells(); ++cell)
  {
    mesh->GetPolys()->GetCellAtId(cell, count, corners);
    if (!touchesNan(corners, edges, dual))
      kept->InsertNextCell(count, corners);
  }
  if (kept->GetNumberOfCells() == mesh->GetNumberOfPolys())
    return mesh;
  mesh->SetPolys(kept);
  vtkNew<vtkCleanPolyData> clean;
  clean->PointMergingOff(); // only removes unused points
  clean->SetInputData(mesh);
  clean->Update();
  return clean->GetOutput();
}

// A quarter of the derivative along one axis, in values per step. It is central, but one-sided at the border and next
// to a NaN. A quarter is finite for all finite samples, and so is the sum of two quarters.
double quarterOfDerivative(vtkImageData* dual, const std::array<int, 3>& at, int axis)
{
  double ends[2], steps = 0;
  for (const int side : { 0, 1 })
  {
    std::array<int, 3> neighbour = at;
    neighbour[axis] += side == 0 ? -1 : 1;
    const bool isThere = neighbour[axis] >= 0 && neighbour[axis] < dual->GetDimensions()[axis];
    ends[side] = isThere ? sampleAt(dual, neighbour) : std::nan("");
    steps += std::isnan(ends[side]) ? 0 : 1;
    if (std::isnan(ends[side]))
      ends[side] = sampleAt(dual, at);
  }
  return steps == 0 ? 0 : (0.25 * ends[1] - 0.25 * ends[0]) / steps;
}

// In index space.
std::array<double, 3> quarterOfGradient(vtkImageData* dual, const Edge& edge)
{
  std::array<double, 3> gradient;
  for (int axis = 0; axis < 3; ++axis)
    gradient[axis] = (1 - edge.fraction) * quarterOfDerivative(dual, edge.low, axis) +
                     edge.fraction * quarterOfDerivative(dual, edge.high, axis);
  return gradient;
}

// Whether the vector is neither 0 nor infinite nor NaN.
bool isDirection(const std::array<double, 3>& vector)
{
  const auto isFinite = [](double component) { return std::isfinite(component); };
  const auto isNotZero = [](double component) { return component != 0; };
  return std::all_of(vector.begin(), vector.end(), isFinite) && std::any_of(vector.begin(), vector.end(), isNotZero);
}

// The normal in index space, of unit length. If the gradient is 0, infinite or NaN, the normal is parallel to the
// crossed edge.
std::array<double, 3> normalOnEdge(vtkImageData* dual, const Edge& edge, const std::array<double, 3>& gradient)
{
  std::array<double, 3> slope = gradient;
  if (!isDirection(slope))
    for (int c = 0; c < 3; ++c)
    {
      const bool rises = sampleAt(dual, edge.low) < sampleAt(dual, edge.high);
      slope[c] = rises ? edge.high[c] - edge.low[c] : edge.low[c] - edge.high[c];
    }
  // Divides by the largest component first: squares of large or small components may overflow or underflow.
  const double size = std::max({ std::abs(slope[0]), std::abs(slope[1]), std::abs(slope[2]) });
  for (double& component : slope)
    component /= size;
  vtkMath::Normalize(slope.data());
  return { -slope[0], -slope[1], -slope[2] };
}

bool hasNormal(vtkDataArray* normals, vtkIdType point)
{
  std::array<double, 3> normal;
  normals->GetTuple(point, normal.data());
  return isDirection(normal);
}

// Whether some normals are 0 or NaN. FlyingEdges makes such normals if the gradient is 0 or its square exceeds the
// range of float.
bool hasNullNormals(vtkPolyData* mesh)
{
  vtkDataArray* normals = mesh->GetPointData()->GetNormals();
  for (vtkIdType p = 0; normals && p < mesh->GetNumberOfPoints(); ++p)
    if (!hasNormal(normals, p))
      return true;
  return false;
}

void renewNullNormals(vtkPolyData* mesh, vtkImageData* dual, const std::vector<Edge>& edges)
{
  vtkDataArray* normals = mesh->GetPointData()->GetNormals();
  for (vtkIdType p = 0; p < mesh->GetNumberOfPoints(); ++p)
    if (!hasNormal(normals, p))
      normals->SetTuple(p, normalOnEdge(dual, edges[p], quarterOfGradient(dual, edges[p])).data());
}

// Computes the slopes again: FlyingEdges uses NaN and infinite samples like any others. The mesh is in index space.
void renewSlopes(vtkPolyData* mesh, vtkImageData* dual, const std::vector<Edge>& edges)
{
  vtkDataArray* normals = mesh->GetPointData()->GetNormals();
  vtkDataArray* gradients = mesh->GetPointData()->GetArray("Gradients");
  for (vtkIdType p = 0; (normals || gradients) && p < mesh->GetNumberOfPoints(); ++p)
  {
    const std::array<double, 3> quarter = quarterOfGradient(dual, edges[p]);
    if (gradients)
      gradients->SetTuple3(p, 4 * quarter[0], 4 * quarter[1], 4 * quarter[2]);
    if (normals)
      normals->SetTuple(p, normalOnEdge(dual, edges[p], quarter).data());
  }
}

// Computes the points again: FlyingEdges makes float points, and NaN next to infinite samples. The mesh is in index
// space.
void renewPoints(vtkPolyData* mesh, const std::vector<Edge>& edges, int type)
{
  vtkNew<vtkPoints> points;
  points->SetDataType(type);
  points->SetNumberOfPoints(mesh->GetNumberOfPoints());
  for (vtkIdType p = 0; p < mesh->GetNumberOfPoints(); ++p)
  {
    const Edge& edge = edges[p];
    double place[3];
    for (int c = 0; c < 3; ++c)
      place[c] = edge.low[c] + edge.fraction * (edge.high[c] - edge.low[c]);
    points->SetPoint(p, place);
  }
  mesh->SetPoints(points);
}

void renewAttributes(vtkPolyData* mesh, vtkImageData* dual, const std::vector<Edge>& edges)
{
  const int* size = dual->GetDimensions();
  for (int i = 0; i < dual->GetPointData()->GetNumberOfArrays(); ++i)
  {
    vtkDataArray* source = dual->GetPointData()->GetArray(i);
    if (source == dual->GetPointData()->GetScalars())
      continue;
    vtkDataArray* target = mesh->GetPointData()->GetArray(source->GetName());
    for (vtkIdType p = 0; p < mesh->GetNumberOfPoints(); ++p)
      target->InterpolateTuple(p, vtkStructuredData::ComputePointId(size, edges[p].low.data()), source,
        vtkStructuredData::ComputePointId(size, edges[p].high.data()), source, edges[p].fraction);
  }
}

// Corrects the differences between FlyingEdges' mesh, in index space, and the device's: the precision of points, the
// surface next to NaN, infinite and very large samples, and normals of gradient 0.
vtkSmartPointer<vtkPolyData> corrected(
  vtkPolyData* mesh, vtkImageData* dual, double isovalue, bool doublePoints, bool extremes)
{
  const bool nullNormals = !extremes && hasNullNormals(mesh);
  if (!doublePoints && !extremes && !nullNormals)
    return mesh;
  const std::vector<Edge> edges = crossedEdges(dual, isovalue);
  if (nullNormals)
    renewNullNormals(mesh, dual, edges);
  if (doublePoints || extremes)
    renewPoints(mesh, edges, doublePoints ? VTK_DOUBLE : VTK_FLOAT);
  if (!extremes)
    return mesh;
  renewSlopes(mesh, dual, edges);
  renewAttributes(mesh, dual, edges);
  return withoutNan(mesh, dual, edges);
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
  for (const char* name : { "Normals", "Gradients" }) // made by FlyingEdges: see passingName
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

// Returns a copy in which every triangle has three points of its own.
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

// The surface of one isovalue, in world space. extremes: of hasExtremes. A surface without triangles has no points.
vtkSmartPointer<vtkPolyData> surfaceOf(
  vtkImageData* dual, const ImageSamples& samples, const vmc::Request& request, double isovalue, bool extremes)
{
  const double value = setSamples(dual, samples.scalars.values, isovalue);
  vtkNew<vtkFlyingEdges3D> contour;
  contour->SetInputData(dual);
  contour->SetComputeNormals(request.computeNormals);
  contour->SetComputeGradients(request.computeGradients);
  contour->ComputeScalarsOff();
  contour->SetInterpolateAttributes(!samples.attributes.empty());
  contour->SetValue(0, value);
  contour->Update();
  vtkSmartPointer<vtkPolyData> surface = contour->GetOutput();
  surface->GetPointData()->SetScalars(nullptr); // FlyingEdges makes an array without values if the samples have no name
  if (surface->GetNumberOfPolys() != 0)
    surface = corrected(surface, dual, value, request.splitPositions, extremes);
  if (surface->GetNumberOfPolys() == 0)
    return vtkSmartPointer<vtkPolyData>::New();
  const vmc::IndexToWorld geometry = geometryOfSamples(samples);
  toWorld(surface, geometry);
  if (geometry.determinant() < 0)
    reverseTriangles(surface);
  return request.mergePoints ? surface : withOwnCorners(surface);
}

}

std::string obstacleOnCpu(const ImageSamples& samples)
{
  if (!samples.padding.isEmpty())
    return "vtkFlyingEdges3D cannot extend or close the surface at the border.";
  if (samples.ghosts)
    return "vtkFlyingEdges3D does not support ghost cells.";
  const double determinant = geometryOfSamples(samples).determinant();
  if (determinant == 0 || !std::isfinite(determinant))
    return "The determinant of the image's spacing and direction is " + std::to_string(determinant) +
           "; it must be finite and not 0.";
  return "";
}

std::vector<std::size_t> contourOnCpu(
  const ImageSamples& samples, const vmc::Request& request, const vmc::Progress& progress, vtkPolyData* output)
{
  const vtkSmartPointer<vtkImageData> dual = dualImage(samples);
  const bool extremes = hasExtremes(samples.scalars.values);
  vtkNew<vtkAppendPolyData> append;
  append->SetOutputPointsPrecision(
    request.splitPositions ? vtkAlgorithm::DOUBLE_PRECISION : vtkAlgorithm::SINGLE_PRECISION);
  std::vector<std::size_t> firstPoint{ 0 };
  for (const double isovalue : request.isovalues)
  {
    if (progress && !progress(double(firstPoint.size() - 1) / request.isovalues.size()))
      return {};
    const vtkSmartPointer<vtkPolyData> surface = surfaceOf(dual, samples, request, isovalue, extremes);
    if (surface->GetNumberOfPoints() != 0)
      append->AddInputData(surface);
    firstPoint.push_back(firstPoint.back() + static_cast<std::size_t>(surface->GetNumberOfPoints()));
  }
  if (append->GetNumberOfInputConnections(0) == 0)
  {
    polyDataFromMesh(vmc::Mesh(), request, samples, nullptr, output);
    return firstPoint;
  }
  append->Update();
  output->ShallowCopy(append->GetOutput());
  renameAttributes(samples, output);
  addIsovalueScalars(request.isovalues, firstPoint, samples, nullptr, output);
  return firstPoint;
}

}
