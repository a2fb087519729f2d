# SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
# SPDX-License-Identifier: BSD-3-Clause
"""Loads the plugin; creates and runs its filter through ParaView's Python."""
import glob
import os

from paraview import simple

from report import Problem, say
from vtk_messages import listening

PLUGIN = "VulkanMarchingCubes"
TIMES = {"upload": "UploadTime", "index": "IndexTime", "extract": "ExtractTime", "readback": "ReadbackTime",
         "total": "TotalTime"}


def load_plugin(path):
    """Makes simple.VulkanMarchingCubes available."""
    if path is None and hasattr(simple, PLUGIN):
        return
    path = path or newest_build()
    if not os.path.isfile(path):
        raise Problem(f"cannot load the plugin '{path}': there is no such file")
    with listening() as messages:
        try:
            simple.LoadPlugin(os.path.abspath(path))
        except RuntimeError:
            pass
    if not hasattr(simple, PLUGIN):
        reason = (messages.of("ERROR") or [f"it has no filter {PLUGIN}"])[0]
        raise Problem(f"cannot load the plugin '{path}': {reason}")


def newest_build():
    root = os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir)
    built = glob.glob(os.path.join(root, "build", "*", "lib*", "**", PLUGIN + ".so"), recursive=True)
    if not built:
        raise Problem(f"cannot find the plugin {PLUGIN}: build the project, set PV_PLUGIN_PATH to the folder of "
                      f"{PLUGIN}.so, or give --plugin")
    return max(built, key=os.path.getmtime)


def make_filter(image, association, array, device):
    """The filter with the image as its input and all properties set except the isovalues."""
    source = simple.TrivialProducer()
    source.GetClientSideObject().SetOutput(image)
    with listening():
        source.UpdatePipeline()
        contour = simple.VulkanMarchingCubes(Input=source)
        contour.ContourBy = [association, array.GetName()]
    if device:
        contour.Device = device
    return contour


def extract(contour, isovalues):
    """Runs the filter. Returns the mesh and its row of the table."""
    contour.Isosurfaces = isovalues
    with listening() as messages:
        contour.UpdatePipeline()
    for error in messages.of("ERROR"):
        raise Problem(f"the extraction failed: {error}")
    for warning in messages.of("Warning"):
        say(f"warning: {warning}")
    mesh = contour.GetClientSideObject().GetOutputDataObject(0)
    row = {"isovalues": isovalues, "triangles": mesh.GetNumberOfPolys(), "points": mesh.GetNumberOfPoints(),
           "activeBricks": int(contour.NumberOfActiveBricks), "bricks": int(contour.NumberOfBricks),
           "milliseconds": {stage: float(contour.GetPropertyValue(name)) for stage, name in TIMES.items()},
           "stages": dict(zip(contour.StageNames, contour.StageTimes)),
           "deviceMemoryBytes": int(contour.DeviceMemory), "device": str(contour.UsedDevice),
           "fallbackReason": str(contour.FallbackReason)}
    return mesh, row
