// What a filter keeps from pass to pass, so that input that has not changed is known again.
#ifndef SampleCache_h
#define SampleCache_h

#include "vtkDataArray.h"
#include "vtkSmartPointer.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <vector>

// vmc::Ghost flags, one per sample.
using GhostFlags = std::vector<std::uint8_t>;

// Values that were derived from arrays, by their identities (ArrayIdentity.h). A value that is not asked for between
// beginPass and endPass is dropped.
class SampleCache
{
public:
  // One value per sample, or one tuple, in one block, and their identity.
  struct Samples
  {
    vtkSmartPointer<vtkDataArray> values;
    std::uint64_t identity = 0;
  };

  void beginPass();
  void endPass();

  // The array itself if its values lie in one block, tuple after tuple; else a copy that is, made once for each state
  // of the array.
  Samples inOneBlock(vtkDataArray* array);

  // One component, from 0, or the magnitude of all (-1), in one block; likewise a copy where it has to be.
  Samples component(vtkDataArray* array, int component);

  // The flags of this identity, as `make` made them when they were first asked for; null where it made none.
  std::shared_ptr<const GhostFlags> ghosts(std::uint64_t identity, const std::function<GhostFlags()>& make);

private:
  template <class Value>
  struct Kept
  {
    Value value;
    bool isWanted = true;
  };
  std::map<std::uint64_t, Kept<vtkSmartPointer<vtkDataArray>>> Copies; // [identity of the copy]
  std::map<std::uint64_t, Kept<std::shared_ptr<const GhostFlags>>> Ghosts;
};

#endif
