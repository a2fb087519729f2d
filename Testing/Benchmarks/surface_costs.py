# SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
# SPDX-License-Identifier: BSD-3-Clause
"""Times how ParaView's representation Surface draws the output of the filter, for several settings of both.

Usage: xvfb-run pvpython surface_costs.py VOLUME ISOVALUE [RUNS]

VOLUME is a raw file that Utilities/isosurface.py reads. PV_PLUGIN_PATH must name the plugin's folder. Each run changes
the isovalue by less than one step of an integer sample, for one setting after the other. Prints the least times in ms
by the host's clock, as other load on the machine only adds time:
  filter:  the execution of the filter;
  update:  the rest of UpdatePipeline: ParaView computes the ranges of all arrays and the bounds;
  draw:    the first frame of the new surface;
  frame:   the next frame, after a turn of the camera.
So a surface that is new to ParaView costs update + draw - frame more than its extraction and a plain frame. The window
has 600 x 400 pixels.
"""

import os
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "Utilities"))

import volume_file  # noqa: E402
from paraview import simple  # noqa: E402

WARM_UPS = 3  # runs that are not counted

# Differences from the defaults of the filter and from Surface with one colour: properties of the filter, properties of
# the representation, and whether the isovalues colour the surface.
SETTINGS = {
    "default": ({}, {}, False),
    "ComputeNormals off": ({"ComputeNormals": 0}, {}, False),
    "ComputeScalars off": ({"ComputeScalars": 0}, {}, False),
    "coloured by the isovalue": ({}, {}, True),
    "the same, InterpolateScalarsBeforeMapping off": ({}, {"InterpolateScalarsBeforeMapping": 0}, True),
    "MergePoints off": ({"MergePoints": 0}, {}, False),
    "OutputPointsPrecision double": ({"OutputPointsPrecision": "Double"}, {}, False),
    "Surface With Edges": ({}, {"Representation": "Surface With Edges"}, False),
    "Wireframe": ({}, {"Representation": "Wireframe"}, False),
}


def milliseconds(action):
    start = time.perf_counter()
    action()
    return 1000 * (time.perf_counter() - start)


def set_properties(proxy, values):
    for name, value in values.items():
        proxy.SetPropertyWithName(name, value)


def show(contour, view, settings):
    of_filter, of_display, is_coloured = settings
    set_properties(contour, of_filter)
    display = simple.Show(contour, view, "GeometryRepresentation")
    display.Representation = "Surface"
    set_properties(display, of_display)
    if is_coloured:
        simple.ColorBy(display, ("POINTS", contour.ContourBy[1]))
    else:
        display.ColorArrayName = ["POINTS", ""]
    simple.ResetCamera(view)


def measure(contour, view, isovalue):
    """Times of one run in ms: filter, update, draw, frame."""
    contour.Isosurfaces = [isovalue]
    pipeline = milliseconds(contour.UpdatePipeline)
    draw = milliseconds(lambda: simple.Render(view))
    view.GetActiveCamera().Azimuth(3)
    frame = milliseconds(lambda: simple.Render(view))
    contour.UpdatePropertyInformation()
    return contour.TotalTime, pipeline - contour.TotalTime, draw, frame


def make_pipeline(producer, array, isovalue, settings):
    contour = simple.VulkanMarchingCubes(Input=producer, ContourBy=["CELLS", array], Isosurfaces=[isovalue])
    view = simple.CreateRenderView(ViewSize=[600, 400])
    show(contour, view, settings)
    return contour, view


def main():
    path, isovalue = sys.argv[1], float(sys.argv[2])
    runs = int(sys.argv[3]) if len(sys.argv) > 3 else 15
    image = volume_file.read_volume(path, "CELLS")
    producer = simple.TrivialProducer()
    producer.GetClientSideObject().SetOutput(image)
    array = image.GetCellData().GetScalars().GetName()
    if not hasattr(simple, "VulkanMarchingCubes"):
        sys.exit("surface_costs.py: PV_PLUGIN_PATH must name the folder of the plugin VulkanMarchingCubes")
    pipelines = [make_pipeline(producer, array, isovalue, settings) for settings in SETTINGS.values()]
    times = [[measure(*pipeline, isovalue - 0.25 * (run % 2)) for pipeline in pipelines]
             for run in range(WARM_UPS + runs)]
    print(f"{'':46}  filter  update    draw   frame")
    for name, runs_of_setting in zip(SETTINGS, zip(*times[WARM_UPS:])):
        print(f"{name:46}" + "".join(f"{min(column):8.1f}" for column in zip(*runs_of_setting)))


if __name__ == "__main__":
    main()
