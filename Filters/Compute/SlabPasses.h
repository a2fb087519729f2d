// The passes over one slab for one isovalue.
#ifndef vmcSlabPasses_h
#define vmcSlabPasses_h

#include "Commands.h"
#include "ContourPlan.h"
#include "Isovalue.h"
#include "Mesh.h"
#include "OutputArray.h"
#include "ResidentVolume.h"
#include "Structs.h"
#include "Volume.h"

#include <vector>

namespace vmc
{

struct Request;

// Holds what the passes hand to each other on the device; kept from slab to slab and run to run, growing as needed.
// Call select, count, emit in this order.
class SlabPasses
{
public:
  SlabPasses(const Device& device, MemoryBudget& budget, Commands& commands);

  // Gives back the memory that grows with the slab.
  void release();

  // Before the first slab of an extraction.
  void begin(const Volume& volume, ResidentVolume& resident, const ContourPlan& plan, const Request& request);

  // SelectBricks. Returns the number of active bricks that the slab emits.
  std::uint32_t select(const Slab& slab, const Threshold& threshold, std::vector<StageTime>& times);

  // CountBricks and Scan. Returns the number of triangles that the slab emits.
  std::uint32_t count(std::vector<StageTime>& times);

  // EmitPoints to Download: the slab's part of the mesh, its first point having the id pointBase.
  // Throws OutOfMemory, also where an output array exceeds what the device can bind at once; Unsupported if ids do not
  // fit 32 bits.
  Mesh emit(std::uint64_t pointBase, std::vector<StageTime>& times);

private:
  // Output arrays of a part; with shared points the kernels write these, otherwise RepeatCorners does.
  struct Outputs
  {
    OutputArray positions, positionsLow, normals, gradients; // three floats a point
    std::vector<OutputArray> attributes;
    OutputArray triangles, cells;
  };

  // An array of values at the points, of some number of components.
  struct PointArray
  {
    OutputArray* array;
    std::uint32_t components;
  };

  const Kernel& kernel(const shaders::Words& spirv, std::uint32_t groupSize = 0) const;
  void reserve(Buffer& buffer, std::uint64_t words, const char* name);
  bool hasBlanking() const;
  void bindSlab(const Slab& slab);
  void bindArrays(std::vector<StageTime>& times);
  void readTotals(std::vector<StageTime>& times);
  Outputs makeOutputs(std::uint64_t points, std::uint64_t triangles) const;
  void bindOutputs(const Outputs& outputs);
  void recordEmission(std::uint64_t points, const Outputs& outputs);
  void recordAttribute(std::size_t index, std::uint64_t points, const Buffer& target);
  std::vector<PointArray> pointArrays(Outputs& outputs) const;
  Outputs recordRepetition(Outputs& shared, std::uint64_t triangles);
  void recordRepeat(const Buffer& shared, const Buffer& corners, std::uint32_t components, std::uint64_t triangles);
  Mesh download(Outputs& outputs, std::uint64_t points, std::uint64_t triangles, std::vector<StageTime>& times);
  HostBlock wholeCells(const HostBlock& cells) const;
  void checkIds(std::uint64_t pointBase, std::uint64_t points) const;

  const Device& Owner;
  MemoryBudget& Budget;
  Commands& Recorder;

  const Volume* Input = nullptr;
  ResidentVolume* Resident = nullptr;
  const ContourPlan* Plan = nullptr;
  const Request* Wanted = nullptr;
  Specialization Samples; // of the kernels that read samples

  Slab Current;
  SlabConstants Push{};
  Bindings Bound;
  std::uint32_t Totals[8] = {};

  Buffer TotalsOnDevice, TotalsOnHost, CaseTable, GeometryOnDevice, Unused;
  Buffer SlotOfBrick, BlockSum, ActiveBrick, RowEdges, RowPointOffset, LiveCells, BrickOffset, Crossings;
};

// The specialization of kernels that read values of this type.
Specialization specializationOf(SampleType type);

// The specialization of kernels that read the samples of this volume.
Specialization specializationOf(const Volume& volume);

// Index space to world space as the kernels take it. Throws Unsupported if the map cannot be inverted.
Geometry geometryOf(const IndexToWorld& map);

}

#endif
