// Ways to put other values into an array that leave its modification time as it is.
#ifndef SilentChanges_h
#define SilentChanges_h

#include <array>

class vtkDataArray;

// Both arrays have the same type, components and tuples. The values are no longer needed afterwards.
struct SilentChange
{
  const char* name;
  void (*apply)(vtkDataArray* array, vtkDataArray* values);
};

extern const std::array<SilentChange, 4> SilentChanges;

#endif
