# SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
# SPDX-License-Identifier: BSD-3-Clause
"""Compares the times of the plugin and of ParaView's own filters: Cell Data to Point Data, then Contour.

Usage: pvpython compare_with_contour.py VOLUME ISOVALUE [RUNS]

VOLUME is a raw file that Utilities/isosurface.py reads. The plugin and the filters run alternately in one process, on
cell data, with normals. PV_PLUGIN_PATH must name the plugin's folder. Prints the medians in ms by the host's clock of
  first: a new array in each run, so that everything is computed again (and uploaded by the plugin);
  again: another isovalue of the same array.
"""

import os
import statistics
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "Utilities"))

import volume_file  # noqa: E402
from paraview import simple  # noqa: E402


def milliseconds(action):
    start = time.perf_counter()
    action()
    return 1000 * (time.perf_counter() - start)


def triangles(source):
    return source.GetClientSideObject().GetOutputDataObject(0).GetNumberOfPolys()


def main():
    path, isovalue = sys.argv[1], float(sys.argv[2])
    runs = int(sys.argv[3]) if len(sys.argv) > 3 else 5
    image = volume_file.read_volume(path, "CELLS")
    producer = simple.TrivialProducer()
    producer.GetClientSideObject().SetOutput(image)
    name = image.GetCellData().GetScalars().GetName()

    if not hasattr(simple, "VulkanMarchingCubes"):
        sys.exit("compare_with_contour.py: PV_PLUGIN_PATH must name the folder of the plugin VulkanMarchingCubes")
    ours = simple.VulkanMarchingCubes(Input=producer, ContourBy=["CELLS", name])
    to_points = simple.CellDatatoPointData(Input=producer, CellDataArraytoprocess=[name])
    stock = simple.Contour(Input=to_points, ContourBy=["POINTS", name])
    filters = {"VulkanMarchingCubes": ours, "CellDatatoPointData + Contour": stock}
    times = {label: {"first": [], "again": []} for label in filters}
    for run in range(runs + 1):  # the first run compiles kernels and touches memory, and is not counted
        image.GetCellData().GetScalars().Modified()
        producer.GetClientSideObject().Modified()
        producer.UpdatePipeline()
        for label, contour in filters.items():
            for kind, value in (("first", isovalue + 0.5), ("again", isovalue)):
                contour.Isosurfaces = [value]
                elapsed = milliseconds(contour.UpdatePipeline)
                if run > 0:
                    times[label][kind].append(elapsed)
    ours.UpdatePropertyInformation()
    print(f"{os.path.basename(path)}, isovalue {isovalue:g}, {runs} runs, device {ours.UsedDevice}")
    for label, contour in filters.items():
        first, again = (statistics.median(times[label][kind]) for kind in ("first", "again"))
        print(f"{label:30}  first {first:8.1f} ms  again {again:8.1f} ms  {triangles(contour):9d} triangles")


if __name__ == "__main__":
    main()
