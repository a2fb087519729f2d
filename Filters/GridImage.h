// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Rectilinear grids as images.
#ifndef vmcGridImage_h
#define vmcGridImage_h

#include "vtkImageData.h"
#include "vtkSmartPointer.h"

#include "Compute/Volume/Volume.h"

class vtkDataObject;
class vtkRectilinearGrid;

namespace vmc::filters
{

// An image in place of a vtkRectilinearGrid, with its extent, bounds and arrays, which it shares. Spacing and origin
// are those of a grid at equal distances; the true coordinates are in the geometry.
class GridImage : public vtkImageData
{
public:
  static GridImage* New();
  vtkTypeMacro(GridImage, vtkImageData);

  void SetGrid(vtkRectilinearGrid* grid);

  // The geometry of the grid's cells or points. The cells of a flat grid have a thickness of 1, as its image. Throws
  // vmc::Error (Unsupported) unless the coordinates increase.
  vmc::SampleGeometry GetGeometry(bool ofCells) const;

protected:
  GridImage() = default;

private:
  vmc::Coordinates Points;
};

// Returns the data object if it is an image, an image in its place if it is a rectilinear grid, or else null.
vtkSmartPointer<vtkImageData> imageOf(vtkDataObject* data);

}

#endif
