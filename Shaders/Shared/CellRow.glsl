// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// A row of dual cells: which of them the isosurface cuts, and the number of their triangles.

// Inside bits of the four rows of samples around a row of cells along x. Cell x lies between bits x and x + 1.
struct CellRow
{
  uint low;  // samples at z: those at y in the low half, those at y + 1 in the high half
  uint high; // samples at z + 1, in the same order
};

CellRow cellRow(uint here, uint nextY, uint nextZ, uint nextYZ)
{
  return CellRow(here | nextY << 16, nextZ | nextYZ << 16);
}

// Cells of the row whose corners are not all on one side, one bit per cell. Only these have triangles.
uint cutCells(CellRow row)
{
  const uint someY = row.low | row.high, allY = row.low & row.high;
  const uint some = someY | someY >> 16, all = allY & allY >> 16;
  return (some | some >> 1) & ~(all & all >> 1);
}

// Returns the number of triangles of cut cells of the row, one bit per cell, without the case table. If the crossings
// of a cell form n closed loops, it has as many triangles as crossed edges, less 2 n. On a face with four crossings the
// loops separate the two inside corners (CaseTable.h). So each connected set of inside corners has one loop, but two if
// only two opposite corners of the cell are not inside. The number of these sets is that of inside corners, less the
// edges between them, plus the faces with four inside corners (Euler's formula), but one more for those two opposite
// corners. Every corner has three edges; so the number of triangles is that of inside corners, less 2 for each face with
// four inside corners, less 4 for such two opposite corners.
uint trianglesOfCells(uint cells, CellRow row)
{
  const uint halves = cells | cells << 16; // the cells in both halves of a word
  const uint corners = bitCount(row.low & halves) + bitCount(row.low >> 1 & halves) + bitCount(row.high & halves) +
    bitCount(row.high >> 1 & halves);

  const uint pairZ = row.low & row.high; // two inside samples along z: at y, at y + 1
  const uint lowPairY = row.low & row.low >> 16, highPairY = row.high & row.high >> 16;
  const uint pairY = lowPairY | highPairY << 16; // along y: at z, at z + 1
  const uint fourYZ = lowPairY & highPairY;
  const uint four = fourYZ | fourYZ >> 1 << 16; // along y and z: at x, at x + 1
  const uint faces =
    bitCount(pairZ & pairZ >> 1 & halves) + bitCount(pairY & pairY >> 1 & halves) + bitCount(four & halves);

  // The diagonals of a cell: those through (y, z) and (y + 1, z + 1) in the low half, those through (y + 1, z) and
  // (y, z + 1) in the high half; in each half one that rises along x, and one that falls.
  const uint across = row.high >> 16 | row.high << 16;
  const uint rising = row.low & across >> 1, falling = row.low >> 1 & across;           // both ends are inside
  const uint noRising = ~(row.low | across >> 1), noFalling = ~(row.low >> 1 | across); // no end is inside
  const uint bothDiagonals = rising & falling;
  const uint opposite = (noRising & falling | rising & noFalling) & (bothDiagonals >> 16 | bothDiagonals << 16);
  return corners - 2 * faces - 4 * bitCount(opposite & halves);
}
