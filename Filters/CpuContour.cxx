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
#include "vtkStructuredData.h"
#include "vtkUnsignedCharArray.h"

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
    values->DeepCopy(samples.attributes[i].values);
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
      attributes[i]->SetName(samples.attributes[i].values->GetName());
      attributes[i]->CopyComponentNames(samples.attributes[i].values);
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
  double fraction = 0; // of the way from low to high
};

// Fraction of the way from value a to value b. Towards an infinite value: the limit as that value grows.
double crossingFraction(double isovalue, double a, double b)
{
  if (std::isinf(a) && std::isinf(b))
    return 0.5;
  if (std::isinf(a) || std::isinf(b))
    return std::isinf(a) ? 1 : 0;
  const double scale = std::isinf(b - a) ? 0.5 : 1;
  return (scale * isovalue - scale * a) / (scale * b - scale * a);
}

// Contours an image that is 1 where a sample is inside and 0 elsewhere. FlyingEdges makes the same points and triangles
// as of the samples, in the same order, but each point lies in the middle of its edge.
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

// The edges on which FlyingEdges makes its points, in their order. They do not follow from the points: one that lies on
// a sample may belong to any of six edges.
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

// FlyingEdges takes a NaN for a sample below: without the triangles that this makes, and the points that only they use.
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
  clean->PointMergingOff(); // but takes unused points away
  clean->SetInputData(mesh);
  clean->Update();
  return clean->GetOutput();
}

// A quarter of the derivative along one axis, in values per step: central, but one-sided at the border and beside a
// NaN. A quarter is finite for all finite samples, as are sums of two.
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

// Not 0, infinite or NaN.
bool isDirection(const std::array<double, 3>& vector)
{
  const auto isFinite = [](double component) { return std::isfinite(component); };
  const auto isNotZero = [](double component) { return component != 0; };
  return std::all_of(vector.begin(), vector.end(), isFinite) && std::any_of(vector.begin(), vector.end(), isNotZero);
}

// In index space, of unit length. Where the gradient is 0, infinite or NaN, the normal follows the crossed edge.
std::array<double, 3> normalOnEdge(vtkImageData* dual, const Edge& edge, const std::array<double, 3>& gradient)
{
  std::array<double, 3> slope = gradient;
  if (!isDirection(slope))
    for (int c = 0; c < 3; ++c)
    {
      const bool rises = sampleAt(dual, edge.low) < sampleAt(dual, edge.high);
      slope[c] = rises ? edge.high[c] - edge.low[c] : edge.low[c] - edge.high[c];
    }
  // Divided by the largest component first: the squares of large and small ones do not fit.
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

// Whether some normals are 0 or NaN: FlyingEdges makes such where the gradient is 0 or its square exceeds the range of
// float.
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

// FlyingEdges computes slopes from NaN and infinite samples as from others. The mesh is in index space.
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

// FlyingEdges makes points of float, and NaN beside infinite samples. The mesh is in index space.
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

// Corrects what differs from the device's surface: precision of points, what lies beside NaN, infinite and very large
// samples, and normals where the gradient is 0. The mesh is FlyingEdges', in index space.
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
  if (samples.ghosts)
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
  const bool extremes = hasExtremes(samples.scalars);
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
    if (part->GetNumberOfPolys() != 0)
      part = corrected(part, dual, value, options.doublePoints, extremes);
    if (part->GetNumberOfPolys() != 0)
    {
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
