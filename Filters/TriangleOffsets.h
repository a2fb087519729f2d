// The offsets of triangles in a vtkCellArray: 0, 3, 6, ...
#ifndef TriangleOffsets_h
#define TriangleOffsets_h

#include "HostBlock.h"

#include "vtkSmartPointer.h"
#include "vtkType.h"

#include <memory>

// They are the same for every mesh but for their number, so all outputs look at one array, which grows as needed and
// ends with the last of them. An output's array does not own what it looks at: VTK copies the values out of it before
// it appends to them. Only what overwrites offsets in place would be seen in other outputs, as with arrays that data
// sets share after a shallow copy.
class TriangleOffsets
{
public:
  // Array: vtkTypeInt32Array or vtkTypeInt64Array, whose largest value is at least 3 * triangles. Of triangles + 1
  // values.
  template <class Array>
  vtkSmartPointer<Array> of(vtkIdType triangles);

private:
  std::shared_ptr<const vmc::HostBlock> Narrow, Wide; // 32 bits, 64 bits
};

#endif
