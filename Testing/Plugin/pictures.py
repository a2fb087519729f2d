# SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
# SPDX-License-Identifier: BSD-3-Clause
"""Views of the tests, and comparisons of what they show."""
import os
import tempfile

import numpy
from paraview import simple
from vtkmodules.vtkIOImage import vtkPNGReader
from vtkmodules.util.numpy_support import vtk_to_numpy

TYPE = "Vulkan Isosurface"
SIZE = 300


def create_view(focal_point=(10, 9, 7)):
    """A view with a black background that looks at the volume of plugin_test from one side."""
    simple._DisableFirstRenderCameraReset()
    view = simple.CreateView("RenderView")
    view.ViewSize = [SIZE, SIZE]
    view.OrientationAxesVisibility = 0
    view.UseColorPaletteForBackground = 0
    view.Background = [0, 0, 0]
    view.CameraFocalPoint = focal_point
    view.CameraPosition = [focal_point[0] + 25, focal_point[1] + 35, focal_point[2] + 30]
    view.CameraViewUp = [0, 0, 1]
    return view


def delete_all():
    """Deletes all sources and views. simple.ResetSession() makes ParaView 5.11 fail at its exit."""
    for proxy in [*simple.GetSources().values(), *simple.GetViews()]:
        simple.Delete(proxy)


def show_isosurface(source, view, **properties):
    """Shows the source as isosurface in one colour."""
    display = simple.Show(source, view)
    display.Representation = TYPE
    return decorate(display, properties)


def show_surface(contour, view, **properties):
    """Shows the surface of the filter in one colour."""
    display = simple.Show(contour, view)
    display.Representation = "Surface"
    return decorate(display, properties)


def decorate(display, properties):
    display.ColorArrayName = [None, ""]
    display.DiffuseColor = [1, 0.5, 0.25]
    for name, value in properties.items():
        setattr(display, name, value)
    return display


def picture(view):
    """What the view shows: colours [y, x, channel] of 0 to 255."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "view.png")
        simple.SaveScreenshot(path, view)
        reader = vtkPNGReader()
        reader.SetFileName(path)
        reader.Update()
        x, y, _ = reader.GetOutput().GetDimensions()
        return vtk_to_numpy(reader.GetOutput().GetPointData().GetScalars()).reshape(y, x, -1).astype(int)


def covered(shown):
    """Number of pixels that are not black."""
    return int((shown.max(axis=2) > 0).sum())


def differing(one, other, tolerance=2):
    """Number of pixels with a channel that differs by more than the tolerance. Two ways to draw one surface round the
    last bits of positions and normals in another way, which changes a channel by 1 or 2."""
    if one.shape[2] != other.shape[2]:  # a picture without colours has one channel
        return SIZE * SIZE
    return int((abs(one - other).max(axis=2) > tolerance).sum())


def strange(shown, expected, tolerance=2):
    """Number of pixels whose colour is, but for the tolerance, neither that of the same pixel of the expected picture nor
    that of one of the eight beside it."""
    around = numpy.pad(expected, ((1, 1), (1, 1), (0, 0)), mode="edge")
    known = numpy.zeros(shown.shape[:2], bool)
    for y in range(3):
        for x in range(3):
            other = around[y:y + shown.shape[0], x:x + shown.shape[1]]
            known |= abs(shown - other).max(axis=2) <= tolerance
    return int(numpy.count_nonzero(~known))
