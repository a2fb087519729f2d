// The size of an isosurface, counted on the host without anything of the device.
#ifndef vmcCountedSurface_h
#define vmcCountedSurface_h

#include "Cases.h"

#include <cstdint>

namespace vmc::benchmarks
{

struct CountedSurface
{
  Counts counts;
  double activePercent = 0; // of the dual cells make triangles
};

// Looks at every edge and every dual cell, on all processors. Of the code that is timed it uses the case table alone.
// For UInt8, UInt16 and Float32.
CountedSurface countSurface(const test::Samples& samples, double isovalue);

}

#endif
