// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Contour/ExtractionState.h"

#include "Compute/Context.h"
#include "Compute/Contour/CaseTable.h"

#include <algorithm>
#include <cstring>

namespace vmc
{

namespace
{

constexpr std::uint64_t TotalBytes = 4 * TOTAL_WORDS;
constexpr std::uint64_t LargestUpdate = 65536; // bytes per command

static_assert(TotalBytes <= ExtractionState::Alignment);

}

void CapacityHistory::Needs::growTo(const Needs& other)
{
  this->activeBricks = std::max(this->activeBricks, other.activeBricks);
  this->points = std::max(this->points, other.points);
  this->triangles = std::max(this->triangles, other.triangles);
  this->rowBytes = std::max(this->rowBytes, other.rowBytes);
  this->temporaryBytes = std::max(this->temporaryBytes, other.temporaryBytes);
}

CapacityHistory::Needs CapacityHistory::expected() const
{
  Needs largest;
  for (const Needs& needs : this->Last)
    largest.growTo(needs);
  return largest;
}

void CapacityHistory::add(const Needs& needs)
{
  std::copy_backward(this->Last.begin(), this->Last.end() - 1, this->Last.end());
  this->Last[0] = needs;
}

ExtractionState::ExtractionState(Context& context)
  : CaseTable(context.device(), sizeof(PackedCaseTable), Buffer::Memory::Device, "the case table")
{
}

void ExtractionState::reserve(Context& context, std::size_t tasks)
{
  if (tasks <= this->TaskCapacity)
    return;
  Device& device = context.device();
  this->Tasks = Buffer(device, 4 * Alignment * tasks, Buffer::Memory::Device, "totals and dispatches of tasks");
  this->TotalsOnHost = Buffer(device, Alignment * tasks, Buffer::Memory::Readback, "totals on the host");
  this->TaskCapacity = tasks;
}

void GeometryTable::add(const std::vector<Geometry>& geometries, const std::vector<GridCoordinate>& coordinates)
{
  const std::uint64_t bytes = geometries.size() * sizeof(Geometry);
  Place place{ this->append(geometries.data(), bytes), bytes, 0, coordinates.size() * sizeof(GridCoordinate) };
  if (place.coordinateBytes != 0)
    place.coordinates = this->append(coordinates.data(), place.coordinateBytes);
  this->Places.push_back(place);
}

std::uint64_t GeometryTable::append(const void* values, std::size_t sizeInBytes)
{
  const std::uint64_t offset = RegionLayout::aligned(this->Bytes.size());
  this->Bytes.resize(offset + sizeInBytes);
  std::memcpy(this->Bytes.data() + offset, values, sizeInBytes);
  return offset;
}

void GeometryTable::setRegions(SlabTask& task, const Buffer& buffer, std::size_t volume) const
{
  const Place& place = this->Places[volume];
  task.geometry = Region(buffer, place.geometry, place.geometryBytes);
  task.coordinates = place.coordinateBytes != 0 ? Region(buffer, place.coordinates, place.coordinateBytes) : Region();
}

void ExtractionState::recordTables(Context& context, CommandRecorder& commands, const GeometryTable& geometries)
{
  const std::vector<std::byte>& table = geometries.bytes();
  if (table == this->Geometries)
    return;
  if (this->GeometryBuffer.size() < table.size())
    this->GeometryBuffer = Buffer(context.device(), table.size(), Buffer::Memory::Device, "geometries");
  if (this->Geometries.empty())
    commands.update(this->CaseTable, packedCaseTable().data(), sizeof(packedCaseTable()));
  for (std::uint64_t begin = 0; begin < table.size(); begin += LargestUpdate)
    commands.update(
      this->GeometryBuffer, table.data() + begin, std::min<std::uint64_t>(LargestUpdate, table.size() - begin), begin);
  this->Geometries = table;
}

void ExtractionState::setRegions(
  SlabTask& task, std::size_t place, const GeometryTable& geometries, std::size_t volume) const
{
  const auto regionIn = [&](std::size_t array, std::uint64_t bytes)
  { return Region(this->Tasks, Alignment * (array * this->TaskCapacity + place), bytes); };
  geometries.setRegions(task, this->GeometryBuffer, volume);
  task.totals = regionIn(0, TotalBytes);
  task.dispatch = regionIn(1, 3 * 4 * (task.volume->levels ? 1 + LEVEL_GROUPS : 1));
  task.noPoints = regionIn(2, 4);
  task.noTriangles = regionIn(3, 4);
}

void ExtractionState::recordFetch(CommandRecorder& commands, const TaskRange& range) const
{
  const std::uint64_t offset = range.first->totals.offset;
  commands.copy(Region(this->Tasks, offset, Alignment * (range.size() - 1) + TotalBytes), this->TotalsOnHost, offset);
}

const std::uint32_t* ExtractionState::totalsOnHost(const SlabTask& task) const
{
  return reinterpret_cast<const std::uint32_t*>(this->TotalsOnHost.mapped() + task.totals.offset);
}

}
