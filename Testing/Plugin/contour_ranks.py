# SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
# SPDX-License-Identifier: BSD-3-Clause
"""Contours the cases of rank_sources.CASES on every rank, and saves the result of each rank.

usage: mpiexec -n RANKS pvbatch --sym contour_ranks.py FOLDER
FOLDER contains volume.pvti and volume.raw of TestRanks.py. For each case and each rank, the script writes CASE.RANK.npz
with points, triangles, normals (if made), usedDevice, extent and the number of ghost cells.
"""
import os
import sys

import numpy
import rank_sources
from vtkmodules.vtkParallelCore import vtkMultiProcessController
from vtkmodules.util.numpy_support import vtk_to_numpy

folder = sys.argv[1]
rank = vtkMultiProcessController.GetGlobalController().GetLocalProcessId()
for case in rank_sources.CASES:
    contour = rank_sources.contour_of(folder, case)
    contour.UpdatePipeline()
    algorithm = contour.GetClientSideObject()
    image = algorithm.GetInputDataObject(0, 0)
    ghosts = image.GetCellGhostArray()
    used = [line for line in str(algorithm).splitlines() if "Used Device:" in line]  # not wrapped for Python
    numpy.savez(os.path.join(folder, f"{case}.{rank}.npz"), usedDevice=used[0].split(":", 1)[1].strip(),
                extent=image.GetExtent(), ghostCells=numpy.count_nonzero(vtk_to_numpy(ghosts)) if ghosts else 0,
                **rank_sources.arrays_of(algorithm.GetOutputDataObject(0)))
