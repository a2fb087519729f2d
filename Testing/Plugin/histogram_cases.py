# SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
# SPDX-License-Identifier: BSD-3-Clause
"""The histograms that TestRanks.py and TestServers.py compute."""
import os

import numpy
import plugin_test
import rank_sources
from paraview import simple
from vtkmodules.vtkCommonDataModel import vtkMultiBlockDataSet
from vtkmodules.vtkParallelCore import vtkMultiProcessController

# CASE is SOURCE-BOUNDARY-DEVICE. "few" has fewer cells than there are ranks, so that some ranks have none. "blocks" is a
# composite data set whose blocks are distributed over the ranks of a script that runs on every rank. "last" is one whose
# only block is on the last rank.
FAILS_ON_OTHER_RANKS = "pvti-Open-CPU-error"
CASES = [f"{source}-{boundary}-{device}" for source in ("pvti", "raw", "few", "blocks")
         for boundary in rank_sources.BOUNDARIES for device in rank_sources.DEVICES]
CASES += ["last-Open-CPU", FAILS_ON_OTHER_RANKS]
MADE_BY_THE_SCRIPT = ("blocks", "last")
BLOCKS = 5
FEW_CELLS = (3, 1, 1)  # x, y, z


def write_sources(folder):
    rank_sources.write_sources(folder)
    rank_sources.write_piece(path_of_few(folder), numpy.arange(3, dtype=numpy.float32).reshape(FEW_CELLS[::-1]), 0)


def path_of_few(folder):
    return os.path.join(folder, "few.vti")


def read_few(folder):
    return simple.XMLImageDataReader(FileName=[path_of_few(folder)])


def block(number):
    """A part of the volume. Each block has cells of another size, apart from those of others; one block has values of
    another type, on a lattice of its own, and one is a rectilinear grid."""
    values = plugin_test.density()[number:number + 4]
    if number == 4:
        return plugin_test.grid_of(values, [numpy.sqrt(1000 + 17 * numpy.arange(n + 1)) for n in values.shape[::-1]])
    return plugin_test.image_of((100 * values).astype(numpy.int16) if number == 3 else values,
                                origin=(100 * number, 0.03 * (number == 3), 0), spacing=(1 / (number + 1), 0.1, 0.7))


def make_blocks(_):
    controller = vtkMultiProcessController.GetGlobalController()
    return producer_of_blocks(range(controller.GetLocalProcessId(), BLOCKS, controller.GetNumberOfProcesses()))


def make_last(_):
    controller = vtkMultiProcessController.GetGlobalController()
    is_last = controller.GetLocalProcessId() == controller.GetNumberOfProcesses() - 1
    return producer_of_blocks([1] if is_last else [])


def producer_of_blocks(numbers):
    """A source of a composite data set of the blocks of these numbers."""
    blocks = vtkMultiBlockDataSet()
    blocks.SetNumberOfBlocks(BLOCKS)
    for number in numbers:
        blocks.SetBlock(number, block(number))
    return plugin_test.producer_of(blocks)


def histogram_of(folder, case):
    source, boundary, device = case.split("-")[:3]
    makers = {"pvti": rank_sources.read_pieces, "raw": rank_sources.read_raw, "few": read_few, "blocks": make_blocks,
              "last": make_last}
    reader = makers[source](folder)
    reader.UpdatePipeline()
    association = "POINTS" if source == "raw" else "CELLS"
    return simple.VulkanImageHistogram(Input=reader, Array=[association, "density"], Boundary=boundary, Device=device)


def expected_samples(case):
    """The number of samples of the whole data set."""
    source = case.split("-")[0]
    sizes = {"few": FEW_CELLS, "blocks": (*plugin_test.CELLS[:2], 4 * BLOCKS), "last": (*plugin_test.CELLS[:2], 4)}
    return int(numpy.prod(sizes.get(source, plugin_test.CELLS)))
