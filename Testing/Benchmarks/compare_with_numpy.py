# SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
# SPDX-License-Identifier: BSD-3-Clause
"""Compares the times of the filter Vulkan Image Histogram on the CPU and of numpy.histogram, which has one thread.

Usage: pvpython compare_with_numpy.py [RUNS]

Both run alternately in one process, on a hill of 256^3 samples with noise; their counts are compared first.
PV_PLUGIN_PATH must name the plugin's folder. Prints the medians in ms by the host's clock. The filter also counts the
dual cells that each bin's centre cuts, numpy does not.
"""

import statistics
import sys
import time

import numpy
from paraview import simple
from vtkmodules.util.numpy_support import numpy_to_vtk, vtk_to_numpy
from vtkmodules.vtkCommonDataModel import vtkImageData


def milliseconds(action):
    start = time.perf_counter()
    action()
    return 1000 * (time.perf_counter() - start)


def image_of(values):
    """An image with an array "samples" of these cells [z, y, x]."""
    image = vtkImageData()
    image.SetDimensions(*(n + 1 for n in values.shape[::-1]))
    array = numpy_to_vtk(values.ravel(), deep=True)
    array.SetName("samples")
    image.GetCellData().AddArray(array)
    return image


def main():
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 9
    if not hasattr(simple, "VulkanImageHistogram"):
        sys.exit("compare_with_numpy.py: PV_PLUGIN_PATH must name the folder of the plugin VulkanMarchingCubes")
    random = numpy.random.default_rng(1)
    hill = numpy.add.outer(numpy.add.outer(*[numpy.hanning(256)] * 2), numpy.hanning(256))
    for dtype, bins, scale in (("uint8", 256, 80), ("uint16", 1024, 20000), ("float32", 1024, 1)):
        values = (scale * (hill + 0.05 * random.random(hill.shape))).astype(dtype)
        producer = simple.TrivialProducer()
        producer.GetClientSideObject().SetOutput(image_of(values))
        histogram = simple.VulkanImageHistogram(Input=producer, Array=["CELLS", "samples"], Device="CPU")
        histogram.UpdatePipeline()
        algorithm = histogram.GetClientSideObject()
        table = algorithm.GetOutput()
        lower, upper, samples = (vtk_to_numpy(table.GetColumnByName(name)) for name in ("Lower", "Upper", "Samples"))
        expected = numpy.histogram(values.astype(float), numpy.append(lower, upper[-1]))[0]
        if not numpy.array_equal(samples, expected):
            sys.exit(f"compare_with_numpy.py: the counts of {dtype} differ")
        ours, others = [], []
        for _ in range(runs):
            algorithm.Modified()
            ours.append(milliseconds(algorithm.Update))
            others.append(milliseconds(lambda: numpy.histogram(values, bins)))
        histogram.UpdatePropertyInformation()
        print(f"256^3 {dtype}: VulkanImageHistogram {statistics.median(ours):.1f} ms ({histogram.UsedDevice}), "
              f"numpy.histogram {statistics.median(others):.1f} ms")


if __name__ == "__main__":
    main()
