#include "Compute/Contour/MeshArrays.h"

#include "Compute/Contour/MarchingCubes.h"
#include "Shared/Bindings.h"

#include <algorithm>
#include <string>

namespace vmc
{

namespace
{

// Where the values of a kind belong in the mesh; null for an attribute.
HostBlock Mesh::*memberOf(std::uint32_t binding)
{
  switch (binding)
  {
    case BINDING_POSITION:
      return &Mesh::positions;
    case BINDING_POSITION_LOW:
      return &Mesh::positionsLow;
    case BINDING_NORMAL:
      return &Mesh::normals;
    case BINDING_GRADIENT:
      return &Mesh::gradients;
    default:
      return nullptr;
  }
}

const char* nameOfValues(std::uint32_t binding)
{
  switch (binding)
  {
    case BINDING_POSITION:
      return "positions";
    case BINDING_POSITION_LOW:
      return "low parts of positions";
    case BINDING_NORMAL:
      return "normals";
    case BINDING_GRADIENT:
      return "gradients";
    default:
      return "attribute values";
  }
}

struct Kind
{
  std::uint32_t binding;
  std::uint32_t components;
};

std::vector<Kind> kindsFor(const Request& request, const std::vector<Attribute>& attributes)
{
  std::vector<Kind> kinds{ { BINDING_POSITION, 3 } };
  if (request.splitPositions)
    kinds.push_back({ BINDING_POSITION_LOW, 3 });
  if (request.computeNormals)
    kinds.push_back({ BINDING_NORMAL, 3 });
  if (request.computeGradients)
    kinds.push_back({ BINDING_GRADIENT, 3 });
  for (const Attribute& attribute : attributes)
    kinds.push_back({ BINDING_INTERPOLATED, attribute.components });
  return kinds;
}

}

MeshArrays::MeshArrays(const Device& device, MemoryBudget& budget)
  : Owner(device)
  , Budget(budget)
  , Triangles(device, budget, "triangles")
  , Cells(device, budget, "cells of triangles")
{
}

void MeshArrays::choose(const Request& request, const std::vector<Attribute>& attributes)
{
  this->HasCells = request.computeCells;
  if (!this->HasCells)
    this->Cells.release();
  const std::vector<Kind> kinds = kindsFor(request, attributes);
  this->FirstAttribute = kinds.size() - attributes.size();
  const bool same = std::equal(kinds.begin(), kinds.end(), this->Points.begin(), this->Points.end(),
    [](const Kind& kind, const PointArray& array)
    { return kind.binding == array.binding && kind.components == array.components; });
  if (same)
    return;
  this->Points.clear();
  for (const Kind& kind : kinds)
    this->Points.push_back(
      { kind.binding, kind.components, OutputArray(this->Owner, this->Budget, nameOfValues(kind.binding)) });
}

const MeshArrays::PointArray& MeshArrays::attributeArray(std::size_t index) const
{
  return this->Points[this->FirstAttribute + index];
}

void MeshArrays::release()
{
  for (PointArray& array : this->Points)
    array.values.release();
  this->Triangles.release();
  this->Cells.release();
}

void MeshArrays::reserve(std::uint64_t points, std::uint64_t triangles)
{
  for (PointArray& array : this->Points)
    array.values.reserve(points * array.components * 4);
  this->Triangles.reserve(triangles * 12);
  if (this->HasCells)
    this->Cells.reserve(triangles * 4);
}

void MeshArrays::bind(Bindings& bound, const Buffer& unusedOfPoints, const Buffer& unusedOfTriangles) const
{
  const auto orElse = [](const OutputArray& array, const Buffer& unused)
  { return array.target().size != 0 ? array.target() : Region(unused); };
  for (const std::uint32_t binding : { BINDING_POSITION, BINDING_POSITION_LOW, BINDING_NORMAL, BINDING_GRADIENT })
    bound[binding] = unusedOfPoints;
  for (const PointArray& array : this->Points)
    if (memberOf(array.binding))
      bound[array.binding] = orElse(array.values, unusedOfPoints);
  bound[BINDING_TRIANGLE] = orElse(this->Triangles, unusedOfTriangles);
  bound[BINDING_TRIANGLE_CELL] = orElse(this->Cells, unusedOfTriangles);
}

void MeshArrays::recordDownload(Commands& commands, std::uint64_t points, std::uint64_t triangles)
{
  for (PointArray& array : this->Points)
    array.values.recordDownload(commands, points * array.components * 4);
  this->Triangles.recordDownload(commands, triangles * 12);
}

void MeshArrays::recordCellDownload(Commands& commands, std::uint64_t triangles)
{
  this->Cells.recordDownload(commands, this->HasCells ? triangles * 4 : 0);
}

HostBlock MeshArrays::takeCells(std::uint64_t triangles)
{
  return this->Cells.take(this->HasCells ? triangles * 4 : 0);
}

void MeshArrays::take(std::uint64_t points, std::uint64_t triangles, Mesh& part)
{
  for (PointArray& array : this->Points)
  {
    HostBlock values = array.values.take(points * array.components * 4);
    if (const auto member = memberOf(array.binding))
      part.*member = std::move(values);
    else
      part.attributes.push_back(std::move(values));
  }
  part.triangles = this->Triangles.take(triangles * 12);
}

}
