# SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
# SPDX-License-Identifier: BSD-3-Clause
"""Tables of the filter Vulkan Image Histogram as numpy arrays, and the same counts by numpy."""
import numpy
from paraview import servermanager
from vtkmodules.util.numpy_support import vtk_to_numpy

COLUMNS = ["Lower", "Upper", "Samples", "CutCells", "VolumeAbove"]
COUNTS = ["NaN", "Ghosts", "Below", "Above"]


def arrays_of(table):
    """Columns and field data by name. Texts are left out."""
    arrays = {}
    for data in (table.GetRowData(), table.GetFieldData()):
        for i in range(data.GetNumberOfArrays()):
            if data.GetArray(i) is not None:
                arrays[data.GetArray(i).GetName()] = vtk_to_numpy(data.GetArray(i))
    return arrays


def result_of(histogram):
    """The arrays of the table, fetched to the client."""
    histogram.UpdatePipeline()
    return arrays_of(servermanager.Fetch(histogram))


def edges_of(arrays):
    return numpy.append(arrays["Lower"], arrays["Upper"][-1:])


def bytes_of(arrays):
    return {name: array.tobytes() for name, array in arrays.items()}


def padded(values, boundary, of_cells):
    """The samples [z, y, x] with the layers that a boundary mode adds. -inf is below every isovalue."""
    if boundary != "Open" and of_cells:
        values = numpy.pad(values, 1, mode="edge")
    return numpy.pad(values, 1, constant_values=-numpy.inf) if boundary == "Close" else values


def of_corners(values, combine):
    """Combines the eight samples at the corners of each dual cell."""
    for axis in range(3):
        low, high = (numpy.take(values, range(start, values.shape[axis] - 1 + start), axis) for start in (0, 1))
        values = combine(low, high)
    return values


def cut_cells(values, isovalues, valid=None, boundary="Open", of_cells=True):
    """The number of dual cells that each isovalue cuts. values: float64 [z, y, x]. valid: [z, y, x], samples that are
    neither blank nor NaN; only without padding."""
    grid = padded(values, boundary, of_cells)
    smallest, largest = of_corners(grid, numpy.minimum), of_corners(grid, numpy.maximum)
    usable = numpy.isfinite(largest)
    if valid is not None:
        usable &= of_corners(valid, numpy.logical_and)
    smallest, largest = smallest[usable], largest[usable]
    return numpy.array([numpy.count_nonzero((smallest < isovalue) & (largest >= isovalue)) for isovalue in isovalues])
