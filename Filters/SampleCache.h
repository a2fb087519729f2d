// What a filter keeps from pass to pass, so that input that has not changed is known again.
#ifndef SampleCache_h
#define SampleCache_h

#include "vtkDataArray.h"
#include "vtkSmartPointer.h"

#include <array>
#include <map>
#include <utility>

// What the ghost flags of an image's samples follow from.
struct GhostSources
{
  vtkMTimeType cells = 0; // modification time of the ghost array; 0: none
  vtkMTimeType points = 0;
  std::array<int, 6> imageExtent{};
  std::array<int, 6> pieceExtent{}; // as of SampleChoice

  bool operator<(const GhostSources& other) const;
};

// Arrays are known by their modification times, which are unique within the process: one stands for the array and for
// its state. What nobody asks for between beginPass and endPass is dropped.
class SampleCache
{
public:
  void beginPass();
  void endPass();

  // The array itself if its values lie in one block, tuple after tuple; else a copy that is, made once for each state
  // of the array.
  vtkSmartPointer<vtkDataArray> inOneBlock(vtkDataArray* array);

  // One component, from 0, or the magnitude of all (-1), in one block; likewise a copy where it has to be.
  vtkSmartPointer<vtkDataArray> component(vtkDataArray* array, int component);

  // A number that stands for what follows from these sources: other than 0, and no modification time.
  vtkMTimeType identityOf(const GhostSources& sources);

private:
  template <class Value>
  struct Kept
  {
    Value value;
    bool isWanted = true;
  };
  std::map<std::pair<vtkMTimeType, int>, Kept<vtkSmartPointer<vtkDataArray>>> Copies; // [array, component]
  std::map<GhostSources, Kept<vtkMTimeType>> Identities;
};

#endif
