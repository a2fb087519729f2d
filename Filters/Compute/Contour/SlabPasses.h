// The passes over one slab for one isovalue.
#ifndef vmcSlabPasses_h
#define vmcSlabPasses_h

#include "Compute/Contour/Isovalue.h"
#include "Compute/Contour/MeshArrays.h"
#include "Compute/Volume/ContourPlan.h"
#include "Compute/Volume/ResidentVolume.h"
#include "Compute/Volume/Totals.h"
#include "Compute/Volume/Volume.h"
#include "Compute/Vulkan/Commands.h"
#include "Shared/Constants.h"
#include "Shared/Structs.h"

#include <vector>

namespace vmc
{

struct Request;

// Holds what the passes hand to each other on the device; kept from slab to slab and run to run, growing as needed.
// All passes over a slab are one submission: the device sizes its dispatches itself. The host learns afterwards whether
// the buffers had room for what came out, and if not, has the passes from there on done again with more.
class SlabPasses
{
public:
  SlabPasses(const Device& device, MemoryBudget& budget, Commands& commands, Totals& totals);

  // Gives back the memory that grows with the slab.
  void release();

  // Before the first slab of an extraction.
  void begin(const Volume& volume, ResidentVolume& resident, const ContourPlan& plan, const Request& request);

  // SelectBricks to EmitTriangles, the slab's first point having the id pointBase. Returns the number of active bricks
  // that the slab emits. Throws OutOfMemory, also where an output array exceeds what the device can bind at once;
  // Unsupported if ids do not fit 32 bits.
  std::uint32_t run(
    const Slab& slab, const Threshold& threshold, std::uint64_t pointBase, std::vector<StageTime>& times);

  // InterpolateAttribute, RepeatCorners, Download: the slab's part of the mesh. Throws OutOfMemory.
  Mesh download(std::vector<StageTime>& times);

private:
  enum class Pass
  {
    Select,
    Count,
    Emit,
    Done
  };

  // What the buffers can hold.
  struct Room
  {
    std::uint32_t activeBricks = 0;
    std::uint32_t points = 0;
    std::uint32_t triangles = 0;
  };

  void reserve(Buffer& buffer, std::uint64_t words, const char* name);
  void chooseKernels();
  bool hasBlanking() const;
  void bindSlab(const Slab& slab, const Threshold& threshold, std::uint64_t pointBase);
  void setThreshold(const Threshold& threshold);
  void bindArrays(std::vector<StageTime>& times);
  void bindRoom();
  void submitFrom(Pass first, std::vector<StageTime>& times);
  Pass makeRoom();
  void recordTables();
  void recordSelection();
  void recordCounting();
  void recordEmission();
  void recordAttributes();
  void recordAttribute(std::size_t index, std::uint64_t points, const Region& target);
  void recordRepetition();
  void recordRepeat(const Region& shared, const Region& corners, std::uint32_t components, std::uint64_t triangles);
  HostBlock wholeCells(const HostBlock& cells) const;

  // Of the last run.
  std::uint32_t activeCount() const;
  std::uint32_t ownActiveCount() const;
  std::uint32_t pointsToEmit() const;
  std::uint32_t triangleCount() const;
  void checkIds() const;

  const Device& Owner;
  MemoryBudget& Budget;
  Commands& Recorder;
  Totals& Counted; // by the last run

  const Volume* Input = nullptr;
  ResidentVolume* Resident = nullptr;
  const ContourPlan* Plan = nullptr;
  const Request* Wanted = nullptr;
  Specialization KernelsSpecialization; // with which Kernels were chosen
  struct
  {
    const Kernel *select, *compact, *count, *scan, *points, *triangles;
  } Kernels{};
  Geometry Map{};
  bool HasTables = false; // case table and geometry are on the device

  Slab Current;
  std::uint64_t FirstPoint = 0;
  SlabConstants Push{};
  Bindings Bound;
  Room There;

  Buffer Dispatch, CaseTable, GeometryOnDevice, Unused, UnusedCells;
  Buffer SlotOfBrick, BlockSum, ActiveBrick, RowEdges, RowPointOffset, ValidCells, BrickOffset, Crossings;
  MeshArrays Arrays;
  MeshArrays Corners; // where triangles do not share points: values at the corners of triangles
};

// The specialization of kernels that read values of this type.
Specialization specializationOf(SampleType type);

// The specialization of kernels that read the samples of this volume.
Specialization specializationOf(const Volume& volume);

// The specialization of kernels that work on a brick: the size of their groups, and which way they go.
Specialization specializationOfBricks(bool isGpu);

// Index space to world space as the kernels take it. Throws Unsupported if the map cannot be inverted.
Geometry geometryOf(const IndexToWorld& map);

}

#endif
