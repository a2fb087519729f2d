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

static_assert(sizeof(Geometry) <= ExtractionState::Alignment && TotalBytes <= ExtractionState::Alignment);

bool areEqual(const std::vector<Geometry>& a, const std::vector<Geometry>& b)
{
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(Geometry)) == 0;
}

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
  : CaseTable(context.device(), CASE_TABLE_WORDS * 4, Buffer::Memory::Device, "the case table")
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

void ExtractionState::recordTables(Context& context, CommandRecorder& commands, const std::vector<Geometry>& geometries)
{
  if (areEqual(geometries, this->Geometries))
    return;
  std::vector<std::byte> table(Alignment * (geometries.size() - 1) + sizeof(Geometry));
  for (std::size_t i = 0; i < geometries.size(); ++i)
    std::memcpy(table.data() + Alignment * i, &geometries[i], sizeof(Geometry));
  if (this->GeometryTable.size() < table.size())
    this->GeometryTable = Buffer(context.device(), table.size(), Buffer::Memory::Device, "geometries");
  if (this->Geometries.empty())
    commands.update(this->CaseTable, packedCaseTable().data(), sizeof(packedCaseTable()));
  for (std::uint64_t begin = 0; begin < table.size(); begin += LargestUpdate)
    commands.update(
      this->GeometryTable, table.data() + begin, std::min<std::uint64_t>(LargestUpdate, table.size() - begin), begin);
  this->Geometries = geometries;
}

void ExtractionState::setRegions(SlabTask& task, std::size_t place, std::size_t volume) const
{
  const auto regionIn = [&](std::size_t array, std::uint64_t bytes)
  { return Region(this->Tasks, Alignment * (array * this->TaskCapacity + place), bytes); };
  task.geometry = Region(this->GeometryTable, Alignment * volume, sizeof(Geometry));
  task.totals = regionIn(0, TotalBytes);
  task.dispatch = regionIn(1, 3 * 4);
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
