# SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
# SPDX-License-Identifier: BSD-3-Clause
"""Tables of the filter Vulkan Image Histogram as numpy arrays."""
import numpy
from paraview import servermanager
from vtkmodules.util.numpy_support import vtk_to_numpy


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
