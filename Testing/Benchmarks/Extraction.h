// How the core is run and timed.
#ifndef vmcExtraction_h
#define vmcExtraction_h

#include "Cases.h"
#include "Compute/Contour/MarchingCubes.h"

namespace vmc::benchmarks
{

// Where the mesh is when the clock stops.
enum class MeshPlace
{
  Device,
  Host
};

struct Extraction
{
  Counts counts;
  Report report;
  double milliseconds = 0; // host clock, around the call, which waits for the device
};

// Shared points, no normals. Where the mesh stays on the device the passes take less than a tenth of a millisecond:
// what is timed follows another extraction at once, as a device that was idle takes some time to begin; and as time
// stamps between the passes take a good part of that, the stages are those of one more extraction.
Extraction extract(MarchingCubes& backend, const Volume& volume, double isovalue, MeshPlace place);

// Bytes of the mesh that count as device memory: none where kernels write into the host's memory itself.
std::uint64_t meshBytesOnDevice(const Device& device, const Counts& counts);

}

#endif
