# SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
# SPDX-License-Identifier: BSD-3-Clause
"""Computes the histograms of histogram_cases.CASES on every rank, and saves the table of each rank.

usage: mpiexec -n RANKS pvbatch --sym histogram_ranks.py FOLDER
FOLDER contains the files of histogram_cases.write_sources. For each case and rank, the script writes CASE.RANK.npz with
the columns and the field data of the table, the name of its array (empty: none), and the numbers of errors and of
warnings of the rank.
"""
import os
import sys

import histogram_cases
import histograms
import numpy
import plugin_test
from vtkmodules.vtkParallelCore import vtkMultiProcessController

folder = sys.argv[1]
rank = vtkMultiProcessController.GetGlobalController().GetLocalProcessId()
for case in histogram_cases.CASES:
    histogram = histogram_cases.histogram_of(folder, case)
    if case == histogram_cases.FAILS_ON_OTHER_RANKS and rank > 0:
        histogram.ArrayComponent = 7
    messages = plugin_test.Messages(histogram)
    histogram.UpdatePipeline()
    table = histogram.GetClientSideObject().GetOutputDataObject(0)
    name = table.GetFieldData().GetAbstractArray("Array")
    numpy.savez(os.path.join(folder, f"{case}.{rank}.npz"), name=name.GetValue(0) if name else "",
                errors=messages.errors, warnings=messages.warnings, **histograms.arrays_of(table))
