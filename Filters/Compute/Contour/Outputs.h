// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The table of the arrays that an extraction can write.
#ifndef vmcOutputs_h
#define vmcOutputs_h

#include "Compute/Contour/Mesh.h"
#include "Compute/Contour/Request.h"
#include "Compute/Volume/Volume.h"
#include "Shared/Bindings.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace vmc
{

// One row of the table: an array of values per point or per triangle. The row decides about allocation, binding,
// capacity, download, repetition for triangles without shared points and wrapping in VTK arrays.
struct Output
{
  enum class Element
  {
    Point,
    Triangle
  };

  std::uint32_t binding; // of the kernel that writes it
  Element element;
  std::uint32_t words;       // 4-byte values per element
  const char* name;          // of the VTK array, if there is one, and in messages about memory
  HostBlock Mesh::*member;   // destination on the host; null: an attribute, or not downloaded
  std::size_t attribute = 0; // index of the attribute

  bool isAttribute() const { return this->binding == BINDING_INTERPOLATED; }
  // Returns whether it is repeated per corner if triangles share no points.
  bool isRepeated() const { return this->element == Element::Point && this->isDownloaded(false); }
  bool areSampleIds() const { return this->member == &Mesh::triangleCells; }
  bool isPointIds() const { return this->member == &Mesh::triangles; }
  // Returns whether it becomes a point or cell array of vtkPolyData, as all downloaded rows do but positions, crossings
  // and triangles.
  bool isArray() const;
  // Returns whether it is an array of the surface. Crossings for attributes alone are not, nor, without mergePoints,
  // triangles: the host writes their ids itself.
  bool isDownloaded(bool mergePoints) const;
  std::uint64_t bytesPerElement() const { return 4ull * this->words; }
  std::uint64_t bytes(std::uint64_t points, std::uint64_t triangles) const
  {
    return this->bytesPerElement() * (this->element == Element::Point ? points : triangles);
  }
};

// The rows that a request needs, in the order of the table. Attributes of the volume come last.
std::vector<Output> outputsOf(const Request& request, const std::vector<Attribute>& attributes);

// The SETTING_WRITES bits of these outputs.
std::uint32_t settingsOf(const std::vector<Output>& outputs);

// The bindings of all rows of the table for this element, requested or not.
std::vector<std::uint32_t> bindingsOf(Output::Element element);

// The block of a mesh that holds the output; null if it is not downloaded.
HostBlock* blockOf(Mesh& mesh, const Output& output);

}

#endif
