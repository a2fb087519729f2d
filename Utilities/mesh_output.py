# SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
# SPDX-License-Identifier: BSD-3-Clause
"""Writes a mesh to a file, and renders it to an image."""
import math
import os

import numpy
from paraview import simple
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkIOGeometry import vtkOBJWriter, vtkSTLWriter
from vtkmodules.vtkIOPLY import vtkPLYWriter
from vtkmodules.vtkIOXML import vtkXMLPolyDataWriter

from report import Problem, say
from vtk_messages import listening

WRITERS = {".vtp": vtkXMLPolyDataWriter, ".ply": vtkPLYWriter, ".stl": vtkSTLWriter, ".obj": vtkOBJWriter}
IMAGE_SIZE = 1024


def write_mesh(mesh, path):
    writer = WRITERS[os.path.splitext(path)[1].lower()]()
    writer.SetFileName(path)
    writer.SetInputData(mesh)
    if hasattr(writer, "SetDataModeToBinary"):
        writer.SetDataModeToBinary()  # Debian's ParaView 5.11 does not read appended data
    else:
        getattr(writer, "SetFileTypeToBinary", lambda: None)()
    with listening() as messages:
        writer.Write()
    for error in messages.of("ERROR"):
        raise Problem(f"cannot write '{path}': {error}")
    say(f"wrote {path}")


def make_view(contour, mesh):
    """A view of the filter's output from above its front right corner. The y axis points up, as in ParaView."""
    view = simple.CreateView("RenderView")
    view.ViewSize = [IMAGE_SIZE, IMAGE_SIZE]
    view.OrientationAxesVisibility = 0
    view.UseColorPaletteForBackground = 0
    view.Background = [0.94, 0.94, 0.95]
    display = simple.Show(contour, view)
    display.ColorArrayName = [None, ""]
    display.DiffuseColor = display.AmbientColor = [0.80, 0.77, 0.72]
    display.Specular = 0.15
    frame(view, mesh)
    return view


def frame(view, mesh):
    """Moves the camera as close as possible with all points of the mesh in the image."""
    backward = numpy.array([1, 0.7, 1.6]) / numpy.linalg.norm([1, 0.7, 1.6])
    right = numpy.cross([0, 1, 0], backward) / numpy.linalg.norm(numpy.cross([0, 1, 0], backward))
    up = numpy.cross(backward, right)
    low, high = numpy.reshape(mesh.GetBounds(), (3, 2)).T
    points = vtk_to_numpy(mesh.GetPoints().GetData()) - (low + high) / 2
    sideways, upwards = points @ right, points @ up
    middle = ((sideways.max() + sideways.min()) / 2, (upwards.max() + upwards.min()) / 2)
    outwards = numpy.maximum(abs(sideways - middle[0]), abs(upwards - middle[1]))
    slope = 0.92 * math.tan(math.radians(view.CameraViewAngle / 2))
    distance = (points @ backward + outwards / slope).max()
    focus = (low + high) / 2 + middle[0] * right + middle[1] * up
    view.CameraViewUp = [0, 1, 0]
    view.CameraFocalPoint = list(focus)
    view.CameraPosition = list(focus + distance * backward)


def write_image(view, path):
    with listening() as messages:
        saved = simple.SaveScreenshot(path, view, ImageResolution=[IMAGE_SIZE, IMAGE_SIZE], TransparentBackground=0)
    if not saved or not os.path.exists(path):
        raise Problem(f"cannot write '{path}': {(messages.of('ERROR') or ['rendering failed'])[0]}")
    say(f"wrote {path}")
