"""Contours one source in several ways on every rank, and keeps what each rank got.

usage: mpiexec -n RANKS pvbatch --sym contour_ranks.py FOLDER
FOLDER holds volume.pvti and volume.raw of TestRanks.py. Written for each case of rank_sources.CASES, and for each rank:
CASE.RANK.npz with points, triangles, normals (if made), usedDevice, extent and the numbers of ghost cells.
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
