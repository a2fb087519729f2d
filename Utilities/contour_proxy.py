# SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
# SPDX-License-Identifier: BSD-3-Clause
"""Loads the plugin; creates and runs its filter through ParaView's Python."""
import glob
import os

from paraview import servermanager, simple

from report import Problem, label, say
from vtk_messages import listening

PLUGIN = "VulkanMarchingCubes"
TIMES = {"upload": "UploadTime", "index": "IndexTime", "extract": "ExtractTime", "readback": "ReadbackTime",
         "total": "TotalTime"}


def load_plugin(path):
    """Makes simple.VulkanMarchingCubes available."""
    if path and not os.path.isfile(path):
        raise Problem(f"cannot load the plugin '{path}': there is no such file")
    loaded = loaded_plugin()
    if loaded:
        if path and not os.path.samefile(path, loaded):
            say(f"--plugin is not used: ParaView has loaded '{loaded}' already")
        return
    path = path or newest_plugin()
    with listening() as messages:
        try:
            simple.LoadPlugin(os.path.abspath(path))
        except RuntimeError:
            pass
    if not hasattr(simple, PLUGIN):
        reason = (messages.of("ERROR") or [f"it has no filter {PLUGIN}"])[0]
        raise Problem(f"cannot load the plugin '{path}': {reason}")


def loaded_plugin():
    """The path of the plugin that ParaView has loaded, or None."""
    plugins = servermanager.vtkSMProxyManager.GetProxyManager().GetPluginManager().GetLocalInformation()
    return next((plugins.GetPluginFileName(i) for i in range(plugins.GetNumberOfPlugins())
                 if plugins.GetPluginName(i) == PLUGIN and plugins.GetPluginLoaded(i)), None)


def newest_plugin():
    """The newest plugin for this ParaView: in the prefix where this file is installed, or built in its checkout."""
    folder = os.path.dirname(os.path.abspath(__file__))
    version = simple.GetParaViewVersion()
    plugin = os.path.join(f"paraview-{version.major}.{version.minor}", "plugins", PLUGIN, PLUGIN + ".so")
    found = [path for prefix in (os.path.join(os.pardir, os.pardir), os.path.join(os.pardir, "build", "*"))
             for libraries in ("lib*", os.path.join("lib", "*"))
             for path in glob.glob(os.path.join(glob.escape(folder), prefix, libraries, plugin))]
    if not found:
        raise Problem(f"cannot find the plugin {PLUGIN}: build or install the project, set PV_PLUGIN_PATH to the "
                      f"folder of {PLUGIN}.so, or give --plugin")
    return max(found, key=os.path.getmtime)


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


def measure(contour, measures, regions, kept):
    """Sets what is measured. kept: the properties that select regions."""
    contour.ComputeMeasures = int(measures)
    contour.ComputeRegions = int(regions)
    for name, value in kept.items():
        setattr(contour, name, value)


def measures_of(contour):
    """The measures of the mesh, summed over its isovalues, with lists of those of the samples per isovalue; empty if
    they were not requested."""
    if not contour.ComputeMeasures:
        return {}
    return {"area": sum(contour.SurfaceArea), "volume": sum(contour.EnclosedVolume),
            "volumeAbove": list(contour.VolumeAbove), "shareOfDomain": list(contour.ShareOfDomain),
            "openEdges": int(sum(contour.OpenEdges)), "regions": int(sum(contour.NumberOfRegions))}


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
    note = str(contour.Note)
    if not note and mesh.GetNumberOfPolys() == 0:
        note = f"No surface at {' '.join(map(label, isovalues))}."
    row = {"isovalues": isovalues, "triangles": mesh.GetNumberOfPolys(), "points": mesh.GetNumberOfPoints(),
           "activeBricks": int(contour.NumberOfActiveBricks), "bricks": int(contour.NumberOfBricks),
           "milliseconds": {stage: float(contour.GetPropertyValue(name)) for stage, name in TIMES.items()},
           "stages": dict(zip(contour.StageNames, contour.StageTimes)),
           "deviceMemoryBytes": int(contour.DeviceMemory), "device": str(contour.UsedDevice),
           "fallbackReason": str(contour.FallbackReason), "note": note, **measures_of(contour)}
    return mesh, row
