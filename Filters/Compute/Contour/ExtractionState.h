// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The state that a session keeps from one extraction to the next.
#ifndef vmcExtractionState_h
#define vmcExtractionState_h

#include "Compute/Contour/SlabTask.h"
#include "Compute/Vulkan/CommandRecorder.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace vmc
{

class Context;

// Remembers what the last few extractions needed, so that the next one begins with buffers of that size.
class CapacityHistory
{
public:
  struct Needs
  {
    std::uint32_t activeBricks = 0, points = 0, triangles = 0; // of the tasks with the most
    std::uint64_t rowBytes = 0;                                // of the range with the most
    std::uint64_t temporaryBytes = 0;                          // of the outputs of a range

    void growTo(const Needs& other);
  };

  // The largest of the remembered needs.
  Needs expected() const;

  void add(const Needs& needs); // of one extraction; the oldest one is forgotten
  void clear() { this->Last.fill({}); }

private:
  std::array<Needs, 8> Last;
};

// The geometries of the volumes of an extraction, as one array of bytes.
class GeometryTable
{
public:
  // geometries: one, or one per level. coordinates: see coordinatesOf.
  void add(const std::vector<Geometry>& geometries, const std::vector<GridCoordinate>& coordinates);

  std::size_t size() const { return this->Places.size(); } // volumes
  const std::vector<std::byte>& bytes() const { return this->Bytes; }
  // Sets the regions of a task of this volume in a buffer with the bytes.
  void setRegions(SlabTask& task, const Buffer& buffer, std::size_t volume) const;

private:
  struct Place
  {
    std::uint64_t geometry, geometryBytes, coordinates, coordinateBytes; // offsets in bytes; no bytes: an affine map
  };

  // Returns the offset of the values, which every device can bind.
  std::uint64_t append(const void* values, std::size_t sizeInBytes);

  std::vector<std::byte> Bytes;
  std::vector<Place> Places; // [volume]
};

// Small buffers of a device that every extraction of a session uses, and the history of its capacities.
class ExtractionState
{
public:
  // Throws OutOfMemory.
  explicit ExtractionState(Context& context);

  static constexpr std::uint64_t Alignment = RegionLayout::Alignment;

  // Enlarges the buffers for so many tasks, and, with records of `commands`, makes the geometries those of the device
  // unless they are. Throws OutOfMemory.
  void reserve(Context& context, std::size_t tasks);
  void recordTables(Context& context, CommandRecorder& commands, const GeometryTable& geometries);

  // To be called when a submission with records of recordTables() has failed.
  void forgetTables() { this->Geometries.clear(); }

  Region caseTable() const { return this->CaseTable; }
  // Sets the regions of a task of this volume in these buffers. place: less than the number of reserved tasks.
  // geometries: as for recordTables().
  void setRegions(SlabTask& task, std::size_t place, const GeometryTable& geometries, std::size_t volume) const;

  // Records the copy of the totals of tasks to the host. Their places must be consecutive.
  void recordFetch(CommandRecorder& commands, const TaskRange& range) const;
  // The words of a task's totals (TOTAL_... in Constants.h) as of the last copy that has finished.
  const std::uint32_t* totalsOnHost(const SlabTask& task) const;

  CapacityHistory history;

private:
  Buffer CaseTable;
  Buffer GeometryBuffer;
  // Totals[task], then dispatches[task], then a region[task] in place of outputs of points, and one of triangles, with
  // strides of Alignment.
  Buffer Tasks;
  Buffer TotalsOnHost; // [task]
  std::size_t TaskCapacity = 0;
  std::vector<std::byte> Geometries; // on the device with the case table; empty: none is
};

}

#endif
