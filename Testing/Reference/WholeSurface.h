// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The isosurface of a whole volume by brute force, to which tests compare whole extractions. Uses neither slabs nor
// keys; compares samples with the isovalue in double.
#ifndef vmcReferenceWholeSurface_h
#define vmcReferenceWholeSurface_h

#include "Compute/Contour/CaseTable.h"
#include "Reference/EmitPoints.h"
#include "Reference/PaddedGrid.h"
#include "Shared/Cell.h"
#include "Shared/Constants.h"

#include <algorithm>
#include <functional>
#include <vector>

namespace vmc::reference
{

// The point on a crossed edge.
struct SurfacePoint
{
  std::size_t lowSample;  // index of the image sample at the start of the edge
  std::size_t highSample; // at its end; equal to lowSample on a cap
  std::uint32_t axis;
  double fraction;
  Vector index;    // steps from the first image sample
  Vector gradient; // values per step along each axis
};

class WholeSurface
{
public:
  std::vector<SurfacePoint> points;     // in output order
  std::vector<std::uint32_t> triangles; // point index [triangle][3], in output order
  std::vector<std::int64_t> cells;      // [triangle]: index of the image sample at the dual cell's minimum corner

  WholeSurface(const PaddedGrid& grid, double isovalue)
    : Grid(grid)
    , Isovalue(isovalue)
    , IdOfEdge(3 * grid.value.size(), NoPoint)
  {
    this->forEachRow(
      [this](const Position& row)
      {
        for (std::uint32_t axis = 0; axis < 3; ++axis)
          for (std::uint32_t x = row[0]; x < std::min(row[0] + BRICK_SIZE, this->Grid.size[0]); ++x)
            this->addPoint({ x, row[1], row[2] }, axis);
      });
    this->forEachRow(
      [this](const Position& row)
      {
        for (std::uint32_t x = row[0]; x < std::min(row[0] + BRICK_SIZE, this->Grid.size[0]); ++x)
          this->addTriangles({ x, row[1], row[2] });
      });
  }

private:
  static constexpr std::uint32_t NoPoint = 0xFFFFFFFFu;

  // Calls `use` with the first position of each row, in the order of bricks and rows.
  void forEachRow(const std::function<void(const Position&)>& use) const
  {
    const std::array<std::uint32_t, 3>& size = this->Grid.size;
    for (std::uint32_t brickZ = 0; brickZ < size[2]; brickZ += BRICK_SIZE)
      for (std::uint32_t brickY = 0; brickY < size[1]; brickY += BRICK_SIZE)
        for (std::uint32_t brickX = 0; brickX < size[0]; brickX += BRICK_SIZE)
          for (std::uint32_t z = brickZ; z < std::min(brickZ + BRICK_SIZE, size[2]); ++z)
            for (std::uint32_t y = brickY; y < std::min(brickY + BRICK_SIZE, size[1]); ++y)
              use({ brickX, y, z });
  }

  bool isInside(const Position& p) const
  {
    const std::size_t index = this->Grid.indexOf(p);
    return !this->Grid.outside[index] && this->Grid.value[index] >= this->Isovalue;
  }

  void addPoint(const Position& start, std::uint32_t axis)
  {
    const Position end = SlabGrid::endOf(start, axis);
    if (!this->Grid.contains(end) || this->isInside(start) == this->isInside(end) ||
        !hasValidCell(this->Grid, start, axis))
      return;
    const std::size_t from = this->Grid.indexOf(start), to = this->Grid.indexOf(end);
    this->IdOfEdge[3 * from + axis] = static_cast<std::uint32_t>(this->points.size());
    SurfacePoint point;
    point.lowSample = this->Grid.sample[from];
    point.highSample = this->Grid.sample[to];
    point.axis = axis;
    // On a cap both ends have the same coordinates, and only one of them has a gradient.
    const bool isCap = this->Grid.outside[from] || this->Grid.outside[to];
    point.fraction = isCap ? 0 : crossingFraction(this->Isovalue, this->Grid.value[from], this->Grid.value[to]);
    for (std::size_t a = 0; a < 3; ++a)
    {
      const double low = this->Grid.coordinate[a][start[a]], high = this->Grid.coordinate[a][end[a]];
      point.index[a] = low + point.fraction * (high - low);
      const double slopeFrom = this->derivative(this->Grid.outside[from] ? end : start, a);
      const double slopeTo = this->derivative(this->Grid.outside[to] ? start : end, a);
      point.gradient[a] = slopeFrom + point.fraction * (slopeTo - slopeFrom);
    }
    this->points.push_back(point);
  }

  // Returns whether two positions are different image samples, and `to` is in the domain and not blank.
  bool isStep(const Position& from, const Position& to) const
  {
    if (!this->Grid.contains(to))
      return false;
    const std::size_t a = this->Grid.indexOf(from), b = this->Grid.indexOf(to);
    return !this->Grid.outside[a] && !this->Grid.outside[b] && !this->Grid.blank[b] &&
           this->Grid.sample[a] != this->Grid.sample[b];
  }

  // The difference between the usable neighbours along an axis, or between one of them and the sample, divided by their
  // distance; 0 if there are none.
  double derivative(const Position& p, std::size_t axis) const
  {
    const std::vector<double>& coordinate = this->Grid.coordinate[axis];
    double sum = 0, distance = 0;
    for (const int side : { -1, 1 })
    {
      Position neighbour = p;
      neighbour[axis] += static_cast<std::uint32_t>(side); // wraps around below 0
      if (!this->isStep(p, neighbour))
        continue;
      sum += side * (this->Grid.value[this->Grid.indexOf(neighbour)] - this->Grid.value[this->Grid.indexOf(p)]);
      distance += side * (coordinate[neighbour[axis]] - coordinate[p[axis]]);
    }
    return distance == 0 ? 0 : sum / distance;
  }

  void addTriangles(const Position& cell)
  {
    if (!this->Grid.isValidCell(cell))
      return;
    unsigned cellCase = 0;
    for (unsigned corner = 0; corner < 8; ++corner)
      cellCase |= (this->isInside(SlabGrid::cornerOf(cell, corner)) ? 1u : 0u) << corner;
    for (const CellTriangle& triangle : trianglesOfCase(cellCase))
    {
      this->cells.push_back(static_cast<std::int64_t>(this->Grid.sample[this->Grid.indexOf(cell)]));
      for (const unsigned edge : triangle)
      {
        const Position start = { cell[0] + EDGE_START_X(edge), cell[1] + EDGE_START_Y(edge),
          cell[2] + EDGE_START_Z(edge) };
        this->triangles.push_back(this->IdOfEdge[3 * this->Grid.indexOf(start) + EDGE_AXIS(edge)]);
      }
    }
  }

  const PaddedGrid& Grid;
  double Isovalue;
  std::vector<std::uint32_t> IdOfEdge; // [position][axis]
};

}

#endif
