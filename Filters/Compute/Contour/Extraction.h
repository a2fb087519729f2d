// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The part of an extraction that one device does.
#ifndef vmcExtraction_h
#define vmcExtraction_h

#include "Compute/Contour/ExtractionState.h"
#include "Compute/Contour/SlabPasses.h"
#include "Compute/Contour/Surface.h"
#include "Compute/Contour/SurfaceOutputs.h"
#include "Compute/Volume/DeviceSession.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace vmc
{

// Consecutive volumes of the caller.
struct VolumeList
{
  const Volume *first, *last;

  const Volume* begin() const { return this->first; }
  const Volume* end() const { return this->last; }
  std::size_t size() const { return static_cast<std::size_t>(this->last - this->first); }
};

// One attempt of one device to extract its layers of a list of volumes, in one step of the ladder. The driver is
// `extracted` in DeviceExtraction.cxx. Functions that take a Progress return false if it stopped them. All throw
// OutOfMemory, OutOfHostMemory, DeviceLost, Internal.
class Extraction
{
public:
  // blocks: of the output. All arguments must outlive this object.
  Extraction(
    DeviceSession& session, ExtractionState& state, HostMemoryPool& blocks, const Request& request, Report& report);

  // Plans the slabs of these layers[volume]. Without keepsRows, nothing of a slab is kept between the sweeps: the
  // second one counts it again. Returns the layers of the largest slab.
  std::uint32_t plan(
    const VolumeList& volumes, const std::vector<LayerRange>& layers, const Residency& residency, bool keepsRows);

  // Plans a slab for each hierarchy of levels and each isovalue.
  void plan(const std::vector<std::shared_ptr<const LevelArrays>>& hierarchies);

  bool hasTasks() const { return !this->Tasks.empty(); }
  Surface emptySurface() const;

  // Upload, BuildBrickRanges. Another extraction of the session may work in another thread meanwhile. Adds to the
  // times.
  bool upload(StageTimes& times, const Progress& progress);

  // The first sweep: SelectBricks, CompactBricks, CountBricks, ScanBricks. Uploads before, unless that is done.
  // isAlone: no other device works on the surface. Then the second sweep is done as well, if all of it is known to be
  // possible.
  bool count(bool isAlone, const Progress& progress);

  // The host's prefix sum over the tasks of all devices: from here on, all ids are known.
  static void placeTasks(const std::vector<std::unique_ptr<Extraction>>& devices, Surface& surface);

  void reserveOutputs();                      // unless the first sweep has written them
  void shareOutputs(const Extraction& owner); // writes to those of another device

  // The second sweep: EmitSurface, InterpolateAttribute, RepeatCorners, Download. meanwhile: is called while the device
  // works.
  bool emit(const std::function<void()>& meanwhile, const Progress& progress);

  // Moves the outputs into the surface; to be called for the device that has reserved them.
  void moveOutputs(Surface& surface);
  // Completes the crossings of its tasks in the surface, and remembers what the attempt has needed.
  void finish(Surface& surface);

private:
  // The memory of the arrays between the passes over a range.
  struct RowMemory
  {
    PooledBuffer bricks, rows;
  };

  // The parts of a volume that the surface needs if the volume has no dual cell.
  struct InputMesh
  {
    Vector3 origin;
    MeshLengths lengths;
    std::vector<Attribute> attributes;
  };

  std::vector<std::pair<std::size_t, Threshold>> thresholdsOf(SampleType type, bool isClosed) const;
  VolumeTask& addVolume();
  SlabTask& addTask(std::size_t isovalue);
  void addTasks(const Volume& volume, const ContourPlan& plan);
  bool mayHaveSurface(const VolumeTask& volume, const BrickRanges& ranges);
  void acquireVolume(VolumeTask& volume, StageTimes& times);
  void reserveTables();
  TaskRange tasksOf(const VolumeTask& volume);
  bool mayContinue(double begin, double end, const TaskRange& range, const Progress& progress) const;

  bool selectAndCount(const TaskRange& range, RowMemory& memory);
  void reserveBricks(const TaskRange& range, RowMemory& memory);
  void countSelected(const TaskRange& range, RowMemory& memory);
  // Returns whether slabs copy the rows of their halo layer from the next slab, if the plan has one.
  bool copiesHalos() const { return this->KeepsRows && this->InputRequest.mergePoints; }
  void leaveOutHalos(const TaskRange& range);
  void recordHalos(const TaskRange& range);
  bool assumeCapacity(const TaskRange& range);
  bool canEmitAtOnce() const;
  bool reserveExpectedOutputs(const TaskRange& range);
  void reserveRows(const TaskRange& range, RowMemory& memory);
  void readTotals(const TaskRange& range);

  void setPlace(SlabTask& task, std::uint32_t points, std::uint32_t triangles) const;
  void emitRange(const TaskRange& range, const std::function<void()>& meanwhile);
  void bindOutputs(const TaskRange& range);
  void recordEmission(const TaskRange& range);
  void shrinkOutputs(const std::function<void()>& meanwhile);

  void begin();
  void submit(const std::function<void()>& meanwhile = {})
  {
    this->Recorder.submitAndWait(this->OutputReport.stages, meanwhile);
  }

  DeviceSession& Session;
  ExtractionState& State;
  Context& DeviceContext;
  CommandRecorder& Recorder;
  const Request& InputRequest;
  Report& OutputReport;
  const CapacityHistory::Needs Expected;
  CapacityHistory::Needs Needs;
  bool KeepsRows = true;
  bool IsAlone = true;
  bool IsUploaded = false;
  bool IsEmitted = false; // by the first sweep
  std::vector<InputMesh> InputMeshes;
  std::vector<VolumeTask> Volumes; // that have a dual cell
  GeometryTable Geometries;        // of these
  std::vector<SlabTask> Tasks;     // by volume, slab, isovalue
  const SlabPasses Passes;
  SurfaceOutputs Outputs;
  OutputArray Isovalues;       // of the points; without memory unless requested on the device
  std::vector<RowMemory> Rows; // of the ranges of the first sweep
};

}

#endif
