// Where the triangles of a mesh begin in its list of point ids: 0, 3, 6, ...
#ifndef vmcTriangleOffsets_h
#define vmcTriangleOffsets_h

#include "Compute/Memory/HostBlock.h"

#include <cstddef>

namespace vmc
{

class HostMemoryPool;

// Whether signed 32-bit numbers hold every offset and every point id of such a mesh.
bool idsAreNarrow(std::size_t points, std::size_t triangles);

// Value[triangles + 1], of std::int32_t or std::int64_t, in memory of `blocks`; several threads write it. Value must
// hold 3 * triangles. Throws Error OutOfMemory.
template <class Value>
HostBlock triangleOffsets(HostMemoryPool& blocks, std::size_t triangles);

}

#endif
