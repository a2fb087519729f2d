// The isosurface of a whole volume by brute force: the truth that a whole extraction is held against. Knows neither
// slabs nor keys; compares samples with the isovalue in double.
#ifndef vmcReferenceWholeSurface_h
#define vmcReferenceWholeSurface_h

#include "CaseTable.h"
#include "Cell.h"
#include "Constants.h"
#include "EmitPoints.h"
#include "Volume.h"

#include <algorithm>
#include <functional>
#include <vector>

namespace vmc::reference
{

// A crossed edge: its low end, its axis, and where it is crossed.
struct SurfacePoint
{
  Position start;
  std::uint32_t axis;
  double fraction;

  Vector index() const
  {
    Vector position = { double(this->start[0]), double(this->start[1]), double(this->start[2]) };
    position[this->axis] += this->fraction;
    return position;
  }
};

class WholeSurface
{
public:
  std::vector<SurfacePoint> points;     // in the order of the output
  std::vector<std::uint32_t> triangles; // [triangle][3], likewise

  WholeSurface(const std::array<std::uint32_t, 3>& size, std::vector<double> samples, double isovalue)
    : Size(size)
    , Values(std::move(samples))
    , Isovalue(isovalue)
    , IdOfEdge(3 * this->Values.size(), NoPoint)
  {
    this->forEachRow(
      [this](const Position& row)
      {
        for (std::uint32_t axis = 0; axis < 3; ++axis)
          for (std::uint32_t x = row[0]; x < std::min(row[0] + BRICK_SIZE, this->Size[0]); ++x)
            this->addPoint({ x, row[1], row[2] }, axis);
      });
    this->forEachRow(
      [this](const Position& row)
      {
        for (std::uint32_t x = row[0]; x < std::min(row[0] + BRICK_SIZE, this->Size[0]); ++x)
          this->addTriangles({ x, row[1], row[2] });
      });
  }

private:
  static constexpr std::uint32_t NoPoint = 0xFFFFFFFFu;

  // Calls `use` with the first sample of each row, in the order of bricks and rows.
  void forEachRow(const std::function<void(const Position&)>& use) const
  {
    for (std::uint32_t brickZ = 0; brickZ < this->Size[2]; brickZ += BRICK_SIZE)
      for (std::uint32_t brickY = 0; brickY < this->Size[1]; brickY += BRICK_SIZE)
        for (std::uint32_t brickX = 0; brickX < this->Size[0]; brickX += BRICK_SIZE)
          for (std::uint32_t z = brickZ; z < std::min(brickZ + BRICK_SIZE, this->Size[2]); ++z)
            for (std::uint32_t y = brickY; y < std::min(brickY + BRICK_SIZE, this->Size[1]); ++y)
              use({ brickX, y, z });
  }

  std::size_t indexOf(const Position& p) const
  {
    return (std::size_t(p[2]) * this->Size[1] + p[1]) * this->Size[0] + p[0];
  }

  bool contains(const Position& p) const
  {
    return p[0] < this->Size[0] && p[1] < this->Size[1] && p[2] < this->Size[2];
  }

  bool isInside(const Position& p) const { return this->Values[this->indexOf(p)] >= this->Isovalue; }

  bool isLiveCell(const Position& p) const
  {
    bool live = this->contains({ p[0] + 1, p[1] + 1, p[2] + 1 });
    for (std::uint32_t corner = 0; live && corner < 8; ++corner)
      live = !std::isnan(this->Values[this->indexOf(SlabGrid::cornerOf(p, corner))]);
    return live;
  }

  void addPoint(const Position& start, std::uint32_t axis)
  {
    const Position end = SlabGrid::endOf(start, axis);
    if (!this->contains(end) || this->isInside(start) == this->isInside(end))
      return;
    bool live = false;
    for (std::uint32_t side = 0; side < 4; ++side)
    {
      Position cell = start;
      cell[(axis + 1) % 3] -= side & 1u; // wraps around below 0
      cell[(axis + 2) % 3] -= side >> 1;
      live = live || (this->contains(cell) && this->isLiveCell(cell));
    }
    if (!live)
      return;
    this->IdOfEdge[3 * this->indexOf(start) + axis] = static_cast<std::uint32_t>(this->points.size());
    this->points.push_back({ start, axis,
      crossingFraction(this->Isovalue, this->Values[this->indexOf(start)], this->Values[this->indexOf(end)]) });
  }

  void addTriangles(const Position& cell)
  {
    if (!this->isLiveCell(cell))
      return;
    unsigned cellCase = 0;
    for (unsigned corner = 0; corner < 8; ++corner)
      cellCase |= (this->isInside(SlabGrid::cornerOf(cell, corner)) ? 1u : 0u) << corner;
    for (const CellTriangle& triangle : trianglesOfCase(cellCase))
      for (const unsigned edge : triangle)
      {
        const Position start = { cell[0] + EDGE_START_X(edge), cell[1] + EDGE_START_Y(edge),
          cell[2] + EDGE_START_Z(edge) };
        this->triangles.push_back(this->IdOfEdge[3 * this->indexOf(start) + EDGE_AXIS(edge)]);
      }
  }

  std::array<std::uint32_t, 3> Size;
  std::vector<double> Values;
  double Isovalue;
  std::vector<std::uint32_t> IdOfEdge; // [sample][axis]
};

}

#endif
