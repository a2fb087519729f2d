// Puts a mesh together from the parts that slabs and isovalues make.
#ifndef vmcMeshBuilder_h
#define vmcMeshBuilder_h

#include "Compute/Contour/Mesh.h"
#include "Compute/Memory/HostMemoryPool.h"

#include <cstdint>
#include <vector>

namespace vmc
{

class MeshBuilder
{
public:
  // blocks: where the memory of joined arrays comes from.
  explicit MeshBuilder(HostMemoryPool& blocks)
    : Blocks(blocks)
  {
  }

  // Id of the next part's first point. Parts come in order, their triangles name points by ids of the whole mesh.
  std::uint64_t nextPoint() const { return this->Points; }

  void endIsovalue() { this->FirstPoint.push_back(this->Points); }
  void add(Mesh part);

  // The whole mesh: a single part is passed on as it is. If `ownCorners`, triangles get the ids 0, 1, 2, ...
  Mesh finish(bool ownCorners);

private:
  HostBlock concatenate(const std::vector<HostBlock*>& parts);
  HostBlock join(HostBlock Mesh::*array);
  HostBlock joinAttribute(std::size_t index);
  HostBlock countUp(std::size_t count);
  HostBlock offsets();

  HostMemoryPool& Blocks;
  std::vector<Mesh> Parts;
  std::vector<std::size_t> FirstPoint{ 0 };
  std::size_t Points = 0;
  std::size_t Triangles = 0;
};

}

#endif
