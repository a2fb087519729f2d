#include "TriangleOffsets.h"

#include "vtkTypeInt32Array.h"
#include "vtkTypeInt64Array.h"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <limits>
#include <map>
#include <mutex>
#include <type_traits>
#include <utility>

namespace
{

// What the arrays of outputs look at, once for each of them: VTK tells no more than the address when an array ends.
struct Views
{
  std::mutex mutex;
  std::multimap<const void*, std::shared_ptr<const vmc::HostBlock>> blocks;
};

// Never destroyed: outputs may end with the process.
Views& views()
{
  static Views* const state = new Views;
  return *state;
}

void beginView(const std::shared_ptr<const vmc::HostBlock>& block)
{
  const std::lock_guard<std::mutex> lock(views().mutex);
  views().blocks.emplace(block->data(), block);
}

// VTK also calls it for memory that it allocated for such an array later on.
void endView(void* values)
{
  std::shared_ptr<const vmc::HostBlock> block; // ends after the lock
  {
    const std::lock_guard<std::mutex> lock(views().mutex);
    const auto found = views().blocks.find(values);
    if (found != views().blocks.end())
    {
      block = std::move(found->second);
      views().blocks.erase(found);
      return;
    }
  }
  std::free(values);
}

// At least so many offsets, and a quarter more if they fit the type.
template <class Value>
std::shared_ptr<const vmc::HostBlock> countUp(std::size_t count)
{
  const std::size_t most = static_cast<std::size_t>(std::numeric_limits<Value>::max()) / 3 + 1;
  const std::size_t room = std::min(count + count / 4, most);
  const auto block = std::make_shared<vmc::HostBlock>(room * sizeof(Value));
  Value* const offsets = reinterpret_cast<Value*>(block->data());
  for (std::size_t i = 0; i < room; ++i)
    offsets[i] = static_cast<Value>(3 * i);
  return block;
}

}

template <class Array>
vtkSmartPointer<Array> TriangleOffsets::of(vtkIdType triangles)
{
  using Value = typename Array::ValueType;
  auto& block = std::is_same<Array, vtkTypeInt32Array>::value ? this->Narrow : this->Wide;
  const auto count = static_cast<std::size_t>(triangles) + 1;
  if (!block || block->size() < count * sizeof(Value))
    block = countUp<Value>(count);
  beginView(block);
  auto offsets = vtkSmartPointer<Array>::New();
  offsets->SetArray(reinterpret_cast<Value*>(block->data()), triangles + 1, 0, Array::VTK_DATA_ARRAY_USER_DEFINED);
  offsets->SetArrayFreeFunction(endView);
  return offsets;
}

template vtkSmartPointer<vtkTypeInt32Array> TriangleOffsets::of(vtkIdType);
template vtkSmartPointer<vtkTypeInt64Array> TriangleOffsets::of(vtkIdType);
