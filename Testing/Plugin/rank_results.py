# SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
# SPDX-License-Identifier: BSD-3-Clause
"""Computes the surfaces of rank_sources.CASES and the histograms of histogram_cases.CASES on every rank, and saves the
results of each rank.

usage: mpiexec -n RANKS pvbatch --sym rank_results.py FOLDER
FOLDER contains the files of histogram_cases.write_sources. For each case and rank, the script writes CASE.RANK.npz. Of a
surface: points, triangles, normals (if made), usedDevice and the number of ghost cells. Of a histogram: the columns and
the field data of the table, the name of its array (empty: none), and the numbers of errors and of warnings of the rank.
"""
import os
import sys

import histogram_cases
import histograms
import numpy
import plugin_test
import rank_sources
import surfaces
from vtkmodules.vtkParallelCore import vtkMultiProcessController
from vtkmodules.util.numpy_support import vtk_to_numpy

folder = sys.argv[1]
rank = vtkMultiProcessController.GetGlobalController().GetLocalProcessId()


def save(case, **arrays):
    numpy.savez(os.path.join(folder, f"{case}.{rank}.npz"), **arrays)


for case in rank_sources.CASES:
    contour = rank_sources.contour_of(folder, case)
    contour.UpdatePipeline()
    algorithm = contour.GetClientSideObject()
    ghosts = algorithm.GetInputDataObject(0, 0).GetCellGhostArray()
    used = [line for line in str(algorithm).splitlines() if "Used Device:" in line]  # not wrapped for Python
    save(case, usedDevice=used[0].split(":", 1)[1].strip(),
         ghostCells=numpy.count_nonzero(vtk_to_numpy(ghosts)) if ghosts else 0,
         **surfaces.arrays_of(algorithm.GetOutputDataObject(0)))

for case in histogram_cases.CASES:
    histogram = histogram_cases.histogram_of(folder, case)
    if case == histogram_cases.FAILS_ON_OTHER_RANKS and rank > 0:
        histogram.ArrayComponent = 7
    messages = plugin_test.Messages(histogram)
    histogram.UpdatePipeline()
    table = histogram.GetClientSideObject().GetOutputDataObject(0)
    name = table.GetFieldData().GetAbstractArray("Array")
    save(case, name=name.GetValue(0) if name else "", errors=messages.errors, warnings=messages.warnings,
         **histograms.arrays_of(table))
