// The arrays of the mesh on the device.
#ifndef vmcMeshArrays_h
#define vmcMeshArrays_h

#include "Compute/Contour/Mesh.h"
#include "Compute/Contour/OutputArray.h"
#include "Compute/Volume/Volume.h"

#include <cstdint>
#include <vector>

namespace vmc
{

struct Request;

// What kernels write of a slab's part of the mesh: an array for each kind of value that a request wants. Kept from run
// to run, growing as needed.
class MeshArrays
{
public:
  MeshArrays(const Device& device, MemoryBudget& budget);

  // Values at the points, of some number of components; all are floats.
  struct PointArray
  {
    std::uint32_t binding; // of EmitPoints; BINDING_INTERPOLATED for an attribute
    std::uint32_t components;
    OutputArray values;
  };

  // Decides which arrays there are. Others give their memory back.
  void choose(const Request& request, const std::vector<Attribute>& attributes);
  void release(); // all memory

  // Room for so many points and triangles at least; no triangles: none of their arrays.
  void reserve(std::uint64_t points, std::uint64_t triangles);

  // For EmitPoints and EmitTriangles. Every binding takes a buffer, also of what is not there: as these kernels run
  // side by side, not one and the same.
  void bind(Bindings& bound, const Buffer& unusedOfPoints, const Buffer& unusedOfTriangles) const;

  const std::vector<PointArray>& pointArrays() const { return this->Points; }
  const PointArray& attributeArray(std::size_t index) const;

  // The arrays of so many points and triangles: record, submit, take.
  void recordDownload(Commands& commands, std::uint64_t points, std::uint64_t triangles);
  void take(std::uint64_t points, std::uint64_t triangles, Mesh& part);
  // Likewise the dual cells of triangles: none if the request does not want them.
  void recordCellDownload(Commands& commands, std::uint64_t triangles);
  HostBlock takeCells(std::uint64_t triangles);

private:
  const Device& Owner;
  MemoryBudget& Budget;
  std::vector<PointArray> Points;
  std::size_t FirstAttribute = 0; // the attributes come last, in their order
  OutputArray Triangles, Cells;
  bool HasCells = false;
};

}

#endif
