// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Contour/Outputs.h"

#include "Shared/Structs.h"

namespace vmc
{

namespace
{

struct Row
{
  Output output;
  bool Request::*request = nullptr; // null: always written. Attributes need crossings, too
};

constexpr auto Point = Output::Element::Point;
constexpr auto Triangle = Output::Element::Triangle;

const Row Table[] = {
  { { BINDING_POSITION, Point, 3, "Points", &Mesh::positions } },
  { { BINDING_POSITION_LOW, Point, 3, "low parts of positions", &Mesh::positionsLow }, &Request::splitPositions },
  { { BINDING_NORMAL, Point, 3, "Normals", &Mesh::normals }, &Request::computeNormals },
  { { BINDING_GRADIENT, Point, 3, "Gradients", &Mesh::gradients }, &Request::computeGradients },
  { { BINDING_CROSSING, Point, sizeof(EdgeCrossing) / 4, "crossings", &Mesh::crossings }, &Request::nameOpenEdges },
  { { BINDING_TRIANGLE_CELL, Triangle, 2, "SampleIds", &Mesh::triangleCells }, &Request::computeCells },
  { { BINDING_TRIANGLE, Triangle, 3, "triangles", &Mesh::triangles } },
};

}

bool Output::isArray() const
{
  const bool isGeometry = this->binding == BINDING_POSITION || this->binding == BINDING_POSITION_LOW ||
                          this->binding == BINDING_CROSSING || this->binding == BINDING_TRIANGLE;
  return this->isAttribute() || (this->member && !isGeometry);
}

bool Output::isDownloaded(bool mergePoints) const
{
  return this->isAttribute() || (this->member && (mergePoints || this->binding != BINDING_TRIANGLE));
}

std::vector<Output> outputsOf(const Request& request, const std::vector<Attribute>& attributes)
{
  std::vector<Output> outputs;
  for (const Row& row : Table)
  {
    const bool isForAttributes = row.output.binding == BINDING_CROSSING && !attributes.empty();
    const bool isRequested = !row.request || request.*row.request;
    if (!isRequested && !isForAttributes)
      continue;
    Output& output = outputs.emplace_back(row.output);
    output.words *= output.isPointIds() && request.writesWideIds() ? 2 : 1;
    if (!isRequested)
      output.member = nullptr;
  }
  for (std::size_t i = 0; i < attributes.size(); ++i)
    outputs.push_back({ BINDING_INTERPOLATED, Point, attributes[i].components, "attribute values", nullptr, i });
  return outputs;
}

std::uint32_t settingsOf(const std::vector<Output>& outputs)
{
  std::uint32_t settings = 0;
  for (const Output& output : outputs)
    settings |= output.isAttribute() ? 0 : SETTING_WRITES(output.binding);
  return settings;
}

std::vector<std::uint32_t> bindingsOf(Output::Element element)
{
  std::vector<std::uint32_t> bindings;
  for (const Row& row : Table)
    if (row.output.element == element)
      bindings.push_back(row.output.binding);
  return bindings;
}

HostBlock* blockOf(Mesh& mesh, const Output& output)
{
  if (output.isAttribute())
    return &mesh.attributes[output.attribute];
  return output.member ? &(mesh.*output.member) : nullptr;
}

}
