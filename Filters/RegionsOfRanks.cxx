// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "RegionsOfRanks.h"

#include "Compute/System/Error.h"

#include "vtkMultiProcessController.h"
#include "vtkNew.h"
#include "vtkUnsignedCharArray.h"

#include <cstring>
#include <type_traits>

namespace vmc::filters
{

namespace
{

// The number of elements, and their bytes.
template <class Element>
void append(const std::vector<Element>& elements, vtkUnsignedCharArray* message)
{
  static_assert(std::is_trivially_copyable_v<Element>);
  const std::size_t count = elements.size(), bytes = count * sizeof(Element), size = bytes + sizeof(count);
  unsigned char* const to = message->WritePointer(message->GetNumberOfValues(), static_cast<vtkIdType>(size));
  std::memcpy(to, &count, sizeof(count));
  if (bytes != 0)
    std::memcpy(to + sizeof(count), elements.data(), bytes);
}

// Reads what append() wrote. Returns the end.
template <class Element>
const unsigned char* read(const unsigned char* from, std::vector<Element>& elements)
{
  std::size_t count = 0;
  std::memcpy(&count, from, sizeof(count));
  elements.resize(count);
  if (count != 0)
    std::memcpy(elements.data(), from + sizeof(count), count * sizeof(Element));
  return from + sizeof(count) + count * sizeof(Element);
}

}

std::vector<vmc::PieceRegions> ofAllRanks(const vmc::PieceRegions& own, vtkMultiProcessController* controller)
{
  vtkNew<vtkUnsignedCharArray> sent, received;
  append(own.regions, sent);
  append(own.points, sent);
  append(own.edges, sent);
  if (controller->AllGatherV(sent, received) == 0) // on all ranks alike
    throw vmc::Error(vmc::Error::Kind::Internal, "The regions of all processes cannot be exchanged.");
  std::vector<vmc::PieceRegions> pieces(static_cast<std::size_t>(controller->GetNumberOfProcesses()));
  const unsigned char* from = received->GetPointer(0);
  for (vmc::PieceRegions& piece : pieces)
    from = read(read(read(from, piece.regions), piece.points), piece.edges);
  return pieces;
}

}
